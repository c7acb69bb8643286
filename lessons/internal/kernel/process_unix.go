//go:build unix

package kernel

import (
	"os"
	"os/exec"
	"syscall"
)

const supported = true

// ownGroup puts the command into the process group of its watchdog, or without one into a group of its own:
// a Ctrl-C in the terminal then reaches us alone, and one signal reaches the kernel with its children.
func ownGroup(cmd, guard *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if guard != nil {
		cmd.SysProcAttr.Pgid = guard.Process.Pid
	}
	dieWithParent(cmd.SysProcAttr)
}

// signalGroup signals the kernel, the programs of cells and the compilers that
// it runs. The kernel survives an interrupt; Jupyter interrupts in this way too.
func signalGroup(cmd *exec.Cmd, sig os.Signal) error {
	group := cmd.SysProcAttr.Pgid
	if group == 0 {
		group = cmd.Process.Pid
	}
	return syscall.Kill(-group, sig.(syscall.Signal))
}

// guardScript waits until its standard input ends, which is when the process that holds the other end, we,
// is gone, be it by kill -9. Then it asks the group to stop, which lets GoNB clean up, and ends what has
// not listened, and, on Linux, what has left the group. The directory goes last: as long as it is there,
// the next one to make such a directory looks for survivors.
const guardScript = `trap '' HUP INT TERM
read -r _
kill -TERM 0
sleep 1
for again in 1 2 3; do
	for file in $(grep -lszxF -- "` + markerVariable + `=$1" /proc/[0-9]*/environ); do
		pid=${file#/proc/}
		kill -KILL "${pid%/environ}"
	done
done
rm -rf -- "$1"
kill -KILL 0`

// startGuard starts the watchdog, in a process group of its own. It is there before what it
// guards: we may be killed at any time. It returns nil where there is no shell: then only
// the parent-death signal of Linux is left.
func startGuard(dir string) *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "kernel-guard", dir)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/bin:/bin"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if _, err := cmd.StdinPipe(); err != nil {
		return nil
	}
	if err := cmd.Start(); err != nil {
		return nil
	}
	return cmd
}

// terminate asks the whole group to end.
func terminate(cmd *exec.Cmd) error { return signalGroup(cmd, syscall.SIGTERM) }
