//go:build unix

package svm_test

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of all processors: a measure that other programs on the
// machine disturb little.
func cpuTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
