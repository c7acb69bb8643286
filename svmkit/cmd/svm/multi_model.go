package main

import (
	"iter"
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

// rest stands for "all other classes" where a class number is expected.
const rest = -1

// machine is one part of a model for K classes: a positive score speaks for the class
// Positive, a negative one for the class Negative.
type machine struct {
	negative, positive int // class numbers; negative is rest except in one-vs-one
	*svm.Model
}

// multiModel is a model for K classes. Its machines come by class (one-vs-rest, Crammer–Singer)
// or by negative and then positive class (one-vs-one).
type multiModel struct {
	strategy string
	classes  []string // K ≥ 2 different names
	machines []machine
}

// seats are the places of a complete model's machines, in their order. Their number grows with
// K², so nobody collects them before the machines are there.
func (m *multiModel) seats() iter.Seq[machine] {
	return func(yield func(machine) bool) {
		for a := range m.classes {
			if m.strategy != oneVsOne {
				if !yield(machine{negative: rest, positive: a}) {
					return
				}
				continue
			}
			for b := a + 1; b < len(m.classes); b++ {
				if !yield(machine{negative: a, positive: b}) {
					return
				}
			}
		}
	}
}

// size returns the number of seats.
func (m *multiModel) size() int {
	k := len(m.classes)
	if m.strategy == oneVsOne {
		return k * (k - 1) / 2
	}
	return k
}

// names returns the class names that the model of a seat has: those that package multiclass
// gives its binary sets. The planes of Crammer–Singer are no machines of their own and have none.
func (m *multiModel) names(seat machine) []string {
	switch m.strategy {
	case oneVsRest:
		return []string{"not " + m.classes[seat.positive], m.classes[seat.positive]}
	case oneVsOne:
		return []string{m.classes[seat.negative], m.classes[seat.positive]}
	}
	return nil
}

// decide returns the class number of every row and its scores by class, as the classifiers of
// package multiclass define them. A machine scores all rows at once, which is much faster
// with a kernel; the classifier then looks the scores up.
func (m *multiModel) decide(rows []svmkit.Row) (class []int, scores [][]float64) {
	classes := multiclass.Classes{Count: len(m.classes), Names: m.classes}
	var c multiclass.Classifier
	if m.strategy == oneVsOne {
		votes := &multiclass.PairClassifier{Classes: classes}
		for _, k := range m.machines {
			votes.Models = append(votes.Models, multiclass.PairModel{Negative: k.negative, Positive: k.positive, Scorer: column(k.ScoreAll(rows))})
		}
		c = votes
	} else {
		largest := &multiclass.RestClassifier{Classes: classes, Models: make([]svmkit.Scorer, len(m.classes))}
		for _, k := range m.machines {
			largest.Models[k.positive] = column(k.ScoreAll(rows))
		}
		c = largest
	}
	class, scores = make([]int, len(rows)), make([][]float64, len(rows))
	for i := range rows {
		number := svmkit.Dense(float64(i))
		class[i], _ = c.Class(number)
		scores[i] = c.Scores(number)
	}
	return class, scores
}

// column holds the scores of all rows by one machine. The "row" that it scores is the row's number.
type column []float64

func (c column) Score(number svmkit.Row) float64 { return c[int(number.Value[0])] }

// classValues returns the class names as numbers; ok is false if some name is none.
func classValues(classes []string) (values []float64, ok bool) {
	for _, class := range classes {
		v, err := strconv.ParseFloat(class, 64)
		if err != nil {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
