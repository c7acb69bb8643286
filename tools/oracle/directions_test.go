//go:build peers

package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/tools/internal/peers"
)

// How far numbers may be from each other, relative to the largest or 1.
const (
	sums    = 1e-7 // the same products in another order; the coefficients of a ν-SVC can be large
	printed = 1e-5 // svm-predict -b 1 prints six digits
	// LIBSVM iterates to the probabilities of K classes, for two as well, until its conditions hold to 0.005/K
	// (multiclass_probability in svm.cpp); ours are the solution.
	coupled = 0.005
	// Both solve the same problem, ours to a relative gap of 1e-10, theirs to 1e-8 of their own measure.
	solved = 5e-3
)

// directions are the ways in which a set goes.
var directions = []struct {
	name string
	run  func(*trial)
}{
	{"a model of LIBSVM in svm predict", (*trial).modelOfLIBSVM},
	{"a model of LIBLINEAR in svm predict", (*trial).modelOfLIBLINEAR},
	{"a model of scikit-learn in svm predict", (*trial).modelOfScikitLearn},
	{"a model of ours in svm-predict", (*trial).oursInLIBSVM},
	{"a model of ours in liblinear-predict", (*trial).oursInLIBLINEAR},
	{"one class", (*trial).oneClass},
	{"a table", (*trial).table},
	{"files of scikit-learn", (*trial).files},
}

// labelled reports whether the set has classes.
func (s *set) labelled() bool { return s.classes != nil }

// borders extends the name of the direction by what is special about the set's LIBSVM files.
func (c *trial) borders() {
	if c.base == 0 {
		c.direction += ", zero-based"
	}
	if c.blank {
		c.direction += ", a blank after the colon"
	}
}

// zeroBased returns the flag of ours that the set's LIBSVM files need.
func (c *trial) zeroBased() []string {
	if c.base == 0 {
		return []string{"-zero-based"}
	}
	return nil
}

// write writes the LIBSVM files of the set.
func (c *trial) write() {
	write(c.t, c.folder, "train", c.libsvm(c.train, c.rng))
	write(c.t, c.folder, "test", c.libsvm(c.test, c.rng))
}

// drawKernel returns the flags of a kernel for svm-train and for svm train.
func (c *trial) drawKernel() (theirs, ours []string) {
	gamma := short(math.Exp2(float64(c.rng.IntN(4)-3)) / float64(c.columns))
	switch c.rng.IntN(3) {
	case 0:
		return []string{"-t", "0"}, nil
	case 1:
		degree := strconv.Itoa(1 + c.rng.IntN(3))
		return []string{"-t", "1", "-g", gamma, "-d", degree, "-r", "1"},
			[]string{"-kernel", "poly", "-gamma", gamma, "-degree", degree, "-coef0", "1"}
	}
	return []string{"-t", "2", "-g", gamma}, []string{"-kernel", "rbf", "-gamma", gamma}
}

// drawClassWeights returns the flags of weights of some classes for the peers and for svm train.
func (c *trial) drawClassWeights() (theirs, ours []string) {
	if !c.labelled() || c.rng.IntN(3) > 0 {
		return nil, nil
	}
	var list []string
	for _, y := range c.classes {
		if c.rng.IntN(2) == 0 {
			w := short(0.5 + 3*c.rng.Float64())
			theirs = append(theirs, "-w"+strconv.Itoa(y), w)
			list = append(list, strconv.Itoa(y)+"="+w)
		}
	}
	if list != nil {
		ours = []string{"-class-weight", strings.Join(list, ",")}
	}
	return theirs, ours
}

// cost returns a C.
func (c *trial) cost() string { return short(math.Pow(10, float64(c.rng.IntN(3)-1))) }

// trainPeer runs svm-train or liblinear-train, and reports whether it made a model and ended by its own
// tolerance.
func (c *trial) trainPeer(program string, args ...string) bool {
	out, stderr, err := c.run(program, append(args, "train", "theirs")...)
	if err != nil {
		c.refused(program + " refuses")
		return false
	}
	if strings.Contains(out+stderr, "reaching max number of iterations") {
		c.refused(program + " ends at its limit of iterations")
		return false
	}
	return true
}

