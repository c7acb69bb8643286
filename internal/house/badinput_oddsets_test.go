package house

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
)

// Sets that are odd but valid: no error, and a certificate that is no nonsense.
var oddSets = []struct {
	name string
	set  func() *svmkit.Dataset
}{
	{"denormals", func() *svmkit.Dataset { return scaled(math.SmallestNonzeroFloat64) }},
	{"1e-300", func() *svmkit.Dataset { return scaled(1e-300) }},
	{"1e300", func() *svmkit.Dataset { return scaled(1e300) }},
	{"1e154", func() *svmkit.Dataset { return scaled(1e154) }},   // the squared norm of some rows overflows
	{"3e153", func() *svmkit.Dataset { return scaled(3e153) }},   // that of none, but their sum
	{"1e-162", func() *svmkit.Dataset { return scaled(1e-162) }}, // squares of few digits
	{"MaxFloat64", func() *svmkit.Dataset { return with(3, 0, math.MaxFloat64) }},
	{"1e-300 beside 1e300", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			for _, x := range s.X {
				x.Value[0] *= 1e-300
				x.Value[1] *= 1e300
			}
		})
	}},
	{"a constant column", func() *svmkit.Dataset { return column(func(int) float64 { return 7 }) }},
	{"a column of zeros", func() *svmkit.Dataset { return column(func(int) float64 { return 0 }) }},
	{"a column of -0", func() *svmkit.Dataset { return column(func(int) float64 { return math.Copysign(0, -1) }) }},
	{"all rows zero", func() *svmkit.Dataset { return scaled(0) }},
	{"all rows equal", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			for i := range s.X {
				s.X[i] = svmkit.Dense(1, 2)
			}
		})
	}},
	{"rows twice, labels opposite", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			for i := range s.X[:6] {
				s.X[i+6], s.Y[i+6] = s.X[i], -s.Y[i]
			}
		})
	}},
	{"empty sparse rows", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			for i := range s.X {
				s.X[i] = svmkit.Row{Index: []int32{}}
			}
		})
	}},
	{"dense and sparse rows", func() *svmkit.Dataset { return sparseRow([]int32{1}, 3) }},
	{"explicit zeros in sparse rows", func() *svmkit.Dataset { return sparseRow([]int32{0, 1}, 0, 0) }},
	{"two rows", func() *svmkit.Dataset { return good().Subset([]int{0, 1}) }},
	{"two equal rows", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) { s.X[1] = s.X[0] }).Subset([]int{0, 1})
	}},
	{"one row of a class", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			for i := range s.Y {
				s.Y[i] = 1
			}
			s.Y[6] = -1
		})
	}},
	{"many empty columns", func() *svmkit.Dataset {
		return spoiled(func(s *svmkit.Dataset) {
			s.Dim = 400
			for i, x := range s.X {
				s.X[i] = svmkit.Row{Index: []int32{int32(i), 399}, Value: x.Value}
			}
		})
	}},
}

func scaled(c float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) {
		for _, x := range s.X {
			for j := range x.Value {
				x.Value[j] *= c
			}
		}
	})
}

func column(v func(i int) float64) *svmkit.Dataset {
	return spoiled(func(s *svmkit.Dataset) {
		for i, x := range s.X {
			x.Value[1] = v(i)
		}
	})
}

// A candidate is a solver with a problem that it takes; the data are put in later.
type candidate struct {
	name   string
	solver svm.Solver
	svm.Problem
	tol float64
}

