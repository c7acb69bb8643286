package pen

import (
	"image/color"
	"testing"
)

func TestShadesKeepTheirOrder(t *testing.T) {
	light := func(c color.RGBA) float64 {
		return 0.299*float64(c.R) + 0.587*float64(c.G) +
			0.114*float64(c.B)
	}
	s, d := Shade{0, 10, Sequential}, Shade{-10, 10, Diverging}
	if white := (color.RGBA{255, 255, 255, 255}); d.Colour(0) != white || s.Colour(0) != white ||
		s.Colour(-1) != white {
		t.Error("zero is not white")
	}
	for v := 0.5; v <= 10; v += 0.5 {
		for name, pair := range map[string][2]color.RGBA{"sequential": {s.Colour(v - 0.5),
			s.Colour(v)}, "positive": {d.Colour(v - 0.5), d.Colour(v)},
			"negative": {d.Colour(0.5 - v), d.Colour(-v)}} {
			if light(pair[1]) >= light(pair[0]) {
				t.Errorf("%s: %g is not darker than what is nearer to zero", name, v)
			}
		}
	}
	if got := (Shade{3, 3, Sequential}).Colour(3); got != Sequential[0] {
		t.Errorf("a scale of one value: %v", got)
	}
}
