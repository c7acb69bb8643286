//go:build peers

package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/tools/internal/peers"
)

// page is the page whose rows are tested here.
const page = root + "/docs/reference/differences.md"

// differences are the tests of the rows of the page, by the names that stand there.
var differences = map[string]func(*trial){
	"bias":                   (*trial).biases,
	"bias-of-bounds":         (*trial).biasOfBounds,
	"blank-lines":            (*trial).blankLines,
	"broken-models":          (*trial).brokenModels,
	"categories":             (*trial).categories,
	"class-and-probability":  (*trial).classAndProbability,
	"class-order":            (*trial).classOrder,
	"class-weights":          (*trial).classWeights,
	"epsilon":                (*trial).epsilons,
	"equal-probabilities":    (*trial).equalProbabilities,
	"gamma":                  (*trial).gammas,
	"index-base":             (*trial).indexBase,
	"label-numbers":          (*trial).labelNumbers,
	"label-spelling":         (*trial).labelSpelling,
	"many-classes":           (*trial).manyClasses,
	"minus-one":              (*trial).minusOne,
	"missing":                (*trial).missingValues,
	"more-columns":           (*trial).moreColumns,
	"new-class":              (*trial).unknownClass,
	"objective":              (*trial).objective,
	"precomputed":            (*trial).precomputed,
	"scaling":                (*trial).scaling,
	"scores-of-many-classes": (*trial).scoresOfManyClasses,
	"seeds":                  (*trial).seeds,
	"shrinking":              (*trial).shrinking,
	"single-class":           (*trial).singleClass,
	"targets":                (*trial).targets,
	"tolerance":              (*trial).tolerance,
	"zero-score":             (*trial).zeroScore,
	"zeros":                  (*trial).explicitZeros,
}

// TestDifferences examines the rows of the page.
func TestDifferences(t *testing.T) {
	o := newOracle(t)
	for name, run := range differences {
		t.Run(name, func(t *testing.T) {
			c := &trial{oracle: o, set: &set{columns: 2, base: 1}, t: t, rng: rand.New(rand.NewPCG(1, 1)),
				folder: t.TempDir(), direction: name}
			if run(c); c.wrong != nil {
				t.Errorf("%s\n%s", strings.Join(c.commands, "\n"), strings.Join(c.wrong, "\n"))
			}
		})
	}
}

// TestDifferencesPage finds the test that the last column of each row of the page names, and each of
// the tests above on the page.
func TestDifferencesPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOf(t)
	named := map[string]bool{}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		head := strings.HasPrefix(line, "|---") || strings.Contains(line, "| Test |")
		if head || !strings.HasPrefix(line, "|") {
			continue
		}
		rows++
		found := regexp.MustCompile("`(Test[^`/]*)(/[^`]*)?`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 5 || len(found) == 0 {
			t.Errorf("a row of %d cells that names %d tests: %s", len(cells), len(found), line)
		}
		for _, test := range found {
			part := strings.TrimPrefix(test[2], "/")
			if test[1] == "TestDifferences" && differences[part] == nil || !tests[test[1]] {
				t.Errorf("no test %s: %s", test[0], line)
			}
			named[part] = true
		}
	}
	for name := range differences {
		if !named[name] {
			t.Errorf("no row names TestDifferences/%s", name)
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows", rows)
	}
}

