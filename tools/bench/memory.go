package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// A meter measures one run in a child process: time, processor time of all threads, and the peak
// of its memory. Linux keeps the peak (VmHWM) for a process's whole life unless it is told to
// start anew, by writing 5 to clear_refs; elsewhere memory is not measured.
type meter struct {
	start  time.Time
	cpu    float64
	baseMB float64
}

// startMeter gives unused memory back first, so that the base is what the engine needs to hold the
// set, and the peak is not that of the run before.
func startMeter() *meter {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) // without it the peak reads too high
	m := &meter{baseMB: status("VmRSS:")}
	m.cpu, m.start = cpuSeconds(), time.Now()
	return m
}

// stop fills in what was measured.
func (m *meter) stop(r *reply) {
	r.Seconds, r.CPU = time.Since(m.start).Seconds(), cpuSeconds()-m.cpu
	r.BaseMB, r.PeakMB = m.baseMB, status("VmHWM:")
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// status returns a field of /proc/self/status in MB, 0 where there is none.
func status(field string) float64 {
	text, _ := os.ReadFile("/proc/self/status")
	kilobytes := 0.0
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte(field)); ok {
			_, _ = fmt.Sscan(string(value), &kilobytes)
		}
	}
	return kilobytes / 1024
}
