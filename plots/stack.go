package plots

import (
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
)

// Stack puts two or more figures of one plot each below each other, as one figure as wide as the
// first, with panels of one height. Legends, captions and alternative texts follow in their order.
// All must agree on EqualUnits.
func Stack(figures ...*Figure) (*Figure, error) {
	if len(figures) < 2 {
		return nil, check.Param("figures", prose.Plural(len(figures), "figure"),
			"must be two or more")
	}
	all := &Figure{}
	for i, f := range figures {
		if f == nil || f.Plot == nil {
			return nil, check.Param("figures", i, "must have one plot each, not panels")
		}
		if f.EqualUnits != figures[0].EqualUnits {
			return nil, check.Param("EqualUnits", f.EqualUnits, "must be the same in all figures")
		}
		if err := f.validate(); err != nil {
			return nil, err
		}
		width, height := f.Size()
		if i == 0 {
			all.Width, all.EqualUnits = width, f.EqualUnits
			all.Caption, all.Alt = f.Caption, f.Alt
		} else {
			all.Caption, all.Alt = all.Caption+" "+f.Caption, all.Alt+" Below it: "+f.Alt
		}
		all.Height += height
		all.Panels = append(all.Panels, []*plot.Plot{f.Plot})
		all.Legend = append(all.Legend, f.Legend...)
	}
	if err := all.validate(); err != nil { // too high
		return nil, err
	}
	return all, nil
}
