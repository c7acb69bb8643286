//go:build peers

package peers

/*
#cgo LDFLAGS: -llinear
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linear.h>

static int linear_capped, linear_passes;
static void hear_linear(const char *s)
{
	int n;
	const char *at;
	if (strstr(s, "reaching max number")) linear_capped = 1;
	if ((at = strstr(s, "#iter = ")) && sscanf(at, "#iter = %d", &n) == 1) linear_passes = n;
	if ((at = strstr(s, " CG ")) && sscanf(at, " CG %d", &n) == 1) linear_passes += n + 1;
}
static void listen_linear(void) { linear_capped = linear_passes = 0; srand(1); set_print_string_function(hear_linear); }
static int was_linear_capped(void) { return linear_capped; }
static int count_linear_passes(void) { return linear_passes; }
*/
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/svmkit/course/svmkit"
)

// LinearVersion is that of LIBLINEAR's header.
func LinearVersion() string {
	return fmt.Sprintf("%d.%02d", C.LIBLINEAR_VERSION/100, C.LIBLINEAR_VERSION%100)
}

// LinearSettings are the options of LIBLINEAR's train with the same letters.
type LinearSettings struct {
	Solver  int     // -s
	C       float64 // -c
	Epsilon float64 // -p, the half-width of the tube
	Tol     float64 // -e, in the unit of the solver

	Positive, Negative float64 // -w1, -w-1, factors of C; 0 means 1
}

// LinearFit is LIBLINEAR's answer in our signs.
type LinearFit struct {
	svmkit.Hyperplane
	Time   time.Duration // of the call of train
	Passes int           // over the active rows; of a Newton method its steps and their products with the Hessian
	Capped bool          // the solver ended at its own limit of iterations
}

// LinearData is a data set in LIBLINEAR's structures, with the constant feature of -B 1.
type LinearData struct {
	problem C.struct_problem
	dim     int
	nodes   *C.struct_feature_node
}

// NewLinear copies set. The caller closes the result.
func NewLinear(set *svmkit.Dataset) *LinearData {
	n, d := set.Len(), set.Dim
	total := set.NNZ() + 2*n // the constant feature and the end mark of each row
	p := &LinearData{dim: d, nodes: (*C.struct_feature_node)(C.calloc(C.size_t(total), C.sizeof_struct_feature_node))}
	y := (*C.double)(C.calloc(C.size_t(n), C.sizeof_double))
	copy(unsafe.Slice((*float64)(unsafe.Pointer(y)), n), set.Y)
	rows := (**C.struct_feature_node)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(uintptr(0)))))
	free := unsafe.Slice(p.nodes, total)
	for i, x := range set.X {
		unsafe.Slice(rows, n)[i] = &free[0]
		k := 0
		for j, v := range nonzero(x) {
			free[k] = C.struct_feature_node{index: C.int(j + 1), value: C.double(v)}
			k++
		}
		free[k] = C.struct_feature_node{index: C.int(d + 1), value: 1}
		free[k+1].index = -1
		free = free[k+2:]
	}
	p.problem = C.struct_problem{l: C.int(n), n: C.int(d + 1), y: y, x: rows, bias: 1}
	return p
}

// Close frees the copy.
func (p *LinearData) Close() {
	C.free(unsafe.Pointer(p.nodes))
	C.free(unsafe.Pointer(p.problem.x))
	C.free(unsafe.Pointer(p.problem.y))
}

// Train returns the plane; its bias is the weight of the constant feature. LIBLINEAR's random
// numbers start anew, so equal settings give equal answers.
func (p *LinearData) Train(o LinearSettings) (*LinearFit, error) {
	param := C.struct_parameter{solver_type: C.int(o.Solver), C: C.double(o.C), p: C.double(o.Epsilon), eps: C.double(o.Tol)}
	labels, factors, free := classWeights(o.Positive, o.Negative)
	defer free()
	param.nr_weight, param.weight_label, param.weight = 2, (*C.int)(labels), (*C.double)(factors)
	C.listen_linear()
	problem := p.problem
	if message := C.check_parameter(&problem, &param); message != nil {
		return nil, errors.New("liblinear: " + C.GoString(message))
	}
	start := time.Now()
	model := C.train(&problem, &param)
	fit := &LinearFit{Time: time.Since(start), Passes: int(C.count_linear_passes()), Capped: C.was_linear_capped() != 0}
	defer C.free_and_destroy_model(&model)
	w := unsafe.Slice((*float64)(unsafe.Pointer(model.w)), p.dim+1)
	fit.Hyperplane = svmkit.Hyperplane{W: append([]float64(nil), w[:p.dim]...), B: w[p.dim]}
	if model.nr_class == 2 && model.label != nil && *model.label == -1 { // w points to the class that comes first
		fit.Hyperplane = fit.Scale(-1)
	}
	return fit, nil
}

// Linear trains with -B 1 on a set and returns the plane.
func Linear(set *svmkit.Dataset, o LinearSettings) (svmkit.Hyperplane, error) {
	p := NewLinear(set)
	defer p.Close()
	fit, err := p.Train(o)
	if err != nil {
		return svmkit.Hyperplane{}, err
	}
	return fit.Hyperplane, nil
}
