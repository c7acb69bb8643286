package modelfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile/internal/cause"
)

// text is the text of a model file, read line by line and word by word. It keeps its place for
// messages. Slices grow with the text that has been read, never with the number that a file
// promises.
type text struct {
	options Options
	r       *bufio.Reader
	line    int    // number of the current line, from 1
	current string // the current line
	pos     int    // in current: the text before it has been consumed
	pending bool   // peek has read the line, and key has yet to take it
	err     error  // the error that ended the text; every later line returns it
}

// newText returns the text of r, without the byte order mark that some editors put in front.
func newText(r io.Reader) *text {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
	}
	return &text{r: in}
}

// nextLine moves to the next line. At the end of the text it is ErrTruncated. A last line
// without its newline counts as cut off: half a number is a number too.
func (t *text) nextLine() error {
	if t.pending {
		t.pending = false
		return nil
	}
	if t.err != nil {
		return t.err
	}
	text, err := t.r.ReadString('\n')
	t.line++
	t.pos = 0
	t.current = strings.TrimRight(text, "\r\n")
	if err == io.EOF {
		err = ErrTruncated
	}
	if err != nil {
		t.err = t.errorAt(0, "", err)
	}
	return t.err
}

// word returns the next word of the line and its column, "" at the end of the line.
func (t *text) word() (word string, at int) {
	for t.pos < len(t.current) && isBlank(t.current[t.pos]) {
		t.pos++
	}
	from := t.pos
	for t.pos < len(t.current) && !isBlank(t.current[t.pos]) {
		t.pos++
	}
	return t.current[from:t.pos], from + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// rest returns the rest of the line, without blanks around it.
func (t *text) rest() (text string, at int) {
	text = strings.TrimLeft(t.current[t.pos:], " \t")
	t.pos = len(t.current)
	return strings.TrimRight(text, " \t"), t.pos - len(text) + 1
}

// peek returns the first word of the next line, which key or nextLine will take; "" at the
// end of the text.
func (t *text) peek() string {
	if t.nextLine() != nil {
		return "" // the next request for the line gets the error
	}
	word, _ := t.word()
	t.pos, t.pending = 0, true
	return word
}

// key moves to the next line and consumes its first word, which must be the given one.
func (t *text) key(want string) error {
	if err := t.nextLine(); err != nil {
		return err
	}
	if word, at := t.word(); word != want {
		return t.errorAt(at, word, fmt.Errorf("%w, %s expected", ErrMalformed, want))
	}
	return nil
}

// number consumes a finite number.
func (t *text) number() (float64, error) {
	word, at := t.word()
	v, err := parseFinite(word)
	if err != nil {
		return 0, t.errorAt(at, word, err)
	}
	return v, nil
}

// count consumes an integer from least up to the largest int32, the largest number of columns in
// this library.
func (t *text) count(least int) (int, error) {
	word, at := t.word()
	n, ok := parseCount(word)
	if !ok || n < least {
		return 0, t.errorAt(at, word, fmt.Errorf("%w, a number from %d to %d", ErrMalformed, least, math.MaxInt32))
	}
	return n, nil
}

// table reads n lines of the given number of values, and returns its columns.
func (t *text) table(n, columns int) ([][]float64, error) {
	table := make([][]float64, columns)
	for k := range table {
		table[k] = []float64{}
	}
	for range n {
		if err := t.nextLine(); err != nil {
			return nil, err
		}
		for k := range table {
			v, err := t.number()
			if err != nil {
				return nil, err
			}
			table[k] = append(table[k], v)
		}
		if err := t.lineEnds(); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// lineEnds is an error if there is another word in the line.
func (t *text) lineEnds() error {
	if word, at := t.word(); word != "" {
		return t.errorAt(at, word, fmt.Errorf("%w, the line should end here", ErrMalformed))
	}
	return nil
}

// onlyBlankLines is an error if anything but blanks follows.
func (t *text) onlyBlankLines() error {
	for {
		if err := t.lineEnds(); err != nil {
			return err
		}
		text, err := t.r.ReadString('\n')
		t.line, t.pos, t.current = t.line+1, 0, strings.TrimRight(text, "\r\n")
		if err == io.EOF {
			return t.lineEnds()
		} else if err != nil {
			return t.errorAt(0, "", err)
		}
	}
}

func (t *text) notAModel() error { return t.errorAt(0, t.current, ErrNotModel) }

func (t *text) errorAt(column int, text string, err error) error {
	return &ParseError{Line: t.line, Column: column, Text: shortenText(text), Err: err}
}

// shortenText returns at most 40 bytes of text, cut between characters.
func shortenText(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

func parseCount(text string) (n int, ok bool) {
	v, err := strconv.ParseUint(text, 10, 31)
	return int(v), err == nil
}

func parseFinite(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0): // also a number beyond the range
		return 0, svmkit.ErrNotFinite
	case err != nil:
		return 0, fmt.Errorf("%w, not a number", ErrMalformed)
	}
	return v, nil
}

// formatExact writes v in the shortest form that is read back bit for bit.
func formatExact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Causes that a [*ParseError] can wrap; test with errors.Is. The other causes are
// svmkit.ErrNotFinite, the [*svmkit.ParamError] of a kernel, and the error of the reader
// underneath.
var (
	ErrNotModel  = errors.New("not a model file of svmkit, LIBSVM, LIBLINEAR or save_for_go.py")
	ErrVersion   = cause.ErrVersion
	ErrTruncated = cause.ErrTruncated
	ErrMalformed = cause.ErrMalformed
	ErrIndexZero = &svmkit.Cause{Problem: "an index 0 in a model whose indices start at 1",
		Hint: "if it was trained on a file whose indices start at 0, set ZeroBased of Options", Of: ErrMalformed}
	ErrUnsupported = cause.ErrUnsupported
)

// ParseError reports where a model file cannot be read, and the cause.
type ParseError struct {
	Name   string // name of the file, if known
	Line   int    // line number, from 1
	Column int    // byte in the line, from 1; 0 if the error is about the whole line
	Text   string // the offending text, shortened
	Err    error  // the cause
}

// Error returns the message.
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("modelfile: ")
	if e.Name != "" {
		b.WriteString(e.Name + ", ")
	}
	fmt.Fprintf(&b, "line %d", e.Line)
	if e.Column > 0 {
		fmt.Fprintf(&b, ", column %d", e.Column)
	}
	text := ""
	if e.Text != "" {
		text = fmt.Sprintf(": %q", e.Text)
	}
	return b.String() + ": " + svmkit.Describe(e.Err, text)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }
