package core

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// ValidateBeta returns nil, or a [*svmkit.DataError] if beta does not consist of n finite numbers.
// The caller knows beta by the given name.
func ValidateBeta(name string, beta []float64, n int) error {
	if len(beta) != n {
		err := fmt.Errorf("%w: %s has %d numbers, and must have one for each of %d rows, in their "+
			"order", svmkit.ErrMismatch, name, len(beta), n)
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: err}
	}
	for i, v := range beta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v,
				Err: fmt.Errorf("%s: %w", name, svmkit.ErrNotFinite)}
		}
	}
	return nil
}

// Certify is svm.Problem.Certify for a valid task and a finite β, which it does not change. It
// returns nil if the kernel fails; KernelRows.Err then holds the error.
func (t *Task) Certify(beta []float64) *Proof { return t.certifyUntil(context.Background(), beta) }

// certifyUntil is Certify, but returns nil if ctx ends first. It also returns nil if the kernel has
// no finite value for two rows; KernelRows.Err then names them.
func (t *Task) certifyUntil(ctx context.Context, beta []float64) *Proof {
	proof := &Proof{Plane: Plane{Scale: 1}, Beta: make([]float64, len(beta))}
	proof.Box, proof.Equality = t.Repair(proof.Beta, beta)
	scores := t.ScoresWithoutBias(ctx, proof)
	if scores == nil {
		return nil
	}
	square, lost := 0.0, 0.0 // ‖w‖², and what was added to it if rounding made it negative
	if t.Linear() {
		defer t.Memory.put(scores)
		square = svmkit.Dense(proof.W...).SquaredNorm()
	} else {
		for i, v := range proof.Beta {
			square += v * scores[i]
		}
		if square < 0 && t.Definite() && -square <= t.roundingOfSquare(proof.Beta) {
			square, lost = 0, -square
		}
	}
	indefinite := !t.Definite() || square < 0
	square += t.addBias(proof, scores, t.sumOf(proof.Beta))
	t.objectives(proof, scores, square)
	proof.Gap, proof.Dual = proof.Gap+lost, proof.Dual-lost
	if indefinite {
		proof.Gap = math.Inf(1)
	}
	proof.replaceNaN()
	return proof
}

// roundingOfSquare bounds the absolute rounding error of Σᵢⱼ βᵢβⱼK(xᵢ,xⱼ), for a kernel that counts
// as positive semidefinite. No value of such a kernel is larger than the largest K(xᵢ,xᵢ). Each
// value carries the rounding of its columns and of a few functions, and two sums of as many terms
// as there are β ≠ 0 carry theirs. It returns 0 if the kernel fails.
func (t *Task) roundingOfSquare(beta []float64) float64 {
	const functions = 64 // roundings in a power or an exponential
	rows := t.KernelRows()
	evaluator, value := rows.Evaluator(), make([]float64, 1)
	size, largest, terms := 0.0, 0.0, 0
	for i, v := range beta {
		if v == 0 {
			continue
		}
		if evaluator.Row(value, i, rows.All[i:i+1]) != nil {
			return 0
		}
		size, largest, terms = size+math.Abs(v), max(largest, math.Abs(value[0])), terms+1
	}
	return float64(2*terms+t.Dim+functions) * Roundoff * largest * size * size
}

// CertifyPlane certifies the plane (w, b) of a linear task together with β, where w need not be
// Σβᵢxᵢ to the last bit. With z = Σβᵢxᵢ the gap is the sum of the Fenchel–Young terms at (w, b),
// plus ½‖w − z‖², plus ½(b − Σβᵢ)² for a penalized bias. It is for columns so large that no β in
// float64 gives w exactly enough: with columns of size 10⁶, the rounding of β alone moves scores by
// 10⁻⁴.
func (t *Task) CertifyPlane(w []float64, b float64, beta []float64) *Proof {
	proof := &Proof{Plane: Plane{Scale: 1, W: append([]float64(nil), w...)},
		Beta: make([]float64, len(beta))}
	proof.Box, proof.Equality = t.Repair(proof.Beta, beta)
	z, scores := t.weights(context.Background(), proof.Beta), t.planeScores(context.Background(), w)
	defer t.Memory.put(scores)
	square, apart := svmkit.Dense(w...).SquaredNorm(), 0.0
	for j, v := range z {
		apart += (w[j] - v) * (w[j] - v)
	}
	square += t.addBias(proof, scores, b)
	if t.Bias == svmkit.PenalizedBias {
		apart += (b - t.sumOf(proof.Beta)) * (b - t.sumOf(proof.Beta))
	}
	t.objectives(proof, scores, square)
	proof.Gap += apart / 2
	proof.Dual = proof.Primal - proof.Gap
	proof.replaceNaN()
	return proof
}

