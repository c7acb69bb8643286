package plots

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

// answered are eight rows, the last four positive.
func answered() *svmkit.Dataset {
	return mustSet([][]float64{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, []float64{-1, -1, -1, -1, 1, 1, 1, 1})
}

func forecasts() []NamedProbabilities {
	return []NamedProbabilities{
		{"always sure", []float64{0, 0, 0, 1, 0, 1, 1, 1}},
		{"timid", []float64{0.3, 0.3, 0.4, 0.4, 0.6, 0.6, 0.7, 0.7}},
	}
}

func TestReliabilityComputesItsMarks(t *testing.T) {
	b, err := binned(answered(), forecasts()[0], 4)
	if err != nil {
		t.Fatal(err)
	}
	// Four rows with probability 0, one of them positive; four with 1, three of them positive.
	if want := []geom.Point{{X: 0, Y: 0.25}, {X: 1, Y: 0.75}}; !slices.Equal(b.at, want) || !slices.Equal(b.rows, []int{4, 4}) {
		t.Errorf("marks %v of %v rows, want %v of 4 and 4", b.at, b.rows, want)
	}
	if !(math.Abs(b.distance-0.25) <= 1e-15) || !(math.Abs(b.err[0]-math.Sqrt(0.25*0.75/4)) <= 1e-15) {
		t.Errorf("distance %v, want 0.25; error %v", b.distance, b.err[0])
	}
	timid, err := binned(answered(), forecasts()[1], 4)
	if err != nil || len(timid.at) != 2 || !(math.Abs(timid.at[0].X-0.35) <= 1e-15) || timid.at[0].Y != 0 || timid.at[1].Y != 1 {
		t.Errorf("timid: %+v, %v", timid, err)
	}
}

func TestReliabilitySaysWhatItDraws(t *testing.T) {
	f, err := examples["reliability"]()
	if err != nil {
		t.Fatal(err)
	}
	if want := "Bars are one standard error, which is 0 where all rows of a bin or none are positive. Mean distance from the diagonal, each row counted once. always sure: 0.25, timid: 0.35."; f.Caption != want {
		t.Errorf("caption %q, want %q", f.Caption, want)
	}
	for _, want := range []string{"2 models over 8 rows", "bin of width 0.25", "always sure: 0.25 of 4 rows at 0; 0.75 of 4 rows at 1.", "timid: 0 of 4 rows at 0.35; 1 of 4 rows at 0.65."} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("alt lacks %q: %s", want, f.Alt)
		}
	}
}

// Near a corner the marks of good models overlap.
func TestReliabilityShowsMarksBelowOthers(t *testing.T) {
	half := slices.Repeat([]float64{0.5}, 8)
	f, err := Reliability(answered(), []NamedProbabilities{{"first", half}, {"second", half}}, 4)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Window()
	if err != nil {
		t.Fatal(err)
	}
	img, err := f.image(pngDPI)
	if err != nil {
		t.Fatal(err)
	}
	const pixels = pngDPI / 72.                        // a point
	x, y := (w.Left+w.Right)/2+1.3, (w.Top+w.Bottom)/2 // right of the error bars, inside both marks
	got := color.RGBAModel.Convert(img.At(int(x*pixels), int(y*pixels)))
	if want := color.RGBAModel.Convert(pen.Ink); got != want {
		t.Errorf("the first model's disc is hidden: %v inside the second's square, want %v", got, want)
	}
}

func TestReliabilityRefuses(t *testing.T) {
	good := forecasts()[0].Probability
	replaced := func(q float64) []NamedProbabilities {
		all := slices.Clone(good)
		all[2] = q
		return []NamedProbabilities{{"m", all}}
	}
	one := answered().Subset([]int{0, 1})
	for name, draw := range map[string]func() (*Figure, error){
		"no model":     func() (*Figure, error) { return Reliability(answered(), nil, 4) },
		"one bin":      func() (*Figure, error) { return Reliability(answered(), forecasts(), 1) },
		"21 bins":      func() (*Figure, error) { return Reliability(answered(), forecasts(), 21) },
		"short":        func() (*Figure, error) { return Reliability(answered(), []NamedProbabilities{{"m", good[:3]}}, 4) },
		"NaN":          func() (*Figure, error) { return Reliability(answered(), replaced(math.NaN()), 4) },
		"above 1":      func() (*Figure, error) { return Reliability(answered(), replaced(1.01), 4) },
		"below 0":      func() (*Figure, error) { return Reliability(answered(), replaced(-0.01), 4) },
		"one class":    func() (*Figure, error) { return Reliability(one, []NamedProbabilities{{"m", good[:2]}}, 4) },
		"no data":      func() (*Figure, error) { return Reliability(nil, forecasts(), 4) },
		"seven models": func() (*Figure, error) { return Reliability(answered(), slices.Repeat(forecasts()[:1], 7), 4) },
	} {
		if f, err := draw(); err == nil || f != nil {
			t.Errorf("%s: drawn, or no error: %v", name, err)
		}
	}
}
