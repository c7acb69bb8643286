package svm

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Proof is a certificate with the parts that it was made of.
type Proof struct {
	svmkit.Certificate
	Box      float64 // by how much some βᵢ had to be moved into its box
	Equality float64 // |Σβᵢ|, of a OneClass problem |Σβᵢ − νn|, before it was repaired; 0 without a free bias

	Beta []float64 // the feasible β that Dual belongs to

	// BiasMin and BiasMax bound the biases that give the smallest primal objective for
	// w = Σ βᵢφ(xᵢ); the model's bias is their middle. With a free support vector and an exact
	// β they are equal; with none they may be far apart (note D, eq. 5, wrongly averages over
	// all support vectors). Both are the bias itself unless it is free.
	BiasMin, BiasMax float64

	plane core.Plane // the model
}

// Model returns the model that proof speaks of: Primal is its objective. The proof must
// come from [Problem.Certify] or [Fit] for this very problem.
func (p *Problem) Model(proof *Proof) *Model {
	part := p.withoutZeroWeights()
	beta, _ := part.of(proof.Beta)
	return newModel(part, core.NewTask(part.core()), beta, proof.plane)
}

// Certify rebuilds, from the data and β alone, the primal and the dual objective, their
// gap and the largest violation of the optimality conditions. β holds one number a row,
// βᵢ = αᵢyᵢ in classification, αᵢ⁻ − αᵢ⁺ in regression. Where it comes from does not matter: a β
// from LIBSVM or from a guess is certified like our own.
//
// β is first made feasible, moved into its box and, with a free bias, to Σβᵢ = 0; Box
// and Equality say by how much. So Dual is a value of the dual objective at a feasible
// point, Primal one of the primal objective at the model, and the optimum lies between them.
// KKT is the largest distance of a score f(xᵢ) from those that βᵢ is optimal for.
//
// With a hard margin (C = +Inf) a plane that violates a constraint has an infinite objective.
// In classification w and b are therefore first scaled up until no constraint is violated, if
// the plane separates at all. In regression no scaling helps, and rounding would make every
// plane infinite: there a violation of up to 1e-6·max(1, |y|) is charged at the cost
// max(1, 2·max|βᵢ|). A cost above all |βᵢ| of the solution has the hard tube's solution, so
// a gap of zero still proves it.
//
// A row of weight 0 has the box [0, 0].
//
// Gap is added up row by row from the terms of Fenchel and Young, φᵢ(f) + φᵢ*(−βᵢ) + βᵢf ≥ 0,
// which is Primal − Dual without its cancellation: it keeps its digits where the two agree in
// all of theirs. It is computed in float64 all the same: the score of a row is known to some 1e-16 of the terms it is
// the sum of, and times the row's cost that is not in Gap. It counts at costs from 1e6 or so: at 1e10 the gap of
// data of size 1 is known to 1e-6, and no smaller one can be relied on.
//
// Cost: O(nnz) for a linear problem, n kernel values a support vector otherwise. An indefinite
// kernel makes the dual value meaningless as a bound: then Gap is +Inf.
func (p *Problem) Certify(beta []float64) (*Proof, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := core.ValidateBeta("β", beta, p.Data.Len()); err != nil {
		return nil, err
	}
	part := p.withoutZeroWeights()
	beta, left := part.of(beta)
	problem := part.core()
	workers := core.NewWorkers(problem)
	defer workers.Close()
	t := core.NewTaskIn(nil, workers, problem)
	proof := t.Certify(beta)
	if proof == nil {
		return nil, part.err(t.KernelRows().Err)
	}
	proof.Box = max(proof.Box, left)
	return part.proof(proof), nil
}

// newModel returns the model of a plane, and of the β of a task for the rows that count.
func newModel(p reducedProblem, t *core.Task, beta []float64, plane core.Plane) *Model {
	m := &Model{Kernel: p.Kernel, Weights: plane.W, Bias: plane.Bias, Dim: t.Dim, Regression: p.Regression(), OneClass: p.nu > 0,
		Features: p.Data.Features, Label: p.Data.Label}
	if !m.Regression {
		m.Classes = p.Data.Classes
	}
	first := core.EachBlock(t, func(from, to int) (support int) { // vectors of each block; then the number of its first one
		for _, v := range beta[from:to] {
			if v != 0 {
				support++
			}
		}
		return support
	})
	count := 0
	for k, n := range first {
		first[k], count = count, count+n
	}
	if count == 0 {
		return m
	}
	m.SV, m.Coef = make([]svmkit.Row, count), make([]float64, count)
	m.Rows, m.Bound = make([]int, count), make([]bool, count)
	t.DoRows(func(from, to int) {
		k := first[from/core.BlockRows]
		for i := from; i < to; i++ {
			v := beta[i]
			if v == 0 {
				continue
			}
			m.SV[k], m.Coef[k], m.Rows[k] = t.X[i], plane.Scale*v, p.row(i)
			m.Bound[k] = t.Kind != core.Squared && (v == t.Loss[i].Under || v == -t.Loss[i].Over)
			k++
		}
	})
	return m
}
