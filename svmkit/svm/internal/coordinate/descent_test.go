package coordinate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// The closed form is the maximiser of the one-variable problem: no point of a fine grid over
// the box is better. The objective is written out here from the losses' definition.
func TestCoordinateStepBeatsGrid(t *testing.T) {
	const slack = 1e-9 // rounding of objectives of size up to about 100
	rng := rand.New(rand.NewPCG(5, 0))
	ends, kinks := 0, 0
	for _, l := range coretest.QPLosses {
		task := core.NewTask(coretest.PlaneProblem(1, l, svmkit.NoBias, false))
		for range 300 {
			i := rng.IntN(task.Len())
			c, q := &task.Loss[i], task.X[i].SquaredNorm()
			first, last := c.Box()
			lo, hi := max(first, -5), min(last, 5)
			from := lo + (hi-lo)*rng.Float64()
			f := 3 * rng.NormFloat64()
			value := func(b float64) float64 {
				return -q*(b-from)*(b-from)/2 - f*(b-from) + task.Loss[i].Dual(b)
			}
			best := c.Step(from, f, q)
			switch best {
			case 0:
				kinks++
			case first, last:
				ends++
			}
			if best < first || best > last {
				t.Fatalf("%T: β = %g outside of [%g, %g]", l, best, first, last)
			}
			for k := range 1001 {
				if b := lo + (hi-lo)*float64(k)/1000; value(b) > value(best)+slack {
					t.Fatalf("%T: from β = %g with score %g the step went to %g, but %g is better by %g", l, from, f, best, b, value(b)-value(best))
				}
			}
		}
	}
	if ends < 50 || kinks < 50 {
		t.Errorf("the draw met %d ends and %d kinks: too few to mean anything", ends, kinks)
	}
}

// Where the projected gradient is 0, the step stays; where it is not, the step has its sign.
func TestProjectedGradientPointsToTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, l := range coretest.QPLosses {
		task := core.NewTask(coretest.PlaneProblem(1, l, svmkit.NoBias, false))
		for range 2000 {
			i := rng.IntN(task.Len())
			c := &task.Loss[i]
			lo, hi := c.Box()
			lo, hi = max(lo, -2), min(hi, 2)
			from := []float64{0, lo, hi, lo + (hi-lo)*rng.Float64()}[rng.IntN(4)]
			f := task.Loss[i].Low + rng.NormFloat64()
			if math.IsInf(f, 0) {
				f = task.Loss[i].High + rng.NormFloat64()
			}
			gradient, _ := c.ProjectedGradient(from, f)
			move := c.Step(from, f, task.X[i].SquaredNorm()) - from
			if gradient*move < 0 || (gradient == 0) != (math.Abs(move) < 1e-15) {
				t.Fatalf("%T: β = %g in [%g, %g], score %g: gradient %g, but the optimum moves by %g", l, from, lo, hi, f, gradient, move)
			}
		}
	}
}

// Each epoch raises the dual objective, and the solver's running value of it is that of the
// certificate.
func TestDualCoordinateRises(t *testing.T) {
	const rounding = 1e-10 // relative, of a sum over 60 rows
	for _, l := range coretest.QPLosses {
		p := coretest.PlaneProblem(3, l, svmkit.NoBias, false)
		task := core.NewTask(p)
		d := newDescent(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1000}), rand.New(rand.NewPCG(0, 0)))
		before := 0.0
		for range 30 {
			d.epoch()
			now := task.Certify(d.beta).Dual
			if now < before-rounding*math.Abs(before) {
				t.Errorf("%T: an epoch lowered the dual objective from %g to %g", l, before, now)
			}
			if math.Abs(now-d.dual) > rounding*math.Abs(now) {
				t.Errorf("%T: the running dual objective is %g, the true one %g", l, d.dual, now)
			}
			before = now
		}
	}
}

