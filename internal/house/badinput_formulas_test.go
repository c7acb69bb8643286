package house

import (
	"fmt"

	"github.com/svmkit/course/svmkit/bound"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"

	"github.com/svmkit/course/svmkit"
)

// formulaCases is the functions of numbers: losses, kernels' values and bounds answer NaN to NaN, and
// what their comments say to what is out of range. They panic for no number.
func formulaCases() (cases []badInput) {
	add := func(name string, got float64, want float64) {
		cases = append(cases, badInput{name, nil, func() (any, error) { return got, nil }, number(want)})
	}
	for _, l := range []loss.Convex{loss.Perceptron{}, loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}, loss.Exponential{},
		loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		name := fmt.Sprintf("%T", l)
		add(name+".Value(NaN, 1)", l.Value(nan, 1), nan)
		add(name+".Value(1, NaN)", l.Value(1, nan), nan)
		add(name+".Value(-Inf, 1)", l.Value(-inf, 1), inf)
		add(name+".Subgradient(NaN, 1)", l.Subgradient(nan, 1), nan)
		add(name+".Conjugate(NaN, 1)", l.Conjugate(nan, 1), nan)
		if _, everywhere := l.(loss.SquaredEpsInsensitive); !everywhere {
			add(name+".Conjugate(9, 1)", l.Conjugate(9, 1), inf) // out of its domain
		}
	}
	add("ZeroOne.Value(NaN, 1)", loss.ZeroOne{}.Value(nan, 1), 1)
	add("ZeroOne.Value(0, 1)", loss.ZeroOne{}.Value(0, 1), 1)
	add("Risk of no rows", loss.Risk(loss.Hinge{}, scorer(func() float64 { return 1 }), &svmkit.Dataset{}), nan)
	add("Sum of no rows", loss.Sum(loss.Hinge{}, scorer(func() float64 { return 1 }), &svmkit.Dataset{}), 0)

	x, far := svmkit.Dense(1e200, 0), svmkit.Dense(-1e200, 1)
	add("RBF of rows 1e200 apart", kernel.RBF{Gamma: 1}.Eval(x, far), 0)
	add("Laplacian of rows 1e200 apart", kernel.Laplacian{Gamma: 1}.Eval(x, far), 0)
	add("Sigmoid of 1e400", kernel.Sigmoid{}.Eval(x, x), 1)
	add("Linear of 1e400", kernel.Linear{}.Eval(x, x), inf)
	add("Precomputed of no object", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(5), svmkit.Dense(0)), nan)
	add("Precomputed of object 0.5", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(0.5), svmkit.Dense(0)), nan)
	add("Precomputed of NaN", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(nan), svmkit.Dense(0)), nan)
	add("Precomputed of a row of nothing", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Row{}, svmkit.Dense(0)), nan)

	two := map[string]func(a, b float64) float64{"Novikoff": bound.Novikoff, "NovikoffLoose": bound.NovikoffLoose}
	for name, f := range two {
		for _, v := range []float64{nan, -1, inf} {
			add(fmt.Sprintf("%s(%g, 1)", name, v), f(v, 1), nan)
		}
		add(name+"(1, NaN)", f(1, nan), nan)
		add(name+"(1, 0)", f(1, 0), inf)
		add(name+"(1, -1)", f(1, -1), inf)
	}
	three := map[string]func(a, b, c float64) float64{"HingeRoot": bound.HingeRoot, "HingeHalfLoosened": bound.HingeHalfLoosened,
		"HingeLoosened": bound.HingeLoosened, "Rademacher": bound.Rademacher}
	for name, f := range three {
		for _, v := range []float64{nan, -1, inf} {
			add(fmt.Sprintf("%s(%g, 1, 1)", name, v), f(v, 1, 1), nan)
			add(fmt.Sprintf("%s(1, %g, 1)", name, v), f(1, v, 1), nan)
			add(fmt.Sprintf("%s(1, 1, %g)", name, v), f(1, 1, v), nan)
		}
	}
	for _, v := range []float64{nan, -0.5, 2} {
		add(fmt.Sprintf("VC(3, 100, %g)", v), bound.VC(3, 100, v), nan)
	}
	add("VC(+Inf, 100, 0.1)", bound.VC(inf, 100, 0.1), inf)
	for _, v := range []float64{nan, 0, -1} {
		add(fmt.Sprintf("VC(%g, 100, 0.1)", v), bound.VC(v, 100, 0.1), nan)
		add(fmt.Sprintf("VC(1, %g, 0.1)", v), bound.VC(1, v, 0.1), nan)
	}
	add("VC(3, 100, 0)", bound.VC(3, 100, 0), inf)
	add("VC(300, 100, 0.1)", bound.VC(300, 100, 0.1), inf)
	for _, v := range []float64{nan, -1, inf} {
		add(fmt.Sprintf("NovikoffBias(%g, 1, 0, 1)", v), bound.NovikoffBias(v, 1, 0, 1), nan)
		add(fmt.Sprintf("NovikoffBias(1, 1, 0, %g)", v), bound.NovikoffBias(1, 1, 0, v), nan)
		add(fmt.Sprintf("MarginVC(2, %g, 1)", v), bound.MarginVC(2, v, 1), nan)
	}
	add("NovikoffBias(1, 0, 0, 1)", bound.NovikoffBias(1, 0, 0, 1), inf)
	add("MarginVC(0.5, 1, 1)", bound.MarginVC(0.5, 1, 1), nan)
	add("MarginVC(2, 1, NaN)", bound.MarginVC(2, 1, nan), nan)
	return cases
}
