//go:build peers

package peers_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/tools/internal/peers"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const (
	// peerAgreement is how far our primal objective may be above a peer's, relatively.
	peerAgreement = 1e-6
	// peerShare is the part of the problems on which a peer must reach our objective, too. The
	// dual solvers of LIBLINEAR stop at a limit of iterations, far from the optimum at times;
	// but if they did so mostly, the two would not be solving the same problem.
	peerShare = 0.6
	// peerTie is the score, relative to the largest one, below which a sign is an accident.
	peerTie = 1e-6
	// peerDifferent is the part of the rows that may be predicted differently.
	peerDifferent = 1e-3
	// peerTime bounds one fit of ours; a fit that ends there is judged by what it reached.
	peerTime = 20 * time.Second
)

func peerScaled(t *testing.T, set *svmkit.Dataset) *svmkit.Dataset {
	scaling, err := feature.Scaler{}.Fit(set)
	if err != nil {
		t.Fatal(err)
	}
	if set, err = scaling.Apply(set); err != nil {
		t.Fatal(err)
	}
	return set
}

type peerSet struct {
	name   string
	set    *svmkit.Dataset
	kernel bool // small enough for LIBSVM
}

func peerClassification(t *testing.T) []peerSet {
	pair := func(set *svmkit.Dataset, a, b string) *svmkit.Dataset {
		p, err := set.Pair(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	sms, _ := samples.SMS()
	wine := peerScaled(t, samples.Wine())
	return []peerSet{
		{"iris setosa-versicolor", pair(samples.Iris(), "setosa", "versicolor"), true},
		{"iris versicolor-virginica", pair(samples.Iris(), "versicolor", "virginica"), true},
		{"breast cancer", peerScaled(t, samples.BreastCancer()), true},
		{"banknotes", samples.Banknotes(), true},
		{"digits 3-8", pair(samples.Digits(), "3", "8"), true},
		{"digits 1-7", pair(samples.Digits(), "1", "7"), true},
		{"wine 1-2", pair(wine, wine.Classes[0], wine.Classes[1]), true},
		{"penguins", peerScaled(t, pair(samples.Penguins(), "Adelie", "Chinstrap")), true},
		{"sms", sms, false},
	}
}

func peerRegression(t *testing.T) []peerSet {
	rng := rand.New(rand.NewPCG(11, 0))
	var sets []peerSet
	for _, d := range []int{1, 8} {
		n := 300
		flat, y := make([]float64, n*d), make([]float64, n)
		for i := range y {
			for j := range d {
				v := rng.NormFloat64()
				flat[i*d+j] = v
				y[i] += v*float64(j%3-1) + math.Sin(2*v)/2
			}
			y[i] += 3 + 0.3*rng.NormFloat64()
		}
		sets = append(sets, peerSet{fmt.Sprintf("generated, d = %d", d), &svmkit.Dataset{X: svmkit.DenseRows(flat, d), Y: y, Dim: d}, true})
	}
	return sets
}

// ourFit solves p as exactly as time allows.
func ourFit(t *testing.T, p *svm.Problem) *svm.Result {
	ctx, cancel := context.WithTimeout(t.Context(), peerTime)
	defer cancel()
	r, err := svm.Fit(ctx, p, nil, &svm.Settings{Tol: 1e-8})
	if r == nil {
		t.Fatal(err)
	}
	return r
}

// compareObjectives holds our certified primal objective against the peer's.
func compareObjectives(t *testing.T, r *svm.Result, peer float64) (peerConverged bool) {
	t.Helper()
	best := min(r.Primal, peer)
	if r.Primal > peer+peerAgreement*best {
		t.Errorf("ours %.10g (%v, %v, relative gap %.1e), the peer's %.10g", r.Primal, r.Trace, r.Status, r.RelativeGap(), peer)
	}
	if peer < r.Dual-peerAgreement*math.Abs(r.Dual) {
		t.Errorf("not the same problem: our dual bound is %.10g, the peer's objective %.10g", r.Dual, peer)
	}
	return peer <= r.Primal+peerAgreement*best
}

// comparePredictions counts rows that the two predict differently, ties left out.
func comparePredictions(t *testing.T, p *svm.Problem, r *svm.Result, scores []float64) {
	t.Helper()
	largest := 0.0
	for _, s := range scores {
		largest = max(largest, math.Abs(s))
	}
	different := 0
	for i, x := range p.Data.X {
		ours := r.Score(x)
		switch {
		case p.Regression():
			// Both objectives are within 1e-6, so the scores are within the order of its root.
			if math.Abs(ours-scores[i]) > 1e-2*largest {
				different++
			}
		case math.Abs(ours) > peerTie*largest && ours*scores[i] <= 0:
			different++
		}
	}
	if float64(different) > peerDifferent*float64(len(scores)) {
		t.Errorf("%d of %d rows are predicted differently", different, len(scores))
	}
}

// peerCount counts the problems on which both reach the same objective.
type peerCount struct{ agreed, all int }

func (c *peerCount) check(t *testing.T) {
	t.Logf("the peer reaches our objective on %d of %d problems", c.agreed, c.all)
	if float64(c.agreed) < peerShare*float64(c.all) {
		t.Errorf("only %d of %d problems agree", c.agreed, c.all)
	}
}

const peerEpsilon = 0.1 // half-width of all tubes

// linearPeers are LIBLINEAR's solvers with the tolerance that brings each near its optimum.
var linearPeers = []struct {
	solver int
	loss   loss.Trainable
	tol    float64
}{
	{1, loss.SquaredHinge{}, 1e-8},
	{2, loss.SquaredHinge{}, 1e-10},
	{3, loss.Hinge{}, 1e-8},
	{11, loss.SquaredEpsInsensitive{Epsilon: peerEpsilon}, 1e-10},
	{12, loss.SquaredEpsInsensitive{Epsilon: peerEpsilon}, 1e-8},
	{13, loss.EpsInsensitive{Epsilon: peerEpsilon}, 1e-8},
}

// agreeLinear compares a fit with all of LIBLINEAR's solvers for the kind of set.
func agreeLinear(t *testing.T, s peerSet, price float64, count *peerCount) {
	regression := s.set.ValidateBinary() != nil
	for _, c := range linearPeers {
		p := &svm.Problem{Data: s.set, Loss: c.loss, C: svm.PerSum(price), Bias: svmkit.PenalizedBias}
		if p.Regression() != regression {
			continue
		}
		t.Run(fmt.Sprintf("s%d/%s/C=%g", c.solver, s.name, price), func(t *testing.T) {
			plane, err := peers.Linear(s.set, peers.LinearSettings{Solver: c.solver, C: price, Epsilon: peerEpsilon, Tol: c.tol})
			if err != nil {
				t.Fatal(err)
			}
			theirs := (svmkit.Dense(plane.W...).SquaredNorm() + plane.B*plane.B) / 2
			scores := make([]float64, s.set.Len())
			for i, x := range s.set.X {
				scores[i] = plane.Score(x)
				theirs += price * c.loss.Value(scores[i], s.set.Y[i])
			}
			count.compare(t, p, theirs, scores)
		})
	}
}

// agreeKernel compares a fit with LIBSVM's C-SVC or ε-SVR; its β is certified by us.
func agreeKernel(t *testing.T, s peerSet, k kernel.Kernel, tol float64, count *peerCount) {
	t.Run(fmt.Sprintf("%s/%T", s.name, k), func(t *testing.T) {
		p := &svm.Problem{Data: s.set, Kernel: k}
		regression := s.set.ValidateBinary() != nil
		if regression {
			p.Loss = loss.EpsInsensitive{Epsilon: peerEpsilon}
		}
		peer, err := peers.Kernel(s.set, peers.KernelSettings{Regression: regression, Kernel: k, C: 1, Epsilon: peerEpsilon, Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		proof, err := p.Certify(peer.Beta)
		if err != nil {
			t.Fatal(err)
		}
		count.compare(t, p, proof.Primal, peer.Scores)
	})
}

// compare fits p and holds the result against the peer's objective and scores.
func (c *peerCount) compare(t *testing.T, p *svm.Problem, theirs float64, scores []float64) {
	t.Helper()
	r := ourFit(t, p)
	c.all++
	if compareObjectives(t, r, theirs) {
		c.agreed++
		comparePredictions(t, p, r, scores)
	} else {
		t.Logf("the peer stopped at %.10g, ours %.10g", theirs, r.Primal)
	}
}

func TestAgreesWithLIBLINEAR(t *testing.T) {
	var count peerCount
	defer func() { count.check(t) }()
	for _, s := range append(peerClassification(t), peerRegression(t)...) {
		for _, price := range []float64{0.01, 1} {
			agreeLinear(t, s, price, &count)
		}
	}
}

func TestAgreesWithLIBSVM(t *testing.T) {
	var count peerCount
	defer func() { count.check(t) }()
	for _, s := range append(peerClassification(t), peerRegression(t)...) {
		if !s.kernel {
			continue
		}
		gamma := 1 / float64(s.set.Dim)
		if s.set.Dim == 64 {
			gamma /= 64 // pixels go up to 16
		}
		for _, k := range []kernel.Kernel{nil, kernel.Polynomial{Degree: 3, Gamma: gamma / 4, Coef0: 1}, kernel.RBF{Gamma: gamma}} {
			agreeKernel(t, s, k, 1e-6, &count)
		}
	}
}

// Weights of classes are the peers' -w1 and -w-1; weights of rows, which their programs do not have, are rows
// repeated.
func TestWeightsAgreeWithPeers(t *testing.T) {
	const tol = 1e-8 // of the peers
	cancer := peerScaled(t, samples.BreastCancer())
	for i := range cancer.X {
		cancer.Weight = append(cancer.Weight, float64(i%4))
	}
	counted, _ := cancer.WithoutZeroWeights()
	var again []int
	for i, w := range cancer.Weight {
		again = append(again, slices.Repeat([]int{i}, int(w))...)
	}
	repeated := cancer.Subset(again)
	repeated.Weight = nil
	balanced := *cancer
	var err error
	if balanced.Weight, err = svmkit.Balanced(cancer); err != nil {
		t.Fatal(err)
	}
	factor := map[float64]float64{} // of each class
	for i, y := range cancer.Y {
		if cancer.Weight[i] == 1 {
			factor[y] = balanced.Weight[i]
		}
	}
	for name, c := range map[string]struct {
		set  *svmkit.Dataset
		plus float64
		less float64
	}{"rows": {cancer, 1, 1}, "without rows of weight 0": {counted, 1, 1}, "rows and classes": {&balanced, factor[1], factor[-1]}} {
		t.Run("LIBSVM/"+name, func(t *testing.T) {
			k := kernel.RBF{Gamma: 1. / 30}
			peer, err := peers.Kernel(repeated, peers.KernelSettings{Kernel: k, C: 1, Tol: tol, Positive: c.plus, Negative: c.less})
			if err != nil {
				t.Fatal(err)
			}
			proof, err := (&svm.Problem{Data: repeated, Kernel: k, C: svm.Cost{Positive: c.plus, Negative: c.less}}).Certify(peer.Beta)
			if err != nil {
				t.Fatal(err)
			}
			r := ourFit(t, &svm.Problem{Data: c.set, Kernel: k})
			if !compareObjectives(t, r, proof.Primal) {
				t.Errorf("the peer's objective is %.10g, ours %.10g", proof.Primal, r.Primal)
			}
		})
		t.Run("LIBLINEAR/"+name, func(t *testing.T) {
			p := &svm.Problem{Data: c.set, Loss: loss.SquaredHinge{}, C: svm.PerSum(0.1), Bias: svmkit.PenalizedBias}
			plane, err := peers.Linear(repeated, peers.LinearSettings{Solver: 2, C: 0.1, Tol: tol, Positive: c.plus, Negative: c.less})
			if err != nil {
				t.Fatal(err)
			}
			theirs := (svmkit.Dense(plane.W...).SquaredNorm() + plane.B*plane.B) / 2
			for x, y := range repeated.All() {
				cost := 0.1 * c.plus
				if y < 0 {
					cost = 0.1 * c.less
				}
				theirs += cost * p.Loss.Value(plane.Score(x), y)
			}
			r := ourFit(t, p)
			if !compareObjectives(t, r, theirs) {
				t.Errorf("the peer's objective is %.10g, ours %.10g", theirs, r.Primal)
			}
		})
	}
}