// A start at the far end of all boxes makes the first scores huge, so that rows which the optimum
// needs are shrunk at once. They must be restored: the answer is that of visiting all rows.
func TestShrinkingForgetsNothing(t *testing.T) {
	const tol = 1e-9
	shrunk := false
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.EpsInsensitive{Epsilon: 0.1}} {
		for seed := range uint64(10) {
			p := coretest.PlaneProblem(seed, l, svmkit.PenalizedBias, false)
			start := make([]float64, p.Data.Len())
			for i, y := range p.Data.Y {
				start[i] = 0.7 * math.Copysign(float64(i%2), y)
			}
			task := core.NewTask(p)
			d := newDescent(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1000, Start: start}), rand.New(rand.NewPCG(seed, 0)))
			for range 30 {
				d.epoch()
				shrunk = shrunk || d.active < task.Len()
			}
			with, err := coretest.Solve(context.Background(), p, DualCoordinate{}, core.Settings{Tol: tol, Start: start, Seed: seed, MaxIterations: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			without, err := coretest.Solve(context.Background(), p, DualCoordinate{KeepAll: true}, core.Settings{Tol: tol, MaxIterations: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			if with.Status != svmkit.Optimal || without.Status != svmkit.Optimal {
				t.Errorf("%T, seed %d: with shrinking %v (gap %g), without %v (gap %g)", l, seed, with.Status, with.Incumbent.RelativeGap(), without.Status, without.Incumbent.RelativeGap())
			}
			if math.Abs(with.Incumbent.Primal-without.Incumbent.Primal) > 2*tol*max(1, with.Incumbent.Primal) {
				t.Errorf("%T, seed %d: primal %.12g with shrinking, %.12g without", l, seed, with.Incumbent.Primal, without.Incumbent.Primal)
			}
		}
	}
	if !shrunk {
		t.Error("no row was ever shrunk: the test tests nothing")
	}
}

// All rows but one are shrunk by force. The fit must restore them before it ends.
func TestShrinkingIsUndone(t *testing.T) {
	const tol = 1e-6
	for _, l := range coretest.QPLosses {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			task := core.NewTask(coretest.PlaneProblem(4, l, b, true))
			r := core.NewRun(context.Background(), task, core.Settings{Tol: tol, MaxIterations: 10_000})
			d := newDescent(task, r, rand.New(rand.NewPCG(1, 0)))
			d.active = 1
			d.descend()
			if r.Status != svmkit.Optimal {
				t.Errorf("%T, %v: %v, gap %g", l, b, r.Status, r.Incumbent.RelativeGap())
			}
		}
	}
}

// With a dead context an epoch stops after a bounded number of values, not at its end.
func TestDualCoordinateStopsWithinAnEpoch(t *testing.T) {
	p := &core.Problem{Data: coretest.PlaneData(1, 40_000, 4, false, false)}
	task := core.NewTask(p)
	ctx, cancel := context.WithCancel(context.Background())
	r := core.NewRun(ctx, task, core.Settings{MaxIterations: 1000})
	d := newDescent(task, r, rand.New(rand.NewPCG(0, 0)))
	cancel()
	if d.epoch() {
		t.Error("the epoch went on to its end")
	}
	if most := int64(workBetweenChecks/4 + 1); d.visits > most {
		t.Errorf("%d rows were visited after the context had ended, at most %d were expected", d.visits, most)
	}
	if result, err := coretest.Solve(ctx, p, DualCoordinate{}, core.Settings{}); err != nil || result.Status != svmkit.Cancelled {
		t.Errorf("the run ends as %v (%v)", result.Status, err)
	}
}

func TestDualCoordinateEpochAllocatesNothing(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		task := core.NewTask(coretest.PlaneProblem(1, loss.Hinge{}, svmkit.FreeBias, sparse))
		d := newDescent(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1000}), rand.New(rand.NewPCG(0, 0)))
		if n := testing.AllocsPerRun(20, func() { d.epoch(); d.moveCentre() }); n > 0 {
			t.Errorf("sparse %v: an epoch makes %g allocations", sparse, n)
		}
	}
}

// descentOn returns the state of coordinate descent on a random classification problem that
// is hard enough for rows of all kinds: at 0, at their bound, in between.
func descentOn(n int, l loss.Trainable) *descent {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	set := &svmkit.Dataset{Dim: 5}
	for range n {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 1)
		y := 1.0
		if x.Value[0]+0.5*rng.NormFloat64() < 0 {
			y = -1
		}
		set.X, set.Y = append(set.X, x), append(set.Y, y)
	}
	p := &core.Problem{Data: set, Loss: l, C: core.Cost{C: 1}, Bias: svmkit.NoBias}
	t := core.NewTask(p)
	return newDescent(t, core.NewRun(context.Background(), t, core.Settings{MaxIterations: 1000}), rng)
}

