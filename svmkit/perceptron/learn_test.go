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
	Learn(context.Context, iter.Seq2[svmkit.Row, float64]) iter.Seq[perceptron.Mistake]
	Fit(context.Context, *svmkit.Dataset, perceptron.Stop) (*perceptron.Trace, error)
	Update(svmkit.Row, float64) bool
	Err() error
}

// variants returns a new one of each learner, with bias.
func variants() map[string]streamer {
	last := perceptron.Perceptron{Bias: true}
	return map[string]streamer{
		"perceptron": &perceptron.Perceptron{Bias: true},
		"averaged":   &perceptron.Averaged{Last: last},
		"voted":      &perceptron.Voted{Last: last},
		"kernelized": &perceptron.Kernelized{Bias: true},
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

// An example that cannot be used ends the stream, is named by Err, and leaves the learner
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
			for range want.Learn(context.Background(), sequence(good...)) {
			}
			mistakes := 0
			for range l.Learn(context.Background(), sequence(good[0], good[1], c.bad, good[0])) {
				mistakes++
			}
			var e *svmkit.DataError
			if err := l.Err(); !errors.Is(err, c.err) || !errors.As(err, &e) || e.Row != 2 {
				t.Errorf("%s, %s: error %v, want %v in row 2", kind, name, err, c.err)
			}
			if mistakes != 2 {
				t.Errorf("%s, %s: %d mistakes before it, want 2", kind, name, mistakes)
			}
			for range l.Learn(context.Background(), sequence()) { // clears the error
			}
			if l.Err() != nil || !reflect.DeepEqual(l, want) {
				t.Errorf("%s, %s: the learner changed: %+v, want %+v", kind, name, l, want)
			}
		}
	}
}

// Scores can overflow although every number is finite; such an example is an error, too.
func TestScoreOverflow(t *testing.T) {
	for kind, l := range variants() {
		for range l.Learn(context.Background(), sequence(
			labelled{svmkit.Dense(1e150), 1}, labelled{svmkit.Dense(1e300), 1})) {
		}
		var e *svmkit.DataError
		if !errors.Is(l.Err(), svmkit.ErrNotFinite) || !errors.As(l.Err(), &e) || e.Row != 1 {
			t.Errorf("%s: error %v, want one for row 1", kind, l.Err())
		}
	}
}

func TestBadParameters(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for want, ps := range map[string][]perceptron.Perceptron{
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
	for range p.Learn(context.Background(), threePoints().All()) {
		t.Error("a mistake with Rate NaN")
	}
	var e *svmkit.ParamError
	if !errors.As(p.Err(), &e) || p.W != nil {
		t.Errorf("Learn with Rate NaN: error %v, w %v", p.Err(), p.W)
	}
	for _, stop := range []perceptron.Stop{{Epochs: -1}, {Mistakes: -1}} {
		for kind, l := range variants() {
			if _, err := l.Fit(context.Background(), threePoints(), stop); !errors.As(err, &e) {
				t.Errorf("%s, %+v: error %v", kind, stop, err)
			}
		}
	}
}

// Learn takes an example when the consumer asks for the next mistake, and not before; after a
// break it has taken none too many, and the next Learn goes on from there.
func TestLearnIsLazy(t *testing.T) {
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
	mistakes := p.Learn(context.Background(), examples)
	if taken != 0 {
		t.Fatal("Learn took an example before it was ranged over")
	}
	rounds := []int{}
	for m := range mistakes {
		if taken != m.Round+1 {
			t.Errorf("mistake in round %d after %d examples", m.Round, taken)
		}
		if m.Index != m.Round {
			t.Errorf("round %d has index %d in a stream", m.Round, m.Index)
		}
		if rounds = append(rounds, m.Round); len(rounds) == 3 {
			break
		}
	}
	if !slices.Equal(rounds, []int{0, 2, 3}) || !slices.Equal(p.W, []float64{3, -3}) || p.Err() != nil {
		t.Errorf("rounds %v, w %v, error %v", rounds, p.W, p.Err())
	}
	for m := range p.Learn(context.Background(), examples) { // goes on with row 1
		if m.Round != 2 || !slices.Equal(p.W, []float64{4, -2}) {
			t.Errorf("round %d of the second range, w %v", m.Round, p.W)
		}
		break
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
		for m := range l.Learn(ctx, examples) {
			last = m.Round
		}
		if !errors.Is(l.Err(), context.Canceled) || taken != 10 || last > 8 {
			t.Errorf("%s: error %v after %d examples, last mistake in round %d", kind, l.Err(), taken, last)
		}
	}
}

// A stream that breaks off because it saw the cancelled context itself is not a complete one.
func TestLearnCancelledByTheStream(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var p perceptron.Perceptron
	for range p.Learn(ctx, func(yield func(svmkit.Row, float64) bool) {
		yield(svmkit.Dense(1), 1)
		cancel()
	}) {
	}
	if !errors.Is(p.Err(), context.Canceled) {
		t.Errorf("error %v, want context.Canceled", p.Err())
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
		for m := range b.Learn(context.Background(), s.All()) {
			got = append(got, m)
		}
		trace, err := c.Fit(context.Background(), s, perceptron.Stop{OnePass: true})
		if err != nil || !slices.Equal(indices(trace), want) || !equalMistakes(got, trace.Mistakes) {
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
