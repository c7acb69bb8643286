package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

type predictFlags struct {
	readFlags
	out                                                  string
	scores, probability, byProbability, unlabelled, more bool
	unseen                                               unseen
}

func (f *predictFlags) define(fs *flag.FlagSet) {
	f.out = "-"
	cli.OutputVar(fs, &f.out, "o", "where the predictions go; - is the standard output")
	fs.BoolVar(&f.scores, "scores", false, "also print the scores of the classes")
	fs.BoolVar(&f.probability, "probability", false, "also print the probabilities of the classes")
	fs.BoolVar(&f.byProbability, "by-probability", false, "predict the most probable class, not by scores")
	cli.Group(fs, "Output")
	fs.BoolVar(&f.unlabelled, "unlabelled", false, "FILE has no labels")
	fs.BoolVar(&f.more, "more-columns", false, "ignore columns of a LIBSVM file that training did not have")
	fs.BoolVar(&f.unseen.refuse, "refuse-unseen", false, "refuse categories that training has not seen")
	f.readFlags.define(fs)
}

func (f *predictFlags) check(fs *flag.FlagSet, _ []string) error {
	if f.unlabelled && f.label != "" {
		return cli.WrongUse(fs, "-unlabelled has no -label")
	}
	return f.readFlags.check(fs)
}

func (a *app) predict(args []string) error {
	var f predictFlags
	fs := cli.FlagSet("predict")
	files, err := a.begin(fs, &f, args, "MODEL", "FILE")
	if err != nil {
		return err
	}
	p := &predictor{predictFlags: f, app: a}
	if err := p.load(fs, files[0]); err != nil {
		if about, failed := os.Stat(files[1]); errors.Is(err, modelfile.ErrNotModel) && failed == nil && about.Mode().IsRegular() {
			if _, failed := modelfile.LoadFile(files[1]); failed == nil {
				return fmt.Errorf("%s: no model, but %s is one; exchange them, as svm predict takes MODEL first, then FILE", files[0], files[1])
			}
		}
		return err
	}
	in, err := cli.OpenData(a.ctx, files[1], a.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	each, err := p.rows(in, files[1])
	if err != nil {
		return inFile(files[1], err)
	}
	err = cli.WriteOutput(a.ctx, a.out, f.out, func(w io.Writer) error {
		out := bufio.NewWriterSize(cli.Writer{Context: a.ctx, W: w}, 1<<16)
		return each(func(rows []svmkit.Row, labels []float64) error {
			if err := cli.Await(a.ctx, func() error { return p.write(out, rows, labels) }); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("the predictions cannot be written: %w", err)
			}
			return nil
		})
	})
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	} else if err != nil {
		return inFile(files[1], err)
	}
	p.unseen.say(a, shown(files[1]))
	if p.judge.rows > 0 {
		fmt.Fprintln(a.err, &p.judge)
	}
	return nil
}

// predictor predicts the rows of a file by a model of any kind.
type predictor struct {
	predictFlags
	app     *app
	model   svmkit.Model
	steps   *pipeline.Model // the model again if it reads tables; nil if it takes numbers
	classes []string        // nil: numbers are predicted
	labels  dataset.Labels  // how the labels of test rows are read
	written int             // rows
	judge   judge
}

