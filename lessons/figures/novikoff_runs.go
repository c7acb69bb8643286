package figures

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/samples"
)

// The runs of lesson 3: on streets, on random separable sets, and on basis vectors.

// StreetOrders names the orders in which [StreetRun] shows its points.
var StreetOrders = []string{"in turn", "class by class", "far points first", "near points first"}

// A Street is a run of the perceptron without bias on the points of [StreetRun].
type Street struct {
	Set        *svmkit.Dataset
	Star, Last svmkit.Hyperplane // the line in the middle of the street, and where the run ended
	Trace      *perceptron.Trace
}

// StreetRun runs the perceptron on 30 points of the unit disc, none nearer than gamma to the line
// through the origin with normal (0.6, 0.8), and many of them near it. The first point has length 1
// and distance gamma, so R = 1 and γ = gamma for every gamma below 1.
func StreetRun(gamma float64, order int) (Street, error) {
	if err := cmp.Or(check.Positive("gamma", gamma), check.Positive("1 - gamma", 1-gamma),
		check.Count("order", order+1, 1, len(StreetOrders), "order")); err != nil {
		return Street{}, err
	}
	r, star := rand.New(rand.NewPCG(9, 0)), svmkit.Hyperplane{W: []float64{0.6, 0.8}}
	var rows []VectorUpdate
	half := math.Sqrt(1 - gamma*gamma)
	for i := range 30 {
		along, away, y := half*(2*r.Float64()-1), r.Float64(), float64(1-2*(i%2))
		if i == 0 {
			along, away = half, 0
		}
		away = gamma + (math.Sqrt(1-along*along)-gamma)*away*away*away
		rows = append(rows, VectorUpdate{Y: y,
			X: svmkit.Dense(y*(0.6*away-0.8*along), y*(0.8*away+0.6*along))})
	}
	key := func(u VectorUpdate) float64 {
		margin := u.Y * star.Score(u.X)
		return []float64{0, -u.Y, -margin, margin}[order]
	}
	slices.SortStableFunc(rows, func(a, b VectorUpdate) int { return cmp.Compare(key(a), key(b)) })
	set := &svmkit.Dataset{Dim: 2}
	for _, u := range rows {
		set.X, set.Y = append(set.X, u.X), append(set.Y, u.Y)
	}
	p := perceptron.Perceptron{Reference: &star}
	trace, err := p.Fit(context.Background(), set, perceptron.Stop{Mistakes: 10_000, Epochs: 1_000_000})
	return Street{set, star, p.Plane(), trace}, err
}

// RunOf runs the perceptron without bias to its end, with w* as its reference.
func RunOf(set *svmkit.Dataset, star svmkit.Hyperplane) (*perceptron.Trace, error) {
	p := perceptron.Perceptron{Reference: &star}
	return p.Fit(context.Background(), set, perceptron.Stop{Mistakes: 100_000, Epochs: 1_000_000})
}

// Update is one mistake of the perceptron without bias: the example, and w around the update.
type Update struct {
	X             []float64
	Y             float64
	Before, After []float64
}

// A WitnessedRun is a run on a set with a witness w* of half-margin Gamma > 0.
type WitnessedRun struct {
	Star          []float64
	Radius, Gamma float64 // R and γ
	Mistakes      []Update
	Ended         bool // every example is on its correct side
}

// RandomSet returns 5 to 300 points in 2 to 40 dimensions, with R from 1 to 10, and a witness of
// length 0.1 to 10 with γ/R from 0.02 to 0.62.
func RandomSet(r *rand.Rand) (*svmkit.Dataset, svmkit.Hyperplane, error) {
	g := samples.Separable{N: 5 + r.IntN(296), Dim: 2 + r.IntN(39), Radius: math.Pow(10, r.Float64())}
	g.Margin = g.Radius * (0.02 + 0.6*r.Float64())
	set, star, err := g.Generate(r.Uint64())
	return set, star.Scale(math.Pow(10, 2*r.Float64()-1)), err
}

