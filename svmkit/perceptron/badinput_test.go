package perceptron_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 210, badinput.Join(badSets(), badParameters(), oddSets(), learnerCases(), predictions(), kernelCases()))
}

var ctx = context.Background()

// shared is a set that no call may change.
var shared = badinput.Good()

// errMine is an error of the caller's own code.
var errMine = errors.New("my own fault")

func badSets() []badinput.Case {
	rbf := kernel.RBF{Gamma: 1}
	return badinput.Doors(
		badinput.Door{Name: "Perceptron.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, Binary: true},
		badinput.Door{Name: "Averaged.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Averaged).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, Binary: true},
		badinput.Door{Name: "Voted.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return new(perceptron.Voted).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, Binary: true},
		badinput.Door{Name: "Kernelized.Fit", Call: func(s *svmkit.Dataset) (any, error) {
			return (&perceptron.Kernelized{Kernel: rbf}).Fit(ctx, s, perceptron.Stop{Epochs: 3})
		}, Binary: true},
	)
}

// once is a stream of one good example.
func once(yield func(svmkit.Row, float64) bool) { yield(svmkit.Dense(1, 2), 1) }

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("Perceptron.Fit", "Rate", badinput.NotPositive, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Rate: v}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Learn", "Rate", badinput.NotPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Perceptron{Rate: v}).Learn(ctx, once, nil)
		}),
		badinput.NewKnob("Averaged.Learn", "Rate", badinput.NotPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Averaged{Last: perceptron.Perceptron{Rate: v}}).Learn(ctx, once, nil)
		}),
		badinput.NewKnob("Voted.Learn", "Rate", badinput.NotPositive, func(v float64) (any, error) {
			return nil, (&perceptron.Voted{Last: perceptron.Perceptron{Rate: v}}).Learn(ctx, once, nil)
		}),
		badinput.NewKnob("Kernelized.Learn", "Gamma", badinput.ZeroTooIsBad, func(v float64) (any, error) {
			return nil, (&perceptron.Kernelized{Kernel: kernel.RBF{Gamma: v}}).Learn(ctx, once, nil)
		}),
		badinput.NewKnob("Perceptron.Fit", "Bias", []float64{-1, float64(svmkit.FreeBias), float64(svmkit.NoBias) + 1}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Bias: svmkit.Bias(v)}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit, a weight", "W, B", badinput.NotFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{W: []float64{v, 1}}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit, the bias", "W, B", badinput.NotFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{B: v}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit", "Reference", badinput.NotFinite, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Reference: &svmkit.Hyperplane{W: []float64{1, v}}}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit, of other columns", "Reference", []float64{0, 1, 3}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{Reference: &svmkit.Hyperplane{W: make([]float64, int(v))}}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit, of other columns", "W", []float64{1, 3}, func(v float64) (any, error) {
			return (&perceptron.Perceptron{W: make([]float64, int(v))}).Fit(ctx, shared, perceptron.Stop{})
		}),
		badinput.NewKnob("Perceptron.Fit", "Epochs", badinput.NegativeInt, func(v float64) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, shared, perceptron.Stop{Epochs: int(v)})
		}),
		badinput.NewKnob("Perceptron.Fit", "Mistakes", badinput.NegativeInt, func(v float64) (any, error) {
			return new(perceptron.Perceptron).Fit(ctx, shared, perceptron.Stop{Mistakes: int(v)})
		}),
	)
}

func oddSets() (cases []badinput.Case) {
	for _, odd := range badinput.OddSets {
		s := odd.Set()
		cases = append(cases, badinput.New(odd.Name+": Perceptron", s, func() (any, error) {
			p := &perceptron.Perceptron{Bias: svmkit.PenalizedBias}
			t, err := p.Fit(ctx, s, perceptron.Stop{Epochs: 5})
			return finitePlane{p.Plane()}.with(t, err)
		}, badinput.OverflowOr(badinput.Fine)))
	}
	return cases
}

type finitePlane struct{ svmkit.Hyperplane }

// with returns t, or an error if the plane is not finite.
func (p finitePlane) with(t *perceptron.Trace, err error) (any, error) {
	for _, v := range append(p.W, p.B) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("weight %g", v)
		}
	}
	return t, err
}

