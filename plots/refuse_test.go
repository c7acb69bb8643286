package plots

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

func TestBadInputIsATypedError(t *testing.T) {
	nan := math.NaN()
	good := nine()
	oneClass := good.Subset([]int{0, 1})
	for name, build := range map[string]func() (*Figure, error){
		"lines: none": func() (*Figure, error) { return Lines(nil, Axes{}, "c", "a") },
		"lines: seven": func() (*Figure, error) {
			return Lines(make([]Series, 7), Axes{}, "c",
				"a")
		},
		"lines: no caption": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1},
				Y: []float64{1}}}, Axes{}, "", "a")
		},
		"lines: empty": func() (*Figure, error) {
			return Lines([]Series{{}}, Axes{}, "c",
				"a")
		},
		"lines: lengths": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1, 2}, Y: []float64{1}}}, Axes{}, "c", "a")
		},
		"lines: NaN": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{nan}}}, Axes{}, "c", "a")
		},
		"lines: zero on log": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{0}}}, Axes{LogY: true}, "c", "a")
		},
		"lines: x falls": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{2, 1}, Y: []float64{0, 0}}}, Axes{}, "c", "a")
		},
		"lines: band crossed": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{1}, Low: []float64{2},
				High: []float64{1}}}, Axes{}, "c", "a")
		},
		"hulls: one class": func() (*Figure, error) { return Hulls(oneClass, nil, nil) },
		"hulls: half a proof": func() (*Figure,
			error) {
			return Hulls(good, []float64{1, 0}, nil)
		},
		"hulls: not in the hull": func() (*Figure,
			error) {
			return Hulls(good, []float64{-5, 0}, []float64{-1, 0})
		},
		"hulls: not nearest": func() (*Figure,
			error) {
			return Hulls(good, []float64{1, 0.3}, []float64{-1.8, 0})
		},
		"hulls: proof not finite": func() (*Figure,
			error) {
			return Hulls(good, []float64{nan, 0}, []float64{-1, 0})
		},
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

// Odd but legal input must be drawn.
func TestOddInputIsDrawn(t *testing.T) {
	same, _ := svmkit.NewDataset([][]float64{{0, 0}, {0, 0}}, []float64{1, -1})
	for name, build := range map[string]func() (*Figure, error){
		"flat curve": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{2}}}, Axes{LogX: true, LogY: true},
				"c", "a")
		},
		"hulls touch": func() (*Figure, error) { return Hulls(same, nil, nil) },
	} {
		f, err := build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.PNG(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestThinningIsSaid(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)))
	}
	for name, build := range map[string]func() (*Figure, error){
		"hulls": func() (*Figure, error) { return Hulls(big, nil, nil) },
	} {
		f, err := build()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(f.Caption, "evenly spaced") ||
			!strings.Contains(f.Caption, "Of 20,00") {
			t.Errorf("%s: the caption hides that marks were left out: %s", name, f.Caption)
		}
		svg, err := f.SVG()
		if err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", name, len(svg), err)
		}
	}
}

// A PNG shows the colours that were drawn, although its palette has only 256 of them.
func TestPNGKeepsTheColours(t *testing.T) {
	f, err := Separators(square40(), []NamedPlane{{"plane", plane(1, 0.3, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := f.image(pngDPI)
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(shown.Bounds())
	draw.Draw(screen, screen.Rect, shown, shown.Bounds().Min, draw.Src)
	if d := worst(screen, drawn.(*image.RGBA)); d > paletteError {
		t.Errorf("a pixel is off by %d of 255", d)
	}
}

// paletteError is how far a rare mixture at the edge of a line may be from the nearest of
// 256 colours, in any channel.
const paletteError = 40

func worst(a, b *image.RGBA) int {
	most := 0
	for k := range a.Pix {
		most = max(most, int(math.Abs(float64(a.Pix[k])-float64(b.Pix[k]))))
	}
	return most
}

func TestSeparatorsRefuse(t *testing.T) {
	for name, build := range map[string]func() (*Figure, error){
		"separators: none": func() (*Figure, error) { return Separators(nine(), nil) },
		"separators: seven": func() (*Figure, error) {
			return Separators(nine(),
				make([]NamedPlane, 7))
		},
		"separators: w = 0": func() (*Figure, error) {
			return Separators(nine(),
				[]NamedPlane{{"zero", plane(0, 0, 1)}})
		},
		"separators: 3-D": func() (*Figure, error) {
			return Separators(basisVectors(3),
				[]NamedPlane{{"h", plane(1, 1, 0)}})
		},
	} {
		if f, err := build(); f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}
