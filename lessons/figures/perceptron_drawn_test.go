package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"gonum.org/v1/plot/vg/draw"
)

// Each panel shows one mistake: the plane before it dashed, the one after it solid, the mistaken
// point ringed, and w.
func TestPlaneStripDrawn(t *testing.T) {
	set := square40()
	steps := planes(set)
	r := read(t)(PlaneStrip(set, steps))
	if len(r.Panels) != len(steps) {
		t.Fatalf("%d panels for %d mistakes", len(r.Panels), len(steps))
	}
	for k, s := range steps {
		stepDrawn(t, r, k, set, s, 0.75)
		titled(t, r.Panels[k], fmt.Sprintf("mistake %d", k+1)+map[bool]string{
			true: ": from $w = 0$"}[geom.IsZero(s.Before)])
	}
	// Without a bias all planes go through the origin, and w stands there.
	without := []PlaneStep{{plane(0, 0, 0), plane(1, 0.5, 0), 2}, {plane(1, 0.5, 0), plane(0.5, 1, 0), 5}}
	r = read(t)(PlaneStrip(set, without))
	for k, s := range without {
		originDrawn(t, r, k)
		stepDrawn(t, r, k, set, s, 0.75)
		w := only(t, "w", r.Arrows(k, "$w$ after", pen.Line(pen.Green, 2, nil)))
		tip := geom.Point{X: s.After.W[0], Y: s.After.W[1]} // to scale: it fits
		plottest.SamePath(t, "w", w, []geom.Point{{}, tip})
	}
}

// Frame k is mistake k + 1, with large marks.
func TestPlaneFramesDrawn(t *testing.T) {
	set := square40()
	steps := planes(set)
	frames, err := PlaneFrames(set, steps)
	if err != nil || len(frames) != len(steps) {
		t.Fatalf("%v, %v", frames, err)
	}
	for k, f := range frames {
		stepDrawn(t, plottest.Read(t, f), 0, set, steps[k], 1)
		q := steps[k]
		x, y := set.X[q.Index], set.Y[q.Index]
		want := prose.Say("Mistake %v of %v moves y·f of the ringed point from %v to %v. After it %v of %v points", k+1, len(steps),
			y*q.Before.Score(x), y*q.After.Score(x), geom.Mistakes(set, q.After), set.Len())
		if !strings.HasPrefix(f.Caption, want) {
			t.Errorf("the caption is %q, want %q", f.Caption, want)
		}
		for _, e := range f.Legend {
			if e.Name == "before" && geom.IsZero(q.Before) {
				t.Errorf("frame %d names a line that is not drawn", k)
			}
		}
	}
}

func stepDrawn(t *testing.T, r *plottest.Reading, panel int, set *svmkit.Dataset, s PlaneStep,
	size float64) {
	t.Helper()
	r.Classes(panel, set, size)
	for _, c := range []struct {
		name  string
		h     svmkit.Hyperplane
		style draw.LineStyle
	}{{"before", s.Before, pen.Line(pen.Faint, 1.5, pen.Dashed)}, {"after", s.After, pen.Line(pen.Ink, 2, nil)}} {
		if geom.IsZero(c.h) { // a strip names the line all the same, a frame does not
			if len(r.Lines(panel, "", c.style)) > 0 {
				t.Errorf("panel %d: w = 0 %s has a line", panel, c.name)
			}
			continue
		}
		plottest.OnLevel(t, c.name, only(t, c.name, r.Lines(panel, c.name, c.style)), c.h, 0)
	}
	plottest.SamePoints(t, "the mistake", r.Rings(panel, "mistake", 6.5,
		pen.Line(pen.Ink, 1.5, nil)), plottest.Rows(set, s.Index))
	pointsAlong(t, only(t, "w", r.Arrows(panel, "$w$ after", pen.Line(pen.Green, 2, nil))),
		s.After.W)
}

