package modelfile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The model files of LIBLINEAR (linear.cpp, save_model). A file for two classes has one column of
// weights. Its score is positive for the first label of the file. A file for more classes, and one
// of Crammer and Singer, has one column per label. Then order.go sorts the classes.
//
// The bias B ≥ 0 of the file is the value of one more feature that is constant, so our b is B times
// the last weight. B = 1 is our PenalizedBias. A model with a FreeBias has the same file, because
// the two differ only in training.

// SaveLIBLINEAR writes a linear model in LIBLINEAR's format, for liblinear-predict.
//
// The model is a [*svm.Model], a [*multiclass.Linear], or a [*multiclass.RestClassifier] of three
// or more classes whose scorers are a [*svm.Model] each. Class names must be integers. Without
// names the labels of two classes are 1 and −1. If the bias of all models is zero, the file has no
// bias.
//
// trained is the loss used in training; default hinge. It determines the solver type in the file,
// which only decides whether liblinear-predict gives probabilities.
//
// A model that the format cannot hold is a [*svmkit.ParamError].
func SaveLIBLINEAR(w io.Writer, m svmkit.Model, trained loss.Convex) error {
	c, err := modelsOf(w, m)
	if err != nil {
		return err
	}
	c = c.inFileOrder()
	switch {
	case c.pairwise():
		return unsavable(fmt.Sprintf("%T", m), "must be one-vs-rest or of Crammer and Singer for LIBLINEAR, whose models for several classes are")
	case c.strategy == oneVsRest && len(c.models) == 2:
		return unsavable(fmt.Sprintf("%T", m), "must be a single model for two classes: save that of class 1")
	}
	biased := false
	for _, m := range c.models {
		if m.OneClass {
			return unsavable("one-class", "must be of classification or regression for LIBLINEAR")
		}
		if m.Weights == nil {
			return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", m.Kernel), Need: "must be linear for LIBLINEAR"}
		}
		biased = biased || m.Bias != 0
	}
	labels, err := integerClasses(c.names)
	if err != nil {
		return err
	}
	if len(c.models) == 1 {
		slices.Reverse(labels)
	}
	solver, err := liblinearSolver(c, trained)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "solver_type %s\nnr_class %d\n", solver, len(labels))
	if !c.models[0].Regression {
		fmt.Fprintf(out, "label %s\n", strings.Join(labels, " "))
	}
	bias := -1
	if biased {
		bias = 1
	}
	fmt.Fprintf(out, "nr_feature %d\nbias %d\nw\n", c.models[0].Dim, bias)
	for j := range c.models[0].Weights {
		for _, m := range c.models {
			out.WriteString(formatExact(m.Weights[j]) + " ")
		}
		out.WriteString("\n")
	}
	if biased {
		for _, m := range c.models {
			out.WriteString(formatExact(m.Bias) + " ")
		}
		out.WriteString("\n")
	}
	return out.Flush()
}

// liblinearSolver returns the solver type of models that were trained with a loss.
func liblinearSolver(c *classifier, trained loss.Convex) (name string, err error) {
	if trained == nil {
		trained = loss.Hinge{}
	}
	regression := false
	switch trained.(type) {
	case loss.Hinge:
		name = "L2R_L1LOSS_SVC_DUAL"
		if c.strategy == crammerSinger {
			return "MCSVM_CS", nil
		}
	case loss.SquaredHinge:
		name = "L2R_L2LOSS_SVC_DUAL"
	case loss.Logistic:
		name = "L2R_LR"
	case loss.EpsInsensitive:
		name, regression = "L2R_L1LOSS_SVR_DUAL", true
	case loss.SquaredEpsInsensitive:
		name, regression = "L2R_L2LOSS_SVR_DUAL", true
	}
	if name == "" || regression != c.models[0].Regression || c.strategy == crammerSinger {
		return "", &svmkit.ParamError{Name: "Loss", Value: fmt.Sprintf("%T", trained), Need: "must be the one that the model was trained with"}
	}
	return name, nil
}

