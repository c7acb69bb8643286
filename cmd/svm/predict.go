package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

const predictHelp = `svm predict [flags] MODEL FILE

Predicts the rows of FILE, one line each: the class, or the target of a regression. A score
of exactly zero is no class and gives "?"; of more than two classes, the first of equals wins. A score
that is NaN, as of numbers so large that it overflows, gives "?" for any number of classes.

Columns are found by their names where MODEL and FILE have names, and the label by the name of its column at
training. Without names the number of columns has to fit; a LIBSVM file may have fewer, as zeros are left out.

A pipeline takes a CSV table as it is, with the columns of the training table in any order, and reads and writes it part
by part in constant memory: at most 256 rows at once, and a row from a slow pipe as soon as it is there. The numbers of a
row that is predicted alone and among others are equal up to rounding. The first line of the table is taken for names,
-header yes or not, unless the training table had none.

MODEL is a model of svm train, of LIBSVM or of LIBLINEAR, or one of scikit-learn (docs/coming-from.md). If FILE has the true labels, the share of
correct predictions (the mean squared error of a regression) is printed to standard error; "?" is
not correct.
`

type predictFlags struct {
	readFlags
	out                            string
	scores, probability, unlabeled bool
	more                           bool
	trained                        svmkit.Columns // of the model
}

func (a *app) predict(args []string) error {
	var f predictFlags
	fs := flagSet("predict")
	f.out = "-"
	defineOutput(fs, &f.out, "o", "`file` to write the predictions to; - is the standard output")
	f.readFlags.define(fs)
	fs.BoolVar(&f.unlabeled, "unlabelled", false, "FILE is a CSV file without a label column")
	fs.BoolVar(&f.scores, "scores", false, "print the score f(x), too: class −1 below 0, +1 above; for more than two classes, one score a class in their order,\nwhich a pipeline does not give")
	fs.BoolVar(&f.more, "more-columns", false, "a LIBSVM FILE may name columns beyond those of the training rows, as another part of one data set can")
	fs.BoolVar(&f.probability, "probability", false, "print P(+1), too, if the model has probabilities; for more than two classes, one probability a class in the\norder of train's line classes: of their names, or of numbers by value")
	files, err := a.parse(fs, predictHelp, args, "MODEL", "FILE")
	if err != nil {
		return err
	}
	if f.unlabeled && f.label != "" {
		return &usageError{"predict", errors.New("-unlabelled has no -label")}
	}
	if err := a.checkFiles(fs, files, "o"); err != nil {
		return err
	}
	loaded, pipe, err := a.load(files[0])
	if err != nil {
		return err
	}
	if pipe != nil {
		return a.predictTable(fs, &f, pipe, files)
	}
	m, single := loaded.(*svm.Model)
	if single && m.Regression {
		if err := checkIdle(fs, idle{"scores", true, "on a regression: what is predicted is the score"}); err != nil {
			return err
		}
	}
	if single {
		err = oneLine(files[0], m.Classes)
	} else {
		err = oneLine(files[0], newMultiModel(loaded).Names)
	}
	if err != nil {
		return err
	}
	f.trained = loaded.Columns()
	f.trained.Open = f.trained.Open || f.more
	if f.probability && svmkit.ProbabilitiesAll(loaded, nil) == nil {
		return noProbabilities(files[0])
	}
	if single {
		return a.predictOne(&f, m, files[1])
	}
	return a.predictMulti(&f, newMultiModel(loaded), files[1])
}

func noProbabilities(model string) error {
	return fmt.Errorf("%s has no probabilities: train it with -probability", model)
}

// oneLine refuses class names that would be several predictions.
func oneLine(model string, names []string) error {
	for _, name := range names {
		if strings.ContainsAny(name, "\n\r") {
			return fmt.Errorf("%s has the class %q: a prediction is one line", model, name)
		}
	}
	return nil
}

