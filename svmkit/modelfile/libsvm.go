package modelfile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// The model files of LIBSVM (svm.cpp, svm_save_model). Its decision value is Σ coefₖKₖ − ρ, and
// positive for the *first* label of the file. So ρ = −b, and the first label is our class +1.
// This file is the only place that knows of ρ.

// SaveLIBSVM writes a model in LIBSVM's format, for svm-predict: as C-SVC or, for a
// regression, as ε-SVR. The class names must be integers, as in LIBSVM's files; without
// names the labels are 1 and −1. The kernel must be linear, polynomial, RBF or sigmoid. A linear
// model without support vectors is written with w as its only one.
//
// What cannot be expressed is a [*svmkit.ParamError].
func SaveLIBSVM(w io.Writer, m *svm.Model) error {
	if w == nil {
		return noWriter()
	}
	if err := validate(m); err != nil {
		return err
	}
	labels, err := integerClasses(m.Classes)
	if err != nil {
		return err
	}
	name, parameters, err := savedKernel(m.Kernel)
	if err != nil {
		return err
	}
	if !libsvmKernels[name] {
		return &svmkit.ParamError{Name: "Kernel", Value: name, Need: "must be one of LIBSVM's: linear, polynomial, rbf, sigmoid"}
	}
	rows, coef := m.SV, m.Coef
	if len(rows) == 0 && m.Weights != nil {
		rows, coef = []svmkit.Row{svmkit.Dense(m.Weights...)}, []float64{1}
	}
	var positive, negative []int // LIBSVM keeps the vectors class by class, the first label's first
	for k, c := range coef {
		if c > 0 || m.Regression {
			positive = append(positive, k)
		} else {
			negative = append(negative, k)
		}
	}
	out := bufio.NewWriter(w)
	if m.Regression {
		out.WriteString("svm_type epsilon_svr\n")
	} else {
		out.WriteString("svm_type c_svc\n")
	}
	out.WriteString("kernel_type " + name + "\n")
	for _, key := range savedKernels[name].keys {
		out.WriteString(key + " " + parameters.text(key) + "\n")
	}
	fmt.Fprintf(out, "nr_class 2\ntotal_sv %d\nrho %s\n", len(rows), formatExact(0-m.Bias))
	if !m.Regression {
		fmt.Fprintf(out, "label %s %s\n", labels[1], labels[0])
		if m.Platt != nil {
			fmt.Fprintf(out, "probA %s\nprobB %s\n", formatExact(m.Platt.A), formatExact(m.Platt.B))
		}
		fmt.Fprintf(out, "nr_sv %d %d\n", len(positive), len(negative))
	}
	out.WriteString("SV\n")
	for _, k := range append(positive, negative...) {
		saveLIBSVMRow(out, coef[k], rows[k])
	}
	return out.Flush()
}

// saveLIBSVMRow writes one line with indices from 1, without zeros.
func saveLIBSVMRow(out *bufio.Writer, coef float64, x svmkit.Row) {
	out.WriteString(formatExact(coef))
	for k, v := range x.Value {
		if v == 0 {
			continue
		}
		j := k
		if x.Index != nil {
			j = int(x.Index[k])
		}
		out.WriteString(" " + strconv.Itoa(j+1) + ":" + formatExact(v))
	}
	out.WriteString(" \n") // LIBSVM's own lines end in a blank
}

// libsvmKeys are the keys of LIBSVM's header with the number of values that we can use.
var libsvmKeys = map[string]int{"svm_type": 1, "kernel_type": 1, "degree": 1, "gamma": 1, "coef0": 1,
	"nr_class": 1, "total_sv": 1, "rho": 1, "label": 2, "probA": 1, "probB": 1, "nr_sv": 2, "prob_density_marks": 10}

// readLIBSVM reads what svm-train wrote. Row numbers are not in the file, nor which vectors
// are free. A linear model gets its w if w is not much longer than what the file holds.
func readLIBSVM(t *text) (*svm.Model, error) {
	h, err := readPeerHeader(t, libsvmKeys, "SV")
	if err != nil {
		return nil, err
	}
	m := &svm.Model{Open: true}
	switch kind := h.words["svm_type"][0]; kind {
	case "c_svc", "nu_svc":
		if m.Classes, err = h.twoClasses(t); err != nil {
			return nil, err
		}
		if h.at["probA"] > 0 {
			m.Platt = &svm.Platt{}
			if m.Platt.A, err = h.number(t, "probA"); err != nil {
				return nil, err
			}
			if m.Platt.B, err = h.number(t, "probB"); err != nil {
				return nil, err
			}
		}
	case "epsilon_svr", "nu_svr":
		m.Regression = true // probA is the scale of its noise, which we have no use for
	default:
		return nil, h.fail(t, "svm_type", fmt.Errorf("%w: classification and regression only", ErrUnsupported))
	}
	if m.Kernel, err = h.kernel(t); err != nil {
		return nil, err
	}
	rho, err := h.number(t, "rho")
	if err != nil {
		return nil, err
	}
	m.Bias = 0 - rho // not −rho, which would make −0 of 0
	if err := readLIBSVMVectors(t, h, m); err != nil {
		return nil, err
	}
	sumWeights(m)
	return m, nil
}

func readLIBSVMVectors(t *text, h *peerHeader, m *svm.Model) error {
	n, err := h.count(t, "total_sv")
	if err != nil {
		return err
	}
	if !m.Regression {
		sum := 0
		for _, word := range h.words["nr_sv"] {
			k, _ := parseCount(word)
			sum += k
		}
		if sum != n {
			return h.fail(t, "nr_sv", fmt.Errorf("%w: nr_sv does not add up to total_sv", ErrMalformed))
		}
	}
	m.Dim = 1 // the file does not say; unseen columns do not matter to any score
	for len(m.SV) < n {
		if err := t.nextLine(); err != nil {
			return err
		}
		coef, err := t.number()
		if err != nil {
			return err
		}
		x, err := t.row(0)
		if err != nil {
			return err
		}
		if k := len(x.Index); k > 0 {
			m.Dim = max(m.Dim, int(x.Index[k-1])+1)
		}
		m.SV, m.Coef = append(m.SV, x), append(m.Coef, coef)
	}
	return nil
}

// sumWeights sets w = Σ βᵢxᵢ of a linear model. A row with one column of number 2³¹ is short;
// its w would not be, so then the model keeps the form of a kernel.
func sumWeights(m *svm.Model) {
	const often, always = 64, 1 << 20
	if !linear(m.Kernel) {
		return
	}
	nnz := 0
	for _, x := range m.SV {
		nnz += len(x.Value)
	}
	if m.Dim > always && m.Dim/often > nnz {
		return
	}
	w := make([]float64, m.Dim)
	for k, x := range m.SV {
		x.AddTo(w, m.Coef[k])
	}
	if slices.ContainsFunc(w, func(v float64) bool { return v-v != 0 }) { // an overflow
		return
	}
	m.Kernel, m.Weights = nil, w
}
