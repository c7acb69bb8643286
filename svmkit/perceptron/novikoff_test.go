package perceptron_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// slack allows for rounding in the inequalities of the proof: both sides are sums of at most a
// few thousand terms, each with a relative error near 1e-16.
const slack = 1e-11

// separable draws n rows of d columns with 1 ≤ ‖x‖ ≤ 3 or so, at a distance of at least gamma
// from the plane of ref, and labels them by their side. Every third row is sparse.
func separable(rng *rand.Rand, n, d int, gamma float64, ref svmkit.Hyperplane) *svmkit.Dataset {
	s := &svmkit.Dataset{Dim: d}
	for s.Len() < n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64() * 2 / math.Sqrt(float64(d))
		}
		row := svmkit.Dense(x...)
		side := ref.SignedDistance(row)
		if math.Abs(side) < gamma {
			continue
		}
		if s.Len()%3 == 2 {
			row = svmkit.Row{Value: x}
			for j := range x {
				row.Index = append(row.Index, int32(j))
			}
		}
		s.X, s.Y = append(s.X, row), append(s.Y, math.Copysign(1, side))
	}
	return s
}

func randomPlane(rng *rand.Rand, d int, bias bool) svmkit.Hyperplane {
	h := svmkit.Hyperplane{W: make([]float64, d)}
	for j := range h.W {
		h.W[j] = rng.NormFloat64()
	}
	if bias {
		h.B = rng.NormFloat64()
	}
	return h
}

// biasIf is the penalized bias, or none.
func biasIf(learned bool) svmkit.Bias {
	if learned {
		return svmkit.PenalizedBias
	}
	return svmkit.NoBias
}

func fit(t *testing.T, p *perceptron.Perceptron, s *svmkit.Dataset, stop perceptron.Stop) *perceptron.Trace {
	t.Helper()
	trace, err := p.Fit(context.Background(), s, stop)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// The proof of Block and Novikoff, replayed at every mistake of runs on random separable sets:
// with k the number of mistakes so far,
//
//	⟨w,w*⟩ ≥ kγ‖w*‖,   ⟨w,w*⟩ ≤ ‖w‖·‖w*‖,   ‖w‖² ≤ kR²,   so k ≤ R²/γ².
//
// With a bias the same holds for rows with one more feature that is 1.
func TestBlockNovikoffAtEveryMistake(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	mistakes := 0
	for trial := range 60 {
		bias := trial%2 == 1
		d := 2 + rng.IntN(15)
		ref := randomPlane(rng, d, bias)
		s := separable(rng, 20+rng.IntN(80), d, 0.02+0.2*rng.Float64(), ref)

		var one float64 // what the constant feature adds to ‖x‖²
		if bias {
			one = 1
		}
		refNorm := math.Sqrt(ref.Norm()*ref.Norm() + ref.B*ref.B)
		gamma, r := math.Inf(1), math.Sqrt(s.Radius()*s.Radius()+one)
		for x, y := range s.All() {
			gamma = min(gamma, y*ref.Score(x)/refNorm)
		}

		p := perceptron.Perceptron{Bias: biasIf(bias), Reference: &ref}
		trace := fit(t, &p, s, perceptron.Stop{Epochs: 100000})
		if trace.Status != svmkit.Converged {
			t.Fatalf("trial %d: %v after %d epochs on a separable set", trial, trace.Status, trace.Epochs)
		}
		for i, m := range trace.Mistakes {
			k := float64(i + 1)
			if m.Label*m.Score > 0 {
				t.Fatalf("trial %d, mistake %v: y·f = %g is right", trial, k, m.Label*m.Score)
			}
			if m.Align < k*gamma*refNorm*(1-slack) {
				t.Fatalf("trial %d, mistake %v: ⟨w,w*⟩ = %g < kγ‖w*‖ = %g", trial, k, m.Align, k*gamma*refNorm)
			}
			if m.Align > m.NormW*refNorm*(1+slack) {
				t.Fatalf("trial %d, mistake %v: Cauchy–Schwarz fails", trial, k)
			}
			if m.NormW*m.NormW > k*r*r*(1+slack) {
				t.Fatalf("trial %d, mistake %v: ‖w‖² = %g > kR² = %g", trial, k, m.NormW*m.NormW, k*r*r)
			}
			if k > r*r/(gamma*gamma)*(1+slack) {
				t.Fatalf("trial %d: %v mistakes > R²/γ² = %g", trial, k, r*r/(gamma*gamma))
			}
			x := s.X[m.Index]
			if want := math.Sqrt(x.SquaredNorm() + one); m.NormX != want {
				t.Fatalf("NormX = %g, want %g", m.NormX, want)
			}
		}
		for x, y := range s.All() {
			if y*p.Score(x) <= 0 {
				t.Fatalf("trial %d: converged with a row on the wrong side", trial)
			}
		}
		mistakes += len(trace.Mistakes)
	}
	if mistakes < 500 {
		t.Fatalf("only %d mistakes in all: the runs are too easy to test anything", mistakes)
	}
}

// NormW and Align follow the stored w, not an ideal one: at the end of a long sparse run they
// equal what a pass over all of w gives. The run is long so that a plain sum would drift.
func TestNormAndAlignDoNotDrift(t *testing.T) {
	const d, n = 300, 40000
	const ulps = 8e-16 // a pass over w has a relative error of this size itself
	for _, bias := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(2, 0))
		ref := randomPlane(rng, d, bias)
		p := perceptron.Perceptron{Bias: biasIf(bias), Rate: 0.1, Reference: &ref}
		examples := func(yield func(svmkit.Row, float64) bool) {
			for range n { // labels are noise, so about half of the examples are mistakes
				x := svmkit.Row{}
				for j := range d {
					if rng.IntN(100) < 4 {
						x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, math.Exp(3*rng.NormFloat64()))
					}
				}
				if x.Index != nil && !yield(x, float64(2*rng.IntN(2)-1)) {
					return
				}
			}
		}
		mistakes := 0
		err := p.Learn(context.Background(), examples, func(m perceptron.Mistake) bool {
			mistakes++
			if mistakes%5000 != 0 {
				return true
			}
			plane := p.Plane()
			norm, align, size := new(exactSum), new(exactSum), 0.0
			for j, w := range plane.W {
				norm.add(w, w)
				align.add(w, ref.W[j])
				size += math.Abs(w * ref.W[j])
			}
			norm.add(plane.B, plane.B)
			align.add(plane.B, ref.B)
			if want := math.Sqrt(norm.value()); math.Abs(m.NormW-want) > ulps*want {
				t.Errorf("bias %v, mistake %d: NormW = %.17g, ‖w‖ = %.17g", bias, mistakes, m.NormW, want)
			}
			if want := align.value(); math.Abs(m.Align-want) > ulps*size {
				t.Errorf("bias %v, mistake %d: Align = %.17g, ⟨w,w*⟩ = %.17g", bias, mistakes, m.Align, want)
			}
			return true
		})
		if err != nil || mistakes < 10000 {
			t.Errorf("%d mistakes, error %v", mistakes, err)
		}
	}
}

