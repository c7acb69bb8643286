// Package scikitlearn reads models of scikit-learn from the files of save_for_go.py.
//
// The file is one object of JSON, with "format" first:
//
//	"format": "svmkit scikit-learn 1"
//	"version": "1.2.1"                of scikit-learn, for people; may be missing
//	"kind": "SVC"                     the name of the type
//	"features": ["x0", "x1"]          d different names
//	"mean", "scale": [1.5, 0.2]       d numbers of the StandardScaler; each missing without with_mean
//	                                  and with_std
//	"classes": ["ham", "spam"]        the K classes_ as text; missing for regressions and OneClassSVM
//	"intercept": [0.1]                1 number, K for LinearSVC with K > 2, K(K−1)/2 for SVC
//	"coef": [[0.5, -2]]               for a linear model: d numbers for each intercept
//	"kernel": "rbf"                   with any other: rbf, poly or sigmoid, and
//	"gamma", "coef0", "degree": 0.5   its numbers, gamma > 0, degree ≥ 1
//	"support_vectors": [[1, 2], …]    n rows of d numbers
//	"dual_coef": [[1, -1, …]]         K − 1 rows, or 1, of n numbers
//	"n_support": [1, 1]               how many of them are of each class; for K > 2
//	"probA", "probB": [-1.2]          of SVC(probability=True), one for each intercept; else missing
//
// Numbers are finite. Any other key, a key that occurs twice and null are errors, with line and
// column.
package scikitlearn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/internal/strictjson"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile/internal/cause"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Object is the file of a trained model of scikit-learn. Its fields have the names of scikit-learn's
// attributes.
type Object struct {
	version, kind, kernel   string
	features, classes       []string
	mean, scale             []float64 // of a StandardScaler; nil: none
	gamma, coef0            float64
	degree                  int
	vectors, dualCoef       [][]float64 // one row a support vector; one column a support vector
	support                 []int       // support vectors a class
	coef                    [][]float64 // instead of support vectors: w
	intercept, probA, probB []float64
}

// Keys says where the value of each key of the file belongs.
func (s *Object) Keys() map[string]any {
	return map[string]any{"version": &s.version, "kind": &s.kind, "kernel": &s.kernel,
		"features": &s.features, "classes": &s.classes, "mean": &s.mean, "scale": &s.scale,
		"gamma": &s.gamma, "coef0": &s.coef0, "degree": &s.degree,
		"support_vectors": &s.vectors, "dual_coef": &s.dualCoef, "n_support": &s.support,
		"coef": &s.coef, "intercept": &s.intercept, "probA": &s.probA, "probB": &s.probB}
}

// ofKey says which key an error is about.
func ofKey(key string, err error) error { return &strictjson.KeyError{Key: key, Err: err} }

func wrongKey(key, format string, args ...any) error {
	return ofKey(key, fmt.Errorf("%w: %s", cause.ErrMalformed, fmt.Sprintf(format, args...)))
}

// Model returns the model of what has been read.
func (s *Object) Model() (svmkit.Model, error) {
	e, err := pipeline.NumbersEncoder(s.features)
	if err != nil {
		return nil, ofKey("features", fmt.Errorf("%w: %w", cause.ErrMalformed, err))
	}
	scaling, err := s.scaling()
	if err != nil {
		return nil, err
	}
	classifier, linear := false, false
	switch s.kind {
	case "SVC", "NuSVC":
		classifier = true
	case "LinearSVC":
		classifier, linear = true, true
	case "LinearSVR":
		linear = true
	case "SVR", "NuSVR", "OneClassSVM":
	default:
		return nil, ofKey("kind", fmt.Errorf("%w: %q is none of SVC, NuSVC, LinearSVC, SVR, NuSVR, LinearSVR, OneClassSVM", cause.ErrUnsupported, s.kind))
	}
	scores, labels := 1, 2 // a regression has the form of a model of two classes
	if classifier {
		sorted := slices.Sorted(slices.Values(s.classes))
		if labels = len(slices.Compact(sorted)); labels < max(2, len(s.classes)) || sorted[0] == "" {
			return nil, wrongKey("classes", "must be two or more different names that are not empty")
		}
		if labels > 2 && linear {
			scores = labels
		} else if labels > 2 {
			scores = labels * (labels - 1) / 2
		}
	} else if s.classes != nil {
		return nil, wrongKey("classes", "a %s has none", s.kind)
	}
	if len(s.intercept) != scores {
		return nil, wrongKey("intercept", "must be %d numbers, not %d", scores, len(s.intercept))
	}
	if len(s.probA) != len(s.probB) || s.probA != nil && (len(s.probA) != scores || !classifier || linear) {
		return nil, wrongKey("probA", "must be a number for each of the intercepts of an SVC, as probB")
	}
	k, err := s.kernelOf(linear)
	if err != nil {
		return nil, err
	}
	if err := s.sizes(scores, labels); err != nil {
		return nil, err
	}

	classes := multiclass.Classes{Count: labels, Names: s.classes, Signed: labels == 2}
	columns := svmkit.Columns{Dim: len(s.features), Features: s.features}
	var m svmkit.Model
	switch {
	case labels == 2:
		one := s.one(k, 0, 1, 0, 1)
		switch {
		case one.OneClass || classifier && linear: // predict tests the score for being above 0
			one.Zero = -1
		case classifier: // LIBSVM, whose first class has the scores below 0 here
			one.Zero = 1
		}
		m = one
	case linear: // the largest score wins, of one-vs-rest and of multi_class="crammer_singer"
		m = &multiclass.Linear{Classes: classes, W: s.coef, B: s.intercept, Trained: columns}
	default:
		pairs := &multiclass.PairClassifier{Classes: classes, FirstWins: true}
		for i := range labels {
			for j := i + 1; j < labels; j++ {
				// A positive score of scikit-learn is the lower class of a pair, and ours the higher.
				pairs.Models = append(pairs.Models, multiclass.PairModel{Negative: i, Positive: j, Scorer: s.one(k, i, j, len(pairs.Models), -1)})
			}
		}
		m = pairs
	}
	return pipeline.NewModel(e, tune.NewScaled(scaling, m)), nil
}

