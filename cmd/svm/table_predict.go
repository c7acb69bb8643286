package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// rowsAtOnce is how many rows of a table are predicted at once: a kernel is faster on many.
const rowsAtOnce = 256

// predictTable predicts a table by a pipeline, part by part in constant memory.
func (a *app) predictTable(fs *flag.FlagSet, f *predictFlags, m *pipeline.Model, files []string) error {
	const with = "with a pipeline, "
	err := checkIdle(fs, idle{"label", true, with + "which finds the label by its name"}, idle{"skip-missing", true, with + "which fills in or refuses missing fields"},
		idle{"zero-based", true, with + "whose FILE is CSV"}, idle{"columns", true, with + "whose FILE is CSV"}, idle{"more-columns", true, with + "whose FILE is CSV"},
		idle{"scores", m.Classes() == nil && !oneClass(m), "on a regression: what is predicted is the score"})
	if err != nil {
		return err
	}
	switch {
	case f.probability && !m.HasProbabilities():
		return noProbabilities(files[0])
	case f.scores && len(m.Classes()) > 2:
		return &usageError{"predict", errors.New("-scores: a pipeline for more than two classes gives none")}
	}
	if err := oneLine(files[0], m.Classes()); err != nil {
		return err
	}
	opt, err := f.options("predict", dataset.Labels{})
	if err != nil {
		return err
	}
	if named := hasNames(m); named && opt.csv.Header == dataset.HeaderNo {
		return &usageError{"predict", errors.New("-header no: a pipeline finds the columns by the names in the first line")}
	} else if named {
		opt.csv.Header = dataset.HeaderYes // whether they are names shows when they are compared with the model's
	}
	in, shown, err := a.open(files[1])
	if err != nil {
		return err
	}
	defer in.Close()
	rows := dataset.TableRows(a.ctx, in, &dataset.TableOptions{Name: shown, Header: opt.csv.Header, Drop: opt.csv.Drop})
	judged := &tableJudge{classes: m.Classes()}
	err = a.writeOutput(f.out, func(w io.Writer) error { return f.writeTable(until{a.ctx, w}, m, rows, judged) })
	var columns *svmkit.ColumnsError
	if errors.As(err, &columns) {
		err = inFile(shown, columns)
	}
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	} else if err != nil {
		return err
	}
	if judged.seen && !f.unlabeled {
		fmt.Fprintln(a.err, judged)
	}
	return nil
}

// oneClass reports whether the model tells rows like those of its training, +1, from outliers, −1.
func oneClass(m *pipeline.Model) bool {
	p := m.Predictor()
	if scaled, ok := p.(*tune.ScaledScorer); ok {
		p = scaled.Model
	}
	one := svm.ModelOf(p)
	return one != nil && one.OneClass
}

// hasNames reports whether some column of the training table had a name that is not its number, as without a header.
func hasNames(m *pipeline.Model) bool {
	return slices.ContainsFunc(m.Columns().Features, func(name string) bool {
		_, err := strconv.Atoi(name)
		return err != nil
	})
}

func (f *predictFlags) writeTable(w io.Writer, m *pipeline.Model, rows *dataset.TableStream, judged *tableJudge) error {
	out := bufio.NewWriter(w)
	for {
		part, err := rows.Next(rowsAtOnce)
		if err == io.EOF {
			_, err := m.PredictAll(&dataset.Table{Names: rows.Names()}) // a file without rows may be of other columns, too
			return err
		} else if err != nil {
			return err
		}
		predictions, err := m.PredictAll(part)
		if err != nil {
			return err
		}
		label := part.Column(m.Columns().Label)
		for i, q := range predictions {
			switch {
			case m.Classes() == nil:
				out.WriteString(exact(q.Value))
			case q.Class == "":
				out.WriteString("?")
			default:
				out.WriteString(q.Class)
			}
			if f.scores {
				out.WriteString(" " + exact(q.Score))
			}
			switch {
			case !f.probability:
			case len(m.Classes()) > 2:
				writeNumbers(out, q.Probabilities)
			default:
				out.WriteString(" " + exact(q.Probability))
			}
			out.WriteByte('\n')
			if label >= 0 {
				judged.add(part.Rows[i][label], q)
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// tableJudge compares predictions with labels, as text or as numbers.
type tableJudge struct {
	classes            []string
	seen               bool // a label's column
	right, known, rows int
	mse                float64
}

func (j *tableJudge) add(label string, q pipeline.Prediction) {
	j.seen = true
	j.rows++
	if j.classes != nil {
		k := slices.IndexFunc(j.classes, func(class string) bool { return sameLabel(class, label) })
		if _, err := dataset.Number(label); k < 0 && err != dataset.ErrMissing && dataset.IsRest(j.classes) {
			k = 0
		}
		if k >= 0 {
			j.known++
			if j.classes[k] == q.Class {
				j.right++
			}
		}
		return
	}
	if y, err := dataset.Number(label); err == nil {
		j.known++
		j.mse += ((q.Value-y)*(q.Value-y) - j.mse) / float64(j.known)
	}
}

// sameLabel reports whether a label of a file is that of a class, which is a number in its shortest form or a name.
func sameLabel(class, label string) bool {
	if class == label {
		return true
	}
	a, err1 := dataset.Number(class)
	b, err2 := dataset.Number(label)
	return err1 == nil && err2 == nil && a == b && math.Abs(a) < 1e15 // larger integers are names
}

func (j *tableJudge) String() string {
	if j.classes != nil {
		return accuracy(j.right, j.known, j.rows)
	}
	return fmt.Sprintf("mean squared error %.6g over %d rows", j.mse, j.known)
}
