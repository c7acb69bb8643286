package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/stream"
	"github.com/svmkit/course/svmkit/svm"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// learners make a learner of each kind, with the plane that it reaches.
var learners = map[string]func() (*stream.Learner, func() svmkit.Hyperplane){
	"Pegasos": func() (*stream.Learner, func() svmkit.Hyperplane) {
		p := &svm.PegasosStream{Lambda: 0.1, Bias: svmkit.PenalizedBias}
		return stream.Pegasos("λ = 0.1", p), p.Plane
	},
	"Perceptron": func() (*stream.Learner, func() svmkit.Hyperplane) {
		p := &perceptron.Averaged{}
		return stream.Perceptron("perceptron", p), p.Plane
	},
}

// noisy returns rows that no plane separates: three sparse columns, and a label that is random for one in ten.
func noisy(n int) *svmkit.Dataset {
	r := rand.New(rand.NewPCG(3, 7))
	set := &svmkit.Dataset{Dim: 3}
	for range n {
		x := svmkit.Row{Index: []int32{0, 1 + r.Int32N(2)}, Value: []float64{r.NormFloat64(), r.NormFloat64()}}
		y := math.Copysign(1, x.Value[0]-x.Value[1])
		if r.IntN(10) == 0 {
			y = -y
		}
		set.X, set.Y = append(set.X, x), append(set.Y, y)
	}
	return set
}

// first yields the first n rows of set.
func first(set *svmkit.Dataset, n int) iter.Seq2[svmkit.Row, float64] {
	return (&svmkit.Dataset{X: set.X[:n], Y: set.Y[:n]}).All()
}

func saved(t *testing.T, l *stream.Learner) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The counts are those that a look at each row before its step gives.
func TestCounts(t *testing.T) {
	set := noisy(300)
	p := svm.PegasosStream{Lambda: 0.1, Last: true}
	l := stream.Pegasos("", &p)
	mistakes, violations := int64(0), int64(0)
	rows := func(yield func(svmkit.Row, float64) bool) {
		for x, y := range set.All() {
			if y*p.Score(x) <= 0 {
				mistakes++
			}
			if y*p.Score(x) < 1 {
				violations++
			}
			if !yield(x, y) {
				return
			}
		}
	}
	if err := l.Learn(t.Context(), rows); err != nil || l.Rows != 300 || l.Mistakes != mistakes || l.Violations != violations {
		t.Errorf("%v; %d rows, %d mistakes, %d violations, want 300, %d, %d", err, l.Rows, l.Mistakes, l.Violations, mistakes, violations)
	}
	if mistakes == 0 || violations <= mistakes {
		t.Errorf("%d mistakes and %d violations show nothing", mistakes, violations)
	}
}

