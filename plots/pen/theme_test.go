package pen

import (
	"image/color"
	"testing"
)

// The classes and series must differ in more than colour.
func TestStylesDifferWithoutColour(t *testing.T) {
	kind := func(m Mark) [2]any { return [2]any{m.Shape, m.Fill == color.Color(color.White)} }
	if kind(Positive) == kind(Negative) {
		t.Error("the classes have one marker")
	}
	for name, all := range map[string][]SeriesStyle{"series": Styles, "plane": PlaneStyles} {
		seen := map[[2]any]bool{}
		for i, l := range all {
			k := kind(l.Mark)
			if seen[k] {
				t.Errorf("%s %d repeats a marker", name, i)
			}
			seen[k] = true
		}
	}
	for i, l := range PlaneStyles {
		if c := l.Line.Color; c == Positive.Edge || c == Negative.Edge {
			t.Errorf("plane %d has the colour of a class", i)
		}
	}
}

// The colours are those of Okabe and Ito, and the classes are always marked in one way: +1 by blue discs,
// −1 by open vermillion squares.
func TestThemeIsThatOfTheCourse(t *testing.T) {
	for name, c := range map[string][2]color.RGBA{
		"blue":       {Blue, {0x00, 0x72, 0xb2, 0xff}},
		"vermillion": {Vermillion, {0xd5, 0x5e, 0x00, 0xff}},
		"green":      {Green, {0x00, 0x9e, 0x73, 0xff}},
		"purple":     {Purple, {0xcc, 0x79, 0xa7, 0xff}},
		"orange":     {Orange, {0xe6, 0x9f, 0x00, 0xff}},
	} {
		if c[0] != c[1] {
			t.Errorf("%s is %v, want %v", name, c[0], c[1])
		}
	}
	if want := (Mark{Shape: Disc, Fill: Blue, Edge: Blue, Radius: 3.2}); Positive != want {
		t.Errorf("class +1 is marked by %v", Positive)
	}
	if want := (Mark{Shape: Square, Fill: color.White, Edge: Vermillion, Radius: 2.9}); Negative != want {
		t.Errorf("class −1 is marked by %v", Negative)
	}
	if Styles[0].Line.Color != Blue || Styles[1].Line.Color != Vermillion {
		t.Error("the first curves do not have the colours of the classes")
	}
	for i, s := range append(append([]SeriesStyle(nil), Styles...), PlaneStyles...) {
		if s.Line.Width != 1.6 || s.Mark.Edge != s.Line.Color {
			t.Errorf("style %d: line %v, mark %v", i, s.Line, s.Mark)
		}
	}
}
