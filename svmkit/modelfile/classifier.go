package modelfile

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// The names of the strategies in a file.
const (
	oneVsRest     = "ovr"
	oneVsOne      = "ovo"
	oneVsOneFirst = "ovo-first" // PairClassifier.FirstWins
	crammerSinger = "cs"
)

// allOthers means all other classes where a class number is expected.
const allOthers = -1

// classifier holds the contents of a file for K classes, or for one model.
type classifier struct {
	strategy string       // "" for one model
	names    []string     // of the classes, K ≥ 2, all different; one model may have none
	order    []int        // multiclass.Classes.Order
	models   []*svm.Model // in the order of pairs
	columns  svmkit.Columns
}

// pairwise reports whether there is a model for each pair of classes.
func (c *classifier) pairwise() bool { return c.strategy == oneVsOne || c.strategy == oneVsOneFirst }

// pairs yields the classes that each model distinguishes, in the order of a file; negative may be
// allOthers. It is a sequence because the number of pairs grows with K², and a file may lack models
// that its head promises.
func (c *classifier) pairs() iter.Seq2[int, int] {
	return func(yield func(negative, positive int) bool) {
		for a := range c.names {
			if !c.pairwise() {
				if !yield(allOthers, a) {
					return
				}
				continue
			}
			for b := a + 1; b < len(c.names); b++ {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// namesOf returns the class names of the model of a pair, as package multiclass gives them to its
// binary sets. The planes of Crammer and Singer have none.
func (c *classifier) namesOf(negative, positive int) []string {
	switch c.strategy {
	case oneVsRest:
		return []string{svmkit.RestName(c.names[positive]), c.names[positive]}
	case oneVsOne, oneVsOneFirst:
		return []string{c.names[negative], c.names[positive]}
	}
	return nil
}

// misfit returns why m cannot be the next model, the model of the given pair; "" if it can.
func (c *classifier) misfit(m *svm.Model, negative, positive int) string {
	names := c.namesOf(negative, positive)
	switch {
	case m.Regression:
		return "is a regression"
	case m.OneClass:
		return "is a one-class model"
	case !slices.Equal(m.Classes, names):
		return fmt.Sprintf("tells apart %q, not %q", m.Classes, names)
	case len(c.models) > 0 && m.Dim != c.models[0].Dim:
		return fmt.Sprintf("has %d columns, the first one %d", m.Dim, c.models[0].Dim)
	case !slices.Equal(m.Features, c.columns.Features) || m.Label != c.columns.Label:
		return "has other names of columns"
	case c.strategy == crammerSinger && (m.Weights == nil || m.Platt != nil):
		return "is no hyperplane"
	}
	return ""
}

// classifierOf takes a classifier of package multiclass apart. If a file cannot hold it, the error
// is a [*svmkit.ParamError].
func classifierOf(m svmkit.Model) (*classifier, error) {
	switch m := m.(type) {
	case *multiclass.RestClassifier:
		return newClassifier(oneVsRest, m.Classes, len(m.Models), func(i int) (int, int, any) {
			return allOthers, i, m.Models[i]
		})
	case *multiclass.PairClassifier:
		strategy := oneVsOne
		if m.FirstWins {
			strategy = oneVsOneFirst
		}
		return newClassifier(strategy, m.Classes, len(m.Models), func(i int) (int, int, any) {
			return m.Models[i].Negative, m.Models[i].Positive, m.Models[i].Scorer
		})
	case *multiclass.Linear:
		return newClassifier(crammerSinger, m.Classes, min(len(m.W), len(m.B)), func(i int) (int, int, any) {
			return allOthers, i, &svm.Model{Weights: m.W[i], Bias: m.B[i], Dim: len(m.W[i]), Features: m.Trained.Features, Label: m.Trained.Label}
		})
	case *multiclass.Solution:
		return classifierOf(&m.Linear)
	}
	return nil, unsavable(fmt.Sprintf("%T", m), "must be a model of package svm or a classifier of package multiclass")
}

// newClassifier has n models, of which scorer returns the i-th with its pair.
func newClassifier(strategy string, classes multiclass.Classes, n int, scorer func(i int) (negative, positive int, model any)) (*classifier, error) {
	c := &classifier{strategy: strategy, order: classes.Order}
	for k := range classes.Count {
		c.names = append(c.names, classes.Name(k))
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(c.names))); len(distinct) < max(2, len(c.names)) {
		return nil, &svmkit.ParamError{Name: "Classes", Value: c.names, Need: "must be two or more different names"}
	}
	if k, sorted := len(c.names), slices.Sorted(slices.Values(c.order)); c.order != nil &&
		(len(sorted) != k || len(slices.Compact(sorted)) != k || sorted[0] != 0 || sorted[k-1] != k-1) {
		return nil, &svmkit.ParamError{Name: "Order", Value: c.order, Need: "must hold each class once"}
	}
	for negative, positive := range c.pairs() {
		i := len(c.models)
		if i == n {
			return nil, unsavable(n, "must have a model for each class or pair of classes")
		}
		a, b, given := scorer(i)
		if a != negative || b != positive {
			return nil, unsavable(i, "must be a model for each class or pair of classes, in their order")
		}
		m := svm.ModelOf(given)
		if m == nil {
			return nil, unsavable(fmt.Sprintf("%T", given), fmt.Sprintf("scorer %d of the classifier must be a model of package svm and not nil", i))
		}
		if m.Classes == nil {
			named := *m
			named.Classes = c.namesOf(a, b)
			m = &named
		}
		if i == 0 {
			c.columns = svmkit.Columns{Features: m.Features, Label: m.Label}
		}
		if reason := c.misfit(m, a, b); reason != "" {
			return nil, unsavable(i, "must fit the classes: it "+reason)
		}
		c.models = append(c.models, m)
	}
	if n > len(c.models) {
		return nil, unsavable(n, "must have one model only for each class or pair of classes")
	}
	return c, nil
}

func unsavable(value any, need string) error {
	return &svmkit.ParamError{Name: "Model", Value: value, Need: need}
}

// model puts the classifier of package multiclass together.
func (c *classifier) model() svmkit.Model {
	classes := multiclass.Classes{Count: len(c.names), Names: c.names, Signed: len(c.names) == 2, Order: c.order}
	switch c.strategy {
	case oneVsOne, oneVsOneFirst:
		p := &multiclass.PairClassifier{Classes: classes, FirstWins: c.strategy == oneVsOneFirst}
		for negative, positive := range c.pairs() {
			p.Models = append(p.Models, multiclass.PairModel{Negative: negative, Positive: positive, Scorer: c.models[len(p.Models)]})
		}
		return p
	case crammerSinger:
		l := &multiclass.Linear{Classes: classes, Trained: c.columns}
		for _, m := range c.models {
			l.W, l.B = append(l.W, m.Weights), append(l.B, m.Bias)
		}
		return l
	}
	r := &multiclass.RestClassifier{Classes: classes}
	for _, m := range c.models {
		r.Models = append(r.Models, m)
	}
	return r
}

// head returns the lines before the models.
func (c *classifier) head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "svmkit multi 1\nstrategy %s\nclasses %d\n", c.strategy, len(c.names))
	writeClasses(&b, c.names)
	if c.order != nil {
		b.WriteString("order")
		for _, k := range c.order {
			fmt.Fprintf(&b, " %d", k)
		}
		b.WriteString("\n")
	}
	writeColumns(&b, c.columns)
	return b.String()
}

// readClassifier reads a file for K classes from the rest of its first line, after "svmkit multi", to its end.
func readClassifier(t *text) (svmkit.Model, error) {
	if err := t.version(); err != nil {
		return nil, err
	}
	c := &classifier{}
	if err := c.readHead(t); err != nil {
		return nil, err
	}
	for negative, positive := range c.pairs() {
		if err := t.key("svmkit"); err != nil {
			return nil, err
		}
		first := t.line
		if word, at := t.word(); word != "model" {
			return nil, t.errorAt(at, word, fmt.Errorf("%w, svmkit model expected", ErrMalformed))
		}
		m, err := readModel(t)
		if err != nil {
			return nil, err
		}
		if m.Features != nil || m.Label != "" {
			return nil, &ParseError{Line: first, Err: fmt.Errorf("%w, the names of columns stand before the models", ErrMalformed)}
		}
		if m.Features, m.Label = c.columns.Features, c.columns.Label; m.Features != nil && len(m.Features) != m.Dim {
			return nil, &ParseError{Line: first, Err: namesError(len(m.Features), m.Dim)}
		}
		if reason := c.misfit(m, negative, positive); reason != "" {
			return nil, &ParseError{Line: first, Err: fmt.Errorf("%w, model %d %s", ErrMalformed, len(c.models)+1, reason)}
		}
		c.models = append(c.models, m)
	}
	return c.model(), nil
}

func (c *classifier) readHead(t *text) error {
	if err := t.key("strategy"); err != nil {
		return err
	}
	word, at := t.word()
	if !slices.Contains([]string{oneVsRest, oneVsOne, oneVsOneFirst, crammerSinger}, word) {
		return t.errorAt(at, word, fmt.Errorf("%w, strategy is ovr, ovo, ovo-first or cs", ErrMalformed))
	}
	c.strategy = word
	if err := t.lineEnds(); err != nil {
		return err
	}
	if err := t.key("classes"); err != nil {
		return err
	}
	k, err := t.count(2)
	if err != nil {
		return err
	}
	if err := t.lineEnds(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for len(c.names) < k {
		name, err := t.className(seen)
		if err != nil {
			return err
		}
		c.names = append(c.names, name)
	}
	if t.peek() == "order" {
		if err := c.readOrder(t); err != nil {
			return err
		}
	}
	c.columns, err = t.columns()
	return err
}

// readOrder reads the line "order" with the number of each class.
func (c *classifier) readOrder(t *text) error {
	if err := t.key("order"); err != nil {
		return err
	}
	for range c.names {
		word, at := t.word()
		k, ok := parseCount(word)
		if !ok || k >= len(c.names) || slices.Contains(c.order, k) {
			return t.errorAt(at, word, fmt.Errorf("%w, order holds each class number, from 0, once", ErrMalformed))
		}
		c.order = append(c.order, k)
	}
	return t.lineEnds()
}

// writeColumns writes the names of the columns, if there are any.
func writeColumns(w io.Writer, c svmkit.Columns) {
	if c.Label != "" {
		fmt.Fprintf(w, "label %s\n", strconv.Quote(c.Label))
	}
	for _, name := range c.Features {
		fmt.Fprintf(w, "feature %s\n", strconv.Quote(name))
	}
}

func writeClasses(w io.Writer, names []string) {
	for _, name := range names {
		fmt.Fprintf(w, "class %s\n", strconv.Quote(name))
	}
}
