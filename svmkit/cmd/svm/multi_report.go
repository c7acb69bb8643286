package main

import (
	"fmt"
	"io"
	"strings"
)

// multiReport is what train prints for a model of K classes.
type multiReport struct {
	Rows           int          `json:"n"`
	Columns        int          `json:"d"`
	NNZ            int          `json:"nnz"`
	Classes        []string     `json:"classes"`
	Strategy       string       `json:"strategy"`
	Default        bool         `json:"strategyIsDefault"`
	Bias           string       `json:"biasKind"`
	Tolerance      float64      `json:"tolerance"`
	Missed         int          `json:"machinesAboveTolerance"`
	WorstGap       number       `json:"worstRelativeGap"`
	Worst          string       `json:"worstMachine"`
	SupportVectors int          `json:"supportVectors"` // summed over the machines
	Machines       []machineFit `json:"machines"`
	ReadSeconds    float64      `json:"readSeconds"`
	TrainSeconds   float64      `json:"trainSeconds"`
}

func newMultiReport(fit *multiFit, t *task) *multiReport {
	worst, missed := fit.worst()
	r := &multiReport{Rows: t.Data.Len(), Columns: t.Data.Dim, NNZ: t.Data.NNZ(), Classes: fit.Names, Strategy: fit.strategy,
		Bias: t.Bias.String(), Missed: missed, WorstGap: worst.RelativeGap, Worst: worst.Name, Machines: fit.fits}
	for _, k := range fit.fits {
		r.SupportVectors += k.SupportVectors
	}
	return r
}

func (r *multiReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-17s "+format+"\n", append([]any{name}, args...)...)
	}
	line("rows n", "%d", r.Rows)
	line("columns d", "%d", r.Columns)
	line("nnz", "%d", r.NNZ)
	line("classes", "%d: %s", len(r.Classes), list(r.Classes, 30))
	chosen := ""
	if r.Default {
		chosen = " (the default; -multi ovo and cs are others)"
	}
	line("strategy", "%s%s", strategyTitles[r.Strategy], chosen)
	if r.Strategy == crammerSinger {
		line("machines", "1 problem for all classes")
	} else {
		line("machines", "%d", len(r.Machines))
	}
	line("solver", "%s, %s", r.Machines[0].Solver, r.Bias)
	line("status", "%d of %d reached the tolerance", len(r.Machines)-r.Missed, len(r.Machines))
	line("worst gap", "%.3g relative, %s (asked for %g)", float64(r.WorstGap), r.Worst, r.Tolerance)
	line("support vectors", "%d in all machines", r.SupportVectors)
	line("seconds", "%.3f training, %.3f reading", r.TrainSeconds, r.ReadSeconds)
	_, err := io.WriteString(w, b.String())
	return err
}
