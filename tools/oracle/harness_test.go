//go:build peers

package oracle

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/tools/internal/peers"
)

// root is the folder of the course.
const root = "../.."

// patience is how long one program may take for a set of a hundred rows.
const patience = 60 * time.Second

// An oracle has what all trials need, and counts what they find.
type oracle struct {
	svm    string // the command, built once
	python *python
	tally  map[string]*count
}

// A count says how often a check was made, and what came of it.
type count struct{ same, refused, differ, known int }

// newOracle builds the command and starts Python.
func newOracle(t *testing.T) *oracle {
	t.Helper()
	for _, name := range []string{"svm-train", "svm-predict", "liblinear-train", "liblinear-predict"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatal(err, "(Debian: apt-get install libsvm-tools liblinear-tools)")
		}
	}
	o := &oracle{svm: filepath.Join(t.TempDir(), "svm"), tally: map[string]*count{}}
	build := exec.Command("go", "build", "-o", o.svm, "./cmd/svm")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	o.python = startPython(t)
	return o
}

// A trial is one set in one direction.
type trial struct {
	*oracle
	*set
	t         *testing.T
	rng       *rand.Rand
	folder    string
	direction string
	commands  []string
	wrong     []string // the differences

	report     string // what svm train has printed
	unfinished bool   // it has said that it ended above its tolerance
}

// counted returns the count of a check of the direction.
func (c *trial) counted(check string) *count {
	name := c.direction + ": " + check
	if c.tally[name] == nil {
		c.tally[name] = &count{}
	}
	return c.tally[name]
}

// differ notes a difference. One that other work will remove is counted and no failure.
func (c *trial) differ(check, format string, args ...any) {
	text := c.direction + ": " + check + ": " + fmt.Sprintf(format, args...)
	if of := awaits(c.direction + ": " + check); of != "" {
		c.counted(check).known++
		c.t.Logf("known, %s: %s", of, text)
		return
	}
	c.counted(check).differ++
	c.wrong = append(c.wrong, text)
}

// refused notes that one of the two has said that it will not do this.
func (c *trial) refused(check string) { c.counted(check).refused++ }

// run runs a program in the folder of the trial and returns what it prints to each output.
func (c *trial) run(program string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = c.folder
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	c.commands = append(c.commands, filepath.Base(program)+" "+strings.Join(args, " "))
	err = cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer within %v: %w", patience, err)
	}
	return out.String(), diagnostics.String(), err
}

// same compares numbers row by row and column by column, relative to the largest of theirs or 1.
func (c *trial) same(check string, ours, theirs [][]float64, tolerance float64) {
	if len(ours) != len(theirs) {
		c.differ(check, "%d rows of ours, %d of theirs", len(ours), len(theirs))
		return
	}
	size := 1.0
	for _, row := range theirs {
		for _, v := range row {
			size = max(size, math.Abs(v))
		}
	}
	for i := range ours {
		if len(ours[i]) != len(theirs[i]) {
			c.differ(check, "row %d: %v of ours, %v of theirs", i, ours[i], theirs[i])
			return
		}
		for k := range ours[i] {
			if !(math.Abs(ours[i][k]-theirs[i][k]) <= tolerance*size) {
				c.differ(check, "row %d: ours %v, theirs %v", i, ours[i], theirs[i])
				return
			}
		}
	}
	c.counted(check).same++
}

// sameClasses compares predicted classes. Where the scores decide by rounding alone, any class will do, and
// "?" as well: the sum of the same products in another order may be 0 or almost 0.
func (c *trial) sameClasses(check string, ours, theirs []string, tied []tie) {
	if len(ours) != len(theirs) {
		c.differ(check, "%d rows of ours, %d of theirs", len(ours), len(theirs))
		return
	}
	for i := range ours {
		switch {
		case tied != nil && tied[i] != decided && ours[i] == "?":
			c.refused(check + ", a score of 0")
		case sameName(ours[i], theirs[i]) || tied != nil && tied[i] != decided:
		default:
			c.differ(check, "row %d: ours %q, theirs %q", i, ours[i], theirs[i])
			return
		}
	}
	c.counted(check).same++
}