// The tight case (erratum 14): on n basis vectors w* = Σ yᵢeᵢ has margin 1/√n and R = 1, so
// R²/γ² = n, and the perceptron makes exactly n mistakes: each row is right only after its
// own update. The bound cannot be improved.
func TestBasisVectorsMeetTheBound(t *testing.T) {
	for _, n := range []int{1, 2, 20, 101} {
		s := &svmkit.Dataset{Dim: n}
		for i := range n {
			s.X = append(s.X, svmkit.Row{Index: []int32{int32(i)}, Value: []float64{1}})
			s.Y = append(s.Y, float64(1-2*(i%2)))
		}
		for _, shuffle := range []*rand.Rand{nil, rand.New(rand.NewPCG(3, 0))} {
			var p perceptron.Perceptron
			trace := fit(t, &p, s, perceptron.Stop{Shuffle: shuffle})
			if len(trace.Mistakes) != n || trace.Status != svmkit.Converged || trace.Epochs != 2 {
				t.Errorf("n = %d: %d mistakes, %v after %d epochs; want n mistakes in the first of two",
					n, len(trace.Mistakes), trace.Status, trace.Epochs)
			}
			for i, m := range trace.Mistakes {
				if m.Score != 0 || math.Abs(m.NormW-math.Sqrt(float64(i+1))) > slack {
					t.Errorf("mistake %d: score %g, ‖w‖ %g, want 0 and √k", i+1, m.Score, m.NormW)
				}
			}
		}
	}
}

// Erratum 13: with a bias, R²/γ² of the plain rows bounds nothing. In one dimension take
// x = c−1 labelled −1 and x = c+1 labelled +1: the half-margin is 1 and R = c+1.
//
// After P updates on the right row and M on the left, b = P − M and
// w = (c+1)P − (c−1)M = c·b + k, with k = P + M mistakes. To separate, −b/w must lie within 1
// of c, so k = w − c·b > w + c(c−1)w: at least c(c−1) + 1 mistakes for each unit of w.
func TestBiasBreaksThePlainBound(t *testing.T) {
	const c = 100
	s := &svmkit.Dataset{X: svmkit.DenseRows([]float64{c - 1, c + 1}, 1), Y: []float64{-1, 1}, Dim: 1}
	w, b := svmkit.Hyperplane{W: []float64{1}, B: -c}, 0
	p := perceptron.Perceptron{Bias: svmkit.PenalizedBias, Reference: &w}
	trace := fit(t, &p, s, perceptron.Stop{Epochs: 100000})
	k := len(trace.Mistakes)
	if trace.Status != svmkit.Converged {
		t.Fatalf("%v after %d mistakes", trace.Status, k)
	}

	// The same run in whole numbers, without the library.
	want, wi := 0, 0
	for clean := 0; clean < 2; {
		for _, row := range [2][2]int{{c - 1, -1}, {c + 1, 1}} {
			clean++
			if row[1]*(wi*row[0]+b) <= 0 {
				wi, b, want, clean = wi+row[1]*row[0], b+row[1], want+1, 0
			}
		}
	}
	if k != want || p.W[0] != float64(wi) || p.B != float64(b) {
		t.Errorf("%d mistakes to (%g, %g); in whole numbers %d to (%d, %d)", k, p.W[0], p.B, want, wi, b)
	}
	if p.W[0] != c*p.B+float64(k) {
		t.Errorf("w = %g, c·b + k = %g", p.W[0], c*p.B+float64(k))
	}
	const plain = (c + 1) * (c + 1)           // R²/γ², γ = 1
	const augmented = (plain + 1) * (1 + c*c) // (R² + 1)(‖w*‖² + b*²), margin of (w*, b*) 1
	if !(plain < k && k <= augmented) {
		t.Errorf("%d mistakes; want more than R²/γ² = %d and at most %d", k, plain, augmented)
	}
}
