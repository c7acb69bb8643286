//go:build peers

package peers

/*
#cgo LDFLAGS: -llinear
#include <stdlib.h>
#include <linear.h>

static void silent_linear(const char *s) { (void)s; }
static void quiet_linear(void) { set_print_string_function(silent_linear); }
*/
import "C"

import (
	"errors"
	"unsafe"

	"github.com/svmkit/course/svmkit"
)

// LinearSettings are the options of LIBLINEAR's train with the same letters.
type LinearSettings struct {
	Solver  int     // -s
	C       float64 // -c
	Epsilon float64 // -p, the half-width of the tube
	Tol     float64 // -e, in the unit of the solver
}

// Linear trains with -B 1 and returns the plane; the bias is the weight of the constant feature.
func Linear(set *svmkit.Dataset, o LinearSettings) (svmkit.Hyperplane, error) {
	n, d := set.Len(), set.Dim
	y := (*C.double)(C.calloc(C.size_t(n), C.sizeof_double))
	defer C.free(unsafe.Pointer(y))
	copy(unsafe.Slice((*float64)(unsafe.Pointer(y)), n), set.Y)

	rows := (**C.struct_feature_node)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(uintptr(0)))))
	defer C.free(unsafe.Pointer(rows))
	total := set.NNZ() + 2*n // the constant feature and the end mark of each row
	nodes := (*C.struct_feature_node)(C.calloc(C.size_t(total), C.sizeof_struct_feature_node))
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
				free[k] = C.struct_feature_node{index: C.int(j + 1), value: C.double(v)}
				k++
			}
		}
		free[k] = C.struct_feature_node{index: C.int(d + 1), value: 1}
		free[k+1].index = -1
		free = free[k+2:]
	}
	problem := C.struct_problem{l: C.int(n), n: C.int(d + 1), y: y, x: rows, bias: 1}
	param := C.struct_parameter{solver_type: C.int(o.Solver), C: C.double(o.C), p: C.double(o.Epsilon), eps: C.double(o.Tol)}
	C.quiet_linear()
	if message := C.check_parameter(&problem, &param); message != nil {
		return svmkit.Hyperplane{}, errors.New("liblinear: " + C.GoString(message))
	}
	model := C.train(&problem, &param)
	defer C.free_and_destroy_model(&model)
	w := unsafe.Slice((*float64)(unsafe.Pointer(model.w)), d+1)
	h := svmkit.Hyperplane{W: append([]float64(nil), w[:d]...), B: w[d]}
	if model.nr_class == 2 && model.label != nil && *model.label == -1 { // w points to the class that comes first
		h = h.Scale(-1)
	}
	return h, nil
}
