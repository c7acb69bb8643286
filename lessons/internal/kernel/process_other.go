//go:build !unix

package kernel

import (
	"os"
	"os/exec"
)

const supported = false

func ownGroup(_, _ *exec.Cmd)                {}
func startGuard(string) *exec.Cmd            { return nil }
func terminate(cmd *exec.Cmd) error          { return cmd.Process.Kill() }
func signalGroup(*exec.Cmd, os.Signal) error { return ErrUnsupported }