// accuracies compares the accuracies that the two commands print.
func (c *trial) accuracies(ours, theirs *answer, oneClass bool) {
	if oneClass || slices.ContainsFunc(ours.tied, func(t tie) bool { return t != decided }) {
		return
	}
	if !c.labelled() {
		if !(math.Abs(ours.mse-theirs.mse) <= 1e-4*math.Abs(theirs.mse)+1e-9) {
			c.differ("mean squared error", "ours %g, theirs %g", ours.mse, theirs.mse)
		}
		return
	}
	check := "accuracy"
	if slices.ContainsFunc(c.test.y, func(y float64) bool { return !slices.Contains(c.classes, int(y)) }) {
		check = "accuracy, a new class"
	}
	if ours.right != theirs.right || ours.rows != theirs.rows {
		c.differ(check, "ours %d of %d, theirs %d of %d", ours.right, ours.rows, theirs.right, theirs.rows)
		return
	}
	c.counted(check).same++
}

// newClass gives a test row a class that training does not have.
func (c *trial) newClass() {
	if c.labelled() && c.rng.IntN(6) == 0 {
		c.test.y[c.rng.IntN(len(c.test.y))] = 77
	}
}

// modelOfLIBSVM lets svm-train train, and compares svm predict with svm-predict.
func (c *trial) modelOfLIBSVM() {
	kind, probable := c.rng.IntN(2), c.labelled() && c.rng.IntN(2) == 0 // C-SVC and ν-SVC
	if !c.labelled() {
		kind += 3
	}
	theirKernel, _ := c.drawKernel()
	weights, _ := c.drawClassWeights()
	args := []string{"-q", "-s", strconv.Itoa(kind), "-c", c.cost(), "-n", "0.2"}
	args = slices.Concat(args, theirKernel, weights)
	if probable {
		args = append(args, "-b", "1")
	}
	c.newClass()
	c.borders()
	c.write()
	if c.trainPeer("svm-train", args...) {
		c.compareModel("svm-predict", peers.LoadKernel, probable, c.names())
	}
}

// A loader reads a model by its owner's own reader.
type loader = func(name string) (*peers.Loaded, error)

// compareModel compares predictions by the model "theirs" of LIBSVM or LIBLINEAR for the test file.
func (c *trial) compareModel(program string, load loader, probable bool, classes []string) {
	m, err := load(filepath.Join(c.folder, "theirs"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer m.Close()
	oneClass := c.labelled() && len(m.Labels) == 0
	want := c.theirs(program, "theirs", "test", classes, false)
	want.scores, want.tied = valuesOf(m, c.pairs(c.test.x), classes, program == "svm-predict")
	p := predictor{model: "theirs", test: "test", classes: classes, scores: classes != nil,
		probabilities: probable, flags: c.zeroBased()}
	got, err := c.ours(p)
	switch {
	case err != nil && strings.Contains(c.read("theirs"), "nan"):
		c.refused("a model with NaN, which svm-train has written")
		return
	case c.refusesLabels(err):
		return
	case err != nil:
		c.differ("svm predict", "%v", err)
		return
	}
	got.tied = want.tied
	c.decides(got)
	c.sameNumbersOrClasses(got, want, classes)
	c.accuracies(got, want, oneClass)
	if probable {
		want := c.theirs(program, "theirs", "test", classes, true)
		c.same("probability", got.probabilities, want.probabilities, coupled)
		c.byProbability(p, want)
	}
	if c.base == 1 {
		c.api("theirs", c.test.x, got, classes)
	}
}

// refusesLabels reports whether ours has refused a test file because none of its rows names a column: it is
// not known for a LIBSVM file then.
func (c *trial) refusesLabels(err error) bool {
	if err == nil || strings.Contains(c.read("test"), ":") {
		return false
	}
	c.refused("a file of labels alone")
	return true
}

// sameNumbersOrClasses compares the targets of a regression, or classes and scores.
func (c *trial) sameNumbersOrClasses(got, want *answer, classes []string) {
	if classes == nil {
		c.same("target", columnOf(got.class), want.scores, sums)
		c.same("target", columnOf(got.class), columnOf(want.class), printed)
		return
	}
	c.sameClasses("class", got.class, want.class, want.tied)
	if len(classes) == 2 && len(want.scores[0]) == 2 && len(got.scores[0]) == 1 { // of Crammer and Singer
		for i, v := range want.scores {
			want.scores[i] = []float64{v[1] - v[0]}
		}
	}
	c.same("score", got.scores, want.scores, sums)
}

// columnOf returns numbers as the only column.
func columnOf(words []string) (column [][]float64) {
	for _, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			v = math.NaN()
		}
		column = append(column, []float64{v})
	}
	return column
}

