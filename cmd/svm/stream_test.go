package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
)

var learners = [][]string{
	{"-learner", "pegasos", "-lambda", "0.01"},
	{"-learner", "pegasos", "-lambda", "0.01", "-bias", "none", "-last"},
	{"-learner", "perceptron"},
	{"-learner", "perceptron", "-bias", "none", "-last"},
}

// The command's model is the library's, bit for bit.
func TestStreamIsTheLibrarys(t *testing.T) {
	text := two(t, 200)
	pegasos := svm.PegasosStream{Lambda: 0.01, Bias: svmkit.PenalizedBias}
	if err := pegasos.Learn(t.Context(), dataset.Rows(t.Context(), strings.NewReader(text), nil).All(), nil); err != nil {
		t.Fatal(err)
	}
	var averaged perceptron.Averaged
	if err := averaged.Learn(t.Context(), dataset.Rows(t.Context(), strings.NewReader(text), nil).All(), nil); err != nil {
		t.Fatal(err)
	}
	last := svm.PegasosStream{Lambda: 0.01, Last: true}
	if err := last.Learn(t.Context(), dataset.Rows(t.Context(), strings.NewReader(text), nil).All(), nil); err != nil {
		t.Fatal(err)
	}
	biased := perceptron.Averaged{Last: perceptron.Perceptron{Bias: svmkit.PenalizedBias}}
	if err := biased.Learn(t.Context(), dataset.Rows(t.Context(), strings.NewReader(text), nil).All(), nil); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[int]svmkit.Hyperplane{0: pegasos.Plane(), 1: last.Plane(), 2: biased.Plane(), 3: averaged.Last.Plane()} {
		out, _ := must(t, text, append(append([]string{"stream", "-o", "-"}, learners[k]...), "-")...)
		m, err := modelfile.Load(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		modelfile.Save(&a, m)
		modelfile.Save(&b, &svm.Model{Weights: want.W, Bias: want.B, Dim: 3, Classes: []string{"-1", "1"}})
		if a.String() != b.String() {
			t.Errorf("%s: the model is\n%s, want\n%s", learners[k], a.String(), b.String())
		}
	}
}

// Stopped anywhere, by the end of a file that is still growing or by an interrupt, a run that finds the
// checkpoint ends with the same model and the same counts as one that was not stopped.
func TestStreamGoesOnFromItsCheckpoint(t *testing.T) {
	text := two(t, 300)
	lines := strings.SplitAfter(text, "\n")
	for _, learner := range learners {
		whole := streamed(t, text, learner)
		folder := t.TempDir()
		check := append(learner, "-checkpoint", filepath.Join(folder, "state"), "-every", "0")
		for _, n := range []int{1, 70, 71, 140, 300} {
			if got := streamed(t, strings.Join(lines[:n], ""), check); n == 300 && got != whole {
				t.Errorf("%s: in parts\n%s, at once\n%s", learner, got, whole)
			}
		}
		if got := streamed(t, text, check); got != whole {
			t.Errorf("%s: with nothing new, the model is another", learner)
		}
		if entries, _ := os.ReadDir(folder); len(entries) != 1 {
			t.Errorf("the folder holds %v", entries)
		}
	}
}

// streamed returns the model and the counts of a run.
func streamed(t *testing.T, text string, flags []string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "model")
	out, errs := must(t, text, append(append([]string{"stream", "-json", "-o", model}, flags...), "-")...)
	var r streamReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" {
		t.Fatalf("%v, %q", err, errs)
	}
	saved, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	r.Seconds, r.Resumed = 0, 0
	counts, _ := json.Marshal(r)
	return string(saved) + string(counts)
}

// An interrupt while the pipe is silent: the state so far is kept, and nothing of it is lost.
func TestStreamInterrupted(t *testing.T) {
	text := two(t, 300)
	lines := strings.SplitAfter(text, "\n")
	whole := streamed(t, text, learners[0])
	state := filepath.Join(t.TempDir(), "state")
	flags := append(learners[0], "-checkpoint", state, "-every", "0")
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan string, 1)
	go func() {
		var o, e bytes.Buffer
		status := run(ctx, append(append([]string{"stream"}, flags...), "-"), r, &o, &e)
		if status != exitInterrupted || !strings.Contains(e.String(), "the next run goes on from "+state) || !strings.Contains(o.String(), "mistakes") {
			t.Errorf("status %d, %q, %q", status, o.String(), e.String())
		}
		done <- e.String()
	}()
	io.WriteString(w, strings.Join(lines[:200], ""))
	for began := time.Now(); !exists(state) && time.Since(began) < time.Minute; { // 64 rows are learned from, and those after them soon
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	w.Close()
	if got := streamed(t, text, flags); got != whole {
		t.Error("after an interrupt the model is another")
	}
}

