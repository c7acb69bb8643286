//go:build peers

package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/tools/internal/peers"
)

func init() {
	workers["LIBLINEAR"] = func() worker { return &liblinear{} }
	workers["LIBSVM"] = func() worker { return &libsvm{} }
}

// errNotOffered is a worker's answer to what it cannot do.
var errNotOffered = errors.New("not offered by this engine")

// liblinear is the library as linked; its solvers are named by their number, -s.
type liblinear struct{ data *peers.LinearData }

func (*liblinear) version() string { return peers.LinearVersion() }

func (w *liblinear) load(set *svmkit.Dataset) error {
	if w.data != nil {
		w.data.Close()
	}
	w.data = peers.NewLinear(set)
	return nil
}

func (w *liblinear) train(q request, re *reply) (answer, error) {
	number, err := strconv.Atoi(q.Solver)
	if err != nil {
		return answer{}, fmt.Errorf("-s %q: %w", q.Solver, err)
	}
	m := startMeter()
	fit, err := w.data.Train(peers.LinearSettings{Solver: number, C: q.Task.C, Epsilon: q.Task.Epsilon, Tol: q.Knob})
	m.stop(re)
	if err != nil {
		return answer{}, err
	}
	re.Seconds, re.Epochs = fit.Time.Seconds(), fit.Passes
	if fit.Capped {
		re.Note = "its limit of iterations"
	}
	return answer{W: fit.W, B: fit.B}, nil
}

func (*liblinear) predict(request, []float64, float64, *reply) ([]float64, error) {
	return nil, errNotOffered
}

func (*liblinear) classes(request, *reply) ([]float64, error) { return nil, errNotOffered }

func (*liblinear) path(request, *reply) ([]float64, error) { return nil, errNotOffered }

// libsvm is the library as linked. Solver "h1" shrinks, "h0" does not; the cache is of 1 GB, ten
// times the tool's default.
type libsvm struct{ data *peers.KernelData }

func (*libsvm) version() string { return peers.KernelVersion() }

func (w *libsvm) load(set *svmkit.Dataset) error {
	if w.data != nil {
		w.data.Close()
	}
	w.data = peers.NewKernel(set)
	return nil
}

const libsvmCacheMB = 1000

func (w *libsvm) settings(q request) peers.KernelSettings {
	return peers.KernelSettings{Regression: q.Task.regression(), Kernel: q.Task.problem(nil).Kernel, C: q.Task.C,
		Epsilon: q.Task.Epsilon, Tol: q.Knob, CacheMB: libsvmCacheMB, KeepAll: q.Solver == "h0"}
}

func (w *libsvm) train(q request, re *reply) (answer, error) {
	m := startMeter()
	fit, err := w.data.Train(w.settings(q))
	m.stop(re)
	if err != nil {
		return answer{}, err
	}
	defer fit.Close()
	re.Seconds = fit.Time.Seconds()
	return answer{Beta: fit.Beta, B: fit.Bias}, nil
}

// predict times svm-predict's loop over the model that it trains first, to the knob; β and b are
// those of an earlier training with the same settings.
func (w *libsvm) predict(q request, _ []float64, _ float64, re *reply) ([]float64, error) {
	fit, err := w.data.Train(w.settings(q))
	if err != nil {
		return nil, err
	}
	defer fit.Close()
	m := startMeter()
	scores, took := fit.Scores(q.Rows)
	m.stop(re)
	re.Seconds = took.Seconds()
	return scores, nil
}

// classes times svm-predict's loop over the model that it trains first, and writes it to a file.
func (w *libsvm) classes(q request, re *reply) ([]float64, error) {
	fit, err := w.data.Train(w.settings(q))
	if err != nil {
		return nil, err
	}
	defer fit.Close()
	if err := fit.Save(q.File); err != nil {
		return nil, err
	}
	m := startMeter()
	labels, took := fit.Classes(q.Rows)
	m.stop(re)
	re.Seconds = took.Seconds()
	return labels, nil
}

func (*libsvm) path(request, *reply) ([]float64, error) { return nil, errNotOffered }
