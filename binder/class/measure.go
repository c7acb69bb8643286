package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// processes returns the processes whose environment has all entries.
func processes(entries ...string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended, or belongs to somebody else
		}
		env := bytes.Split(text, []byte{0})
		has := func(entry string) bool {
			return slices.ContainsFunc(env, func(e []byte) bool { return string(e) == entry })
		}
		if !slices.ContainsFunc(entries, func(e string) bool { return !has(e) }) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// use is what processes have taken.
type use struct {
	memory    map[string]int // by program: proportional set size in bytes, where a shared page counts by parts
	processor time.Duration  // their own and that of their children that have ended
}

func (u use) bytes() (sum int) {
	for _, bytes := range u.memory {
		sum += bytes
	}
	return sum
}

// measure adds up processes; one that ends meanwhile is left out.
// Source: proc(5), smaps_rollup and stat.
func measure(pids []int) use {
	u := use{memory: map[string]int{}}
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// The program's name is in parentheses and can hold any character.
		from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		fields := strings.Fields(string(stat[to+1:]))
		for _, field := range fields[11:15] { // utime, stime, cutime, cstime
			ticks, _ := strconv.Atoi(field)
			u.processor += time.Duration(ticks) * (time.Second / 100)
		}
		rollup, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		for line := range strings.Lines(string(rollup)) {
			if value, ok := strings.CutPrefix(line, "Pss:"); ok {
				kB, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
				u.memory[string(stat[from+1:to])] += kB << 10
			}
		}
	}
	return u
}

// quantile returns the least of the values that at least a part p of them does not exceed; 0 if there are none.
func quantile[T int | time.Duration](values []T, p float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}