func TestStreamMessages(t *testing.T) {
	text := two(t, 100)
	state := filepath.Join(t.TempDir(), "state")
	must(t, text, "stream", "-checkpoint", state, "-")
	good, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(text, "\n", "e1\n", 1) // ten times a number of the first row
	damaged := bytes.Clone(good)
	damaged[len(damaged)-1] ^= 1
	model := file(t, "model", byHand)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write([]byte(text))
	zip.Close()
	cut := packed.String()[:packed.Len()/2]
	for _, c := range []struct {
		stdin  string
		args   []string
		status int
		says   string
	}{
		{text, []string{"-learner", "sgd", "-"}, exitUsage, "-learner sgd"},
		{text, []string{"-bias", "free", "-"}, exitUsage, "-bias free: must be penalized or none"},
		{text, []string{"-lambda", "0", "-"}, exitUsage, "-lambda 0"},
		{text, []string{"-every", "-1s", "-"}, exitUsage, "-every -1s"},
		{text, []string{"-checkpoint", "-", "-"}, exitUsage, "-checkpoint -: must be a file"},
		{"", []string{"-"}, exitError, "standard input: no rows"},
		{"2 1:1\n", []string{"-"}, exitError, "; -positive names the class +1"},
		{"1 1:1\n-1 1:x\n", []string{"-"}, exitError, `standard input, line 2, column "1": not a number: "x"`},
		{"1 1:1\n-1 1:1e200\n1 1:1e200\n", []string{"-learner", "perceptron", "-"}, exitError, "standard input, line 2: "},
		{"1 1:1\n-1 134217729:1\n", []string{"-"}, exitError, "line 2: "},
		{"1 1:1\n-1 1152921504606846976:1\n", []string{"-"}, exitError, "beyond 2147483647"},
		{other, []string{"-checkpoint", state, "-"}, exitError, "the first 100 rows of standard input are not those"},
		{other + text, []string{"-checkpoint", state, "-"}, exitError, "the first 100 rows of standard input are not those"},
		{text[:len(text)/2], []string{"-checkpoint", state, "-"}, exitError, "the first 100 rows of standard input are not those"},
		{cut, []string{"-checkpoint", state, "-"}, exitError, "byte 3: unexpected EOF"},
		{strings.Replace(text, ":", ":x", 1), []string{"-checkpoint", state, "-"}, exitError, "standard input, line 1, column"},
		{text, []string{"-checkpoint", state, "-lambda", "2", "-"}, exitError, "a checkpoint of another learner: pegasos -lambda 0.0001 -bias penalized, not pegasos -lambda 2 -bias penalized"},
		{text, []string{"-checkpoint", model, "-"}, exitError, model + ": not a checkpoint of a stream"},
		{text, []string{"-checkpoint", file(t, "damaged", string(damaged)), "-"}, exitError, "its checksum is wrong"},
		{text, []string{"-checkpoint", filepath.Join(model, "x"), "-"}, exitError, "not a directory"},
		{text, []string{"-o", filepath.Join(model, "x"), "-"}, exitError, "not a directory"},
	} {
		status, out, errs := svmRun(t, c.stdin, append([]string{"stream"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.says) || !strings.HasPrefix(errs, "svm: ") || strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("svm stream %s: status %d, want %d, %q and %q, want one line with %q", strings.Join(c.args, " "), status, c.status, out, errs, c.says)
		}
	}
	if now, err := os.ReadFile(state); err != nil || !bytes.Equal(now, good) {
		t.Errorf("the checkpoint is another after runs that could not use it: %v", err)
	}
}

// A bad row ends a run, but not the work on the rows before it.
func TestStreamKeepsWhatCameBeforeABadRow(t *testing.T) {
	text := two(t, 100)
	lines := strings.SplitAfter(text, "\n")
	whole := streamed(t, text, learners[2])
	flags := append(learners[2], "-checkpoint", filepath.Join(t.TempDir(), "state"))
	bad := strings.Join(lines[:50], "") + "1 1:x\n" + strings.Join(lines[50:], "")
	if status, _, errs := svmRun(t, bad, append(append([]string{"stream"}, flags...), "-")...); status != exitError || !strings.Contains(errs, "line 51") {
		t.Fatalf("status %d, %q", status, errs)
	}
	out, _ := must(t, text, append(append([]string{"stream", "-json"}, flags...), "-")...)
	if !strings.Contains(out, `"resumedAfter": 50`) || streamed(t, text, flags) != whole {
		t.Errorf("it did not go on after row 50:\n%s", out)
	}
}

// With a class named, any labels will do, and the model predicts them.
func TestStreamOfNamedClasses(t *testing.T) {
	text := strings.Repeat("1,0,ham\n0,1,spam\n", 20)
	model := filepath.Join(t.TempDir(), "model")
	must(t, text, "stream", "-positive", "ham", "-o", model, "-")
	out, _ := must(t, "1,0\n0,1\n", "predict", "-unlabelled", model, "-")
	if out != "ham\nnot ham\n" {
		t.Error(out)
	}
}

// interruptedAfter is a context that ends when it has been asked a number of times.
type interruptedAfter struct {
	context.Context
	asked atomic.Int32
	calls int32
}

func (c *interruptedAfter) Err() error {
	if c.asked.Add(1) > c.calls {
		return context.Canceled
	}
	return nil
}

// An interrupt at any moment of a run on another stream leaves the good checkpoint alone: also one between the
// last of the rows that are not those and the end.
func TestInterruptOnAnotherStreamKeepsTheCheckpoint(t *testing.T) {
	text := two(t, 5)
	state := filepath.Join(t.TempDir(), "state")
	must(t, text, "stream", "-checkpoint", state, "-")
	good, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(text, "\n", "e1\n", 1) + text
	interrupted, refused := 0, 0
	for calls := range int32(60) {
		var o, e bytes.Buffer
		status := run(&interruptedAfter{Context: t.Context(), calls: calls}, []string{"stream", "-checkpoint", state, "-"}, strings.NewReader(other), &o, &e)
		if now, err := os.ReadFile(state); err != nil || !bytes.Equal(now, good) {
			t.Fatalf("interrupted at call %d: the checkpoint is another, %v\n%s", calls, err, e.String())
		}
		switch {
		case status == exitInterrupted:
			interrupted++
		case strings.Contains(e.String(), "another stream"):
			refused++
		default:
			t.Fatalf("call %d: status %d, %s%s", calls, status, o.String(), e.String())
		}
	}
	if interrupted == 0 || refused < 10 { // the last ten were not interrupted at all
		t.Errorf("%d runs were interrupted and %d were not: too few calls, or too many", interrupted, refused)
	}
}

// A class that no row has is said, where no other rows may follow.
func TestStreamOfOneClass(t *testing.T) {
	for _, c := range []struct {
		text, says string
		flags      []string
	}{
		{"x,y\n1,a\n2,a\n", `no row is of the class "b" that -positive names`, []string{"-positive", "b"}},
		{"x,y\n1,a\n2,b\n", "", []string{"-positive", "b"}},
		{"x,y\n1,b\n2,b\n", "all rows are of one class", []string{"-positive", "b"}},
		{"x,y\n1,a\n2,a\n", `no row is of the class "b"`, []string{"-positive", "b", "-checkpoint", filepath.Join(t.TempDir(), "state")}},
		{"1 1:2\n1 1:3\n", "all rows are of one class", nil},
		{"1 1:2\n1 1:3\n", "", []string{"-checkpoint", filepath.Join(t.TempDir(), "state")}},
	} {
		if _, errs := must(t, c.text, append(append([]string{"stream"}, c.flags...), "-")...); !strings.Contains(errs, c.says) || c.says == "" && errs != "" {
			t.Errorf("%v %q: %q, want %q", c.flags, c.text, errs, c.says)
		}
	}
}
