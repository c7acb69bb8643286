//go:build peers

package peers

/*
#cgo LDFLAGS: -lsvm
#include <stdlib.h>
#include <libsvm/svm.h>

static void silent_svm(const char *s) { (void)s; }
static void quiet_svm(void) { srand(1); svm_set_print_string_function(silent_svm); }
static void predict_svm(const struct svm_model *model, struct svm_node **x, int n, double *scores) {
	for (int i = 0; i < n; i++) svm_predict_values(model, x[i], scores + i);
}
static void classes_svm(const struct svm_model *model, struct svm_node **x, int n, double *labels) {
	for (int i = 0; i < n; i++) labels[i] = svm_predict(model, x[i]);
}
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// KernelVersion is that of LIBSVM's header.
func KernelVersion() string {
	return fmt.Sprintf("%d.%02d", C.LIBSVM_VERSION/100, C.LIBSVM_VERSION%100)
}

// KernelSettings are the options of LIBSVM's svm-train.
type KernelSettings struct {
	Regression bool          // -s 3, else -s 0
	Kernel     kernel.Kernel // nil, Linear, Polynomial or RBF, with all their fields set
	C          float64       // -c
	Epsilon    float64       // -p, the half-width of the tube
	Tol        float64       // -e, the largest violation of the optimality conditions
	CacheMB    float64       // -m; 0 means 200
	KeepAll    bool          // -h 0, no shrinking

	Positive, Negative float64 // -w1, -w-1, factors of C; 0 means 1
}

// KernelModel is LIBSVM's answer in our signs.
type KernelModel struct {
	Beta   []float64 // one a row: αᵢyᵢ, or α⁻ − α⁺ in regression
	Bias   float64   // LIBSVM's −ρ
	Scores []float64 // f(xᵢ) of the training rows, by LIBSVM's own prediction
}

// KernelData is a data set in LIBSVM's structures.
type KernelData struct {
	problem C.struct_svm_problem
	nodes   *C.struct_svm_node
}

// NewKernel copies set. The caller closes the result.
func NewKernel(set *svmkit.Dataset) *KernelData {
	n := set.Len()
	total := set.NNZ() + n // an end mark a row
	p := &KernelData{nodes: (*C.struct_svm_node)(C.calloc(C.size_t(total), C.sizeof_struct_svm_node))}
	y := (*C.double)(C.calloc(C.size_t(n), C.sizeof_double))
	copy(unsafe.Slice((*float64)(unsafe.Pointer(y)), n), set.Y)
	rows := (**C.struct_svm_node)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(uintptr(0)))))
	free := unsafe.Slice(p.nodes, total)
	for i, x := range set.X {
		unsafe.Slice(rows, n)[i] = &free[0]
		k := 0
		for j, v := range nonzero(x) {
			free[k] = C.struct_svm_node{index: C.int(j + 1), value: C.double(v)}
			k++
		}
		free[k].index = -1
		free = free[k+1:]
	}
	p.problem = C.struct_svm_problem{l: C.int(n), y: y, x: rows}
	return p
}

// Close frees the copy; fits of it are dead then.
func (p *KernelData) Close() {
	C.free(unsafe.Pointer(p.nodes))
	C.free(unsafe.Pointer(p.problem.x))
	C.free(unsafe.Pointer(p.problem.y))
}

// KernelFit is a model in LIBSVM's own form.
type KernelFit struct {
	Beta []float64     // one a row: αᵢyᵢ, or α⁻ − α⁺ in regression
	Bias float64       // LIBSVM's −ρ
	Time time.Duration // of the call of svm_train

	sign  float64 // −1 if a positive score means the class −1
	model *C.struct_svm_model
	data  *KernelData
}

// Train trains a C-SVC or an ε-SVR. The caller closes the result.
func (p *KernelData) Train(o KernelSettings) (*KernelFit, error) {
	param := C.struct_svm_parameter{svm_type: C.C_SVC, C: C.double(o.C), p: C.double(o.Epsilon), eps: C.double(o.Tol),
		cache_size: 200, shrinking: 1}
	if o.CacheMB > 0 {
		param.cache_size = C.double(o.CacheMB)
	}
	if o.KeepAll {
		param.shrinking = 0
	}
	if o.Regression {
		param.svm_type = C.EPSILON_SVR
	}
	switch k := o.Kernel.(type) {
	case nil, kernel.Linear:
		param.kernel_type = C.LINEAR
	case kernel.Polynomial:
		param.kernel_type, param.degree, param.gamma, param.coef0 = C.POLY, C.int(k.Degree), C.double(k.Gamma), C.double(k.Coef0)
	case kernel.RBF:
		param.kernel_type, param.gamma = C.RBF, C.double(k.Gamma)
	default:
		return nil, fmt.Errorf("libsvm has no %T", k)
	}
	if o.Positive != 0 || o.Negative != 0 {
		labels, factors, free := classWeights(o.Positive, o.Negative)
		defer free()
		param.nr_weight, param.weight_label, param.weight = 2, (*C.int)(labels), (*C.double)(factors)
	}
	problem := p.problem
	C.quiet_svm()
	if message := C.svm_check_parameter(&problem, &param); message != nil {
		return nil, errors.New("libsvm: " + C.GoString(message))
	}
	start := time.Now()
	model := C.svm_train(&problem, &param)
	fit := &KernelFit{Time: time.Since(start), Beta: make([]float64, int(problem.l)), sign: 1, model: model, data: p}
	if !o.Regression && *model.label == -1 { // a positive score means the class that comes first
		fit.sign = -1
	}
	fit.Bias = -fit.sign * float64(*model.rho)
	if model.l > 0 {
		indices := unsafe.Slice(model.sv_indices, int(model.l))
		for k, v := range unsafe.Slice(*model.sv_coef, int(model.l)) {
			fit.Beta[indices[k]-1] = fit.sign * float64(v)
		}
	}
	return fit, nil
}

// Close frees the model.
func (f *KernelFit) Close() { C.svm_free_and_destroy_model(&f.model) }

// Scores predicts the first rows of the training set, one after the other as svm-predict does, and
// says how long that took.
func (f *KernelFit) Scores(rows int) ([]float64, time.Duration) {
	scores := make([]float64, rows)
	if rows == 0 {
		return scores, 0
	}
	start := time.Now()
	C.predict_svm(f.model, f.data.problem.x, C.int(rows), (*C.double)(unsafe.Pointer(&scores[0])))
	took := time.Since(start)
	for i := range scores {
		scores[i] *= f.sign
	}
	return scores, took
}

// Classes predicts the labels of the first rows of the training set, of two classes or more, one after the other as
// svm-predict does, and says how long that took.
func (f *KernelFit) Classes(rows int) ([]float64, time.Duration) {
	labels := make([]float64, rows)
	if rows == 0 {
		return labels, 0
	}
	start := time.Now()
	C.classes_svm(f.model, f.data.problem.x, C.int(rows), (*C.double)(unsafe.Pointer(&labels[0])))
	return labels, time.Since(start)
}

// Save writes the model to a file, as svm-train does.
func (f *KernelFit) Save(name string) error {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	if C.svm_save_model(c, f.model) != 0 {
		return errors.New("libsvm cannot write " + name)
	}
	return nil
}

// classWeights returns the labels 1 and -1 and their factors of C in C's memory, until free.
func classWeights(positive, negative float64) (labels, factors unsafe.Pointer, free func()) {
	labels, factors = C.calloc(2, C.sizeof_int), C.calloc(2, C.sizeof_double)
	copy(unsafe.Slice((*C.int)(labels), 2), []C.int{1, -1})
	copy(unsafe.Slice((*C.double)(factors), 2), []C.double{C.double(cmp.Or(positive, 1)), C.double(cmp.Or(negative, 1))})
	return labels, factors, func() {
		C.free(labels)
		C.free(factors)
	}
}

// Kernel trains on a set and predicts its rows.
func Kernel(set *svmkit.Dataset, o KernelSettings) (*KernelModel, error) {
	p := NewKernel(set)
	defer p.Close()
	fit, err := p.Train(o)
	if err != nil {
		return nil, err
	}
	defer fit.Close()
	scores, _ := fit.Scores(set.Len())
	return &KernelModel{Beta: fit.Beta, Bias: fit.Bias, Scores: scores}, nil
}
