package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// Decomposition solves the dual of a kernel machine by working sets of about a thousand rows, for every
// kernel and every loss but the logistic. It is the fast one for the RBF kernel and many rows.
//
// The problem and the conditions of optimality are those of [SMO]. A round takes the rows that
// violate the conditions most, keeps half of the rows of the round before, and solves the
// problem in their β, all others fixed, by SMO's steps on a square of kernel values that is all there.
// Then the scores of all rows follow,
//
//	sᵢ ← sᵢ + Σⱼ (βⱼ − βⱼ′)·K(xᵢ,xⱼ),    j over the working set.
//
// These values are computed as a product of matrices, used, and forgotten: that is faster than to
// keep rows of K, where evaluations come by the hundred (T. Joachims, Making large-scale SVM
// learning practical, 1999, for working sets; Z. Wen et al., ThunderSVM, JMLR 19 (2018), for large ones).
//
// With the RBF kernel a round computes in float32. Its errors do no harm: when the rounds say that it
// is enough, all scores are computed anew in float64, which is what the certificate is made of, and
// where that disagrees the rounds go on from there. Rows that are equal, with equal labels, are one
// row at the sum of their prices.
//
// Not for a hard margin, nor for kernels that are known to be indefinite. An epoch is a round.
type Decomposition struct {
	WorkingSet  int   // rows of a working set; 0 means 1024. It is doubled where progress is slow
	MemoryBytes int64 // bound on the square of kernel values, 4·WorkingSet²; 0 means 256 MiB. 64 rows are held in any case
}

func (Decomposition) name() string { return "Decomposition" }

func (o Decomposition) accepts(t *task) error {
	switch {
	case t.logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition", Need: "cannot minimise the logistic loss"}
	case t.hard():
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition", Need: "needs a finite C: SMO is for the hard margin"}
	case !t.definite():
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition", Need: "needs a positive semidefinite kernel: SMO takes others"}
	case o.WorkingSet < 0:
		return &svmkit.ParamError{Name: "WorkingSet", Value: o.WorkingSet, Need: "must be positive (0 means 1024)"}
	case o.MemoryBytes < 0:
		return &svmkit.ParamError{Name: "MemoryBytes", Value: o.MemoryBytes, Need: "must be positive (0 means 256 MiB)"}
	}
	return nil
}

const (
	usualSet  = 1024
	leastSet  = 64
	innerTol  = 0.1 // of a round, relative to the violation that it starts from
	innerMost = 100 // steps of a round, for each row of the working set
)

func (o Decomposition) solve(t *task, r *run) error {
	d, err := newDecomposition(o, t, r)
	if err == nil {
		err = d.optimise()
		d.share(r.beta, d.beta)
	}
	if r.ctx.Err() != nil {
		r.ended()
		return nil // Fit reports ctx's error with the best model
	}
	return err
}

func newDecomposition(o Decomposition, t *task, r *run) (*decomposition, error) {
	d := &decomposition{merging: merge(t), r: r, target: 0.9, floor: 0.5, bestGap: math.Inf(1)}
	if o.WorkingSet == 0 {
		o.WorkingSet = usualSet
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = 256 << 20
	}
	d.t = d.task
	n := d.t.len()
	d.largest = min(n, max(leastSet, int(math.Sqrt(float64(o.MemoryBytes)/4))))
	d.score, d.up, d.down, d.beta = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	d.slot = slices.Repeat([]int32{none}, n)
	d.rng = rand.New(rand.NewPCG(r.Seed, 0))
	d.join(d.beta, r.beta)
	d.kernel = d.t.streamed()
	d.resize(min(d.largest, o.WorkingSet))
	var err error
	d.diag, err = d.diagonal()
	return d, err
}

// decomposition is one run. All slices are by row of the merged task.
type decomposition struct {
	*merging
	t       *task // merged
	r       *run
	kernel  streamedKernel
	rng     *rand.Rand
	largest int // working set that the memory allows

	beta, score, diag []float64 // scores without the bias
	up, down          []float64 // dᵢ′(βᵢ+) or −∞, dᵢ′(βᵢ−) or +∞
	slot              []int32   // in the working set, or none
	block             *workingBlock
	round             int // since the block was made

	bias        float64 // what is added to a score: a middle of max U and min L if it is free
	most, least float64 // max U and min L; with any other bias both ends of the largest violation
	dual        float64
	target      float64 // gap to reach before a certificate is asked for, relative to the one that is asked for
	floor       float64 // least violation that a round cares for, in units of target/Σ|β|
	fresh       bool    // scores are exact: nothing has changed since they were computed in float64
	work        float64 // since the last certificate, in units of a kernel value

	bestGap, dualThen float64 // when progress was last seen
	since, hurried    int     // the round of that; how often there was none

	rising, falling []candidate
	leaving         []int32
}

