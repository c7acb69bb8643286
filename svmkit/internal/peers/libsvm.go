//go:build peers

package peers

/*
#cgo LDFLAGS: -lsvm
#include <stdlib.h>
#include <libsvm/svm.h>

static void silent_svm(const char *s) { (void)s; }
static void quiet_svm(void) { svm_set_print_string_function(silent_svm); }
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// KernelSettings are the options of LIBSVM's svm-train.
type KernelSettings struct {
	Regression bool          // -s 3, else -s 0
	Kernel     kernel.Kernel // nil, Linear, Polynomial or RBF, with all their fields set
	C          float64       // -c
	Epsilon    float64       // -p, the half-width of the tube
	Tol        float64       // -e, the largest violation of the optimality conditions
}

// KernelModel is LIBSVM's answer in our signs.
type KernelModel struct {
	Beta   []float64 // one a row: αᵢyᵢ, or α⁻ − α⁺ in regression
	Scores []float64 // f(xᵢ) of the training rows, by LIBSVM's own prediction
}

// Kernel trains a C-SVC or an ε-SVR.
func Kernel(set *svmkit.Dataset, o KernelSettings) (*KernelModel, error) {
	n := set.Len()
	param := C.struct_svm_parameter{svm_type: C.C_SVC, C: C.double(o.C), p: C.double(o.Epsilon), eps: C.double(o.Tol),
		cache_size: 200, shrinking: 1}
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
	y := (*C.double)(C.calloc(C.size_t(n), C.sizeof_double))
	defer C.free(unsafe.Pointer(y))
	copy(unsafe.Slice((*float64)(unsafe.Pointer(y)), n), set.Y)
	rows := (**C.struct_svm_node)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(uintptr(0)))))
	defer C.free(unsafe.Pointer(rows))
	total := set.NNZ() + n // an end mark a row
	nodes := (*C.struct_svm_node)(C.calloc(C.size_t(total), C.sizeof_struct_svm_node))
	defer C.free(unsafe.Pointer(nodes))
	free := unsafe.Slice(nodes, total)
	for i, x := range set.X {
		unsafe.Slice(rows, n)[i] = &free[0]
		k := 0
		for at, v := range x.Value {
			j := at
			if x.Index != nil {
				j = int(x.Index[at])
			}
			if v != 0 {
				free[k] = C.struct_svm_node{index: C.int(j + 1), value: C.double(v)}
				k++
			}
		}
		free[k].index = -1
		free = free[k+1:]
	}
	problem := C.struct_svm_problem{l: C.int(n), y: y, x: rows}
	C.quiet_svm()
	if message := C.svm_check_parameter(&problem, &param); message != nil {
		return nil, errors.New("libsvm: " + C.GoString(message))
	}
	model := C.svm_train(&problem, &param) // points into nodes: free it first
	defer C.svm_free_and_destroy_model(&model)
	sign := 1.0
	if !o.Regression && *model.label == -1 { // a positive score means the class that comes first
		sign = -1
	}
	answer := &KernelModel{Beta: make([]float64, n), Scores: make([]float64, n)}
	if model.l > 0 {
		indices := unsafe.Slice(model.sv_indices, int(model.l))
		for k, v := range unsafe.Slice(*model.sv_coef, int(model.l)) {
			answer.Beta[indices[k]-1] = sign * float64(v)
		}
	}
	for i, x := range unsafe.Slice(rows, n) {
		var value C.double
		C.svm_predict_values(model, x, &value)
		answer.Scores[i] = sign * float64(value)
	}
	return answer, nil
}