// The arrow yx stands at the tip of w, and the new w leads from the origin to its tip. The lines
// are across both w.
func TestUpdateVectorsDrawn(t *testing.T) {
	updates := bothLabels()
	f, err := UpdateVectors(updates)
	r := read(t)(f, err)
	for k, u := range updates {
		w, a := geom.Point{X: u.W[0], Y: u.W[1]},
			geom.Point{X: u.W[0] + u.Y*u.X.At(0), Y: u.W[1] + u.Y*u.X.At(1)}
		originDrawn(t, r, k)
		arrowsDrawn(t, r, k, "$w$", "$w + yx$", w, a)
		titled(t, r.Panels[k], fmt.Sprintf("$y = %s$: score %s to %s", signed[u.Y],
			scoreText(u.X.Dot(u.W)), scoreText(u.X.Dot([]float64{a.X, a.Y}))))
		scores := prose.Say("the score of the point with y = %s goes from %v to %v, by %v, so it is",
			prose.Signed(u.Y), u.X.Dot(u.W), u.X.Dot([]float64{a.X, a.Y}), u.X.SquaredNorm())
		if !strings.Contains(f.Caption, scores) {
			t.Errorf("the caption is %q, want %q in it", f.Caption, scores)
		}
		named(t, r.Panels[k], geom.At(u.X), "x", pen.Ink)
		named(t, r.Panels[k], w, "w", pen.Faint)
		named(t, r.Panels[k], a, "w+yx", pen.Green)
		named(t, r.Panels[k], geom.Middle(w, a), "yx", pen.Purple)
		plottest.OnLevel(t, "before", only(t, "before",
			r.Lines(k, "plane before", pen.Line(pen.Faint, 1.4, pen.Dashed))),
			svmkit.Hyperplane{W: u.W}, 0)
		plottest.OnLevel(t, "after", only(t, "after",
			r.Lines(k, "plane after", pen.Line(pen.Ink, 1.8, nil))), plane(a.X, a.Y, 0), 0)
		mark := pen.Positive
		if u.Y < 0 {
			mark = pen.Negative
		}
		mark.Radius *= 1.2
		plottest.SamePoints(t, "x", r.Marks(k, "", mark), []geom.Point{geom.At(u.X)})
	}
}

func arrowsDrawn(t *testing.T, r *plottest.Reading, panel int, before, after string, w,
	a geom.Point) {
	t.Helper()
	plottest.SamePath(t, "w", only(t, "w", r.Arrows(panel, before, pen.Line(pen.Faint, 1.6, nil))),
		[]geom.Point{{}, w})
	plottest.SamePath(t, "yx", only(t, "yx", r.Arrows(panel, "$yx$",
		pen.Line(pen.Purple, 1.8, nil))), []geom.Point{w, a})
	plottest.SamePath(t, "w + yx", only(t, "w + yx",
		r.Arrows(panel, after, pen.Line(pen.Green, 2.2, nil))), []geom.Point{{}, a})
}

// The question shows w, its line and the point that came; the answer adds the arrows of a mistake.
func TestRoundsDrawn(t *testing.T) {
	updates := []VectorUpdate{{[]float64{1, -1}, svmkit.Dense(0.5, 1.5), 1},
		{[]float64{1.5, 0.5}, svmkit.Dense(-1, 0.5), -1}}
	figures, err := Rounds(updates)
	if err != nil || len(figures) != 4 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	points := &svmkit.Dataset{Dim: 2}
	for _, u := range updates {
		points.X, points.Y = append(points.X, u.X), append(points.Y, u.Y)
	}
	for k, f := range figures {
		u, r := updates[k/2], plottest.Read(t, f)
		w, a := geom.Point{X: u.W[0], Y: u.W[1]},
			geom.Point{X: u.W[0] + u.Y*u.X.At(0), Y: u.W[1] + u.Y*u.X.At(1)}
		originDrawn(t, r, 0)
		r.ClassMarks(0, points, 1.3)
		planeAxes(t, r, 0)
		title := fmt.Sprintf("round %d: (%s, %s) with y = %s. A mistake?", k/2+1,
			scoreText(u.X.At(0)), scoreText(u.X.At(1)), signed[u.Y])
		if k%2 == 1 {
			verdict := map[bool]string{true: "a mistake", false: "right"}[u.Y*u.X.Dot(u.W) <= 0]
			title = fmt.Sprintf("round %d: score %s, %s", k/2+1, scoreText(u.X.Dot(u.W)), verdict)
		}
		titled(t, r.Panels[0], title)
		if answered := k%2 == 1 && u.Y*u.X.Dot(u.W) <= 0; len(f.Legend) != map[bool]int{true: 7, false: 4}[answered] {
			t.Errorf("figure %d names %d things", k, len(f.Legend))
		}
		plottest.SamePoints(t, "the point that came",
			r.Rings(0, "the point that came", 7, pen.Line(pen.Ink, 1.5, nil)),
			[]geom.Point{geom.At(u.X)})
		plottest.OnLevel(t, "before", only(t, "before",
			r.Lines(0, "", pen.Line(pen.Faint, 1.4, pen.Dashed))), svmkit.Hyperplane{W: u.W}, 0)
		if mistake := u.Y*u.X.Dot(u.W) <= 0; k%2 == 1 && mistake {
			arrowsDrawn(t, r, 0, "$w$ before, its line", "$w$ after", w, a)
			plottest.OnLevel(t, "after", only(t, "after",
				r.Lines(0, "line after", pen.Line(pen.Ink, 1.8, nil))), plane(a.X, a.Y, 0), 0)
		} else if n := len(r.Panels[0].Arrows); n != 1 {
			t.Errorf("figure %d has %d arrows, want w alone", k, n)
		}
	}
}