var liblinearKeys = map[string]int{"solver_type": 1, "nr_class": 1, "label": anyNumber, "nr_feature": 1, "bias": 1, "rho": 1}

// liblinearOld has the names of solver types in LIBLINEAR 1.3, and the names of today.
var liblinearOld = map[string]string{"L2_LR": "L2R_LR", "L2LOSS_SVM_DUAL": "L2R_L2LOSS_SVC_DUAL", "L2LOSS_SVM": "L2R_L2LOSS_SVC",
	"L1LOSS_SVM_DUAL": "L2R_L1LOSS_SVC_DUAL"}

// liblinearSolvers describes the model of each solver type.
var liblinearSolvers = map[string]struct{ regression, logistic, crammerSinger bool }{
	"L2R_LR": {logistic: true}, "L2R_LR_DUAL": {logistic: true}, "L1R_LR": {logistic: true},
	"L2R_L2LOSS_SVC_DUAL": {}, "L2R_L2LOSS_SVC": {}, "L2R_L1LOSS_SVC_DUAL": {}, "L1R_L2LOSS_SVC": {}, "MCSVM_CS": {crammerSinger: true},
	"L2R_L2LOSS_SVR": {regression: true}, "L2R_L2LOSS_SVR_DUAL": {regression: true}, "L2R_L1LOSS_SVR_DUAL": {regression: true},
}

// readLIBLINEAR reads a file of liblinear-train. Logistic regression has probabilities without
// calibration: its Platt is (−1, 0).
func readLIBLINEAR(t *text) (svmkit.Model, error) {
	h, err := readPeerHeader(t, liblinearKeys, "w")
	if err != nil {
		return nil, err
	}
	solver, known := liblinearSolvers[h.words["solver_type"][0]]
	if !known {
		name := h.words["solver_type"][0]
		what := fmt.Sprintf("%q is no solver_type of LIBLINEAR 2.50", name)
		switch now, old := liblinearOld[name]; {
		case old:
			what = fmt.Sprintf("%s is a name of LIBLINEAR 1.3, and today's is %s: change the word in the file", name, now)
		case name == "ONECLASS_SVM":
			what = "of LIBLINEAR's models the one-class ones are not"
		}
		return nil, h.fail(t, "solver_type", fmt.Errorf("%w, %s", ErrUnsupported, what))
	}
	c := &classifier{strategy: oneVsRest}
	if !solver.regression {
		if c.names, err = h.classes(t); err != nil {
			return nil, err
		}
	}
	columns := len(c.names)
	switch {
	case solver.crammerSinger:
		if c.strategy = crammerSinger; columns == 2 {
			c.order = []int{1, 0} // liblinear-predict predicts the first label only if its score is above 0
		}
	case columns <= 2:
		columns = 1
	}
	dim, err := h.count(t, "nr_feature")
	if err != nil {
		return nil, err
	}
	if dim == 0 {
		return nil, h.fail(t, "nr_feature", fmt.Errorf("%w, a model without features", ErrUnsupported))
	}
	constant, err := h.number(t, "bias")
	if err != nil {
		return nil, err
	}
	weights, err := t.table(dim, columns)
	if err != nil {
		return nil, err
	}
	bias := make([][]float64, columns)
	if constant >= 0 {
		if bias, err = t.table(1, columns); err != nil {
			return nil, err
		}
	}
	for k, w := range weights {
		m := &svm.Model{Weights: w, Dim: dim, Regression: solver.regression}
		if constant >= 0 {
			if m.Bias = constant * bias[k][0]; m.Bias-m.Bias != 0 {
				return nil, t.errorAt(0, "", svmkit.ErrNotFinite)
			}
		}
		if solver.logistic {
			m.Platt = &svm.Platt{A: -1}
		}
		switch {
		case columns > 1:
			m.Classes = c.namesOf(allOthers, k)
		case c.names != nil:
			m.Classes, m.Zero = []string{c.names[1], c.names[0]}, -1 // liblinear-predict predicts the first label only above 0
		}
		c.models = append(c.models, m)
	}
	if columns == 1 {
		return withSortedClasses(c.models[0])
	}
	return withSortedClasses(c.model())
}
