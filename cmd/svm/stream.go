package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

const streamHelp = `svm stream [flags] FILE

Learns from the rows of FILE one at a time and keeps none of them: however long FILE is, memory
is that of a few vectors of one number a column, up to 2²⁴ columns, and with -columns 2²⁷. It is for files larger than
memory and for pipes. There is no certificate, for that would need all the rows; the
report says how many rows were on the wrong side when they came, before they were learned from.

Labels are +1 and −1, +1 and 0, or any if -positive names the class that is +1.

With -checkpoint the state is kept in a file, every so often and at the end. A run that finds
the file there passes over the rows that it has seen and goes on: the model is the same, bit
for bit, as that of a run that nothing has stopped. FILE must begin with the same rows as before, which
is checked; it may have got longer. Ctrl-C ends the run and keeps the model so far.
`

type streamFlags struct {
	streamLearner
	classFlags
	model, checkpoint string
	every             time.Duration
	json              bool
}

func (a *app) stream(args []string) error {
	var f streamFlags
	fs := flagSet("stream")
	f.streamLearner.define(fs)
	f.classFlags.define(fs, "labels are +1 and −1, or +1 and 0")
	defineOutput(fs, &f.model, "o", "`file` to write the model to; - is the standard output, and the report goes to standard error")
	fs.StringVar(&f.checkpoint, "checkpoint", "", "file to keep the state in, and to go on from if it is there")
	fs.DurationVar(&f.every, "every", 10*time.Second, "time between two checkpoints")
	fs.BoolVar(&f.json, "json", false, "print the report as JSON")
	files, err := a.parse(fs, streamHelp, args, "FILE")
	if err != nil {
		return err
	}
	run, err := a.startStream(fs, &f, files)
	if err != nil {
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
	if failed := r.write(to, f.json); failed != nil {
		return fmt.Errorf("the report cannot be written: %w", failed)
	}
	if err != nil {
		return fmt.Errorf("%w after %d rows: %s", errInterrupted, run.rows, run.kept())
	}
	return nil
}

// streamRun is a learner on its way through the rows.
type streamRun struct {
	*streamFlags
	source  *dataset.Stream
	resumed streamCheckpoint // what was there at the start; the zero value if nothing was
	rows    int64            // passed, of which the first resumed.Rows were learned from before
	seen    uint64           // their checksum; with -checkpoint only
	saved   time.Time        // when the last checkpoint was

	seenClass [2]bool // whether a row of the class −1, and one of +1, was among them
	warning   checkpointWarning
	tooWide   int // the column, from 1, that ended the run; 0 if none did
}

// startStream checks the flags, finds out whether all can be written, and takes up the checkpoint.
func (a *app) startStream(fs *flag.FlagSet, f *streamFlags, files []string) (*streamRun, error) {
	if err := f.streamLearner.make(); err != nil {
		return nil, &usageError{fs.Name(), err}
	}
	if f.every < 0 {
		return nil, &usageError{fs.Name(), fmt.Errorf("-every %v: must not be negative", f.every)}
	}
	if f.checkpoint == "-" {
		return nil, &usageError{fs.Name(), errors.New("-checkpoint -: must be a file")}
	}
	err := checkIdle(fs, idle{"every", f.checkpoint == "", "without -checkpoint"}, idle{"lambda", f.name != "pegasos", "without -learner pegasos"})
	if err != nil {
		return nil, err
	}
	if err := a.checkFiles(fs, files, "o", "checkpoint"); err != nil {
		return nil, err
	}
	run := &streamRun{streamFlags: f, saved: time.Now()}
	if f.checkpoint == "" {
		return run, nil
	}
	err = run.resumed.load(f.checkpoint, &f.streamLearner)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return run, err
}

// learn learns from the rows of the named file that the checkpoint has not seen.
func (r *streamRun) learn(a *app, name string) error {
	in, shown, err := a.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	opt, err := r.options("stream", dataset.Labels{Positive: r.positive})
	if err != nil {
		return err
	}
	if r.source, err = opt.rows(a.ctx, in); err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}
	learned := r.streamLearner.learn(a.ctx, r.examples(a))
	if a.ctx.Err() == nil {
		a.reportSkipped(r.source, shown)
	}
	var bad *svmkit.DataError
	stopped := a.ctx.Err() // asked once, for an interrupt may come at any time
	switch err := r.source.Err(); {
	case r.rows == r.resumed.Rows && r.seen != r.resumed.Seen,
		r.rows < r.resumed.Rows && err == nil && stopped == nil: // too few rows, and nothing else says why
		return fmt.Errorf("%w: the first %d rows of %s are not those that %s has learned from; remove that file to begin anew",
			errOtherRows, r.resumed.Rows, shown, r.checkpoint)
	case stopped != nil:
		return stopped
	case r.tooWide > 0:
		return fmt.Errorf("%s: line %d: column %d: mend the index, or say -columns %[3]d", shown, r.source.Line(), r.tooWide)
	case err != nil:
		if err = explain(err, shown); errors.Is(err, dataset.ErrLabel) {
			return fmt.Errorf("%w (-positive names the class +1)", err)
		}
		return err
	case errors.As(learned, &bad) && bad.Col >= svmkit.MaxColumns:
		return fmt.Errorf("%s: line %d: %w", shown, r.source.Line(), tooWide(bad.Col+1))
	case bad != nil: // of the one row that it was given
		return fmt.Errorf("%s: line %d: %w", shown, r.source.Line(), bad.Err)
	case learned != nil:
		return fmt.Errorf("%s: line %d: %w", shown, r.source.Line(), learned)
	case r.rows == 0:
		return fmt.Errorf("%s: %w", shown, svmkit.ErrEmpty)
	case r.resumed.Rows > 0:
	case r.positive != "" && !r.seenClass[1]:
		fmt.Fprintf(a.err, "svm: %s: no row is of the class %q that -positive names\n", shown, r.positive)
	case r.seenClass != [2]bool{true, true} && r.checkpoint == "": // with one, others may follow
		fmt.Fprintf(a.err, "svm: %s: all rows are of one class, and the model knows no other\n", shown)
	}
	return nil
}