// candidates is every solver with every loss, and each kind of kernel and bias at least once.
func candidates() (all []candidate) {
	hinges := []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}}
	smooth := []loss.Trainable{loss.SquaredHinge{}, loss.SquaredEpsInsensitive{}, loss.Logistic{}}
	add := func(s svm.Solver, tol float64, losses []loss.Trainable, kernels []kernel.Kernel, biases ...svmkit.Bias) {
		for n, l := range losses {
			for m, k := range kernels {
				b := biases[(n+m)%len(biases)]
				all = append(all, candidate{fmt.Sprintf("%T%v %T %T %v", s, s, l, k, b), s, svm.Problem{Loss: l, Kernel: k, Bias: b}, tol})
			}
		}
	}
	linear, definite := []kernel.Kernel{nil}, []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}, kernel.Polynomial{Degree: 2, Coef0: 1}}
	any := append(definite, kernel.Laplacian{Gamma: 1}, kernel.Sigmoid{Gamma: 0.1})
	free, pen, no := svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias
	add(svm.DualCoordinate{}, 1e-3, hinges, linear, free, pen, no)
	add(svm.ProximalNewton{}, 1e-3, hinges, linear, free, pen, no)
	add(svm.Newton{}, 1e-3, smooth, linear, pen, no, free)
	add(svm.Newton{Dense: -1}, 1e-3, smooth, linear, free, no, pen)
	add(svm.SMO{}, 1e-3, hinges, any, free, pen, no)
	add(svm.Decomposition{}, 1e-3, hinges, definite, free, no, pen)
	add(svm.SDCA{}, 1e-2, hinges, definite, pen, no)
	add(svm.Pegasos{}, 0.1, hinges[:1], linear, pen, no)
	add(nil, 1e-3, append(hinges, loss.Logistic{}), linear, free)
	return all
}

// oddIterations ends the fits that do not converge: what they return has to be sound all the same.
const oddIterations = 50

func oddSetCases() (cases []badInput) {
	add := func(name string, s *svmkit.Dataset, call func() (any, error)) {
		cases = append(cases, badInput{name, s, call, fine})
	}
	for _, odd := range oddSets {
		for _, m := range candidates() {
			p := m.Problem
			p.Data = odd.set()
			name := odd.name + ": " + m.name
			want := verdict(fine)
			switch i, overflow := overflows(&p); {
			case overflow && p.Kernel == nil:
				want = data(svmkit.ErrNotFinite, i, none)
			case overflow:
				want = overflowOr(fine) // if the fit asks for that value
			}
			cases = append(cases, badInput{name, &p, func() (any, error) {
				r, err := svm.Fit(ctx, &p, m.solver, &svm.Settings{Tol: m.tol, MaxIterations: oddIterations})
				if r == nil {
					return nil, err
				}
				return fitted{r, m.tol}, err
			}, want})
		}
		s := odd.set()
		cases = append(cases, badInput{odd.name + ": separate.Decide", s, func() (any, error) {
			sep, err := separate.Decide(ctx, s, svmkit.FreeBias)
			if err == nil && sep.Answer != separate.Undecided {
				err = sep.Verify(s)
			}
			return sep, err
		}, overflowOr(fine)})
		add(odd.name+": CrammerSinger", s, func() (any, error) {
			return multiclass.CrammerSinger{Data: s}.Fit(ctx, &multiclass.Settings{MaxIterations: oddIterations})
		})
		cases = append(cases, badInput{odd.name + ": Perceptron", s, func() (any, error) {
			p := &perceptron.Perceptron{Bias: svmkit.PenalizedBias}
			t, err := p.Fit(ctx, s, perceptron.Stop{Epochs: 5})
			return finitePlane{p.Plane()}.with(t, err)
		}, overflowOr(fine)})
	}
	return cases
}

// overflows returns the first row of which a kernel value is not finite; without a kernel, the first
// whose squared norm is not.
func overflows(p *svm.Problem) (row int, overflow bool) {
	for i, x := range p.Data.X {
		if p.Kernel == nil {
			if math.IsInf(x.SquaredNorm(), 1) {
				return i, true
			}
			continue
		}
		for _, z := range p.Data.X[i:] {
			if v := p.Kernel.Eval(x, z); math.IsNaN(v) || math.IsInf(v, 0) {
				return i, true
			}
		}
	}
	return 0, false
}

// overflowOr also takes the error for numbers that outgrow float64.
func overflowOr(otherwise verdict) verdict {
	return func(o outcome) string {
		if o.panic == nil && o.err != nil {
			return is(svmkit.ErrNotFinite)(outcome{err: o.err})
		}
		return otherwise(o)
	}
}

type finitePlane struct{ svmkit.Hyperplane }

// with returns t, or an error if the plane is not finite.
func (p finitePlane) with(t *perceptron.Trace, err error) (any, error) {
	for _, v := range append(p.W, p.B) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("weight %g", v)
		}
	}
	return t, err
}
