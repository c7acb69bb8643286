//go:build unix

package cli

import "syscall"

func mkfifo(name string) error { return syscall.Mkfifo(name, 0o600) }
