package svm

import (
	"fmt"
	"slices"

	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// libsvmKeys are the keys of LIBSVM's header with the number of values that we can use.
var libsvmKeys = map[string]int{"svm_type": 1, "kernel_type": 1, "degree": 1, "gamma": 1, "coef0": 1,
	"nr_class": 1, "total_sv": 1, "rho": 1, "label": 2, "probA": 1, "probB": 1, "nr_sv": 2, "prob_density_marks": 10}

// loadLIBSVM reads what svm-train wrote. Row numbers are not in the file, nor which vectors
// are free. A linear model gets its w if w is not much longer than what the file holds.
func loadLIBSVM(t *loadText) (*Model, error) {
	h, err := loadPeerHeader(t, libsvmKeys, "SV")
	if err != nil {
		return nil, err
	}
	m := &Model{}
	switch kind := h.words["svm_type"][0]; kind {
	case "c_svc", "nu_svc":
		if m.Classes, err = h.twoClasses(t); err != nil {
			return nil, err
		}
		if h.at["probA"] > 0 {
			m.Platt = &Platt{}
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
	if err := loadLIBSVMVectors(t, h, m); err != nil {
		return nil, err
	}
	if err := t.onlyBlankLines(); err != nil {
		return nil, err
	}
	m.sumWeights()
	return m, nil
}

func loadLIBSVMVectors(t *loadText, h *peerHeader, m *Model) error {
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
func (m *Model) sumWeights() {
	const often, always = 64, 1 << 20
	if !core.Linear(m.Kernel) {
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
