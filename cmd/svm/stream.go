package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"time"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/stream"
	"github.com/svmkit/course/svmkit/svm"
)

type streamFlags struct {
	readFlags
	checkpointFlags
	kind, bias, positive, model string
	lambda                      float64
	last, json                  bool
}

func (f *streamFlags) define(fs *flag.FlagSet) {
	cli.WordVar(fs, &f.kind, "learner", []string{"pegasos", "perceptron"}, "pegasos", "algorithm: %s")
	fs.Float64Var(&f.lambda, "lambda", 1e-4, "weight λ of ½‖w‖² for pegasos; 1/(Cn) for train -C")
	cli.WordVar(fs, &f.bias, "bias", []string{"penalized", "none"}, "penalized", "bias b: %s")
	fs.BoolVar(&f.last, "last", false, "take the last plane, not the mean of all")
	cli.Group(fs, "Model")
	fs.StringVar(&f.positive, "positive", "", "`class` +1 (default: labels are +1 and −1, or +1 and 0)")
	f.readFlags.define(fs)
	cli.OutputVar(fs, &f.model, "o", "where the model goes; - is the standard output")
	fs.BoolVar(&f.json, "json", false, "print the report as JSON")
	f.checkpointFlags.define(fs)
}

func (f *streamFlags) check(fs *flag.FlagSet, _ []string) error {
	switch {
	case !(f.lambda > 0) || math.IsInf(f.lambda, 1) || math.IsInf(1/f.lambda, 1):
		return cli.WrongUse(fs, "-lambda %v: must be positive and finite, and not so small that 1/λ overflows", f.lambda)
	}
	if err := f.checkpointFlags.check(fs, ""); err != nil {
		return err
	}
	if err := cli.CheckIdle(fs, cli.NoEffect("lambda", f.kind != "pegasos", "without -learner pegasos")); err != nil {
		return err
	}
	return f.readFlags.check(fs)
}

func (a *app) stream(args []string) error {
	var f streamFlags
	fs := cli.FlagSet("stream")
	files, err := a.begin(fs, &f, args, "FILE")
	if err != nil {
		return err
	}
	run := &streamRun{streamFlags: &f, saved: time.Now()}
	run.makeLearner()
	if err := run.resume(); err != nil {
		return err
	}
	start := time.Now()
	err = run.learn(a, files[0])
	if failed := run.finish(a, err); failed != nil {
		return failed
	}
	r := run.report()
	r.Seconds = time.Since(start).Seconds()
	to := a.out
	if f.model == "-" {
		to = a.err
	}
	if failed := cli.WriteReport(to, f.json, r, r.table); failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("%w after %d rows: %s", errInterrupted, run.rows, run.kept())
	}
	return nil
}

// streamRun is a learner on its way through the rows.
type streamRun struct {
	*streamFlags
	name    string // of the learner, with its flags
	learner *stream.Learner
	plane   func() svmkit.Hyperplane // that the learner has reached
	source  *dataset.Stream
	resumed int64     // rows that the checkpoint had seen; 0 if there was none
	rows    int64     // passed, the resumed ones included
	saved   time.Time // when the last checkpoint was

	seenClass [2]bool // whether a row of the class −1, and one of +1, was among them
	warning   checkpointWarning
	tooWide   int // the column, from 1, that ended the run; 0 if none did
}

// makeLearner makes the learner. Its name has the flags that its states depend on.
func (r *streamRun) makeLearner() {
	bias := biases.Meaning(r.bias)
	if r.kind == "perceptron" { // its states hold both planes
		p := &perceptron.Averaged{Last: perceptron.Perceptron{Bias: bias}}
		r.name = "perceptron -bias " + r.bias
		r.learner, r.plane = stream.Perceptron(r.name, p), p.Plane
		if r.last {
			r.plane = p.Last.Plane
		}
		return
	}
	p := &svm.PegasosStream{Lambda: r.lambda, Bias: bias, Last: r.last}
	r.name = fmt.Sprintf("pegasos -lambda %v -bias %s", r.lambda, r.bias)
	if r.last {
		r.name += " -last"
	}
	r.learner, r.plane = stream.Pegasos(r.name, p), p.Plane
}

