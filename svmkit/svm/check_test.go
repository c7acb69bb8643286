package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Check without data returns the error that Fit returns with data, for parameters of the problem
// and of the solver, and nil if Fit returns a result. TestEveryCombination asks about every solver
// and every kind of problem.
func TestCheckIsTheErrorOfFit(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, -1}, 1), Y: []float64{1, -1}, Dim: 1}
	sigmoid := kernel.Sigmoid{Gamma: 1}
	for name, c := range map[string]struct {
		p     svm.Problem
		s     svm.Solver
		param string // of the error; "" for none
	}{
		"the defaults":           {svm.Problem{}, nil, ""},
		"a hard margin":          {svm.Problem{C: svm.Cost{C: math.Inf(1)}}, nil, ""},
		"an indefinite kernel":   {svm.Problem{Kernel: sigmoid}, nil, ""},
		"logistic, chosen":       {svm.Problem{Loss: loss.Logistic{}}, nil, ""},
		"logistic, a kernel":     {svm.Problem{Loss: loss.Logistic{}, Kernel: sigmoid}, nil, "Loss"},
		"a pointer to a loss":    {svm.Problem{Loss: &loss.Hinge{}}, nil, "Loss"},
		"C is negative":          {svm.Problem{C: svm.Cost{C: -1}}, nil, "C"},
		"squares, a hard margin": {svm.Problem{Loss: loss.SquaredHinge{}, C: svm.Cost{C: math.Inf(1)}}, nil, "C"},
		"no such bias":           {svm.Problem{Bias: 7}, svm.SMO{}, "Bias"},
		"a bad kernel":           {svm.Problem{Kernel: kernel.RBF{Gamma: -1}}, nil, "Gamma"},
		"Newton, hinge":          {svm.Problem{}, svm.Newton{}, "Solver"},
		"Newton, a kernel":       {svm.Problem{Loss: loss.SquaredHinge{}, Kernel: sigmoid}, svm.Newton{}, "Kernel"},
		"SDCA, a free bias":      {svm.Problem{}, svm.SDCA{}, "Bias"},
		"Pegasos, a hard margin": {svm.Problem{C: svm.Cost{C: math.Inf(1)}, Bias: svmkit.NoBias}, svm.Pegasos{}, "C"},
		"Decomposition, sigmoid": {svm.Problem{Kernel: sigmoid}, svm.Decomposition{}, "Solver"},
		"a bad cache":            {svm.Problem{Kernel: sigmoid}, svm.SMO{CacheBytes: -1}, "CacheBytes"},
		"a bad batch":            {svm.Problem{Bias: svmkit.NoBias}, svm.Pegasos{Batch: -1}, "Batch"},
		"a pointer":              {svm.Problem{}, &svm.SMO{}, ""},
		"a pointer, a free bias": {svm.Problem{}, &svm.SDCA{}, "Bias"},
		"a nil pointer":          {svm.Problem{}, (*svm.Pegasos)(nil), "Solver"},
	} {
		check := c.p.Check(c.s)
		c.p.Data = set
		_, fit := svm.Fit(context.Background(), &c.p, c.s, nil)
		var wrong *svmkit.ParamError
		if errors.As(check, &wrong); fmt.Sprint(check) != fmt.Sprint(fit) || (check == nil) != (c.param == "") || check != nil && wrong.Name != c.param {
			t.Errorf("%s: Check says %v, Fit %v", name, check, fit)
		}
	}
}

// With data, Check knows the number of columns.
func TestCheckCountsColumns(t *testing.T) {
	p := &svm.Problem{Data: &svmkit.Dataset{Dim: 6000}}
	if err := p.Check(svm.ProximalNewton{}); !errors.As(err, new(*svmkit.ParamError)) {
		t.Errorf("6,000 columns: %v", err)
	}
	if p.Data = nil; p.Check(svm.ProximalNewton{}) != nil {
		t.Error("refuses without data")
	}
	if p = nil; !errors.As(p.Check(nil), new(*svmkit.ParamError)) {
		t.Error("a nil problem passes")
	}
}
