package main

import (
	"math"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// The names of -multi.
const (
	oneVsRest     = "ovr"
	oneVsOne      = "ovo"
	crammerSinger = "cs"
)

// strategyTitles are the strategies in prose.
var strategyTitles = map[string]string{oneVsRest: "one-vs-rest", oneVsOne: "one-vs-one", crammerSinger: "Crammer–Singer"}

// multiModel is a classifier for K classes as package multiclass fits it and package modelfile loads it.
type multiModel struct {
	multiclass.Classes
	classifier multiclass.Classifier // a *RestClassifier, a *PairClassifier or a *Linear
	models     []*svm.Model          // inside of it, in its order; nil for a class without rows
}

// newMultiModel returns nil if m is no classifier for K classes.
func newMultiModel(m svmkit.Model) *multiModel {
	switch m := m.(type) {
	case *multiclass.RestClassifier:
		k := &multiModel{Classes: m.Classes, classifier: m}
		for _, scorer := range m.Models {
			k.models = append(k.models, svm.ModelOf(scorer))
		}
		return k
	case *multiclass.PairClassifier:
		k := &multiModel{Classes: m.Classes, classifier: m}
		for _, pair := range m.Models {
			k.models = append(k.models, svm.ModelOf(pair.Scorer))
		}
		return k
	case *multiclass.Linear:
		k := &multiModel{Classes: m.Classes, classifier: m}
		for i, w := range m.W {
			k.models = append(k.models, &svm.Model{Weights: w, Bias: m.B[i], Dim: len(w)})
		}
		return k
	}
	return nil
}

// decide returns the class number of every row.
func (m *multiModel) decide(rows []svmkit.Row) []int {
	class := make([]int, len(rows))
	for i, p := range m.classifier.PredictAll(rows) {
		class[i] = p.Class
	}
	return class
}

// classValues returns the class names as numbers; ok is false if some name is none.
func classValues(classes []string) (values []float64, ok bool) {
	for _, class := range classes {
		v, err := strconv.ParseFloat(class, 64)
		if err != nil || len(class) > 15 && v == math.Trunc(v) { // float64 does not tell long integers apart
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
