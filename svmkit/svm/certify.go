package svm

import (
	"context"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Proof is a certificate with the parts that it was made of.
type Proof struct {
	svmkit.Certificate
	Box      float64 // by how much some βᵢ had to be moved into its box
	Equality float64 // |Σβᵢ| before it was repaired; 0 without a free bias

	Beta []float64 // the feasible β that Dual belongs to

	// BiasMin and BiasMax bound the biases that give the smallest primal objective for
	// w = Σ βᵢφ(xᵢ); the model's bias is their middle. With a free support vector and an exact
	// β they are equal; with none they may be far apart (note D, eq. 5, wrongly averages over
	// all support vectors). Both are the bias itself unless it is free.
	BiasMin, BiasMax float64

	scale float64   // the model is scale·Σ βᵢφ(xᵢ); 1 except under a hard margin
	w     []float64 // the model's w, for a linear problem
	bias  float64   // the model's bias
}

// Model returns the machine that proof speaks of: Primal is its objective. The proof must
// come from [Problem.Certify] or [Fit] for this very problem.
func (p *Problem) Model(proof *Proof) *Model { return newModel(p, newTask(p), proof) }

// Certify rebuilds, from the data and β alone, the primal and the dual objective, their
// gap and the largest violation of the optimality conditions. β holds one number a row,
// βᵢ = αᵢyᵢ in classification, αᵢ⁻ − αᵢ⁺ in regression. Whoever computed it is not asked: a β
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
// plane infinite: there a violation of up to 1e-6·max(1, |y|) is charged at the price
// max(1, 2·max|βᵢ|). A price above all |βᵢ| of the solution has the hard tube's solution, so
// a gap of zero still proves it.
//
// Gap is added up row by row from the terms of Fenchel and Young, φᵢ(f) + φᵢ*(−βᵢ) + βᵢf ≥ 0,
// which is Primal − Dual without its cancellation: it keeps its digits where the two agree in
// all of theirs. It is computed in float64 all the same: the score of a row is known to some 1e-16 of the terms it is
// the sum of, and times the row's price that is not in Gap. It counts at prices from 1e6 or so: at 1e10 the gap of
// data of size 1 is known to 1e-6, and no smaller one can be relied on.
//
// Cost: O(nnz) for a linear problem, n kernel values a support vector otherwise. An indefinite
// kernel makes the dual value meaningless as a bound: then Gap is +Inf.
func (p *Problem) Certify(beta []float64) (*Proof, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(beta) != p.Data.Len() {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	for i, v := range beta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: svmkit.ErrNotFinite}
		}
	}
	t := newTask(p)
	proof := t.certify(beta)
	if proof == nil {
		return nil, t.kernelRows().err
	}
	return proof, nil
}

// certify is Certify for a valid task and a finite β, which it does not change.
func (t *task) certify(beta []float64) *Proof { return t.certifyUntil(context.Background(), beta) }

// certifyUntil is certify, or nil if ctx ends before it is done or the kernel has no finite
// value for two rows: then t.kernelRows().err names them.
func (t *task) certifyUntil(ctx context.Context, beta []float64) *Proof {
	proof := &Proof{scale: 1, Beta: make([]float64, len(beta))}
	proof.Box, proof.Equality = t.repair(proof.Beta, beta)
	scores := t.scoresWithoutBias(ctx, proof)
	if scores == nil {
		return nil
	}
	square, lost := 0.0, 0.0 // ‖w‖², and what rounding has taken from one that came out negative
	if t.linear() {
		defer t.memory.handBack(scores)
		square = svmkit.Dense(proof.w...).SquaredNorm()
	} else {
		for i, v := range proof.Beta {
			square += v * scores[i]
		}
		if square < 0 && t.definite() && -square <= t.roundingOfSquare(proof.Beta) {
			square, lost = 0, -square
		}
	}
	indefinite := !t.definite() || square < 0
	square += t.addBias(proof, scores, t.sumOf(proof.Beta))
	t.objectives(proof, scores, square)
	if lost > 0 {
		proof.Gap += lost
		proof.Dual -= lost
	}
	if indefinite {
		proof.Gap = math.Inf(1)
	}
	proof.settle()
	return proof
}

// roundingOfSquare bounds what rounding can make of Σᵢⱼ βᵢβⱼK(xᵢ,xⱼ) where that is 0, for a kernel that is taken to
// be positive semidefinite: no value of it is larger than the largest K(xᵢ,xᵢ), each carries the rounding of its
// columns and of a few functions, and the sums are of as many terms as there are β ≠ 0, twice. It is 0 if the
// kernel fails.
func (t *task) roundingOfSquare(beta []float64) float64 {
	const functions = 64 // of a kernel's power or exponential, in roundings
	rows := t.kernelRows()
	evaluator, value := rows.Evaluator(), make([]float64, 1)
	size, largest, terms := 0.0, 0.0, 0
	for i, v := range beta {
		if v == 0 {
			continue
		}
		if evaluator.Row(value, i, rows.all[i:i+1]) != nil {
			return 0
		}
		size, largest, terms = size+math.Abs(v), max(largest, math.Abs(value[0])), terms+1
	}
	return float64(2*terms+t.dim+functions) * epsilon * largest * size * size
}

// settle puts the bounds that always hold in the place of those that are no numbers because a sum
// has outgrown float64.
func (p *Proof) settle() {
	for _, v := range []struct {
		value *float64
		bound float64
	}{{&p.Primal, math.Inf(1)}, {&p.Dual, math.Inf(-1)}, {&p.Gap, math.Inf(1)}, {&p.KKT, math.Inf(1)}} {
		if math.IsNaN(*v.value) {
			*v.value = v.bound
		}
	}
}

