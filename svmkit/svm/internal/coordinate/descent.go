// Package coordinate holds the solvers that change one dual variable at a time: dual coordinate
// descent with shrinking for linear problems, and stochastic dual coordinate ascent.
//
// Constants that depend on speed name the command that measures it. Where a comment names
// wordnet_nv, all glosses of WordNet, the command measures an eighth of them, wordnet_nv_eighth.
package coordinate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// DualCoordinate is dual coordinate descent for linear problems with the hinge, squared hinge,
// ε-insensitive and squared ε-insensitive loss, with any bias.
//
// The problem and its dual, without bias, with φᵢ, dᵢ and the box of βᵢ as in [core.Loss]:
//
//	min ½‖w‖² + Σ φᵢ(⟨w,xᵢ⟩),    max −½‖Σβᵢxᵢ‖² + Σ dᵢ(βᵢ),    w = Σβᵢxᵢ
//
// The update of one row maximises the dual over βᵢ ([core.Loss.Step]) and adds the change to w:
//
//	βᵢ ← argmax over v in the box of −½q(v − βᵢ)² − f(xᵢ)(v − βᵢ) + dᵢ(v),   q = ‖xᵢ‖²
//
// For the hinge, with αᵢ = yᵢβᵢ, this is αᵢ ← min(max(αᵢ + (1 − yᵢf(xᵢ))/q, 0), cᵢ). A bias adds a
// scalar to f(xᵢ) and to q: see bias.go. The names G, PG, QD, D and U are those of Hsieh et al.,
// who minimise the negative of the dual; here G and PG have the opposite sign.
//
// An epoch visits the active rows once, in a new random order. Rows at a corner of the dual, which
// is 0 or an end of the box, are shrunk: see shrink.go. The certificate, which covers all rows,
// decides when the fit ends. If it fails, all rows become active again. After many passes, the mean
// of β over the last passes is certified as well: see mean.go.
//
// Sources: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), "A Dual Coordinate Descent Method
// for Large-scale Linear SVM", Algorithm 3; for regression Ho and Lin (2012), "Large-scale Linear
// Support Vector Regression", Algorithm 3. They do not have the free bias.
type DualCoordinate struct {
	KeepAll bool // visit all rows in each epoch: no shrinking
}

func (DualCoordinate) Name() string { return "dual coordinate descent" }

func (DualCoordinate) Accepts(f core.Form) error {
	switch {
	case !f.Linear():
		return &svmkit.ParamError{Name: "Kernel", Value: fmt.Sprintf("%T", f.Kernel),
			Need: "must be linear for DualCoordinate", Hint: "use SMO or Decomposition for this kernel"}
	case f.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Loss", Value: "Logistic",
			Need: "is not supported by DualCoordinate", Hint: "use Newton"}
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
	milestone, gap, highest, failed := firstMilestone, math.Inf(1), math.Inf(-1), 0
	for r := d.r; !r.Ended(); {
		if !d.epoch() {
			return
		}
		// Iterations are passes over the data: epochs over a few active rows are cheap.
		r.Iterations = int(d.visits / int64(d.t.Len()))
		full := d.wasFull
		d.moveCentre()
		if d.average() {
			return
		}
		switch {
		case r.Iterations >= milestone:
			if d.check() {
				return
			}
			rises := d.dual > highest+riseShare*r.Incumbent.Gap
			highest = max(highest, d.dual)
			if failed++; r.Incumbent.Gap <= stallShare*gap || rises || r.Iterations < stallAfter {
				gap, failed = r.Incumbent.Gap, 0
			}
			if failed == stallMilestones {
				r.Stall("eight times as many passes did not bring the gap down nor the dual " +
					"objective up")
				return
			}
			milestone = 2 * r.Iterations
		case d.due():
			if d.check() {
				return
			}
		case !full && d.violation <= d.restoreAt:
			d.restore()
			d.restoreAt *= nextRestore
			d.restored = true
		case full && d.exhausted():
			d.check()
			r.Stall("no coordinate can raise the dual objective beyond rounding")
			return
		}
	}
}

// firstMilestone is the number of passes at the first milestone; each milestone doubles it. At a
// milestone a certificate is made whatever the estimate says, so that Progress is called during a
// long fit. On the drawn set of sparse rows, hinge to 1e-3, a first milestone of 4 takes a third
// longer; 64 makes no difference.
// Benchmark: go run -C tools ./bench -rows linear drawn,n=100000,d=50000,density=0.001
const firstMilestone = 16

