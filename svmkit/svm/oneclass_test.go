package svm_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/qp"
	"github.com/svmkit/course/svmkit/svm"
)

// cloud is n rows around (3, 2), every tenth of them far out, without labels.
func cloud(n int, seed uint64) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	s := &svmkit.Dataset{Dim: 2}
	for i := range n {
		size := 0.5
		if i%10 == 0 {
			size = 2
		}
		s.X = append(s.X, svmkit.Dense(3+size*rng.NormFloat64(), 2+size*rng.NormFloat64()))
	}
	return s
}

// oneClass solves p and fails the test if it is not optimal.
func oneClass(t testing.TB, p svm.OneClass, tol float64) *svm.Result {
	t.Helper()
	r, err := p.Fit(t.Context(), &svm.Settings{Tol: tol})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != svmkit.Optimal || !(r.RelativeGap() <= tol) {
		t.Fatalf("%v: %v, relative gap %g", r.Trace, r.Status, r.RelativeGap())
	}
	return r
}

// Three rows 1, 2 and 4 on a line: with ν = 1 all α are 1, w = 7 and ρ is the largest score, 28. With ν = 1/3 the row
// with the smallest score has the whole α: w = 1, and ρ = 1 is the score of that row, for Σ max(0, ρ − ⟨w,x⟩) − ρ is least there.
func TestOneClassByHand(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 4}, 1), Dim: 1}
	const rounding = 1e-12
	for _, c := range []struct{ nu, w, rhoMin, rhoMax, objective float64 }{
		{1, 7, 28, 28, 24.5 - 28*3 + (21 + 14)},
		{1.0 / 3, 1, 1, 2, 0.5 - 1},
		{0.5, 2, 4, 4, 2 - 4*1.5 + 2}, // α = (1, ½, 0)
	} {
		r := oneClass(t, svm.OneClass{Data: set, Nu: c.nu}, 1e-9)
		for name, v := range map[string][2]float64{"w": {r.Weights[0], c.w}, "least ρ": {-r.BiasMax, c.rhoMin}, "largest ρ": {-r.BiasMin, c.rhoMax},
			"primal": {r.Primal, c.objective}, "dual": {r.Dual, -c.w * c.w / 2}} {
			if !(math.Abs(v[0]-v[1]) <= rounding*max(1, math.Abs(v[1]))) {
				t.Errorf("ν = %g: %s is %.17g, want %g", c.nu, name, v[0], v[1])
			}
		}
		if !r.OneClass || r.Bias != (r.BiasMin+r.BiasMax)/2 {
			t.Errorf("ν = %g: OneClass %v, b = %g", c.nu, r.OneClass, r.Bias)
		}
	}
}

// ν bounds the share of the outliers from above and that of the support vectors from below, at any tolerance and for
// any feasible α.
func TestNuBoundsOutliersAndSupportVectors(t *testing.T) {
	const rounding = 1e-9 // relative, of νn
	rapid.Check(t, func(t *rapid.T) {
		set := cloud(rapid.IntRange(1, 60).Draw(t, "n"), rapid.Uint64().Draw(t, "seed"))
		p := svm.OneClass{Data: set, Nu: rapid.Float64Range(0.01, 1).Draw(t, "ν"),
			Kernel: rapid.SampledFrom([]kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}, kernel.Laplacian{Gamma: 1}, kernel.Polynomial{Degree: 2, Coef0: 1}}).Draw(t, "kernel")}
		r, err := p.Fit(context.Background(), &svm.Settings{Tol: rapid.SampledFrom([]float64{0.1, 1e-6}).Draw(t, "tol")})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != svmkit.Optimal {
			t.Fatalf("%v %s", r.Status, r.Reason)
		}
		any := make([]float64, set.Len())
		for i := range any {
			any[i] = rapid.Float64Range(-0.5, 1.5).Draw(t, "α")
		}
		guess, err := p.Certify(any)
		if err != nil {
			t.Fatal(err)
		}
		if !(guess.Dual <= r.Primal+rounding*math.Abs(r.Primal) && r.Dual <= guess.Primal+rounding*math.Abs(r.Primal)) {
			t.Fatalf("objectives of a guess %g … %g, of the fit %g … %g", guess.Dual, guess.Primal, r.Dual, r.Primal)
		}
		for _, proof := range []*svm.Proof{&r.Proof, guess} {
			sum, support := 0.0, 0
			for i, a := range proof.Beta {
				if !(a >= 0 && a <= 1) {
					t.Fatalf("α[%d] = %g", i, a)
				}
				if sum += a; a > 0 {
					support++
				}
			}
			most := p.Nu * float64(set.Len())
			if !(math.Abs(sum-most) <= rounding*most) || float64(support) < most*(1-rounding) {
				t.Fatalf("Σα = %g with %d support vectors, νn = %g", sum, support, most)
			}
		}
		outliers, most := 0, p.Nu*float64(set.Len())
		size := 0.0
		for _, x := range set.X {
			size = max(size, math.Abs(r.Score(x)))
		}
		for _, x := range set.X {
			if r.Score(x) < -rounding*max(size, math.Abs(r.Bias)) {
				outliers++
			}
		}
		if float64(outliers) > most*(1+rounding) {
			t.Fatalf("%d outliers, νn = %g", outliers, most)
		}
	})
}

