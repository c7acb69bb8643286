package svm

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Proof is a certificate with the parts that it was made of.
type Proof struct {
	svmkit.Certificate
	Box float64 // the longest move of a βᵢ into its box
	// Equality is |Σβᵢ|, or |Σβᵢ − νn| for a OneClass problem, before it was repaired. It is 0
	// unless the bias is free.
	Equality float64

	Beta []float64 // the feasible β that Dual belongs to

	// BiasMin and BiasMax bound the biases that give the smallest primal objective for
	// w = Σ βᵢφ(xᵢ). The model's bias is their middle. With a free support vector and an exact β
	// they are equal. Without one they may be far apart, and so the mean over all support vectors,
	// which some texts give as the bias, is wrong. Both are the bias itself unless it is free.
	BiasMin, BiasMax float64

	plane core.Plane // the model
}

// Model returns the model that proof is about: Primal is its objective. The proof must come from
// [Problem.Certify] or [Fit] for this same problem.
func (p *Problem) Model(proof *Proof) *Model {
	part := p.withoutZeroWeights()
	beta, _ := part.of(proof.Beta)
	return newModel(part, core.NewTask(part.core()), beta, proof.plane)
}

// Certify computes the primal and the dual objective and their gap from the data and β alone.
//
// β holds one number per row: αᵢyᵢ in classification, and αᵢ⁻ − αᵢ⁺ in regression. It may come from
// anywhere. A β from LIBSVM or from a guess is certified like a β from [Fit].
//
// Certify first makes β feasible: it moves β into its box and, with a free bias, to Σβᵢ = 0. Box
// and Equality say how far it moved. So Dual is the dual objective at a feasible point, Primal is
// the primal objective at the model, and the optimum lies between them. KKT is the largest distance
// of a score f(xᵢ) from the scores for which βᵢ is optimal. A row of weight 0 has the box [0, 0].
//
// Certify costs O(nnz) for a linear problem, and n kernel values per support vector otherwise. With
// an indefinite kernel the dual objective is no bound, and Gap is +Inf.
//
// # Hard margins
//
// With C = +Inf, a plane that violates a constraint has an infinite objective. In classification,
// Certify therefore scales w and b up until no constraint is violated, if the plane separates the
// data. In regression no scaling helps, and rounding would make the objective of every plane
// infinite. A score therefore counts as inside its tube if it exceeds the tube by at most
//
//	u·(d + 64)·(‖w‖·‖xᵢ‖ + |b| + |yᵢ| + ε), u = 2⁻⁵³, d stored numbers in the row.
//
// This bounds the rounding of the score. Each unit beyond it costs 2·max|βᵢ|, which is more than
// any row can gain by it. So the bracket from Dual to Primal holds for targets that are moved by no
// more than this rounding. With a kernel, n + d + 64 replaces d + 64, and Σⱼ|βⱼ|·max K(xⱼ,xⱼ)
// replaces ‖w‖·‖xᵢ‖.
//
// In classification, Certify subtracts the same rounding, without |yᵢ| and ε, from the smallest
// margin if it is more than 1e-9 of that margin. This happens if the rows are far from the origin
// and close to each other. Certify then also subtracts Σ|βᵢ| times half of the rounding from Dual
// and, with a kernel, adds it to ½‖w‖² in Primal. An underflow or an overflow makes Gap larger, or
// +Inf.
//
// # Rounding of the gap
//
// Gap is the sum over the rows of the Fenchel–Young terms φᵢ(f) + φᵢ*(−βᵢ) + βᵢf ≥ 0. It equals
// Primal − Dual without the cancellation, so it keeps its digits even if Primal and Dual agree in
// all of theirs. It is still computed in float64. The score of a row is a sum, and it is known to
// about 1e-16 of the terms of this sum. That error times the cost of the row is not part of Gap. It
// matters at costs from about 1e6: at a cost of 1e10, the gap of data of size 1 is known to 1e-6
// only.
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
	t := core.NewTaskIn(new(core.Workspace), workers, problem)
	proof := t.Certify(beta)
	if proof == nil {
		return nil, part.err(t.KernelRows().Err)
	}
	proof.Box = max(proof.Box, left)
	return part.proof(proof), nil
}

// newModel returns the model of a plane, and of the β of a task of the reduced problem p.
func newModel(p reducedProblem, t *core.Task, beta []float64, plane core.Plane) *Model {
	m := &Model{Kernel: p.Kernel, Weights: plane.W, Bias: plane.Bias, Dim: t.Dim,
		Regression: p.Regression(), OneClass: p.nu > 0,
		Features: p.Data.Features, Label: p.Data.Label}
	if !m.Regression {
		m.Classes = p.Data.Classes
	}
	// first counts the support vectors of each block, and then holds the number of the first one.
	first := core.EachBlock(t, func(from, to int) (support int) {
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