// byProbability compares the classes of -by-probability with those of svm-predict -b 1.
func (c *trial) byProbability(p predictor, want *answer) {
	p.scores, p.probabilities, p.flags = false, false, append(slices.Clone(p.flags), "-by-probability")
	got, err := c.ours(p)
	if err != nil {
		c.differ("class by probability", "%v", err)
		return
	}
	tied := make([]tie, len(want.class))
	for i, row := range want.probabilities {
		sorted := slices.Sorted(slices.Values(row))
		if sorted[len(sorted)-1]-sorted[len(sorted)-2] < 2*coupled {
			tied[i] = rounding
		}
	}
	c.sameClasses("class by probability", got.class, want.class, tied)
}

// modelOfLIBLINEAR lets liblinear-train train, and compares svm predict with liblinear-predict.
func (c *trial) modelOfLIBLINEAR() {
	c.base = 1 // LIBLINEAR has no other
	solvers := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if !c.labelled() {
		solvers = []int{11, 12, 13}
	}
	solver := solvers[c.rng.IntN(len(solvers))]
	weights, _ := c.drawClassWeights()
	bias := []string{"-1", "0", "0.5", "1", "10"}[c.rng.IntN(5)]
	args := slices.Concat([]string{"-q", "-s", strconv.Itoa(solver), "-c", c.cost(), "-B", bias}, weights)
	c.newClass()
	c.borders()
	c.write()
	if c.trainPeer("liblinear-train", args...) {
		c.compareModel("liblinear-predict", peers.LoadLinear, slices.Contains([]int{0, 6, 7}, solver), c.names())
	}
}

// problem draws a problem that LIBSVM or LIBLINEAR solves, too, and returns the flags of both.
func (c *trial) problem(linear bool) (theirs, ours []string) {
	cost := c.cost()
	weights, ourWeights := c.drawClassWeights()
	ours = append([]string{"train", "-json", "-tol", "1e-10", "-max-iterations", "100000", "-C", cost}, ourWeights...)
	theirs = append([]string{"-q", "-e", "1e-8", "-c", cost, "-p", "0.25"}, weights...)
	if !c.labelled() {
		ours = append(ours, "-epsilon", "0.25")
	}
	if !linear {
		k, ourKernel := c.drawKernel()
		if theirs, ours = append(theirs, k...), append(ours, ourKernel...); !c.labelled() {
			return append(theirs, "-s", "3"), append(ours, "-loss", "eps-insensitive")
		}
		if len(c.classes) > 2 {
			ours = append(ours, "-multi", "ovo")
		}
		return append(theirs, "-s", "0"), ours
	}
	bias, multi := "none", "ovr"
	theirBias := "-1"
	if c.rng.IntN(2) == 0 {
		bias, theirBias = "penalized", "1"
	}
	theirs = append(theirs, "-B", theirBias)
	var solver, loss string
	if c.labelled() {
		k := c.rng.IntN(6)
		solver = []string{"0", "7", "1", "2", "3", "4"}[k]
		loss = []string{"logistic", "logistic", "squared-hinge", "squared-hinge", "hinge", "hinge"}[k]
		if solver == "4" {
			multi = "cs"
		}
		if len(c.classes) > 2 || solver == "4" {
			ours = append(ours, "-multi", multi)
		}
	} else {
		k := c.rng.IntN(3)
		solver = []string{"11", "12", "13"}[k]
		loss = []string{"squared-eps-insensitive", "squared-eps-insensitive", "eps-insensitive"}[k]
	}
	theirs = theirs[1:] // -q hides LIBLINEAR's warning
	return append(theirs, "-s", solver), append(ours, "-loss", loss, "-bias", bias)
}

