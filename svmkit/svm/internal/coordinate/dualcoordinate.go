// Package coordinate holds the solvers that change one dual variable at a time: dual coordinate descent on
// linear problems, with shrinking, and stochastic dual coordinate ascent as it is printed.
package coordinate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// cDualCoordinate is dual coordinate descent for linear problems with the hinge, squared hinge,
// ε-insensitive and squared ε-insensitive loss, with any bias.
//
// The primal problem and its dual, with dᵢ and the box of βᵢ from the package's page and
// φᵢ(s) = cᵢ·ℓ(s, yᵢ), are, without bias,
//
//	min ½‖w‖² + Σ φᵢ(⟨w,xᵢ⟩),    max −½‖Σβᵢxᵢ‖² + Σ dᵢ(βᵢ)
//
// A step takes one row, sets βᵢ to the exact maximiser of the dual with all else fixed, and
// keeps w = Σβᵢxᵢ up to date, at the cost of one inner product:
//
//	βᵢ ← the β in the box that maximises −½q(β − βᵢ)² − f(xᵢ)(β − βᵢ) + dᵢ(β),   q = ‖xᵢ‖²
//
// A bias adds a scalar to f(xᵢ) and to q; freebias.go says how.
//
// The rows come in a new random order each epoch, in short runs of neighbours if they are many.
// Rows whose βᵢ stands at a corner (0 or the end of its box), with a score safely on the right
// side or for several visits, are set aside. The certificate, which looks at all rows, decides the
// end; if it fails they are taken back.
//
// Source: Hsieh, Chang, Lin, Keerthi, Sundararajan (2008), "A Dual Coordinate Descent Method
// for Large-scale Linear SVM", Algorithm 3 (shrinking); for regression Ho and Lin (2012),
// "Large-scale Linear Support Vector Regression", Algorithm 3. The treatment of
// the bias is an addition.
type DualCoordinate struct {
	KeepAll bool // visit all rows in each epoch: no shrinking
}

func (DualCoordinate) Name() string { return "dual coordinate descent" }

func (DualCoordinate) Accepts(t *core.Task) error {
	switch {
	case !t.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", t.Kernel), Need: "must be linear for DualCoordinate"}
	case t.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "has no coordinate step in closed form: not for DualCoordinate"}
	}
	return nil
}

func (s DualCoordinate) Solve(t *core.Task, r *core.Run) error {
	d := newDescent(t, r, rand.New(rand.NewPCG(r.Seed, 0)))
	d.keepAll = s.KeepAll
	d.descend()
	return nil
}

// descend makes epochs until the run is over.
func (d *descent) descend() {
	milestone, gap, highest, idle := firstMilestone, math.Inf(1), math.Inf(-1), 0
	for r := d.r; !r.Ended(); {
		if !d.epoch() {
			return
		}
		r.Iterations = d.visits / d.t.Len() // passes over the data: sweeps over a few active rows are cheap
		full := d.wasFull
		d.moveCentre()
		switch {
		case r.Iterations >= milestone:
			if d.check() {
				return
			}
			rises := d.dual > highest+riseShare*r.Incumbent.Gap
			highest = max(highest, d.dual)
			if idle++; r.Incumbent.Gap <= stallShare*gap || rises || r.Iterations < stallAfter {
				gap, idle = r.Incumbent.Gap, 0
			}
			if idle == patience {
				r.Stall("eight times as many passes did not bring the gap down nor the dual objective up")
				return
			}
			milestone = 2 * r.Iterations
		case d.promising():
			if d.check() {
				return
			}
		case !full && d.violation <= d.restoreAt:
			d.restore()
			d.restoreAt *= nextRestore
			d.tried = true
		case full && d.exhausted():
			d.check()
			r.Stall("no coordinate can raise the dual objective beyond rounding")
			return
		}
	}
}

// A certificate is made at each milestone, after 16, 32, 64, … passes, whatever the estimate
// says: so the caller hears of a long fit now and then, at no cost that counts. A gap that
// does not fall while the passes double three times has come to its rounding, unless the dual objective still
// rises: on badly scaled columns the primal one is no guide for long.
const (
	firstMilestone = 16
	stallAfter     = 1000 // passes: early on the best gap may be that of the start
	patience       = 3
	stallShare     = 0.9
	riseShare      = 0.01 // of the gap: what a rise from milestone to milestone has to be
)

// promising reports whether the last epoch's estimate of the gap is small enough for a
// certificate to be worth its cost, about four epochs.
func (d *descent) promising() bool {
	return d.estimate() <= min(d.trust*d.r.Tol*max(1, d.dual+d.gap), leastProgress*d.checked)
}

// estimate is what the last epoch says of the gap.
func (d *descent) estimate() float64 { return d.gap + d.biasGap() }

// check makes a certificate, of a balanced β, and learns from it what the estimate is worth. The
// estimate adds up what each row lacked when it was visited, before its step, so it is several
// times the gap after the epoch; but it knows nothing of the rows that are set aside.
func (d *descent) check() (done bool) {
	d.restore() // rows that were set aside are the first suspects if it fails
	d.balance()
	d.checked = d.estimate()
	if done = d.r.Check(); !done {
		d.rebuild()
		d.trust = min(caution*d.checked/d.r.Incumbent.Gap, 2*d.trust)
	}
	return done
}

const (
	firstTrust    = 1.3 // about right for the hinge; squares are better than that
	caution       = 0.8 // of what the last certificate has taught
	leastProgress = 0.7 // by which the estimate must fall from one certificate to the next
)
