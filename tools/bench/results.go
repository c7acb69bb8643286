package main

import (
	"encoding/json"
	"io"
	"runtime"
	"time"

	"github.com/svmkit/course/tools/internal/machine"
)

// results is all that a run has measured; -json writes it.
type results struct {
	Date        string        `json:"date"`
	Command     string        `json:"command"`
	Machine     computer      `json:"machine"`
	Comparisons []comparison  `json:"comparisons"`
	FreeBias    []speed       `json:"free_bias"` // the peer is svmkit with a penalized bias
	Growths     []growth      `json:"growths"`
	Speeds      []speed       `json:"speeds"`
	Epochs      []epochResult `json:"epochs"`
	Curves      []curve       `json:"curves"`
	Failures    []string      `json:"failures"`
	Seconds     float64       `json:"seconds"` // of the whole run
}

func (r *results) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}

// computer describes the computer and how it was used.
type computer struct {
	machine.Facts
	Threads   int               `json:"threads"`         // that svmkit uses
	Bandwidth [2]float64        `json:"bandwidth_gb_s"`  // one thread, all cores
	Versions  map[string]string `json:"engine_versions"` // of the engines that took part
}

func describe(threads int) computer {
	c := computer{Facts: machine.Read(), Threads: threads, Versions: map[string]string{}}
	if c.Threads == 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	c.Bandwidth = [2]float64{bandwidth(1) / 1e9, bandwidth(c.Cores) / 1e9}
	return c
}

func today() string { return time.Now().Format("2006-01-02 15:04") }
