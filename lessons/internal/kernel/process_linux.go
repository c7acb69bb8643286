package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// dieWithParent asks Linux to stop the kernel when the thread that starts it is gone. SIGTERM, not SIGKILL:
// GoNB then interrupts the running cell and removes its directory.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }

// marked lists the processes, except pid, whose environment holds the marker.
func marked(marker string, except int) []int {
	want := []byte(markerVariable + "=" + marker)
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || pid == except {
			continue
		}
		// Processes of other users cannot be read, and a zombie's file is empty.
		env, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, entry := range bytes.Split(env, []byte{0}) {
			if bytes.Equal(entry, want) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
