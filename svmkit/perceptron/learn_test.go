package perceptron_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

type streamer interface {
	svmkit.Scorer
	Learn(context.Context, iter.Seq2[svmkit.Row, float64], func(perceptron.Mistake) bool) error
	Fit(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	Update(svmkit.Row, float64) bool
}

// variants returns a new one of each learner, with bias.
func variants() map[string]streamer {
	last := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
	return map[string]streamer{
		"perceptron": &perceptron.Perceptron{Bias: svmkit.PenalizedBias},
		"averaged":   &perceptron.Averaged{Last: last},
		"voted":      &perceptron.Voted{Last: last},
		"kernelized": &perceptron.Kernelized{Bias: svmkit.PenalizedBias},
	}
}

type labelled struct {
	x svmkit.Row
	y float64
}

func sequence(examples ...labelled) iter.Seq2[svmkit.Row, float64] {
	return func(yield func(svmkit.Row, float64) bool) {
		for _, e := range examples {
			if !yield(e.x, e.y) {
				return
			}
		}
	}
}

// An example that cannot be used ends the stream, is named by the error, and leaves the learner
// in every field as the examples before it left it.
func TestRejectedExampleChangesNothing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := []labelled{{svmkit.Dense(1, 1), 1}, {svmkit.Dense(2, -1), -1}}
	for name, c := range map[string]struct {
		bad labelled
		err error
	}{
		"NaN":            {labelled{svmkit.Dense(1, nan), 1}, svmkit.ErrNotFinite},
		"infinite":       {labelled{svmkit.Dense(-inf, 1), 1}, svmkit.ErrNotFinite},
		"NaN label":      {labelled{svmkit.Dense(1, 1), nan}, svmkit.ErrNotFinite},
		"label 0":        {labelled{svmkit.Dense(1, 1), 0}, svmkit.ErrLabel},
		"label 2":        {labelled{svmkit.Dense(1, 1), 2}, svmkit.ErrLabel},
		"too long":       {labelled{svmkit.Dense(1, 2, 3), 1}, svmkit.ErrRagged},
		"too short":      {labelled{svmkit.Dense(1), 1}, svmkit.ErrRagged},
		"unsorted":       {labelled{svmkit.Row{Index: []int32{1, 0}, Value: []float64{1, 2}}, 1}, svmkit.ErrIndex},
		"negative":       {labelled{svmkit.Row{Index: []int32{-1}, Value: []float64{1}}, 1}, svmkit.ErrIndex},
		"huge index":     {labelled{svmkit.Row{Index: []int32{1 << 27}, Value: []float64{1}}, 1}, svmkit.ErrIndex},
		"half sparse":    {labelled{svmkit.Row{Index: []int32{0, 1}, Value: []float64{1}}, 1}, svmkit.ErrMismatch},
		"‖w‖² overflows": {labelled{svmkit.Dense(1e200, -1e200), 1}, svmkit.ErrNotFinite}, // y·f < 0
	} {
		for kind, l := range variants() {
			want := variants()[kind]
			if err := want.Learn(context.Background(), sequence(good...), nil); err != nil {
				t.Fatal(err)
			}
			mistakes := 0
			err := l.Learn(context.Background(), sequence(good[0], good[1], c.bad, good[0]), func(perceptron.Mistake) bool {
				mistakes++
				return true
			})
			var e *svmkit.DataError
			if !errors.Is(err, c.err) || !errors.As(err, &e) || e.Row != 2 {
				t.Errorf("%s, %s: error %v, want %v in row 2", kind, name, err, c.err)
			}
			if mistakes != 2 {
				t.Errorf("%s, %s: %d mistakes before it, want 2", kind, name, mistakes)
			}
			if !reflect.DeepEqual(l, want) {
				t.Errorf("%s, %s: the learner changed: %+v, want %+v", kind, name, l, want)
			}
		}
	}
}

// Scores can overflow although every number is finite; such an example is an error, too.
func TestScoreOverflow(t *testing.T) {
	for kind, l := range variants() {
		err := l.Learn(context.Background(), sequence(
			labelled{svmkit.Dense(1e150), 1}, labelled{svmkit.Dense(1e300), 1}), nil)
		var e *svmkit.DataError
		if !errors.Is(err, svmkit.ErrNotFinite) || !errors.As(err, &e) || e.Row != 1 {
			t.Errorf("%s: error %v, want one for row 1", kind, err)
		}
	}
}

func TestBadParameters(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for want, ps := range map[string][]perceptron.Perceptron{
		"Bias": {{Bias: svmkit.FreeBias}, {Bias: -1}, {Bias: svmkit.NoBias + 1}},
		"Rate": {{Rate: nan}, {Rate: -1}, {Rate: inf}},
		"W":    {{W: []float64{1, 2, 3}}},
		"W, B": {{W: []float64{1, nan}}, {B: inf}},
		"Reference": {{Reference: &svmkit.Hyperplane{W: []float64{1}}},
			{Reference: &svmkit.Hyperplane{W: []float64{1, nan}}}},
	} {
		for _, p := range ps {
			trace, err := p.Fit(context.Background(), threePoints(), perceptron.Stop{})
			var e *svmkit.ParamError
			if !errors.As(err, &e) || e.Name != want || trace != nil {
				t.Errorf("%s: Fit gives %v, %v", want, trace, err)
			}
		}
	}
	p := perceptron.Perceptron{Rate: nan}
	err := p.Learn(context.Background(), threePoints().All(), func(perceptron.Mistake) bool {
		t.Error("a mistake with Rate NaN")
		return true
	})
	var e *svmkit.ParamError
	if !errors.As(err, &e) || p.W != nil {
		t.Errorf("Learn with Rate NaN: error %v, w %v", err, p.W)
	}
	k := perceptron.Kernelized{Bias: svmkit.FreeBias}
	if err := k.Learn(context.Background(), threePoints().All(), nil); !errors.As(err, &e) || e.Name != "Bias" || len(k.Supports) != 0 {
		t.Errorf("a kernel perceptron with a free bias: error %v, %d supports", err, len(k.Supports))
	}
	for _, stop := range []perceptron.Stop{{Epochs: -1}, {Mistakes: -1}} {
		for kind, l := range variants() {
			if _, err := l.Fit(context.Background(), threePoints(), stop); !errors.As(err, &e) {
				t.Errorf("%s, %+v: error %v", kind, stop, err)
			}
		}
	}
}

