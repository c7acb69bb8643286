package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// predictMulti predicts with a classifier for K classes.
func (a *app) predictMulti(f *predictFlags, m *multiModel, name string) error {
	set, err := a.readClasses(f, m.Names, name)
	if err != nil {
		return err
	}
	for _, k := range m.models {
		if k == nil {
			continue
		}
		if err := checkVectors(k, set); err != nil {
			return err
		}
	}
	var class []int
	var scores, chances [][]float64
	err = await(a.ctx, func() error {
		class = m.decide(set.X)
		if f.scores {
			scores = m.classifier.ClassScoresAll(set.X)
		}
		if f.probability {
			chances = m.classifier.ProbabilitiesAll(set.X)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.writePredictions(f, func(w io.Writer) error { return f.writeMulti(w, m, class, scores, chances) }); err != nil {
		return err
	}
	if !f.unlabeled {
		right, known := m.count(set.Y, class)
		fmt.Fprintln(a.err, accuracy(right, known, set.Len()))
	}
	return nil
}

func (f *predictFlags) writeMulti(w io.Writer, m *multiModel, class []int, scores, chances [][]float64) error {
	out := bufio.NewWriter(w)
	for i, k := range class {
		if k < 0 { // a score is NaN
			out.WriteString("?")
		} else {
			out.WriteString(m.Names[k])
		}
		if f.scores {
			writeNumbers(out, scores[i])
		}
		if f.probability {
			writeNumbers(out, chances[i])
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

func writeNumbers(out *bufio.Writer, values []float64) {
	for _, v := range values {
		out.WriteString(" " + exact(v))
	}
}

// count counts the labels that are right, and those of the model's classes.
func (m *multiModel) count(labels []float64, class []int) (right, known int) {
	for i, y := range labels {
		if !math.IsNaN(y) && (y != 0 || len(m.Names) > 2) {
			known++
		}
		if y == m.Label(class[i]) {
			right++
		}
	}
	return right, known
}
