package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// report is what train prints.
type report struct {
	Rows         int      `json:"n"`
	Columns      int      `json:"d"`
	NNZ          int      `json:"nnz"`
	Classes      []string `json:"classes,omitempty"` // −1, +1
	Bias         string   `json:"biasKind"`
	Solver       string   `json:"solver"`
	Status       string   `json:"status"`
	Reason       string   `json:"reason,omitempty"`
	Iterations   int      `json:"iterations"`
	Updates      int      `json:"updates"`
	Primal       number   `json:"primal"`
	Dual         number   `json:"dual"`
	RelativeGap  number   `json:"relativeGap"`
	Tolerance    float64  `json:"tolerance"`
	KKT          number   `json:"kkt"`
	B            number   `json:"b"`
	Free         int      `json:"freeSupportVectors"`
	Bound        int      `json:"boundSupportVectors"`
	ReadSeconds  float64  `json:"readSeconds"`
	TrainSeconds float64  `json:"trainSeconds"`
}

// number is a float64 that JSON gets as a text if it is infinite or NaN.
type number float64

func (v number) MarshalJSON() ([]byte, error) {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return json.Marshal(fmt.Sprint(f))
	}
	return json.Marshal(float64(v))
}

func newReport(r *svm.Result, set *svmkit.Dataset) *report {
	free := r.FreeSV()
	return &report{Rows: set.Len(), Columns: set.Dim, NNZ: set.NNZ(), Classes: r.Classes, Solver: r.Trace.String(),
		Status: r.Status.String(), Reason: r.Reason, Iterations: r.Iterations, Updates: r.Updates,
		Primal: number(r.Primal), Dual: number(r.Dual), RelativeGap: number(r.RelativeGap()), KKT: number(r.KKT),
		B: number(r.Model.Bias), Free: free, Bound: len(r.SV) - free}
}

func (r *report) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	var t table
	t.line("rows n", "%d", r.Rows)
	t.line("columns d", "%d", r.Columns)
	t.line("nnz", "%d", r.NNZ)
	if len(r.Classes) == 2 {
		t.line("classes", "−1 is %s, +1 is %s", r.Classes[0], r.Classes[1])
	}
	t.line("solver", "%s, %s", r.Solver, r.Bias)
	status := r.Status
	if r.Reason != "" {
		status += ": " + r.Reason
	}
	t.line("status", "%s", status)
	t.line("iterations", "%d", r.Iterations)
	t.line("updates", "%d", r.Updates)
	t.line("primal", "%.12g", float64(r.Primal))
	t.line("dual", "%.12g", float64(r.Dual))
	t.line("relative gap", "%.3g (asked for %g)", float64(r.RelativeGap), r.Tolerance)
	t.line("KKT violation", "%.3g", float64(r.KKT))
	t.line("bias b", "%.9g", float64(r.B))
	t.line("support vectors", "%d = %d free + %d bound at this tolerance", r.Free+r.Bound, r.Free, r.Bound)
	t.line("seconds", "%.3f training, %.3f reading", r.TrainSeconds, r.ReadSeconds)
	return t.write(w)
}

// table is a report for people: a name and what it has on each line, printable.
type table struct{ strings.Builder }

func (t *table) line(name, format string, args ...any) {
	fmt.Fprintf(t, "%-17s %s\n", name, printable.Text(fmt.Sprintf(format, args...), false))
}

func (t *table) write(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

func writeJSON(w io.Writer, report any) error {
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
