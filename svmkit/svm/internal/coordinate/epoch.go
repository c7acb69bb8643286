package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// descent is the state of dual coordinate descent on a linear task. Between steps
// w = Σβᵢxᵢ and b = centre + ρΣβᵢ.
type descent struct {
	t    *core.Task
	r    *core.Run
	beta []float64 // r.beta, each in its box
	rng  *rand.Rand

	rows rows

	sweep
	centre  float64 // share·b₀, see freebias.go; 0 without bias
	share   float64 // in (0, 1]
	haste   float64 // by how much farther than to b the centre moves, 1 … fastest
	fastest float64 // mostHaste; halved whenever that was too far, down to relaxation

	visits int     // of rows, in all epochs
	active int     // how many rows of the field are
	run    int     // how many neighbours are visited one after the other, ≥ 1
	runs   []int32 // scratch: the order of the runs
	spread bool    // over more memory than a cache holds

	wasFull   bool    // the last epoch visited all rows
	imbalance float64 // Σβᵢ − rb
	size      float64 // 1 + Σ|w| when it was last rebuilt

	restoreAt float64 // take all rows back when the violation of the active ones is below
	tried     bool    // the active rows were solved, and all rows have just been taken back
	surprise  float64 // the violation of the epoch after the last time
	stay      int     // for how many epochs from now on no row is set aside
	longer    int     // for how many after the next surprise that is no smaller than the last
	trust     float64 // by which factor the estimate of the gap may be above the tolerance
	checked   float64 // the estimate of the last certificate
}

func newDescent(t *core.Task, r *core.Run, rng *rand.Rand) *descent {
	d := &descent{t: t, r: r, beta: r.Beta, rng: rng, visits: r.Iterations * t.Len(), sweep: sweep{w: make([]float64, t.Dim), order: make([]int32, t.Len())},
		restoreAt: math.Inf(1), trust: firstTrust, checked: math.Inf(1),
		surprise: math.Inf(1), longer: firstStay}
	d.rows = rows{x: t.X, loss: t.Loss, q: make([]float64, t.Len()), beta: r.Beta, calm: make([]uint8, t.Len())}
	numbers := 0
	for i := range t.X {
		d.rows.q[i] = t.X[i].SquaredNorm()
		numbers += len(t.X[i].Value)
	}
	d.prepareBias()
	if r.Incumbent != nil { // of the start
		d.centre = d.share * r.Incumbent.Bias
	}
	for i := range d.rows.q {
		d.rows.q[i] += d.rho
	}
	if allLabelled(t) {
		d.rows.labels = newLabels(t, d.rows.q)
	}
	d.run = 1
	if bytes := 12*numbers + 128*t.Len(); bytes > inCache {
		d.spread = true
		d.run = min(max(runBytes*t.Len()/bytes, 1), longestRun)
	}
	d.runs = make([]int32, (t.Len()+d.run-1)/d.run)
	d.rebuild()
	d.restore()
	return d
}

// epoch visits each active row once. Short runs of neighbours, which share the lines of a cache and
// follow each other in memory, are visited one after the other, forwards or backwards; the runs
// come in random order. It returns false if the context ended.
//
// Invariant: w and b belong to β before each visit, and each visit leaves the dual objective
// at least as high.
func (d *descent) epoch() bool {
	defer func() { d.r.Updates, d.updates = d.r.Updates+d.updates, 0 }()
	d.wasFull, d.gap, d.violation = d.active == d.t.Len(), 0, 0
	d.visits++ // an epoch is never free: so a limit on epochs ends every run
	runs := d.runs[:(d.active+d.run-1)/d.run]
	for k := range runs {
		runs[k] = int32(k)
	}
	work := 0
	d.keep = d.stay > 0
	d.draw(runs, 0)
	d.draw(runs, 1)
	for k := range runs {
		d.draw(runs, k+2)
		var next []int32 // the rows of the next run, if they are to be asked for
		if d.spread && k+1 < len(runs) {
			from := int(runs[k+1]) * d.run
			next = d.order[from:min(from+d.run, d.active)]
		}
		if work > workBetweenLooks {
			if work = 0; d.r.Ended() {
				return false
			}
		}
		first := int(runs[k]) * d.run
		s := stretch{first, 1, min(d.run, d.active-first)}
		if d.rng.Uint32()&1 == 0 {
			s.first, s.step = first+s.count-1, -1
		}
		if d.rows.labels != nil {
			work += d.visitLabelled(&d.rows, s, next)
		} else {
			work += d.visitAny(&d.rows, s, next)
		}
	}
	d.visits += d.active
	d.setAside()
	d.learn()
	if d.ease = d.violation; d.ease == 0 || d.keepAll {
		d.ease = math.Inf(1)
	}
	if math.IsInf(d.restoreAt, 1) {
		d.restoreAt = d.violation * firstRestore
	}
	return true
}

// draw chooses at random which run is visited as number k, and asks for what is needed to ask for
// its rows.
func (d *descent) draw(runs []int32, k int) {
	if k >= len(runs) {
		return
	}
	j := k + int(d.rng.Uint32N(uint32(len(runs)-k)))
	runs[k], runs[j] = runs[j], runs[k]
	if d.spread {
		i := d.order[int(runs[k])*d.run]
		simd.Prefetch(&d.rows.x[i])
		d.rows.askNumbers(int(i))
	}
}

// runBytes is about how much memory a run of neighbours covers, and longestRun how many they are at most.
// Longer runs are no faster, but the same rows in the same order epoch by epoch make coordinate
// descent slow where all rows pull at one direction (the bias, a column that is in every row). For
// the same reason there are no runs where all lies in a cache.
const (
	runBytes   = 4096
	longestRun = 16
	inCache    = 1 << 18
)

// workBetweenLooks is the number of values to touch between two looks at the context: well
// under a millisecond.
const workBetweenLooks = 1 << 17

// rebuild computes w, b and the dual objective from β, so that rounding does not pile up.
func (d *descent) rebuild() {
	clear(d.w)
	d.dual, d.sum = 0, 0
	for i, v := range d.beta {
		if v != 0 {
			rowAdd(&d.t.X[i], d.w, v)
			d.dual += d.t.Loss[i].Dual(v)
			d.sum += v
		}
	}
	d.b = d.centre + d.rho*d.sum
	d.size = 1
	for _, v := range d.w {
		d.dual -= v * v / 2
		d.size += math.Abs(v)
	}
	d.dual -= d.rho * d.sum * d.sum / 2
}

// exhausted reports whether the last epoch's largest violation is of the size of the rounding
// in a score, as far as the last rebuild knows that.
func (d *descent) exhausted() bool {
	return d.violation+math.Abs(d.imbalance) <= core.Roundoff*(d.size+math.Abs(d.b))
}

// rowDot returns ⟨w,x⟩.
func rowDot(x *svmkit.Row, w []float64) float64 {
	if x.Index == nil {
		return simd.Dot(x.Value, w)
	}
	return simd.DotSparse(x.Index, x.Value, w)
}

// rowAdd adds a·x to w.
func rowAdd(x *svmkit.Row, w []float64, a float64) {
	if x.Index == nil {
		simd.Axpy(a, x.Value, w)
	} else {
		simd.AxpySparse(a, x.Index, x.Value, w)
	}
}