// The run stalls if neither the gap nor the dual objective improves over three doublings of the
// passes. The gap alone may stay the same for long if the columns differ in scale. No row of the
// benchmark depends on these constants, because none stalls or comes to stallAfter passes: go run
// -C tools ./bench -rows linear,free -solver "dual coordinate descent"
const (
	stallAfter      = 1000 // passes
	stallMilestones = 3
	stallShare      = 0.9  // times the gap at the last improvement
	riseShare       = 0.01 // times the gap: the least rise of the dual objective that counts
)

// due reports whether the last epoch's estimate of the gap is small enough for a certificate, which
// costs about four epochs.
func (d *descent) due() bool {
	return d.estimate() <= min(d.target(), leastProgress*d.checked)
}

// target is the estimate at which the gap is likely to be at the tolerance.
func (d *descent) target() float64 {
	return d.ratio * d.overestimate() * d.r.Allowed(d.dual+d.gap)
}

// overestimate returns how much more than usual the estimate overstates the gap after an epoch that
// has lowered it much. It is 1 for losses with boxes, where the rows inside their boxes converge
// later than the others.
func (d *descent) overestimate() float64 {
	if d.t.Kind != core.Squared {
		return 1
	}
	return min(max(1, slowGapRatio/d.gapRatio), maxOverestimate)
}

// estimate is the last epoch's estimate of the gap.
func (d *descent) estimate() float64 { return d.gap + d.biasGap() }

// check certifies β, after balancing it, and compares the estimate with the true gap. The estimate
// adds up what each row lacked before its update, so it is several times the gap after the epoch.
// On the other hand it leaves out the rows that are shrunk.
func (d *descent) check() (done bool) {
	d.restore() // if the certificate fails, shrunk rows are the likely cause
	d.balance(d.beta, d.sum, d.epochBias)
	d.checked = d.estimate()
	if done = d.r.Check(); !done {
		d.rebuild()
		d.ratio = min(caution*d.checked/(d.overestimate()*d.r.Incumbent.Gap), 2*d.ratio)
	}
	return done
}

// On sparse text, hinge to 1e-3, other values take more passes or one more certificate. A
// firstRatio of 2 takes a third longer on the drawn set. On wordnet_nv, which takes eight passes, a
// caution of 0.4 takes two more, and a leastProgress of 0.2 three more. An overestimate of 1 after
// every epoch takes 12 % more passes and certificates with squared hinge to 1e-2, and 6 % more to
// 1e-3 (six sets of sparse rows, C = 0.1, 1 and 10). A slowGapRatio of 0.3 or 0.5 does about as
// well. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
// drawn,n=100000,d=50000,density=0.001
const (
	firstRatio      = 1.3
	caution         = 0.8 // times the ratio that the last certificate measured
	leastProgress   = 0.7 // the factor to which the estimate must fall between certificates
	slowGapRatio    = 0.4 // the gapRatio above which overestimate is 1
	maxOverestimate = 25
)

func newDescent(t *core.Task, r *core.Run, rng *rand.Rand) *descent {
	n := t.Len()
	d := &descent{t: t, r: r, rng: rng, visits: int64(r.Iterations) * int64(n),
		sweep: sweep{x: t.X, loss: t.Loss, diagQ: make([]float64, n), beta: r.Beta,
			idleVisits: make([]uint8, n),
			w:          make([]float64, t.Dim), order: make([]int32, n)},
		restoreAt: math.Inf(1), lastViolation: math.Inf(1), nextNoShrink: firstNoShrink,
		ratio: firstRatio, checked: math.Inf(1)}
	numbers := 0
	for i := range t.X {
		d.diagQ[i] = t.X[i].SquaredNorm()
		numbers += len(t.X[i].Value)
		if t.TwoSided {
			d.edge = max(d.edge, math.Abs(t.Loss[i].Low), math.Abs(t.Loss[i].High))
		}
	}
	d.longest = math.Sqrt(slices.Max(d.diagQ))
	if !t.TwoSided {
		d.edge = 1
	}
	d.prepareBias()
	if r.Incumbent != nil { // of the start
		d.centre = d.share * r.Incumbent.Bias
	}
	for i := range d.diagQ {
		d.diagQ[i] += d.rho
	}
	if allLabelled(t) {
		d.labels = newLabels(t, d.diagQ)
	}
	d.blockLength = 1
	if bytes := 12*numbers + 128*n; bytes > cacheBytes {
		d.prefetch = true
		d.blockLength = min(max(blockBytes*n/bytes, 1), maxBlockRows)
	}
	d.blockOrder = make([]int32, (n+d.blockLength-1)/d.blockLength)
	d.rebuild()
	d.restore()
	return d
}
