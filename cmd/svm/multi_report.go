package main

import (
	"io"
)

// multiReport is what train prints for a classifier of K classes.
type multiReport struct {
	Rows           int        `json:"n"`
	Columns        int        `json:"d"`
	NNZ            int        `json:"nnz"`
	Classes        []string   `json:"classes"`
	Strategy       string     `json:"strategy"`
	Default        bool       `json:"strategyIsDefault"`
	Bias           string     `json:"biasKind"`
	Tolerance      float64    `json:"tolerance"`
	Missed         int        `json:"modelsAboveTolerance"`
	WorstGap       number     `json:"worstRelativeGap"`
	Worst          string     `json:"worstModel"`
	SupportVectors int        `json:"supportVectors"` // summed over the models
	Models         []modelFit `json:"models"`
	ReadSeconds    float64    `json:"readSeconds"`
	TrainSeconds   float64    `json:"trainSeconds"`
}

func newMultiReport(fit *multiFit, t *task) *multiReport {
	worst, missed := fit.worst()
	r := &multiReport{Rows: t.Data.Len(), Columns: t.Data.Dim, NNZ: t.Data.NNZ(), Classes: fit.Names, Strategy: fit.strategy,
		Bias: t.Bias.String(), Missed: missed, WorstGap: worst.RelativeGap, Worst: worst.Name, Models: fit.fits}
	for _, k := range fit.fits {
		r.SupportVectors += k.SupportVectors
	}
	return r
}

func (r *multiReport) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	var t table
	t.line("rows n", "%d", r.Rows)
	t.line("columns d", "%d", r.Columns)
	t.line("nnz", "%d", r.NNZ)
	t.line("classes", "%d: %s", len(r.Classes), list(r.Classes, 30))
	chosen := ""
	if r.Default {
		chosen = " (the default; -multi ovo and cs are others)"
	}
	t.line("strategy", "%s%s", strategyTitles[r.Strategy], chosen)
	if r.Strategy == crammerSinger {
		t.line("models", "1 problem for all classes")
	} else {
		t.line("models", "%d", len(r.Models))
	}
	t.line("solver", "%s, %s", r.Models[0].Solver, r.Bias)
	t.line("status", "%d of %d reached the tolerance", len(r.Models)-r.Missed, len(r.Models))
	t.line("worst gap", "%.3g relative, %s (asked for %g)", float64(r.WorstGap), r.Worst, r.Tolerance)
	t.line("support vectors", "%d in all models", r.SupportVectors)
	t.line("seconds", "%.3f training, %.3f reading", r.TrainSeconds, r.ReadSeconds)
	return t.write(w)
}
