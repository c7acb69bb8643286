package plots

import (
	"fmt"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// BoundaryStrip draws the decision regions of two to six models of one 2-D set in small panels, two in a row, each
// under its model's name: how the border changes with a parameter. The caption counts the points on the wrong side and,
// of an *svm.Model or *svm.Result, the support vectors. The rows wrongLabel, known to have a wrong label, are ringed. The
// rest is as in [DecisionRegions], with smaller marks; the panels have one range.
func BoundaryStrip(set *svmkit.Dataset, models []NamedModel, wrongLabel ...int) (*Figure, error) {
	if len(models) < 2 || len(models) > 6 {
		return nil, &svmkit.ParamError{Name: "models", Value: plural(len(models), "model"), Need: "must be 2 to 6: more panels are too small"}
	}
	strip := &Figure{Width: phoneWidth, Height: vg.Length((len(models)+1)/2)*2.05*vg.Inch + 0.6*vg.Inch}
	var said []string
	for k, m := range models {
		if m.Model == nil {
			return nil, &svmkit.ParamError{Name: "models", Value: k, Need: "must each have a model"}
		}
		f, err := DecisionRegions(set, m.Model, RegionMarks{Support: append([]int{}, wrongLabel...), Name: "wrong label", Size: 0.6})
		if err != nil {
			return nil, err
		}
		if k == 0 {
			strip.Legend, strip.EqualUnits = f.Legend, f.EqualUnits
		} else if len(f.Legend) > len(strip.Legend) { // the first may have no line f = 0
			strip.Legend = f.Legend
		}
		p := bare(f.Plot)
		p.Title.Text = m.Name
		if k%2 == 0 {
			strip.Panels = append(strip.Panels, make([]*plot.Plot, 2))
		}
		strip.Panels[k/2][k%2] = p
		wrong := 0
		for i, x := range set.X {
			if !(set.Y[i]*m.Model.Score(x) > 0) {
				wrong++
			}
		}
		name := plain(m.Name)
		strip.Alt += fmt.Sprintf(" %s: %s", name, f.Alt)
		count := fmt.Sprintf("%d (%s", wrong, name)
		switch r := m.Model.(type) {
		case *svm.Model:
			count += ", " + plural(len(r.SV), "support vector")
		case *svm.Result:
			count += ", " + plural(len(r.SV), "support vector")
		}
		said = append(said, count+")")
	}
	strip.Caption = fmt.Sprintf("Of %s, on the wrong side of the border or on it: %s.", plural(set.Len(), "point"), strings.Join(said, "; "))
	if len(wrongLabel) > 0 {
		strip.Caption += fmt.Sprintf(" Ringed: %s with a wrong label.", plural(len(wrongLabel), "point"))
	}
	strip.Alt = fmt.Sprintf("%d panels with the same points and the regions of one model each.%s", len(models), strip.Alt)
	return strip, nil
}
