package main

import (
	"io"
	"math"
)

// streamReport is what stream prints.
type streamReport struct {
	Rows       int64    `json:"n"`
	Columns    int      `json:"d"`
	Classes    []string `json:"classes,omitempty"` // −1, +1
	Learner    string   `json:"learner"`
	Mistakes   int64    `json:"mistakes"`
	Violations int64    `json:"violations"`
	Norm       number   `json:"norm"`
	B          number   `json:"b"`
	Resumed    int64    `json:"resumedAfter"` // rows that a checkpoint had seen
	Seconds    float64  `json:"seconds"`
}

func (r *streamRun) report() *streamReport {
	m := r.toModel()
	norm := 0.0
	for _, w := range m.Weights {
		norm = math.Hypot(norm, w)
	}
	return &streamReport{Rows: r.rows, Columns: m.Dim, Classes: m.Classes, Learner: r.streamLearner.String(), Mistakes: r.Mistakes,
		Violations: r.Violations, Norm: number(norm), B: number(m.Bias), Resumed: r.resumed.Rows}
}

func (r *streamReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	var t table
	t.line("rows n", "%d", r.Rows)
	if r.Resumed > 0 {
		t.line("of these before", "%d", r.Resumed)
	}
	t.line("columns d", "%d", r.Columns)
	if len(r.Classes) == 2 {
		t.line("classes", "−1 is %s, +1 is %s", r.Classes[0], r.Classes[1])
	}
	t.line("learner", "%s", r.Learner)
	t.line("mistakes", "%d, %.2f%% of the rows, each scored before it was learned from", r.Mistakes, 100*float64(r.Mistakes)/float64(r.Rows))
	t.line("violations", "%d", r.Violations)
	t.line("‖w‖", "%.9g", float64(r.Norm))
	t.line("bias b", "%.9g", r.B)
	t.line("seconds", "%.3f", r.Seconds)
	return t.write(w)
}