// testsOf returns the names of all tests of the course.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, folder := range []string{"cmd", "svmkit", "docs", "tools"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, name := range declared.FindAllStringSubmatch(string(text), -1) {
				tests[name[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tests
}

// svmOK runs our command, which must succeed, and returns both of its outputs.
func (c *trial) svmOK(args ...string) (stdout, stderr string) {
	c.t.Helper()
	stdout, stderr, err := c.run(c.svm, args...)
	if err != nil {
		c.t.Fatalf("svm %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout, stderr
}

// svmRefuses runs our command, which must fail with all of the words in its message.
func (c *trial) svmRefuses(words []string, args ...string) {
	c.t.Helper()
	_, stderr, err := c.run(c.svm, args...)
	if err == nil {
		c.differ("refuses", "svm %s succeeds", strings.Join(args, " "))
		return
	}
	for _, word := range words {
		if !strings.Contains(stderr, word) {
			c.differ("refuses", "svm %s does not name %q: %s", strings.Join(args, " "), word, stderr)
		}
	}
}

// peer runs a program of a peer and reports whether it succeeds.
func (c *trial) peer(program string, args ...string) (stdout string, ok bool) {
	stdout, stderr, err := c.run(program, args...)
	return stdout + stderr, err == nil
}

// peerOK runs a program of a peer, which must succeed.
func (c *trial) peerOK(program string, args ...string) string {
	c.t.Helper()
	out, ok := c.peer(program, args...)
	if !ok {
		c.t.Fatalf("%s %s: %s", program, strings.Join(args, " "), out)
	}
	return out
}

// file writes a file of the trial.
func (c *trial) file(name, text string) { write(c.t, c.folder, name, text) }

// read returns the text of a file of the trial.
func (c *trial) read(name string) string {
	text, err := os.ReadFile(filepath.Join(c.folder, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// rows returns the numbers and the labels of a LIBSVM file, as load_svmlight_file reads them.
func (c *trial) rows(name string) (rows [][]float64, labels []string) {
	d := c.ask(job{Do: "load", Train: filepath.Join(c.folder, name), Columns: c.columns})
	if d.Error != "" {
		c.t.Fatal(d.Error)
	}
	return d.Scores, d.Predicted
}

// values returns the decision values of rows by a model file, as its owner computes them.
func (c *trial) values(load loader, model string, rows ...[]float64) [][]float64 {
	c.t.Helper()
	m, err := load(filepath.Join(c.folder, model))
	if err != nil {
		c.t.Fatal(err)
	}
	defer m.Close()
	return m.Values(c.pairs(rows))
}

// other notes an agreement where the page says that there is a difference.
func (c *trial) other(a, b [][]float64) {
	for i := range a {
		for k := range a[i] {
			if math.Abs(a[i][k]-b[i][k]) > 0.01 {
				return
			}
		}
	}
	c.differ("another", "%v and %v are the same", a, b)
}

// Sets by hand. In three, class 3 comes first; offset has columns far from 0, so that the bias matters.
const (
	three = "3 1:1 2:0.5\n1 1:-1 2:0.2\n2 1:0.1 2:-1\n3 1:1.2\n1 1:-0.8 2:0.1\n2 2:-1.5\n" +
		"3 1:-0.3 2:0.4\n1 1:0.2 2:-0.1\n2 1:0.4 2:0.2\n"
	offset = "0 1:4 2:5\n1 1:6 2:5.5\n0 1:4.5 2:6\n1 1:5.5 2:6.5\n1 1:4.6 2:5\n0 1:5 2:5\n"
)

// points are rows to score.
var points = [][]float64{{1, 0.5}, {-1, 0.3}, {0.2, -1}, {5, 5}, {2, -2}, {0, 0}}

// precise are the flags of fits that end near the optimum.
var (
	ours      = []string{"train", "-json", "-tol", "1e-10", "-o", "ours"}
	libsvm    = []string{"-q", "-e", "1e-8"}
	liblinear = []string{"-q", "-e", "1e-8"}
)

// with returns flags with more behind them.
func with(flags []string, more ...string) []string { return slices.Concat(flags, more) }

// objective: C multiplies the sum, so each row twice and half of C is the same problem, here and there.
func (c *trial) objective() {
	c.file("once", offset)
	c.file("twice", offset+offset)
	c.svmOK(with(ours, "-C", "2", "-libsvm", "a", "once")...)
	c.svmOK(with(ours, "-C", "1", "-libsvm", "b", "twice")...)
	c.peerOK("svm-train", with(libsvm, "-t", "0", "-c", "1", "twice", "theirs")...)
	a, b := c.values(peers.LoadKernel, "a", points...), c.values(peers.LoadKernel, "b", points...)
	theirs := c.values(peers.LoadKernel, "theirs", points...)
	for i := range theirs { // their first label is 0
		theirs[i][0] = -theirs[i][0]
	}
	c.same("twice", a, b, solved)
	c.same("theirs", a, theirs, solved)
}

// biases: free is LIBSVM's, none is LIBLINEAR's default, penalized its -B 1 and LinearSVC.
func (c *trial) biases() {
	c.file("train", strings.Replace(offset, "0 ", "-1 ", -1))
	for _, b := range []struct{ bias, theirs string }{{"none", "-1"}, {"penalized", "1"}} {
		c.svmOK(with(ours, "-bias", b.bias, "-liblinear", b.bias, "train")...)
		c.peerOK("liblinear-train", with(liblinear, "-s", "3", "-B", b.theirs, "train", "theirs")...)
		exported := c.values(peers.LoadLinear, b.bias, points...)
		c.same(b.bias, exported, c.values(peers.LoadLinear, "theirs", points...), solved)
	}
	c.svmOK(with(ours, "-libsvm", "default", "train")...)
	c.peerOK("svm-train", with(libsvm, "-t", "0", "train", "theirs")...)
	free := c.values(peers.LoadKernel, "default", points...)
	theirs := c.values(peers.LoadKernel, "theirs", points...)
	c.same("free", free, theirs, solved)
	c.other(free, c.values(peers.LoadLinear, "none", points...))
	c.other(free, c.values(peers.LoadLinear, "penalized", points...))
}

// classOrder: theirs have the labels in the order of the first rows, ours by value.
func (c *trial) classOrder() {
	c.classes = []int{1, 2, 3}
	c.file("train", three+three+three)
	c.peerOK("svm-train", "-q", "-t", "0", "-b", "1", "train", "theirs")
	theirs := c.theirs("svm-predict", "theirs", "train", c.names(), true)
	if head := strings.SplitN(c.read("predicted"), "\n", 2)[0]; head != "labels 3 1 2" {
		c.t.Errorf("svm-predict has %q", head)
	}
	p := predictor{model: "theirs", test: "train", classes: c.names(), scores: true, probabilities: true}
	got, err := c.ours(p)
	if err != nil {
		c.t.Fatal(err)
	}
	c.same("probability", got.probabilities, theirs.probabilities, coupled)
	rows, _ := c.rows("train")
	c.api("theirs", rows, got, c.names())
}

// zeroScore: a score of exactly 0 predicts the second label of a file of LIBSVM or LIBLINEAR, an outlier of one
// class, and the second class of an SVC but the first of a LinearSVC. The model of ours has no class for it.
func (c *trial) zeroScore() {
	c.columns = 1
	zero := []float64{0}
	c.file("test", "1\n1 1:1\n")
	for _, labels := range [][2]string{{"1", "2"}, {"2", "1"}, {"1", "-1"}} {
		c.file("train", labels[0]+" 1:1\n"+labels[1]+" 1:-1\n")
		for _, f := range []struct {
			family string
			load   loader
			flags  []string
		}{
			{"svm", peers.LoadKernel, []string{"-t", "0"}}, {"svm", peers.LoadKernel, []string{"-t", "0", "-s", "1"}},
			{"liblinear", peers.LoadLinear, []string{"-s", "1"}}, {"liblinear", peers.LoadLinear, []string{"-s", "0"}},
			{"liblinear", peers.LoadLinear, []string{"-s", "4"}},
		} {
			c.peerOK(f.family+"-train", with(f.flags, "-q", "train", "theirs")...)
			theirs := c.theirs(f.family+"-predict", "theirs", "test", labels[:], false)
			out, _ := c.svmOK("predict", "theirs", "test")
			if score := c.values(f.load, "theirs", zero)[0][0]; score != 0 || theirs.class[0] != labels[1] {
				c.differ("peer", "score %v, class %q", score, theirs.class)
			}
			if out != strings.Join(theirs.class, "\n")+"\n" {
				c.differ("class", "ours %q, theirs %q", out, theirs.class)
			}
		}
		c.svmOK("train", "-tol", "1e-9", "-o", "ours", "train")
		if out, _ := c.svmOK("predict", "ours", "test"); out != "?\n"+labels[0]+"\n" {
			c.differ("ours", "%q", out)
		}
	}
	c.file("train", "1 1:1\n1 1:1\n")
	c.peerOK("svm-train", "-q", "-s", "2", "-t", "0", "train", "theirs")
	theirs := c.theirs("svm-predict", "theirs", "train", nil, false)
	if out, _ := c.svmOK("predict", "-scores", "theirs", "train"); theirs.class[0] != "-1" || !strings.Contains(out, "\n-1 0\n") {
		c.differ("one class", "ours %q, theirs %q", out, theirs.class)
	}
	for kind, want := range map[string]string{"SVC": "2", "NuSVC": "2", "LinearSVC": "1", "OneClassSVM": "-1"} {
		j := job{Do: "fit", Kind: kind, X: [][]float64{{1}, {-1}}, Names: []string{"1", "2"}, Test: [][]float64{{0}, {1}},
			Save: filepath.Join(c.folder, "json"), Params: map[string]any{"kernel": "linear"}}
		switch kind {
		case "LinearSVC":
			j.Params = map[string]any{"fit_intercept": false}
		case "OneClassSVM":
			j.X, j.Test = [][]float64{{1}, {1}}, [][]float64{{1}, {2}}
		}
		d := c.ask(j)
		c.file("csv", csvText(j.Test.([][]float64), true))
		out, _ := c.svmOK("predict", "-unlabelled", "json", "csv")
		if d.Error != "" || d.Scores[0][0] != 0 || d.Predicted[0] != want || out != strings.Join(d.Predicted, "\n")+"\n" {
			c.differ(kind, "ours %q, theirs %q with the scores %v %s", out, d.Predicted, d.Scores, d.Error)
		}
	}
}

// equalProbabilities: of two equal probabilities svm-predict -b 1 predicts the first label of the file, and
// liblinear-predict -b 1 the class without -b. Ours is the class of the score.
func (c *trial) equalProbabilities() {
	c.file("test", "1\n1 1:1\n")
	c.file("train", "2 1:1\n1 1:-1\n")
	c.peerOK("liblinear-train", "-q", "-s", "0", "train", "theirs")
	theirs := c.theirs("liblinear-predict", "theirs", "test", []string{"1", "2"}, true)
	if out, _ := c.svmOK("predict", "-by-probability", "theirs", "test"); out != "1\n2\n" || !slices.Equal(theirs.class, []string{"1", "2"}) {
		c.differ("LIBLINEAR", "ours %q, theirs %q", out, theirs.class)
	}
	c.peerOK("svm-train", "-q", "-t", "0", "train", "plain")
	c.file("theirs", strings.Replace(c.read("plain"), "nr_sv", "probA -1\nprobB 0\nnr_sv", 1))
	theirs = c.theirs("svm-predict", "theirs", "test", []string{"1", "2"}, true)
	if out, _ := c.svmOK("predict", "-by-probability", "theirs", "test"); out != "1\n2\n" || !slices.Equal(theirs.class, []string{"2", "2"}) {
		c.differ("LIBSVM", "ours %q, theirs %q", out, theirs.class)
	}
}

// classAndProbability: the class of svm-predict -b 1 is that of the largest probability; ours is that
// of the score, unless -by-probability says otherwise.
func (c *trial) classAndProbability() {
	c.classes = []int{0, 1}
	for try := range uint64(50) {
		rng := rand.New(rand.NewPCG(try, 0))
		var b strings.Builder
		for i := range 14 {
			fmt.Fprintf(&b, "%d 1:%.3f 2:%.3f\n", i%2, rng.NormFloat64(), rng.NormFloat64()+0.3*float64(i%2))
		}
		c.file("train", b.String())
		c.peerOK("svm-train", "-q", "-b", "1", "train", "theirs")
		byScore := c.theirs("svm-predict", "theirs", "train", c.names(), false)
		byProbability := c.theirs("svm-predict", "theirs", "train", c.names(), true)
		if slices.Equal(byScore.class, byProbability.class) {
			continue
		}
		p := predictor{model: "theirs", test: "train", classes: c.names()}
		got, err := c.ours(p)
		if err != nil {
			c.t.Fatal(err)
		}
		c.sameClasses("class", got.class, byScore.class, nil)
		c.byProbability(p, byProbability)
		return
	}
	c.t.Error("class and probability agree in 50 sets")
}

// indexBase: LIBSVM takes an index 0 for a column, LIBLINEAR refuses it, and so do we without -zero-based.
func (c *trial) indexBase() {
	text := strings.NewReplacer(" 1:", " 0:", " 2:", " 1:").Replace(offset)
	c.file("train", text)
	c.peerOK("svm-train", with(libsvm, "-t", "0", "train", "theirs")...)
	if _, ok := c.peer("liblinear-train", "-q", "train", "linear"); ok {
		c.differ("liblinear", "an index of 0 is accepted")
	}
	c.svmRefuses([]string{"train", "-zero-based"}, "train", "train")
	c.direction += ", zero-based"
	c.svmOK(with(ours, "-zero-based", "-libsvm", "exported", "train")...)
	theirs := c.theirs("svm-predict", "theirs", "train", []string{"0", "1"}, false)
	exported := c.theirs("svm-predict", "exported", "train", []string{"0", "1"}, false)
	c.sameClasses("class", exported.class, theirs.class, nil)
	got, err := c.ours(predictor{model: "theirs", test: "train", flags: []string{"-zero-based"}})
	if err != nil {
		c.differ("svm predict", "%v", err)
		return
	}
	c.sameClasses("class", got.class, theirs.class, nil)
}

// explicitZeros: a zero that is written changes no fit, here or there.
func (c *trial) explicitZeros() {
	c.file("without", three)
	zeros := strings.NewReplacer("3 1:1.2\n", "3 1:1.2 2:0\n", "2 2:-1.5", "2 1:0 2:-1.5")
	c.file("with", zeros.Replace(three))
	for _, name := range []string{"without", "with"} {
		c.svmOK(with(ours, "-multi", "ovo", "-libsvm", name+".ours", name)...)
		c.peerOK("svm-train", with(libsvm, "-t", "0", name, name+".theirs")...)
	}
	for _, whose := range []string{".ours", ".theirs"} {
		with := c.values(peers.LoadKernel, "with"+whose, points...)
		c.same("score", with, c.values(peers.LoadKernel, "without"+whose, points...), solved)
	}
}

// missingValues: svm-train takes a NaN for a number, and we refuse it.
func (c *trial) missingValues() {
	c.file("train", "1 1:nan\n2 1:2\n1 1:1\n2 1:3\n")
	c.peerOK("svm-train", "-q", "train", "theirs")
	c.svmRefuses([]string{"train", "line 1", "-skip-missing"}, "train", "train")
	c.file("whole", offset)
	c.svmOK("train", "-o", "ours", "whole")
	c.file("label", strings.Replace(offset, "0 ", "nan ", 1))
	if _, stderr := c.svmOK("predict", "ours", "label"); !strings.Contains(stderr, "there is no label for 1 row") {
		c.differ("label", "%q", stderr)
	}
	c.peerOK("svm-train", "-q", "whole", "theirs")
	if out := c.peerOK("svm-predict", "label", "theirs", "predicted"); !strings.Contains(out, "/6)") {
		c.differ("svm-predict", "%q", out)
	}
	c.file("infinite", "1 1:inf\n2 1:2\n1 1:1\n2 1:3\n")
	c.peerOK("svm-train", "-q", "infinite", "theirs")
	c.svmRefuses([]string{"infinite", "line 1", "not a finite number"}, "train", "-skip-missing", "infinite")
	_, stderr := c.svmOK("train", "-o", "ours", "-skip-missing", "train")
	if !strings.Contains(stderr, "1 row left out") {
		c.differ("skip", "%q", stderr)
	}
}

// brokenModels: svm-predict takes a model that was cut off, and one with NaN; we refuse both.
func (c *trial) brokenModels() {
	c.file("train", offset)
	c.peerOK("svm-train", "-q", "-t", "0", "train", "theirs")
	model := c.read("theirs")
	c.file("cut", model[:len(model)*3/4])
	c.file("nan", regexp.MustCompile(`rho \S+`).ReplaceAllString(model, "rho -nan"))
	c.file("sigmoid", strings.Replace(model, "nr_sv", "probA nan\nprobB 0\nnr_sv", 1))
	for _, name := range []string{"cut", "nan", "sigmoid"} {
		c.peerOK("svm-predict", "train", name, "predicted")
		c.svmRefuses([]string{name}, "predict", name, "train")
	}
	c.file("far", "solver_type L2R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 1\nbias -1\nw\n-1e3 -1e3 -1e3 \n")
	c.file("row", "1 1:1\n")
	c.peerOK("liblinear-predict", "-b", "1", "row", "far", "predicted")
	if !strings.Contains(c.read("predicted"), "nan") {
		c.differ("liblinear-predict", "%s", c.read("predicted"))
	}
	c.svmRefuses([]string{"row 1", "not numbers"}, "predict", "-probability", "far", "row")
}

// unknownClass: a test row of a class that training did not have is wrong, here and there, and named here.
func (c *trial) unknownClass() {
	c.direction += ", a new class"
	c.file("train", offset)
	c.file("test", offset+"7 1:4 2:5\n")
	c.peerOK("svm-train", "-q", "-t", "0", "train", "theirs")
	theirs := c.theirs("svm-predict", "theirs", "test", []string{"0", "1"}, false)
	got, err := c.ours(predictor{model: "theirs", test: "test", classes: []string{"0", "1"}})
	if err != nil {
		c.differ("numbers", "%v", err)
		return
	}
	if got.right != theirs.right || got.rows != theirs.rows {
		c.differ("accuracy", "ours %d of %d, theirs %d of %d", got.right, got.rows, theirs.right, theirs.rows)
	}
	named := strings.NewReplacer("\n0 ", "\nno ", "\n1 ", "\nyes ", "\n7 ", "\nperhaps ")
	c.file("train", strings.TrimPrefix(named.Replace("\n"+offset), "\n"))
	c.file("test", strings.TrimPrefix(named.Replace("\n"+offset+"7 1:4 2:5\n"), "\n"))
	c.svmOK("train", "-o", "ours", "train")
	out, stderr, err := c.run(c.svm, "predict", "ours", "test")
	says := strings.Contains(stderr, "perhaps") && strings.Contains(stderr, "of 7 rows")
	if err != nil || strings.Count(out, "\n") != 7 || !says {
		c.differ("names", "%v: %s%s", err, out, stderr)
	}
}

// labelSpelling: 1 and 1.0 in one training file are one class there and refused here; in two files
// they are one class.
func (c *trial) labelSpelling() {
	c.file("mixed", strings.Replace(offset, "\n1 ", "\n1.0 ", 1))
	c.peerOK("svm-train", "-q", "-t", "0", "mixed", "theirs")
	c.svmRefuses([]string{`"1.0"`, `"1"`}, "train", "mixed")
	c.file("train", offset)
	c.file("test", strings.ReplaceAll(offset, "\n1 ", "\n+1.0 "))
	c.svmOK(with(ours, "train")...)
	_, plain := c.svmOK("predict", "ours", "train")
	_, stderr := c.svmOK("predict", "ours", "test")
	if stderr != plain || !strings.Contains(stderr, "of 6 rows") {
		c.differ("two files", "%q and %q", stderr, plain)
	}
}

// labelNumbers: theirs cut labels to integers and refuse names; ours take both, and refuse to write
// them in their format.
func (c *trial) labelNumbers() {
	c.file("train", "1.2 1:1\n1.7 1:2\n1.2 1:0.5\n1.7 1:3\n")
	c.peerOK("svm-train", "-q", "-t", "0", "train", "theirs")
	if !strings.Contains(c.read("theirs"), "label 1\n") {
		c.differ("svm-train", "%s", c.read("theirs"))
	}
	out, _ := c.svmOK("train", "-o", "ours", "train")
	if !strings.Contains(out, "1.2") || !strings.Contains(out, "1.7") {
		c.differ("classes", "%s", out)
	}
	c.peerOK("liblinear-train", "-q", "train", "theirs")
	if !strings.Contains(c.read("theirs"), "label 1\n") {
		c.differ("liblinear-train", "%s", c.read("theirs"))
	}
	c.svmRefuses([]string{"integers", "1.2"}, "train", "-liblinear", "exported", "train")
	c.file("names", "ham 1:1\nspam 1:2\nham 1:0.5\nspam 1:3\n")
	for _, program := range []string{"svm-train", "liblinear-train"} {
		if _, ok := c.peer(program, "-q", "names", "theirs"); ok {
			c.differ(program, "takes names")
		}
	}
	c.svmOK("train", "-o", "ours", "names")
	c.svmRefuses([]string{"integers", "ham"}, "train", "-libsvm", "exported", "names")
}

// minusOne: 0 and 1 mean what −1 and 1 mean. The score of LIBSVM has the sign of the first label, ours
// that of the higher.
func (c *trial) minusOne() {
	c.classes = []int{0, 1}
	c.file("zero", offset)
	c.file("signs", strings.TrimPrefix(strings.ReplaceAll("\n"+offset, "\n0 ", "\n-1 "), "\n"))
	var scores [2][][]float64
	for k, name := range []string{"zero", "signs"} {
		classes := [][]string{{"0", "1"}, {"-1", "1"}}[k]
		c.peerOK("svm-train", with(libsvm, "-t", "0", name, "theirs")...)
		got, err := c.ours(predictor{model: "theirs", test: name, classes: classes, scores: true})
		if err != nil {
			c.t.Fatal(err)
		}
		scores[k] = got.scores
	}
	c.same("score", scores[0], scores[1], 1e-6)
	// A row of class 1; label 1 is the first of −1 and 1, and label 0 of 0 and 1.
	if c.values(peers.LoadKernel, "theirs", []float64{6, 6})[0][0] < 0 {
		c.differ("sign", "of LIBSVM's −1 and 1")
	}
	c.peerOK("svm-train", with(libsvm, "-t", "0", "zero", "theirs")...)
	if c.values(peers.LoadKernel, "theirs", []float64{6, 6})[0][0] > 0 {
		c.differ("sign", "of LIBSVM's 0 and 1")
	}
}

// manyClasses: LIBSVM and SVC are one-vs-one, LIBLINEAR and we one-vs-rest unless told otherwise.
func (c *trial) manyClasses() {
	c.file("train", three)
	train := []string{"train", "-o", "ours"}
	for says, flags := range map[string][]string{"one-vs-rest": train, "one-vs-one": with(train, "-multi", "ovo"),
		"Crammer–Singer": with(train, "-multi", "cs")} {
		if out, _ := c.svmOK(with(flags, "train")...); !strings.Contains(out, says) {
			c.differ("strategy", "%q without %q", out, says)
		}
	}
	c.svmRefuses([]string{"-multi ovo"}, "train", "-libsvm", "exported", "train")
}

// classWeights: LIBLINEAR weighs the rest as 1 in each of its problems; ours weighs each row by its own
// class.
func (c *trial) classWeights() {
	linear := func(name, solver string, more ...string) (a, b [][]float64) {
		weighted := with(ours, "-bias", "none", "-class-weight", "1=5", "-liblinear", "exported")
		c.svmOK(append(with(weighted, more...), name)...)
		c.peerOK("liblinear-train", with(liblinear, "-s", solver, "-w1", "5", name, "theirs")...)
		a = c.values(peers.LoadLinear, "exported", points...)
		return a, c.values(peers.LoadLinear, "theirs", points...)
	}
	c.file("two", "2 1:0.1 2:-1\n1 1:-1 2:0.2\n1 1:-0.8 2:0.1\n2 2:-1.5\n1 1:0.2 2:-0.1\n2 1:0.4 2:0.2\n")
	a, b := linear("two", "3")
	c.same("two classes", a, b, solved)
	if out, ok := c.peer("svm-train", "-q", "-w7", "5", "two", "theirs"); !ok || !strings.Contains(out, "class label 7") {
		c.differ("svm-train -w7", "%s", out)
	}
	c.svmRefuses([]string{"-class-weight", `class "7"`}, "train", "-class-weight", "7=5", "two")
	// With class 1 first, both have the labels in one order.
	c.file("many", "1 1:0.2 2:-0.1\n2 1:0.1 2:-1\n"+three)
	a, b = linear("many", "4", "-multi", "cs")
	c.same("Crammer–Singer", a, b, solved)
	a, b = linear("many", "3", "-multi", "ovr")
	c.other(a, b)
	rows, names := c.rows("many")
	d := c.ask(job{Do: "fit", Kind: "LinearSVC", X: rows, Names: names, Test: points,
		Save: filepath.Join(c.folder, "json"), ClassWeight: map[string]float64{"1": 5},
		Params: map[string]any{"loss": "hinge", "fit_intercept": false, "tol": 1e-8, "max_iter": 1000000}})
	c.same("LinearSVC", d.Scores, b, solved)
}

// tolerance: -tol is the relative gap between the objective and its bound, -e a violation of conditions.
func (c *trial) tolerance() {
	c.file("train", offset)
	objective := func(tol string) (primal, dual float64) {
		out, _ := c.svmOK("train", "-json", "-C", "100", "-tol", tol, "-o", "ours", "train")
		var report struct{ Primal, Dual float64 }
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			c.t.Fatal(err)
		}
		return report.Primal, report.Dual
	}
	best, _ := objective("1e-12")
	for _, tol := range []string{"0.1", "1e-3", "1e-6"} {
		primal, dual := objective(tol)
		var of float64
		fmt.Sscan(tol, &of)
		if !(dual <= best*(1+1e-9) && primal >= best*(1-1e-9) && primal-dual <= of*max(1, primal)*(1+1e-9)) {
			c.differ("gap", "-tol %s: between %g and %g, optimum %g", tol, dual, primal, best)
		}
	}
}

// gammas: 1/d is LIBSVM's default, 1/(d·variance) is scikit-learn's, and ours for rbf; poly has 1.
func (c *trial) gammas() {
	c.file("train", offset)
	gamma := func(model string) float64 {
		var v float64
		_, rest, _ := strings.Cut(c.read(model), "\ngamma ")
		fmt.Sscan(rest, &v)
		return v
	}
	rows := make([][]float64, 0, 6)
	sum, squares := 0.0, 0.0
	for line := range strings.Lines(offset) {
		var y int
		var a, b float64
		fmt.Sscanf(line, "%d 1:%g 2:%g", &y, &a, &b)
		rows = append(rows, []float64{a, b})
		sum, squares = sum+a+b, squares+a*a+b*b
	}
	n := float64(2 * len(rows))
	scale := 1 / (2 * (squares/n - sum*sum/n/n))
	d := c.ask(job{Do: "fit", Kind: "SVC", X: rows, Names: []string{"0", "1", "0", "1", "1", "0"}, Test: rows,
		Save: filepath.Join(c.folder, "json")})
	var svc struct{ Gamma float64 }
	if err := json.Unmarshal([]byte(c.read("json")), &svc); err != nil || !(math.Abs(svc.Gamma-scale) < 1e-9) {
		c.differ("scikit-learn", "%v %s: %g, want %g", err, d.Error, svc.Gamma, scale)
	}
	c.peerOK("svm-train", "-q", "train", "theirs")
	c.svmOK("train", "-kernel", "rbf", "-libsvm", "rbf", "-o", "ours", "train")
	c.svmOK("train", "-kernel", "poly", "-libsvm", "poly", "-o", "ours", "train")
	if math.Abs(gamma("theirs")-0.5) > 1e-9 || math.Abs(gamma("rbf")-scale) > 1e-9 || gamma("poly") != 1 {
		c.differ("default", "LIBSVM %g, rbf %g, want %g, poly %g",
			gamma("theirs"), gamma("rbf"), scale, gamma("poly"))
	}
}

// blankLines: svm-train refuses a blank line, ours skips it; a line with a label alone is an empty row
// for all.
func (c *trial) blankLines() {
	c.file("blank", strings.Replace(offset, "\n1 ", "\n\n1 ", 1))
	if _, ok := c.peer("svm-train", "-q", "-t", "0", "blank", "theirs"); ok {
		c.differ("svm-train", "takes a blank line")
	}
	if out, _ := c.svmOK("train", "-o", "ours", "blank"); !strings.Contains(out, "rows n            6") {
		c.differ("rows", "%s", out)
	}
	if rows, _ := c.rows("blank"); len(rows) != 6 {
		c.differ("load_svmlight_file", "%d rows", len(rows))
	}
	c.file("labels", "1\n0\n")
	c.svmRefuses([]string{"labels"}, "predict", "ours", "labels")
	c.file("nothing", "")
	c.svmRefuses([]string{"nothing: no rows"}, "predict", "ours", "nothing")
	c.file("empty", offset+"1\n")
	c.peerOK("svm-train", "-q", "-t", "0", "empty", "theirs")
	if out, _ := c.svmOK("train", "-o", "ours", "empty"); !strings.Contains(out, "rows n            7") {
		c.differ("rows", "%s", out)
	}
}

// regression is a set with targets.
const regression = "0.5 1:1 2:2\n1.25 1:2 2:1\n-0.75 1:-1 2:0.5\n" +
	"2.5 1:3 2:1.5\n-1.5 1:-2 2:-1\n0.125 2:0.25\n"

// epsilons: 0.1 for all but LinearSVR, and but the zero value in Go.
func (c *trial) epsilons() {
	c.file("train", regression)
	c.peerOK("svm-train", with(libsvm, "-s", "3", "-t", "0", "train", "theirs")...)
	c.svmOK(with(ours, "-loss", "eps-insensitive", "-libsvm", "default", "train")...)
	c.svmOK(with(ours, "-loss", "eps-insensitive", "-epsilon", "0", "-libsvm", "zero", "train")...)
	theirs := c.values(peers.LoadKernel, "theirs", points...)
	c.same("default", c.values(peers.LoadKernel, "default", points...), theirs, solved)
	c.other(c.values(peers.LoadKernel, "zero", points...), theirs)
	rows, _ := c.rows("train")
	d := c.ask(job{Do: "fit", Kind: "LinearSVR", X: rows, Y: []float64{0.5, 1.25, -0.75, 2.5, -1.5, 0.125},
		Params: map[string]any{"fit_intercept": false, "tol": 1e-8, "max_iter": 1000000}, Test: points,
		Save: filepath.Join(c.folder, "json")})
	flags := with(ours, "-loss", "eps-insensitive", "-epsilon", "0", "-bias", "none")
	c.svmOK(with(flags, "-liblinear", "none", "train")...)
	c.same("LinearSVR", c.values(peers.LoadLinear, "none", points...), d.Scores, solved)
}

// targets: svm-train makes classes of the integers below targets, scikit-learn and we refuse.
func (c *trial) targets() {
	var b strings.Builder
	var x [][]float64
	var y []string
	for i := range 30 {
		v := math.Sin(float64(i)) * 10
		fmt.Fprintf(&b, "%.6f 1:%d\n", v, i+1)
		x, y = append(x, []float64{float64(i)}), append(y, fmt.Sprintf("%.6f", v))
	}
	c.file("train", b.String())
	c.peerOK("svm-train", "-q", "train", "theirs")
	d := c.ask(job{Do: "fit", Kind: "SVC", X: x, Names: y, Test: x, Save: filepath.Join(c.folder, "json")})
	if !strings.Contains(d.Error, "continuous") {
		c.differ("scikit-learn", "%q", d.Error)
	}
	c.svmRefuses([]string{"eps-insensitive"}, "train", "train")
	// The rule: all are numbers, and there are three or more with a fraction, or more than 32.
	labels := func(n int, fraction string) string {
		var b strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&b, "%d%s 1:%d\n", i%n, fraction, i%n)
		}
		return b.String()
	}
	for _, s := range []struct {
		name, text string
		targets    bool
	}{{"two", labels(2, ".5"), false}, {"three", labels(3, ".5"), true}, {"whole", labels(32, ""), false}, {"many", labels(33, ""), true},
		{"named", labels(3, ".5") + "x 1:9\nx 1:8\n", false}} {
		c.file(s.name, s.text)
		if s.targets {
			c.svmRefuses([]string{"use -loss eps-insensitive", "use -multi ovr"}, "train", "-o", "ours", s.name)
			c.svmOK("train", "-multi", "ovr", "-o", "ours", s.name)
		} else {
			c.svmOK("train", "-o", "ours", s.name)
		}
	}
	d = c.ask(job{Do: "fit", Kind: "SVC", X: x[:4], Names: []string{"0.5", "1.5", "0.5", "1.5"}, Test: x, Save: filepath.Join(c.folder, "json")})
	if !strings.Contains(d.Error, "continuous") {
		c.differ("scikit-learn, two", "%q", d.Error)
	}
}

// singleClass: the peers train on one class, except scikit-learn, and predict it; we refuse both.
func (c *trial) singleClass() {
	c.file("train", "3 1:1\n3 1:2\n")
	for _, family := range []string{"svm", "liblinear"} {
		c.peerOK(family+"-train", "-q", "train", "theirs")
		c.peerOK(family+"-predict", "train", "theirs", "predicted")
		if c.read("predicted") != "3\n3\n" {
			c.differ(family, "%q", c.read("predicted"))
		}
		c.svmRefuses([]string{"theirs", "1 classes"}, "predict", "theirs", "train")
	}
	c.svmRefuses([]string{"train", "only one class"}, "train", "-o", "ours", "train")
	d := c.ask(job{Do: "fit", Kind: "SVC", X: [][]float64{{1}, {2}}, Names: []string{"3", "3"}, Test: points, Save: filepath.Join(c.folder, "json")})
	if !strings.Contains(d.Error, "number of classes") {
		c.differ("scikit-learn", "%q", d.Error)
	}
}

// precomputed: no kernel and no model of ours has the values of a kernel in place of rows.
func (c *trial) precomputed() {
	c.file("train", "1 0:1 1:2 2:0\n2 0:2 1:0 2:2\n")
	c.peerOK("svm-train", "-q", "-t", "4", "train", "theirs")
	c.svmRefuses([]string{"theirs", "precomputed"}, "predict", "-zero-based", "theirs", "train")
	c.svmRefuses([]string{"linear", "rbf"}, "train", "-kernel", "precomputed", "-zero-based", "train")
}

// shrinking: the certificate is that of all rows, so shrinking does not change what a tolerance means.
func (c *trial) shrinking() {
	rng := rand.New(rand.NewPCG(5, 5))
	var data svmkit.Dataset
	for range 80 {
		x := []float64{rng.NormFloat64(), rng.NormFloat64()}
		data.X = append(data.X, svmkit.Dense(x...))
		data.Y = append(data.Y, math.Copysign(1, x[0]+rng.NormFloat64()))
	}
	data.Dim = 2
	var scores [2][][]float64
	for k, shrink := range []bool{true, false} {
		p := svm.Problem{Data: &data, Kernel: kernel.RBF{Gamma: 1}, C: svm.PerSum(10)}
		m, err := svm.Fit(c.t.Context(), &p, svm.SMO{NoShrinking: !shrink}, &svm.Settings{Tol: 1e-9})
		if err != nil || m.RelativeGap() > 1e-9 {
			c.t.Fatal(m, err)
		}
		for _, x := range points {
			scores[k] = append(scores[k], []float64{m.Score(svmkit.Dense(x...))})
		}
	}
	c.same("score", scores[0], scores[1], solved)
}

// seeds: the same seed and any number of threads give the same bytes; probabilities depend on the seed.
func (c *trial) seeds() {
	c.file("train", three+three+three)
	fit := func(name string, flags ...string) string {
		c.svmOK(slices.Concat([]string{"train", "-multi", "ovo", "-kernel", "rbf", "-probability"}, flags,
			[]string{"-o", name, "train"})...)
		return c.read(name)
	}
	first := fit("a")
	if fit("b", "-threads", "1") != first || fit("d", "-seed", "1") != first {
		c.differ("same seed", "another model")
	}
	if fit("e", "-seed", "2") == first {
		c.differ("another seed", "the same model")
	}
	c.peerOK("svm-train", "-q", "-b", "1", "train", "x")
	c.peerOK("svm-train", "-q", "-b", "1", "train", "y")
	if c.read("x") != c.read("y") {
		c.differ("svm-train", "two models of one file")
	}
}

// moreColumns: theirs ignore columns that no training row has; so do their models here, and ours with
// -more-columns.
func (c *trial) moreColumns() {
	c.file("train", offset)
	c.file("test", "1 1:6 2:5 3:100\n")
	c.peerOK("svm-train", "-q", "-t", "0", "train", "theirs")
	c.peerOK("svm-predict", "test", "theirs", "predicted")
	c.svmOK("train", "-o", "ours", "train")
	c.svmOK("predict", "theirs", "test")
	c.svmRefuses([]string{"test", "-more-columns"}, "predict", "ours", "test")
	c.svmOK("predict", "-more-columns", "ours", "test")
}

// scaling: svm-scale moves the zeros that a sparse file does not have; ours wants -dense for that.
func (c *trial) scaling() {
	c.file("train", three)
	c.svmRefuses([]string{"-dense"}, "scale", "-kind", "minmax", "-low", "-1", "train")
	theirs, _, err := c.run("svm-scale", "-l", "-1", "train")
	if err != nil {
		c.t.Fatal(err)
	}
	ours, _ := c.svmOK("scale", "-kind", "minmax", "-low", "-1", "-dense", "-format", "libsvm", "train")
	c.file("theirs", theirs)
	c.file("ours", ours)
	var rows [2][][]float64
	for k, name := range []string{"ours", "theirs"} {
		d := c.ask(job{Do: "load", Train: filepath.Join(c.folder, name), Columns: 2})
		rows[k] = d.Scores
	}
	c.same("scaled", rows[0], rows[1], printed)
}

// scoresOfManyClasses: one score a class here, the sum over its pairs; SVC has votes, or all pairs.
func (c *trial) scoresOfManyClasses() {
	c.classes = []int{1, 2, 3}
	c.file("train", three)
	c.peerOK("svm-train", "-q", "-t", "0", "train", "theirs")
	got, err := c.ours(predictor{model: "theirs", test: "train", classes: c.names(), scores: true})
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := peers.LoadKernel(filepath.Join(c.folder, "theirs"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer m.Close()
	rows, _ := c.rows("train")
	sums3, _ := valuesOf(m, c.pairs(rows), c.names(), true)
	c.same("score", got.scores, sums3, sums)
}

// categories: a category that no training row has is no column, for both; numbers are compared as numbers.
func (c *trial) categories() {
	c.file("train", "zone,y\n1,no\n2,yes\n1,no\n2,yes\n")
	c.file("unseen", "zone,y\n3,no\n")
	c.svmOK("train", "-categorical", "zone", "-label", "y", "-o", "ours", "train")
	c.svmOK("predict", "ours", "unseen")
	c.file("points", "zone,y\n1.0,no\n2.0,yes\n")
	c.direction = "a table, categories 1 and 1.0"
	out, stderr := c.svmOK("predict", "ours", "points")
	if out != "no\nyes\n" {
		c.differ("class", "%q", out)
	}
	if _, stderr2 := c.svmOK("predict", "ours", "unseen"); !strings.Contains(stderr2, "zone") {
		c.differ("unseen", "not a word: %q, %q", stderr, stderr2)
	}
}

// biasOfBounds: without a free support vector a whole interval of biases is optimal; both are within.
func (c *trial) biasOfBounds() {
	c.file("train", "1 1:1\n-1 1:-1\n1 1:0.5\n-1 1:-0.5\n")
	c.report, _ = c.svmOK(with(ours, "-C", "0.01", "-libsvm", "exported", "train")...)
	c.peerOK("svm-train", with(libsvm, "-t", "0", "-c", "0.01", "train", "theirs")...)
	a, b := c.values(peers.LoadKernel, "exported", points...), c.values(peers.LoadKernel, "theirs", points...)
	c.sameUpToBias("score", a, b)
	for _, f := range []float64{a[5][0], b[5][0]} { // the row of zeros
		if math.Abs(f) > 0.97+1e-6 {
			c.differ("bias", "%g", f)
		}
	}
}
