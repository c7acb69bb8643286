package workingset

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
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
// is enough, scores are computed anew in float64, all but those of rows of which a bound of the errors
// proves that they have no part in the certificate; and where that disagrees the rounds go on from there. Rows that are equal, with equal labels, are one
// row at the sum of their prices. Where the rows are many, a sample of them says first where most β
// will end.
//
// Where rounds gain nothing any more, SMO goes on from the best point, and Result.Trace says so: rows that
// are almost equal have kernel values that float32 cannot tell apart, and badly conditioned problems
// need more steps than rounds have.
//
// Not for a hard margin, nor for kernels that are known to be indefinite. An epoch is a round.
type Decomposition struct {
	WorkingSet  int   // rows of a working set; 0 means 1024. It is doubled where progress is slow
	MemoryBytes int64 // bound on the square of kernel values, 4·WorkingSet²; 0 means 256 MiB. 64 rows are held in any case
}

func (Decomposition) Name() string { return "Decomposition" }

func (o Decomposition) Accepts(t *core.Task) error {
	switch {
	case t.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition", Need: "cannot minimise the logistic loss"}
	case t.Hard():
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition", Need: "needs a finite C: SMO is for the hard margin"}
	case !t.Definite():
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

func (o Decomposition) Solve(t *core.Task, r *core.Run) error {
	err := o.rounds(t, r)
	if r.Ctx.Err() != nil {
		r.Ended()
		return nil // Fit reports ctx's error with the best model
	}
	return err
}

// rounds takes rounds until the run is over.
func (o Decomposition) rounds(t *core.Task, r *core.Run) error {
	d, err := newDecomposition(o, t, r)
	if err == nil {
		err = d.optimise()
		d.share(r.Beta, d.beta)
	}
	return err
}

func newDecomposition(o Decomposition, t *core.Task, r *core.Run) (*decomposition, error) {
	d := &decomposition{merging: merge(t), r: r, target: 0.9, floor: 0.5, bestGap: math.Inf(1)}
	if o.WorkingSet == 0 {
		o.WorkingSet = usualSet
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = 256 << 20
	}
	d.t = d.task
	n := d.t.Len()
	d.largest = min(n, max(leastSet, int(math.Sqrt(float64(o.MemoryBytes)/4))))
	d.score, d.up, d.down, d.beta = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	d.slot = slices.Repeat([]int32{none}, n)
	d.rng = rand.New(rand.NewPCG(r.Seed, 0))
	d.join(d.beta, r.Beta)
	d.kernel = streamed(d.t)
	d.tracked.rows, _ = d.kernel.(*gauss.Rows)
	d.resize(min(d.largest, o.WorkingSet))
	var err error
	d.diag, err = d.diagonal()
	return d, err
}

// decomposition is one run. All slices are by row of the merged task.
type decomposition struct {
	*merging
	t       *core.Task // merged
	r       *core.Run
	kernel  streamedKernel
	tracked trackedScores
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
	fresh       bool    // scores are exact where it matters: nothing has changed since they were computed in float64
	work        float64 // since the last certificate, in units of a kernel value

	bestGap, dualThen float64 // when progress was last seen
	since, hurried    int     // the round of that; how often there was none

	rising, falling []candidate
	leaving         []int32
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
	for err == nil && !d.r.Ended() {
		gap := d.gap()
		switch {
		case gap <= d.target*d.unit():
			err = d.prove()
			continue
		case d.isSlow(gap):
			if d.hurry() {
				err = d.refresh()
			} else {
				err = d.giveUp("rounding, or a working set that is too small: the last rounds have gained nothing")
			}
			continue
		case d.certificateIsCheap():
			if err = d.refresh(); err == nil && d.r.Check() {
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

// leastTarget is the target from which on nobody believes any more that a certificate and the scores that
// called for it, both exact, will ever agree. Without it an indefinite kernel that does not say so, whose
// measure may be below zero, never ended.
const leastTarget = 1e-9

// prove certifies scores that say it is enough, after computing them anew if they are not exact.
func (d *decomposition) prove() error {
	if !d.fresh {
		return d.refresh() // and look again
	}
	if !d.r.Check() {
		if d.target /= 2; d.target < leastTarget {
			d.r.Stall("the scores say that it is enough, and the certificate does not: the kernel is not positive semidefinite")
		}
	}
	return d.whole.KernelRows().Err
}

// sharpen is for a round that changed nothing: ask more of the next one, or of the scores.
func (d *decomposition) sharpen() error {
	switch {
	case d.floor > 1e-18:
		d.floor /= 8
	case !d.fresh:
		return d.refresh()
	default:
		return d.giveUp("rounding: no step changes β or improves the dual objective")
	}
	return nil
}

// giveUp ends the rounds, with a certificate of where they came.
func (d *decomposition) giveUp(reason string) error {
	if !d.r.Check() && d.r.Incumbent != nil {
		d.r.Stall(reason)
	}
	return d.whole.KernelRows().Err
}

// slowRounds is after how many rounds isSlow decides.
const slowRounds = 20

// isSlow reports whether the last rounds have neither made the gap visibly smaller, nor gained a
// visible part of it.
func (d *decomposition) isSlow(gap float64) bool {
	if gap < 0.7*d.bestGap || d.dual-d.dualThen > 0.05*gap {
		d.bestGap, d.dualThen, d.since = min(gap, d.bestGap), d.dual, d.r.Iterations
	}
	return d.r.Iterations-d.since >= slowRounds
}

// hurry doubles the working set. It returns false if that has its largest size and exact scores have
// not helped before.
func (d *decomposition) hurry() (again bool) {
	d.bestGap, d.since = math.Inf(1), d.r.Iterations
	if q := len(d.block.Set); q < d.largest {
		d.resize(min(d.largest, 2*q))
		return true
	}
	d.hurried++
	return d.hurried < 3
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
	if d.work < 10*exact*float64(support+1)*float64(d.t.Len()) {
		return false
	}
	d.work = 0
	return true
}

// step is one round. It reports whether β has changed.
func (d *decomposition) step() (moved bool, err error) {
	b := d.block
	fresh := d.renew()
	if err := d.kernel.Renew(d.r.Ctx, &b.Block, fresh); err != nil {
		return false, err
	}
	for s, i := range b.Set {
		b.beta[s], b.score[s], b.diag[s] = d.beta[i], d.score[i], d.diag[i]
		if d.t.Bias == svmkit.PenalizedBias {
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
	d.r.Iterations++
	if len(rows) == 0 || d.r.Ended() {
		return false, nil
	}
	d.work += 2 * float64(b.steps) * float64(len(b.Set))
	if err := d.addScores(rows, changes); err != nil {
		return true, err
	}
	d.measure()
	return true, nil
}
