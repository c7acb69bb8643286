package dataset

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// label is one label as the file has it: a number, or a name.
type label struct {
	value float64 // NaN for another label, see AllowOther
	// coder.names[name−1] is the text: a name, or value in another spelling than the shortest. 0
	// says that the text is value in its shortest spelling.
	name int32
}

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
		y := classLabel(k, len(classes))
		if v, ok := labelNumber([]byte(text)); ok {
			g.number[v] = y
		} else {
			g.name[canonical(text)] = y
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
		c.Positive = canonical(l.Positive)
		c.coding = newCoding([]string{"", c.Positive}) // no label is empty
		c.rest = true
	}
	return c
}

// y returns Y of a label under the given coding.
func (c *coder) y(g *coding, l label) (y float64, ok bool) {
	if l.value != l.value {
		return l.value, true // another label, see AllowOther
	}
	if c.isName(l) {
		y, ok = g.name[c.names[l.name-1]]
	} else {
		y, ok = g.number[l.value]
	}
	if !ok && c.rest {
		return -1, true
	}
	return y, ok
}

// text returns the label for a message.
func (c *coder) text(l label) string {
	if l.name != 0 {
		return c.names[l.name-1]
	}
	return formatNumber(l.value)
}

// read recognises the text of one label. A quoted text may look like a missing value. With
// AllowOther a label that cannot be used has the value NaN, which is its Y, too.
func (c *coder) read(text []byte, quoted bool) (label, error) {
	l, err := c.readStrict(text, quoted)
	if err == nil || !c.AllowOther || err == ErrMissing && c.strict {
		return l, err
	}
	l.value = math.NaN()
	if c.rest && err != ErrMissing {
		l = label{value: math.Inf(1)} // which is no class, so it is the rest
	}
	return l, nil
}

// readStrict is read without AllowOther.
func (c *coder) readStrict(text []byte, quoted bool) (label, error) {
	v, ok := decimal.Parse(text)
	l := label{value: v}
	switch {
	case ok && math.IsInf(v, 0):
		return l, numberError(text)
	case ok && (c.Task == Regression || shortest(text, v) || c.coding != nil && !longInteger(text)):
		// value says it all
	case len(text) == 0 || !quoted && isMissing(text):
		return l, ErrMissing
	case c.Task == Regression:
		return l, numberError(text)
	case !quoted && numberError(text) == svmkit.ErrNotFinite:
		return l, svmkit.ErrNotFinite
	case control(text):
		return l, ErrControl
	default:
		if ok {
			text = bytes.TrimPrefix(text, plus)
		}
		if l.name = c.number[string(text)]; l.name == 0 {
			c.names = append(c.names, string(text))
			l.name = int32(len(c.names))
			c.number[string(text)] = l.name
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
	if l.name == 0 {
		return false
	}
	_, number := labelNumber([]byte(c.names[l.name-1]))
	return !number
}

// clash returns an error if the number was spelled in another way before.
func (c *coder) clash(l label) error {
	text, known := c.spelled[l.value]
	if now := c.text(l); !known {
		c.spelled[l.value] = now
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
		return l.value, nil
	case c.coding != nil:
		y, _ := c.y(c.coding, l) // read has checked it
		if len(c.names) > mostNames {
			// Streams keep no labels, so no number of a name is in use. Readers of whole files use
			// codeAll.
			c.names = c.names[:0]
			clear(c.number)
		}
		return y, nil
	case c.isName(l) || l.value != 1 && l.value != 0 && l.value != -1:
		return 0, ErrLabel
	}
	if err := c.clash(l); err != nil {
		return 0, err
	}
	if l.value == 1 {
		return 1, nil
	}
	c.sawZero = c.sawZero || l.value == 0
	c.sawMinus = c.sawMinus || l.value == -1
	if c.sawZero && c.sawMinus {
		return 0, ErrLabelMixed
	}
	return -1, nil
}

// codeAll returns Classes, and changes y from numbers to Y. names[i] is the name of row i,
// 0 if it has a number; rows from len(names) on have numbers.
func (c *coder) codeAll(y []float64, names []int32) ([]string, error) {
	named := slices.ContainsFunc(names, func(k int32) bool { return c.isName(label{name: k}) })
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
			// This class has no row. LIBSVM's files take no blanks.
			classes = append(classes, "not-"+classes[0])
		}
		if len(classes) < 2 && c.Positive == "" {
			return nil, caseOf(ErrOnlyClass, ", %q", classes[0])
		}
	}
	if c.Positive != "" {
		k := slices.Index(classes, c.Positive)
		if k < 0 {
			return nil, fmt.Errorf("%w: %q", svmkit.ErrNoClass, c.Positive)
		}
		other := restOf(c.Positive)
		if len(classes) == 2 {
			other = classes[1-k]
		}
		classes = []string{other, c.Positive}
	}
	if g == nil {
		g = newCoding(classes)
	}
	for i := range y {
		l := label{value: y[i]}
		if i < len(names) {
			l.name = names[i]
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
		l := label{value: v}
		if i < len(names) {
			l.name = names[i]
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
		classes = append(classes, formatNumber(v))
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
