package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/cli"
)

// train, predict, cv and scale read a file by the same flags.
func TestReadingFlags(t *testing.T) {
	dir := t.TempDir()
	train := func(args ...string) []string { return append([]string{"train", "-tol", "1e-6"}, args...) }
	for _, c := range []struct {
		name  string
		text  string
		flags string
		errs  string // of the commands, with the flags
		bad   string // what they say without
		train string // what train and cv say instead; "" for the same
	}{
		{"header", "0,1,label\n0.5,0.3,ham\n0.1,0.2,spam\n0.6,0.3,ham\n0.1,0.1,spam\n", "-header yes", "", "-header yes or -header no", ""},
		{"drop", "id,0,note,1,class\nr1,0.5,x,0.3,ham\nr2,0.1,y,0.2,spam\nr3,0.6,z,0.3,ham\nr4,0.1,,0.1,spam\n", "-drop id,3", "", "-header yes or -header no", ""},
		{"missing", "a,age,class\n0.5,0.3,ham\n0.5,NA,ham\n0.1,0.2,spam\n0.6,0.3,ham\n0.1,0.1,spam\n,1,spam\n", "-skip-missing",
			"standard input: 2 rows left out, as a value is missing\n", `line 3, column "age": missing value: "NA"; fill it in, use -skip-missing, or train with -median a,age`,
			`missing value in the columns "a", "age", as "" in line 7; use -median a,age, or leave columns out by -drop, or rows by -skip-missing`},
		{"one missing", "a,age,class\n0.5,0.3,ham\n0.5,NA,ham\n0.1,0.2,spam\n0.6,0.3,ham\n0.1,0.1,spam\n", "-skip-missing",
			"standard input: 1 row left out, as a value is missing\n", "line 3", ""},
		{"zero-based", "1 0:0.5 1:0.3\n-1 0:0.1 1:0.2\n1 0:0.6 1:0.3\n-1 0:0.1 1:0.1\n", "-zero-based", "", "use -zero-based", ""},
		{"label", "0.5,ham,0.3\n0.1,spam,0.2\n0.6,ham,0.3\n0.1,spam,0.1\n", "-label 2", "", "-header yes or -header no", ""},
	} {
		flags, model := strings.Fields(c.flags), filepath.Join(dir, c.name)
		for _, args := range [][]string{train("-o", model), {"predict", model}, {"cv", "-folds", "2"}, {"scale"}} {
			if status, out, errs := svmRun(t, c.text, append(append(args, flags...), "-")...); status != exitOK || !strings.HasPrefix(errs, c.errs) || out == "" {
				t.Errorf("%s: %s: status %d, %q", c.name, args[0], status, errs)
			}
			bad := c.bad
			if c.train != "" && (args[0] == "train" || args[0] == "cv") {
				bad = c.train
			}
			if status, _, errs := svmRun(t, c.text, append(args, "-")...); status != exitError || !strings.Contains(errs, bad) {
				t.Errorf("%s: %s without: status %d, %q, want %q", c.name, args[0], status, errs, bad)
			}
		}
	}
	const text = "Kauf Datum,a,kind\n2020-01-02,1,x\n2020-01-03,2,y\n"
	for command, hint := range map[string]string{"train": "use -categorical 'Kauf Datum', or leave it out by -drop", "scale": "use -drop 'Kauf Datum', or",
		"cv": "use -categorical 'Kauf Datum', or leave it out by -drop", "stream": "correct it, or leave"} {
		status, _, errs := svmRun(t, text, command, "-header", "yes", "-")
		if says := `line 2, column "Kauf Datum": not a number: "2020-01-02"; ` + hint; status != exitError || !strings.Contains(errs, says) {
			t.Errorf("%s: status %d, %q", command, status, errs)
		}
	}
	for flags, says := range map[string]string{"-header maybe": "must be yes, no or auto", "-columns -1": "must be 1 to", "-columns 3000000000": "must be 1 to"} {
		for _, command := range []string{"train", "scale", "cv", "stream"} {
			if status, _, errs := svmRun(t, "", append([]string{command, "-"}, strings.Fields(flags)...)...); status != exitUsage || !strings.Contains(errs, says) {
				t.Errorf("%s %s: status %d, %q", command, flags, status, errs)
			}
		}
	}
	for _, flags := range []string{"-label 1", "-drop 1", "-header no"} {
		if status, _, errs := svmRun(t, "1 1:1\n-1 1:2\n", append([]string{"train", "-"}, strings.Fields(flags)...)...); status != exitError || !strings.Contains(errs, strings.Fields(flags)[0]+" is for CSV files") {
			t.Errorf("%s: status %d, %q", flags, status, errs)
		}
	}
}

