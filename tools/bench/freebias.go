package main

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// freeBiasTargets are the gaps of the rows "bias".
var freeBiasTargets = []float64{1e-3, 1e-6}

// freeBias compares svmkit with itself: the time of a free bias, in rounds that train both models, one
// after the other. LIBLINEAR has no free bias, so no peer has this row.
func (b *bench) freeBias(ctx context.Context, name string, set *svmkit.Dataset) error {
	self := way{engine: "svmkit", solver: b.solver, letter: "tol"}
	for _, t := range b.tasks("linear", set) {
		free := t
		free.Free = true
		judges := [2]*judge{newJudge(set, t), newJudge(set, free)}
		for _, target := range freeBiasTargets {
			row := speed{Set: name, Work: fmt.Sprintf("linear %s to %.0e, free bias against penalized", t.Loss, target), Peer: "penalized"}
			var runs [2]sample
			for round := range b.runs {
				b.progress.Say("%s, %s to %.0e: bias, round %d", name, t.Loss, target, round+1)
				for k, j := range judges {
					r, _, err := b.run(ctx, j, self, target)
					if err != nil {
						return err
					}
					if r.Gap > target {
						row.Note = fmt.Sprintf("gap %.1e only", r.Gap)
					}
					runs[k] = append(runs[k], b.trained(r))
				}
			}
			row.Other, row.Ours = runs[0], runs[1]
			b.results.FreeBias = append(b.results.FreeBias, row)
		}
	}
	return nil
}

// freeBiasTable writes the factor by which a free bias takes longer.
func (b *bench) freeBiasTable(line func(string, ...any)) {
	if len(b.results.FreeBias) == 0 {
		return
	}
	line("\n| set | work | penalized bias | free bias | factor | goal | |")
	line("|---|---|---|---|---|---|---|")
	for _, s := range b.results.FreeBias {
		line("| %s | %s | %s | %s | %s | ≤ 1.4 | %s |", s.Set, s.Work, seconds(s.Other), seconds(s.Ours), ratioCell(ratios(s.Ours, s.Other)), s.Note)
	}
}
