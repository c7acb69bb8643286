package svm

import (
	"errors"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// counted is the part of a problem whose rows have a positive weight: the only one that solvers and certificates
// see. Its methods translate between the numbers of its rows and those of the whole.
type reducedProblem struct {
	*Problem
	rows []int // their numbers in the whole, rising; nil: all, and nothing is to be translated
	n    int   // rows of the whole
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

// row returns the number of the part's row k in the whole.
func (c reducedProblem) row(k int) int {
	if c.rows == nil {
		return k
	}
	return c.rows[k]
}

// follow returns the solver for the part: [Pegasos.Each] is told rows of the whole.
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

// of returns the numbers of the part's rows, in β of the whole, and the largest |βᵢ| of the others, whose
// box is the number 0.
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

// proof returns what the user sees of a proof for the part, with a number for each row of the whole.
func (c reducedProblem) proof(p *core.Proof) *Proof {
	beta := p.Beta
	if c.rows != nil {
		beta = make([]float64, c.n)
		for k, i := range c.rows {
			beta[i] = p.Beta[k]
		}
	}
	return &Proof{Certificate: p.Certificate, Box: p.Box, Equality: p.Equality, Beta: beta, BiasMin: p.BiasMin, BiasMax: p.BiasMax, plane: p.Plane}
}

// err returns an error with the rows' numbers in the whole.
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
