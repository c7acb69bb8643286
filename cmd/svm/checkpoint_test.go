package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit/svm"
)

// A fit that is stopped at its first certificates goes on from its β until it reaches the
// tolerance; a fit with another C starts there, too.
func TestTrainGoesOnFromItsCheckpoint(t *testing.T) {
	text := two(t, 400)
	for _, how := range [][]string{{"-solver", "dcd"}, {"-kernel", "rbf", "-gamma", "2", "-C", "100", "-solver", "smo"}, {"-loss", "logistic"}} {
		state := filepath.Join(t.TempDir(), "state")
		fit := func(flags ...string) (status int, r *report) {
			status, out, errs := svmRun(t, text, append(append(append([]string{"train", "-json", "-checkpoint", state, "-every", "0"}, how...), flags...), "-")...)
			if !strings.HasPrefix(out, "{") {
				t.Fatalf("%q, %q", out, errs)
			}
			return status, readReport(t, out)
		}
		_, first := fit("-tol", "1e-9", "-max-iterations", "1")
		status, second := fit("-tol", "1e-7")
		if status != exitOK || second.RelativeGap > 1e-7 {
			t.Errorf("%s: %+v after %+v", how, second, first)
		}
		if status, third := fit("-tol", "1e-7"); status != exitOK || third.Iterations != 0 || third.Solver == "" {
			t.Errorf("%s: from the optimum %d iterations by %q, status %d", how, third.Iterations, third.Solver, status)
		}
		if status, _ := fit("-tol", "1e-3", "-C", "3"); status != exitOK {
			t.Errorf("%s: another C: status %d", how, status)
		}
	}
}

func TestCheckpointMessages(t *testing.T) {
	text := two(t, 40)
	state := filepath.Join(t.TempDir(), "state")
	must(t, text, "train", "-checkpoint", state, "-")
	good, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	three := "1,2,a\n2,1,b\n0,1,c\n3,0,a\n"
	for _, c := range []struct {
		stdin  string
		args   []string
		status int
		says   string
	}{
		{two(t, 50), []string{"-checkpoint", state, "-"}, exitError, "is of 40 rows, but there are 50"},
		{text, []string{"-checkpoint", file(t, "half", string(good[:len(good)/2])), "-"}, exitError, "no checkpoint of svm train"},
		{text, []string{"-checkpoint", file(t, "json", `{"svmkit":"stream checkpoint 1"}`), "-"}, exitError, "no checkpoint of svm train"},
		{text, []string{"-checkpoint", "-", "-"}, exitUsage, "must be a file"},
		{text, []string{"-checkpoint", state, "-every", "-1s", "-"}, exitUsage, "-every -1s"},
		{text, []string{"-checkpoint", state, "-solver", "pegasos", "-bias", "none", "-"}, exitUsage, "svm stream"},
		{three, []string{"-checkpoint", state, "-"}, exitUsage, "3 classes take several"},
		{text, []string{"-checkpoint", filepath.Join(state, "x"), "-"}, exitError, "not a directory"},
	} {
		status, out, errs := svmRun(t, c.stdin, append([]string{"train"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.says) || !strings.HasPrefix(errs, "svm: ") || strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("svm train %s: status %d, want %d, %q and %q, want one line with %q", strings.Join(c.args, " "), status, c.status, out, errs, c.says)
		}
	}
}

// The last column of a file of a few bytes is number 2³¹ − 1: no command asks for 16 GiB.
func TestHugeColumnIsRefused(t *testing.T) {
	const huge = "1 2147483647:1\n-1 1:1\n"
	for _, args := range [][]string{{"train"}, {"train", "-bias", "none"}, {"cv", "-folds", "2"}, {"scale"}} {
		if status, _, errs := svmRun(t, huge, append(args, "-")...); status != exitError || !strings.Contains(errs, "svm: standard input, row 1 names column 2147483647 (value 1)") {
			t.Errorf("%s: status %d, %q", args, status, errs)
		}
	}
	if status, _, errs := svmRun(t, huge, "stream", "-"); status != exitError || !strings.Contains(errs, "line 1: column 2147483647: correct the index, or use -columns 2147483647") {
		t.Errorf("stream: status %d, %q", status, errs)
	}
	must(t, huge, "train", "-kernel", "rbf", "-") // a kernel has no number a column
	linear := file(t, "linear", byHand)
	rbf := file(t, "rbf", "svmkit model 1\ntask classification\ndim 2147483647\nkernel rbf gamma 1\nbias 0\nvectors 2\n1 - - 2147483647:1\n-1 - - 1:1\nend\n")
	for _, model := range []string{linear, rbf} { // a score needs no memory for columns
		must(t, huge, "predict", "-more-columns", model, "-")
	}
}

// While no checkpoint can be written, one warning is enough; when it fails again after one could, that is news.
func TestCheckpointWarnings(t *testing.T) {
	for name, start := range map[string]func(a *app, state string) (save func()){
		"train": func(a *app, state string) func() {
			k := &keeper{checkpointFlags: checkpointFlags{checkpoint: state}, app: a}
			return func() { k.take(&svm.Proof{Beta: []float64{1}}) }
		},
		"stream": func(a *app, state string) func() {
			r := &streamRun{streamFlags: &streamFlags{kind: "perceptron", bias: "none", checkpointFlags: checkpointFlags{checkpoint: state}}}
			r.makeLearner()
			return func() { r.keep(a) }
		},
	} {
		var errs bytes.Buffer
		folder := filepath.Join(t.TempDir(), "folder")
		save := start(&app{err: &errs, progress: &cli.Progress{}}, filepath.Join(folder, "state"))
		for round := 1; round <= 2; round++ {
			save()
			save()
			if n := strings.Count(errs.String(), "no checkpoint could be written"); n != round {
				t.Errorf("%s: %d warnings after the folder was away %d times\n%s", name, n, round, errs.String())
			}
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if save(); !exists(filepath.Join(folder, "state")) {
				t.Errorf("%s: no checkpoint", name)
			}
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A new checkpoint takes the name of the old one, not its place on the disk: whoever has the old one open
// reads all of it, so a reader never meets a half.
func TestCheckpointsAreReplacedWhole(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced there")
	}
	for _, c := range []struct{ first, second []string }{
		{[]string{"train", "-tol", "0.1"}, []string{"train", "-tol", "1e-9"}},
		{[]string{"stream"}, []string{"stream"}},
	} {
		text, state := two(t, 400), filepath.Join(t.TempDir(), "state")
		must(t, text, append(c.first, "-checkpoint", state, "-")...)
		old, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := os.Open(state)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		if c.first[0] == "stream" {
			text += "1 1:1\n"
		}
		must(t, text, append(c.second, "-checkpoint", state, "-")...)
		if now, err := os.ReadFile(state); err != nil || string(now) == string(old) {
			t.Fatalf("%s: the checkpoint is the same, %v: this test proves nothing", c.first, err)
		}
		if got, err := io.ReadAll(reader); err != nil || string(got) != string(old) {
			t.Errorf("%s: who reads the old checkpoint gets %d of %d bytes, or others, %v", c.first, len(got), len(old), err)
		}
	}
}
