//go:build jupyter

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// A second client agrees with ours: jupyter nbconvert executes each committed notebook on the
// kernel that `lessons jupyter` registers and stores the same outputs, cell for cell.
// Pictures are compared by their words; their bytes are compared by the figures' own tests.
func TestSecondClient(t *testing.T) {
	spec, err := kernel.GoNB(t.Context(), kernel.Settings{Root: ".."})
	if err != nil {
		t.Fatal(err)
	}
	share := t.TempDir()
	if err := writeKernelSpec(filepath.Join(share, "kernels", "gonb"), moduleRoot, spec); err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons(t, "..") {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel() // a notebook keeps one core busy
			ours, err := l.Executed()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "jupyter", "nbconvert", "--execute", "--to", "notebook",
				"--ExecutePreprocessor.timeout=120", "--output-dir", share, l.Notebook)
			cmd.Env = append(os.Environ(), "JUPYTER_PATH="+share)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			f, err := os.Open(filepath.Join(share, filepath.Base(l.Notebook)))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			theirs, err := notebook.ReadJSON(f)
			if err != nil {
				t.Fatal(err)
			}
			for i := range ours.Cells {
				if got, want := words(theirs.Cells[i]), words(ours.Cells[i]); got != want {
					t.Errorf("cell %d: nbconvert has\n%s\nour client has\n%s", i+1, got, want)
				}
			}
		})
	}
}

// words is what a cell put out, with a picture's alternative text in the picture's place.
func words(c notebook.Cell) string {
	var b strings.Builder
	for _, o := range c.Outputs {
		switch o.Type {
		case notebook.Stream:
			fmt.Fprintf(&b, "%s: %s", o.Name, o.Text)
		default:
			fmt.Fprintf(&b, "%s: %v %v\n", o.Type, o.Data["text/plain"], o.Metadata["svmkit"])
		}
	}
	return b.String()
}
