package bound_test

import (
	"fmt"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit/bound"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 70, badinput.Join(formulas()))
}

// Functions of numbers answer NaN to NaN, and what their comments say to what is out of range. They panic for no number.
func formulas() (cases []badinput.Case) {
	add := func(name string, got float64, want float64) {
		cases = append(cases, badinput.New(name, nil, func() (any, error) { return got, nil }, badinput.Number(want)))
	}
	two := map[string]func(a, b float64) float64{"Novikoff": bound.Novikoff, "NovikoffLoose": bound.NovikoffLoose}
	for name, f := range two {
		for _, v := range []float64{badinput.NaN, -1, badinput.Inf} {
			add(fmt.Sprintf("%s(%g, 1)", name, v), f(v, 1), badinput.NaN)
		}
		add(name+"(1, NaN)", f(1, badinput.NaN), badinput.NaN)
		add(name+"(1, 0)", f(1, 0), badinput.Inf)
		add(name+"(1, -1)", f(1, -1), badinput.Inf)
	}
	three := map[string]func(a, b, c float64) float64{"HingeRoot": bound.HingeRoot, "HingeHalfLoosened": bound.HingeHalfLoosened,
		"HingeLoosened": bound.HingeLoosened, "Rademacher": bound.Rademacher}
	for name, f := range three {
		for _, v := range []float64{badinput.NaN, -1, badinput.Inf} {
			add(fmt.Sprintf("%s(%g, 1, 1)", name, v), f(v, 1, 1), badinput.NaN)
			add(fmt.Sprintf("%s(1, %g, 1)", name, v), f(1, v, 1), badinput.NaN)
			add(fmt.Sprintf("%s(1, 1, %g)", name, v), f(1, 1, v), badinput.NaN)
		}
	}
	for _, v := range []float64{badinput.NaN, -0.5, 2} {
		add(fmt.Sprintf("VC(3, 100, %g)", v), bound.VC(3, 100, v), badinput.NaN)
	}
	add("VC(+Inf, 100, 0.1)", bound.VC(badinput.Inf, 100, 0.1), badinput.Inf)
	for _, v := range []float64{badinput.NaN, 0, -1} {
		add(fmt.Sprintf("VC(%g, 100, 0.1)", v), bound.VC(v, 100, 0.1), badinput.NaN)
		add(fmt.Sprintf("VC(1, %g, 0.1)", v), bound.VC(1, v, 0.1), badinput.NaN)
	}
	add("VC(3, 100, 0)", bound.VC(3, 100, 0), badinput.Inf)
	add("VC(300, 100, 0.1)", bound.VC(300, 100, 0.1), badinput.Inf)
	for _, v := range []float64{badinput.NaN, -1, badinput.Inf} {
		add(fmt.Sprintf("NovikoffBias(%g, 1, 0, 1)", v), bound.NovikoffBias(v, 1, 0, 1), badinput.NaN)
		add(fmt.Sprintf("NovikoffBias(1, 1, 0, %g)", v), bound.NovikoffBias(1, 1, 0, v), badinput.NaN)
		add(fmt.Sprintf("MarginVC(2, %g, 1)", v), bound.MarginVC(2, v, 1), badinput.NaN)
	}
	add("NovikoffBias(1, 0, 0, 1)", bound.NovikoffBias(1, 0, 0, 1), badinput.Inf)
	add("MarginVC(0.5, 1, 1)", bound.MarginVC(0.5, 1, 1), badinput.NaN)
	add("MarginVC(2, 1, NaN)", bound.MarginVC(2, 1, badinput.NaN), badinput.NaN)
	return cases
}