// trainOurs runs svm train, and reports whether it made a model.
func (c *trial) trainOurs(flags ...string) bool {
	c.unfinished = false
	out, stderr, err := c.run(c.svm, append(flags, "-o", "ours", "train")...)
	c.report = out
	if err != nil && c.spelled && strings.Contains(stderr, "spell them alike") {
		c.refused("labels spelled in two ways")
		return false
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 3 {
		c.refused("svm train says that it ends above its tolerance")
		c.unfinished = true
		return true
	}
	if err != nil {
		c.differ("svm train", "%v: %s%s", err, stderr, out)
		return false
	}
	return true
}

// oursInLIBSVM trains by svm train, lets svm-predict predict by its file, and solves the same problem by
// svm-train.
func (c *trial) oursInLIBSVM() {
	theirs, ours := c.problem(false)
	probable := c.labelled() && c.rng.IntN(2) == 0
	if probable {
		ours = append(ours, "-probability")
	}
	c.newClass()
	c.borders()
	c.write()
	if c.trainOurs(slices.Concat(ours, c.zeroBased(), []string{"-libsvm", "exported"})...) {
		c.compareOurs("svm-predict", peers.LoadKernel, probable)
		if c.trainPeer("svm-train", theirs...) {
			c.compareSolutions(peers.LoadKernel, true)
		}
	}
}

// oursInLIBLINEAR is oursInLIBSVM for liblinear-predict and liblinear-train.
func (c *trial) oursInLIBLINEAR() {
	c.base = 1
	theirs, ours := c.problem(true)
	c.newClass()
	c.borders()
	c.write()
	if c.trainOurs(append(ours, "-liblinear", "exported")...) {
		c.compareOurs("liblinear-predict", peers.LoadLinear, false)
		if slices.Contains(ours, "ovr") && slices.Contains(ours, "-class-weight") {
			c.refused("class weights of one-vs-rest are another problem")
		} else if c.trainPeer("liblinear-train", theirs...) {
			c.compareSolutions(peers.LoadLinear, len(c.classes) == 2 && !slices.Contains(ours, "cs"))
		}
	}
}

// compareOurs compares svm predict by our file with the peer's predictor by the file in its format.
func (c *trial) compareOurs(program string, load loader, probable bool) {
	m, err := load(filepath.Join(c.folder, "exported"))
	if err != nil {
		c.differ("load", "%v", err)
		return
	}
	defer m.Close()
	pairwise := program == "svm-predict"
	classes := c.names()
	want := c.theirs(program, "exported", "test", classes, false)
	want.scores, want.tied = valuesOf(m, c.pairs(c.test.x), classes, pairwise)
	if pairwise && len(classes) > 2 { // ours decides a tie by sums of scores, theirs takes the first label
		for i, v := range m.Values(c.pairs(c.test.x)) {
			if votesTie(v, len(classes)) {
				want.tied[i] = rounding
			}
		}
	}
	p := predictor{model: "ours", test: "test", classes: classes, scores: classes != nil,
		probabilities: probable, flags: c.zeroBased()}
	got, err := c.ours(p)
	if c.refusesLabels(err) {
		return
	} else if err != nil {
		c.differ("svm predict", "%v", err)
		return
	}
	got.tied = want.tied
	c.sameNumbersOrClasses(got, want, classes)
	c.accuracies(got, want, false)
	if probable {
		want := c.theirs(program, "exported", "test", classes, true)
		c.same("probability", got.probabilities, want.probabilities, coupled)
		c.byProbability(p, want)
	}
	c.api("ours", c.test.x, got, classes)
	c.compareExported(program, m, want)
}

// compareExported compares svm predict by our file in a peer's format with the peer's own predictor.
func (c *trial) compareExported(program string, m *peers.Loaded, want *answer) {
	classes := c.names()
	want.scores, want.tied = valuesOf(m, c.pairs(c.test.x), classes, program == "svm-predict")
	head, _, _ := strings.Cut(c.read("exported"), "\n")
	probable := strings.Contains(head, "_LR") // LIBLINEAR's logistic regression
	p := predictor{model: "exported", test: "test", classes: classes, scores: classes != nil,
		probabilities: probable, flags: c.zeroBased()}
	got, err := c.ours(p)
	if err != nil {
		c.differ("exported in svm predict", "%v", err)
		return
	}
	c.decides(got)
	c.sameNumbersOrClasses(got, want, classes)
	if probable {
		want := c.theirs(program, "exported", "test", classes, true)
		c.same("probability", got.probabilities, want.probabilities, coupled)
	}
}

// decides notes rows for which a model from a file of a peer predicts no class, as no peer does.
func (c *trial) decides(a *answer) {
	if k := slices.Index(a.class, "?"); k >= 0 {
		c.differ("a class", "row %d: ?", k)
	}
}

// votesTie reports whether two classes have the most votes of the pairs.
func votesTie(values []float64, classes int) bool {
	votes, p := make([]int, classes), 0
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			if values[p] > 0 {
				votes[a]++
			} else {
				votes[b]++
			}
			p++
		}
	}
	slices.Sort(votes)
	return votes[classes-1] == votes[classes-2]
}

