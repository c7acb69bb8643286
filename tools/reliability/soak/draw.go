package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// A trial is a problem, the accuracy asked for, and how much may be expected of it.
type trial struct {
	number uint64
	*svm.Problem
	tol     float64
	hostile bool // scales or weights out of the range in which every solver must reach tameGap
	hard    bool // C = +Inf
	big     bool // thousands of rows
	name    string

	condition float64 // Σ cᵢ(1 + Kᵢᵢ), a bound on the condition number that methods of first order suffer from
}

// Within these powers of ten of 1, columns and weights are well scaled.
const (
	tameColumns = 2
	tameWeights = 3
	hostilest   = 8 // powers of ten of the others
)

// draw makes trial number k of a seed: the same on every machine.
func draw(seed, k uint64, big bool) *trial {
	r := rand.New(rand.NewPCG(seed, k))
	t := &trial{number: k, Problem: &svm.Problem{}, big: big, hostile: r.IntN(3) == 0}
	t.tol = math.Pow(10, -float64(3+r.IntN(7)))
	t.Bias = svmkit.Bias(1 + r.IntN(3))
	eps := []float64{0, 0.1, 0.5, 1}[r.IntN(4)]
	t.Loss = []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: eps},
		loss.SquaredEpsInsensitive{Epsilon: eps}, loss.Logistic{}}[r.IntN(5)]
	n, d := t.size(r)
	shape := t.rows(r, n, d)
	t.labels(r)
	t.kernel(r)
	t.weight(r, n)
	for i, x := range t.Data.X {
		square := x.SquaredNorm()
		if t.Kernel != nil {
			square = t.Kernel.Eval(x, x)
		}
		positive, negative := exactgap.Weights(t.Problem, i)
		t.condition += max(positive, negative) * (1 + square)
	}
	kind := "tame"
	if t.hostile {
		kind = "hostile"
	}
	t.name = fmt.Sprintf("%s %T%v %v %T n=%d d=%d %s C=%.3g tol=%.0e cond=%.1g", kind, t.Loss, t.Loss, t.Bias, t.Kernel, n, d, shape, t.C.C, t.tol, t.condition)
	return t
}

func (t *trial) size(r *rand.Rand) (n, d int) {
	switch {
	case t.big:
		n, d = 2000+r.IntN(8000), 2+r.IntN(40)
	case r.IntN(4) > 0:
		n, d = 2+r.IntN(11), 1+r.IntN(4)
	default:
		n, d = 2+r.IntN(299), 1+r.IntN(60)
	}
	if !t.big && r.IntN(6) == 0 {
		d = n + 1 + r.IntN(3*n)
	}
	return n, d
}

// rows draws the features, and says in a few words what they are like.
func (t *trial) rows(r *rand.Rand, n, d int) string {
	values, layout := r.IntN(3), r.IntN(3)
	scale := make([]float64, d)
	spread := r.IntN(2) * tameColumns
	if t.hostile {
		spread = r.IntN(3) * hostilest / 2
	}
	all := 1.0 // rows that are all short, or all long
	if spread > 0 && r.IntN(3) == 0 {
		all, spread = math.Pow(10, float64(spread)*(2*r.Float64()-1)), 0
	}
	for j := range scale {
		scale[j] = all * math.Pow(10, float64(spread)*(2*r.Float64()-1))
	}
	constant, zero, twin := -1, -1, -1
	if r.IntN(4) == 0 {
		constant = r.IntN(d)
	}
	if r.IntN(6) == 0 {
		zero = r.IntN(d)
	}
	if d > 1 && r.IntN(4) == 0 {
		twin = 1 + r.IntN(d-1)
	}
	density := 0.1 + 0.9*r.Float64()
	t.Data = &svmkit.Dataset{Dim: d}
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			switch values {
			case 0:
				x[j] = float64(r.IntN(5) - 2)
			case 1:
				x[j] = r.NormFloat64()
			default:
				x[j] = float64(r.IntN(2))
			}
			if layout > 0 && r.Float64() > density || j == zero {
				x[j] = 0
			}
			if j == constant {
				x[j] = 1
			}
			x[j] *= scale[j]
		}
		if twin > 0 {
			x[twin] = x[twin-1] * (1 + 1e-9*r.NormFloat64())
		}
		row := svmkit.Dense(x...)
		if layout == 1 || layout == 2 && r.IntN(2) == 0 {
			row = sparse(x)
		}
		if i > 0 && r.IntN(8) == 0 {
			row = t.Data.X[r.IntN(i)] // a duplicate; its label is drawn anew
		}
		t.Data.X = append(t.Data.X, row)
	}
	return fmt.Sprintf("%s %s %.2g·1e±%d const=%d zero=%d twin=%d", []string{"whole", "normal", "0/1"}[values],
		[]string{"dense", "sparse", "mixed"}[layout], all, spread, constant, zero, twin)
}