// sameName reports whether two names are equal, or the same number.
func sameName(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return a == b || errX == nil && errY == nil && x == y
}

// tie says whether scores decide about a class.
type tie int

const (
	decided  tie = iota
	rounding     // the decision is within what rounding may do
	exact        // a decision value is 0
)

// tieOf judges the decision value that is closest to a change of the class.
func tieOf(margin, size float64) tie {
	switch {
	case margin == 0:
		return exact
	case math.Abs(margin) < sums*max(1, size):
		return rounding
	}
	return decided
}

// An answer is what a predictor says about the test rows. Columns of scores and probabilities are in the
// order of the classes: of numbers by value, of names by their bytes.
type answer struct {
	class                 []string // or targets
	scores, probabilities [][]float64
	tied                  []tie
	right, rows           int
	mse                   float64
}

// of returns the file's numbers k as columns in the order of the classes, which their labels have.
func columnsOf(rows [][]float64, labels, classes []string) ([][]float64, error) {
	at := make([]int, len(classes))
	for k, name := range classes {
		if at[k] = slices.IndexFunc(labels, func(l string) bool { return sameName(l, name) }); at[k] < 0 {
			return nil, fmt.Errorf("no class %q among %q", name, labels)
		}
	}
	ordered := make([][]float64, len(rows))
	for i, row := range rows {
		if len(row) != len(labels) {
			return nil, fmt.Errorf("row %d has %d columns for the classes %q", i, len(row), labels)
		}
		for _, k := range at {
			ordered[i] = append(ordered[i], row[k])
		}
	}
	return ordered, nil
}

// predictor says how our command is asked.
type predictor struct {
	model, test           string
	classes               []string // nil for a regression
	scores, probabilities bool
	flags                 []string
}

// ours runs svm predict: once for the classes, and once for each kind of numbers.
func (c *trial) ours(p predictor) (*answer, error) {
	ask := func(flags ...string) (lines []string, stderr string, err error) {
		args := slices.Concat([]string{"predict"}, p.flags, flags, []string{p.model, p.test})
		out, stderr, err := c.run(c.svm, args...)
		if err != nil {
			return nil, stderr, errors.New(strings.TrimSpace(stderr))
		}
		return strings.Split(strings.TrimSuffix(out, "\n"), "\n"), stderr, nil
	}
	lines, stderr, err := ask()
	if err != nil {
		return nil, err
	}
	a := &answer{class: lines, mse: math.NaN()}
	for line := range strings.Lines(stderr) {
		var share float64
		fmt.Sscanf(line, "accuracy %f%% (%d of %d rows)", &share, &a.right, &a.rows)
		fmt.Sscanf(line, "mean squared error %g", &a.mse)
	}
	for _, kind := range []struct {
		flag   string
		wanted bool
		to     *[][]float64
	}{{"-scores", p.scores, &a.scores}, {"-probability", p.probabilities, &a.probabilities}} {
		if !kind.wanted {
			continue
		}
		lines, _, err := ask(kind.flag)
		if err != nil {
			return nil, err
		}
		if *kind.to, err = c.numbers(lines, a.class, p); err != nil {
			return nil, fmt.Errorf("%s: %w", kind.flag, err)
		}
	}
	return a, nil
}

// numbers takes the output of -scores or -probability apart. Its first line names the classes in their order.
func (c *trial) numbers(lines, class []string, p predictor) ([][]float64, error) {
	head, ok := strings.CutPrefix(lines[0], "labels ")
	if !ok {
		return nil, fmt.Errorf("the first line is %q and names no classes", lines[0])
	}
	if head != strings.Join(p.classes, " ") {
		return nil, fmt.Errorf("the first line is %q, want the classes %q", lines[0], p.classes)
	}
	return numbersBehind(lines[1:], class)
}

// numbersBehind returns the numbers that follow the class in each line.
func numbersBehind(lines, class []string) ([][]float64, error) {
	if len(lines) != len(class) {
		return nil, fmt.Errorf("%d lines for %d rows", len(lines), len(class))
	}
	rows := make([][]float64, len(lines))
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, class[i]+" ")
		if !ok {
			return nil, fmt.Errorf("row %d is %q, want the class %q and numbers", i, line, class[i])
		}
		for _, word := range strings.Fields(rest) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows, nil
}

