package svmkit

import (
	"math"
	"time"
)

// Certificate is the proof that comes with a fit. Its numbers are recomputed from the data
// and the dual variables, never taken from a solver's running sums, so a solver cannot
// grade itself.
//
// Weak duality puts the optimum between Dual and Primal: whatever the solver did, the
// model's objective is at most Gap above the best possible one.
type Certificate struct {
	Primal float64 // value of the primal objective at the model
	Dual   float64 // value of the dual objective at a feasible α
	Gap    float64 // Primal − Dual, ≥ 0 up to rounding
	KKT    float64 // largest violation of the optimality conditions
}

// RelativeGap returns Gap / max(1, |Primal|, |Dual|): the unit in which tolerances
// are given. An infinite gap stays infinite.
func (c Certificate) RelativeGap() float64 {
	if math.IsInf(c.Gap, 1) {
		return c.Gap
	}
	return c.Gap / max(1, math.Abs(c.Primal), math.Abs(c.Dual))
}

// Unproved is the certificate where none has been made: it puts the optimum anywhere, and its gap is +Inf.
func Unproved() Certificate {
	return Certificate{Primal: math.Inf(1), Dual: math.Inf(-1), Gap: math.Inf(1), KKT: math.Inf(1)}
}

// ProgressEvery is the longest time without a call of a progress function: where a computation has nothing new to
// tell it repeats what it has told, a tick. One step that cannot be interrupted, such as a certificate or the
// factors of a matrix, may take longer.
const ProgressEvery = 250 * time.Millisecond

// Progress is what a long computation tells its caller now and then, and at least every [ProgressEvery]. The caller's
// function returns false to stop it. Certificate is that of the iterate if Certified; in a tick it is the best so
// far, [Unproved] before the first. So it is always where no certificates are made, as by a perceptron.
type Progress struct {
	Iteration int  // of the algorithm so far: passes over the data, Newton steps; models trained by package tune
	Total     int  // iterations in all; 0 if that is not known
	Updates   int  // changes of the model so far
	Certified bool // Certificate was made for this call
	Certificate
}
