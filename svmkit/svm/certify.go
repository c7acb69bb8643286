package svm

import (
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
// With a hard margin (C = +Inf) a plane that violates a constraint has an infinite objective;
// in classification w and b are therefore first scaled up until no constraint is violated, if
// the plane separates at all.
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
	return newTask(p).certify(beta), nil
}

// certify is Certify for a valid task and a finite β, which it does not change.
func (t *task) certify(beta []float64) *Proof {
	proof := &Proof{scale: 1, Beta: make([]float64, len(beta))}
	proof.Box, proof.Equality = t.repair(proof.Beta, beta)
	scores := t.scoresWithoutBias(proof)
	square := 0.0
	for i, v := range proof.Beta {
		square += v * scores[i]
	}
	if t.linear() {
		square = svmkit.Dense(proof.w...).SquaredNorm() // without the rounding of the scores
	}
	switch t.bias {
	case PenalizedBias:
		sum := 0.0
		for _, v := range proof.Beta {
			sum += v
		}
		proof.bias, proof.BiasMin, proof.BiasMax = sum, sum, sum
		square += sum * sum
	case FreeBias:
		proof.BiasMin, proof.BiasMax = t.bestBias(scores)
		proof.bias = proof.BiasMin + (proof.BiasMax-proof.BiasMin)/2
	}
	proof.Dual = -square / 2
	for i, v := range proof.Beta {
		proof.Dual += t.dual(i, v)
	}
	scale := t.feasibleScale(scores, proof.bias)
	proof.Primal = square / 2 * scale * scale
	for i, s := range scores {
		f := s + proof.bias
		from, to := t.optimal(i, proof.Beta[i])
		proof.KKT = max(proof.KKT, from-f, f-to)
		proof.Primal += t.loss(i, scale*f)
	}
	if scale != 1 {
		proof.scaleBy(scale)
	}
	proof.Gap = proof.Primal - proof.Dual
	if !t.definite() {
		proof.Gap = math.Inf(1)
	}
	return proof
}

func (p *Proof) scaleBy(scale float64) {
	p.scale = scale
	for j := range p.w {
		p.w[j] *= scale
	}
	p.bias, p.BiasMin, p.BiasMax = p.bias*scale, p.BiasMin*scale, p.BiasMax*scale
}

// feasibleScale returns the factor that makes a separating plane satisfy yf(x) ≥ 1 on all
// rows under a hard margin; 1 if the margin is soft or the plane does not separate.
func (t *task) feasibleScale(scores []float64, b float64) float64 {
	least := math.Inf(1)
	for i, s := range scores {
		switch {
		case math.IsInf(t.under[i], 1) && t.over[i] == 0:
			least = min(least, s+b)
		case math.IsInf(t.over[i], 1) && t.under[i] == 0:
			least = min(least, -s-b)
		}
	}
	if least >= 1 || !(least > 0) {
		return 1
	}
	return (1 + 4*epsilon) / least // so that rounding does not leave a violation
}

// repair copies β into to, moved into its box and, with a free bias, to Σβᵢ = 0 (up to
// rounding). It returns how far off β was.
func (t *task) repair(to, beta []float64) (box, equality float64) {
	sum := 0.0
	for i, v := range beta {
		lo, hi := t.box(i)
		to[i] = min(max(v, lo), hi)
		box = max(box, math.Abs(to[i]-v))
		sum += to[i]
	}
	if t.bias != FreeBias {
		return box, 0
	}
	equality = math.Abs(sum)
	// Take the excess from those that are away from their bounds first: their scores are on
	// an edge, so moving them costs the dual only in second order. Each round spreads it in
	// proportion to the room, so no value leaves its box.
	for _, free := range []bool{true, false} {
		room := 0.0
		for i := range to {
			room += t.room(i, to[i], sum, free)
		}
		if !(room > 0) {
			continue
		}
		part := min(1, math.Abs(sum)/room)
		moved := math.Copysign(1, sum)
		sum = 0
		for i := range to {
			to[i] -= moved * part * t.room(i, to[i], moved, free)
			sum += to[i]
		}
	}
	return box, equality
}

// room returns how far βᵢ can move against the sign of excess: to its bound, or for an open side by 1
// or its own size. With free, only a βᵢ strictly inside of its box has room, and only up to 0.
func (t *task) room(i int, beta, excess float64, free bool) float64 {
	lo, hi := t.box(i)
	if free {
		if beta == 0 || beta == lo || beta == hi {
			return 0
		}
		if beta > 0 {
			lo = 0
		} else {
			hi = 0
		}
	}
	room := beta - lo
	if excess < 0 {
		room = hi - beta
	}
	if math.IsInf(room, 1) {
		return max(1, math.Abs(beta))
	}
	return room
}

func (t *task) linear() bool {
	switch t.kernel.(type) {
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

// scoresWithoutBias returns ⟨w,φ(xᵢ)⟩ for all rows, and sets proof.w for a linear task.
func (t *task) scoresWithoutBias(proof *Proof) []float64 {
	scores := make([]float64, t.len())
	if t.linear() {
		proof.w = make([]float64, t.dim)
		for i, v := range proof.Beta {
			if v != 0 {
				t.x[i].AddTo(proof.w, v)
			}
		}
		for i, x := range t.x {
			scores[i] = x.Dot(proof.w)
		}
		return scores
	}
	for j, v := range proof.Beta {
		if v == 0 {
			continue
		}
		for i, x := range t.x {
			scores[i] += v * t.kernel.Eval(x, t.x[j])
		}
	}
	return scores
}
