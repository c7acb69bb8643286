package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/printable"
)

// A flag that would change nothing is refused, before anything is read where the flags alone tell.
func TestFlagsWithoutEffect(t *testing.T) {
	data, never := file(t, "two", two(t, 40)), "never read"
	regression := file(t, "regression", "svmkit model 1\ntask regression\ndim 2\nkernel linear\nbias 1\nweights\n1\n-1\nend\n")
	measures := filepath.Join(t.TempDir(), "measures")
	must(t, "", "scale", "-save", measures, data)
	for _, c := range []struct{ args, says string }{
		{"train -gamma 0.1 " + never, "-gamma has no effect with -kernel linear, the default: is -kernel rbf missing?"},
		{"cv -gamma 0.1 " + never, "-gamma has no effect"},
		{"train -degree 2 " + never, "-degree has no effect"},
		{"train -kernel rbf -degree 2 " + never, "-degree has no effect"},
		{"train -kernel sigmoid -degree 2 " + never, "-degree has no effect"},
		{"train -kernel rbf -coef0 1 " + never, "-coef0 has no effect"},
		{"train -epsilon 0.2 " + never, "-epsilon has no effect"},
		{"train -loss logistic -epsilon 0.2 " + never, "-epsilon has no effect"},
		{"train -cache 100 " + never, "-cache has no effect"},
		{"train -kernel rbf -cache 100 " + never, "-cache has no effect"},
		{"train -solver dcd -cache 100 " + never, "-cache has no effect"},
		{"train -every 1s " + never, "-every has no effect without -checkpoint"},
		{"train -threads 2 " + data, "-threads has no effect"},
		{"train -loss eps-insensitive -threads 2 " + data, "-threads has no effect"},
		{"train -multi cs -threads 2 " + data, "-threads has no effect"},
		{"stream -every 1s " + never, "-every has no effect without -checkpoint"},
		{"stream -learner perceptron -lambda 1 " + never, "-lambda has no effect"},
		{"scale -low 1 " + never, "-low has no effect"},
		{"scale -kind center -high 1 " + never, "-high has no effect"},
		{"scale -kind minmax -load " + measures + " " + never, "-kind has no effect with -load"},
		{"predict -scores " + regression + " " + never, "-scores has no effect"},
	} {
		status, out, errs := svmRun(t, "", strings.Fields(c.args)...)
		if strings.HasSuffix(c.args, never) { // three words
			status, out, errs = svmRun(t, "", append(strings.Fields(strings.TrimSuffix(c.args, never)), never)...)
		}
		if status != exitUsage || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("svm %s: status %d, %q, want %q", c.args, status, errs, c.says)
		}
	}
	for _, args := range []string{"-kernel rbf -gamma 0.1", "-kernel poly -degree 2 -coef0 1 -gamma 1 -cache 10", "-kernel rbf -solver smo -cache 10", "-loss eps-insensitive -epsilon 0.2",
		"-probability -threads 1"} {
		must(t, "", append(append([]string{"train", "-tol", "0.1"}, strings.Fields(args)...), data)...)
	}
}

func TestWrongFlagNamesItsNeighbour(t *testing.T) {
	for args, says := range map[string]string{
		"train -c 1 x":           "no flag -c: is -C meant?",
		"train -gama 1 x":        "no flag -gama: is -gamma meant?",
		"train -kernal rbf x":    "no flag -kernal: is -kernel meant?",
		"train -max-iter 5 x":    "no flag -max-iter (svm",
		"predict -unlabeled m x": "no flag -unlabeled: is -unlabelled meant?",
		"cv -fold 3 x":           "no flag -fold: is -folds meant?",
		"train -x 1 x":           "no flag -x (svm train -h",
	} {
		if status, _, errs := svmRun(t, "", strings.Fields(args)...); status != exitUsage || !strings.Contains(errs, says) {
			t.Errorf("svm %s: status %d, %q, want %q", args, status, errs, says)
		}
	}
}

// What stream says of -positive is what stream does.
func TestStreamSaysWhichClassIsPositive(t *testing.T) {
	out, _ := must(t, "", "stream", "-h")
	if strings.Contains(out, "last name by") || !strings.Contains(out, "(default: labels are +1 and −1, or +1 and 0)") {
		t.Errorf("svm stream -h:\n%s", out)
	}
	if out, _ := must(t, "", "train", "-h"); !strings.Contains(out, "last name by") {
		t.Errorf("svm train -h:\n%s", out)
	}
}

