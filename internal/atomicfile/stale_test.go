//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/svmkit/course/internal/atomicfile"
)

// writerVariable names the file that this test binary, started again, begins to write and never ends.
const writerVariable = "ATOMICFILE_TEST_WRITES"

// TestTheOtherProcess is no test but what the process that writer starts does.
func TestTheOtherProcess(t *testing.T) {
	name := os.Getenv(writerVariable)
	if name == "" {
		t.Skip("only where another test starts it")
	}
	if name == "a folder" {
		dir, _, err := atomicfile.TempDir("atomicfile-test-")
		os.WriteFile(filepath.Join(dir, "page"), []byte("half"), 0o600)
		fmt.Println("writing", err)
		io.Copy(io.Discard, os.Stdin)
	}
	err := atomicfile.Write(name, func(w io.Writer) error {
		fmt.Println("writing")
		io.Copy(io.Discard, os.Stdin) // until our parent ends
		return nil
	})
	fmt.Println("not reached:", err)
}

// writer starts a process that is in the middle of writing name.
func writer(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestTheOtherProcess$")
	cmd.Env = append(os.Environ(), writerVariable+"="+name)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "writing") {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	return cmd
}

// A killed writer's file goes with the next Write; a living writer's, and the files of
// others, stay.
func TestTheNextWriteRemovesWhatAKilledOneLeft(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a")
	living := writer(t, name)
	for range 3 {
		dead := writer(t, name)
		dead.Process.Kill()
		dead.Wait()
	}
	other := ".ab.new-STRANGER"
	if err := os.WriteFile(filepath.Join(folder, other), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(namesIn(t, folder), ".a.new-"); n < 2 { // the dead one of the last round, at least, and the living one
		t.Fatalf("%s: nothing was left behind, so this test proves nothing", namesIn(t, folder))
	}
	if err := atomicfile.Write(name, text("new")); err != nil {
		t.Fatal(err)
	}
	got := namesIn(t, folder)
	if strings.Count(got, ".a.new-") != 1 || !strings.Contains(got, other) || !strings.HasSuffix(got, " a") {
		t.Errorf("the folder holds %s, want the living writer's file, the stranger's and a", got)
	}
	living.Process.Kill()
	living.Wait()
	if err := atomicfile.Write(name, text("newer")); err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, folder); got != other+" a" {
		t.Errorf("the folder holds %s", got)
	}
}

// Many write one file at once, each of them a house-keeper: every Write succeeds, and the file
// is always one of theirs.
func TestWritersAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	const writers, times = 8, 20
	var all sync.WaitGroup
	for k := range writers {
		all.Go(func() {
			mine := strings.Repeat(string(rune('a'+k)), 5000)
			for range times {
				if err := atomicfile.Write(name, text(mine)); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(name); err != nil || len(got) != len(mine) || strings.Trim(string(got), string(got[:1])) != "" {
					t.Errorf("a mixture of %d bytes, %v", len(got), err)
				}
			}
		})
	}
	all.Wait()
	if got := namesIn(t, filepath.Dir(name)); got != "a" {
		t.Errorf("the folder holds %s", got)
	}
}

// The folder of a killed process goes when the next is made; that of a living one stays.
func TestTempDirRemovesWhatAKilledProcessLeft(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	living := writer(t, "a folder")
	for range 2 {
		dead := writer(t, "a folder")
		dead.Process.Kill()
		dead.Wait()
	}
	dir, remove, err := atomicfile.TempDir("atomicfile-test-")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(temp); len(entries) != 2 {
		t.Errorf("there are %v, want the folder of the living process and the new one", entries)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	living.Process.Kill()
	living.Wait()
	var ended []string
	_, remove, err = atomicfile.TempDirIn(temp, "atomicfile-test-", func(dir string) { ended = append(ended, dir) })
	if err != nil {
		t.Fatal(err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(temp); len(entries) != 0 {
		t.Errorf("there are %v, want none", entries)
	}
	if len(ended) != 1 || filepath.Dir(ended[0]) != temp {
		t.Errorf("ended was called with %v, want the dead process's folder", ended)
	}
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	if _, _, err := atomicfile.TempDir("atomicfile-test-"); err == nil {
		t.Error("a folder in a place that is not there")
	}
}
