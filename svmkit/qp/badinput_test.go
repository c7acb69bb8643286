package qp_test

import (
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit/qp"
	"gonum.org/v1/gonum/mat"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 18, badinput.Join(programCases()))
}

func programCases() []badinput.Case {
	one := func(v float64) *mat.SymDense { return mat.NewSymDense(1, []float64{v}) }
	solve := func(name string, p *qp.Problem, cause error) badinput.Case {
		return badinput.New("qp: "+name, nil, func() (any, error) { return qp.Solve(p) }, badinput.Is(cause))
	}
	return []badinput.Case{
		solve("nil", nil, qp.ErrShape),
		solve("no Q", &qp.Problem{P: []float64{1}}, qp.ErrShape),
		solve("nothing", &qp.Problem{}, qp.ErrShape),
		solve("P of other length", &qp.Problem{Q: one(1), P: []float64{1, 2}}, qp.ErrShape),
		solve("A of other length", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1, 2}}, qp.ErrShape),
		solve("Lower of other length", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{1, 2}}, qp.ErrShape),
		solve("Upper of other length", &qp.Problem{Q: one(1), P: []float64{1}, Upper: []float64{}}, qp.ErrShape),
		solve("Q NaN", &qp.Problem{Q: one(badinput.NaN), P: []float64{1}}, qp.ErrNotFinite),
		solve("P Inf", &qp.Problem{Q: one(1), P: []float64{badinput.Inf}}, qp.ErrNotFinite),
		solve("A NaN", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{badinput.NaN}}, qp.ErrNotFinite),
		solve("R NaN", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1}, R: badinput.NaN}, qp.ErrNotFinite),
		solve("Lower NaN", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{badinput.NaN}}, qp.ErrNotFinite),
		solve("Q negative", &qp.Problem{Q: one(-1), P: []float64{1}}, qp.ErrNotConvex),
		solve("bounds crossed", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{2}, Upper: []float64{1}}, qp.ErrInfeasible),
		solve("Lower +Inf", &qp.Problem{Q: one(1), P: []float64{1}, Lower: []float64{badinput.Inf}}, qp.ErrNotFinite),
		solve("equality out of reach", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{1}, R: 5, Upper: []float64{1}}, qp.ErrInfeasible),
		solve("equality without variables", &qp.Problem{Q: one(1), P: []float64{1}, A: []float64{0}, R: 1}, qp.ErrInfeasible),
		solve("unbounded", &qp.Problem{Q: one(0), P: []float64{1}}, qp.ErrUnbounded),
	}
}