// compareSolutions compares the scores of two models of the same problem: "exported" of ours and "theirs".
func (c *trial) compareSolutions(load loader, pairs bool) {
	if c.unfinished {
		return
	}
	var scores [2][][]float64
	for k, name := range []string{"exported", "theirs"} {
		m, err := load(filepath.Join(c.folder, name))
		if err != nil {
			c.t.Fatal(err)
		}
		scores[k] = m.Values(c.pairs(slices.Concat(c.train.x, c.test.x)))
		scores[k] = inOrder(scores[k], m.Labels, pairs)
		m.Close()
	}
	c.sameUpToBias("score of the same problem", scores[0], scores[1])
}

// inOrder brings decision values into the order of labels by value. Of pairs, positive stands for the
// higher one.
func inOrder(values [][]float64, labels []int, pairs bool) [][]float64 {
	n := len(labels)
	if n == 0 {
		return values
	}
	if !pairs {
		order := make([]int, n)
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(labels[a], labels[b]) })
		for i, v := range values {
			values[i] = make([]float64, n)
			for to, from := range order {
				values[i][to] = v[from]
			}
		}
		return values
	}
	sorted := slices.Sorted(slices.Values(labels))
	for i, v := range values {
		ordered, p := make([]float64, len(v)), 0
		for a := range n {
			for b := a + 1; b < n; b++ {
				at, f := 0, v[p]
				low, high := slices.Index(sorted, labels[a]), slices.Index(sorted, labels[b])
				if low < high {
					f = -f
				}
				low, high = min(low, high), max(low, high)
				for k := range low {
					at += n - 1 - k
				}
				ordered[at+high-low-1] = f
				p++
			}
		}
		values[i] = ordered
	}
	return values
}

