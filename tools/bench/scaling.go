package main

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// A growth is the growth of time with the number of rows: time ∝ n^Slope, so doubling n costs a
// factor of 2^Slope.
type growth struct {
	Set    string    `json:"set"`
	Name   string    `json:"name"`
	Target float64   `json:"target"`
	Engine string    `json:"engine"`
	N      []float64 `json:"n"`
	Median []float64 `json:"median"`
	Slope  float64   `json:"slope"`
	StdErr float64   `json:"slope_standard_error"`
}

// scalingTarget is the gap to which times are compared over n.
const scalingTarget = 1e-3

// scaling measures a task on an eighth, a quarter, a half and all rows of a set.
func (b *bench) scaling(ctx context.Context, name string, set *svmkit.Dataset, t task) error {
	grows := map[string]*growth{}
	var order []string
	add := func(engine string, n int, seconds float64) {
		g := grows[engine]
		if g == nil {
			g = &growth{Set: name, Name: t.String(), Target: scalingTarget, Engine: engine}
			grows[engine] = g
			order = append(order, engine)
		}
		g.N, g.Median = append(g.N, float64(n)), append(g.Median, seconds)
	}
	for _, share := range []int{8, 4, 2, 1} {
		some := part(set, set.Len()/share)
		done, err := b.compare(ctx, fmt.Sprintf("%s, %d rows", name, some.Len()), some, t, []float64{scalingTarget})
		if err != nil {
			return err
		}
		for _, c := range done {
			if c.Target != scalingTarget {
				continue
			}
			add("svmkit", some.Len(), b.clock(c.Ours).median())
			for _, o := range c.Peers {
				if o.Reached && o.Engine != "scikit-learn" {
					add(o.Engine, some.Len(), b.clock(o).median())
				}
			}
		}
	}
	for _, engine := range order {
		g := grows[engine]
		if len(g.N) < 3 {
			continue
		}
		g.Slope, g.StdErr = logSlope(g.N, g.Median)
		b.results.Growths = append(b.results.Growths, *g)
	}
	return nil
}