// theirs runs svm-predict or liblinear-predict. With probabilities, the class is the one of the largest.
func (c *trial) theirs(program, model, test string, classes []string, probabilities bool) *answer {
	c.t.Helper()
	args := []string{test, model, "predicted"}
	if probabilities {
		args = append([]string{"-b", "1"}, args...)
	}
	out, stderr, err := c.run(program, args...)
	text, readErr := os.ReadFile(filepath.Join(c.folder, "predicted"))
	if err := errors.Join(err, readErr); err != nil {
		c.t.Fatalf("%s: %v\n%s\n%s", c.folder, err, stderr, strings.Join(c.commands, "\n"))
	}
	a := &answer{mse: math.NaN()}
	for line := range strings.Lines(out) {
		var share float64
		fmt.Sscanf(line, "Accuracy = %f%% (%d/%d)", &share, &a.right, &a.rows)
		fmt.Sscanf(line, "Mean squared error = %g", &a.mse)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var labels []string
	if head, ok := strings.CutPrefix(lines[0], "labels "); ok {
		labels, lines = strings.Fields(head), lines[1:]
	}
	for _, line := range lines {
		class, _, _ := strings.Cut(line, " ")
		a.class = append(a.class, class)
	}
	if labels != nil {
		rows, err := numbersBehind(lines, a.class)
		if err == nil {
			a.probabilities, err = columnsOf(rows, labels, classes)
		}
		if err != nil {
			c.t.Fatal(err)
		}
		for i, class := range a.class { // -b 1 prints labels to six digits
			if k := slices.IndexFunc(classes, func(name string) bool { return sixDigits(name) == class }); k >= 0 {
				a.class[i] = classes[k]
			}
		}
	}
	return a
}

// sixDigits returns a label as svm-predict -b 1 prints it.
func sixDigits(label string) string {
	v, err := strconv.ParseFloat(label, 64)
	if err != nil {
		return label
	}
	return fmt.Sprintf("%.6g", v)
}

// valuesOf returns the scores of the classes by a model that LIBSVM or LIBLINEAR has loaded, in the order
// of ours: of two classes the score of the second one, of LIBSVM's more than two the sums over their pairs.
func valuesOf(m *peers.Loaded, rows [][]peers.Pair, classes []string, oneVsOne bool) ([][]float64, []tie) {
	values := m.Values(rows)
	var labels []string
	for _, l := range m.Labels {
		labels = append(labels, strconv.Itoa(l))
	}
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(slices.Max(v)), math.Abs(slices.Min(v)))
	}
	var scores [][]float64
	tied := make([]tie, len(rows))
	if labels == nil { // a regression, or one class
		for i, v := range values {
			tied[i] = tieOf(v[0], size)
		}
		return values, tied
	}
	for i, v := range values {
		switch {
		case len(v) == 1:
			tied[i] = tieOf(v[0], size)
			f := v[0]
			if sameName(labels[0], classes[0]) {
				f = -f
			}
			scores = append(scores, []float64{f})
			continue
		case oneVsOne:
			sums, p := make([]float64, len(labels)), 0
			for a := range labels {
				for b := a + 1; b < len(labels); b++ {
					tied[i] = max(tied[i], tieOf(v[p], size))
					sums[a], sums[b], p = sums[a]+v[p], sums[b]-v[p], p+1
				}
			}
			v = sums
		default:
			sorted := slices.Sorted(slices.Values(v))
			tied[i] = tieOf(sorted[len(v)-1]-sorted[len(v)-2], size)
		}
		ordered, err := columnsOf([][]float64{v}, labels, classes)
		if err != nil {
			panic(err)
		}
		scores = append(scores, ordered[0])
	}
	return scores, tied
}

