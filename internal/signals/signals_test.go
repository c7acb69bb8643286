//go:build unix

package signals_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/signals"
)

const asChild = "SIGNALS_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asChild) != "" {
		child()
	}
	leaktest.Main(m)
}

// child is a command that needs two seconds to end after a signal; with "forever" it does not end.
func child() {
	ctx, stop := signals.Context()
	defer stop()
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("heard")
	time.Sleep(2 * time.Second)
	if os.Getenv(asChild) == "forever" {
		time.Sleep(time.Hour)
	}
	status, _ := signals.Status(ctx)
	os.Exit(status)
}

func TestContext(t *testing.T) {
	for _, c := range []struct {
		name, child string
		send        []syscall.Signal
		wait        time.Duration // before the second one, after the first was heard
		status      int           // −1 is an end by the signal
	}{
		{"SIGINT", "2s", []syscall.Signal{syscall.SIGINT}, 0, 130},
		{"SIGTERM", "2s", []syscall.Signal{syscall.SIGTERM}, 0, 143},
		{"SIGHUP", "2s", []syscall.Signal{syscall.SIGHUP}, 0, 129},
		{"one signal that comes twice", "2s", []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, 100 * time.Millisecond, 143},
		{"two at once", "2s", []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}, 100 * time.Millisecond, 143},
		{"again, as nothing happens", "forever", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, 2500 * time.Millisecond, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for {
				state, late := signalled(t, c.child, c.send, c.wait)
				if late && c.status > 0 {
					continue // a busy machine: the second signal did not come at once
				}
				wait := state.Sys().(syscall.WaitStatus)
				if state.ExitCode() != c.status || c.status < 0 && wait.Signal() != c.send[0] {
					t.Errorf("%v, want status %d", state, c.status)
				}
				return
			}
		})
	}
}

// signalled starts a child, sends it signals, and returns how it ended. A second signal waits after
// the first was heard; late says that it came more than half a second after that.
func signalled(t *testing.T, child string, send []syscall.Signal, wait time.Duration) (state *os.ProcessState, late bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"="+child)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer limit.Stop()
	lines := bufio.NewReader(out)
	lines.ReadString('\n') // ready
	sent := time.Now()
	for k, s := range send {
		if k > 0 {
			lines.ReadString('\n') // heard
			time.Sleep(wait)
			late = time.Since(sent) > wait+500*time.Millisecond
		}
		cmd.Process.Signal(s)
		sent = time.Now()
	}
	cmd.Wait()
	return cmd.ProcessState, late
}

func TestStatusWithoutSignal(t *testing.T) {
	ctx, stop := signals.Context()
	stop()
	if status, ended := signals.Status(ctx); ctx.Err() == nil || ended || status != 0 {
		t.Errorf("%v, %d, %v", ctx.Err(), status, ended)
	}
}
