package dataset

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/rows"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
	"github.com/svmkit/course/svmkit/internal/known"
)

// label is one label as the file has it.
type label = rows.Label

// coder turns labels into Y. Each name is stored once, however many rows have it.
type coder struct {
	Labels
	names   []string // names[k−1] is name k
	number  map[string]int32
	coding  *coding            // of Classes or Positive, nil if neither is set
	rest    bool               // a label that coding does not have is −1
	strict  bool               // a missing label is an error, even with AllowOther
	spelled map[float64]string // the texts of numbers that clash has seen
	// What the default rule of a stream has seen.
	sawZero, sawMinus bool
}

// coding holds Y of each class.
type coding struct {
	number map[float64]float64
	name   map[string]float64
}

func newCoding(classes []string) *coding {
	g := &coding{number: map[float64]float64{}, name: map[string]float64{}}
	for k, text := range classes {
		y := svmkit.LabelOf(k, len(classes))
		if v, ok := word.Number([]byte(text)); ok {
			g.number[v] = y
		} else {
			g.name[word.Canonical(text)] = y
		}
	}
	return g
}

// newCoder returns a coder for l. skipMissing says that the caller leaves out rows without a label.
func newCoder(l Labels, skipMissing bool) *coder {
	c := &coder{Labels: l, strict: skipMissing}
	c.number, c.spelled = map[string]int32{}, map[float64]string{}
	if l.Classes != nil {
		c.coding = newCoding(l.Classes)
		c.rest = IsRest(l.Classes)
	}
	if l.Positive != "" {
		c.Positive = word.Canonical(l.Positive)
		c.coding = newCoding([]string{"", c.Positive}) // no label is empty
		c.rest = true
	}
	return c
}

// y returns Y of a label under the given coding.
func (c *coder) y(g *coding, l label) (y float64, ok bool) {
	if l.Value != l.Value {
		return l.Value, true // another label, see AllowOther
	}
	if c.isName(l) {
		y, ok = g.name[c.names[l.Name-1]]
	} else {
		y, ok = g.number[l.Value]
	}
	if !ok && c.rest {
		return -1, true
	}
	return y, ok
}

// text returns the label for a message.
func (c *coder) text(l label) string {
	if l.Name != 0 {
		return c.names[l.Name-1]
	}
	return word.Format(l.Value)
}

// read recognises the text of one label. A quoted text may look like a missing value. With
// AllowOther a label that cannot be used has the value NaN, which is its Y, too.
func (c *coder) read(text []byte, quoted bool) (label, error) {
	l, err := c.readStrict(text, quoted)
	if err == nil || !c.AllowOther || err == ErrMissing && c.strict {
		return l, err
	}
	l.Value = math.NaN()
	if c.rest && err != ErrMissing {
		l = label{Value: math.Inf(1)} // which is no class, so it is the rest
	}
	return l, nil
}

// readStrict is read without AllowOther.
func (c *coder) readStrict(text []byte, quoted bool) (label, error) {
	v, ok := decimal.Parse(text)
	l := label{Value: v}
	switch {
	case ok && math.IsInf(v, 0):
		return l, numberError(text)
	case ok && (c.Task == Regression || word.Shortest(text, v) || c.coding != nil && !word.LongInteger(text)):
		// value says it all
	case len(text) == 0 || !quoted && word.Missing(text):
		return l, ErrMissing
	case c.Task == Regression:
		return l, numberError(text)
	case !quoted && numberError(text) == svmkit.ErrNotFinite:
		return l, svmkit.ErrNotFinite
	case word.HasControl(text):
		return l, ErrControl
	default:
		if ok {
			text = bytes.TrimPrefix(text, []byte{'+'})
		}
		if l.Name = c.number[string(text)]; l.Name == 0 {
			c.names = append(c.names, string(text))
			l.Name = int32(len(c.names))
			c.number[string(text)] = l.Name
		}
	}
	if c.coding != nil {
		if _, ok := c.y(c.coding, l); !ok {
			return l, svmkit.ErrNoClass
		}
	}
	return l, nil
}

// isName reports whether l is a name, not a number in another spelling than the shortest.
func (c *coder) isName(l label) bool {
	if l.Name == 0 {
		return false
	}
	_, number := word.Number([]byte(c.names[l.Name-1]))
	return !number
}

// clash returns an error if the number was spelled in another way before.
func (c *coder) clash(l label) error {
	text, known := c.spelled[l.Value]
	if now := c.text(l); !known {
		c.spelled[l.Value] = now
	} else if now != text {
		return caseOf(ErrSpelling, ": %q and %q", text, now)
	}
	return nil
}