// finite reports whether the numbers of the model are: a solver's arithmetic may have overflowed.
func (p *Proof) finite() bool {
	sum := p.bias - p.bias
	for _, v := range [2][]float64{p.w, p.Beta} {
		for _, x := range v {
			sum += x - x // 0, or NaN from the first bad number on
		}
	}
	return sum == 0
}

// certifyPlane certifies the plane (w, b) of a linear task together with β, where w is not Σβᵢxᵢ to the
// last bit: with z = Σβᵢxᵢ the gap is that of the Fenchel–Young terms at (w, b) and ½‖w − z‖² (for a
// penalized bias also ½(b − Σβᵢ)²). It is for the case that β, whatever its last bits, cannot say w
// exactly enough: with columns of size 10⁶ the rounding of β alone moves scores by 10⁻⁴.
func (t *task) certifyPlane(w []float64, b float64, beta []float64) *Proof {
	proof := &Proof{scale: 1, Beta: make([]float64, len(beta)), w: append([]float64(nil), w...)}
	proof.Box, proof.Equality = t.repair(proof.Beta, beta)
	z, scores := t.weights(context.Background(), proof.Beta), t.planeScores(context.Background(), w)
	defer t.memory.handBack(scores)
	square, apart := svmkit.Dense(w...).SquaredNorm(), 0.0
	for j, v := range z {
		apart += (w[j] - v) * (w[j] - v)
	}
	square += t.addBias(proof, scores, b)
	if t.bias == svmkit.PenalizedBias {
		apart += (b - t.sumOf(proof.Beta)) * (b - t.sumOf(proof.Beta))
	}
	t.objectives(proof, scores, square)
	proof.Gap += apart / 2
	proof.Dual = proof.Primal - proof.Gap
	proof.settle()
	return proof
}

// addBias gives the proof its bias, and the scores too: b if it is penalized, the best there is if
// it is free. It returns what the bias adds to ‖w‖².
func (t *task) addBias(proof *Proof, scores []float64, b float64) (square float64) {
	switch t.bias {
	case svmkit.PenalizedBias:
		proof.bias, proof.BiasMin, proof.BiasMax = b, b, b
		square = b * b
	case svmkit.FreeBias:
		proof.BiasMin, proof.BiasMax = t.bestBias(scores)
		proof.bias = proof.BiasMin + (proof.BiasMax-proof.BiasMin)/2
		if math.IsInf(proof.bias, 0) { // both as large as numbers get
			proof.bias = proof.BiasMin/2 + proof.BiasMax/2
		}
		if math.IsNaN(proof.bias) { // prices or scores add up to more than float64 holds: one bias is as good as another
			proof.bias, proof.BiasMin, proof.BiasMax = 0, 0, 0
		}
	}
	if t.bias != svmkit.NoBias {
		t.doRows(func(from, to int) {
			for i := from; i < to; i++ {
				scores[i] += proof.bias
			}
		})
	}
	return square
}

// objectives fills in Primal, Dual, Gap and KKT for the scores f(xᵢ) and ‖w‖² (with the
// bias's share if it is penalized).
func (t *task) objectives(proof *Proof, scores []float64, square float64) {
	charge := t.charge(proof, scores)
	parts := make([]tally, (len(scores)+tallyRows-1)/tallyRows)
	t.doRows(func(from, to int) {
		parts[from/tallyRows] = t.tally(charge, proof.Beta, scores, from, to)
	})
	proof.Dual = -square / 2
	for _, p := range parts {
		proof.KKT = max(proof.KKT, p.kkt)
		proof.Dual += p.dual
		proof.Primal += p.loss
		proof.Gap += p.excess
	}
	proof.Primal += square / 2
	if !t.hard() || t.twoSided() {
		if !math.IsInf(proof.Gap, 1) { // equal up to rounding; so Dual ≤ Primal always
			proof.Dual = proof.Primal - proof.Gap
		}
		return
	}
	scale := t.feasibleScale(scores)
	if scale == 0 {
		proof.Primal, proof.Gap = math.Inf(1), math.Inf(1)
		return
	}
	proof.Primal = square / 2 * scale * scale
	proof.Dual = min(proof.Dual, proof.Primal) // equal, but for rounding
	proof.Gap = proof.Primal - proof.Dual
	proof.scaleBy(scale)
}

func (p *Proof) scaleBy(scale float64) {
	p.scale = scale
	for j := range p.w {
		p.w[j] *= scale
	}
	p.bias, p.BiasMin, p.BiasMax = p.bias*scale, p.BiasMin*scale, p.BiasMax*scale
}

// feasibleScale returns the least factor ≥ 1 that makes a separating plane satisfy
// yf(x) ≥ 1 on all rows; 0 if the plane does not separate.
func (t *task) feasibleScale(scores []float64) float64 {
	least := math.Inf(1)
	for i, f := range scores {
		if t.under[i] > 0 {
			least = min(least, f)
		} else {
			least = min(least, -f)
		}
	}
	switch {
	case least >= 1:
		return 1
	case least > 0:
		return (1 + 4*epsilon) / least // so that rounding does not leave a violation
	}
	return 0
}

func (t *task) linear() bool { return linear(t.kernel) }

// linear reports whether k is the linear kernel; nil is.
func linear(k kernel.Kernel) bool {
	switch k.(type) {
	case nil, kernel.Linear:
		return true
	}
	return false
}

// definite reports whether the kernel is known to be positive semidefinite, or is the
// user's own responsibility.
func (t *task) definite() bool {
	k, ok := t.kernel.(interface{ Definite() bool })
	return !ok || k.Definite()
}