// The column named label is the label's for every command.
func TestLabelByName(t *testing.T) {
	const text = "label,a,b\nham,0.5,0.3\nspam,0.1,0.2\nham,0.6,0.3\nspam,0.1,0.1\n"
	model := filepath.Join(t.TempDir(), "model")
	must(t, text, "train", "-C", "1000", "-o", model, "-")
	if out, errs := must(t, text, "predict", model, "-"); out != "ham\nspam\nham\nspam\n" || !strings.Contains(errs, "100.0000%") {
		t.Errorf("%q, %q", out, errs)
	}
	if out, _ := must(t, text, "scale", "-"); !strings.HasPrefix(out, "a,b,label\n") {
		t.Errorf("%q", out)
	}
}

// Labels are written as they are read.
func TestLabelsKeepTheirText(t *testing.T) {
	const text = "1000000 1:1\n2000000 1:-1\n"
	model, libsvm := filepath.Join(t.TempDir(), "model"), filepath.Join(t.TempDir(), "libsvm")
	if out, _ := must(t, text, "train", "-o", model, "-libsvm", libsvm, "-"); !strings.Contains(out, "−1 is 1000000, +1 is 2000000") {
		t.Error(out)
	}
	for _, m := range []string{model, libsvm} {
		if out, errs := must(t, text, "predict", m, "-"); out != "1000000\n2000000\n" || !strings.HasPrefix(errs, "accuracy 100") {
			t.Errorf("%q, %q", out, errs)
		}
	}
	for _, flags := range []string{"", "-regression"} {
		if out, _ := must(t, text, append([]string{"scale", "-"}, strings.Fields(flags)...)...); out != text {
			t.Errorf("%q", out)
		}
	}
	const long = "12345678901234567890 1:1\n12345678901234567891 1:-1\n"
	must(t, long, "train", "-o", model, "-")
	if out, errs := must(t, long, "predict", model, "-"); out != "12345678901234567890\n12345678901234567891\n" || !strings.HasPrefix(errs, "accuracy 100") {
		t.Errorf("%q, %q", out, errs)
	}
	if status, _, errs := svmRun(t, "1 1:1\n1.0 1:2\n2 1:3\n", "train", "-"); status != exitError || !strings.Contains(errs, `"1" and "1.0"; spell them alike`) {
		t.Errorf("status %d, %q", status, errs)
	}
}

// A few bytes do not ask for gigabytes: what would is refused with the row, the value and the flag to change.
func TestIndicesAskForLittle(t *testing.T) {
	var rows, classes strings.Builder
	for k := range 40 {
		fmt.Fprintf(&rows, "%d 134217728:1\n", 2*(k%2)-1)
	}
	for k := range 11 {
		fmt.Fprintf(&classes, "%d 134217728:1\n", k)
	}
	wide := strings.ReplaceAll(rows.String(), "134217728", "10000000")
	for _, c := range []struct{ text, args, says string }{
		{rows.String(), "scale -dense", "row 1 names column 134217728 (value 1), and a vector of this length would need 1 GiB: correct the index, or use -columns 134217728"},
		{rows.String(), "scale", "use -columns 134217728"},
		{rows.String(), "train", "use -columns 134217728"},
		{rows.String(), "cv", "use -columns 134217728"},
		{rows.String(), "stream", "column 134217728: correct the index, or use -columns 134217728"},
		{rows.String(), "scale -columns 134217728 -dense", "row 1 names column 134217728 (value 1), and 40 rows with all their zeros would need 40 GiB: correct the index, or leave out -dense"},
		{wide, "scale -dense", "leave out -dense"},
		{wide, "scale -format csv", "leave out -format csv"},
		{classes.String(), "train", "row 1 names column 134217728 (value 1), and 11 vectors of this length would need 11 GiB: correct the index, or give the number by -columns"},
		{rows.String(), "train -columns 100", `line 1, byte 4: column index out of range, the number of columns is set to 100: "134217728:1"`},
	} {
		start := time.Now()
		if status, _, errs := svmRun(t, c.text, append(strings.Fields(c.args), "-")...); status != exitError || !strings.Contains(errs, c.says) || time.Since(start) > 5*time.Second {
			t.Errorf("%s: status %d, %q after %v, want %q", c.args, status, errs, time.Since(start), c.says)
		}
	}
}

// Reading ends soon after an interrupt.
func TestInterruptOfALongRead(t *testing.T) {
	for _, text := range []string{"1.5,2,1\n", "1 1:0.5 2:3\n"} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		a := &app{ctx: ctx, stdin: &forever{text: text}, out: io.Discard, err: io.Discard, progress: &cli.Progress{}}
		start := time.Now()
		if err := a.command([]string{"train", "-"}); err != context.DeadlineExceeded || time.Since(start) > 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	}
}

type forever struct {
	text string
	pos  int
}

func (f *forever) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = f.text[f.pos]
		f.pos = (f.pos + 1) % len(f.text)
	}
	return len(p), nil
}