// The dual objective is that of package qp's solver, which shares nothing with SMO but the kernel; ρ is the multiplier of
// the equality.
func TestOneClassAgainstTheOracle(t *testing.T) {
	const close = 1e-7 // relative: the fit is to 1e-9, and so is the oracle's x
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		set, nu := cloud(5+rng.IntN(20), seed), 0.05+0.9*rng.Float64()
		n := set.Len()
		var k kernel.Kernel = kernel.RBF{Gamma: 0.1 + rng.Float64()}
		q, upper := mat.NewSymDense(n, nil), make([]float64, n)
		for i := range n {
			upper[i] = 1
			for j := range i + 1 {
				q.SetSym(i, j, k.Eval(set.X[i], set.X[j]))
			}
		}
		s, err := qp.Solve(&qp.Problem{Q: q, P: make([]float64, n), A: slices.Repeat([]float64{1}, n), R: nu * float64(n), Lower: make([]float64, n), Upper: upper})
		if err != nil {
			t.Fatal(err)
		}
		r := oneClass(t, svm.OneClass{Data: set, Kernel: k, Nu: nu}, 1e-9)
		if !(math.Abs(-r.Dual-s.Objective) <= close*max(1, s.Objective)) {
			t.Errorf("seed %d: dual %.12g, the oracle's %.12g", seed, r.Dual, -s.Objective)
		}
		if !(s.Y >= -r.BiasMax-close*max(1, s.Y) && s.Y <= -r.BiasMin+close*max(1, s.Y)) {
			t.Errorf("seed %d: ρ from %.10g to %.10g, the oracle's %.10g", seed, -r.BiasMax, -r.BiasMin, s.Y)
		}
	}
}

// The optimum is that of svm-train -s 2: objective, ρ and the model.
func TestOneClassIsLIBSVMs(t *testing.T) {
	path, err := exec.LookPath("svm-train")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	const printed = 1e-5 // relative: svm-train prints six digits
	set := cloud(200, 1)
	set.Y = make([]float64, set.Len())
	var text bytes.Buffer
	if err := dataset.WriteLIBSVM(&text, set); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(data, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for flags, k := range map[string]kernel.Kernel{"-t 0": nil, "-t 2 -g 0.5": kernel.RBF{Gamma: 0.5}, "-t 1 -g 1 -r 1 -d 2": kernel.Polynomial{Degree: 2, Coef0: 1}} {
		for _, nu := range []float64{0.05, 0.1, 0.503, 1} {
			r := oneClass(t, svm.OneClass{Data: set, Kernel: k, Nu: nu}, 1e-9)
			args := append(strings.Fields("-s 2 -e 1e-9 -n "+fmt.Sprint(nu)), append(strings.Fields(flags), data, filepath.Join(t.TempDir(), "model"))...)
			out, err := exec.Command(path, args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			objective, rho := objectiveAndRho(t, out)
			if !(math.Abs(-r.Dual-objective) <= printed*objective) {
				t.Errorf("%s, ν = %g: objective %.10g, svm-train's %.10g", flags, nu, -r.Dual, objective)
			}
			if !(rho >= -r.BiasMax-printed*math.Abs(rho) && rho <= -r.BiasMin+printed*math.Abs(rho)) {
				t.Errorf("%s, ν = %g: ρ from %.10g to %.10g, svm-train's %.10g", flags, nu, -r.BiasMax, -r.BiasMin, rho)
			}
		}
	}
}

// objectiveAndRho reads "obj = 1, rho = 2" in what svm-train prints.
func objectiveAndRho(t *testing.T, out []byte) (objective, rho float64) {
	t.Helper()
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		var err1, err2 error
		if a, b, ok := strings.Cut(strings.TrimPrefix(s.Text(), "obj = "), ", rho = "); ok {
			objective, err1 = strconv.ParseFloat(a, 64)
			rho, err2 = strconv.ParseFloat(b, 64)
			if err1 == nil && err2 == nil {
				return objective, rho
			}
		}
	}
	t.Fatalf("no objective in\n%s", out)
	return 0, 0
}

// Rows around 0 with the linear kernel: 0 is a convex combination of them, w = 0, and nothing is told apart.
func TestOneClassAroundTheOrigin(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -1, 1, 1, -1, -1, -1}, 2), Dim: 2}
	r := oneClass(t, svm.OneClass{Data: set, Nu: 0.9}, 1e-6)
	for _, x := range set.X {
		if f := r.Score(x); !(math.Abs(f) <= 1e-6) {
			t.Errorf("score %g", f)
		}
	}
}

