package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// ours is svmkit's Fit with no solver named, to a relative gap. The time includes its certificates.
type ours struct{ set *svmkit.Dataset }

func (*ours) version() string { return runtime.Version() }

func (w *ours) load(set *svmkit.Dataset) error { w.set = set; return nil }

// solvers are those that -solver can name; "" is Fit's own choice.
var solvers = map[string]svm.Solver{"": nil, "dual coordinate descent": svm.DualCoordinate{}, "newton": svm.Newton{}, "smo": svm.SMO{},
	"epochs": svm.DualCoordinate{KeepAll: true}}

func (w *ours) train(q request, re *reply) (answer, error) {
	solver, ok := solvers[q.Solver]
	if !ok {
		return answer{}, fmt.Errorf("svmkit has no solver %q here", q.Solver)
	}
	settings := &svm.Settings{Tol: q.Knob}
	if q.Solver == "epochs" { // the knob is their number
		settings = &svm.Settings{Tol: 1e-300, MaxIterations: int(q.Knob)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(q.Limit*float64(time.Second)))
	defer cancel()
	p := q.Task.problem(w.set)
	m := startMeter()
	r, err := svm.Fit(ctx, p, solver, settings)
	m.stop(re)
	if r == nil {
		return answer{}, err
	}
	re.Epochs, re.Solver = r.Iterations, r.Trace.String()
	if r.Status != svmkit.Optimal {
		re.Note = r.Status.String()
	}
	return answer{Beta: r.Beta}, nil
}

func (w *ours) predict(q request, beta []float64, b float64, re *reply) ([]float64, error) {
	model := &svm.Model{Kernel: q.Task.problem(w.set).Kernel, Bias: b, Dim: w.set.Dim, Regression: q.Task.regression()}
	for i, v := range beta {
		if v != 0 {
			model.SV, model.Coef = append(model.SV, w.set.X[i]), append(model.Coef, v)
		}
	}
	rows := w.set.X[:q.Rows]
	m := startMeter()
	defer m.stop(re)
	if !q.Single {
		return model.ScoreAll(rows), nil
	}
	prepared, scores := model.Prepare(), make([]float64, len(rows))
	for i, x := range rows {
		scores[i] = prepared.Predict(x).Score
	}
	return scores, nil
}

func (w *ours) classes(q request, re *reply) ([]float64, error) {
	loaded, err := modelfile.LoadFile(q.File)
	if err != nil {
		return nil, err
	}
	model, ok := loaded.(*multiclass.PairClassifier)
	if !ok {
		return nil, fmt.Errorf("%s holds a %T", q.File, loaded)
	}
	rows := w.set.X[:q.Rows]
	prepared, predicted := model.Prepare(), make([]svmkit.Prediction, len(rows))
	m := startMeter()
	if q.Single {
		for i, x := range rows {
			predicted[i] = prepared.Predict(x)
		}
	} else {
		predicted = model.PredictAll(rows)
	}
	m.stop(re)
	labels := make([]float64, len(rows))
	for i, p := range predicted { // the name of a class is the label in the file
		if labels[i], err = strconv.ParseFloat(p.Name, 64); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

func (w *ours) path(q request, re *reply) ([]float64, error) { return warmPath(q, w.set, re) }
