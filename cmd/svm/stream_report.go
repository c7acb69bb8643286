package main

import (
	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
)

// streamReport is what stream prints.
type streamReport struct {
	Rows       int64      `json:"n"`
	Columns    int        `json:"d"`
	Classes    []string   `json:"classes,omitempty"` // −1, +1
	Learner    string     `json:"learner"`
	Mistakes   int64      `json:"mistakes"`
	Violations int64      `json:"violations"`
	Norm       cli.Number `json:"norm"`
	B          cli.Number `json:"b"`
	Resumed    int64      `json:"resumedAfter"` // rows that a checkpoint had seen
	Seconds    float64    `json:"seconds"`
}

func (r *streamRun) report() *streamReport {
	m := r.toModel()
	return &streamReport{Rows: r.rows, Columns: m.Dim, Classes: m.Classes, Learner: r.name, Mistakes: r.learner.Mistakes,
		Violations: r.learner.Violations, Norm: cli.Number(svmkit.Row{Value: m.Weights}.Norm()), B: cli.Number(m.Bias), Resumed: r.resumed}
}

func (r *streamReport) table(t *cli.Table) {
	t.Line("rows n", "%d", r.Rows)
	if r.Resumed > 0 {
		t.Line("of these before", "%d", r.Resumed)
	}
	t.Line("columns d", "%d", r.Columns)
	if len(r.Classes) == 2 {
		t.Line("classes", "−1 is %s, +1 is %s", r.Classes[0], r.Classes[1])
	}
	t.Line("learner", "%s", r.Learner)
	t.Line("mistakes", "%d, %.2f%% of the rows, each scored before it was learned from", r.Mistakes, 100*float64(r.Mistakes)/float64(r.Rows))
	t.Line("violations", "%d", r.Violations)
	t.Line("‖w‖", "%.9g", float64(r.Norm))
	t.Line("bias b", "%.9g", r.B)
	t.Line("seconds", "%.3f", r.Seconds)
}