// sameUpToBias compares the scores of two solutions of one problem. A bias need not be unique if all
// support vectors are at their bounds; a difference that is the same for all rows is then no difference.
func (c *trial) sameUpToBias(check string, ours, theirs [][]float64) {
	for k := range ours[0] {
		var shifts []float64
		size := 1.0
		for i := range ours {
			shifts = append(shifts, ours[i][k]-theirs[i][k])
			size = max(size, math.Abs(theirs[i][k]))
		}
		slices.Sort(shifts)
		middle := shifts[len(shifts)/2]
		if spread := shifts[len(shifts)-1] - shifts[0]; !(spread <= 2*solved*size) {
			c.differ(check, "column %d: differences from %g to %g, scores up to %g",
				k, shifts[0], shifts[len(shifts)-1], size)
			return
		}
		if math.Abs(middle) > solved*size {
			if !c.biasIsFree() {
				c.differ(check, "column %d: the bias differs by %g, scores up to %g", k, middle, size)
				return
			}
			c.refused("the bias is not unique")
		}
	}
	c.counted(check).same++
}

// oneClass compares one-class SVMs: a model of svm-train in svm predict, one of ours in LIBSVM, and the
// scores of both.
func (c *trial) oneClass() {
	signs := []string{"-1", "1"}
	nu := 0.1 + 0.5*c.rng.Float64()
	gamma := 0.5 / float64(c.columns)
	c.borders()
	c.write()
	if !c.trainPeer("svm-train", with(libsvm, "-s", "2", "-t", "2", "-n", short(nu), "-g", short(gamma))...) {
		return
	}
	classes := c.classes
	c.classes = []int{-1, 1}
	c.compareModel("svm-predict", peers.LoadKernel, false, signs)
	c.classes = classes

	rows := make([]svmkit.Row, len(c.train.x))
	for i, x := range c.train.x {
		rows[i] = svmkit.Dense(x...)
	}
	data := &svmkit.Dataset{X: rows, Y: make([]float64, len(rows)), Dim: c.columns}
	p := svm.OneClass{Data: data, Kernel: kernel.RBF{Gamma: gamma}, Nu: nu}
	m, err := p.Fit(c.t.Context(), &svm.Settings{Tol: 1e-9})
	if err != nil {
		c.differ("svm.OneClass", "%v", err)
		return
	}
	var text strings.Builder
	if err := modelfile.SaveLIBSVM(&text, m); err != nil {
		c.differ("SaveLIBSVM", "%v", err)
		return
	}
	write(c.t, c.folder, "exported", text.String())
	exported, err := peers.LoadKernel(filepath.Join(c.folder, "exported"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer exported.Close()
	theirs, err := peers.LoadKernel(filepath.Join(c.folder, "theirs"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer theirs.Close()
	base := c.base
	c.base = 1
	ours := exported.Values(c.pairs(c.test.x))
	c.base = base
	var scores [][]float64
	for _, x := range c.test.x {
		scores = append(scores, []float64{m.Score(svmkit.Dense(x...))})
	}
	c.same("score of ours in LIBSVM", ours, scores, sums)
	size := nu * float64(len(rows)) // Σα
	want := theirs.Values(c.pairs(c.test.x))
	for i := range want {
		scores[i][0], want[i][0] = scores[i][0]/size, want[i][0]/size
	}
	c.sameUpToBias("score of the same problem", scores, want)
}

// modelOfScikitLearn lets scikit-learn train, and compares svm predict with its answers.
func (c *trial) modelOfScikitLearn() {
	j := job{Do: "fit", X: c.train.x, Test: c.test.x, Save: filepath.Join(c.folder, "theirs"),
		Scale: c.rng.IntN(2) == 0, Params: map[string]any{}}
	kernels := []string{"linear", "poly", "rbf", "sigmoid"}
	probable := false
	if c.labelled() {
		j.Kind = []string{"SVC", "SVC", "NuSVC", "LinearSVC"}[c.rng.IntN(4)]
		for _, y := range c.train.y {
			j.Names = append(j.Names, short(y))
		}
		if c.rng.IntN(2) == 0 {
			c.nameClasses(j.Names)
		}
		if j.Kind != "NuSVC" && c.rng.IntN(3) == 0 {
			j.Params["class_weight"] = "balanced"
		}
	} else {
		j.Kind = []string{"SVR", "NuSVR", "LinearSVR", "OneClassSVM"}[c.rng.IntN(4)]
		j.Y = c.train.y
	}
	if strings.HasPrefix(j.Kind, "Nu") {
		j.Params["nu"] = 0.2
		c.direction += ", ν"
	} else if j.Kind != "OneClassSVM" {
		j.Params["C"] = math.Pow(10, float64(c.rng.IntN(3)-1))
	}
	switch {
	case !strings.HasPrefix(j.Kind, "Linear"):
		j.Params["max_iter"] = 100000 // its LIBSVM has no limit of its own
		j.Params["kernel"] = kernels[c.rng.IntN(len(kernels))]
		if j.Params["kernel"] == "poly" {
			j.Params["coef0"], j.Params["degree"] = 1, 1+c.rng.IntN(3)
		}
		j.Sparse = !j.Scale && c.rng.IntN(2) == 0
		if strings.HasSuffix(j.Kind, "SVC") {
			probable = c.rng.IntN(2) == 0
			j.Params["decision_function_shape"] = "ovo"
			j.Params["probability"], j.Params["random_state"] = probable, 1
		}
	case j.Kind == "LinearSVC" && c.rng.IntN(4) == 0:
		j.Params["multi_class"] = "crammer_singer"
	default:
		j.Params["fit_intercept"] = c.rng.IntN(2) == 0
	}
	d := c.ask(j)
	if d.Error != "" {
		c.refused("scikit-learn refuses: " + strings.SplitN(d.Error, ":", 2)[0])
		return
	}
	write(c.t, c.folder, "test", csvText(c.test.x, true))
	classes := d.Classes
	if j.Kind == "OneClassSVM" {
		classes = []string{"-1", "1"}
	}
	c.compareScikitLearn(d, classes, strings.HasSuffix(j.Kind, "SVC") && j.Kind != "LinearSVC", probable)
}

// nameClasses puts names in place of the numbers of classes, in an order of their own.
func (c *trial) nameClasses(lists ...[]string) {
	names := []string{"ham", "Ham", "spam", "yes", "no", "Zebra", "zebra", "été", "ß", "b-7", "10%", "x_1",
		"über", "#1"}
	c.rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	for _, labels := range lists {
		for i, label := range labels {
			if k := slices.Index(c.names(), label); k >= 0 {
				labels[i] = names[k]
			}
		}
	}
}

// csvText returns rows as a CSV file, with the columns x0, x1, … if it has a header.
func csvText(rows [][]float64, header bool) string {
	var b strings.Builder
	if header {
		for j := range rows[0] {
			fmt.Fprintf(&b, "%sx%d", comma(j), j)
		}
		b.WriteByte('\n')
	}
	for _, x := range rows {
		for j, v := range x {
			b.WriteString(comma(j) + short(v))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// comma returns what stands before column j.
func comma(j int) string {
	if j == 0 {
		return ""
	}
	return ","
}

// compareScikitLearn compares svm predict with scikit-learn's answers. The scores of an SVC are those of
// pairs.
func (c *trial) compareScikitLearn(d *done, classes []string, pairs, probable bool) {
	p := predictor{model: "theirs", test: "test", classes: classes, scores: len(classes) == 2,
		probabilities: probable, flags: []string{"-unlabelled"}}
	got, err := c.ours(p)
	if err != nil {
		c.differ("svm predict", "%v", err)
		return
	}
	if classes == nil {
		c.same("target", columnOf(got.class), d.Scores, sums)
		return
	}
	want := &answer{class: d.Predicted, scores: d.Scores, probabilities: d.Probabilities}
	pairs = pairs && len(classes) > 2
	size := 0.0
	for _, v := range d.Scores {
		size = max(size, math.Abs(slices.Max(v)), math.Abs(slices.Min(v)))
	}
	for i, v := range d.Scores {
		margin := math.Inf(1)
		for _, f := range v {
			margin = min(margin, math.Abs(f))
		}
		if !pairs && len(v) > 1 {
			sorted := slices.Sorted(slices.Values(v))
			margin = sorted[len(v)-1] - sorted[len(v)-2]
		}
		want.tied = append(want.tied, tieOf(margin, size))
		if pairs {
			want.scores[i] = sumsOfPairs(v, len(classes))
		}
	}
	got.tied = want.tied
	c.decides(got)
	keep := c.settled("theirs", size)
	if len(keep) < len(d.Scores) {
		c.refused("a score that rounding alone decides")
	}
	got.only(keep)
	want.only(keep)
	c.sameClasses("class", got.class, want.class, want.tied)
	if len(classes) == 2 {
		c.same("score", got.scores, want.scores, sums)
	} else {
		c.scoresOfMore(p, got, want, keep)
	}
	if probable {
		c.same("probability", got.probabilities, want.probabilities, coupled)
	}
	rows := make([][]float64, len(keep))
	for i, k := range keep {
		rows[i] = c.test.x[k]
	}
	c.api("theirs", rows, got, classes)
}

// settled returns the test rows whose scores are more than rounding. A score is a sum of n products cₖ·K(xₖ, x), and
// rounding can move it by n·2⁻⁵³·Σ|cₖ·K|. If this is more than the tolerance for sums, another order of the sum is
// another score: a ν-SVC can have coefficients of 10¹⁶ that cancel each other.
func (c *trial) settled(file string, size float64) (keep []int) {
	m, err := modelfile.LoadFile(filepath.Join(c.folder, file))
	if err != nil {
		c.t.Fatal(err)
	}
	rows := make([]svmkit.Row, len(c.test.x))
	for i, x := range c.test.x {
		rows[i] = svmkit.Dense(x...)
	}
	for w, ok := m.(svmkit.Wrapper); ok; w, ok = m.(svmkit.Wrapper) {
		if rows, err = w.Transform(rows); err != nil {
			c.t.Fatal(err)
		}
		m = w.Unwrap()
	}
	var models []*svm.Model
	switch m := m.(type) {
	case *svm.Model:
		models = append(models, m)
	case *multiclass.PairClassifier:
		for _, pair := range m.Models {
			models = append(models, svm.ModelOf(pair.Scorer))
		}
	}
	for i, x := range rows {
		noise := 0.0
		for _, m := range models {
			sum := 0.0
			for k, v := range m.SV {
				sum += math.Abs(m.Coef[k] * m.Kernel.Eval(v, x))
			}
			noise = max(noise, float64(len(m.SV))*0x1p-53*sum)
		}
		if noise <= sums*max(1, size) {
			keep = append(keep, i)
		}
	}
	return keep
}

// only leaves out all rows but those in keep.
func (a *answer) only(keep []int) {
	class, tied, scores, probabilities := a.class, a.tied, a.scores, a.probabilities
	a.class, a.tied, a.scores, a.probabilities = nil, nil, nil, nil
	for _, i := range keep {
		a.class, a.tied = append(a.class, class[i]), append(a.tied, tied[i])
		if scores != nil {
			a.scores = append(a.scores, scores[i])
		}
		if probabilities != nil {
			a.probabilities = append(a.probabilities, probabilities[i])
		}
	}
}

// sumsOfPairs returns the sum of the scores of each class over its pairs.
func sumsOfPairs(pairs []float64, classes int) []float64 {
	sums, p := make([]float64, classes), 0
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			sums[a], sums[b], p = sums[a]+pairs[p], sums[b]-pairs[p], p+1
		}
	}
	return sums
}

// scoresOfMore compares the scores of more than two classes by a pipeline, which may say that it has none.
func (c *trial) scoresOfMore(p predictor, got, want *answer, keep []int) {
	p.scores, p.probabilities = true, false
	with, err := c.ours(p)
	if err != nil && strings.Contains(err.Error(), "a pipeline for more than two classes gives none") {
		c.refused("score of more than two classes")
		return
	} else if err != nil {
		c.differ("svm predict", "%v", err)
		return
	}
	with.tied = make([]tie, len(with.class))
	with.only(keep)
	got.scores = with.scores
	c.same("score", got.scores, want.scores, sums)
}
