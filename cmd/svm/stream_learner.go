package main

import (
	"context"
	"encoding"
	"flag"
	"fmt"
	"iter"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
)

// streamLearner is one of the learners that keep no rows, with its flags and counts.
type streamLearner struct {
	name, bias string
	lambda     float64
	last       bool

	pegasos    *svm.PegasosStream   // one of
	perceptron *perceptron.Averaged // the two

	Mistakes   int64 // rows with y·f(x) ≤ 0 when they came
	Violations int64 // rows that the learner took a step for
}

func (l *streamLearner) define(fs *flag.FlagSet) {
	fs.StringVar(&l.name, "learner", "pegasos", "")
	fs.Float64Var(&l.lambda, "lambda", 1e-4, "")
	fs.StringVar(&l.bias, "bias", "penalized", "")
	fs.BoolVar(&l.last, "last", false, "")
}

// make checks the flags and makes the learner.
func (l *streamLearner) make() error {
	switch {
	case l.bias != "penalized" && l.bias != "none":
		return fmt.Errorf("-bias %s: must be penalized or none", l.bias)
	case !(l.lambda > 0) || math.IsInf(l.lambda, 1) || math.IsInf(1/l.lambda, 1):
		return fmt.Errorf("-lambda %v: must be positive and finite, and not so small that 1/λ overflows", l.lambda)
	}
	bias := svmkit.NoBias
	if l.bias == "penalized" {
		bias = svmkit.PenalizedBias
	}
	switch l.name {
	case "pegasos":
		l.pegasos = &svm.PegasosStream{Lambda: l.lambda, Bias: bias, Last: l.last}
	case "perceptron":
		l.perceptron = &perceptron.Averaged{Last: perceptron.Perceptron{Bias: bias}}
	default:
		return fmt.Errorf("-learner %s: must be pegasos or perceptron", l.name)
	}
	return nil
}

// learn learns from the rows and returns what was wrong with the last, if something was.
func (l *streamLearner) learn(ctx context.Context, rows iter.Seq2[svmkit.Row, float64]) error {
	if l.perceptron != nil {
		return l.perceptron.Learn(ctx, rows, func(perceptron.Mistake) bool {
			l.Mistakes++
			l.Violations++
			return true
		})
	}
	return l.pegasos.Learn(ctx, rows, func(v svm.Violation) bool {
		l.Violations++
		if v.Label*v.Score <= 0 {
			l.Mistakes++
		}
		return true
	})
}

// state is what a checkpoint keeps of the learner.
func (l *streamLearner) state() interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
} {
	if l.perceptron != nil {
		return l.perceptron
	}
	return l.pegasos
}

func (l *streamLearner) plane() svmkit.Hyperplane {
	switch {
	case l.pegasos != nil:
		return l.pegasos.Plane()
	case l.last:
		return l.perceptron.Last.Plane()
	}
	return l.perceptron.Plane()
}

// String names the learner with the flags that its states depend on.
func (l *streamLearner) String() string {
	text := l.name
	if l.pegasos != nil {
		text += fmt.Sprintf(" -lambda %v", l.lambda)
	}
	text += " -bias " + l.bias
	if l.last && l.pegasos != nil { // a perceptron keeps both planes anyway
		text += " -last"
	}
	return text
}
