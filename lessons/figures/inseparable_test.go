package figures

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// noisyTrace is a run of 60 rounds on the labels of x₁ ≥ 0, every fifth of them wrong.
func noisyTrace() ([]perceptron.Mistake, HingeRun) {
	star := plane(3, 0, 0)
	h := HingeRun{NormReference: 3, Radius: 1}
	p := perceptron.Perceptron{W: []float64{0, 0}, Reference: &star}
	var trace []perceptron.Mistake
	for t := range 60 {
		a := 2.4 * float64(t)
		x, y := svmkit.Dense(math.Cos(a), math.Sin(a)), math.Copysign(1, math.Cos(a))
		if t%5 == 4 {
			y = -y
		}
		if p.Update(x, y) {
			w := svmkit.Dense(p.W...)
			trace = append(trace, perceptron.Mistake{Index: t, NormW: w.Norm(), Align: 3 * p.W[0]})
			h.Losses = append(h.Losses, max(0, 1-3*y*x.At(0)))
		}
	}
	return trace, h
}

func TestHingeSqueezeMeasures(t *testing.T) {
	h := HingeRun{Losses: []float64{0, 2.5, 1}, NormReference: 3, Radius: 2}
	if got := h.Lower(); !slices.Equal(got, []float64{1, -0.5, -0.5}) {
		t.Errorf("M − H = %v", got)
	}
	if got := h.Upper(4); got != 12 {
		t.Errorf("B√M = %g", got)
	}
	trace, run := noisyTrace()
	f, err := HingeSqueeze(trace, run)
	if err != nil || !strings.Contains(f.Caption, "at each of") ||
		!strings.Contains(f.Alt, "B√M = "+prose.Num(round3(run.Upper(float64(len(trace)))))) {
		t.Errorf("%v, %v", f, err)
	}
}

func TestHingeSqueezeNamesTheBrokenLink(t *testing.T) {
	trace, good := noisyTrace()
	short, lossless, near := good, good, good
	short.NormReference /= 9
	lossless.Losses = make([]float64, len(trace))
	near.Radius = 0.1
	for name, bad := range map[string]HingeRun{"the norm of w*": short, "the losses": lossless,
		"the radius": near} {
		if f, err := HingeSqueeze(trace, bad); err != nil ||
			!strings.Contains(f.Caption, "leaves its bounds") ||
			!strings.Contains(f.Caption, name) {
			t.Errorf("wrong %s: %v, %v", name, f, err)
		}
	}
}

func TestNoisyRunCounts(t *testing.T) {
	set := square40()
	for _, c := range []struct {
		last  svmkit.Hyperplane
		limit float64
		says  string
	}{
		{plane(2, 1, 0), 31.6, "at most 31. Its last line has 0 points on another side"},
		{plane(-2, -1, 0), 31.6,
			"Its last line has 40 points on another side than the dashed one."},
		{plane(0, 0, 0), 8.9,
			"The run makes 9 mistakes; that is more than the bound, 8.9. Its last w is 0, which " +
				"is no line."},
	} {
		f, err := NoisyRun(set, []int{1}, 0, plane(2, 1, 0), c.last, 9, c.limit)
		if err != nil || !strings.Contains(f.Caption, c.says) ||
			!strings.Contains(f.Caption, "1 of 40 labels are wrong") {
			t.Errorf("%v: %v", f, err)
		}
	}
}

func TestNoisyFiguresRefuse(t *testing.T) {
	trace, run := noisyTrace()
	nan := math.NaN()
	with := func(change func(*HingeRun)) HingeRun {
		h := run
		h.Losses = slices.Clone(run.Losses)
		change(&h)
		return h
	}
	star, set := plane(2, 1, 0), square40()
	for name, build := range map[string]func() (*plots.Figure, error){
		"no trace":       func() (*plots.Figure, error) { return HingeSqueeze(nil, run) },
		"a loss missing": func() (*plots.Figure, error) { return HingeSqueeze(trace[1:], run) },
		"a loss NaN": func() (*plots.Figure, error) {
			return HingeSqueeze(trace, with(func(h *HingeRun) { h.Losses[2] = nan }))
		},
		"a loss below 0": func() (*plots.Figure, error) {
			return HingeSqueeze(trace, with(func(h *HingeRun) { h.Losses[2] = -1 }))
		},
		"‖w*‖ NaN": func() (*plots.Figure, error) {
			return HingeSqueeze(trace, with(func(h *HingeRun) { h.NormReference = nan }))
		},
		"R = 0": func() (*plots.Figure,
			error) {
			return HingeSqueeze(trace, with(func(h *HingeRun) { h.Radius = 0 }))
		},
		"noisy: star 0": func() (*plots.Figure,
			error) {
			return NoisyRun(set, nil, -1, plane(0, 0, 0), star, 1, 1)
		},
		"noisy: last NaN": func() (*plots.Figure,
			error) {
			return NoisyRun(set, nil, -1, star, plane(nan, 0, 0), 1, 1)
		},
		"noisy: row": func() (*plots.Figure,
			error) {
			return NoisyRun(set, []int{40}, -1, star, star, 1, 1)
		},
		"noisy: dragged": func() (*plots.Figure,
			error) {
			return NoisyRun(set, nil, 40, star, star, 1, 1)
		},
		"noisy: limit NaN": func() (*plots.Figure,
			error) {
			return NoisyRun(set, nil, -1, star, star, 1, nan)
		},
		"noisy: 3 columns": func() (*plots.Figure,
			error) {
			return NoisyRun(basisVectors(3), nil, -1, star, star, 1, 1)
		},
		"noisy: mistakes<0": func() (*plots.Figure,
			error) {
			return NoisyRun(set, nil, -1, star, star, -1, 1)
		},
	} {
		f, err := build()
		var param *svmkit.ParamError
		var data *svmkit.DataError
		if f != nil || !errors.As(err, &param) && !errors.As(err, &data) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
