package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/proctest"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/samples"
)

// The test binary is the command itself when this variable is set.
const asCommand = "SVM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	proctest.Measure()
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	leaktest.Main(m)
}

// svmRun runs the command in this process.
func svmRun(t *testing.T, stdin string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

// must is svmRun for what has to go well.
func must(t *testing.T, stdin string, args ...string) (out, errs string) {
	t.Helper()
	status, out, errs := svmRun(t, stdin, args...)
	if status != exitOK {
		t.Fatalf("svm %s: status %d\n%s%s", strings.Join(args, " "), status, out, errs)
	}
	return out, errs
}

// file writes a file and returns its name.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// two is a set of two overlapping classes as a LIBSVM file.
func two(t *testing.T, n int) string {
	t.Helper()
	set, err := samples.Overlapping{N: n, Dim: 3, Separation: 2}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dataset.WriteLIBSVM(&b, set); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readReport reads what train -json prints.
func readReport(t *testing.T, text string) *report {
	t.Helper()
	r := &report{modelFit: &modelFit{}, modelFits: &modelFits{}} // Unmarshal makes no pointers to unexported types
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func TestExitStatusAndMessages(t *testing.T) {
	data := file(t, "two", two(t, 40))
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-o", model, data)
	missing := filepath.Join(t.TempDir(), "missing")
	named := "1,2,ham\n2,1,spam\n0,1,ham\n"
	for _, c := range []struct {
		stdin  string
		args   []string
		status int
		says   string
	}{
		{"", nil, exitUsage, "which command"},
		{"", []string{"trian"}, exitUsage, `no command "trian"`},
		{"", []string{"train"}, exitUsage, "svm: missing argument: FILE (svm train -h shows the flags)\n"},
		{"", []string{"train", data, data}, exitUsage, "an argument too many: "},
		{"", []string{"train", "-turbo", data}, exitUsage, "-turbo"},
		{"", []string{"train", "-C", "x", data}, exitUsage, "-C"},
		{"", []string{"train", "-C", "0", data}, exitUsage, "-C 0: must be positive"},
		{"", []string{"train", "-C", "nan", data}, exitUsage, "-C NaN"},
		{"", []string{"train", "-tol", "inf", data}, exitUsage, "-tol"},
		{"", []string{"train", "-loss", "zero-one", data}, exitUsage, "-loss zero-one"},
		{"", []string{"train", "-bias", "B", data}, exitUsage, "-bias B"},
		{"", []string{"train", "-kernel", "K", data}, exitUsage, "-kernel K"},
		{"", []string{"train", "-kernel", "rbf", "-gamma", "0", data}, exitUsage, "-gamma 0"},
		{"", []string{"train", "-degree", "0", data}, exitUsage, "-degree 0"},
		{"", []string{"train", "-max-iterations", "0", data}, exitUsage, "-max-iterations 0"},
		{"", []string{"train", "-cache", "0", data}, exitUsage, "-cache 0"},
		{"", []string{"train", "-solver", "S", data}, exitUsage, "-solver S: must be auto, "},
		{"", []string{"train", "-loss", "eps-insensitive", "-positive", "1", data}, exitUsage, "-positive"},
		{"", []string{"train", "-loss", "logistic", "-kernel", "rbf", data}, exitUsage, "-loss logistic: "},
		{"", []string{"train", "-solver", "newton", data}, exitUsage, "-solver newton does not go with -loss hinge: use -solver auto, proximal, dcd, smo or decomposition"},
		{"", []string{"train", "-gamma", "-1", missing}, exitUsage, "-gamma -1: "}, // before it is read, so it need not be there
		{"", []string{"train", "-kernel", "rbf", "-gamma", "inf", missing}, exitUsage, "-gamma +Inf: "},
		{"", []string{"train", "-loss", "eps-insensitive", "-epsilon", "-1", missing}, exitUsage, "-epsilon -1: "},
		{"", []string{"train", "-kernel", "rbf", "-solver", "dcd", missing}, exitUsage, "-solver dcd does not go with -kernel rbf: use -solver auto, smo or decomposition"},
		{"", []string{"train", "-kernel", "sigmoid", "-solver", "decomposition", missing}, exitUsage, "-solver decomposition does not go with -kernel sigmoid: use -solver auto or smo"},
		{"", []string{"train", "-loss", "logistic", "-solver", "smo", missing}, exitUsage, "-solver smo does not go with -loss logistic: use -solver auto or newton"},
		{"", []string{"train", "-solver", "pegasos", missing}, exitUsage, "-solver pegasos does not go with -bias free: use -bias penalized or none"},
		{"", []string{"train", "-solver", "proximal", "-C", "inf", missing}, exitUsage, "-solver proximal does not go with -C +Inf: use a finite -C"},
		{"", []string{"train", "-tol", "inf", missing}, exitUsage, "-tol +Inf: must be positive and finite"},
		{"", []string{"train", "-cache", "2000000000", missing}, exitUsage, "-cache 2000000000: must be 1 to "},
		{"", []string{"cv", "-folds", "-3", missing}, exitUsage, "-folds -3: "},
		{"", []string{"scale", "-kind", "minmax", "-low", "-inf", missing}, exitUsage, "both finite"},
		{"", []string{"train", missing}, exitError, missing},
		{"", []string{"train", "-"}, exitError, "no rows"},
		{"1 1:1\n-1 1:x\n", []string{"train", "-"}, exitError, `standard input, line 2, column "1": not a number: "x"`},
		{"1 1:1\n1 1:2\n", []string{"train", "-"}, exitError, `only one class, "1"; training needs two or more; for targets of a regression use -loss eps-insensitive`},
		{"1 qid:3 1:1\n-1 1:1\n", []string{"train", "-"}, exitError, "line 1, byte 3: qid marks ranking data: \"qid:3\"; use -qid to pass it over"},
		{"1 1:1\n2 1:2\n2.5 1:1\n", []string{"train", "-"}, exitError, "standard input: 3 different numbers (1, 2, 2.5) as labels"},
		{"1 1:1\n2 1:2\n3 1:1\n", []string{"train", "-positive", "4", "-"}, exitError, `no such class: "4"`},
		{"ham,1,2\nspam,2,1\n", []string{"train", "-label", "7", "-"}, exitError, "no such column"},
		{named, []string{"train", "-libsvm", missing, "-"}, exitError, "must be integers"},
		{"", []string{"train", "-o", t.TempDir(), data}, exitError, "this is a folder; name a file"},
		{"", []string{"train", "-o", filepath.Join(missing, "m"), data}, exitError, missing},
		{"", []string{"train", "-kernel", "rbf", "-liblinear", missing, data}, exitError, "-liblinear: LIBLINEAR has linear models only, and no -kernel rbf"},
		{"", []string{"train", "-kernel", "laplacian", "-libsvm", missing, data}, exitError, "-libsvm: LIBSVM has no -kernel laplacian"},
		{"", []string{"train", "-tol", "1e-14", "-max-iterations", "1", data}, exitTolerance, "the tolerance was not met: relative gap"},
		{"1 1:1\n-1 1:1\n", []string{"train", "-C", "inf", "-"}, exitError, "take a finite -C"},
		{"150,4,setosa,virginica\n5.1,3.5,1.4,0\n", []string{"train", "-"}, exitError, "header: \"setosa\"; use -header yes or -header no"},
		{"", []string{"predict", model}, exitUsage, "missing argument: FILE; wanted are MODEL FILE"},
		{"", []string{"predict", data, data}, exitError, "not a model file"},
		{"", []string{"predict", missing, data}, exitError, missing},
		{"", []string{"predict", "-probability", model, data}, exitError, "no probabilities"},
		{"", []string{"predict", "-unlabelled", "-label", "1", model, data}, exitUsage, "-unlabelled"},
		{"1,2,1\n", []string{"predict", model, "-"}, exitError, "2 columns, but the training rows had 3"},
		{"", []string{"cv", "-folds", "1", data}, exitUsage, "-folds 1"},
		{"", []string{"cv", "-folds", "41", data}, exitUsage, "-folds 41"},
		{"", []string{"cv", "-threads", "0", data}, exitUsage, "-threads 0"},
		{"", []string{"cv", "-tol", "1e-14", "-max-iterations", "1", data}, exitTolerance, "in some fold"},
		{"", []string{"scale", "-kind", "k", data}, exitUsage, "-kind k"},
		{"", []string{"scale", "-format", "arff", data}, exitUsage, "-format arff"},
		{"", []string{"scale", "-kind", "minmax", data}, exitError, "use -dense"},
		{"", []string{"scale", "-kind", "minmax", "-low", "2", data}, exitUsage, "low must be below high"},
		{"", []string{"scale", "-save", "a", "-load", "b", data}, exitUsage, "-save and -load: leave out one"},
		{"", []string{"scale", "-load", data, data}, exitError, "no measures"},
	} {
		status, out, errs := svmRun(t, c.stdin, c.args...)
		if status != c.status || !strings.Contains(errs, c.says) || !strings.HasPrefix(errs, "svm: ") || strings.Count(errs, "\n") != 1 {
			t.Errorf("svm %s: status %d, want %d, message %q, want one line with %q", strings.Join(c.args, " "), status, c.status, errs, c.says)
		}
		if strings.Contains(errs, "svmkit: ") {
			t.Errorf("svm %s names a package of Go: %q", strings.Join(c.args, " "), errs)
		}
		if status == exitUsage && out != "" {
			t.Errorf("svm %s wrote %q", strings.Join(c.args, " "), out)
		}
	}
	if exists(missing) {
		t.Error("a file was left behind")
	}
}

// sameNumbers reports whether two texts have the same words, numbers up to rounding.
func sameNumbers(a, b string) bool {
	const rounding = 1e-10 // of a few hundred additions, times the condition of a small problem
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(x, y string) bool {
		u, err1 := strconv.ParseFloat(x, 64)
		v, err2 := strconv.ParseFloat(y, 64)
		if err1 != nil || err2 != nil {
			return x == y
		}
		return math.Abs(u-v) <= rounding*max(1, math.Abs(v))
	})
}

// The same rows from a file, gzip or not, LIBSVM or CSV, and from the standard input give
// the same model: to the last bit but for CSV, whose rows are full and so added up in another order.
func TestInputs(t *testing.T) {
	text := two(t, 60)
	set, err := dataset.Read(t.Context(), strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	var csv, packed bytes.Buffer
	if err := dataset.WriteCSV(&csv, set); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&packed)
	io.WriteString(z, text)
	z.Close()
	want, _ := must(t, "", "train", "-o", "-", file(t, "a", text))
	if !strings.HasPrefix(want, "svmkit model 1\n") {
		t.Fatalf("-o - printed %q", want)
	}
	for name, c := range map[string]struct {
		stdin string
		args  []string
		full  bool
	}{
		"gzip":        {"", []string{file(t, "b", packed.String())}, false},
		"stdin":       {text, []string{"-"}, false},
		"gzip stdin":  {packed.String(), []string{"-"}, false},
		"flags after": {text, []string{"-", "-C", "1"}, false},
		"CSV":         {csv.String(), []string{"-"}, true},
		"CSV label":   {csv.String(), []string{"-label", "4", "-"}, true},
	} {
		if got, _ := must(t, c.stdin, append([]string{"train", "-o", "-"}, c.args...)...); got != want && !(c.full && sameNumbers(got, want)) {
			t.Errorf("%s: the model is\n%s, want\n%s", name, got, want)
		}
	}
}

// broken is an output whose reader is gone.
type broken struct{}

var errBroken = errors.New("broken pipe")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestClosedStdout(t *testing.T) {
	data, model := file(t, "two", two(t, 40)), filepath.Join(t.TempDir(), "model")
	for _, args := range [][]string{{"train", "-o", model, data}, {"train", "-json", data}, {"train", "-o", "-", data}, {"train", "-h"},
		{"predict", model, data}, {"stream", data}, {"stream", "-o", "-", data}, {"cv", data}, {"scale", data}, {"-h"}} {
		var e bytes.Buffer
		if status := run(t.Context(), args, nil, broken{}, &e); status != exitError || !strings.Contains(e.String(), "broken pipe") {
			t.Errorf("svm %s: status %d, %q", strings.Join(args, " "), status, e.String())
		}
	}
	if !exists(model) {
		t.Error("the model was not saved before the report failed")
	}
}

// What must be saved in the end is tried before the fit.
func TestUnwritableOutputIsFoundBeforeTheFit(t *testing.T) {
	data := file(t, "two", two(t, 40))
	var e bytes.Buffer
	fits := 0
	a := &app{ctx: t.Context(), out: io.Discard, err: &e, progress: &cli.Progress{Hook: func(string) { fits++ }}}
	if status := a.exit(a.command([]string{"train", "-o", filepath.Join(data, "model"), data})); status != exitError || fits > 0 {
		t.Errorf("status %d after %d reports of a fit, %q", status, fits, e.String())
	}
	if a.command([]string{"train", data}); fits == 0 {
		t.Error("a fit makes no reports: this test proves nothing")
	}
}

func TestInterruptSavesTheBest(t *testing.T) {
	data, model := file(t, "two", two(t, 300)), filepath.Join(t.TempDir(), "model")
	for _, how := range [][]string{{"-solver", "pegasos", "-bias", "none"}, {"-kernel", "rbf"}} { // neither reaches the tolerance
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var o, e bytes.Buffer
		a := &app{ctx: ctx, out: &o, err: &e, progress: &cli.Progress{Hook: func(string) { cancel() }}}
		status := a.exit(a.command(append([]string{"train", "-C", "1000", "-tol", "1e-13", "-o", model, data}, how...)))
		if status != exitInterrupted || e.String() != "svm: interrupted: the best model so far is saved as "+model+"\n" {
			t.Errorf("%s: status %d, %q", how, status, e.String())
		}
		if !strings.Contains(o.String(), "cancelled") {
			t.Errorf("%s: the report says nothing of it:\n%s", how, o.String())
		}
		must(t, "", "predict", model, data)
		os.Remove(model)
	}
}

func TestInterruptBeforeTheFit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data, model := file(t, "two", two(t, 40)), filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-o", model, data)
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"train", "-o", out, data}, {"predict", "-o", out, model, data}, {"cv", data}, {"scale", "-o", out, data}} {
		var o, e bytes.Buffer
		if status := run(ctx, args, nil, &o, &e); status != exitInterrupted || exists(out) || o.Len() > 0 {
			t.Errorf("svm %s: status %d, %q, %q", strings.Join(args, " "), status, o.String(), e.String())
		}
	}
}

// The standard input has no more rows for now, and no end either.
func TestInterruptWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	defer w.Close()
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"train", "-"}, r, io.Discard, io.Discard) }()
	io.WriteString(w, "1 1:1\n")      // returns when it is read
	time.Sleep(50 * time.Millisecond) // now the reader waits for more
	cancel()
	select {
	case status := <-done:
		if status != exitInterrupted {
			t.Errorf("status %d", status)
		}
	case <-time.After(time.Minute):
		t.Error("still waiting for rows a minute after the interrupt")
	}
}

// The process itself: it waits for more rows, gets Ctrl-C, and ends at once.
func TestSignal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(self, "train", "-")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var e bytes.Buffer
	cmd.Stderr = &e
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	// More than a pipe holds: when it is written, the process is reading and so listens to signals.
	for range 8 {
		if _, err := io.WriteString(stdin, strings.Repeat("1 1:1\n-1 1:2\n", 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skip(err)
	}
	limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer limit.Stop()
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitInterrupted || !strings.Contains(e.String(), "interrupted") {
		t.Errorf("status %d, %q", status, e.String())
	}
}
