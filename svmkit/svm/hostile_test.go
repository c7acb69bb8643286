package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// What is asked of a hostile problem.
const (
	hostileRows = 24
	hostileTol  = 1e-6
	// hostileIterations ends the fits that do not converge: those of first order would take
	// millions.
	hostileIterations = 100
	// hostileLimit is for one fit on a loaded machine; each takes some milliseconds.
	hostileLimit = 60 * time.Second
	// roundings is how many times the bound of exactgap.Rounding a reported gap may be off: that
	// bound counts the sums, not the few operations of each term.
	roundings = 4
)

// A hostile set is one with which float64 has its trouble.
var hostileSets = []struct {
	name string
	x    func(r *rand.Rand, y float64) []float64
}{
	{"columns from 1e-8 to 1e8", func(r *rand.Rand, y float64) []float64 {
		x := make([]float64, 5)
		for j, scale := range []float64{1e-8, 1e-4, 1, 1e4, 1e8} {
			x[j] = scale * (r.NormFloat64() + 0.3*y)
		}
		return x
	}},
	{"columns equal up to 1e-12", func(r *rand.Rand, y float64) []float64 {
		v := r.NormFloat64() + 0.3*y
		return []float64{v, v * (1 + 1e-12*r.NormFloat64()), v + 1e-12*r.NormFloat64(), 1}
	}},
	{"separable by 1e-12", func(r *rand.Rand, y float64) []float64 {
		return []float64{1 + y*1e-12*(1+r.Float64()), r.NormFloat64()}
	}},
	{"Gram of rank 1 up to 1e-10", func(r *rand.Rand, y float64) []float64 {
		v := 1 + r.Float64() + 0.1*y
		return []float64{v + 1e-10*r.NormFloat64(), 2*v + 1e-10*r.NormFloat64(), 3 * v}
	}},
	{"four points, many times, with both labels", func(r *rand.Rand, y float64) []float64 {
		return []float64{float64(r.IntN(2)), float64(r.IntN(2))}
	}},
	{"rows from 1e-8 to 1e8", func(r *rand.Rand, y float64) []float64 {
		scale := math.Pow(10, 16*r.Float64()-8)
		return []float64{scale * (r.NormFloat64() + y), scale * r.NormFloat64(), scale}
	}},
}

var hostileWeights = []float64{1e-8, 1e-4, 1, 1e4, 1e8}

// hostileSet draws a set; its targets for regression are the labels plus noise.
func hostileSet(draw func(r *rand.Rand, y float64) []float64, regression bool) *svmkit.Dataset {
	r := rand.New(rand.NewPCG(7, 0))
	var x [][]float64
	var y []float64
	for i := range hostileRows {
		label := float64(2*(i%2) - 1)
		x = append(x, draw(r, label))
		if regression {
			label += 0.2 * r.NormFloat64()
		}
		y = append(y, label)
	}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// hostileCount is what the fits came to.
type hostileCount struct {
	fits, optimal, stalled, iterationLimit, stationary, confirmed int
	worstError                                                    float64 // of a reported gap, relative to the objective
	worstErrorOf                                                  string
}

// Every solver with every loss that it takes, on data and weights C that are hostile to float64,
// ends within its limits: with a certificate within the tolerance, or with a status and a reason.
// What the certificate says of a linear model is confirmed in 400 bits.
func TestReliabilityHostile(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var n hostileCount
	for _, h := range hostileSets {
		sets := map[bool]*svmkit.Dataset{false: hostileSet(h.x, false), true: hostileSet(h.x, true)}
		for _, c := range hostileWeights {
			for _, m := range candidates() {
				p := m.Problem
				p.Data, p.C = sets[p.Regression()], svm.PerSum(c)
				name := fmt.Sprintf("%s, C = %g, %s", h.name, c, m.name)
				n.try(t, name, &p, m.solver, max(m.tol/1000, hostileTol))
			}
		}
	}
	for _, a := range []struct {
		key   string
		value int
	}{{"fits", n.fits}, {"optimal", n.optimal}, {"stalled", n.stalled}, {"iteration-limit", n.iterationLimit}, {"stationary", n.stationary},
		{"gaps-confirmed-in-400-bits", n.confirmed}} {
		t.Attr(a.key, strconv.Itoa(a.value))
	}
	t.Attr("worst-gap-error", fmt.Sprintf("%.2g of the objective, %s", n.worstError, n.worstErrorOf))
	if n.optimal < n.fits/3 || n.confirmed < n.fits/4 {
		t.Errorf("%+v: the hostile problems prove little", n)
	}
}

func (n *hostileCount) try(t *testing.T, name string, p *svm.Problem, s svm.Solver, tol float64) {
	ctx, cancel := context.WithTimeout(t.Context(), hostileLimit)
	defer cancel()
	n.fits++
	r, err := svm.Fit(ctx, p, s, &svm.Settings{Tol: tol, MaxIterations: hostileIterations})
	if p.Kernel != nil && errors.As(err, new(*kernel.EvalError)) {
		n.fits-- // a value of the kernel overflows: the error names the rows
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if wrong := certificateOf(fitted{r, tol}); wrong != "" {
		t.Errorf("%s: %s", name, wrong)
	}
	switch r.Status {
	case svmkit.Optimal:
		n.optimal++
	case svmkit.Stalled:
		n.stalled++
	case svmkit.IterationLimit:
		n.iterationLimit++
	case svmkit.Stationary:
		n.stationary++
	default:
		t.Errorf("%s: %v (%s)", name, r.Status, r.Reason)
	}
	if _, logistic := p.Loss.(loss.Logistic); logistic || p.Kernel != nil || math.IsInf(r.Gap, 1) {
		return
	}
	n.confirmed++
	gap, slack := exactgap.Linear(p, r)
	unit := max(1, math.Abs(r.Primal), math.Abs(r.Dual))
	off, bound := max(0, math.Abs(gap-r.Gap)-slack), roundings*exactgap.Rounding(p, r)
	if off/unit > n.worstError {
		n.worstError, n.worstErrorOf = off/unit, name
	}
	if off > bound {
		t.Errorf("%s: %v, gap %g, in 400 bits %g ± %g, objective %g; rounding explains %g", name, r.Status, r.Gap, gap, slack, r.Primal, bound)
	}
	// What is called optimal is, without rounding: a tenth of the tolerance is left to it.
	if r.Status == svmkit.Optimal && gap > 1.1*tol*unit+slack {
		t.Errorf("%s: optimal, but the gap in 400 bits is %g of an objective of %g", name, gap, r.Primal)
	}
}
