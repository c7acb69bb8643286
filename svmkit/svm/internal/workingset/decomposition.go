package workingset

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Decomposition solves the dual by working sets of about a thousand rows, for every positive
// semidefinite kernel, every loss but the logistic one, any bias and finite C. It is meant for the
// RBF kernel and many rows.
//
// [SMO] states the problem, its dual and the optimality conditions. Update: a round takes the rows
// with the largest violations into the working set, keeps half of the rows of the previous round,
// and solves the problem in the β of the working set, with all other β fixed. It uses the steps of
// SMO on a square of kernel values computed in advance. Then it updates the scores of all rows,
//
//	sᵢ ← sᵢ + Σⱼ (βⱼ − βⱼ′)·K(xᵢ,xⱼ),    j over the working set.
//
// These kernel values are computed as a product of matrices and not kept.
//
// With the RBF kernel a round computes in float32. When the scores of a round say that the gap is
// small enough, they are computed again in float64, except for rows that provably do not affect the
// certificate. If the gap is then too large, the rounds continue. Rows with equal x and equal
// labels become one row with the sum of their costs. If there are many rows, the solution of a
// sample is the start.
//
// If rounds gain nothing any more, the run stalls and the plan continues with SMO. float32 cannot
// distinguish the kernel values of rows that are almost equal, and badly conditioned problems need
// more steps than a round has.
//
// Sources: T. Joachims, "Making large-scale SVM learning practical", 1999; Z. Wen et al.,
// "ThunderSVM", JMLR 19 (2018), for large working sets. An iteration is a round.
type Decomposition struct { // its fields are those of svm.Decomposition
	WorkingSet  int
	MemoryBytes int64
}

func (Decomposition) Name() string { return "Decomposition" }

func (o Decomposition) Accepts(f core.Form) error {
	switch {
	case f.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition",
			Need: "does not support the logistic loss", Hint: "use Newton"}
	case f.Hard:
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition",
			Need: "does not support a hard margin", Hint: "use SMO, or a finite C"}
	case !f.Definite():
		return &svmkit.ParamError{Name: "Solver", Value: "Decomposition",
			Need: "supports only positive semidefinite kernels", Hint: "use SMO for this kernel"}
	case o.WorkingSet < 0:
		return &svmkit.ParamError{Name: "WorkingSet", Value: o.WorkingSet,
			Need: "must be positive (0 means 1024)"}
	case o.MemoryBytes < 0:
		return &svmkit.ParamError{Name: "MemoryBytes", Value: o.MemoryBytes,
			Need: "must be positive (0 means 256 MiB)"}
	}
	return nil
}

const (
	// usualSet is the default of WorkingSet. On the RBF rows of the benchmark, working sets of 512
	// rows take up to 1.5 times as long (spambase, C = 100), and working sets of 2048 rows up to
	// 1.4 times (magic, C = 1). Benchmark: go run -C tools ./bench -rows kernel spambase magic
	usualSet = 1024
	leastSet = 64

	// A round ends when the violation is innerTol times the violation at its start, or after
	// innerMost steps per row of the working set. No RBF row of spambase, kin8nm, magic and
	// shuttle_b depends on these constants by more than a factor of 1.5, from a third to three
	// times innerTol and from a tenth to ten times innerMost.
	// Benchmark: go run -C tools ./bench -rows kernel spambase kin8nm magic shuttle_b
	innerTol  = 0.1
	innerMost = 100
)

