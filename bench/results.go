package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// results is all that a run has measured; -json writes it.
type results struct {
	Date        string        `json:"date"`
	Command     string        `json:"command"`
	Machine     machine       `json:"machine"`
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

// machine is what a reader must know of the computer to judge a table.
type machine struct {
	CPU       string            `json:"cpu"`
	Cores     int               `json:"cores"`
	MemoryGB  float64           `json:"memory_gb"`
	OS        string            `json:"os"`
	Go        string            `json:"go"`
	Commit    string            `json:"commit"`
	Threads   int               `json:"threads"`         // that svmkit uses
	Bandwidth [2]float64        `json:"bandwidth_gb_s"`  // one thread, all cores
	Load      string            `json:"load_at_start"`   // of the machine, by Linux
	Versions  map[string]string `json:"engine_versions"` // of the engines that took part
}

var cpuModel = regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`)

func facts(threads int) machine {
	m := machine{CPU: runtime.GOARCH, Cores: runtime.NumCPU(), OS: runtime.GOOS, Go: runtime.Version(), Threads: threads, Versions: map[string]string{}}
	if m.Threads == 0 {
		m.Threads = runtime.GOMAXPROCS(0)
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if found := cpuModel.FindSubmatch(text); found != nil {
			m.CPU = string(found[1])
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		m.MemoryGB = kilobytes(text, "MemTotal:") / (1 << 20)
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Join(strings.Fields(string(text))[:3], " ")
	}
	if text, err := exec.Command("uname", "-sr").Output(); err == nil {
		m.OS = strings.TrimSpace(string(text))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				m.Commit = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	if m.Commit == "" { // go run does not stamp
		if text, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); err == nil {
			m.Commit = strings.TrimSpace(string(text))
		}
	}
	m.Bandwidth = [2]float64{bandwidth(1) / 1e9, bandwidth(m.Cores) / 1e9}
	return m
}

func today() string { return time.Now().Format("2006-01-02 15:04") }
