package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// descent is the state of dual coordinate descent on a linear task.
type descent struct {
	t   *core.Task
	r   *core.Run
	rng *rand.Rand

	sweep
	centre        float64 // share·b₀, see bias.go; 0 without bias
	share         float64 // in (0, 1]
	relaxation    float64 // of the step from b₀ to b, 1 … maxRelaxation
	maxRelaxation float64 // firstMaxRelaxation; halved after each overshoot, down to safeRelaxation

	visits    int     // of rows, in all epochs
	active    int     // number of active rows
	runLength int     // of neighbours that are visited one after the other, ≥ 1
	runOrder  []int32 // scratch
	prefetch  bool    // the data is larger than a cache

	wasFull   bool    // the last epoch visited all rows
	imbalance float64 // Σβᵢ − rb
	size      float64 // 1 + Σ|w| at the last rebuild

	keepAll       bool    // never shrink
	restoreAt     float64 // make all rows active when the violation of the active ones falls to this
	restored      bool    // the next epoch is the first after that
	lastViolation float64 // of the epoch after the last restore
	noShrink      int     // epochs left in which no row is shrunk
	nextNoShrink  int     // their number after the next restore that finds no progress

	ratio   float64 // estimate/gap at which a certificate is due, in units of the tolerance
	checked float64 // the estimate at the last certificate
}

func newDescent(t *core.Task, r *core.Run, rng *rand.Rand) *descent {
	n := t.Len()
	d := &descent{t: t, r: r, rng: rng, visits: r.Iterations * n,
		sweep: sweep{x: t.X, loss: t.Loss, q: make([]float64, n), beta: r.Beta, unchanged: make([]uint8, n),
			w: make([]float64, t.Dim), order: make([]int32, n)},
		restoreAt: math.Inf(1), lastViolation: math.Inf(1), nextNoShrink: firstNoShrink,
		ratio: firstRatio, checked: math.Inf(1)}
	numbers := 0
	for i := range t.X {
		d.q[i] = t.X[i].SquaredNorm()
		numbers += len(t.X[i].Value)
	}
	d.prepareBias()
	if r.Incumbent != nil { // of the start
		d.centre = d.share * r.Incumbent.Bias
	}
	for i := range d.q {
		d.q[i] += d.rho
	}
	if allLabelled(t) {
		d.labels = newLabels(t, d.q)
	}
	d.runLength = 1
	if bytes := 12*numbers + 128*n; bytes > cacheBytes {
		d.prefetch = true
		d.runLength = min(max(runBytes*n/bytes, 1), longestRun)
	}
	d.runOrder = make([]int32, (n+d.runLength-1)/d.runLength)
	d.rebuild()
	d.restore()
	return d
}

// epoch visits each active row once: runs of neighbours in random order, each forwards or backwards at
// random. It returns false if the context ended.
//
// Invariant: w and b belong to β before each visit, and each visit leaves the dual objective
// at least as high.
func (d *descent) epoch() bool {
	defer func() { d.r.Updates, d.updates = d.r.Updates+d.updates, 0 }()
	d.wasFull, d.gap, d.violation = d.active == d.t.Len(), 0, 0
	d.visits++ // an epoch is never free: so a limit on epochs ends every run
	order := d.runOrder[:(d.active+d.runLength-1)/d.runLength]
	for k := range order {
		order[k] = int32(k)
	}
	work := 0
	d.keep = d.keepAll || d.noShrink > 0
	d.draw(order, 0)
	d.draw(order, 1)
	for k := range order {
		d.draw(order, k+2)
		var next []int32 // the rows of the next run, if they are to be prefetched
		if d.prefetch && k+1 < len(order) {
			from := int(order[k+1]) * d.runLength
			next = d.order[from:min(from+d.runLength, d.active)]
		}
		if work > workBetweenChecks {
			if work = 0; d.r.Ended() {
				return false
			}
		}
		first := int(order[k]) * d.runLength
		s := run{first, 1, min(d.runLength, d.active-first)}
		if d.rng.Uint32()&1 == 0 {
			s.first, s.step = first+s.count-1, -1
		}
		if d.labels != nil {
			work += d.visitLabelled(s, next)
		} else {
			work += d.visitAny(s, next)
		}
	}
	d.visits += d.active
	d.shrink()
	d.judgeRestore()
	if d.shrinkAbove = d.violation; d.shrinkAbove == 0 {
		d.shrinkAbove = math.Inf(1)
	}
	if math.IsInf(d.restoreAt, 1) {
		d.restoreAt = d.violation * firstRestore
	}
	return true
}

// draw chooses at random which run is visited as number k, and prefetches the header of its first row.
func (d *descent) draw(order []int32, k int) {
	if k >= len(order) {
		return
	}
	j := k + int(d.rng.Uint32N(uint32(len(order)-k)))
	order[k], order[j] = order[j], order[k]
	if d.prefetch {
		i := d.order[int(order[k])*d.runLength]
		simd.Prefetch(&d.x[i])
		d.prefetchLoss(int(i))
	}
}

// A run of neighbours covers about runBytes, so that its rows share cache lines, and at most longestRun
// rows. On wordnet_nv, hinge and squared hinge to 1e-3, runs of one row take twice the time and runs of four
// 1.1 to 1.4 times; bench/README.md has longer ones. Data of up to cacheBytes, less than any set of the
// benchmark, has runs of one row, whose order is the most random.
const (
	runBytes   = 4096
	longestRun = 16
	cacheBytes = 1 << 18
)

// workBetweenChecks is the number of values touched between two checks of the context: well under a
// millisecond. No row of the benchmark depends on it within a factor of 8.
const workBetweenChecks = 1 << 17

// rebuild computes w, b and the dual objective from β, so that rounding does not accumulate.
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
// in a score.
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