func (o Decomposition) Solve(t *core.Task, r *core.Run) error {
	err := o.rounds(t, r)
	if r.Interrupted() {
		r.Ended()
		// Fit reports the error of ctx with the best model.
		return nil
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

// newDecomposition returns a run at its start. Targets of 0.6 to 0.99, floors of 0.1 to 1, and
// divisors of the floor of 2 to 64 make a difference of less than a factor of 1.5 on every RBF row
// of the benchmark.
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
	d.score, d.up, d.down, d.beta = make([]float64, n), make([]float64, n), make([]float64, n),
		make([]float64, n)
	d.slot = slices.Repeat([]int32{none}, n)
	d.rng = rand.New(rand.NewPCG(r.Seed, 0))
	d.join(d.beta, r.Beta)
	d.kernel = newBlockKernel(d.t)
	d.tracked.rows, _ = d.kernel.(*gauss.Rows)
	var err error
	if d.diagQ, err = d.diagonal(); err != nil {
		return d, err
	}
	d.leastCurvature = flatShare * slices.Max(d.diagQ)
	d.resize(min(d.largest, o.WorkingSet))
	return d, nil
}

// resize makes a new, empty working set of q rows.
func (d *decomposition) resize(q int) {
	if d.block != nil {
		for _, i := range d.block.Set {
			d.slot[i] = none
		}
	}
	d.block, d.round, d.leaving = newWorkingBlock(d.t, d.r, q, d.beta), 0, nil
	d.block.leastCurvature = d.leastCurvature
}

// optimise takes rounds until the certificate is good enough, or until rounds gain nothing.
//
// Invariant: β is feasible, and score, up and down belong to it. The scores are exact up to the
// rounding of the rounds since they were last computed exactly.
func (d *decomposition) optimise() error {
	err := d.refresh()
	if err == nil {
		err = d.begin()
	}
	for err == nil && !d.r.Ended() {
		gap := d.gap()
		d.r.Estimate(gap, d.dual, d.maxU-d.minL)
		switch {
		case gap <= d.target*d.unit():
			err = d.prove()
			continue
		case d.isSlow(gap):
			if d.enlarge() {
				err = d.refresh()
			} else {
				err = d.giveUp("rounding, or a working set that is too small: the last rounds " +
					"have gained nothing")
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

// unit is the required duality gap.
func (d *decomposition) unit() float64 { return d.r.Allowed(d.dual) }

// leastTarget is the target below which the kernel counts as indefinite. The gap of such a kernel
// by the scores may be negative, and then it never agrees with the certificate.
const leastTarget = 1e-9

// prove certifies β when the scores say that the gap is small enough. If the scores are not exact,
// it computes them first.
func (d *decomposition) prove() error {
	if !d.fresh {
		return d.refresh() // the caller checks the gap again
	}
	if !d.r.Check() {
		if d.target /= 2; d.target < leastTarget {
			d.r.Stall("the scores meet the tolerance, and the certificate does not: " +
				"the kernel is not positive semidefinite")
		}
	}
	return d.whole.KernelRows().Err
}

// sharpen follows a round that has changed nothing. It lowers the tolerance of the next round, or
// computes exact scores.
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

// giveUp ends the rounds with a certificate of the last β.
func (d *decomposition) giveUp(reason string) error {
	if !d.r.Check() && d.r.Incumbent != nil {
		d.r.Stall(reason)
	}
	return d.whole.KernelRows().Err
}

// slowRounds is the number of rounds after which isSlow decides. No RBF row of the benchmark
// depends on it by more than a factor of 1.5 between 5 and 80.
const slowRounds = 20

// isSlow reports whether the last rounds have neither made the gap visibly smaller nor gained a
// visible share of it. No RBF row of the benchmark depends on the two shares by more than a factor
// of 1.5, from 0.3 to 0.95 and from 0.01 to 0.3.
func (d *decomposition) isSlow(gap float64) bool {
	if gap < 0.7*d.bestGap || d.dual-d.dualThen > 0.05*gap {
		d.bestGap, d.dualThen, d.since = min(gap, d.bestGap), d.dual, d.r.Iterations
	}
	return d.r.Iterations-d.since >= slowRounds
}

// enlarge doubles the working set. It returns false if the working set has its largest size and
// exact scores have not helped before.
func (d *decomposition) enlarge() (again bool) {
	d.bestGap, d.since = math.Inf(1), d.r.Iterations
	if q := len(d.block.Set); q < d.largest {
		d.resize(min(d.largest, 2*q))
		return true
	}
	d.refreshed++
	return d.refreshed < 3
}

// certificateIsCheap reports whether exact scores would take less than a tenth of the work since
// the last ones. They give the caller a certificate to watch, and leave a proof if the run is
// cancelled. A third to five times this share makes no difference beyond noise.
func (d *decomposition) certificateIsCheap() bool {
	const exact = 3 // cost of a float64 value over the cost of a float32 value
	if d.work < 10*exact*float64(countSupport(d.beta)+1)*float64(d.t.Len()) {
		return false
	}
	d.work = 0
	return true
}

// step makes one round. It reports whether β has changed.
func (d *decomposition) step() (moved bool, err error) {
	b := d.block
	fresh := d.renew()
	if err := d.kernel.Renew(d.r.Ctx, &b.Block, fresh); err != nil {
		return false, err
	}
	before := make([]float64, len(b.Set))
	for s, i := range b.Set {
		before[s], b.score[s], b.diagQ[s] = d.beta[i], d.score[i], d.diagQ[i]
		if d.t.Bias == svmkit.PenalizedBias {
			b.score[s] += d.bias
		}
	}
	b.gain, b.steps = 0, 0
	enough := 0.0
	if size := d.size(); size > 0 {
		enough = d.floor * d.target * d.unit() / size
	}
	b.optimise(max(innerTol*(d.maxU-d.minL), enough), innerMost*len(b.Set))
	d.dual += b.gain
	var rows []int32
	var changes []float64
	for s, i := range b.Set {
		if change := d.beta[i] - before[s]; change != 0 {
			rows, changes = append(rows, i), append(changes, change)
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

// begin sets β to a prediction from a sample, and the scores to the scores of this β. It does
// nothing if there are few rows, or a β to start from.
func (d *decomposition) begin() error {
	n, q := d.t.Len(), len(d.block.Set)
	if n < sampleFrom*q || d.r.Start != nil {
		return nil
	}
	rows := d.rng.Perm(n)[:n/sampleShare]
	under, over := 0.0, 0.0
	sample := d.t.Part(len(rows), func(k int) (i int, factor float64) {
		l := &d.t.Loss[rows[k]]
		under, over = under+l.Under, over+l.Over
		return rows[k], sampleShare
	})
	if under == 0 || over == 0 {
		return nil // one class only
	}
	r := d.r.Part(sample)
	r.Settings = core.Settings{Tol: sampleTol, MaxIterations: d.r.MaxIterations, Seed: d.r.Seed}
	r.Iterations, r.Updates, r.Incumbent = 0, 0, nil
	err := Decomposition{WorkingSet: q}.rounds(sample, r)
	d.r.Updates += r.Updates
	if err != nil || d.r.Ended() {
		for k, i := range rows { // the best β there is; the certificate makes it feasible
			d.beta[i] = r.Beta[k]
		}
		return err
	}
	beta := make([]float64, n)
	for k, i := range rows {
		beta[i] = r.Beta[k]
	}
	if err := d.add(beta); err != nil {
		return err
	}
	d.predict()
	clear(d.score)
	d.tracked.exact()
	if err := d.add(d.beta); err != nil {
		return err
	}
	d.evaluate()
	return nil
}