// A learner is one of the four perceptrons, untrained.
type learner struct {
	fit   func(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	learn func(context.Context, iter.Seq2[svmkit.Row, float64]) error
}

func learners() map[string]learner {
	p, a, v, k := &perceptron.Perceptron{}, &perceptron.Averaged{}, &perceptron.Voted{}, &perceptron.Kernelized{}
	type all interface {
		Learn(context.Context, iter.Seq2[svmkit.Row, float64], func(perceptron.Mistake) bool) error
		Fit(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	}
	found := map[string]learner{}
	for name, l := range map[string]all{"Perceptron": p, "Averaged": a, "Voted": v, "Kernelized": k} {
		found[name] = learner{l.Fit, func(ctx context.Context, examples iter.Seq2[svmkit.Row, float64]) error {
			return l.Learn(ctx, examples, nil)
		}}
	}
	return found
}

func learnerCases() (cases []badinput.Case) {
	var (
		noContext  context.Context
		noExamples iter.Seq2[svmkit.Row, float64]
	)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	set := badinput.Good()
	stop := perceptron.Stop{Epochs: 3, Progress: func(svmkit.Progress) bool { panic(errMine) }}
	add := func(name string, want badinput.Verdict, call func() (any, error)) {
		cases = append(cases, badinput.New(name, set, call, want))
	}
	for name, l := range learners() {
		add(name+".Fit: context", badinput.Param("ctx"), func() (any, error) { return l.fit(noContext, set, perceptron.Stop{}) })
		add(name+".Learn: context", badinput.Param("ctx"), func() (any, error) { return nil, l.learn(noContext, set.All()) })
		add(name+".Learn: examples", badinput.Param("examples"), func() (any, error) { return nil, l.learn(ctx, noExamples) })
		add("Progress panics: "+name, badinput.Panics("my own fault"), func() (any, error) { return l.fit(ctx, set, stop) })
		add("examples panic: "+name, badinput.Panics("my own fault"), func() (any, error) {
			return nil, l.learn(ctx, func(yield func(svmkit.Row, float64) bool) { panic(errMine) })
		})
		add("context ended: "+name+".Fit", badinput.Cancelled(context.Canceled), func() (any, error) { return l.fit(ended, set, perceptron.Stop{}) })
		add("context ended: "+name+".Learn", badinput.Is(context.Canceled), func() (any, error) { return nil, l.learn(ended, set.All()) })
	}
	return cases
}

// Rows that a perceptron was not trained for: a dense row of another length is a bug of the calling code.
func predictions() (cases []badinput.Case) {
	short, long, bad := svmkit.Dense(1), svmkit.Dense(1, 2, 3), svmkit.Dense(1, badinput.NaN)
	p, a, v := &perceptron.Perceptron{}, &perceptron.Averaged{}, &perceptron.Voted{}
	k := &perceptron.Kernelized{Kernel: kernel.RBF{Gamma: 1}}
	_, err4 := p.Fit(ctx, badinput.Good(), perceptron.Stop{Epochs: 2})
	_, err5 := a.Fit(ctx, badinput.Good(), perceptron.Stop{Epochs: 2})
	_, err6 := v.Fit(ctx, badinput.Good(), perceptron.Stop{Epochs: 2})
	_, err7 := k.Fit(ctx, badinput.Good(), perceptron.Stop{Epochs: 2})
	for _, err := range []error{err4, err5, err6, err7} {
		if err != nil {
			panic(err)
		}
	}
	for name, m := range map[string]svmkit.Scorer{"Perceptron": p, "Averaged": a, "Voted": v, "Kernelized": k} {
		cases = append(cases,
			badinput.New(name+": Score of a short row", m, func() (any, error) { return m.Score(short), nil }, badinput.Panics("meets")),
			badinput.New(name+": Score of a long row", m, func() (any, error) { return m.Score(long), nil }, badinput.Panics("meets")))
		if name != "Voted" { // each of its planes abstains
			cases = append(cases, badinput.New(name+": Score of NaN", m, func() (any, error) { return m.Score(bad), nil }, badinput.Number(badinput.NaN)))
		}
	}
	return cases
}

// Kernels that panic, or are not finite.
func kernelCases() []badinput.Case {
	fit := func(k func() float64) error {
		_, err := (&perceptron.Kernelized{Kernel: kernel.Func(func(x, z svmkit.Row) float64 { return k() })}).Fit(ctx, badinput.Good(), perceptron.Stop{})
		return err
	}
	return []badinput.Case{
		badinput.New("kernel returns NaN: Kernelized.Fit", nil, func() (any, error) { return nil, fit(func() float64 { return badinput.NaN }) }, badinput.Is(svmkit.ErrNotFinite)),
		badinput.New("kernel panics: Kernelized.Fit", nil, func() (any, error) { return nil, fit(func() float64 { panic("odd rows") }) }, badinput.Panics("odd rows")),
	}
}