func sparse(x []float64) svmkit.Row {
	row := svmkit.Row{Index: []int32{}, Value: []float64{}}
	for j, v := range x {
		if v != 0 {
			row.Index, row.Value = append(row.Index, int32(j)), append(row.Value, v)
		}
	}
	return row
}

func (t *trial) labels(r *rand.Rand) {
	n := t.Data.Len()
	w := make([]float64, t.Data.Dim)
	for j := range w {
		size := 0.0
		for _, x := range t.Data.X[:min(n, 20)] {
			size = max(size, math.Abs(x.At(j)))
		}
		if size > 0 {
			w[j] = r.NormFloat64() / size
		}
	}
	planted, noise := r.IntN(3) > 0, []float64{0, 0.3, 1}[r.IntN(3)]
	whole, heavy := r.IntN(2) == 0, r.IntN(10) == 0
	for i, x := range t.Data.X {
		y := r.NormFloat64()
		if planted {
			y = x.Dot(w) + noise*y
		}
		switch {
		case !t.Regression():
			y = math.Copysign(1, y)
		case whole:
			y = math.Round(2*y) / 2
		case heavy && i%7 == 0:
			y *= 100
		}
		t.Data.Y = append(t.Data.Y, y)
	}
	if !t.Regression() { // both classes
		t.Data.Y[0], t.Data.Y[n-1] = 1, -1
	}
}

func (t *trial) kernel(r *rand.Rand) {
	if _, logistic := t.Loss.(loss.Logistic); logistic {
		return
	}
	largest := 0.0
	for _, x := range t.Data.X {
		largest = max(largest, x.SquaredNorm())
	}
	unit := 1 / max(largest, 1e-12) // γ⟨x,z⟩ of the order of 1
	switch r.IntN(9) {
	case 0, 1:
		t.Kernel = kernel.RBF{Gamma: unit * math.Pow(10, 4*r.Float64()-1)}
	case 2:
		t.Kernel = kernel.Polynomial{Degree: 1 + r.IntN(3), Gamma: unit * (1 + r.Float64()), Coef0: float64(r.IntN(2))}
	case 3:
		t.Kernel = kernel.Laplacian{Gamma: math.Sqrt(unit)}
	}
	if t.big && t.Kernel == nil && r.IntN(2) == 0 {
		t.Kernel = kernel.RBF{Gamma: unit * math.Pow(10, 3*r.Float64())}
	}
}

func (t *trial) weight(r *rand.Rand, n int) {
	span := float64(tameWeights)
	if t.hostile {
		span = hostilest
	}
	t.C.C = math.Pow(10, span*(2*r.Float64()-1))
	if r.IntN(3) == 0 {
		t.C.C = 1
	}
	switch r.IntN(5) {
	case 0:
		t.C.Positive, t.C.Negative = 3, 0.5
	case 1:
		for i := range n {
			w := float64(r.IntN(4))
			if t.hostile && w > 0 {
				w = math.Pow(10, 12*r.Float64()-6)
			}
			if i == 0 || i == n-1 { // of both classes
				w = max(w, 1)
			}
			t.Data.Weight = append(t.Data.Weight, w)
		}
	}
	switch t.Loss.(type) {
	case loss.Hinge, loss.EpsInsensitive:
		if !t.big && r.IntN(12) == 0 {
			t.C.C, t.hard = math.Inf(1), true
		}
	}
}

// A candidate is a solver, with what package svm's table says of it.
type candidate struct {
	name    string
	solver  svm.Solver
	learner bool // printed to learn from: it need not reach small gaps
}

var candidates = []candidate{
	{"DualCoordinate", svm.DualCoordinate{}, false},
	{"ProximalNewton", svm.ProximalNewton{}, false},
	{"Newton", svm.Newton{}, false},
	{"SMO", svm.SMO{}, false},
	{"Decomposition", svm.Decomposition{}, false},
	{"SDCA", svm.SDCA{}, true},
	{"Pegasos", svm.Pegasos{}, true},
	{"(chosen)", nil, false},
}

// accepts is the table of package svm's documentation.
func (m candidate) accepts(t *trial) bool {
	_, logistic := t.Loss.(loss.Logistic)
	_, hinge := t.Loss.(loss.Hinge)
	squared := false
	switch t.Loss.(type) {
	case loss.SquaredHinge, loss.SquaredEpsInsensitive:
		squared = true
	}
	linear, free := t.Kernel == nil, t.Bias == svmkit.FreeBias
	switch m.solver.(type) {
	case svm.DualCoordinate:
		return linear && !logistic
	case svm.ProximalNewton:
		return linear && !logistic && !t.hard
	case svm.Newton:
		return linear && (squared || logistic)
	case svm.SMO:
		return !logistic
	case svm.Decomposition:
		return !logistic && !t.hard
	case svm.SDCA:
		return !logistic && !free && !t.big
	case svm.Pegasos:
		return linear && hinge && !free && !t.hard && !t.big
	}
	return true
}
