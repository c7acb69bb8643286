//go:build unix && !linux

package kernel

import "syscall"

// dieWithParent does nothing: only Linux has such a signal, elsewhere the watchdog has to do.
func dieWithParent(*syscall.SysProcAttr) {}
