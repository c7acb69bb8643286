package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/svmkit/course/svmkit"
)

// A worker is an engine inside its own process.
type worker interface {
	version() string
	load(set *svmkit.Dataset) error
	// train fills in the reply's measurements, from just before training to just after.
	train(q request, r *reply) (answer, error)
	// predict scores the first q.Rows rows by the model of β and b.
	predict(q request, beta []float64, b float64, r *reply) ([]float64, error)
	// classes predicts the labels of the first q.Rows rows by the model in LIBSVM's file q.File, which LIBSVM writes.
	classes(q request, r *reply) ([]float64, error)
	// path cross-validates a path of C and returns the gaps that were reached.
	path(q request, r *reply) ([]float64, error)
}

// workers are the engines of this binary; the peers add themselves under their build tag.
var workers = map[string]func() worker{"svmkit": func() worker { return &ours{} }}

// serve is the life of a child process: one request after the other, until the parent closes the
// pipe. The parent kills it if a run takes too long.
func serve(engine string, in io.Reader, out io.Writer) error {
	make, ok := workers[engine]
	if !ok {
		return fmt.Errorf("no engine %q in this binary", engine)
	}
	w := make()
	r, o := bufio.NewReader(in), bufio.NewWriterSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var q request
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		re := reply{Version: w.version()}
		a, scores, err := handle(w, q, &re)
		if err != nil {
			re.Error, a, scores = err.Error(), answer{}, nil
		}
		re.Beta, re.W, re.Scores = len(a.Beta), len(a.W), len(scores)
		if err := json.NewEncoder(o).Encode(re); err != nil {
			return err
		}
		for _, p := range [][]float64{a.Beta, a.W, {a.B}, scores} {
			if err := writeFloats(o, p); err != nil {
				return err
			}
		}
		if err := o.Flush(); err != nil {
			return err
		}
	}
}

func handle(w worker, q request, re *reply) (a answer, scores []float64, err error) {
	switch q.Op {
	case "load":
		set, err := readSet(q.File)
		if err != nil {
			return a, nil, err
		}
		err = w.load(set)
		debug.FreeOSMemory() // a peer has its own copy now
		return a, nil, err
	case "train":
		a, err = w.train(q, re)
	case "read":
		err = readText(q, re)
	case "path":
		scores, err = w.path(q, re)
	case "classes":
		scores, err = w.classes(q, re)
	case "predict":
		var f *os.File
		if f, err = os.Open(q.File); err != nil {
			return a, nil, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return a, nil, err
		}
		beta, err := readFloats(bufio.NewReader(f), int(info.Size()/8))
		if err != nil {
			return a, nil, err
		}
		n := len(beta) - 1
		scores, err = w.predict(q, beta[:n], beta[n], re)
		return a, scores, err
	default:
		err = fmt.Errorf("unknown request %q", q.Op)
	}
	return a, scores, err
}
