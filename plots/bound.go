package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// BoundRun is one run of a perceptron on a set of its own.
type BoundRun struct {
	Mistakes int     // ≥ 1, as every run from w = 0 makes
	Bound    float64 // R²/γ² of the set, > 0
	Group    string  // runs of one group share a marker; "" if there is but one
}

// maxGroups is how many markers MistakesAgainstBound has.
const maxGroups = 4

// MistakesAgainstBound draws many runs, mistakes against the bound R²/γ² on logarithmic
// axes. The theorem says that no run lies in the shaded part, above the diagonal; the ringed
// run comes nearest to it. Runs above the diagonal, if there are any, are crossed out and
// counted in the caption. Beyond 2,000 runs an even sample is drawn.
func MistakesAgainstBound(runs []BoundRun) (*Figure, error) {
	groups, nearest, err := checkRuns(runs)
	if err != nil {
		return nil, err
	}
	view := emptyBox()
	var above []int
	for i, r := range runs {
		view = view.cover(point{X: r.Bound, Y: float64(r.Mistakes)})
		if float64(r.Mistakes) > r.Bound*(1+roundoff) {
			above = append(above, i)
		}
	}
	top := max(view.xmax, view.ymax)
	view = box{min(view.xmin, view.ymin) * 0.75, top * 1.4, min(view.xmin, view.ymin) * 0.75, top * 1.4}
	rows := thin(len(runs), maxRuns, append(slices.Clone(above[:min(len(above), maxRuns)]), nearest)...)

	p := newPlot(`bound $R^2/\gamma^2$`, "mistakes")
	logarithmic(&p.X)
	logarithmic(&p.Y)
	show(p, view)
	forbidden := area{func(b box) []point {
		return []point{{X: b.xmin, Y: b.xmin}, {X: b.xmax, Y: b.xmax}, {X: b.xmin, Y: b.ymax}}
	}, paleRed, line(nil, 0, nil)}
	diagonal := path{[]point{{X: view.xmin, Y: view.xmin}, {X: view.xmax, Y: view.xmax}}, line(ink, 1.8, nil)}
	p.Add(forbidden, diagonal)
	f := &Figure{Plot: p, Width: phoneWidth, Height: phoneWidth}
	for g, name := range groups {
		cloud := marks{mark: styles[g].mark}
		cloud.mark.radius *= 0.8
		for _, i := range rows {
			if runs[i].Group == name {
				cloud.at = append(cloud.at, runs[i].point())
			}
		}
		p.Add(cloud)
		if name == "" {
			name = "a run"
		}
		f.Legend = append(f.Legend, Entry{literal(name), cloud})
	}
	crossed := marks{mark: mark{saltire, vermillion, vermillion, 4}}
	for _, i := range above {
		crossed.at = append(crossed.at, runs[i].point())
	}
	ratio := float64(runs[nearest].Mistakes) / runs[nearest].Bound
	at := runs[nearest].point()
	name, verdict := "nearest: "+num(round3(ratio))+" of the bound", "impossible"
	if len(above) > 0 {
		name, verdict = num(round3(ratio))+" times the bound", "beyond the bound"
	}
	ringed := ring{at, 6.5, line(ink, 1.4, nil)}
	p.Add(crossed, ringed)
	f.Legend = append(f.Legend, Entry{name, ringed}, Entry{"mistakes = bound", diagonal}, Entry{verdict, forbidden})
	if len(above) > 0 {
		f.Legend = append(f.Legend, Entry{"such a run", crossed})
	}
	f.Caption, f.Alt = boundWords(runs, groups, nearest, len(above))
	f.Caption += thinned(len(rows), len(runs), "runs")
	return f, nil
}

func (r BoundRun) point() point { return point{X: r.Bound, Y: float64(r.Mistakes)} }

// checkRuns returns the groups in order of appearance and the run nearest to its bound.
func checkRuns(runs []BoundRun) (groups []string, nearest int, err error) {
	if len(runs) == 0 {
		return nil, 0, &svmkit.ParamError{Name: "runs", Value: "none", Need: "must hold at least one run"}
	}
	best := 0.0
	for i, r := range runs {
		if r.Mistakes < 1 {
			return nil, 0, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: float64(r.Mistakes), Err: errNoMistakes}
		}
		if !(r.Bound > 0 && r.Bound <= maxDrawn) {
			return nil, 0, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: r.Bound, Err: errBound}
		}
		if !slices.Contains(groups, r.Group) {
			groups = append(groups, r.Group)
		}
		if q := float64(r.Mistakes) / r.Bound; q > best {
			best, nearest = q, i
		}
	}
	if len(groups) > maxGroups {
		return nil, 0, &svmkit.ParamError{Name: "Group", Value: fmt.Sprintf("%d groups", len(groups)), Need: fmt.Sprintf("at most %d can be told apart", maxGroups)}
	}
	return groups, nearest, nil
}

func boundWords(runs []BoundRun, groups []string, nearest, above int) (caption, alt string) {
	ratio := float64(runs[nearest].Mistakes) / runs[nearest].Bound
	ratios := make([]float64, len(runs))
	b := emptyBox()
	for i, r := range runs {
		ratios[i] = float64(r.Mistakes) / r.Bound
		b = b.cover(r.point())
	}
	slices.Sort(ratios)
	if above > 0 {
		caption = fmt.Sprintf("Of %s, %s more mistakes than R²/γ²: there a hypothesis of the theorem does not hold.", plural(len(runs), "run"), haveHas(above))
	} else {
		caption = fmt.Sprintf("None of %s makes more mistakes than R²/γ²: the largest ratio of the two is %s, the median %s.",
			plural(len(runs), "run"), num(round3(ratio)), num(round3(ratios[len(ratios)/2])))
	}
	alt = fmt.Sprintf("Scatter plot on logarithmic axes of %s: the bound R²/γ² from %s to %s (horizontal), mistakes from %s to %s (vertical), with the diagonal where they are equal. "+
		"%s above the diagonal. The ringed run is nearest to it: %s at a bound of %s, a ratio of %s.",
		plural(len(runs), "run"), num(b.xmin), num(b.xmax), num(b.ymin), num(b.ymax),
		upperFirst(isAre(above)), plural(runs[nearest].Mistakes, "mistake"), num(runs[nearest].Bound), num(round3(ratio)))
	if len(groups) > 1 {
		alt += fmt.Sprintf(" Markers tell %d groups apart: %s.", len(groups), list(groups))
	}
	return caption, alt
}

func haveHas(n int) string {
	if n == 1 {
		return "1 has"
	}
	return count(n) + " have"
}

func round3(v float64) float64 {
	if v >= 0.0995 {
		return math.Round(1000*v) / 1000
	}
	return v
}

var (
	errNoMistakes = errors.New("a run from w = 0 makes at least one mistake")
	errBound      = errors.New("a bound must be positive and finite")
)