// addBias sets the bias of the proof and adds it to the scores. A penalized bias is b, and a free
// bias is the best one for the scores. addBias returns what the bias adds to ‖w‖².
func (t *Task) addBias(proof *Proof, scores []float64, b float64) (square float64) {
	switch t.Bias {
	case svmkit.PenalizedBias:
		proof.Bias, proof.BiasMin, proof.BiasMax = b, b, b
		square = b * b
	case svmkit.FreeBias:
		proof.BiasMin, proof.BiasMax = t.BestBias(scores)
		proof.Bias = proof.BiasMin + (proof.BiasMax-proof.BiasMin)/2
		if math.IsInf(proof.Bias, 0) { // both ends are as large as numbers get
			proof.Bias = proof.BiasMin/2 + proof.BiasMax/2
		}
		if math.IsNaN(proof.Bias) { // a sum of costs or scores has overflowed: any bias is valid
			proof.Bias, proof.BiasMin, proof.BiasMax = 0, 0, 0
		}
	}
	if t.Bias != svmkit.NoBias {
		t.DoRows(func(from, to int) {
			for i := from; i < to; i++ {
				scores[i] += proof.Bias
			}
		})
	}
	return square
}

// objectives sets Primal, Dual, Gap and KKT for the scores f(xᵢ) and square, which is ‖w‖²
// including the share of a penalized bias.
func (t *Task) objectives(proof *Proof, scores []float64, square float64) {
	proof.Floor = t.Floor()
	charged := t.primalLosses(proof, scores)
	proof.Dual = -square / 2
	for _, p := range EachBlock(t, func(from, to int) partialSums {
		return t.partialSums(charged, proof.Beta, scores, from, to)
	}) {
		proof.KKT = max(proof.KKT, p.kkt)
		proof.Dual += p.dual
		proof.Primal += p.loss
		proof.Gap += p.excess
	}
	proof.Primal += square / 2
	if t.Sum > 0 {
		proof.Primal += t.Sum * proof.Bias
	}
	if !t.Hard || t.TwoSided {
		t.addUnderflow(proof)
		if !math.IsInf(proof.Gap, 1) { // equal up to rounding, and so Dual ≤ Primal always
			proof.Dual = proof.Primal - proof.Gap
		} else if !t.Hard {
			proof.Dual = math.Inf(-1) // a sum has overflowed
		}
		return
	}
	scale, lost := t.feasibleScale(proof, scores)
	for _, v := range proof.Beta {
		square += lost * math.Abs(v)
		proof.Dual -= lost * math.Abs(v) / 2
	}
	if scale == 0 {
		proof.Primal, proof.Gap = math.Inf(1), math.Inf(1)
		return
	}
	proof.scaleBy(scale)
	switch {
	case t.Linear(): // ‖w‖² before scaling may underflow
		square = svmkit.Dense(proof.W...).SquaredNorm()
		if t.Bias == svmkit.PenalizedBias {
			square += proof.Bias * proof.Bias
		}
		proof.Primal = square / 2
	case square < smallestNormal:
		proof.Primal = math.Inf(1) // ‖w‖² may be the rest of an underflow
	default:
		proof.Primal = square / 2 * scale * scale
	}
	t.addUnderflow(proof)
	proof.Dual = min(proof.Dual, proof.Primal) // equal up to rounding
	proof.Gap = proof.Primal - proof.Dual
}

// addUnderflow adds what underflow can have hidden, if the objective is so small that it counts.
func (t *Task) addUnderflow(proof *Proof) {
	const product = 0x1p-1060 // more than the products of one row can lose
	lost := product * float64(t.Len()+t.Dim)
	if t.Kind == Absolute && !t.Hard && (t.TwoSided || t.Sum > 0) { // scores near 0, times costs
		lost += t.SumRows(func(from, to int) (sum float64) {
			for _, l := range t.Loss[from:to] {
				sum += product * max(l.Under, l.Over)
			}
			return sum
		})
	}
	isSet := func(v float64) bool { return v != 0 }
	exact := proof.Primal == 0 && proof.Gap == 0 && t.constantIsOptimal() &&
		!slices.ContainsFunc(proof.Beta, isSet) // w may have underflowed
	if exact || lost < Roundoff*math.Abs(proof.Primal) {
		return
	}
	proof.Primal, proof.Dual, proof.Gap = proof.Primal+lost, proof.Dual-lost, proof.Gap+2*lost
}

// feasibleScale returns the least factor ≥ 1 by which a separating plane must be scaled to satisfy
// yf(x) ≥ 1 on all rows. It returns 0 if the plane does not separate. If the rounding of scores is
// more than a small share of the smallest margin, it is taken off that margin and returned.
func (t *Task) feasibleScale(proof *Proof, scores []float64) (scale, lost float64) {
	const share = 1e-9
	least, rounding := math.Inf(1), t.scoreRounding(proof)
	for i, f := range scores {
		if t.Loss[i].Over > 0 {
			f = -f
		}
		least, lost = min(least, f), max(lost, rounding(i))
	}
	if lost <= share*least {
		lost = 0
	}
	switch least -= lost; {
	case least >= 1:
		return 1, lost
	case least > 0:
		return (1 + 4*Roundoff) / least, lost // so that rounding leaves no violation
	}
	return 0, lost
}
