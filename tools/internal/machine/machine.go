// Package machine describes the computer on which figures are measured.
package machine

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Facts describe this computer and build. What the system does not tell is empty or 0.
type Facts struct {
	CPU      string  `json:"cpu"`
	Cores    int     `json:"cores"`
	MemoryGB float64 `json:"memory_gb"`
	OS       string  `json:"os"`
	Go       string  `json:"go"`
	Commit   string  `json:"commit"` // of the source tree
	Load     string  `json:"load_at_start"`
}

var (
	cpuModel    = regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`)
	memoryTotal = regexp.MustCompile(`(?m)^MemTotal:\s*(\d+) kB$`)
)

// Read asks the system.
func Read() Facts {
	f := Facts{CPU: runtime.GOARCH, Cores: runtime.NumCPU(), OS: runtime.GOOS, Go: runtime.Version()}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if found := cpuModel.FindSubmatch(text); found != nil {
			f.CPU = string(found[1])
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if found := memoryTotal.FindSubmatch(text); found != nil {
			kilobytes, _ := strconv.ParseFloat(string(found[1]), 64)
			f.MemoryGB = kilobytes / (1 << 20)
		}
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		f.Load = strings.Join(strings.Fields(string(text))[:3], " ")
	}
	if text, err := exec.Command("uname", "-sr").Output(); err == nil {
		f.OS = strings.TrimSpace(string(text))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				f.Commit = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	if f.Commit == "" { // go run does not stamp
		if text, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); err == nil {
			f.Commit = strings.TrimSpace(string(text))
		}
	}
	return f
}

// String returns the facts in one line.
func (f Facts) String() string {
	return fmt.Sprintf("%s, %d cores, %.0f GB, %s; load at the start %s", f.CPU, f.Cores, f.MemoryGB, f.OS, f.Load)
}