// load reads the model file, and checks the flags that depend on it.
func (p *predictor) load(fs *flag.FlagSet, name string) error {
	in, err := cli.Open(p.app.ctx, name, p.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	if p.model, err = (modelfile.Options{ZeroBased: p.zeroBased}).Load(in); err != nil {
		return inFile(name, err)
	}
	p.steps, _ = p.model.(*pipeline.Model)
	p.classes = p.model.ClassNames()
	if one := svm.ModelOf(svmkit.Unwrap(p.model)); p.classes == nil && !(one != nil && one.Regression) {
		p.classes = svmkit.SignNames()
	}
	if p.labels = (dataset.Labels{Classes: p.classes, AllowOther: true}); p.classes == nil {
		p.labels.Task, p.judge.regression = dataset.Regression, true
	}
	return p.checkModel(fs, name)
}

// rows decides how the rows of a file are read, and returns the function that passes them on.
func (p *predictor) rows(in io.Reader, name string) (each func(predictable) error, err error) {
	format := dataset.CSV
	if p.steps == nil || len(p.steps.TableColumns().Features) > 1 || p.takesLIBSVM() { // a column of documents tells nothing, and may come slowly
		if format, in, err = p.format(p.app.ctx, in); err != nil {
			return nil, err
		}
	}
	csv := format == dataset.CSV
	switch {
	case csv && p.more:
		return nil, errors.New("-more-columns is for LIBSVM files, and this is a CSV file")
	case csv && p.steps != nil && p.skipMissing:
		return nil, errors.New("-skip-missing has no effect on a table: a pipeline fills in or refuses missing fields")
	case p.steps != nil && (csv || !p.takesLIBSVM()):
		return func(take predictable) error { return p.readTable(in, name, take) }, nil
	}
	rows, labels, err := p.readNumbers(in, name, format)
	return func(take predictable) error { return take(rows, labels) }, err
}

// takesLIBSVM reports whether rows of a LIBSVM file can be rows of the pipeline's table: the model is one of
// scikit-learn for columns without names, which are x0, x1, …. Our own pipelines know the name of the label.
func (p *predictor) takesLIBSVM() bool {
	c := p.steps.TableColumns()
	for k, name := range c.Features {
		if name != fmt.Sprintf("x%d", k) {
			return false
		}
	}
	return c.Label == "" && slices.Equal(c.Features, p.steps.Columns().Features)
}

// checkModel finds flags that do not go with the model.
func (p *predictor) checkModel(fs *flag.FlagSet, name string) error {
	const isCSV = "with a pipeline, whose FILE is CSV"
	table := p.steps != nil
	csv, c := table && !p.takesLIBSVM(), p.model.Columns()
	err := cli.CheckIdle(fs,
		cli.NoEffect("skip-missing", csv, "with a pipeline, which fills in or refuses missing fields"),
		cli.NoEffect("zero-based", csv, isCSV), cli.NoEffect("qid", csv, isCSV),
		cli.NoEffect("columns", csv, isCSV), cli.NoEffect("more-columns", csv, isCSV),
		cli.NoEffect("refuse-unseen", !table || !p.steps.Encoder().HasCategories(), "on a model without categories"),
		cli.NoEffect("scores", p.classes == nil, "on a regression: what is predicted is the score"))
	switch {
	case err != nil:
		return err
	case (p.probability || p.byProbability) && p.classes == nil:
		return fmt.Errorf("%s is a regression, which has no probabilities: leave out -probability and -by-probability", name)
	case (p.probability || p.byProbability) && !svmkit.HasProbabilities(p.model):
		return fmt.Errorf("%s has no probabilities: train it with -probability", name)
	case p.columns > c.Dim && !c.Open && !p.more:
		return cli.WrongUse(fs, "-columns %d: the model has %d columns; leave out -columns", p.columns, c.Dim)
	case table && p.header == "no" && named(p.steps):
		return cli.WrongUse(fs, "-header no: a pipeline finds the columns by the names in the first line")
	}
	for _, class := range p.classes {
		if strings.ContainsAny(class, "\n\r") {
			return fmt.Errorf("%s has the class %q: a prediction is one line", name, class)
		}
	}
	return nil
}

// named reports whether some column of the training table had a name, which without a header is its number.
func named(m *pipeline.Model) bool {
	return slices.ContainsFunc(m.TableColumns().Features, func(name string) bool { return !isNumber(name) })
}

// predictable takes rows as numbers with their labels, nil if there are none. A label that is no class of
// the model is +Inf, and a missing one NaN.
type predictable func(rows []svmkit.Row, labels []float64) error

// readNumbers reads the rows of a file of numbers.
func (p *predictor) readNumbers(in io.Reader, name string, format dataset.Format) (rows []svmkit.Row, labels []float64, err error) {
	columns, rule := p.model.Columns(), p.labels
	columns.Open = columns.Open || p.more
	if p.unlabelled {
		rule = dataset.Labels{}
	}
	source := p.open(p.app.ctx, in, format, rule, columns, p.unlabelled)
	set, err := p.app.collect(source, name, columns)
	p.judge.other = source.OtherLabels()
	if wrong := (*svmkit.ColumnsError)(nil); errors.As(err, &wrong) && wrong.Sparse {
		hint := "-more-columns leaves such columns out"
		if p.zeroBased {
			hint += "; if its indices start at 1, leave out -zero-based"
		}
		err = fmt.Errorf("%w (%s)", err, hint)
	}
	if err != nil {
		return nil, nil, err
	}
	if labels = set.Y; p.unlabelled {
		labels = nil
	}
	if dim := p.model.Columns().Dim; !p.model.Columns().Open { // or the columns beyond are part of every distance
		set, _ = cut(set, dim)
		set.Dim = dim
	}
	if p.steps != nil { // a table has all zeros, because a scaling may move them
		set, err = feature.Densify(&svmkit.Dataset{X: set.X, Y: make([]float64, set.Len()), Dim: set.Dim})
	}
	return set.X, labels, err
}

// rowsAtOnce is how many rows of a table are predicted at once: a kernel is faster on many.
const rowsAtOnce = 256

// readTable reads the rows of a table, part by part.
func (p *predictor) readTable(in io.Reader, name string, take predictable) error {
	header := headers.Meaning(p.header)
	if named(p.steps) {
		header = dataset.HeaderYes // the comparison with the model's names shows whether they are names
	}
	table := dataset.TableRows(p.app.ctx, in, &dataset.TableOptions{Name: shown(name), Header: header, Drop: list(p.drop)})
	for {
		part, err := table.Next(rowsAtOnce)
		if err == io.EOF { // a file without rows may be of other columns, too
			_, _, err := p.encode(&dataset.Table{Names: table.Names()})
			return err
		} else if errors.Is(err, dataset.ErrLIBSVM) {
			return fmt.Errorf("a LIBSVM file, and the model finds its columns by their names (%s): write the rows as CSV with these names",
				first(p.steps.TableColumns().Features, 10))
		} else if err != nil {
			return err
		}
		rows, label, err := p.encode(part)
		var labels []float64
		if err == nil && !p.unlabelled && part.Column(label) >= 0 {
			labels, _, err = part.Labels(label, p.labels)
			p.judge.note(part, label, labels)
		}
		if err == nil {
			err = take(rows, labels)
		}
		if err != nil {
			return err
		}
	}
}

// encode returns the rows of a table as numbers, and the name of the label's column, which -label gives
// if the model does not know it.
func (p *predictor) encode(part *dataset.Table) (rows []svmkit.Row, label string, err error) {
	label = p.steps.TableColumns().Label
	if p.label != "" {
		known := label
		if label, err = part.LabelColumn(p.label, nil); err != nil {
			return nil, "", inFlag(cli.FlagSet("predict"), err)
		}
		if label != known {
			part = part.Without(label)
		}
	}
	if rows, err = p.steps.Encode(part); err == nil {
		err = p.unseen.look(p.steps, part)
	}
	if other := (*svmkit.ColumnsError)(nil); label == "" && errors.As(err, &other) && other.New != nil && other.Missing == nil {
		hint := "-label names the column of the true labels"
		if p.unlabelled {
			hint = "-drop leaves them out"
		}
		err = fmt.Errorf("%w (%s)", err, hint)
	}
	return rows, label, err
}

// write writes the lines of some rows. With scores or probabilities, the first line names the classes. A
// probability that is not a number is an error.
func (p *predictor) write(out *bufio.Writer, rows []svmkit.Row, labels []float64) error {
	var predictions []svmkit.Prediction
	var scores, chances [][]float64
	switch {
	case p.byProbability:
		predictions, chances = svmkit.PredictByProbability(p.model, rows)
	case p.probability:
		predictions, chances = svmkit.PredictWithProbabilities(p.model, rows)
	default:
		predictions = p.model.PredictAll(rows)
	}
	if p.scores {
		scores = svmkit.ClassScoresAll(p.model, rows)
	}
	if i := slices.IndexFunc(chances, func(c []float64) bool { return slices.ContainsFunc(c, math.IsNaN) }); i >= 0 {
		return fmt.Errorf("row %d: the probabilities are not numbers, as its scores are too large; scale the columns, or predict "+
			"without probabilities", p.written+i+1)
	}
	if (p.scores || p.probability) && p.written == 0 {
		out.WriteString("labels")
		for _, class := range p.classes {
			if strings.ContainsAny(class, " \t\"") {
				class = strconv.Quote(class)
			}
			out.WriteString(" " + class)
		}
		out.WriteByte('\n')
	}
	p.written += len(rows)
	for i, q := range predictions {
		switch {
		case p.classes == nil:
			out.WriteString(cli.Shortest(q.Y))
		case !q.OK:
			out.WriteByte('?')
		default:
			out.WriteString(p.classes[q.Class])
		}
		switch {
		case scores != nil:
			writeNumbers(out, scores[i]...)
		case p.scores:
			writeNumbers(out, q.Score)
		}
		if p.probability {
			writeNumbers(out, chances[i]...)
		}
		out.WriteByte('\n')
		if labels != nil {
			p.judge.add(labels[i], q)
		}
	}
	return nil
}

func writeNumbers(out *bufio.Writer, values ...float64) {
	for _, v := range values {
		out.WriteString(" " + cli.Shortest(v))
	}
}

// judge compares predictions with labels.
type judge struct {
	regression            bool
	rows, labelled, right int
	unknown               int      // labels that are no class of the model
	other                 []string // some of these, each once
	mse                   float64  // mean squared error of the labelled rows
}

// mostOther is how many unknown classes are named.
const mostOther = 10

// note keeps the names of labels that the model does not know.
func (j *judge) note(part *dataset.Table, column string, labels []float64) {
	k := part.Column(column)
	for i, y := range labels {
		if name := part.Rows[i][k]; math.IsInf(y, 1) && len(j.other) < mostOther && !slices.Contains(j.other, name) {
			j.other = append(j.other, name)
		}
	}
}

// add counts one row. Its label is NaN if it is missing, and +Inf if the model does not know it.
func (j *judge) add(label float64, q svmkit.Prediction) {
	j.rows++
	if math.IsNaN(label) {
		return
	}
	j.labelled++
	if math.IsInf(label, 1) {
		j.unknown++
		return
	}
	if q.OK && q.Y == label {
		j.right++
	}
	j.mse += ((q.Y-label)*(q.Y-label) - j.mse) / float64(j.labelled-j.unknown)
}

func (j *judge) String() string {
	text := fmt.Sprintf("accuracy %.4f%% (%d of %d rows)", 100*float64(j.right)/float64(j.labelled), j.right, j.labelled)
	unknown := "the model does not know the class of"
	if j.regression {
		mse := j.mse
		if math.IsNaN(mse) {
			mse = math.Inf(1)
		}
		text, unknown = fmt.Sprintf("mean squared error %.6g over %s", mse, rowsOf(j.labelled-j.unknown)), "the target is not a number for"
	}
	var parts []string
	if j.labelled > 0 && !(j.regression && j.unknown == j.labelled) {
		parts = append(parts, text)
	}
	if n := j.rows - j.labelled; n > 0 {
		parts = append(parts, "there is no label for "+rowsOf(n))
	}
	if j.unknown > 0 {
		parts = append(parts, fmt.Sprintf("%s %s: %s", unknown, rowsOf(j.unknown), quoted(j.other)))
	}
	return strings.Join(parts, "; ")
}
