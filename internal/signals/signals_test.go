//go:build unix

package signals_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
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

// child is a command that needs two seconds to end; with "forever" it does not.
func child() {
	ctx, stop := signals.Context()
	defer stop()
	fmt.Println("ready")
	<-ctx.Done()
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
		wait        time.Duration // between two of them
		status      int           // −1 is an end by the signal
	}{
		{"SIGINT", "2s", []syscall.Signal{syscall.SIGINT}, 0, 130},
		{"SIGTERM", "2s", []syscall.Signal{syscall.SIGTERM}, 0, 143},
		{"SIGHUP", "2s", []syscall.Signal{syscall.SIGHUP}, 0, 129},
		{"one signal that comes twice", "2s", []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, 100 * time.Millisecond, 143},
		{"two at once", "2s", []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}, 100 * time.Millisecond, 143},
		{"again, as nothing happens", "forever", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, 1500 * time.Millisecond, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(c.send, syscall.SIGHUP) && signal.Ignored(syscall.SIGHUP) {
				t.Skip("SIGHUP is ignored here, as under nohup, and so by the child")
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asChild+"="+c.child)
			out, err := cmd.StdoutPipe()
			if err != nil || cmd.Start() != nil {
				t.Fatal(err)
			}
			limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
			defer limit.Stop()
			bufio.NewReader(out).ReadString('\n')
			for k, s := range c.send {
				if k > 0 {
					time.Sleep(c.wait)
				}
				cmd.Process.Signal(s)
			}
			cmd.Wait()
			state := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if cmd.ProcessState.ExitCode() != c.status || c.status < 0 && state.Signal() != c.send[0] {
				t.Errorf("%v, want status %d", cmd.ProcessState, c.status)
			}
		})
	}
}

func TestStatusWithoutSignal(t *testing.T) {
	ctx, stop := signals.Context()
	stop()
	if status, ended := signals.Status(ctx); ctx.Err() == nil || ended || status != 0 {
		t.Errorf("%v, %d, %v", ctx.Err(), status, ended)
	}
}