// diagonal returns Kᵢᵢ, plus 1 with a penalized bias.
func (d *decomposition) diagonal() (diag []float64, err error) {
	if d.t.gaussian() {
		diag = slices.Repeat([]float64{1}, d.t.len())
	} else {
		f := kernelFetcher{run: d.r, rows: d.t.kernelRows()}
		f.evaluator = f.rows.Evaluator()
		diag, err = f.diagonal()
	}
	if err == nil && d.t.bias == PenalizedBias {
		for i := range diag {
			diag[i]++
		}
	}
	return diag, err
}

// resize makes a new, empty working set of q rows.
func (d *decomposition) resize(q int) {
	if d.block != nil {
		for _, i := range d.block.Set {
			d.slot[i] = none
		}
	}
	d.block, d.round, d.leaving = newWorkingBlock(d.t, d.r, q), 0, nil
}

// optimise takes rounds until the certificate is good enough, or nothing helps.
//
// Invariant: β is feasible; score, up, down belong to it, score up to the rounding of the rounds since
// it was computed exactly.
func (d *decomposition) optimise() error {
	err := d.refresh()
	if err == nil {
		err = d.begin()
	}
	for err == nil && !d.r.ended() {
		gap := d.gap()
		switch {
		case gap <= d.target*d.unit():
			err = d.prove()
			continue
		case d.isSlow(gap):
			if !d.hurry() {
				return d.whole.kernelRows().err
			}
			err = d.refresh()
			continue
		case d.certificateIsCheap():
			if err = d.refresh(); err == nil && d.r.check() {
				return nil
			}
		}
		if moved := false; err == nil {
			if moved, err = d.step(); !moved && err == nil {
				err = d.sharpen()
			}
		}
	}
	return err
}

// unit is the duality gap that is asked for.
func (d *decomposition) unit() float64 { return d.r.Tol * max(1, math.Abs(d.dual)) }

// prove certifies scores that say it is enough, after computing them anew if they are not exact.
func (d *decomposition) prove() error {
	if !d.fresh {
		return d.refresh() // and look again
	}
	if !d.r.check() {
		d.target /= 2
	}
	return d.whole.kernelRows().err
}

// sharpen is for a round that changed nothing: ask more of the next one, or of the scores.
func (d *decomposition) sharpen() error {
	switch {
	case d.floor > 1e-18:
		d.floor /= 8
	case !d.fresh:
		return d.refresh()
	default:
		d.r.check()
		d.r.stall("rounding: no step changes β or improves the dual objective")
	}
	return nil
}

// slowRounds is after how many rounds isSlow decides.
const slowRounds = 20

// isSlow reports whether the last rounds have neither made the gap visibly smaller, nor gained a
// visible part of it.
func (d *decomposition) isSlow(gap float64) bool {
	if gap < 0.7*d.bestGap || d.dual-d.dualThen > 0.05*gap {
		d.bestGap, d.dualThen, d.since = min(gap, d.bestGap), d.dual, d.r.epochs
	}
	return d.r.epochs-d.since >= slowRounds
}

// hurry doubles the working set, or ends the run if that has its largest size and exact scores have
// not helped before.
func (d *decomposition) hurry() (again bool) {
	d.bestGap, d.since = math.Inf(1), d.r.epochs
	if q := len(d.block.Set); q < d.largest {
		d.resize(min(d.largest, 2*q))
		return true
	}
	if d.hurried++; d.hurried < 3 {
		return true
	}
	d.r.check()
	d.r.stall("rounding, or a working set that is too small: the last rounds have gained nothing")
	return false
}

// certificateIsCheap reports whether exact scores would take less than a tenth of the work since the
// last ones. They let the caller watch, and leave a proof if the run is cancelled.
func (d *decomposition) certificateIsCheap() bool {
	const exact = 3 // what a float64 value costs, in units of a float32 one
	support := 0
	for _, v := range d.beta {
		if v != 0 {
			support++
		}
	}
	if d.work < 10*exact*float64(support+1)*float64(d.t.len()) {
		return false
	}
	d.work = 0
	return true
}

