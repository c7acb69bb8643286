package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

type predictFlags struct {
	readFlags
	out                                   string
	scores, probability, unlabelled, more bool
	unseen                                unseen
}

func (f *predictFlags) define(fs *flag.FlagSet) {
	f.out = "-"
	cli.OutputVar(fs, &f.out, "o")
	f.readFlags.define(fs)
	fs.BoolVar(&f.unlabelled, "unlabelled", false, "")
	fs.BoolVar(&f.scores, "scores", false, "")
	fs.BoolVar(&f.more, "more-columns", false, "")
	fs.BoolVar(&f.probability, "probability", false, "")
	fs.BoolVar(&f.unseen.refuse, "refuse-unseen", false, "")
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
	if err := p.load(files[0]); err != nil {
		return err
	}
	if err := p.checkModel(fs, files[0]); err != nil {
		return err
	}
	each := func(take predictable) error { return p.readTable(files[1], take) }
	if p.steps == nil {
		rows, labels, err := p.readNumbers(files[1])
		if err != nil {
			return err
		}
		each = func(take predictable) error { return take(rows, labels) }
	}
	j := &judge{regression: p.classes == nil}
	err = cli.WriteOutput(a.ctx, a.out, f.out, func(w io.Writer) error {
		out := bufio.NewWriterSize(cli.Writer{Context: a.ctx, W: w}, 1<<16)
		return each(func(rows []svmkit.Row, labels []float64) error {
			if err := cli.Await(a.ctx, func() error { p.write(out, rows, labels, j); return nil }); err != nil {
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
	if j.rows > 0 {
		fmt.Fprintln(a.err, j)
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
}

// load reads the model file.
func (p *predictor) load(name string) error {
	in, err := cli.Open(p.app.ctx, name, p.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	if p.model, err = modelfile.Load(in); err != nil {
		return inFile(name, err)
	}
	p.steps, _ = p.model.(*pipeline.Model)
	p.classes = p.model.ClassNames()
	if one := svm.ModelOf(svmkit.Unwrap(p.model)); p.classes == nil && !(one != nil && one.Regression) {
		p.classes = svmkit.SignNames()
	}
	return nil
}

// checkModel finds flags that do not go with the model.
func (p *predictor) checkModel(fs *flag.FlagSet, name string) error {
	const with = "with a pipeline, "
	table := p.steps != nil
	err := cli.CheckIdle(fs, cli.NoEffect("label", table, with+"which finds the label by its name"),
		cli.NoEffect("skip-missing", table, with+"which fills in or refuses missing fields"),
		cli.NoEffect("zero-based", table, with+"whose FILE is CSV"), cli.NoEffect("columns", table, with+"whose FILE is CSV"),
		cli.NoEffect("more-columns", table, with+"whose FILE is CSV"),
		cli.NoEffect("refuse-unseen", !table || !p.steps.Encoder().HasCategories(), "on a model without categories"),
		cli.NoEffect("scores", p.classes == nil, "on a regression: what is predicted is the score"))
	switch {
	case err != nil:
		return err
	case p.probability && !svmkit.HasProbabilities(p.model):
		return fmt.Errorf("%s has no probabilities: train it with -probability", name)
	case p.scores && table && len(p.classes) > 2:
		return cli.WrongUse(fs, "-scores: a pipeline for more than two classes gives none")
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

// labels says how the labels of test rows are read.
func (p *predictor) labels() dataset.Labels {
	if p.classes == nil {
		return dataset.Labels{Task: dataset.Regression, AllowOther: true}
	}
	return dataset.Labels{Classes: p.classes, AllowOther: true}
}

// predictable takes rows as numbers with their labels, nil if there are none. A label that is no class of
// the model is NaN.
type predictable func(rows []svmkit.Row, labels []float64) error

// readNumbers reads the rows of a file of numbers.
func (p *predictor) readNumbers(name string) (rows []svmkit.Row, labels []float64, err error) {
	columns, rule := p.model.Columns(), p.labels()
	columns.Open = columns.Open || p.more
	if p.unlabelled {
		rule = dataset.Labels{}
	}
	set, err := p.app.read(name, &p.readFlags, rule, columns, p.unlabelled)
	if wrong := (*svmkit.ColumnsError)(nil); errors.As(err, &wrong) && wrong.Sparse {
		err = fmt.Errorf("%w (-more-columns takes such rows)", err)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case p.unlabelled:
		return set.X, nil, nil
	}
	return set.X, set.Y, nil
}

// rowsAtOnce is how many rows of a table are predicted at once: a kernel is faster on many.
const rowsAtOnce = 256

// readTable reads the rows of a table, part by part.
func (p *predictor) readTable(name string, take predictable) error {
	header := headers.Meaning(p.header)
	if named(p.steps) {
		header = dataset.HeaderYes // the comparison with the model's names shows whether they are names
	}
	in, err := cli.Open(p.app.ctx, name, p.app.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	table := dataset.TableRows(p.app.ctx, in, &dataset.TableOptions{Name: shown(name), Header: header, Drop: list(p.drop)})
	label := p.steps.TableColumns().Label
	for {
		part, err := table.Next(rowsAtOnce)
		if err == io.EOF { // a file without rows may be of other columns, too
			_, err := p.steps.Encode(&dataset.Table{Names: table.Names()})
			return err
		} else if err != nil {
			return err
		}
		rows, err := p.steps.Encode(part)
		if err == nil {
			err = p.unseen.look(p.steps, part)
		}
		var labels []float64
		if err == nil && !p.unlabelled && part.Column(label) >= 0 {
			labels, _, err = part.Labels(label, p.labels())
		}
		if err == nil {
			err = take(rows, labels)
		}
		if err != nil {
			return err
		}
	}
}

// write writes the lines of some rows.
func (p *predictor) write(out *bufio.Writer, rows []svmkit.Row, labels []float64, j *judge) {
	var predictions []svmkit.Prediction
	var scores, chances [][]float64
	if p.probability {
		predictions, chances = svmkit.PredictWithProbabilities(p.model, rows)
	} else {
		predictions = p.model.PredictAll(rows)
	}
	if many, ok := p.model.(svmkit.ClassScorer); ok && p.scores {
		scores = many.ClassScoresAll(rows)
	}
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
		if chances != nil && len(chances[i]) == 2 {
			writeNumbers(out, chances[i][1])
		} else if chances != nil {
			writeNumbers(out, chances[i]...)
		}
		out.WriteByte('\n')
		if labels != nil {
			j.add(labels[i], q)
		}
	}
}

func writeNumbers(out *bufio.Writer, values ...float64) {
	for _, v := range values {
		out.WriteString(" " + cli.Shortest(v))
	}
}

// judge compares predictions with labels.
type judge struct {
	regression         bool
	rows, known, right int
	mse                float64 // mean squared error of the known rows
}

// add counts one row. Its label is NaN if it is none of the model's.
func (j *judge) add(label float64, q svmkit.Prediction) {
	j.rows++
	if math.IsNaN(label) {
		return
	}
	j.known++
	if q.OK && q.Y == label {
		j.right++
	}
	j.mse += ((q.Y-label)*(q.Y-label) - j.mse) / float64(j.known)
}

func (j *judge) String() string {
	switch {
	case j.regression && math.IsNaN(j.mse):
		return fmt.Sprintf("mean squared error %.6g over %d rows", math.Inf(1), j.known)
	case j.regression:
		return fmt.Sprintf("mean squared error %.6g over %d rows", j.mse, j.known)
	case j.known == 0:
		return fmt.Sprintf("%d rows, none with a label of the model", j.rows)
	}
	text := fmt.Sprintf("accuracy %.4f%% (%d of %d rows)", 100*float64(j.right)/float64(j.known), j.right, j.known)
	if j.known < j.rows {
		text += fmt.Sprintf("; %d rows have another label", j.rows-j.known)
	}
	return text
}