// An epoch visits as many rows as are active when it begins, each once; shrinking leaves the others
// in order, and w belongs to β.
func TestActiveRows(t *testing.T) {
	for n := range 60 {
		d := descentOn(n+1, loss.Hinge{})
		d.prefetch = n%2 == 0
		d.restore()
		shrunk := false
		for epoch := range 40 {
			if epoch == 20 {
				d.restore()
			}
			visits, active := d.visits, int64(d.active)
			d.epoch()
			if got := d.visits - visits - 1; got != active {
				t.Fatalf("n = %d: %d visits of %d active rows", n+1, got, active)
			}
			if !slices.IsSorted(d.order[:d.active]) {
				t.Fatalf("n = %d: order %v", n+1, d.order[:d.active])
			}
			shrunk = shrunk || d.active < n+1
		}
		if n > 40 && !shrunk {
			t.Errorf("n = %d: no row was ever shrunk", n+1)
		}
		w := slices.Clone(d.w)
		d.rebuild() // from β alone
		for j, v := range w {
			if math.Abs(d.w[j]-v) > 1e-12*(1+math.Abs(v)) {
				t.Fatalf("n = %d: w = %v, but Σβx = %v", n+1, w, d.w)
			}
		}
	}
}

// A balanced β has Σβ = b + κΔ, each still in its box, and is moved by Δ in all, by no more than it
// takes.
func TestBalance(t *testing.T) {
	for _, n := range []int{50, 200} { // fewer rows than the sample, and more
		for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}} {
			d := descentOn(n, l)
			d.t.Bias = svmkit.PenalizedBias
			d.prepareBias()
			for range 3 {
				d.epoch()
				d.moveCentre()
			}
			d.rebuild()
			before, sum, b := slices.Clone(d.beta), d.sum, d.epochBias
			if math.Abs(sum-b) < 1e-9 {
				t.Fatalf("%T: nothing to balance", l)
			}
			count := 0
			for i, v := range d.beta {
				if d.t.FreeSlack(i, v, sum-b) > 0 {
					count++
				}
			}
			kappa := d.meanInnerProduct(d.beta, sum-b, count)
			delta := (sum - b) / (1 + kappa)
			d.balance(d.beta, sum, b)
			moved := 0.0
			for i, v := range d.beta {
				if lo, hi := d.t.Loss[i].Box(); v < lo || v > hi {
					t.Errorf("%T: β = %g outside of %g … %g", l, v, lo, hi)
				}
				moved += math.Abs(v - before[i])
			}
			if got, want := core.SumOf(d.beta), b+kappa*delta; !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) || !(math.Abs(moved-math.Abs(delta)) <= 1e-9) {
				t.Errorf("%T: Σβ = %g, want %g; moved %g for %g", l, got, want, moved, delta)
			}
		}
	}
}

// Where all rows are the same, κ is ‖x‖², and no score changes by balancing: neither w nor b have
// moved against each other.
func TestBalanceKeepsTheScores(t *testing.T) {
	for _, n := range []int{20, 500} {
		d := descentOn(n, loss.SquaredHinge{})
		d.t.Bias = svmkit.PenalizedBias
		rng := rand.New(rand.NewPCG(3, 0))
		for i := range d.x {
			d.x[i] = d.x[0]
			d.beta[i] = side(&d.t.Loss[i]) * rng.Float64()
		}
		d.rebuild()
		const b = 0.3
		before := rowDot(&d.x[0], d.w) + b
		d.balance(d.beta, d.sum, b)
		d.rebuild()
		if after := rowDot(&d.x[0], d.w) + d.sum; !(math.Abs(after-before) <= 1e-12*(1+math.Abs(before))) {
			t.Errorf("%d rows: the score was %g and is %g", n, before, after)
		}
	}
}

// side is the sign of a row's β.
func side(l *core.Loss) float64 {
	lo, hi := l.Box()
	if hi > 0 {
		return 1
	}
	return math.Copysign(1, lo)
}

// κ is the squared norm of the mean of the rows that move, weighted by their slacks; for many rows
// nearly so. The rows have one column in common, and each has one of its own, so that a row's
// product with itself is a hundred times others.
func TestMeanInnerProduct(t *testing.T) {
	const rounding, ofSample = 1e-12, 0.1
	rng := rand.New(rand.NewPCG(4, 0))
	for _, n := range []int{40, innerProductRows, 2000} {
		near := rounding
		if n > innerProductRows {
			near = ofSample
		}
		set := &svmkit.Dataset{Dim: n + 1}
		for i := range n {
			set.X = append(set.X, svmkit.Row{Index: []int32{0, int32(i + 1)}, Value: []float64{0.1, 1}})
			set.Y = append(set.Y, float64(2*(i%2)-1))
		}
		task := core.NewTask(&core.Problem{Data: set, Loss: loss.SquaredHinge{}, C: core.Cost{C: 1}, Bias: svmkit.PenalizedBias})
		d := newDescent(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 1000}), rng)
		mean, total, count := make([]float64, set.Dim), 0.0, 0
		for i, y := range set.Y {
			d.beta[i] = y * (0.5 + rng.Float64())
			if slack := task.FreeSlack(i, d.beta[i], 1); slack > 0 {
				rowAdd(&d.x[i], mean, slack)
				total, count = total+slack, count+1
			}
		}
		want := svmkit.Dense(mean...).SquaredNorm() / total / total
		if got := d.meanInnerProduct(d.beta, 1, count); !(math.Abs(got-want) <= near*want) {
			t.Errorf("%d rows of %d: κ = %g, want %g", count, n, got, want)
		}
	}
}

