//go:build peers

package peers

/*
#include <stdlib.h>
#include <libsvm/svm.h>
#include <linear.h>

static void svm_rows(const struct svm_model *m, const int *from, const int *index, const double *value,
	int rows, int k, double *out)
{
	for (int i = 0; i < rows; i++) {
		int n = from[i + 1] - from[i];
		struct svm_node *x = malloc((n + 1) * sizeof *x);
		for (int j = 0; j < n; j++) x[j].index = index[from[i] + j], x[j].value = value[from[i] + j];
		x[n].index = -1;
		svm_predict_values(m, x, out + i * k);
		free(x);
	}
}
static void linear_rows(const struct model *m, const int *from, const int *index, const double *value,
	int rows, int k, double *out)
{
	for (int i = 0; i < rows; i++) {
		int n = 0;
		struct feature_node *x = malloc((from[i + 1] - from[i] + 2) * sizeof *x);
		for (int j = from[i]; j < from[i + 1]; j++)
			if (index[j] <= m->nr_feature) x[n].index = index[j], x[n++].value = value[j];
		if (m->bias >= 0) x[n].index = m->nr_feature + 1, x[n++].value = m->bias;
		x[n].index = -1;
		predict_values(m, x, out + i * k);
		free(x);
	}
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// A Loaded is a model that LIBSVM or LIBLINEAR has read from a file.
type Loaded struct {
	Labels []int // in the order of the file; nil for a regression and for one class

	kernel *C.struct_svm_model
	linear *C.struct_model
	values int // decision values of a row
}

// Pair is a column and its value, with the column counted as in the file that the model was trained on.
type Pair struct {
	Index int
	Value float64
}

// LoadKernel reads a model by LIBSVM's own reader. The caller closes the result.
func LoadKernel(name string) (*Loaded, error) {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	m := C.svm_load_model(c)
	if m == nil {
		return nil, fmt.Errorf("libsvm cannot read %s", name)
	}
	l := &Loaded{kernel: m, values: 1}
	if n := int(C.svm_get_nr_class(m)); m.label != nil {
		l.values = n * (n - 1) / 2
		l.labels(n, func(at *C.int) { C.svm_get_labels(m, at) })
	}
	return l, nil
}

// LoadLinear reads a model by LIBLINEAR's own reader. The caller closes the result.
func LoadLinear(name string) (*Loaded, error) {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	m := C.load_model(c)
	if m == nil {
		return nil, fmt.Errorf("liblinear cannot read %s", name)
	}
	l := &Loaded{linear: m, values: 1}
	if n := int(C.get_nr_class(m)); m.label != nil {
		if n > 2 || m.param.solver_type == C.MCSVM_CS {
			l.values = n
		}
		l.labels(n, func(at *C.int) { C.get_labels(m, at) })
	}
	return l, nil
}

// labels takes n labels from a C function.
func (l *Loaded) labels(n int, read func(*C.int)) {
	labels := make([]C.int, n)
	read(&labels[0])
	for _, y := range labels {
		l.Labels = append(l.Labels, int(y))
	}
}

// Close frees the model.
func (l *Loaded) Close() {
	if l.kernel != nil {
		C.svm_free_and_destroy_model(&l.kernel)
	} else {
		C.free_and_destroy_model(&l.linear)
	}
}

// Values returns the decision values of each row, as svm_predict_values or predict_values give them:
// one for a regression, for one class and for two classes, else one for each pair of labels or for
// each label.
func (l *Loaded) Values(rows [][]Pair) [][]float64 {
	from, index, value := []C.int{0}, []C.int{0}, []C.double{0} // one too many, so that there is a first
	index, value = index[:0], value[:0]
	for _, row := range rows {
		for _, p := range row {
			index, value = append(index, C.int(p.Index)), append(value, C.double(p.Value))
		}
		from = append(from, C.int(len(index)))
	}
	out := make([]float64, len(rows)*l.values+1)
	at := (*C.double)(unsafe.Pointer(&out[0]))
	indices, numbers := &index[:1][0], &value[:1][0]
	if l.kernel != nil {
		C.svm_rows(l.kernel, &from[0], indices, numbers, C.int(len(rows)), C.int(l.values), at)
	} else {
		C.linear_rows(l.linear, &from[0], indices, numbers, C.int(len(rows)), C.int(l.values), at)
	}
	values := make([][]float64, len(rows))
	for i := range values {
		values[i] = out[i*l.values : (i+1)*l.values]
	}
	return values
}