// Learn tells of a mistake before it takes the next example; stopped, it has taken none too many
// and returns nil, and the next Learn goes on from there.
func TestLearnStopsBetweenTwoExamples(t *testing.T) {
	s := threePoints()
	var p perceptron.Perceptron
	taken := 0
	examples := func(yield func(svmkit.Row, float64) bool) {
		for taken < 1000 { // far more than the test takes
			i := taken % s.Len()
			taken++
			if !yield(s.X[i], s.Y[i]) {
				return
			}
		}
	}
	rounds := []int{}
	err := p.Learn(context.Background(), examples, func(m perceptron.Mistake) bool {
		if taken != m.Round+1 {
			t.Errorf("mistake in round %d after %d examples", m.Round, taken)
		}
		if m.Index != m.Round {
			t.Errorf("round %d has index %d in a stream", m.Round, m.Index)
		}
		rounds = append(rounds, m.Round)
		return len(rounds) < 3
	})
	if !slices.Equal(rounds, []int{0, 2, 3}) || !slices.Equal(p.W, []float64{3, -3}) || err != nil || taken != 4 {
		t.Errorf("rounds %v of %d, w %v, error %v", rounds, taken, p.W, err)
	}
	calls := 0
	err = p.Learn(context.Background(), examples, func(m perceptron.Mistake) bool { // goes on with row 1
		if calls++; m.Round != 2 || !slices.Equal(p.W, []float64{4, -2}) {
			t.Errorf("round %d of the second call, w %v", m.Round, p.W)
		}
		return false
	})
	if calls != 1 || err != nil {
		t.Errorf("the second call told of %d mistakes, error %v", calls, err)
	}
}

// A nil function stops nothing: Learn learns as much as with one.
func TestLearnWithoutAFunction(t *testing.T) {
	for kind, l := range variants() {
		want := variants()[kind]
		err := errors.Join(l.Learn(t.Context(), threePoints().All(), nil),
			want.Learn(t.Context(), threePoints().All(), func(perceptron.Mistake) bool { return true }))
		if err != nil || !reflect.DeepEqual(l, want) || l.Score(svmkit.Dense(1, 2)) == 0 {
			t.Errorf("%s: %+v, want %+v, error %v", kind, l, want, err)
		}
	}
}

// A long stream ends when the context does, at the next example.
func TestLearnCancelled(t *testing.T) {
	for kind, l := range variants() {
		ctx, cancel := context.WithCancel(context.Background())
		taken := 0
		examples := func(yield func(svmkit.Row, float64) bool) {
			for taken < 1000 {
				if taken++; taken == 10 {
					cancel()
				}
				if !yield(svmkit.Dense(1), float64(1-2*(taken%2))) {
					return
				}
			}
		}
		last := 0
		err := l.Learn(ctx, examples, func(m perceptron.Mistake) bool {
			last = m.Round
			return true
		})
		if !errors.Is(err, context.Canceled) || taken != 10 || last > 8 {
			t.Errorf("%s: error %v after %d examples, last mistake in round %d", kind, err, taken, last)
		}
	}
}

// A stream that breaks off because it saw the cancelled context itself is not a complete one.
func TestLearnCancelledByTheStream(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var p perceptron.Perceptron
	err := p.Learn(ctx, func(yield func(svmkit.Row, float64) bool) {
		yield(svmkit.Dense(1), 1)
		cancel()
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// Update, Learn and a one-pass Fit are the same steps.
func TestThreeWaysToLearnAgree(t *testing.T) {
	s := threePoints()
	for kind, a := range variants() {
		b, c := variants()[kind], variants()[kind]
		var want []int
		for i := range s.X {
			if a.Update(s.X[i], s.Y[i]) {
				want = append(want, i)
			}
		}
		var got []perceptron.Mistake
		learned := b.Learn(context.Background(), s.All(), func(m perceptron.Mistake) bool {
			got = append(got, m)
			return true
		})
		trace, err := c.Fit(context.Background(), s, perceptron.Stop{OnePass: true})
		if learned != nil || err != nil || !slices.Equal(indices(trace), want) || !equalMistakes(got, trace.Mistakes) {
			t.Errorf("%s: Update %v, Learn %v, Fit %v, %v", kind, want, got, trace, err)
		}
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(b, c) {
			t.Errorf("%s: the learners differ: %+v, %+v, %+v", kind, a, b, c)
		}
	}
}

// equalMistakes compares with NaN equal to NaN.
func equalMistakes(a, b []perceptron.Mistake) bool {
	return slices.EqualFunc(a, b, func(m, u perceptron.Mistake) bool {
		if math.IsNaN(m.Align) && math.IsNaN(u.Align) {
			m.Align, u.Align = 0, 0
		}
		return m == u
	})
}
