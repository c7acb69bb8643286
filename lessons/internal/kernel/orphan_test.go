package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// orphanArgument makes the test binary into a program that gets killed.
const orphanArgument = "start-a-kernel-and-wait"

// orphanMaker starts a kernel with a cell that has a child, says so, and waits
// for its end.
func orphanMaker() {
	spec, err := GoNB(context.Background(), Settings{Root: filepath.Join("..", "..", "..")})
	if err == nil {
		var k *Kernel
		if k, err = Start(context.Background(), spec); err == nil {
			fmt.Println(k.dir)
			_, err = k.Execute(context.Background(), `import ("os/exec"; "os/signal"; "os"; "fmt"; "syscall"; "time")
%%
signal.Ignore(os.Interrupt)
c := `+sleeper()+`
c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
fmt.Println(c.Start())
f, _ := os.Create(os.TempDir() + "/begun")
f.Close()
for { time.Sleep(time.Hour) }`)
		}
	}
	fmt.Println("not reached:", err)
}

// TestKilledParent kills a process that has a kernel, in a way that lets it do
// nothing about it.
func TestKilledParent(t *testing.T) {
	t.Run("alone", func(t *testing.T) { killParent(t, false) })
	t.Run("with its watchdog", func(t *testing.T) { killParent(t, true) })
}

func killParent(t *testing.T, watchdogToo bool) {
	gonb(t) // builds, and skips where there is no GoNB
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("needs /proc to see other processes")
	}
	t.Setenv("TMPDIR", t.TempDir()) // else another package's TempDir removes what its killed parent left
	cmd := exec.Command(os.Args[0], orphanArgument)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	dir := strings.TrimSpace(line)
	if !filepath.IsAbs(dir) {
		t.Fatalf("the other process said %q", line)
	}
	within := func(d time.Duration, what string, holds func() bool) {
		t.Helper()
		for deadline := time.Now().Add(d); !holds(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("not within %v: %s; processes %v", d, what, marked(dir, 0))
				return
			}
		}
	}
	within(limit, "the cell runs", func() bool {
		_, err := os.Stat(filepath.Join(dir, "tmp", "begun"))
		return err == nil
	})
	if n := len(marked(dir, 0)); n < 3 {
		t.Errorf("%d processes run, want the kernel, the cell, and its child", n)
	}
	if watchdogToo {
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range lines {
			line, _ := os.ReadFile(file)
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if strings.HasSuffix(string(line), "\x00kernel-guard\x00"+dir+"\x00") {
				if guard, err := os.FindProcess(pid); err == nil {
					guard.Kill()
				}
			}
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if watchdogToo { // Then the next private directory that is made ends it all.
		time.Sleep(2 * time.Second)
		if _, err := os.Stat(dir); err != nil || len(marked(dir, 0)) == 0 {
			t.Fatalf("nothing is left: this test proves nothing (%v)", err)
		}
		_, remove, err := TempDir()
		if err != nil {
			t.Fatal(err)
		}
		defer remove()
	}
	// The watchdog waits a second before it removes the directory, and a loaded machine is slow at both.
	within(20*time.Second, "no process is left", func() bool { return len(marked(dir, 0)) == 0 })
	within(20*time.Second, "no directory is left", func() bool {
		_, err := os.Stat(dir)
		return errors.Is(err, os.ErrNotExist)
	})
}