// step is one round. It reports whether β has changed.
func (d *decomposition) step() (moved bool, err error) {
	b := d.block
	fresh := d.renew()
	if err := d.kernel.Renew(d.r.ctx, &b.Block, fresh); err != nil {
		return false, err
	}
	for s, i := range b.Set {
		b.beta[s], b.score[s], b.diag[s] = d.beta[i], d.score[i], d.diag[i]
		if d.t.bias == PenalizedBias {
			b.score[s] += d.bias
		}
	}
	b.gain, b.steps = 0, 0
	enough := d.floor * d.target * d.unit() / max(1, d.size())
	b.optimise(max(innerTol*(d.most-d.least), enough), innerMost*len(b.Set))
	d.dual += b.gain
	var rows []int32
	var changes []float64
	for s, i := range b.Set {
		if change := b.beta[s] - d.beta[i]; change != 0 {
			rows, changes = append(rows, i), append(changes, change)
			d.beta[i] = b.beta[s]
			d.up[i], d.down[i] = b.up[s], b.down[s]
		}
	}
	d.round++
	d.r.epochs++
	if len(rows) == 0 || d.r.ended() {
		return false, nil
	}
	d.fresh = false
	d.work += float64(len(rows))*float64(d.t.len()) + 2*float64(b.steps)*float64(len(b.Set))
	if err := d.kernel.Add(d.r.ctx, d.score, rows, changes); err != nil {
		return true, err
	}
	d.measure()
	return true, nil
}

// size returns Σ|βᵢ|.
func (d *decomposition) size() float64 {
	sum := 0.0
	for _, v := range d.beta {
		sum += math.Abs(v)
	}
	return sum
}

// measure finds the violation and the bias.
func (d *decomposition) measure() {
	switch d.t.bias {
	case FreeBias:
		d.most, d.least = math.Inf(-1), math.Inf(1)
		for i, v := range d.score {
			d.most, d.least = max(d.most, d.up[i]-v), min(d.least, d.down[i]-v)
		}
		d.bias = d.least + (d.most-d.least)/2
	case PenalizedBias:
		d.bias = sumOf(d.beta)
		fallthrough
	default:
		d.most, d.least = 0, 0
		for i, v := range d.score {
			f := v + d.bias
			d.most = max(d.most, d.up[i]-f, f-d.down[i])
		}
	}
}

// gapBlock is how many rows of the gap one goroutine adds up at a time.
const gapBlock = 4096

// gap returns the duality gap by Fenchel and Young, for the scores as they are.
func (d *decomposition) gap() float64 {
	parts := make([]float64, (len(d.beta)+gapBlock-1)/gapBlock)
	parallel.For(context.Background(), len(parts), runtime.GOMAXPROCS(0), func(b int) error {
		for i := b * gapBlock; i < min((b+1)*gapBlock, len(d.beta)); i++ {
			parts[b] += d.t.excess(i, d.beta[i], d.score[i]+d.bias)
		}
		return nil
	})
	gap := 0.0
	for _, v := range parts {
		gap += v
	}
	return gap
}

// refresh computes all scores from the data, in float64, for a β that is feasible to the last bit.
func (d *decomposition) refresh() error {
	d.share(d.r.beta, d.beta)
	beta := make([]float64, d.whole.len())
	d.whole.repair(beta, d.r.beta)
	copy(d.r.beta, beta)
	d.join(d.beta, beta)
	scores := d.t.kernelScores(d.r.ctx, d.beta)
	if scores == nil {
		return d.t.kernelRows().err // nil if the context has ended
	}
	d.whole.believe(beta, d.spread(scores))
	d.score, d.fresh = scores, true
	d.rate()
	return nil
}

// rate finds the dual objective, the slopes and the violation of β and its scores.
func (d *decomposition) rate() {
	bias := 0.0
	if d.t.bias == PenalizedBias {
		bias = sumOf(d.beta)
	}
	d.dual = 0
	for i, v := range d.beta {
		d.dual += d.t.dual(i, v) - v*(d.score[i]+bias)/2
		d.up[i], d.down[i] = d.t.slopes(i, v)
	}
	d.measure()
}
