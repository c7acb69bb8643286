package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

func zoo() []NamedLoss {
	return []NamedLoss{{Name: "hinge", Loss: loss.Hinge{}},
		{Name: "perceptron", Loss: loss.Perceptron{}},
		{Name: "squared hinge", Loss: loss.SquaredHinge{}},
		{Name: "logistic", Loss: loss.Logistic{}, Scale: 1 / math.Ln2},
		{Name: "exponential", Loss: loss.Exponential{}}}
}

func flips() []SurrogateRun {
	return []SurrogateRun{{"hinge loss", []float64{0.1, 0.5, 0.9}, []float64{0.02, 0.2, 0.4},
		[]float64{0.02, 0.03, 0.1}}, {"logistic loss (bits)", []float64{0.1, 0.7, 1},
		[]float64{0.02, 0.22, 0.4}, nil}}
}

func TestLossZooSaysWhichBoundTheZeroOneLoss(t *testing.T) {
	f, err := LossZoo(zoo())
	want := "On or above the zero–one loss at every margin shown: hinge, squared hinge, " +
		"logistic, exponential. The perceptron loss lies below it in places, most at m = 0, " +
		"where it is 0."
	if err != nil || f.Caption != want {
		t.Errorf("%v, %v; want %q", f, err, want)
	}
	if f, err := LossZoo([]NamedLoss{{Name: "logistic", Loss: loss.Logistic{}}}); err != nil ||
		!strings.Contains(f.Caption, "No loss lies above") ||
		!strings.Contains(f.Caption, "0.6931") {
		t.Errorf("in nats: %v, %v", f, err)
	}
	if want := "Hinge (solid): 3 at m = −2, 2 at −1, 1 at 0, 0 at 1, 0 at 2."; !strings.Contains(f.Alt, want) {
		t.Errorf("%q, want %q in it", f.Alt, want)
	}
	for name, bad := range map[string][]NamedLoss{"none": nil, "seven": make([]NamedLoss, 7),
		"nil":   {{Name: "x"}},
		"scale": {{Name: "x", Loss: loss.Hinge{}, Scale: -1}},
		"NaN":   {{Name: "x", Loss: loss.Hinge{}, Scale: math.NaN()}}} {
		if f, err := LossZoo(bad); !isParam(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func TestSubgradientFanTestsEveryLine(t *testing.T) {
	hinge := NamedLoss{Name: "hinge", Loss: loss.Hinge{}}
	for want, slopes := range map[string][]float64{
		"The slopes −1, −0.5, 0 are subgradients of the hinge loss at m = 1: their lines " +
			"through (1, 0) stay on or below the graph.": {-1, -0.5, 0},
		"The slope −0.5 is a subgradient": {-0.5, 0.001},
		"The slope −1.001 is none":        {-1.001},
		"The slope 0.5 is none: its line through (1, 0) is above the graph, by 1 at m = 3.": {0.5},
	} {
		if f, err := SubgradientFan(hinge, 1, slopes); err != nil ||
			!strings.Contains(f.Caption, want) {
			t.Errorf("%v: %v, %v; want %q", slopes, f, err, want)
		}
	}
	if f, err := SubgradientFan(NamedLoss{Name: "zero–one", Loss: loss.ZeroOne{}}, -1,
		[]float64{0, -0.1}); err != nil || strings.Contains(f.Caption, "subgradient") ||
		!strings.HasSuffix(f.Alt,
			"a disc. It jumps at 0, from 1, a filled disc, to 0, an open one. Dashed, above it "+
				"somewhere: slope 0, −0.1.") {
		t.Errorf("the zero–one loss has no supporting line at −1: %v, %v", f, err)
	}
	for name, f := range map[string]func() (*plots.Figure, error){
		"nil": func() (*plots.Figure, error) {
			return SubgradientFan(NamedLoss{}, 1,
				[]float64{0})
		},
		"outside": func() (*plots.Figure, error) {
			return SubgradientFan(hinge, 3,
				[]float64{0})
		},
		"NaN": func() (*plots.Figure, error) {
			return SubgradientFan(hinge, math.NaN(),
				[]float64{0})
		},
		"no slope": func() (*plots.Figure, error) { return SubgradientFan(hinge, 1, nil) },
		"slope NaN": func() (*plots.Figure, error) {
			return SubgradientFan(hinge, 1,
				[]float64{math.NaN()})
		},
	} {
		if _, err := f(); !isParam(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSurrogateGapComparesLossAndError(t *testing.T) {
	f, err := SurrogateGap([]float64{0, 0.2, 0.4}, flips())
	if err != nil || f.Caption != "Mean loss and error of planes trained on labels of which a "+
		"share from 0 to 0.4 is flipped. Every mean loss is above the error rate of its plane." ||
		!strings.Contains(f.Alt,
			"Training by the hinge loss: mean loss 0.1, 0.5, 0.9; error rate, dotted, 0.02, "+
				"0.2, 0.4. By the true labels, dashed: 0.02, 0.03, 0.1. Training by the "+
				"logistic loss (bits): ") ||
		f.Legend[1].Name != "hinge loss: error" || f.Legend[4].Name != "logistic loss: error" {
		t.Errorf("%v, %v", f, err)
	}
	low := flips()
	low[0].Loss[2] = 0.3
	if f, err := SurrogateGap([]float64{0, 0.2, 0.4}, low); err != nil ||
		!strings.Contains(f.Caption, "Below the error rate of its plane: 1 of 6 mean losses.") {
		t.Errorf("%v, %v", f, err)
	}
	bad := func(change func(r *SurrogateRun)) []SurrogateRun { r := flips(); change(&r[1]); return r }
	for name, runs := range map[string][]SurrogateRun{"none": nil, "four": make([]SurrogateRun, 4),
		"negative":   bad(func(r *SurrogateRun) { r.Loss[0] = -1 }),
		"error":      bad(func(r *SurrogateRun) { r.Error[0] = 1.1 }),
		"true error": bad(func(r *SurrogateRun) { r.True = []float64{0, 1.1, 0} })} {
		if f, err := SurrogateGap([]float64{0, 0.2, 0.4}, runs); !isParam(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for name, runs := range map[string][]SurrogateRun{"short": bad(func(r *SurrogateRun) { r.Loss = r.Loss[:2] }),
		"NaN": bad(func(r *SurrogateRun) { r.Error[1] = math.NaN() })} {
		if f, err := SurrogateGap([]float64{0, 0.2, 0.4}, runs); !isData(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if _, err := SurrogateGap(nil, flips()); err == nil {
		t.Error("no shares")
	}
}

func TestTurnedLineCountsTheMistakesOfBothEnds(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, X: []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(0, 1),
		svmkit.Dense(-1, 0)}, Y: []float64{1, 1, -1}}
	for name, c := range map[string]struct {
		first, last  [2]float64
		caption, alt string
	}{
		"turned": {[2]float64{-1, 1}, [2]float64{1, 1},
			"The first line is wrong about 2 of 3 points, the last about 0.",
			"First line (dashed): −1·x1 + 1·x2 + 0 = 0."},
		"on a line": {[2]float64{1, 1}, [2]float64{1, 0}, "about 0 of 3 points, the last about 1.",
			"the last line is wrong about them: (0, 1)."},
		"no line": {[2]float64{}, [2]float64{1, 1},
			"wrong about 3 of 3 points, the last about 0.",
			"There is no first line: the weights are (0, 0)."},
		"at zero": {[2]float64{1, 1}, [2]float64{}, "the last about 3.", "There is no last line"},
	} {
		f, err := TurnedLine(set, c.first, c.last)
		if err != nil || !strings.Contains(f.Caption, c.caption) ||
			!strings.Contains(f.Alt, c.alt) {
			t.Errorf("%s: %v, %v; want %q and %q", name, f, err, c.caption, c.alt)
		}
	}
	if f, err := TurnedLine(set, [2]float64{math.NaN(), 1}, [2]float64{1, 1}); err == nil {
		t.Errorf("NaN: %v", f)
	}
	if f, err := TurnedLine(basisVectors(3), [2]float64{1, 1}, [2]float64{1, 1}); !isParam(err) {
		t.Errorf("3-D: %v, %v", f, err)
	}
}