// Settings.Start goes on from what is there, and a fit that has no time left says what is known: an objective, and no gap.
func TestOneClassStartAndCancellation(t *testing.T) {
	set := cloud(100, 2)
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}} {
		p := svm.OneClass{Data: set, Kernel: k, Nu: 0.2}
		r := oneClass(t, p, 1e-9)
		again, err := p.Fit(t.Context(), &svm.Settings{Tol: 1e-8, Start: r.Beta})
		if err != nil || again.Iterations != 0 || again.Updates != 0 || again.Status != svmkit.Optimal {
			t.Errorf("from the optimum: %v, %v after %d updates", err, again.Status, again.Updates)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		stopped, err := p.Fit(ctx, nil)
		if !errors.Is(err, context.Canceled) || stopped.Status != svmkit.Cancelled || !(stopped.Dual <= r.Primal && r.Dual <= stopped.Primal) {
			t.Errorf("cancelled: %v, %v, objectives %g … %g around %g", err, stopped.Status, stopped.Dual, stopped.Primal, r.Primal)
		}
		if f := stopped.Score(set.X[0]); f-f != 0 {
			t.Errorf("cancelled: score %g", f)
		}
	}
}

// The same problem gives the same bits, and labels have no part in it.
func TestOneClassIgnoresLabels(t *testing.T) {
	set := cloud(100, 3)
	a := oneClass(t, svm.OneClass{Data: set, Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.2}, 1e-6)
	labelled := *set
	labelled.Y, labelled.Classes = make([]float64, set.Len()), []string{"a", "b", "c"}
	for i := range labelled.Y {
		labelled.Y[i] = float64(i % 3)
	}
	b := oneClass(t, svm.OneClass{Data: &labelled, Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.2}, 1e-6)
	if a.Certificate != b.Certificate || a.Bias != b.Bias || b.Classes != nil {
		t.Errorf("%+v and %+v, classes %q", a.Certificate, b.Certificate, b.Classes)
	}
}

func TestOneClassRefuses(t *testing.T) {
	set := cloud(5, 1)
	wrong := cloud(5, 1)
	wrong.X[3].Value[1] = math.NaN()
	for _, nu := range []float64{0, -0.1, 1.001, math.NaN(), math.Inf(1)} {
		var parameter *svmkit.ParamError
		if _, err := (svm.OneClass{Data: set, Nu: nu}).Fit(t.Context(), nil); !errors.As(err, &parameter) || parameter.Name != "Nu" {
			t.Errorf("ν = %g: %v", nu, err)
		}
		if _, err := (svm.OneClass{Data: set, Nu: nu}).Certify(make([]float64, 5)); !errors.As(err, &parameter) || parameter.Name != "Nu" {
			t.Errorf("ν = %g: %v", nu, err)
		}
	}
	var data *svmkit.DataError
	if _, err := (svm.OneClass{Data: wrong, Nu: 0.5}).Fit(t.Context(), nil); !errors.As(err, &data) || data.Row != 3 || data.Col != 1 {
		t.Errorf("NaN: %v", err)
	}
	wrong = cloud(5, 1)
	wrong.Y = []float64{1, 1, math.NaN(), 1, 1}
	if _, err := (svm.OneClass{Data: wrong, Nu: 0.5}).Fit(t.Context(), nil); !errors.As(err, &data) || data.Row != 2 {
		t.Errorf("NaN as a label: %v", err)
	}
	for name, p := range map[string]svm.OneClass{"no data": {Nu: 0.5}, "no rows": {Data: &svmkit.Dataset{Dim: 1}, Nu: 0.5}} {
		if _, err := p.Fit(t.Context(), nil); !errors.Is(err, svmkit.ErrEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (svm.OneClass{Data: set, Nu: 0.5, Kernel: kernel.RBF{}}).Fit(t.Context(), nil); err == nil {
		t.Error("a kernel without its γ")
	}
}

// Rows like the training rows have a positive score, others a negative one.
func ExampleOneClass() {
	rng := rand.New(rand.NewPCG(1, 1))
	normal := &svmkit.Dataset{Dim: 2}
	for range 200 {
		normal.X = append(normal.X, svmkit.Dense(rng.NormFloat64(), rng.NormFloat64()))
	}
	r, err := svm.OneClass{Data: normal, Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.1}.Fit(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	outliers := 0
	for _, x := range normal.X {
		if r.Predict(x).Y < 0 {
			outliers++
		}
	}
	fmt.Println(r.Status, "outliers at most 20:", outliers <= 20, "support vectors at least 20:", len(r.SV) >= 20)
	fmt.Println(r.Predict(svmkit.Dense(0.5, 0)).Y, r.Predict(svmkit.Dense(4, 4)).Y)
	// Output:
	// optimal outliers at most 20: true support vectors at least 20: true
	// 1 -1
}
