package main

import (
	"fmt"
	"io"
	"math"
	"strings"
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
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-17s "+format+"\n", append([]any{name}, args...)...)
	}
	line("rows n", "%d", r.Rows)
	if r.Resumed > 0 {
		line("of these before", "%d", r.Resumed)
	}
	line("columns d", "%d", r.Columns)
	if len(r.Classes) == 2 {
		line("classes", "−1 is %s, +1 is %s", r.Classes[0], r.Classes[1])
	}
	line("learner", "%s", r.Learner)
	line("mistakes", "%d, %.2f%% of the rows, each scored before it was learned from", r.Mistakes, 100*float64(r.Mistakes)/float64(r.Rows))
	line("violations", "%d", r.Violations)
	line("‖w‖", "%.9g", float64(r.Norm))
	line("bias b", "%.9g", r.B)
	line("seconds", "%.3f", r.Seconds)
	_, err := io.WriteString(w, b.String())
	return err
}