// load is modelfile.LoadFile or pipeline.LoadFile until the context ends; the content decides, { being that of
// scikit-learn.
func (a *app) load(name string) (m modelfile.Model, p *pipeline.Model, err error) {
	file, err := a.openFile(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	const head = "svmkit pipeline "
	if first, _ := in.Peek(len(head)); string(first) == head || len(first) > 0 && first[0] == '{' {
		p, err = pipeline.Load(in)
	} else {
		m, err = modelfile.Load(in)
	}
	var parse *modelfile.ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return m, p, err
}

// predictOne predicts with a model for two classes, or for a regression.
func (a *app) predictOne(f *predictFlags, m *svm.Model, name string) error {
	set, err := a.readTest(f, m, name)
	if err != nil {
		return err
	}
	if err := checkVectors(m, set); err != nil {
		return err
	}
	var scores []float64
	if err := await(a.ctx, func() error { scores = m.ScoreAll(set.X); return nil }); err != nil {
		return err
	}
	if err := a.writePredictions(f, func(w io.Writer) error { return f.write(w, m, scores) }); err != nil {
		return err
	}
	if !f.unlabeled {
		fmt.Fprintln(a.err, judge(m, set.Y, scores))
	}
	return nil
}

func (a *app) writePredictions(f *predictFlags, write func(io.Writer) error) error {
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if err := a.writeOutput(f.out, func(w io.Writer) error { return write(until{a.ctx, w}) }); err != nil {
		return fmt.Errorf("the predictions cannot be written: %w", err)
	}
	return nil
}

// readTest reads the rows with labels coded as in the model; a label that is none of the
// model's classes becomes 0. Named classes must be the model's.
func (a *app) readTest(f *predictFlags, m *svm.Model, name string) (*svmkit.Dataset, error) {
	if m.Regression {
		return a.readLabelled(f, dataset.Labels{Task: dataset.Regression}, name)
	}
	classes := m.Classes
	if classes == nil {
		classes = []string{"-1", "1"}
	}
	return a.readClasses(f, classes, name)
}

// readClasses reads rows with labels coded by the classes as in svmkit.Dataset. A number that
// is none of them becomes 0 for two classes and NaN for more; a name that is none is an error.
func (a *app) readClasses(f *predictFlags, classes []string, name string) (*svmkit.Dataset, error) {
	values, numeric := classValues(classes)
	if !numeric {
		return a.readLabelled(f, dataset.Labels{Classes: classes}, name)
	}
	set, err := a.readLabelled(f, dataset.Labels{Task: dataset.Regression}, name)
	if err != nil || f.unlabeled {
		return set, err
	}
	for i, y := range set.Y {
		k := slices.Index(values, y)
		switch {
		case len(classes) == 2 && k >= 0:
			set.Y[i] = float64(2*k - 1)
		case len(classes) == 2:
			set.Y[i] = 0
		case k >= 0:
			set.Y[i] = float64(k)
		default:
			set.Y[i] = math.NaN()
		}
	}
	return set, nil
}

func (a *app) readLabelled(f *predictFlags, labels dataset.Labels, name string) (*svmkit.Dataset, error) {
	if f.unlabeled {
		labels = dataset.Labels{}
	}
	opt, err := f.options("predict", labels)
	if err != nil {
		return nil, err
	}
	opt.csv.Unlabelled = f.unlabeled
	set, _, err := a.read(name, opt, f.trained)
	var wrong *svmkit.ColumnsError
	if errors.As(err, &wrong) && wrong.Sparse {
		err = fmt.Errorf("%w (-more-columns takes such rows)", err)
	}
	return set, err
}

// checkVectors refuses rows with columns beyond those of a model whose support vectors are dense: there is no kernel of two
// rows of different lengths.
func checkVectors(m *svm.Model, set *svmkit.Dataset) error {
	if set.Dim > m.Dim && slices.ContainsFunc(m.SV, func(x svmkit.Row) bool { return x.Index == nil }) {
		return fmt.Errorf("a row names column %d, but the training rows had %d columns, without a sparse one", set.Dim, m.Dim)
	}
	return nil
}

func (f *predictFlags) write(w io.Writer, m *svm.Model, scores []float64) error {
	out := bufio.NewWriter(w)
	for _, s := range scores {
		switch {
		case m.Regression:
			out.WriteString(exact(s))
		case s > 0:
			out.WriteString(className(m, 1))
		case s < 0:
			out.WriteString(className(m, 0))
		default:
			out.WriteString("?")
		}
		if f.scores && !m.Regression {
			out.WriteString(" " + exact(s))
		}
		if f.probability {
			out.WriteString(" " + exact(m.Platt.Probability(s)))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func className(m *svm.Model, k int) string {
	if m.Classes != nil {
		return m.Classes[k]
	}
	return [2]string{"-1", "1"}[k]
}

// judge says how good the scores are, given the labels.
func judge(m *svm.Model, labels, scores []float64) string {
	if m.Regression {
		return fmt.Sprintf("mean squared error %.6g over %d rows", meanSquaredError(labels, scores), len(labels))
	}
	known, right := 0, 0
	for i, y := range labels {
		if y != 0 {
			known++
		}
		if y*scores[i] > 0 {
			right++
		}
	}
	return accuracy(right, known, len(labels))
}

// accuracy says how many rows are right, of those with a label that the model knows.
func accuracy(right, known, rows int) string {
	if known == 0 {
		return fmt.Sprintf("%d rows, none with a label of the model", rows)
	}
	text := fmt.Sprintf("accuracy %.4f%% (%d of %d rows)", 100*float64(right)/float64(known), right, known)
	if known < rows {
		text += fmt.Sprintf("; %d rows have another label", rows-known)
	}
	return text
}

func meanSquaredError(y, scores []float64) float64 {
	mean := 0.0
	for i, s := range scores {
		mean += ((s-y[i])*(s-y[i]) - mean) / float64(i+1)
	}
	if math.IsNaN(mean) {
		return math.Inf(1)
	}
	return mean
}