var errOtherRows = errors.New("this is another stream")

const clockEvery = 64 // rows between two readings of the clock

// examples yields the rows that are new. A row that was yielded has been learned from when yield
// returns true; checkpoints are written then.
func (r *streamRun) examples(a *app) iter.Seq2[svmkit.Row, float64] {
	return func(yield func(svmkit.Row, float64) bool) {
		for x, y := range r.source.All() {
			if n := len(x.Index); n > 0 && r.columns == 0 && int(x.Index[n-1]) >= mostColumns {
				r.tooWide = int(x.Index[n-1]) + 1
				return
			}
			isNew := r.rows >= r.resumed.Rows
			if a.ctx.Err() != nil || isNew && !yield(x, y) {
				return
			}
			if y > 0 {
				r.seenClass[1] = true
			} else {
				r.seenClass[0] = true
			}
			if r.rows++; r.checkpoint != "" {
				r.seen = checksum(r.seen, x, y)
			}
			if r.rows == r.resumed.Rows && r.seen != r.resumed.Seen {
				return
			}
			if r.rows%clockEvery == 0 {
				a.progress.show(fmt.Sprintf("row %d", r.rows))
				if isNew && r.checkpoint != "" && time.Since(r.saved) >= r.every {
					r.keep(a)
				}
			}
		}
	}
}

// keep writes a checkpoint.
func (r *streamRun) keep(a *app) {
	r.saved = time.Now()
	r.warning.after(r.streamLearner.save(r.checkpoint, r.rows, r.seen), a)
}

// finish saves what there is after learn has returned err. It returns what keeps the model from
// being saved or reported; an interrupt does not.
func (r *streamRun) finish(a *app, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if r.rows == 0 || r.rows < r.resumed.Rows || errors.Is(err, errOtherRows) {
		return err // nothing is new, and the checkpoint as it is is worth more
	}
	var unsaved error
	if r.checkpoint != "" {
		if unsaved = r.streamLearner.save(r.checkpoint, r.rows, r.seen); unsaved != nil {
			unsaved = fmt.Errorf("the checkpoint cannot be written: %w", unsaved)
		}
	}
	if err != nil && !interrupted {
		return errors.Join(err, unsaved)
	}
	if r.model == "" {
		return unsaved
	}
	if err = a.writeOutput(r.model, func(w io.Writer) error { return modelfile.Save(w, r.toModel()) }); err != nil {
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
