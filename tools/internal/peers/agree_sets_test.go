//go:build peers

package peers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/qp"
	"github.com/svmkit/course/svmkit/tune"
)

// benchRows is how many rows of a set the kernel machines are compared on: LIBSVM needs half
// a minute for all of a9a.
const benchRows = 2000

// benchSets reads the sets of bench/data. Sets with more than two classes become "the first class
// or not".
func benchSets(t *testing.T) []peerSet {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "bench", "data", "*.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal("no sets in bench/data: ", err)
	}
	var sets []peerSet
	for _, file := range files {
		set, err := dataset.ReadFile(context.Background(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(set.Classes) > 2 {
			if set, err = set.OneVsRest(set.Classes[0]); err != nil {
				t.Fatal(err)
			}
		}
		sets = append(sets, peerSet{name: filepath.Base(file), set: set})
	}
	return sets
}

// On every set of bench/data our objective is never above LIBLINEAR's. Its dual solvers stop at
// a limit of iterations on several of them, so here no share of agreement is asked for.
func TestAgreesOnBenchDataLinear(t *testing.T) {
	var count peerCount
	for _, s := range benchSets(t) {
		agreeLinear(t, s, 1, &count)
	}
	t.Logf("the peer reaches our objective on %d of %d problems", count.agreed, count.all)
}

// The same for LIBSVM with three kernels, on a sample of the rows.
func TestAgreesOnBenchDataKernel(t *testing.T) {
	var count peerCount
	defer func() { count.check(t) }()
	for _, s := range benchSets(t) {
		if s.set.Dim > 1000 {
			continue // text: a kernel adds nothing, and an RBF of 1/d is constant
		}
		fold, err := tune.SplitRows(s.set, math.Min(0.9, benchRows/float64(s.set.Len())), 1)
		if err != nil {
			t.Fatal(err)
		}
		_, s.set = fold.Of(s.set)
		gamma := 1 / float64(s.set.Dim)
		for _, k := range []kernel.Kernel{nil, kernel.Polynomial{Degree: 2, Gamma: gamma, Coef0: 1}, kernel.RBF{Gamma: gamma}} {
			agreeKernel(t, s, k, 1e-6, &count)
		}
	}
}

// A third opinion on the oracle itself: cvxopt, another code by other people.
func TestOracleAgreesWithCVXOPT(t *testing.T) {
	const script = `
import json, sys
from cvxopt import matrix, solvers
solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11)
out = []
for p in json.load(sys.stdin):
    n = len(p["P"])
    Q = matrix([float(v) for v in p["Q"]], (n, n)); u = float(p["U"])
    G = matrix(0.0, (2*n, n)); h = matrix(0.0, (2*n, 1))
    for i in range(n):
        G[i, i] = -1.0; G[n+i, i] = 1.0; h[n+i] = u
    r = solvers.qp(Q, matrix([float(v) for v in p["P"]]), G, h, matrix([float(v) for v in p["A"]], (1, n)), matrix([0.0]))
    out.append(r["primal objective"])
print(json.dumps(out))`
	type problem struct {
		Q, P, A []float64
		U       float64
	}
	var problems []problem
	var ours []float64
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n, d, u := 5+rng.IntN(40), 1+rng.IntN(6), math.Pow(10, 2*rng.Float64()-1)
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			y[i] = float64(2*rng.IntN(2) - 1)
			for j := range d {
				x.Set(i, j, y[i]*rng.NormFloat64())
			}
		}
		y[0], y[1] = 1, -1
		q := mat.NewSymDense(n, nil)
		q.SymOuterK(1, x)
		p, lower, upper := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range p {
			p[i], upper[i] = -1, u
		}
		s, err := qp.Solve(&qp.Problem{Q: q, P: p, A: y, Lower: lower, Upper: upper})
		if err != nil {
			t.Fatal(err)
		}
		ours = append(ours, s.Objective)
		flat := make([]float64, 0, n*n)
		for i := range n {
			for k := range n {
				flat = append(flat, q.At(i, k))
			}
		}
		problems = append(problems, problem{Q: flat, P: p, A: y, U: u})
	}
	input, err := json.Marshal(problems)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", script)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s (Debian: apt-get install python3-cvxopt)", err, stderr.String())
	}
	var theirs []float64
	if err := json.Unmarshal(output, &theirs); err != nil {
		t.Fatal(err)
	}
	const tolerance = 1e-7 // cvxopt stops at about 1e-9 of its own measure
	for i := range ours {
		if math.Abs(ours[i]-theirs[i]) > tolerance*max(1, math.Abs(ours[i])) {
			t.Errorf("problem %d: ours %.12g, cvxopt's %.12g", i, ours[i], theirs[i])
		}
	}
}
