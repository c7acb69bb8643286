package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// AngleToReference draws the angle between w and w* after every mistake, under the ceiling
// arccos(√k·γ/R) that the proof puts over it: each mistake lowers the ceiling, though not
// always the angle. The trace must come from w = 0, with a Reference. A mistake that takes
// w back to 0 has no angle and is an error.
func AngleToReference(trace []perceptron.Mistake, n Novikoff) (*Figure, error) {
	if err := n.validate(); err != nil {
		return nil, err
	}
	angles, err := angles(trace, n.NormReference)
	if err != nil {
		return nil, err
	}
	last := float64(len(trace))
	end := min(last, n.Bound())
	ceiling := path{sample(n.Ceiling, min(1, end), end, false), line(blue, 1.8, nil)}
	rows := thin(len(trace), maxMistakes)
	run := marked{path: path{nil, line(orange, 1.2, nil)}, mark: mark{triangle, orange, orange, 2.8}}
	for _, i := range rows {
		run.at = append(run.at, point{X: float64(i + 1), Y: angles[i]})
	}
	p := newPlot("mistakes $k$", "angle to $w^\\star$ in degrees")
	show(p, box{0, 1.06 * max(last, 1), 0, 96}.cover(run.at...))
	p.Add(ceiling, run.path, marks{run.at, run.mark})
	f := &Figure{Plot: p, Width: phoneWidth, Legend: []Entry{{`ceiling $\arccos(\sqrt{k}\,\gamma / R)$`, ceiling}, {"measured angle", run}}}

	k, above := len(trace), 0
	for i, a := range angles {
		if c := n.Ceiling(float64(i + 1)); !(a <= c+angleRoundoff) {
			above++
		}
	}
	if above > 0 {
		f.Caption = fmt.Sprintf("At %s the angle is above the ceiling: a hypothesis of the theorem does not hold.", plural(above, "mistake"))
	} else {
		f.Caption = fmt.Sprintf("Every mistake lowers the ceiling on the angle between w and w*; after %s it is %s°, and w stands at %s°.",
			plural(k, "mistake"), num(round1(n.Ceiling(last))), num(round1(angles[k-1])))
	}
	f.Caption += thinned(len(rows), k, "mistakes")
	f.Alt = fmt.Sprintf("Line chart of the angle between w and w*, in degrees, over %s. Triangles, the measured angle, go from %s to %s degrees; a smooth curve above, the ceiling, falls from %s",
		plural(k, "mistake"), num(round1(angles[0])), num(round1(angles[k-1])), num(round1(n.Ceiling(min(1, end)))))
	f.Alt += fmt.Sprintf(" to %s degrees at k = %s. %s above the ceiling.", num(round1(n.Ceiling(end))), num(end), upperFirst(isAre(above)))
	return f, nil
}

// angleRoundoff, in degrees, allows for arccos near 1, where an error of 1e−15 in the cosine is
// one of 3e−6 degrees.
const angleRoundoff = 1e-5

// angles returns the angle in degrees between w and w* after each mistake.
func angles(trace []perceptron.Mistake, normReference float64) ([]float64, error) {
	if err := checkTrace(trace); err != nil {
		return nil, err
	}
	all := make([]float64, len(trace))
	for i, m := range trace {
		if !(m.NormW > 0) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: m.NormW, Err: svmkit.ErrNoNormal}
		}
		cos := m.Align / m.NormW / normReference
		all[i] = degrees(math.Acos(min(1, max(-1, cos)))) // rounding may pass ±1
	}
	return all, nil
}

func round1(v float64) float64 { return math.Round(10*v) / 10 }
