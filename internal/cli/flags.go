package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// UsageError is a wrong command line.
type UsageError struct {
	Command string // the name of the flag set; "" if there is none
	Err     error
}

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// WrongUse returns a [*UsageError] of the command of fs.
func WrongUse(fs *flag.FlagSet, format string, args ...any) error {
	return &UsageError{fs.Name(), fmt.Errorf(format, args...)}
}

// FlagSet returns an empty set of flags that prints nothing.
func FlagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// Parse reads flags and the arguments what, in any order, and returns the arguments. One in square brackets
// may be missing, and one that ends in "…]" may come more than once.
// For -h the error is [flag.ErrHelp]; any other is a [*UsageError]. An unknown flag gets a hint: the
// similar flag of fs, or the commands in others that have it.
func Parse(fs *flag.FlagSet, args []string, others []*flag.FlagSet, what ...string) (files []string, err error) {
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, &UsageError{fs.Name(), likely(fs, others, err)}
		}
		if fs.NArg() == 0 {
			break
		}
		files, args = append(files, fs.Arg(0)), fs.Args()[1:]
	}
	given, wanted, most := len(files), len(what), len(what)
	for ; wanted > 0 && strings.HasPrefix(what[wanted-1], "["); wanted-- {
		if strings.HasSuffix(what[wanted-1], "…]") {
			most = given
		}
	}
	switch {
	case given > 0 && most == 0:
		return nil, WrongUse(fs, "an argument too many: %q; %s takes none", files[0], fs.Name())
	case given == 0 && wanted > 0:
		return nil, WrongUse(fs, "missing argument: %s", strings.Join(what, " "))
	case given < wanted:
		return nil, WrongUse(fs, "missing argument: %s; wanted are %s", strings.Join(what[given:], " "), strings.Join(what, " "))
	case given > most:
		list := strings.Join(what, " ")
		if fs.Lookup("o") != nil { // svm-train and svm-predict name their output last
			list += ", and the output by -o"
		}
		return nil, WrongUse(fs, "an argument too many: %q; wanted: %s", files[most], list)
	}
	return files, nil
}

// likely adds a hint to the error of an unknown flag, and to one of a value that cannot be read.
func likely(fs *flag.FlagSet, others []*flag.FlagSet, err error) error {
	if bad := wrongValue.FindStringSubmatch(err.Error()); bad != nil {
		says := bad[3]
		if says == "parse error" || says == "value out of range" {
			says = "must be " + need(fs.Lookup(bad[2]))
		}
		return fmt.Errorf("-%s %s: %s", bad[2], bad[1], says)
	}
	if name, empty := strings.CutPrefix(err.Error(), "flag needs an argument: -"); empty {
		return fmt.Errorf("-%s has no value; it takes %s", name, need(fs.Lookup(name)))
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var have []string
	for _, other := range others {
		if other.Lookup(name) != nil {
			have = append(have, other.Name())
		}
	}
	if have != nil {
		return fmt.Errorf("%s has no flag -%s; %s has it", fs.Name(), name, Or(have))
	}
	best, least := "", 3 // more edits than two are another word
	fs.VisitAll(func(f *flag.Flag) {
		if d := edits(strings.ToLower(name), strings.ToLower(f.Name)); d < least && d < len(name) {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return fmt.Errorf("no flag -%s", name)
	}
	return errors.New("no flag -" + name + ": is -" + best + " meant?")
}

// wrongValue is the text of package flag for a value that cannot be read; there is no type of such an error.
var wrongValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^ :]+): (.*)$`)

// need names the values that a flag takes.
func need(f *flag.Flag) string {
	a := Describe(f)
	get, ok := f.Value.(flag.Getter)
	switch {
	case a.Words != nil:
		return Or(a.Words)
	case a.File:
		return "the name of a file"
	case !ok:
		return "a " + a.Value
	}
	switch get.Get().(type) {
	case bool:
		return "true or false"
	case int, int64:
		return "a whole number"
	case uint, uint64:
		return "a whole number of 0 or more"
	case time.Duration:
		return "a time, as in 10s or 5m"
	case string:
		return "a " + a.Value
	}
	return "a number"
}

// edits returns the Levenshtein distance: how many letters must be inserted, deleted or replaced to
// turn a into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // distances of the first i letters of a to all beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// Given reports whether the command line has the flag.
func Given(fs *flag.FlagSet, name string) (found bool) {
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// Idle is a flag that has no effect under some condition.
type Idle struct {
	flag      string
	condition bool
	says      string
}

// NoEffect returns an [Idle] flag. says names the condition, as in "without -kernel poly".
func NoEffect(flag string, condition bool, says string) Idle { return Idle{flag, condition, says} }

// CheckIdle refuses, with a [*UsageError], a flag that was given and has no effect: the user expects one.
func CheckIdle(fs *flag.FlagSet, rules ...Idle) error {
	for _, rule := range rules {
		if rule.condition && Given(fs, rule.flag) {
			return WrongUse(fs, "-%s has no effect %s", rule.flag, rule.says)
		}
	}
	return nil
}

// Words are the words that a flag takes, in the order of the help, with their meanings.
type Words[T any] []Word[T]

// Word is one of [Words].
type Word[T any] struct {
	Name string
	Is   T
}

// W returns a word and its meaning.
func W[T any](name string, is T) Word[T] { return Word[T]{name, is} }

// Meaning returns the meaning of a word, the zero value for an unknown one.
func (w Words[T]) Meaning(name string) (is T) {
	if k := slices.IndexFunc(w, func(w Word[T]) bool { return w.Name == name }); k >= 0 {
		return w[k].Is
	}
	return is
}

// Names returns the words.
func (w Words[T]) Names() (names []string) {
	for _, word := range w {
		names = append(names, word.Name)
	}
	return names
}

// CheckWord refuses, with a [*UsageError], a value that is none of the words.
func CheckWord(fs *flag.FlagSet, name, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return WrongUse(fs, "-%s %s: must be %s", name, value, Or(words))
}

// Or lists words for a sentence: a, b or c.
func Or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// List is the value of a flag that is a list of different values with commas between them.
type List[T comparable] struct {
	Values []T
	Parse  func(text string) (T, error)
	Expand func(text string) ([]T, error) // reads lo:hi:n; nil if the flag does not take it
	Words  []string                       // that the list takes; nil for any
}

// Known returns the words that the list takes.
func (l *List[T]) Known() []string { return l.Words }

func (l *List[T]) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Values), " ", ","), "[]")
}

// Set reads the list.
func (l *List[T]) Set(text string) (err error) {
	l.Values = nil
	if l.Expand != nil && strings.Count(text, ":") == 2 {
		l.Values, err = l.Expand(text)
		return err
	}
	for _, part := range strings.Split(text, ",") {
		v, err := l.Parse(part)
		if err != nil {
			return err
		}
		if slices.Contains(l.Values, v) {
			return fmt.Errorf("%v occurs twice; name each once", v)
		}
		l.Values = append(l.Values, v)
	}
	return nil
}

// Shortest returns the shortest decimal number that is read back as v.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var plain = regexp.MustCompile(`^[\w./,:=+@%-]+$`)

// Quoted returns text as one argument for a shell.
func Quoted(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
