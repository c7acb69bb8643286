package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/svmkit/course/plots"
)

// writeFigures draws, for each task on each set, gap against time: a point for each setting of each
// engine's solver that was swept, less those that another setting of it beats in both.
func (b *bench) writeFigures(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unsafe := regexp.MustCompile(`[^\pL\pN]+`)
	for _, c := range b.results.Curves {
		figure, err := c.figure()
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.Set, c.Name, err)
		}
		if figure == nil {
			continue
		}
		if err := figure.Save(filepath.Join(dir, unsafe.ReplaceAllString(c.Set+" "+c.Name, "-")+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// figure returns nil if no engine reached anything.
func (c curve) figure() (*plots.Figure, error) {
	var series []plots.Series
	alt := fmt.Sprintf("Line chart on logarithmic axes of the relative duality gap over seconds of training, %s on %s.", c.Name, c.Set)
	for _, name := range engineNames {
		points := c.frontier(name)
		if len(points) == 0 {
			continue
		}
		s := plots.Series{Name: name}
		for _, p := range points {
			s.X, s.Y = append(s.X, p.Seconds), append(s.Y, p.Gap)
		}
		series = append(series, s)
		first, last := points[0], points[len(points)-1]
		alt += fmt.Sprintf(" %s: from %.1e after %s to %.1e after %s.", name, first.Gap, inUnits(first.Seconds), last.Gap, inUnits(last.Seconds))
	}
	if len(series) == 0 {
		return nil, nil
	}
	caption := fmt.Sprintf("%s, %s: the gap that each engine's best settings reach, and the time they take; single runs of the sweep.", c.Set, c.Name)
	return plots.Lines(series, plots.Axes{X: "seconds of training", Y: "relative duality gap", LogX: true, LogY: true}, caption, alt)
}

// frontier returns an engine's trials in the order of their time, without those that take longer than
// another one and have no smaller gap.
func (c curve) frontier(engine string) (best []trial) {
	var all []trial
	for _, t := range c.Trials {
		if t.Engine == engine && t.Gap > 0 && t.Gap < noGap && t.Seconds > 0 {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b trial) int { return cmp.Compare(a.Seconds, b.Seconds) })
	for _, t := range all {
		if len(best) == 0 || t.Gap < best[len(best)-1].Gap {
			best = append(best, t)
		}
	}
	return best
}
