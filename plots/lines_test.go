package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/pen"
)

func TestNoClassesHasNoColourOfAClass(t *testing.T) {
	var curves []Series
	for range pen.Styles {
		curves = append(curves, Series{Name: "curve", X: []float64{1, 2}, Y: []float64{2, 1}})
	}
	f, err := Lines(curves, Axes{NoClasses: true}, "Two of a kind.", "Falling lines.")
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range f.Legend {
		if c := e.Mark.(pen.MarkedPath).Style.Color; c == pen.Positive.Edge ||
			c == pen.Negative.Edge {
			t.Errorf("curve %d has the colour of a class", i)
		}
	}
}

// A curve beside its marks is in view, and checked like them.
func TestCurveBesideItsMarks(t *testing.T) {
	s := Series{Name: "a", X: []float64{1, 2}, Y: []float64{1, 2}, Curve: []float64{1, 50}}
	f, err := Lines([]Series{s}, Axes{}, "A caption.", "A text.")
	if err != nil || !(pen.Shown(f.Plot).YMax >= 50) {
		t.Errorf("%v, %v", f, err)
	}
	for _, curve := range [][]float64{{1}, {1, math.NaN()}} {
		s.Curve = curve
		if _, err := Lines([]Series{s}, Axes{}, "A caption.", "A text."); !isData(err) {
			t.Errorf("%v: %v", curve, err)
		}
	}
}

func TestSeparatorsAreCountedByTheirSignedMargins(t *testing.T) {
	set := nine()
	n, least, most := separating(set, threePlanes())
	first, _ := threePlanes()[0].Plane.SetMargin(set)
	second, _ := threePlanes()[1].Plane.SetMargin(set)
	if third, _ := threePlanes()[2].Plane.SetMargin(set); third > 0 || n != 2 {
		t.Errorf("%d planes separate, the third has margin %g; two do", n, third)
	}
	if least != min(first, second) || most != max(first, second) {
		t.Errorf("margins from %g to %g, want those of %g and %g", least, most, first, second)
	}
	for want, planes := range map[string][]NamedPlane{
		"2 of 3 planes separate": threePlanes(),
		"Both planes separate":   threePlanes()[:2],
		"None of 1 plane":        threePlanes()[2:],
		"The plane separates":    threePlanes()[:1],
	} {
		f, err := Separators(set, planes)
		if err != nil || !strings.HasPrefix(f.Caption, want) {
			t.Errorf("%v, %v; want %q", f, err, want)
		}
	}
}