// Rows that point in all directions have a mean near 0: a sample whose estimate is negative counts
// as κ = 0.
func TestMeanInnerProductIsNotNegative(t *testing.T) {
	d := descentOn(innerProductRows+1, loss.SquaredHinge{})
	for i := range d.x {
		d.x[i] = svmkit.Dense(float64(2*(i/2%2)-1), 0, 0, 0, 0)
		d.beta[i] = side(&d.t.Loss[i])
	}
	if kappa := d.meanInnerProduct(d.beta, 1, len(d.beta)); kappa != 0 {
		t.Errorf("κ = %g", kappa)
	}
}

// A certificate is of β balanced to the b of its epoch, not to the one to which the centre then
// moves it.
func TestCheckBalancesToTheBiasOfTheEpoch(t *testing.T) {
	d := descentOn(200, loss.SquaredHinge{})
	d.t.Bias = svmkit.PenalizedBias
	d.prepareBias()
	fits := 0.0
	for range 3 {
		d.epoch()
		fits = d.b
		d.moveCentre()
	}
	if math.Abs(d.b-fits) < 1e-9 {
		t.Fatal("the centre has not moved b")
	}
	want := slices.Clone(d.beta)
	d.balance(want, d.sum, fits)
	if d.check(); !slices.Equal(d.beta, want) {
		t.Errorf("β is not balanced to %g; b is %g", fits, d.b)
	}
}

// The estimate of a squared loss leads the gap where it falls fast, up to mostLead; that of the
// hinge does not.
func TestLeadAfterAFall(t *testing.T) {
	for _, c := range []struct {
		loss       loss.Trainable
		fall, want float64
	}{
		{loss.SquaredHinge{}, 1, 1}, {loss.SquaredHinge{}, slowGapRatio, 1}, {loss.SquaredHinge{}, slowGapRatio / 4, 4},
		{loss.SquaredHinge{}, 0, maxOverestimate}, {loss.Hinge{}, slowGapRatio / 4, 1},
	} {
		d := descentOn(200, c.loss)
		if d.gapRatio = c.fall; d.overestimate() != c.want {
			t.Errorf("%T, a fall to %g: lead %g, want %g", c.loss, c.fall, d.overestimate(), c.want)
		}
		d.epoch()
		first := d.gap
		if d.epoch(); d.gapRatio != d.gap/first {
			t.Errorf("%T: a fall to %g, want %g", c.loss, d.gapRatio, d.gap/first)
		}
		d.r.Tol, d.gapRatio = 1e-3, 1
		due := d.target()
		if d.gapRatio = c.fall; !(math.Abs(d.target()-c.want*due) <= 1e-12*due*c.want) {
			t.Errorf("%T, a fall to %g: a certificate is due at %g, want %g times %g", c.loss, c.fall, d.target(), c.want, due)
		}
		d.r.Tol, d.ratio = 0, math.Inf(1) // the certificate fails, and says what the ratio is
		d.check()
		if want := caution * d.checked / d.r.Incumbent.Gap / c.want; !(math.Abs(d.ratio-want) <= 1e-12*want) {
			t.Errorf("%T, a fall to %g: the ratio of estimate and gap is %g, want %g", c.loss, c.fall, d.ratio, want)
		}
	}
}

