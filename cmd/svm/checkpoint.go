package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit/svm"
)

// A checkpoint of a fit is its best β. A later run with the same rows starts there and reaches the
// same tolerance, but not the same bits, because the solver's own state is not kept. A wrong β of the
// right length is only a bad start.
type checkpoint struct {
	Format string    `json:"svmkit"`
	Gap    any       `json:"relativeGap"` // of β, a cli.Number for people
	Beta   []float64 `json:"beta"`        // one per row
}

const fitCheckpoint = "fit checkpoint 1"

// checkpointFlags are those of svm train.
type checkpointFlags struct {
	checkpoint string
	every      time.Duration
}

func (c *checkpointFlags) define(fs *flag.FlagSet) {
	cli.OutputVar(fs, &c.checkpoint, "checkpoint", "where the state goes; the next run continues from it")
	fs.DurationVar(&c.every, "every", 10*time.Second, "least time between two checkpoints")
	cli.Group(fs, "Output")
}

// check says what is wrong with the flags before any work.
func (c *checkpointFlags) check(fs *flag.FlagSet, solver string) error {
	switch {
	case c.every < 0:
		return cli.WrongUse(fs, "-every %v: must not be negative", c.every)
	case c.checkpoint == "":
		return cli.CheckIdle(fs, cli.NoEffect("every", true, "without -checkpoint"))
	case c.checkpoint == "-":
		return cli.WrongUse(fs, "-checkpoint -: must be a file")
	case solver == "pegasos":
		return cli.WrongUse(fs, "-checkpoint: the first step of pegasos forgets where it starts; svm stream goes on")
	}
	return nil
}

// start returns the β to start a fit of n rows from, nil if there is no checkpoint yet.
func (c *checkpointFlags) start(n int) ([]float64, error) {
	if c.checkpoint == "" {
		return nil, nil
	}
	text, err := cli.ReadState(c.checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var old checkpoint
	if err := json.Unmarshal(text, &old); err != nil || old.Format != fitCheckpoint {
		return nil, fmt.Errorf("%s is no checkpoint of svm train", c.checkpoint)
	}
	if len(old.Beta) != n {
		return nil, fmt.Errorf("%s is of %d rows, but there are %d: remove that file to begin anew", c.checkpoint, len(old.Beta), n)
	}
	return old.Beta, nil
}

// checkpointWarning says that a checkpoint could not be written, once until one could again. That is no
// reason to stop: the next may succeed.
type checkpointWarning struct{ given bool }

// after is to be called with the error of each attempt.
func (c *checkpointWarning) after(err error, a *app) {
	if err != nil && !c.given {
		a.progress.Clear()
		fmt.Fprintln(a.err, "svm: no checkpoint could be written, learning goes on:", err)
	}
	c.given = err != nil
}

// keeper writes checkpoints of one fit.
type keeper struct {
	checkpointFlags
	app     *app
	saved   time.Time
	best    *checkpoint // that is not written yet
	warning checkpointWarning
}

// take is a callback for svm.Settings.Best.
func (k *keeper) take(p *svm.Proof) {
	k.best = &checkpoint{Format: fitCheckpoint, Gap: cli.Number(p.RelativeGap()), Beta: p.Beta}
	if time.Since(k.saved) < k.every {
		return
	}
	k.warning.after(k.write(), k.app)
}

// write writes the best β if that is not done.
func (k *keeper) write() error {
	k.saved = time.Now()
	if k.best == nil || k.checkpoint == "" {
		return nil
	}
	text, err := json.Marshal(k.best)
	if err == nil {
		err = atomicfile.Write(k.checkpoint, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err })
	}
	if err != nil {
		return fmt.Errorf("the checkpoint cannot be written: %w", err)
	}
	k.best = nil
	return nil
}