// mostNames is the number of names that a stream keeps. It bounds the memory for a file of ever new
// names, and up to so many classes are read without an allocation per label.
const mostNames = 256

// codeNow returns Y of one label without the others, for a stream in constant memory. The label is
// invalid afterwards.
func (c *coder) codeNow(l label) (float64, error) {
	switch {
	case c.Task == Regression:
		return l.Value, nil
	case c.coding != nil:
		y, _ := c.y(c.coding, l) // read has checked it
		if len(c.names) > mostNames {
			// Streams keep no labels, so no number of a name is in use. Readers of whole files use
			// codeAll.
			c.names = c.names[:0]
			clear(c.number)
		}
		return y, nil
	case c.isName(l) || l.Value != 1 && l.Value != 0 && l.Value != -1:
		return 0, ErrLabel
	}
	if err := c.clash(l); err != nil {
		return 0, err
	}
	if l.Value == 1 {
		return 1, nil
	}
	c.sawZero = c.sawZero || l.Value == 0
	c.sawMinus = c.sawMinus || l.Value == -1
	if c.sawZero && c.sawMinus {
		return 0, ErrLabelMixed
	}
	return -1, nil
}

// codeAll returns Classes, and changes y from numbers to Y. names[i] is the name of row i,
// 0 if it has a number; rows from len(names) on have numbers.
func (c *coder) codeAll(y []float64, names []int32) ([]string, error) {
	named := slices.ContainsFunc(names, func(k int32) bool { return c.isName(label{Name: k}) })
	if c.Task == Regression || c.coding == nil && c.Task == Auto && !named && !likeClasses(y) {
		return nil, nil
	}
	g, classes := c.coding, c.Classes
	if classes == nil {
		var err error
		if classes, err = c.distinct(y, names); err != nil {
			return nil, err
		}
		if named && c.Task == Auto && len(classes) == 1 && c.Positive == "" {
			classes = append(classes, svmkit.RestName(classes[0])) // this class has no row
		}
		if len(classes) < 2 && c.Positive == "" {
			return nil, caseOf(ErrOnlyClass, ", %q", classes[0])
		}
	}
	if c.Positive != "" {
		k := slices.Index(classes, c.Positive)
		if k < 0 {
			return nil, fmt.Errorf("%w: %q; the classes are %s", svmkit.ErrNoClass, c.Positive, known.Names(classes))
		}
		other := svmkit.RestName(c.Positive)
		if len(classes) == 2 {
			other = classes[1-k]
		}
		classes = []string{other, c.Positive}
	}
	if g == nil {
		g = newCoding(classes)
	}
	for i := range y {
		l := label{Value: y[i]}
		if i < len(names) {
			l.Name = names[i]
		}
		y[i], _ = c.y(g, l)
	}
	return slices.Clone(classes), nil
}

// distinct returns the different labels in the order that Labels promises.
func (c *coder) distinct(y []float64, names []int32) (classes []string, err error) {
	seen := map[label]bool{}
	var numbers []float64
	for i, v := range y {
		l := label{Value: v}
		if i < len(names) {
			l.Name = names[i]
		}
		switch {
		case seen[l]:
			continue
		case c.isName(l):
			classes = append(classes, c.text(l))
		default:
			numbers = append(numbers, v)
			if err := c.clash(l); err != nil {
				return nil, err
			}
		}
		seen[l] = true
	}
	named := len(classes) > 0
	slices.Sort(numbers)
	for _, v := range numbers {
		classes = append(classes, word.Format(v))
	}
	if named {
		slices.Sort(classes)
	}
	return classes, nil
}

// likeClasses is the rule of Auto for labels that are all numbers.
func likeClasses(y []float64) bool {
	seen := make(map[float64]bool)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range y {
		if v != math.Trunc(v) {
			return false
		}
		if seen[v] = true; len(seen) > AutoClasses {
			return false
		}
		low, high = min(low, v), max(high, v)
	}
	n := len(seen)
	return n == 2 || n > 2 && (low == 0 || low == 1) && high-low == float64(n-1)
}

// takes reports whether [coder.read] takes a label that is the number v by its value alone.
func (c *coder) takes(text []byte, v float64) bool {
	if c.Task == Regression {
		return true
	} else if c.coding == nil || word.LongInteger(text) {
		return word.Shortest(text, v)
	}
	_, ok := c.coding.number[v]
	return ok || c.Positive != ""
}
