package kernel_test

import (
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 9, badinput.Join(formulas()))
}

// Functions of numbers answer NaN to NaN, and what their comments say to what is out of range. They panic for no number.
func formulas() (cases []badinput.Case) {
	add := func(name string, got float64, want float64) {
		cases = append(cases, badinput.New(name, nil, func() (any, error) { return got, nil }, badinput.Number(want)))
	}
	x, far := svmkit.Dense(1e200, 0), svmkit.Dense(-1e200, 1)
	add("RBF of rows 1e200 apart", kernel.RBF{Gamma: 1}.Eval(x, far), 0)
	add("Laplacian of rows 1e200 apart", kernel.Laplacian{Gamma: 1}.Eval(x, far), 0)
	add("Sigmoid of 1e400", kernel.Sigmoid{}.Eval(x, x), 1)
	add("Linear of 1e400", kernel.Linear{}.Eval(x, x), badinput.Inf)
	add("Precomputed of no object", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(5), svmkit.Dense(0)), badinput.NaN)
	add("Precomputed of object 0.5", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(0.5), svmkit.Dense(0)), badinput.NaN)
	add("Precomputed of NaN", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Dense(badinput.NaN), svmkit.Dense(0)), badinput.NaN)
	add("Precomputed of a row of nothing", kernel.Precomputed{N: 1, Gram: []float64{1}}.Eval(svmkit.Row{}, svmkit.Dense(0)), badinput.NaN)

	return append(cases, badinput.New("Validate: nil", nil, func() (any, error) { return nil, kernel.Validate(nil) }, badinput.Param("Kernel")))
}
