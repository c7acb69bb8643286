package pen

import (
	"math"
	"strconv"

	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
)

// ticks marks a linear axis at about five multiples of 1, 2 or 5 times a power of ten.
// gonum/plot's own ticks search and can take very long on extreme ranges.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep((hi - lo) / 5)
	if !(step > 0) || math.IsInf(step, 0) || !(math.Abs(lo)/step < 1e9 && math.Abs(hi)/step < 1e9) {
		return []plot.Tick{{Value: lo, Label: prose.Num(lo)}, {Value: hi, Label: prose.Num(hi)}}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var marks []plot.Tick
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+1e-9*step; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: tickLabel(i*step, decimals)})
	}
	if len(marks) < 2 { // a range so small that the step itself is rounded
		return []plot.Tick{{Value: lo, Label: prose.Num(lo)}, {Value: hi, Label: prose.Num(hi)}}
	}
	return marks
}

// niceStep returns the smallest of 1, 2, 5 times a power of ten that is at least x.
func niceStep(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= x*(1-1e-9) {
			return m * unit
		}
	}
	return 10 * unit
}

func tickLabel(v float64, decimals int) string {
	if a := math.Abs(v); a >= 1e6 || (decimals > 4 && a > 0) {
		return "$" + prose.Power(v) + "$"
	}
	return prose.Minus(strconv.FormatFloat(v+0, 'f', decimals, 64)) // v+0: no "−0"
}

// logTicks marks a logarithmic axis at powers of ten, with unlabelled marks between; on a
// range of less than two decades 2 and 5 have labels too.
type logTicks struct{}

// Ticks implements plot.Ticker. It returns none for a range that is not positive.
func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0 && hi > lo) || math.IsInf(hi, 0) {
		return nil
	}
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := 1 + (last-first)/8
	short := math.Log10(hi/lo) < 2
	var marks []plot.Tick
	for e := first; e <= last; e++ {
		unit := math.Pow(10, float64(e))
		for m := 1.0; m < 10; m++ {
			v := m * unit
			if v < lo*(1-1e-12) || v > hi*(1+1e-12) {
				continue
			}
			t := plot.Tick{Value: v}
			if (m == 1 && (e-first)%every == 0) || (short && (m == 2 || m == 5)) {
				t.Label = logLabel(v, e)
			}
			if t.Label != "" || every == 1 {
				marks = append(marks, t)
			}
		}
	}
	return marks
}

func logLabel(v float64, e int) string {
	if e < -2 || e > 4 {
		return "$" + prose.Power(v) + "$"
	}
	if v >= 1 {
		return prose.Count(int(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// PositiveLog is plot.LogScale for values that may be zero or negative: they are
// drawn below the axis.
type PositiveLog struct{}

// Normalize implements plot.Normalizer.
func (PositiveLog) Normalize(lo, hi, x float64) float64 {
	if x <= 0 || lo <= 0 || hi <= 0 {
		return -1
	}
	return math.Log(x/lo) / math.Log(hi/lo)
}

func Logarithmic(a *plot.Axis) {
	a.Scale = PositiveLog{}
	a.Tick.Marker = logTicks{}
}
