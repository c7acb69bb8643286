package kernel

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestStartErrors starts what is no kernel.
func TestStartErrors(t *testing.T) {
	if !supported {
		t.Skip("no kernel runs here")
	}
	gonb(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, test := range []struct {
		name    string
		spec    Spec
		message string
	}{
		{"nothing", Spec{}, "no command"},
		{"no such program", Spec{Command: []string{"/no/such/program"}}, "no such file"},
		{"no such directory", Spec{Command: []string{"/bin/sh"}, Dir: "/no/such/directory"}, "no such file"},
		{"ends at once", Spec{Command: []string{"/bin/sh", "-c", "echo words of the kernel >&2; exit 7"}}, "exit status 7)\n\twords of the kernel"},
		{"never answers", Spec{Command: []string{os.Args[0], sleepArgument}, StartLimit: 300 * time.Millisecond}, "not ready after 300ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			began := time.Now()
			k, err := Start(t.Context(), test.spec)
			var start *StartError
			if k != nil || !errors.As(err, &start) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("kernel %v, error %v; want a StartError with %q", k, err, test.message)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		if _, err := Start(ctx, Spec{Command: []string{os.Args[0], sleepArgument}}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
	t.Run("setup cell fails", func(t *testing.T) {
		spec := gonb(t)
		spec.Setup = []string{"func ("}
		var start *StartError
		if _, err := Start(t.Context(), spec); !errors.As(err, &start) || !strings.Contains(err.Error(), "func (") {
			t.Errorf("error %v, want a StartError that names the cell", err)
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// TestLongTempDir starts a kernel where a socket's path would be too long.
func TestLongTempDir(t *testing.T) {
	gonb(t)
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 25))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	if k := start(t); len(k.dir) > longestDir {
		t.Errorf("directory %s", k.dir)
	}
}

// TestConnectionFile checks that no other user can read the key.
func TestConnectionFile(t *testing.T) {
	k := start(t)
	for path, want := range map[string]os.FileMode{
		k.dir: 0o700, filepath.Join(k.dir, "kernel-"+k.id+".json"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, error %v, want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

func TestGoNBErrors(t *testing.T) {
	if !supported {
		t.Skip("GoNB does not run here")
	}
	root := filepath.Join("..", "..", "..")
	check := func(t *testing.T, s Settings, message string) {
		t.Helper()
		var start *StartError
		if _, err := GoNB(t.Context(), s); !errors.As(err, &start) || !strings.Contains(err.Error(), message) {
			t.Errorf("error %v, want a StartError with %q", err, message)
		}
	}
	t.Run("no module", func(t *testing.T) {
		check(t, Settings{Root: t.TempDir(), Cache: t.TempDir()}, "go.mod")
	})
	t.Run("module without GoNB", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, Settings{Root: dir, Cache: t.TempDir()}, "not a known dependency")
	})
	t.Run("comma", func(t *testing.T) {
		check(t, Settings{Root: filepath.Join(t.TempDir(), "a,b"), Cache: t.TempDir()}, "a,b")
	})
	t.Run("cache is a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, Settings{Root: root, Cache: file}, "making the directory")
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := GoNB(ctx, Settings{Root: root, Cache: t.TempDir()}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
	t.Run("build fails", func(t *testing.T) {
		t.Setenv("GOCACHE", "off")
		check(t, Settings{Root: root, Cache: t.TempDir()}, "GOCACHE=off")
	})
	t.Run("no go command", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		check(t, Settings{Root: root, Cache: t.TempDir()}, "https://go.dev/dl")
	})
}

// TestGoNBCache fills an empty cache from two goroutines at once, finds it full,
// and repairs it, all without the network.
func TestGoNBCache(t *testing.T) {
	gonb(t) // the compiled packages are in Go's cache after this
	t.Setenv("GOPROXY", "off")
	cache := t.TempDir()
	settings := Settings{Root: filepath.Join("..", "..", ".."), Cache: cache}
	build := func() string {
		spec, err := GoNB(t.Context(), settings)
		if err != nil {
			t.Error(err)
			return ""
		}
		return filepath.Dir(spec.Command[0])
	}
	var dirs [2]string
	var wg sync.WaitGroup
	for i := range dirs {
		wg.Go(func() { dirs[i] = build() })
	}
	wg.Wait()
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 2 || dirs[0] != dirs[1] || !gonbTools("").in(dirs[0]) {
		t.Fatalf("cache %v (%v), directories %q: want one directory with the programs, one with the go command for cells", entries, err, dirs)
	}
	stamp := func() time.Time {
		info, err := os.Stat(filepath.Join(dirs[0], "gonb"))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	first := stamp()
	t.Run("full", func(t *testing.T) {
		t.Setenv("GOCACHE", "off") // nothing can be built
		if build(); stamp() != first {
			t.Error("a full cache was built again")
		}
	})
	if err := os.Remove(filepath.Join(dirs[0], "goimports")); err != nil {
		t.Fatal(err)
	}
	if build(); !gonbTools("").in(dirs[0]) {
		t.Error("a broken cache was not repaired")
	}
	if out, err := exec.Command(filepath.Join(dirs[0], "gonb"), "-V").CombinedOutput(); err != nil {
		t.Errorf("the built program does not run: %v\n%s", err, out)
	}
}