// The points stand at height 1, the line through the origin has the normal (w, b), and the ring is
// where both meet, at −b/w.
func TestAugmentedLiftDrawn(t *testing.T) {
	set, h := onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1}
	r := read(t)(AugmentedLift(set, h))
	for _, c := range []struct {
		label float64
		mark  pen.Mark
	}{{1, pen.Positive}, {-1, pen.Negative}} {
		var want []geom.Point
		for i, x := range set.X {
			if set.Y[i] == c.label {
				want = append(want, geom.Point{X: x.At(0), Y: 1})
			}
		}
		plottest.SamePoints(t, "points", r.Marks(0, pen.ClassName(set, c.label), c.mark), want)
	}
	originDrawn(t, r, 0)
	plottest.OnLevel(t, "height 1", only(t, "height 1",
		r.Lines(0, "height 1", pen.Line(pen.Faint, 1.2, pen.Dotted))), plane(0, 1, 0), 1)
	plottest.OnLevel(t, "the plane", only(t, "plane",
		r.Lines(0, "$wx + b \\cdot 1 = 0$", pen.Line(pen.Ink, 1.8, nil))), plane(2, -1, 0), 0)
	plottest.SamePoints(t, "threshold", r.Rings(0, "threshold", 7, pen.Line(pen.Ink, 1.4, nil)),
		[]geom.Point{{X: 0.5, Y: 1}})
	arrow := only(t, "normal", r.Arrows(0, "direction of $(w, b)$", pen.Line(pen.Green, 2, nil)))
	plottest.SamePoints(t, "it begins in the origin", arrow[:1], []geom.Point{{}})
	pointsAlong(t, arrow, []float64{2, -1})
	r.Axes(0, "$x$", "the new feature")
}

// The curve passes through the counts, one per update from 0 on, and the caption counts the updates
// that raise and lower the number.
func TestJumpsDrawn(t *testing.T) {
	count := []float64{60, 20, 31, 31, 4, 9, 0}
	f, err := Jumps(count)
	if err != nil {
		t.Fatal(err)
	}
	if want := "2 of 6 updates raise it and 3 lower it, and the run ends at 0."; !strings.HasSuffix(f.Caption, want) {
		t.Errorf("the caption is %q, want %q", f.Caption, want)
	}
	r := plottest.Read(t, f)
	var at []geom.Point
	for k, n := range count {
		at = append(at, geom.Pt(float64(k), n))
	}
	plottest.SamePath(t, "the curve", only(t, "the curve", r.Lines(0, "misclassified", pen.Styles[0].Line)), at)
	plottest.SamePoints(t, "the marks", r.Marks(0, "misclassified", pen.Styles[0].Mark), at)
	if _, err := Jumps(count[:1]); err == nil {
		t.Error("one count alone is drawn")
	}
}

// Rounded plays the rounds of three points, and Stream exchanges its labels.
func TestPerceptronData(t *testing.T) {
	rounds := Rounded(samples.ThreePoints(), 10)
	for i, w := range map[int][]float64{0: {0, 0}, 1: {1, 1}, 3: {2, -4}, 4: {3, -3}, 6: {3, -3}, 7: {4, -2}, 9: {4, -2}} {
		if !slices.Equal(rounds[i].W, w) {
			t.Errorf("before round %d w is %v, want %v", i+1, rounds[i].W, w)
		}
	}
	n, exchanged := 0, 0
	for x, y := range Stream(1000, 600) {
		if f := x.At(0) - 2*x.At(1) + x.At(2)/2; y*f < 0 {
			exchanged++
		} else if math.Abs(f) < 0.2 || n >= 600 {
			t.Fatalf("example %d: score %g, label %g", n, f, y)
		}
		n++
	}
	if n != 1000 || exchanged != 400 {
		t.Errorf("%d examples, %d of them with the other label", n, exchanged)
	}
	for range Stream(10, 10) {
		break // stops without a panic
	}
	set, err := Cloud(3)
	if err != nil || set.Len() != 60 || set.Radius() > 1 {
		t.Errorf("%v, %v", set, err)
	}
}