// resume takes up the checkpoint if there is one.
func (r *streamRun) resume() error {
	if r.learner.NoCheckpoints = r.checkpoint == ""; r.learner.NoCheckpoints {
		return nil
	}
	text, err := cli.ReadState(r.checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	err = r.learner.Resume(bytes.NewReader(text))
	r.resumed = r.learner.Rows
	return within(r.checkpoint, err)
}

// learn learns from the rows of the named file that the checkpoint has not seen.
func (r *streamRun) learn(a *app, name string) error {
	in, err := cli.OpenData(a.ctx, name, a.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	shown := shown(name)
	if r.source, err = a.rows(in, &r.readFlags, dataset.Labels{Positive: r.positive}, svmkit.Columns{}); err != nil {
		return inFile(name, err)
	}
	learned := r.learner.Learn(a.ctx, r.examples(a))
	a.reportSkipped(r.source, name)
	var bad *svmkit.DataError
	switch err := r.source.Err(); {
	case r.tooWide > 0:
		return fmt.Errorf("%s, line %d: column %d: correct the index, or use -columns %[3]d", shown, r.source.Line(), r.tooWide)
	case errors.Is(learned, context.Canceled):
		return learned
	case err != nil:
		return inFile(name, err)
	case errors.Is(learned, stream.ErrOtherRows):
		return fmt.Errorf("this is another stream: the first %d rows of %s are not those that %s has learned from; remove that "+
			"file to begin again", r.resumed, shown, r.checkpoint)
	case errors.As(learned, &bad) && bad.Col >= svmkit.MaxColumns:
		return fmt.Errorf("%s, line %d: column %d: more than %d need more memory than this command asks for", shown, r.source.Line(),
			bad.Col+1, svmkit.MaxColumns)
	case learned != nil:
		if bad != nil { // its line says where it is
			bad.Row = svmkit.NoPlace
		}
		return within(fmt.Sprintf("%s, line %d", shown, r.source.Line()), learned)
	case r.rows == 0:
		return fmt.Errorf("%s: %w", shown, svmkit.ErrEmpty)
	case r.resumed > 0:
	case r.positive != "" && !r.seenClass[1]:
		fmt.Fprintf(a.err, "svm: %s: no row is of the class %q that -positive names\n", shown, r.positive)
	case r.seenClass != [2]bool{true, true} && r.checkpoint == "": // with one, others may follow
		fmt.Fprintf(a.err, "svm: %s: all rows are of one class, and the model knows no other\n", shown)
	}
	return nil
}

const clockEvery = 64 // rows between two readings of the clock

// examples yields the rows. The learner has seen a row when yield returns true; checkpoints are written then.
func (r *streamRun) examples(a *app) iter.Seq2[svmkit.Row, float64] {
	return func(yield func(svmkit.Row, float64) bool) {
		for x, y := range r.source.All() {
			if n := len(x.Index); n > 0 && r.columns == 0 && int(x.Index[n-1]) >= mostColumns {
				r.tooWide = int(x.Index[n-1]) + 1
				return
			}
			if !yield(x, y) {
				return
			}
			r.rows++
			r.seenClass[int(y+1)/2] = true
			if r.rows%clockEvery == 0 {
				a.progress.Show(fmt.Sprintf("row %d", r.rows))
				if r.rows > r.resumed && r.checkpoint != "" && time.Since(r.saved) >= r.every {
					r.keep(a)
				}
			}
		}
	}
}

// keep writes a checkpoint on the way.
func (r *streamRun) keep(a *app) {
	r.saved = time.Now()
	r.warning.after(r.save(), a)
}

// save writes a checkpoint.
func (r *streamRun) save() error { return atomicfile.Write(r.checkpoint, r.learner.Save) }

// finish saves what there is after learn has returned err. It returns what keeps the model from
// being saved or reported; an interrupt does not.
func (r *streamRun) finish(a *app, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if r.rows == 0 || r.rows < r.resumed {
		return err // nothing is new
	}
	var unsaved error
	if r.checkpoint != "" {
		if unsaved = r.save(); unsaved != nil {
			unsaved = fmt.Errorf("the checkpoint cannot be written: %w", unsaved)
		}
	}
	if err != nil && !interrupted {
		return errors.Join(err, unsaved)
	}
	if r.model == "" {
		return unsaved
	}
	if err = cli.WriteOutput(a.ctx, a.out, r.model, func(w io.Writer) error { return modelfile.Save(w, r.toModel()) }); err != nil {
		err = fmt.Errorf("the model cannot be written: %w", err)
	}
	return errors.Join(err, unsaved)
}

// toModel returns the plane as a model with as many columns as the rows had.
func (r *streamRun) toModel() *svm.Model {
	h := r.plane()
	m := &svm.Model{Weights: h.W, Bias: h.B, Dim: max(1, r.source.Dim(), len(h.W)), Classes: r.source.Classes(), Features: r.source.Features(), Label: r.source.Label()}
	m.Weights = append(m.Weights, make([]float64, m.Dim-len(h.W))...)
	return m
}

// kept says where the state at an interrupt is.
func (r *streamRun) kept() string {
	switch {
	case r.checkpoint != "":
		return "the next run goes on from " + r.checkpoint
	case r.model != "":
		return "the model so far is saved as " + r.model
	}
	return "nothing is saved, as there was no -o and no -checkpoint"
}
