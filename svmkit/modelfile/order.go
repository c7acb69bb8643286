package modelfile

import (
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// A file of LIBSVM or LIBLINEAR lists its labels in the order of the training rows. A model in memory
// has its classes in the order of dataset.Labels and keeps the order of the file for ties. For example,
// the labels 3 1 2 of a file are its classes 0, 1 and 2. Sorted, they are 1 2 3, from the classes 1, 2
// and 0 of the file, and the order for ties is 2 0 1. Only this file changes one into the other.

// renumbered returns the same classifier with other class numbers: its class k is class from[k] of c.
func (c *classifier) renumbered(from []int) *classifier {
	r := &classifier{strategy: c.strategy, columns: c.columns}
	to := make([]int, len(from)) // the new number of each class
	for k, old := range from {
		to[old] = k
		r.names = append(r.names, c.names[old])
	}
	for i := range from {
		old := i
		if c.order != nil {
			old = c.order[i]
		}
		r.order = append(r.order, to[old])
	}
	if slices.IsSorted(r.order) {
		r.order = nil
	}
	models := map[[2]int]*svm.Model{} // by the classes that they distinguish
	for a, b := range c.pairs() {
		models[[2]int{a, b}] = c.models[len(models)]
	}
	for negative, positive := range r.pairs() {
		a, b := negative, from[positive]
		if negative != allOthers {
			a = from[negative]
		}
		m := models[[2]int{min(a, b), max(a, b)}]
		if a > b {
			m = negated(m)
		}
		r.models = append(r.models, m)
	}
	return r
}

// inFileOrder returns c with its classes in the order in which the peers decide ties as c does: the first
// of equal classes wins, except that the second of two wins.
func (c *classifier) inFileOrder() *classifier {
	m, two := c.models[0], c.strategy == crammerSinger && len(c.names) == 2
	switch {
	case c.strategy == "" && m.Zero > 0 && m.Classes != nil:
		m = negated(m)
		return &classifier{names: m.Classes, models: []*svm.Model{m}}
	case two && c.order == nil:
		return c.renumbered([]int{1, 0})
	case two || c.order == nil:
		return c
	}
	return c.renumbered(c.order)
}

// negated returns the same model with the score −f, so that its classes change places.
func negated(m *svm.Model) *svm.Model {
	n := *m
	n.Bias, n.Zero = 0-m.Bias, 0-m.Zero // 0, and not −0, for 0; so in minus
	n.Coef, n.Weights, n.Classes = minus(m.Coef), minus(m.Weights), slices.Clone(m.Classes)
	slices.Reverse(n.Classes)
	if m.Platt != nil {
		n.Platt = &svm.Platt{A: m.Platt.A, B: 0 - m.Platt.B}
	}
	return &n
}

// minus returns −v, nil for nil.
func minus(v []float64) []float64 {
	w := slices.Clone(v)
	for k := range w {
		w[k] = 0 - w[k]
	}
	return w
}

// withSortedClasses returns the same model with its classes in the order of dataset.Labels.
func withSortedClasses(m svmkit.Model) (svmkit.Model, error) {
	names := m.ClassNames()
	order := dataset.ClassOrder(names)
	if slices.IsSorted(order) {
		return m, nil
	}
	switch m := m.(type) {
	case *svm.Model:
		return negated(m), nil
	case *pipeline.Model:
		scaling, inner := tune.Unscaled(m.Model)
		inner, err := withSortedClasses(inner)
		if err != nil {
			return nil, err
		}
		return pipeline.NewModel(m.Encoder(), tune.NewScaled(scaling, inner)), nil
	}
	c, err := classifierOf(m)
	if err != nil {
		return nil, err
	}
	return c.renumbered(order).model(), nil
}