// scaling returns the StandardScaler, nil if there is none.
func (s *Object) scaling() (*feature.Scaling, error) {
	if s.mean == nil && s.scale == nil {
		return nil, nil
	}
	d := len(s.features)
	t := &feature.Scaling{Kind: feature.Standardize, Dim: d, Shift: s.mean, Scale: s.scale, Features: s.features}
	switch {
	case s.mean == nil:
		t.Kind = feature.UnitVariance
	case s.scale == nil:
		t.Kind = feature.Center
	}
	if s.mean != nil && len(s.mean) != d {
		return nil, wrongKey("mean", "must be %d numbers, one a feature, not %d", d, len(s.mean))
	}
	if s.scale != nil && len(s.scale) != d || slices.ContainsFunc(s.scale, func(v float64) bool { return v <= 0 }) {
		return nil, wrongKey("scale", "must be %d positive numbers, one a feature", d)
	}
	return t, nil
}

// kernelOf returns the kernel, nil for a linear one.
func (s *Object) kernelOf(linear bool) (k kernel.Kernel, err error) {
	if s.kernel == "" {
		return nil, nil
	}
	kind, _ := kernel.KindNamed(s.kernel)
	switch {
	case linear || !slices.Contains([]string{"poly", "rbf", "sigmoid"}, kind.Name):
		return nil, ofKey("kernel", fmt.Errorf("%w: %q is not a kernel that a %s can have here", cause.ErrUnsupported, s.kernel, s.kind))
	case kind.Has("degree") && s.degree < 1:
		return nil, wrongKey("degree", "must be at least 1")
	case s.gamma <= 0:
		return nil, wrongKey("gamma", "must be positive")
	}
	k = kind.Kernel(kernel.Parameters{Degree: s.degree, Gamma: s.gamma, Coef0: s.coef0})
	if err := kernel.Validate(k); err != nil {
		return nil, ofKey("kernel", fmt.Errorf("%w: %w", cause.ErrMalformed, err))
	}
	return k, nil
}

// sizes checks the lengths of the planes of a linear model, or of the support vectors of the others.
func (s *Object) sizes(scores, labels int) error {
	check := func(key string, table [][]float64, rows, columns int) error {
		if len(table) != rows {
			return wrongKey(key, "must have %d rows, not %d", rows, len(table))
		}
		for i, row := range table {
			if len(row) != columns {
				return wrongKey(key, "row %d must have %d numbers, not %d", i, columns, len(row))
			}
		}
		return nil
	}
	d, n := len(s.features), len(s.vectors)
	if s.kernel == "" {
		if s.vectors != nil || s.dualCoef != nil || s.support != nil {
			return wrongKey("support_vectors", "without a kernel there is coef instead")
		}
		return check("coef", s.coef, scores, d)
	}
	if s.coef != nil {
		return wrongKey("coef", "with a kernel there are support vectors instead")
	}
	if err := check("support_vectors", s.vectors, n, d); err != nil {
		return err
	}
	if err := check("dual_coef", s.dualCoef, labels-1, n); err != nil {
		return err
	}
	if labels == 2 {
		return nil // all support vectors are of the one model
	}
	sum := 0
	for _, k := range s.support {
		if k < 0 || k > n-sum {
			return wrongKey("n_support", "must add up to the number of support vectors, %d", n)
		}
		sum += k
	}
	if len(s.support) != labels || sum != n {
		return wrongKey("n_support", "must be %d numbers that add up to the number of support vectors, %d", labels, n)
	}
	return nil
}

// one returns the model number p, of the classes i < j, with the scores of scikit-learn times sign.
func (s *Object) one(k kernel.Kernel, i, j, p int, sign float64) *svm.Model {
	m := &svm.Model{Kernel: k, Bias: 0 + sign*s.intercept[p], Dim: len(s.features), Features: s.features,
		Regression: strings.HasSuffix(s.kind, "SVR"), OneClass: s.kind == "OneClassSVM"}
	if s.classes != nil {
		m.Classes = []string{s.classes[i], s.classes[j]}
	}
	if s.probA != nil { // of class i: 1/(1 + exp(A·(−f) + B)) with our f
		m.Platt = &svm.Platt{A: s.probA[p], B: 0 - s.probB[p]}
	}
	if k == nil {
		m.Weights = slices.Clone(s.coef[p])
		for c := range m.Weights {
			m.Weights[c] *= sign
		}
		return m
	}
	add := func(from, to int, coef []float64) {
		for v := from; v < to; v++ {
			if coef[v] != 0 {
				m.SV, m.Coef = append(m.SV, svmkit.Dense(s.vectors[v]...)), append(m.Coef, sign*coef[v])
			}
		}
	}
	if len(s.classes) <= 2 {
		add(0, len(s.vectors), s.dualCoef[0])
		return m
	}
	// Support vectors stand class by class; each has a coefficient for each other class.
	start := make([]int, len(s.support)+1)
	for c, n := range s.support {
		start[c+1] = start[c] + n
	}
	add(start[i], start[i+1], s.dualCoef[j-1])
	add(start[j], start[j+1], s.dualCoef[i])
	return m
}
