package loss_test

import (
	"fmt"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 45, badinput.Join(formulas()))
}

// Functions of numbers answer NaN to NaN, and what their comments say to what is out of range. They panic for no number.
func formulas() (cases []badinput.Case) {
	add := func(name string, got float64, want float64) {
		cases = append(cases, badinput.New(name, nil, func() (any, error) { return got, nil }, badinput.Number(want)))
	}
	for _, l := range []loss.Convex{loss.Perceptron{}, loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}, loss.Exponential{},
		loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		name := fmt.Sprintf("%T", l)
		add(name+".Value(NaN, 1)", l.Value(badinput.NaN, 1), badinput.NaN)
		add(name+".Value(1, NaN)", l.Value(1, badinput.NaN), badinput.NaN)
		add(name+".Value(-Inf, 1)", l.Value(-badinput.Inf, 1), badinput.Inf)
		add(name+".Subgradient(NaN, 1)", l.Subgradient(badinput.NaN, 1), badinput.NaN)
		add(name+".Conjugate(NaN, 1)", l.Conjugate(badinput.NaN, 1), badinput.NaN)
		if _, everywhere := l.(loss.SquaredEpsInsensitive); !everywhere {
			add(name+".Conjugate(9, 1)", l.Conjugate(9, 1), badinput.Inf) // out of its domain
		}
	}
	add("ZeroOne.Value(NaN, 1)", loss.ZeroOne{}.Value(badinput.NaN, 1), 1)
	add("ZeroOne.Value(0, 1)", loss.ZeroOne{}.Value(0, 1), 1)
	add("Risk of no rows", loss.Risk(loss.Hinge{}, badinput.Scorer(func() float64 { return 1 }), &svmkit.Dataset{}), badinput.NaN)
	add("Sum of no rows", loss.Sum(loss.Hinge{}, badinput.Scorer(func() float64 { return 1 }), &svmkit.Dataset{}), 0)

	return cases
}
