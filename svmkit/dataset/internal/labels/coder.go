// Package labels turns the labels of a data file into the numbers of a dataset.
package labels

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/rows"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
	"github.com/svmkit/course/svmkit/internal/decimal"
	"github.com/svmkit/course/svmkit/internal/known"
)

// Label is one label as the file has it.
type Label = rows.Label

// AutoClasses is the constant of package dataset.
const AutoClasses = 32

// IsRest reports whether the first of two classes means every label but the second.
func IsRest(classes []string) bool {
	return len(classes) == 2 && classes[0] == svmkit.RestName(classes[1])
}

// Rule says how labels become numbers; see Labels of package dataset.
type Rule struct {
	Auto, Regression bool // the task; neither stands for classes
	Classes          []string
	Positive         string
	AllowOther       bool
}

// Coder turns labels into Y. Each name is stored once, however many rows have it.
type Coder struct {
	Rule
	names   []string // names[k−1] is name k
	number  map[string]int32
	coding  *coding            // of Classes or Positive, nil if neither is set
	rest    bool               // a label that coding does not have is −1
	spelled map[float64]string // the texts of numbers that clash has seen
	other   []string           // see Stream.OtherLabels
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

// New returns a coder for the labels of one file.
func New(l Rule) *Coder {
	c := &Coder{Rule: l}
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
func (c *Coder) y(g *coding, l Label) (y float64, ok bool) {
	if l.Value != l.Value || math.IsInf(l.Value, 1) && !c.rest {
		return l.Value, true // a missing label, or another one; see AllowOther
	}
	if c.IsName(l) {
		y, ok = g.name[c.names[l.Name-1]]
	} else {
		y, ok = g.number[l.Value]
	}
	if !ok && c.rest {
		return -1, true
	}
	return y, ok
}

// Text returns the label for a message.
func (c *Coder) Text(l Label) string {
	if l.Name != 0 {
		return c.names[l.Name-1]
	}
	return word.Format(l.Value)
}

// Read recognises the text of one label. A quoted text may look like a missing value. With
// AllowOther a label that cannot be used has the value NaN or +Inf, which is its Y, too.
func (c *Coder) Read(text []byte, quoted bool) (Label, error) {
	l, err := c.readStrict(text, quoted)
	if err == nil || !c.AllowOther {
		return l, err
	}
	if err == ErrNoLabel {
		l.Value = math.NaN()
		return l, nil
	}
	if c.rest {
		return Label{Value: math.Inf(1)}, nil // which is no class, so it is the rest
	}
	if name := word.Shorten(text); len(c.other) < mostOther && !slices.Contains(c.other, name) {
		c.other = append(c.other, name)
	}
	l.Value = math.Inf(1)
	return l, nil
}

// Others returns the different labels that AllowOther has taken though they are no class, at most ten.
func (c *Coder) Others() []string { return slices.Clone(c.other) }

// mostOther is how many other labels are kept for a message.
const mostOther = 10

// readStrict is read without AllowOther.
func (c *Coder) readStrict(text []byte, quoted bool) (Label, error) {
	v, ok := decimal.Parse(text)
	l := Label{Value: v}
	switch {
	case ok && math.IsInf(v, 0):
		return l, NumberError(text)
	case ok && (c.Regression || word.Shortest(text, v) || c.coding != nil && !word.LongInteger(text)):
		// value says it all
	case len(text) == 0 || !quoted && word.Missing(text):
		return l, ErrNoLabel
	case c.Regression:
		if err := NumberError(text); err != ErrNotNumber {
			return l, err
		}
		return l, errTarget
	case !quoted && NumberError(text) == svmkit.ErrNotFinite:
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

// IsName reports whether l is a name, not a number in another spelling than the shortest.
func (c *Coder) IsName(l Label) bool {
	if l.Name == 0 {
		return false
	}
	_, number := word.Number([]byte(c.names[l.Name-1]))
	return !number
}

// clash returns an error if the number was spelled in another way before.
func (c *Coder) clash(l Label) error {
	text, known := c.spelled[l.Value]
	if now := c.Text(l); !known {
		c.spelled[l.Value] = now
	} else if now != text {
		return CaseOf(ErrSpelling, ": %q and %q", text, now)
	}
	return nil
}

// mostNames is the number of names that a stream keeps. It bounds the memory for a file of ever new
// names, and up to so many classes are read without an allocation per label.
const mostNames = 256

// CodeNow returns Y of one label without the others, for a stream in constant memory. The label is
// invalid afterwards.
func (c *Coder) CodeNow(l Label) (float64, error) {
	switch {
	case c.Regression:
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
	case c.IsName(l) || l.Value != 1 && l.Value != 0 && l.Value != -1:
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

// CodeAll returns Classes, and changes y from numbers to Y. names[i] is the name of row i,
// 0 if it has a number; rows from len(names) on have numbers.
func (c *Coder) CodeAll(y []float64, names []int32) ([]string, error) {
	named := slices.ContainsFunc(names, func(k int32) bool { return c.IsName(Label{Name: k}) })
	if c.Regression || c.coding == nil && c.Auto && !named && !likeClasses(y) {
		return nil, nil
	}
	g, classes := c.coding, c.Classes
	if classes == nil {
		var err error
		if classes, err = c.distinct(y, names); err != nil {
			return nil, err
		}
		if named && c.Auto && len(classes) == 1 && c.Positive == "" {
			classes = append(classes, svmkit.RestName(classes[0])) // this class has no row
		}
		if len(classes) < 2 && c.Positive == "" {
			if _, number := word.Number([]byte(classes[0])); !number {
				return nil, CaseOf(ErrOnlyName, ", %q", classes[0])
			}
			return nil, CaseOf(ErrOnlyClass, ", %q", classes[0])
		}
	}
	if c.Positive != "" {
		k := slices.Index(classes, c.Positive)
		if k < 0 {
			return nil, fmt.Errorf("%w: %q; the classes are %s", svmkit.ErrNoClass, c.Positive,
				known.Names(classes))
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
		l := Label{Value: y[i]}
		if i < len(names) {
			l.Name = names[i]
		}
		y[i], _ = c.y(g, l)
	}
	return slices.Clone(classes), nil
}

// distinct returns the different labels in the order that Labels promises.
func (c *Coder) distinct(y []float64, names []int32) (classes []string, err error) {
	seen := map[Label]bool{}
	for i, v := range y {
		l := Label{Value: v}
		if i < len(names) {
			l.Name = names[i]
		}
		switch {
		case seen[l]:
			continue
		case c.IsName(l):
			classes = append(classes, c.Text(l))
		default:
			if err := c.clash(l); err != nil {
				return nil, err
			}
			classes = append(classes, word.Format(v))
		}
		seen[l] = true
	}
	sorted := make([]string, len(classes))
	for i, k := range Order(classes) {
		sorted[i] = classes[k]
	}
	return sorted, nil
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

// Takes reports whether [Coder.Read] takes a label that is the number v by its value alone.
func (c *Coder) Takes(text []byte, v float64) bool {
	if c.Regression {
		return true
	} else if c.coding == nil || word.LongInteger(text) {
		return word.Shortest(text, v)
	}
	_, ok := c.coding.number[v]
	return ok || c.Positive != ""
}

// Known returns the names of the classes −1 and +1, as far as the labels that have been read
// determine them.
func (c *Coder) Known() []string {
	switch {
	case c.Regression:
		return nil
	case c.Classes != nil:
		return slices.Clone(c.Classes)
	case c.Positive != "":
		return []string{svmkit.RestName(c.Positive), c.Positive}
	case c.sawZero:
		return []string{"0", "1"}
	case c.sawMinus:
		return svmkit.SignNames()
	}
	return nil
}

// IsNew reports whether the label with a number, from 1, is a name that no class of the rule has.
func (c *Coder) IsNew(name int32) bool {
	if !c.IsName(Label{Name: name}) {
		return false
	}
	if c.coding == nil {
		return true
	}
	_, known := c.coding.name[c.names[name-1]]
	return !known
}

// Order returns the indices of class names in the order that classes have: by value if all names are numbers, by their bytes otherwise.
func Order(names []string) []int {
	order, values := make([]int, len(names)), make([]float64, len(names))
	numbers := true
	for k, name := range names {
		v, ok := word.Number([]byte(name))
		order[k], values[k], numbers = k, v, numbers && ok
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if numbers && values[a] != values[b] {
			return cmp.Compare(values[a], values[b])
		}
		return cmp.Compare(names[a], names[b])
	})
	return order
}
