package modelfile

import (
	"bufio"
	"fmt"
	"io"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The model files of LIBLINEAR (linear.cpp, save_model). As in LIBSVM, a positive score is the
// *first* label of the file. Its bias B ≥ 0 is the value of one more feature that is constant:
// our b is B times the last weight. With B = 1 that is our PenalizedBias; a free bias
// has the same file, for only training tells them apart.

// SaveLIBLINEAR writes a linear model in LIBLINEAR's format, for liblinear-predict. The loss
// that the model was trained with, nil for the hinge, names the solver type; it decides
// whether liblinear-predict gives probabilities, nothing else. A bias of zero is written as
// no bias. Class names must be integers; without names the labels are 1 and −1.
//
// What cannot be expressed is a [*svmkit.ParamError].
func SaveLIBLINEAR(w io.Writer, m *svm.Model, trained loss.Convex) error {
	if w == nil {
		return noWriter()
	}
	if err := validate(m); err != nil {
		return err
	}
	if m.Weights == nil {
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", m.Kernel), Need: "must be linear for LIBLINEAR"}
	}
	labels, err := integerClasses(m.Classes)
	if err != nil {
		return err
	}
	if trained == nil {
		trained = loss.Hinge{}
	}
	solver := ""
	regression := false
	switch trained.(type) {
	case loss.Hinge:
		solver = "L2R_L1LOSS_SVC_DUAL"
	case loss.SquaredHinge:
		solver = "L2R_L2LOSS_SVC_DUAL"
	case loss.Logistic:
		solver = "L2R_LR"
	case loss.EpsInsensitive:
		solver, regression = "L2R_L1LOSS_SVR_DUAL", true
	case loss.SquaredEpsInsensitive:
		solver, regression = "L2R_L2LOSS_SVR_DUAL", true
	}
	if solver == "" || regression != m.Regression {
		return &svmkit.ParamError{Name: "Loss", Value: fmt.Sprintf("%T", trained), Need: "must be the one that the model was trained with"}
	}
	out := bufio.NewWriter(w)
	out.WriteString("solver_type " + solver + "\nnr_class 2\n")
	if !m.Regression {
		fmt.Fprintf(out, "label %s %s\n", labels[1], labels[0])
	}
	bias := -1
	if m.Bias != 0 {
		bias = 1
	}
	fmt.Fprintf(out, "nr_feature %d\nbias %d\nw\n", len(m.Weights), bias)
	for _, v := range m.Weights {
		out.WriteString(formatExact(v) + " \n")
	}
	if m.Bias != 0 {
		out.WriteString(formatExact(m.Bias) + " \n")
	}
	return out.Flush()
}

var liblinearKeys = map[string]int{"solver_type": 1, "nr_class": 1, "label": 2, "nr_feature": 1, "bias": 1, "rho": 1}

// liblinearSolvers says what a solver type's model is.
var liblinearSolvers = map[string]struct{ regression, logistic bool }{
	"L2R_LR": {logistic: true}, "L2R_LR_DUAL": {logistic: true}, "L1R_LR": {logistic: true},
	"L2R_L2LOSS_SVC_DUAL": {}, "L2R_L2LOSS_SVC": {}, "L2R_L1LOSS_SVC_DUAL": {}, "L1R_L2LOSS_SVC": {},
	"L2R_L2LOSS_SVR": {regression: true}, "L2R_L2LOSS_SVR_DUAL": {regression: true}, "L2R_L1LOSS_SVR_DUAL": {regression: true},
}

// readLIBLINEAR reads what liblinear-train wrote. Logistic regression has probabilities
// without calibration: its Platt is (−1, 0).
func readLIBLINEAR(t *text) (*svm.Model, error) {
	h, err := readPeerHeader(t, liblinearKeys, "w")
	if err != nil {
		return nil, err
	}
	solver, known := liblinearSolvers[h.words["solver_type"][0]]
	if !known {
		return nil, h.fail(t, "solver_type", fmt.Errorf("%w: Crammer-Singer and one-class models are not", ErrUnsupported))
	}
	m := &svm.Model{Regression: solver.regression}
	if !m.Regression {
		if m.Classes, err = h.twoClasses(t); err != nil {
			return nil, err
		}
	}
	if solver.logistic {
		m.Platt = &svm.Platt{A: -1}
	}
	if m.Dim, err = h.count(t, "nr_feature"); err != nil {
		return nil, err
	}
	if m.Dim == 0 {
		return nil, h.fail(t, "nr_feature", fmt.Errorf("%w: a model without features", ErrUnsupported))
	}
	constant, err := h.number(t, "bias")
	if err != nil {
		return nil, err
	}
	if m.Weights, err = t.column(m.Dim); err != nil {
		return nil, err
	}
	if constant >= 0 {
		b, err := t.column(1)
		if err != nil {
			return nil, err
		}
		if m.Bias = constant * b[0]; m.Bias-m.Bias != 0 {
			return nil, t.errorAt(0, "", svmkit.ErrNotFinite)
		}
	}
	return m, nil
}
