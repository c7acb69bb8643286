package kernel

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// markerVariable is set in the kernel's environment to its private directory. Whatever
// a cell starts inherits it, so its processes are found even when their parents
// are gone and they have left the kernel's process group.
const markerVariable = "SVMKIT_KERNEL_ID"

// process is the kernel's operating system process with all that descends from it.
type process struct {
	cmd    *exec.Cmd
	marker string // value of markerVariable
	stderr tail
	guard  *exec.Cmd     // the watchdog, or nil; see startGuard
	dead   chan struct{} // closed when the kernel's own process is gone
	err    error         // of Wait; read it after dead is closed
}

// startProcess starts the command in a process group apart from ours, tied to our life: if we are killed
// without a chance to clean up, the kernel, its children and dir go too.
func startProcess(cmd *exec.Cmd, dir string) (*process, error) {
	p := &process{cmd: cmd, marker: dir, dead: make(chan struct{})}
	cmd.Env = append(cmd.Env, markerVariable+"="+dir)
	if cmd.Stderr == nil {
		cmd.Stderr = &p.stderr
	}
	// A child of the kernel may hold its stderr open; do not wait for it.
	cmd.WaitDelay = time.Second
	p.guard = startGuard(dir)
	ownGroup(cmd, p.guard)

	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the *thread* that started the
		// process ends, so the thread has to live as long as the kernel does.
		// It stays locked on purpose: it ends with this goroutine.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.dead)
		}
	}()
	if err := <-started; err != nil {
		p.endGuard()
		return nil, err
	}
	return p, nil
}

func (p *process) alive() bool {
	select {
	case <-p.dead:
		return false
	default:
		return true
	}
}

// wait reports whether the process was gone within d.
func (p *process) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.dead:
		return true
	case <-timer.C:
		return false
	}
}

// died describes the end of the process, and with it an error that is not nil; call it after dead is closed.
func (p *process) died(err error) error {
	state := "it closed its connections"
	if !p.alive() && p.cmd.ProcessState != nil {
		state = p.cmd.ProcessState.String()
	}
	if err != nil {
		state += "; " + err.Error()
	}
	return fmt.Errorf("kernel: %w (%s)%s", ErrKernelDied, state, indented(p.stderr.String()))
}

// killChildren ends what the kernel has started, without the kernel itself,
// where the system lets us find it.
func (p *process) killChildren() { killMarked(p.marker, p.cmd.Process.Pid) }

// killMarked kills the processes with the marker, except one.
func killMarked(marker string, except int) {
	// A process may fork between the listing and the signal: list again.
	for range 20 {
		pids := marked(marker, except)
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			if proc, err := os.FindProcess(pid); err == nil {
				proc.Kill()
				proc.Release()
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// end kills the kernel, its process group, the watchdog in it, and every
// marked process. It returns when the kernel and the watchdog are reaped.
func (p *process) end() {
	// The group exists as long as one member is not reaped: the kernel, or the
	// watchdog, which ends only here. So the signal cannot hit a stranger.
	if p.alive() || p.guard != nil {
		signalGroup(p.cmd, os.Kill)
	}
	p.cmd.Process.Kill()
	<-p.dead
	p.killChildren()
	p.endGuard()
}

func (p *process) endGuard() {
	if p.guard != nil {
		p.guard.Process.Kill()
		p.guard.Wait()
		p.guard = nil
	}
}

// tail keeps the last bytes written to it. It is safe for use by several goroutines.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 16 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if len(t.buf) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailSize:]...)
	}
	return len(b), nil
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

const tailLines = 15

// String returns the last lines, without terminal colours.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(ansi.ReplaceAll(bytes.ToValidUTF8(t.buf, nil), nil))), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
