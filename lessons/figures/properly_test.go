package figures

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

func TestConfusionSaysTheWorstMistake(t *testing.T) {
	c := &tune.Confusion{Names: []string{"a", "b", "c"},
		Count: [][]int{{5, 1, 0}, {0, 7, 2}, {3, 0, 1}}, None: []int{0, 1, 0}}
	f, err := ConfusionMatrix(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"65 % of 20 rows", "c taken for a, 3 times",
		"1 has no prediction"} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
	if want := "Of 10 rows of b, 7 are right, 2 taken for c, 1 without a prediction."; !strings.Contains(f.Alt, want) {
		t.Errorf("%q, want %q in it", f.Alt, want)
	}
}

// Percentages are drawn, and spoken of, up to six classes: below the counts of more they are too
// small to be read.
func TestConfusionHasPercentagesOfFewClasses(t *testing.T) {
	for _, classes := range []int{6, 7} {
		c := &tune.Confusion{None: make([]int, classes)}
		for k := range classes {
			c.Names = append(c.Names, fmt.Sprint("class ", k))
			c.Count = append(c.Count, make([]int, classes))
			c.Count[k][k] = 4
		}
		f, err := ConfusionMatrix(c)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		drawn := strings.Count(string(svg), ">100 %<") == classes
		if want := classes == 6; err != nil || drawn != want ||
			strings.Contains(f.Caption, "Percentages are") != want {
			t.Errorf("%d classes: percentages drawn %v, %v; %q", classes, drawn, err, f.Caption)
		}
	}
}

func TestCVCurveMarksBothChoices(t *testing.T) {
	f, err := CVCurve(search(nil), "accuracy")
	s := search(nil)
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	if best.Params == simple.Params {
		t.Fatal("the example has one choice only")
	}
	if err != nil || !strings.Contains(f.Caption,
		fmt.Sprintf("that of C = %g; within one standard error of it, the simplest is C = %g,",
			best.C, simple.C)) {
		t.Errorf("%v, %v", said(f), err)
	}
	if got := oneErrorAway(s, best); got != best.Mean-best.StdErr {
		t.Errorf("accuracy: the limit is %g", got)
	}
	// A loss: the best is the least, and the band lies above it.
	worse := tune.Point{Params: tune.Params{C: 1},
		CVResult: tune.CVResult{Scores: []float64{0.5, 0.7}, Mean: 0.6, StdErr: 0.1}}
	least := tune.Point{Params: tune.Params{C: 2},
		CVResult: tune.CVResult{Scores: []float64{0.2, 0.4}, Mean: 0.3, StdErr: 0.1}}
	unfinished := tune.Point{Params: tune.Params{C: 3},
		CVResult: tune.CVResult{Scores: []float64{0.9, math.NaN()}, Mean: 0.9}}
	if got := oneErrorAway(&tune.Selection{Points: []tune.Point{worse, least}},
		least); got != 0.3+0.1 {
		t.Errorf("a loss: the limit is %g", got)
	}
	// An unfinished point says nothing of which way is worse.
	if got := oneErrorAway(&tune.Selection{Points: []tune.Point{worse, unfinished}},
		worse); got != 0.6-0.1 {
		t.Errorf("next to an unfinished point: the limit is %g", got)
	}
	v, err := newCVCurves(&tune.Selection{Points: []tune.Point{least, unfinished, worse}})
	if err != nil || v.missing != 1 || len(v.curves) != 1 ||
		!slices.Equal(v.curves[0].at, []geom.Point{{X: 1, Y: 0.6}, {X: 2, Y: 0.3}}) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestCVCurveOverGamma(t *testing.T) {
	s := &tune.Selection{}
	for k, gamma := range []float64{0.1, 1, 10} {
		mean := []float64{0.7, 0.9, 0.8}[k]
		s.Points = append(s.Points, tune.Point{Params: tune.Params{C: 1, Gamma: gamma},
			CVResult: tune.CVResult{Scores: []float64{mean}, Mean: mean, StdErr: math.NaN()}})
	}
	f, err := CVCurve(s, "accuracy")
	if err != nil || f.Plot.X.Label.Text != `$\gamma$` ||
		!strings.Contains(f.Caption, "one fold alone has no standard error") {
		t.Errorf("%v, %v", said(f), err)
	}
	if _, err := f.Thumbnail(); err != nil {
		t.Error(err)
	}
}

// answered are eight rows, the last four positive.
func answered() *svmkit.Dataset {
	return mustSet([][]float64{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}},
		[]float64{-1, -1, -1, -1, 1, 1, 1, 1})
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
	if want := []geom.Point{{X: 0, Y: 0.25}, {X: 1, Y: 0.75}}; !slices.Equal(b.at, want) ||
		!slices.Equal(b.rows, []int{4, 4}) {
		t.Errorf("marks %v of %v rows, want %v of 4 and 4", b.at, b.rows, want)
	}
	if !(math.Abs(b.distance-0.25) <= 1e-15) ||
		!(math.Abs(b.err[0]-math.Sqrt(0.25*0.75/4)) <= 1e-15) {
		t.Errorf("distance %v, want 0.25; error %v", b.distance, b.err[0])
	}
	timid, err := binned(answered(), forecasts()[1], 4)
	if err != nil || len(timid.at) != 2 || !(math.Abs(timid.at[0].X-0.35) <= 1e-15) ||
		timid.at[0].Y != 0 || timid.at[1].Y != 1 {
		t.Errorf("timid: %+v, %v", timid, err)
	}
}