// api compares the predictions of a model in process with those of the command.
func (c *trial) api(file string, rows [][]float64, a *answer, classes []string) {
	m, err := modelfile.LoadFile(filepath.Join(c.folder, file))
	if err != nil {
		c.differ("load", "%v", err)
		return
	}
	names := m.ClassNames()
	if names == nil && classes != nil {
		names = svmkit.SignNames()
	}
	if classes != nil && !slices.Equal(names, classes) {
		c.differ("class order", "ClassNames %q, want %q", names, classes)
		return
	}
	vectors := make([]svmkit.Row, len(rows))
	for i, x := range rows {
		if vectors[i] = svmkit.Dense(x...); m.Columns().Open { // a column that no support vector has
			vectors[i] = svmkit.Row{Index: []int32{}}
			for j, v := range x {
				if v != 0 {
					vectors[i].Index = append(vectors[i].Index, int32(j))
					vectors[i].Value = append(vectors[i].Value, v)
				}
			}
		}
	}
	if a.probabilities != nil {
		c.same("ProbabilitiesAll", m.ProbabilitiesAll(vectors), a.probabilities, 1e-9)
	}
	if many, ok := m.(svmkit.ClassScorer); ok && a.scores != nil && len(a.scores[0]) == len(classes) {
		c.same("ClassScoresAll", many.ClassScoresAll(vectors), a.scores, 1e-9)
	}
	for i, x := range vectors {
		q := m.Predict(x)
		clear := classes != nil && q.OK && (a.tied == nil || a.tied[i] == decided)
		if clear && !sameName(classes[q.Class], a.class[i]) {
			c.differ("Predict", "row %d: class %d of %q, the command %q", i, q.Class, classes, a.class[i])
			return
		}
	}
}

// python is scikit-learn at work.
type python struct {
	in  io.Writer
	out *bufio.Reader
	end func() // kills it
}

// A job is what scikit_learn.py reads.
type job struct {
	Do          string             `json:"do"`
	Kind        string             `json:"kind,omitempty"`
	Params      map[string]any     `json:"params"`
	X           [][]float64        `json:"x,omitempty"`
	Y           []float64          `json:"y,omitempty"`
	Names       []string           `json:"names,omitempty"`
	Weight      []float64          `json:"weight,omitempty"`
	ClassWeight map[string]float64 `json:"class_weight,omitempty"`
	Scale       bool               `json:"scale,omitempty"`
	Sparse      bool               `json:"sparse"`
	Save        string             `json:"save,omitempty"`
	Test        any                `json:"test,omitempty"`
	Train       string             `json:"train,omitempty"`
	Header      bool               `json:"header"`
	Categories  []int              `json:"categories"`
	Median      []int              `json:"median"`
	Mean        []int              `json:"mean"`
	Weights     *int               `json:"weights,omitempty"`
	ZeroBased   bool               `json:"zero_based"`
	Comment     string             `json:"comment,omitempty"`
	Columns     int                `json:"columns,omitempty"`
}

// A done is its answer.
type done struct {
	Predicted, Classes    []string
	Scores, Probabilities [][]float64
	Capped                bool
	Error                 string
}

// startPython starts scikit_learn.py, which ends with the test.
func startPython(t *testing.T) *python {
	t.Helper()
	saver := filepath.Join(root, "svmkit", "modelfile", "testdata", "save_for_go.py")
	cmd := exec.Command("/usr/bin/python3", "-B", "scikit_learn.py", saver)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	cmd.Stderr = os.Stderr
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err, "(Debian: apt-get install python3-sklearn)")
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error("scikit_learn.py: ", err)
		}
	})
	return &python{in, bufio.NewReader(out), func() { cmd.Process.Kill() }}
}

// ask gives scikit-learn a job and returns its answer.
func (c *trial) ask(j job) *done {
	c.t.Helper()
	if j.Params == nil {
		j.Params = map[string]any{}
	}
	text, err := json.Marshal(j)
	if err != nil {
		c.t.Fatal(err)
	}
	c.commands = append(c.commands, "scikit_learn.py: "+string(text))
	if _, err := c.python.in.Write(append(text, '\n')); err != nil {
		c.t.Fatal(err)
	}
	watch := time.AfterFunc(patience, c.python.end)
	line, err := c.python.out.ReadBytes('\n')
	watch.Stop()
	if err != nil {
		c.t.Fatalf("%s: scikit_learn.py: %v\n%s", c.folder, err, text)
	}
	var d done
	if err := json.Unmarshal(line, &d); err != nil {
		c.t.Fatalf("%v: %s", err, line)
	}
	return &d
}