// WitnessedRuns returns n runs on sets of [RandomSet], of at most 100,000 mistakes. They show the
// points, run by run, as stored, shuffled in each pass, drawn with repetition, or always the point
// with the smallest yf(x).
func WitnessedRuns(n int) (runs []WitnessedRun, err error) {
	for i := range n {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		set, star, err := RandomSet(r)
		if err != nil {
			return nil, err
		}
		run := WitnessedRun{Star: star.W, Radius: set.Radius()}
		run.Gamma, _ = star.SetMargin(set)
		run.play(set, r, i%4)
		runs = append(runs, run)
	}
	return runs, nil
}

func (run *WitnessedRun) play(set *svmkit.Dataset, r *rand.Rand, order int) {
	w := make([]float64, set.Dim)
	for queue := []int(nil); len(run.Mistakes) < 100_000; queue = queue[1:] {
		if len(queue) == 0 {
			queue = r.Perm(set.Len())
			if order == 0 {
				slices.Sort(queue)
			}
		}
		worst, least := 0, math.Inf(1)
		for i, x := range set.X {
			if v := set.Y[i] * x.Dot(w); v < least {
				worst, least = i, v
			}
		}
		if run.Ended = least > 0; run.Ended {
			return
		}
		i := []int{queue[0], queue[0], r.IntN(set.Len()), worst}[order]
		if x, y := set.X[i], set.Y[i]; y*x.Dot(w) <= 0 {
			after := slices.Clone(w)
			x.AddTo(after, y)
			run.Mistakes = append(run.Mistakes, Update{x.ToDense(set.Dim), y, w, after})
			w = after
		}
	}
}

// Misclassified counts the rows that a plane does not have on their correct sides.
func Misclassified(set *svmkit.Dataset, h svmkit.Hyperplane) int { return geom.Mistakes(set, h) }

// LooseRuns returns n runs on sets of [RandomSet], with their mistakes and bounds.
func LooseRuns(n int) (runs []BoundRun, err error) {
	for i := range n {
		set, star, err := RandomSet(rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			return nil, err
		}
		trace, err := RunOf(set, star)
		if err != nil {
			return nil, err
		}
		runs = append(runs, BoundRun{Mistakes: len(trace.Mistakes), Bound: numbersOf(set, star).Bound()})
	}
	return runs, nil
}

// Tight holds runs on basis vectors, with all that [TightCase] draws.
type Tight struct {
	Sizes   []TightRun
	Last    []perceptron.Mistake // of the last size
	Numbers Novikoff             // of the last size
}

// TightRuns returns runs on the n basis vectors for each size n.
func TightRuns(sizes ...int) (t Tight, err error) {
	for _, n := range sizes {
		set, star, err := samples.Basis(n)
		if err != nil {
			return t, err
		}
		trace, err := RunOf(set, star)
		if err != nil {
			return t, err
		}
		t.Last, t.Numbers = trace.Mistakes, numbersOf(set, star)
		t.Sizes = append(t.Sizes, TightRun{N: n, Mistakes: len(t.Last), Bound: t.Numbers.Bound()})
	}
	return t, nil
}

// MistakesBySize returns mistakes on sets with R = 1 and γ = 0.1, ten for each size: of 2 to 1,000
// points in the plane, and of 100 points in 2 to 1,000 dimensions.
func MistakesBySize() (panels []GrowthPanel, err error) {
	for _, p := range []struct {
		x    string
		size func(k int) (n, d int)
	}{{"points $n$ in the plane", func(k int) (n, d int) { return k, 2 }},
		{"dimensions $d$ of 100 points", func(k int) (n, d int) { return 100, k }}} {
		s := plots.Series{Name: "mean of ten sets (band: all ten)"}
		for _, k := range []int{2, 5, 20, 50, 200, 1000} {
			n, d := p.size(k)
			sum, low, high := 0.0, math.Inf(1), 0.0
			for seed := range uint64(10) {
				set, star, err := samples.Separable{N: n, Dim: d, Margin: 0.1, Radius: 1}.Generate(seed)
				if err != nil {
					return nil, err
				}
				trace, err := RunOf(set, star)
				if err != nil {
					return nil, err
				}
				made := float64(len(trace.Mistakes))
				sum, low, high = sum+made, min(low, made), max(high, made)
			}
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, sum/10)
			s.Low, s.High = append(s.Low, low), append(s.High, high)
		}
		panels = append(panels, GrowthPanel{X: p.x, Series: []plots.Series{s}})
	}
	return panels, nil
}