// What average certifies at the end of a stretch is the mean of the β at the ends of its epochs,
// with the mean of their biases; the iterate stays as it is, and the next stretch begins at zero.
func TestMeanOfBeta(t *testing.T) {
	const rounding = 1e-12
	for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.PenalizedBias} {
		d := descentOn(200, loss.Hinge{})
		d.t.Bias = bias
		d.prepareBias()
		d.ratio, d.r.Tol = math.Inf(1), 1e-3 // whatever the estimate
		if d.average(); d.mean.beta != nil {
			t.Errorf("%v: a mean at pass 0", bias)
		}
		d.r.Iterations = firstMean
		for stretch := range 2 {
			want, b, epochs := make([]float64, 200), 0.0, 0.0
			d.r.Incumbent = nil
			for ; d.r.Incumbent == nil && epochs < 100; d.r.Iterations++ {
				d.epoch()
				d.moveCentre()
				for i, v := range d.beta {
					want[i] += v
				}
				b, epochs = b+d.epochBias, epochs+1
				before := slices.Clone(d.beta)
				d.average()
				if !slices.Equal(before, d.beta) {
					t.Fatalf("%v: the iterate has changed", bias)
				}
			}
			if d.r.Incumbent == nil {
				t.Fatalf("%v: no certificate of a mean", bias)
			}
			for i := range want {
				want[i] /= epochs
			}
			d.balance(want, core.SumOf(want), b/epochs)
			proof, apart := d.r.Incumbent, 0.0
			for i, v := range proof.Beta {
				apart += math.Abs(v - want[i])
			}
			if !(apart <= rounding) {
				t.Errorf("%v, stretch %d: %g away from the mean of %g epochs, balanced", bias, stretch, apart, epochs)
			}
			if epochs < 3 || !(proof.Box <= rounding) {
				t.Errorf("%v: mean of %g epochs, %g outside of the box", bias, epochs, proof.Box)
			}
		}
	}
}

// A row at a bound at the end of each epoch is there in the mean, to the last bit, though C is no
// sum of a few powers of two; and no row is beyond. Epochs of few rows are not all in the mean.
func TestMeanAtTheBounds(t *testing.T) {
	d := descentOn(200, loss.Hinge{})
	for i := range d.t.Loss {
		d.t.Loss[i].Under *= 0.1
		d.t.Loss[i].Over *= 0.1
	}
	d = newDescent(d.t, d.r, rand.New(rand.NewPCG(1, 0)))
	d.ratio, d.r.Iterations = 0, firstMean // the mean is not certified
	low, high, few, visits := make([]int, 200), make([]int, 200), 0, int64(0)
	const epochs = 50
	for range epochs {
		d.epoch()
		if d.visits-visits < int64(len(d.beta)/meanShare) {
			few++
		} else {
			for i, v := range d.beta {
				switch lo, hi := d.t.Loss[i].Box(); v {
				case lo:
					low[i]++
				case hi:
					high[i]++
				}
			}
			visits = d.visits
		}
		d.average()
	}
	if d.mean.epochs != epochs-few || few == 0 {
		t.Errorf("%d epochs in the mean of %d, %d of them of few rows", d.mean.epochs, epochs, few)
	}
	bounds := 0
	for i, v := range d.mean.beta {
		lo, hi := d.t.Loss[i].Box()
		if v < lo || v > hi {
			t.Errorf("row %d: %v is outside of [%v, %v]", i, v, lo, hi)
		}
		for bound, times := range map[float64]int{lo: low[i], hi: high[i]} {
			if times == d.mean.epochs {
				if bounds++; v != bound {
					t.Errorf("row %d: %v, though it was %v each time", i, v, bound)
				}
			}
		}
	}
	if bounds < 20 {
		t.Errorf("%d rows at one bound each time: too few to mean anything", bounds)
	}
}

// The visit of labelled rows is the one of the table of losses: the same step from the same score,
// the same excess and the same gain.
func TestLabelledVisitIsTheTables(t *testing.T) {
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}} {
		d := descentOn(50, l)
		rng := rand.New(rand.NewPCG(3, 0))
		for i, own := range newLabels(d.t, d.diagQ) {
			c, q := &d.t.Loss[i], d.diagQ[i]
			lo, hi := c.Box()
			for range 20 {
				beta, f := min(max(rng.NormFloat64(), lo), hi), 3*rng.NormFloat64()
				s := sweep{x: []svmkit.Row{{Index: []int32{0}, Value: []float64{f}}}, labels: []label{own}, beta: []float64{beta},
					idleVisits: []uint8{0}, w: []float64{1}, order: []int32{0}}
				s.visitLabelled(block{0, 1, 1}, nil)
				if want := c.Step(beta, f, q); math.Abs(s.beta[0]-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("%T: from β = %g with score %g to %g, want %g", l, beta, f, s.beta[0], want)
				}
				alpha, deficit := own.y*beta, 1-own.y*f
				if got, want := own.excess(alpha, deficit), c.Value(f)-c.Dual(beta)+beta*f; math.Abs(got-want) > 1e-12*(1+want) {
					t.Fatalf("%T: excess %g at β = %g, score %g, want %g", l, got, beta, f, want)
				}
				if gain := c.Dual(s.beta[0]) - c.Dual(beta) - (s.beta[0]-beta)*(f+q*(s.beta[0]-beta)/2); math.Abs(s.dual-gain) > 1e-12*(1+gain) {
					t.Fatalf("%T: the dual objective rose by %g, want %g", l, s.dual, gain)
				}
			}
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
