package plots

import (
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// GapRun is the history of one fit, with its name in a legend, which may hold math.
type GapRun struct {
	Name    string
	History []svmkit.Progress // the values that Settings.Progress received
	Seconds []float64         // of each of History, since the start; for GapOverTime, measured by the caller
}

// GapOverEpochs draws the relative duality gap of up to six fits against passes over the data, on
// logarithmic axes: an upper bound on each model's distance from the optimum. The gap of a method
// may grow again. Pass 0 cannot be shown on a logarithmic axis and is left out, as are
// certificates whose gap is infinite, zero or negative by roundoff. The caption counts them.
func GapOverEpochs(runs []GapRun) (*Figure, error) {
	return gapFigure(runs, "passes over the data", "after %s passes", func(r GapRun, k int) float64 { return float64(r.History[k].Iteration) })
}

// GapOverTime is [GapOverEpochs] against Seconds: passes of different methods take different
// times.
func GapOverTime(runs []GapRun) (*Figure, error) {
	for _, r := range runs {
		if len(r.Seconds) != len(r.History) {
			return nil, &svmkit.ParamError{Name: "Seconds", Value: plural(len(r.Seconds), "time"), Need: "must be one for each certificate: " + count(len(r.History))}
		}
	}
	return gapFigure(runs, "seconds", "after %s s", func(r GapRun, k int) float64 { return r.Seconds[k] })
}

func gapFigure(runs []GapRun, x, after string, moment func(GapRun, int) float64) (*Figure, error) {
	if len(runs) == 0 {
		return nil, &svmkit.ParamError{Name: "runs", Value: "none", Need: "must hold at least one fit"}
	}
	var series []Series
	zero, start, unbounded := 0, 0, 0
	alt := fmt.Sprintf("Line chart on logarithmic axes of the relative duality gap over %s.", x)
	least, best := math.Inf(1), ""
	for _, r := range runs {
		s := Series{Name: r.Name}
		var end point // the last finite certificate, also if the axes cannot show it
		for k, h := range r.History {
			t, gap := moment(r, k), h.RelativeGap()
			switch {
			case math.IsNaN(gap) || math.IsInf(gap, -1):
				return nil, &svmkit.DataError{Row: k, Col: svmkit.NoPlace, Value: gap, Err: fmt.Errorf("run %q: gap: %w", r.Name, svmkit.ErrNotFinite)}
			case !(t >= 0):
				return nil, &svmkit.DataError{Row: k, Col: svmkit.NoPlace, Value: t, Err: fmt.Errorf("run %q: %w", r.Name, errMoment)}
			case gap > maxDrawn:
				unbounded++
				continue
			case gap <= 0: // roundoff
				zero++
			case t == 0:
				start++
			default:
				s.X, s.Y = append(s.X, t), append(s.Y, gap)
			}
			end = point{X: t, Y: max(0, gap)}
		}
		if len(s.X) == 0 {
			return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: fmt.Errorf("run %q: %w", r.Name, errNoGap)}
		}
		series = append(series, s)
		last := len(s.X) - 1
		name := plainMath.Replace(r.Name)
		if end.Y < least {
			least, best = end.Y, fmt.Sprintf("Nearest to the optimum comes %s, with a relative gap of %s ", name, num(end.Y))+fmt.Sprintf(after, num(end.X))
			if len(runs) == 1 {
				best = fmt.Sprintf("%s brings the relative gap from %s to %s ", name, num(s.Y[0]), num(end.Y)) + fmt.Sprintf(after, num(end.X)) + ": its model is no farther from the best"
			}
		}
		if last == 0 {
			alt += fmt.Sprintf(" %s: %s at %s.", name, num(s.Y[0]), num(s.X[0]))
			continue
		}
		alt += fmt.Sprintf(" %s: from %s at %s to %s at %s.", name, num(s.Y[0]), num(s.X[0]), num(s.Y[last]), num(s.X[last]))
	}
	caption := best + "."
	for _, left := range []struct {
		n   int
		why string
	}{{start, "at the start"}, {unbounded, "with an infinite gap"}, {zero, "with a gap of zero"}} {
		if left.n > 0 {
			caption += fmt.Sprintf(" %s %s cannot be shown on these axes.", upperFirst(plural(left.n, "certificate")), left.why)
		}
	}
	return Lines(series, Axes{X: x, Y: "relative duality gap", LogX: true, LogY: true}, caption, alt)
}

var (
	errMoment = errors.New("a moment must be at least 0 and finite")
	errNoGap  = errors.New("no certificate with a finite positive gap after the start")
)
