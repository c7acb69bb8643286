package svm

import (
	"errors"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// reducedProblem is a problem without its rows of weight 0. Solvers and certificates work on it.
// Its methods translate between the numbers of its rows and the numbers in the whole problem.
type reducedProblem struct {
	*Problem
	// rows are the numbers of its rows in the whole problem, in increasing order. If all rows have
	// a positive weight, rows is nil and nothing needs to be translated.
	rows []int
	n    int // rows of the whole problem
}

func (p *Problem) withoutZeroWeights() reducedProblem {
	data, rows := p.Data.WithoutZeroWeights()
	if rows == nil {
		return reducedProblem{Problem: p}
	}
	part := *p
	part.Data = data
	return reducedProblem{Problem: &part, rows: rows, n: p.Data.Len()}
}

// row returns the number of row k in the whole problem.
func (c reducedProblem) row(k int) int {
	if c.rows == nil {
		return k
	}
	return c.rows[k]
}

// follow returns the solver for the reduced problem: it passes the numbers of rows in the whole
// problem to [Pegasos.Each].
func (c reducedProblem) follow(s Solver) Solver {
	p, followed := s.(Pegasos)
	if !followed || p.Each == nil || c.rows == nil {
		return s
	}
	each := p.Each
	p.Each = func(step PegasosStep) {
		for _, rows := range [][]int{step.Rows, step.Violated} {
			for k, row := range rows {
				rows[k] = c.rows[row]
			}
		}
		each(step)
	}
	return p
}

// of returns the numbers of β that belong to the reduced problem, for a β of the whole problem, and
// the largest |βᵢ| of the other rows, whose box is the number 0.
func (c reducedProblem) of(beta []float64) (part []float64, left float64) {
	if c.rows == nil || beta == nil {
		return beta, 0
	}
	part = make([]float64, len(c.rows))
	k := 0
	for i, v := range beta {
		if k < len(c.rows) && c.rows[k] == i {
			part[k] = v
			k++
		} else {
			left = max(left, math.Abs(v))
		}
	}
	return part, left
}

// proof returns the proof for users, with a number for each row of the whole problem.
func (c reducedProblem) proof(p *core.Proof) *Proof {
	beta := p.Beta
	if c.rows != nil {
		beta = make([]float64, c.n)
		for k, i := range c.rows {
			beta[i] = p.Beta[k]
		}
	}
	return &Proof{Certificate: p.Certificate, Box: p.Box, Equality: p.Equality, Beta: beta,
		BiasMin: p.BiasMin, BiasMax: p.BiasMax, plane: p.Plane}
}

// err returns err with the numbers of the rows in the whole problem.
func (c reducedProblem) err(err error) error {
	var e *kernel.EvalError
	if !errors.As(err, &e) {
		return err
	}
	placed := *e
	placed.J = c.row(e.J)
	if e.I != svmkit.NoPlace {
		placed.I = c.row(e.I)
	}
	return &placed
}
