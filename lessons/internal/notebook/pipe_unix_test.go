//go:build unix

package notebook

import "syscall"

func makePipe(path string) bool { return syscall.Mkfifo(path, 0o600) == nil }