// No output takes the place of an input or of another output, whichever link it goes by.
func TestNoOutputOverwrites(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	contents := map[string]string{"data": two(t, 40), "model": byHand, "rows": "2,0,1\n0,1,0\n", "measures": `{"kind":"unit-norm","dim":3,"low":0}`, "out": "old\n"}
	for name, text := range contents {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Symlink(at(name), at(name+".sym")) != nil || os.Link(at(name), at(name+".hard")) != nil {
			t.Skip("no links here")
		}
	}
	if os.Symlink(folder, at("folder.sym")) != nil {
		t.Skip("no links here")
	}
	for _, c := range []struct{ args, says string }{
		{"train -o data data", "would overwrite"}, {"train -o data.sym data", "would overwrite"}, {"train -o data.hard data", "would overwrite"},
		{"train -o data data.sym", "would overwrite"}, {"train -o folder.sym/data data", "would overwrite"},
		{"train -libsvm data data", "-libsvm would overwrite"}, {"train -liblinear data data", "-liblinear would overwrite"}, {"train -checkpoint data data", "-checkpoint would overwrite"},
		{"predict -o model model rows", "would overwrite"}, {"predict -o rows model rows", "would overwrite"}, {"predict -o model.hard model rows", "would overwrite"},
		{"scale -o data data", "would overwrite"}, {"scale -save data data", "-save would overwrite"}, {"scale -load measures -o measures.sym data", "would overwrite"},
		{"stream -o data data", "would overwrite"}, {"stream -checkpoint data.sym data", "-checkpoint would overwrite"},
		{"scale -o out -save out.sym data", "both name"}, {"scale -o out -save out.hard data", "both name"}, {"scale -o new -save folder.sym/new data", "both name"},
		{"train -o out -libsvm out.hard data", "both name"}, {"stream -o new -checkpoint folder.sym/new data", "both name"},
	} {
		var args []string
		for _, word := range strings.Fields(c.args) {
			if _, known := contents[strings.Split(word, ".")[0]]; known || strings.HasPrefix(word, "folder") || word == "new" {
				word = at(word)
			}
			args = append(args, word)
		}
		status, out, errs := svmRun(t, "", args...)
		if status != exitUsage || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("svm %s: status %d, %q, want %q", c.args, status, errs, c.says)
		}
	}
	for name, want := range contents {
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != want {
			t.Errorf("%s has changed: %v", name, err)
		}
	}
	if exists(at("new")) {
		t.Error("a new file was written")
	}
	// The standard input can be a file, too, and so can the standard output.
	in, err := os.Open(at("data"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	add, err := os.OpenFile(at("data"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer add.Close()
	var o, e bytes.Buffer
	if status := run(t.Context(), []string{"train", "-o", at("data"), "-"}, in, &o, &e); status != exitUsage || !strings.Contains(e.String(), "-o would overwrite the standard input") {
		t.Errorf("from the standard input: status %d, %q", status, e.String())
	}
	e.Reset()
	if status := run(t.Context(), []string{"scale", at("data")}, in, add, &e); status != exitUsage || !strings.Contains(e.String(), "the standard output would overwrite") {
		t.Errorf("onto its own input: status %d, %q", status, e.String())
	}
}

// Nothing that a file or an argument holds steers the terminal: not from a class, a column, a kernel's name, a file's name or a flag.
func TestNothingSteersTheTerminal(t *testing.T) {
	const evil = "\x1b]0x\x07\u202e\u009b2J\xff"
	const unseen = "\u202e\xff" // what a name may hold: neither is a control character
	named := swap("a"+unseen+",b,kind", abLabel)
	evilFile := file(t, "x\x1b[2J", "1,2\n")
	model := filepath.Join(t.TempDir(), "model")
	must(t, named, "train", "-o", model, "-")
	classes := file(t, "classes", strings.ReplaceAll(swap("a,b,kind", abLabel), ",in", ","+evil+"in"))
	for _, args := range [][]string{
		{"train", classes}, {"train", "-libsvm", filepath.Join(t.TempDir(), "m"), classes}, {"stream", "-positive", evil, classes},
		{"train", "-C", "inf", classes}, {"train", "-label", evil, classes}, {"train", evil}, {"train", evilFile}, {"train", "-" + evil, "x"}, {evil},
		{"train", "-kernel", evil, classes}, {"predict", model, classes}, {"predict", file(t, "m", "svmkit model 1\ntask classification\ndim 1\nkernel "+evil+"\n"), classes},
		{"predict", file(t, "n", "solver_type "+evil+"\n"), classes}, {"scale", "-load", evilFile, classes}, {"scale", "-kind", evil, classes},
		{"predict", file(t, "p", strings.Replace(byHand, `"1"`, `"\x1b[2J"`, 1)), evilFile},
	} {
		var o, e bytes.Buffer
		terminal := &printable.Writer{W: &o}
		a := &app{ctx: t.Context(), out: terminal, err: &printable.Writer{W: &e}, progress: &cli.Progress{}}
		a.exit(a.command(args))
		for where, text := range map[string]string{"the standard output": o.String(), "the standard error": e.String()} {
			if printable.Text(text, true) != text || strings.ContainsAny(text, "\x1b\x07\u202e\u009b") {
				t.Errorf("%q: on %s: %q", args, where, text)
			}
		}
	}
	// The real standard error is always such a printer; predictions to a file or a pipe are exact.
	if _, _, errs := svmRun(t, "", "train", evilFile); strings.Contains(errs, "\x1b") {
		t.Errorf("%q", errs)
	}
	exact := file(t, "exact", strings.Replace(byHand, `"1"`, `"\x1b[2J"`, 1))
	if out, _ := must(t, "1,0\n", "predict", "-unlabelled", exact, "-"); out != "\x1b[2J\n" {
		t.Errorf("a prediction is %q", out)
	}
}