// However often a run stops and goes on from its checkpoint, it ends with the same bits and the same counts.
func TestGoesOnFromACheckpoint(t *testing.T) {
	set := noisy(200)
	for name, learner := range learners {
		whole, plane := learner()
		if err := whole.Learn(t.Context(), set.All()); err != nil {
			t.Fatal(err)
		}
		checkpoint := ""
		for _, n := range []int{1, 2, 77, 77, 200} {
			l, now := learner()
			if checkpoint != "" {
				if err := l.Resume(strings.NewReader(checkpoint)); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Learn(t.Context(), first(set, n)); err != nil {
				t.Fatal(err)
			}
			if checkpoint = saved(t, l); n < 200 {
				continue
			}
			if checkpoint != saved(t, whole) || fmt.Sprint(now()) != fmt.Sprint(plane()) {
				t.Errorf("%s: in parts %+v\n%v, at once %+v\n%v", name, l, now(), whole, plane())
			}
		}
	}
}

// Without a checkpoint, and after all its rows have come again, a further call goes on with further rows.
func TestLearnGoesOn(t *testing.T) {
	set := noisy(100)
	whole, _ := learners["Pegasos"]()
	if err := whole.Learn(t.Context(), set.All()); err != nil {
		t.Fatal(err)
	}
	l, _ := learners["Pegasos"]()
	half, _ := learners["Pegasos"]()
	for _, one := range []*stream.Learner{l, half} {
		if err := one.Learn(t.Context(), first(set, 50)); err != nil {
			t.Fatal(err)
		}
	}
	resumed, _ := learners["Pegasos"]()
	if err := errors.Join(resumed.Resume(strings.NewReader(saved(t, half))), resumed.Learn(t.Context(), first(set, 50))); err != nil {
		t.Fatal(err)
	}
	rest := &svmkit.Dataset{X: set.X[50:], Y: set.Y[50:]}
	for _, one := range []*stream.Learner{l, resumed} {
		if err := one.Learn(t.Context(), rest.All()); err != nil || saved(t, one) != saved(t, whole) {
			t.Errorf("%v: %+v, want %+v", err, one, whole)
		}
	}
}

// Other rows than those of the checkpoint change nothing, and no row behind them is learned from.
func TestOtherRows(t *testing.T) {
	set := noisy(60)
	half, _ := learners["Pegasos"]()
	if err := half.Learn(t.Context(), first(set, 50)); err != nil {
		t.Fatal(err)
	}
	checkpoint := saved(t, half)
	changed := func(change func(*svmkit.Row, *float64)) *svmkit.Dataset {
		other := noisy(60)
		change(&other.X[49], &other.Y[49])
		return other
	}
	for what, rows := range map[string]iter.Seq2[svmkit.Row, float64]{
		"too few":        first(set, 49),
		"none":           first(set, 0),
		"another label":  changed(func(_ *svmkit.Row, y *float64) { *y = -*y }).All(),
		"another value":  changed(func(x *svmkit.Row, _ *float64) { x.Value[1] = math.Nextafter(x.Value[1], 9) }).All(),
		"another column": changed(func(x *svmkit.Row, _ *float64) { x.Index[1] = 3 - x.Index[1] }).All(),
		"a value less":   changed(func(x *svmkit.Row, _ *float64) { x.Index, x.Value = x.Index[:1], x.Value[:1] }).All(),
		"a dense row":    changed(func(x *svmkit.Row, _ *float64) { x.Index = nil }).All(),
	} {
		l, _ := learners["Pegasos"]()
		if err := l.Resume(strings.NewReader(checkpoint)); err != nil {
			t.Fatal(err)
		}
		taken := 0
		counted := func(yield func(svmkit.Row, float64) bool) {
			for x, y := range rows {
				if taken++; !yield(x, y) {
					return
				}
			}
		}
		if err := l.Learn(t.Context(), counted); !errors.Is(err, stream.ErrOtherRows) || taken > 50 || saved(t, l) != checkpoint {
			t.Errorf("%s: %v after %d rows, and the state is another: %t", what, err, taken, saved(t, l) != checkpoint)
		}
		if taken < 50 { // the caller may know where the others are
			continue
		}
		if err := l.Learn(t.Context(), set.All()); !errors.Is(err, stream.ErrOtherRows) || l.Rows != 50 {
			t.Errorf("%s, tried again: %v, %d rows", what, err, l.Rows)
		}
	}
}

// An interrupt while the rows of the checkpoint come again loses nothing.
func TestInterruptedBeforeTheNewRows(t *testing.T) {
	set := noisy(60)
	whole, _ := learners["Perceptron"]()
	half, _ := learners["Perceptron"]()
	if err := errors.Join(whole.Learn(t.Context(), set.All()), half.Learn(t.Context(), first(set, 50))); err != nil {
		t.Fatal(err)
	}
	checkpoint := saved(t, half)
	l, _ := learners["Perceptron"]()
	if err := l.Resume(strings.NewReader(checkpoint)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	came := 0
	rows := func(yield func(svmkit.Row, float64) bool) {
		for x, y := range set.All() {
			if came++; came == 20 {
				cancel()
			}
			if !yield(x, y) {
				return
			}
		}
	}
	if err := l.Learn(ctx, rows); !errors.Is(err, context.Canceled) || came != 20 || saved(t, l) != checkpoint {
		t.Errorf("%v after %d rows, and the state is another: %t", err, came, saved(t, l) != checkpoint)
	}
	rest := &svmkit.Dataset{X: set.X[20:], Y: set.Y[20:]}
	if err := l.Learn(t.Context(), rest.All()); err != nil || saved(t, l) != saved(t, whole) {
		t.Errorf("%v: %+v, want %+v", err, l, whole)
	}
}

// A bad row ends a call and changes nothing; its number counts all rows of the call.
func TestBadRow(t *testing.T) {
	set := noisy(60)
	set.X[55] = svmkit.Row{Index: []int32{1}, Value: []float64{math.NaN()}}
	for name, learner := range learners {
		half, _ := learner()
		if err := half.Learn(t.Context(), first(set, 50)); err != nil {
			t.Fatal(err)
		}
		l, _ := learner()
		if err := l.Resume(strings.NewReader(saved(t, half))); err != nil {
			t.Fatal(err)
		}
		err := l.Learn(t.Context(), set.All())
		if bad := (*svmkit.DataError)(nil); !errors.As(err, &bad) || bad.Row != 55 || l.Rows != 55 {
			t.Errorf("%s: %v after %d rows, want row 55", name, err, l.Rows)
		}
	}
}

// A checkpoint that does not fit is refused, and the learner is as it was.
func TestResumeErrors(t *testing.T) {
	l, _ := learners["Pegasos"]()
	other, _ := learners["Perceptron"]()
	set := noisy(20)
	if err := errors.Join(l.Learn(t.Context(), set.All()), other.Learn(t.Context(), set.All())); err != nil {
		t.Fatal(err)
	}
	good, foreign := saved(t, l), saved(t, other)
	for what, c := range map[string]struct {
		text string
		want error
	}{
		"empty":        {"", stream.ErrNotCheckpoint},
		"another file": {"{}\n", stream.ErrNotCheckpoint},
		"no rows":      {strings.Replace(good, `"rows":20`, `"rows":0`, 1), stream.ErrNotCheckpoint},
		"cut":          {good[:len(good)-1], stream.ErrDamaged},
		"longer":       {good + "x", stream.ErrDamaged},
		"changed":      {good[:len(good)-1] + string(good[len(good)-1]^1), stream.ErrDamaged},
		"other state":  {strings.Replace(foreign, `"perceptron"`, `"λ = 0.1"`, 1), svm.ErrState},
	} {
		fresh, plane := learners["Pegasos"]()
		if err := fresh.Resume(strings.NewReader(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
		if err := fresh.Learn(t.Context(), set.All()); err != nil || saved(t, fresh) != good || plane().W == nil {
			t.Errorf("%s: %v, and what it learns then is another: %t", what, err, saved(t, fresh) != good)
		}
	}
	var named *stream.OtherLearnerError
	if err := other.Resume(strings.NewReader(good)); !errors.As(err, &named) || *named != (stream.OtherLearnerError{Have: "λ = 0.1", Want: "perceptron"}) ||
		err.Error() != "a checkpoint of another learner: λ = 0.1, not perceptron" {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := l.Resume(brokenReader{broken}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

func (r brokenReader) Write([]byte) (int, error) { return 0, r.err }

func TestBadArguments(t *testing.T) {
	l, _ := learners["Pegasos"]()
	var noContext context.Context
	var wrong *svmkit.ParamError
	for what, err := range map[string]error{
		"ctx":    l.Learn(noContext, noisy(1).All()),
		"rows":   l.Learn(t.Context(), nil),
		"r":      l.Resume(nil),
		"w":      l.Save(nil),
		"Lambda": stream.Pegasos("", &svm.PegasosStream{}).Learn(t.Context(), noisy(1).All()),
	} {
		if !errors.As(err, &wrong) || wrong.Name != what {
			t.Errorf("%s: %v", what, err)
		}
	}
	broken := errors.New("broken")
	if err := l.Save(brokenReader{broken}); !errors.Is(err, broken) {
		t.Error(err)
	}
	fast, _ := learners["Pegasos"]()
	fast.NoCheckpoints = true
	for _, err := range []error{fast.Save(&bytes.Buffer{}), fast.Resume(strings.NewReader(saved(t, l)))} {
		if !errors.Is(err, stream.ErrNoCheckpoints) {
			t.Error(err)
		}
	}
	if err := fast.Learn(t.Context(), noisy(9).All()); err != nil || fast.Rows != 9 {
		t.Errorf("%v, %d rows", err, fast.Rows)
	}
}