func TestReliabilitySaysWhatItDraws(t *testing.T) {
	f, err := examples["reliability"]()
	if err != nil {
		t.Fatal(err)
	}
	if want := "Bars are one standard error, which is 0 where all rows of a bin or none are " +
		"positive. Mean distance from the diagonal, each row counted once. always sure: 0.25, " +
		"timid: 0.35."; f.Caption != want {
		t.Errorf("caption %q, want %q", f.Caption, want)
	}
	for _, want := range []string{"2 models over 8 rows", "bin of width 0.25",
		"always sure: 0.25 of 4 rows at 0; 0.75 of 4 rows at 1.",
		"timid: 0 of 4 rows at 0.35; 1 of 4 rows at 0.65."} {
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
	b, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	const pixels = 192 / 72.                           // a point
	x, y := (w.Left+w.Right)/2+1.3, (w.Top+w.Bottom)/2 // right of the error bars, inside both marks
	got := color.RGBAModel.Convert(img.At(int(x*pixels), int(y*pixels)))
	if want := color.RGBAModel.Convert(pen.Ink); got != want {
		t.Errorf("the first model's disc is hidden: %v inside the second's square, want %v", got,
			want)
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
	for name, draw := range map[string]func() (*plots.Figure, error){
		"no model": func() (*plots.Figure, error) { return Reliability(answered(), nil, 4) },
		"one bin": func() (*plots.Figure, error) {
			return Reliability(answered(), forecasts(),
				1)
		},
		"21 bins": func() (*plots.Figure, error) {
			return Reliability(answered(), forecasts(),
				21)
		},
		"short": func() (*plots.Figure, error) {
			return Reliability(answered(), []NamedProbabilities{{"m", good[:3]}}, 4)
		},
		"NaN": func() (*plots.Figure,
			error) {
			return Reliability(answered(), replaced(math.NaN()), 4)
		},
		"above 1": func() (*plots.Figure,
			error) {
			return Reliability(answered(), replaced(1.01), 4)
		},
		"below 0": func() (*plots.Figure,
			error) {
			return Reliability(answered(), replaced(-0.01), 4)
		},
		"one class": func() (*plots.Figure,
			error) {
			return Reliability(one, []NamedProbabilities{{"m", good[:2]}}, 4)
		},
		"no data": func() (*plots.Figure, error) { return Reliability(nil, forecasts(), 4) },
		"seven models": func() (*plots.Figure,
			error) {
			return Reliability(answered(), slices.Repeat(forecasts()[:1], 7), 4)
		},
	} {
		if f, err := draw(); err == nil || f != nil {
			t.Errorf("%s: drawn, or no error: %v", name, err)
		}
	}
}
