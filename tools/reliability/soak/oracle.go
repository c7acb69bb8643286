package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/qp"
)

// oracleTol is the accuracy asked of package qp's objective, and oracleRows what it takes in a moment.
const (
	oracleTol  = 1e-6
	oracleRows = 40
)

// oracle returns the optimum of a small well scaled problem by package qp, which shares nothing with the
// solvers: the dual with one variable for each edge of a row, α ≥ 0, v = ±1 for the edge below and above.
func oracle(t *trial) (optimum float64, ok bool) {
	if _, logistic := t.Loss.(loss.Logistic); logistic || t.hostile || t.hard || t.Data.Len() > oracleRows || t.number%5 > 0 {
		return 0, false
	}
	eps, squared := exactgap.Shape(t.Loss)
	var rows []int
	var v, linear, upper []float64
	edge := func(i int, sign, slope, weight float64) {
		rows, v, linear, upper = append(rows, i), append(v, sign), append(linear, slope), append(upper, weight)
	}
	for i, y := range t.Data.Y {
		positive, negative := exactgap.Weights(t.Problem, i)
		switch {
		case t.Data.RowWeight(i) == 0:
		case t.Regression():
			edge(i, 1, eps-y, negative)
			edge(i, -1, eps+y, positive)
		case y > 0:
			edge(i, 1, -1, positive)
		default:
			edge(i, -1, -1, negative)
		}
	}
	k := t.Kernel
	if k == nil {
		k = kernel.Linear{}
	}
	m := len(rows)
	q := mat.NewSymDense(m, nil)
	for a := range m {
		for b := range a + 1 {
			value := k.Eval(t.Data.X[rows[a]], t.Data.X[rows[b]])
			if t.Bias == svmkit.PenalizedBias {
				value++
			}
			q.SetSym(a, b, v[a]*v[b]*value)
		}
		if squared {
			q.SetSym(a, a, q.At(a, a)+1/(2*upper[a]))
			upper[a] = math.Inf(1)
		}
	}
	program := &qp.Problem{Q: q, P: linear, Lower: make([]float64, m), Upper: upper}
	if t.Bias == svmkit.FreeBias {
		program.A = v
	}
	solution, err := qp.Solve(program)
	if err != nil {
		return 0, false
	}
	return -solution.Objective, true
}
