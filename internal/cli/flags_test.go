package cli

import (
	"errors"
	"flag"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// set returns a set of some flags, parsed.
func set(t *testing.T, args ...string) *flag.FlagSet {
	t.Helper()
	fs := FlagSet("fit")
	fs.Int("folds", 5, "")
	fs.Bool("json", false, "")
	fs.String("gamma", "", "")
	if _, err := Parse(fs, args, nil); err != nil {
		t.Fatal(err)
	}
	return fs
}

// Flags stand in front of, between and behind the other arguments.
func TestParse(t *testing.T) {
	for _, args := range []string{"-folds 3 -json a b", "a b -folds 3 -json", "-json a -folds=3 b", "a --folds 3 b --json=true", "-folds 3 -json -- a b"} {
		fs := FlagSet("fit")
		folds, json := fs.Int("folds", 5, ""), fs.Bool("json", false, "")
		files, err := Parse(fs, strings.Fields(args), nil, "MODEL", "FILE")
		if err != nil || !slices.Equal(files, []string{"a", "b"}) || *folds != 3 || !*json {
			t.Errorf("%s: %q, %v, -folds %d, -json %t", args, files, err, *folds, *json)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	other := FlagSet("scan")
	other.Bool("heatmap", false, "")
	for args, says := range map[string]string{
		"":              "missing argument: MODEL FILE",
		"a":             "missing argument: FILE; wanted are MODEL FILE",
		"a b c":         `an argument too many: "c"; wanted: MODEL FILE`,
		"-fold 3 a b":   "no flag -fold: is -folds meant?",
		"a -JSON b":     "no flag -JSON: is -json meant?",
		"-gama 1 a b":   "no flag -gama: is -gamma meant?",
		"-amgma 1 a b":  "no flag -amgma: is -gamma meant?",
		"-heatmap a b":  "fit has no flag -heatmap; scan has it",
		"-kernel a b":   "no flag -kernel",
		"-gamxyz 1 a b": "no flag -gamxyz",
		"-x a b":        "no flag -x",
		"-folds x a b":  "-folds x: must be a whole number",
		"a b -gamma":    "-gamma has no value; it takes a text",
		"a b -json=q":   "-json q: must be true or false",
		"a b -folds= x": "-folds : must be a whole number",
	} {
		fs := FlagSet("fit")
		fs.Int("folds", 5, "")
		fs.Bool("json", false, "")
		fs.String("gamma", "", "")
		files, err := Parse(fs, strings.Fields(args), []*flag.FlagSet{other}, "MODEL", "FILE")
		var use *UsageError
		if files != nil || !errors.As(err, &use) || use.Command != "fit" || err.Error() != says {
			t.Errorf("%s: %q, %v, want %s", args, files, err, says)
		}
	}
	if _, err := Parse(FlagSet("fit"), []string{"a", "-h", "b"}, nil, "FILE"); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "xabc", 1}, {"abc", "bc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestGivenAndIdle(t *testing.T) {
	fs := set(t, "-folds", "5")
	if !Given(fs, "folds") || Given(fs, "json") {
		t.Error("a flag with its default value counts as given, and one that is missing does not")
	}
	for _, c := range []struct {
		rules []Idle
		says  string
	}{
		{nil, ""},
		{[]Idle{NoEffect("folds", false, "here"), NoEffect("json", true, "here")}, ""},
		{[]Idle{NoEffect("json", true, "here"), NoEffect("folds", true, "without -x"), NoEffect("folds", true, "there")}, "-folds has no effect without -x"},
	} {
		err := CheckIdle(fs, c.rules...)
		var use *UsageError
		if c.says == "" && err != nil || c.says != "" && (!errors.As(err, &use) || use.Command != "fit" || err.Error() != c.says) {
			t.Errorf("%v: %v, want %q", c.rules, err, c.says)
		}
	}
}

func TestWords(t *testing.T) {
	words := Words[int]{W("one", 1), W("two", 2)}
	if words.Meaning("two") != 2 || words.Meaning("three") != 0 || !slices.Equal(words.Names(), []string{"one", "two"}) {
		t.Errorf("%d, %d, %q", words.Meaning("two"), words.Meaning("three"), words.Names())
	}
	fs := set(t)
	if err := CheckWord(fs, "gamma", "two", words.Names()); err != nil {
		t.Error(err)
	}
	var use *UsageError
	if err := CheckWord(fs, "gamma", "three", words.Names()); !errors.As(err, &use) || err.Error() != "-gamma three: must be one or two" {
		t.Error(err)
	}
	inner := errors.New("inner")
	if err := WrongUse(fs, "outer: %w", inner); !errors.As(err, &use) || use.Command != "fit" || !errors.Is(err, inner) || err.Error() != "outer: inner" {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	l := List[int]{Values: []int{7}, Parse: func(text string) (int, error) {
		v, err := strconv.Atoi(text)
		if err != nil {
			err = errors.New("must be whole numbers")
		}
		return v, err
	}}
	for _, c := range []struct {
		text, shown, says string
	}{
		{"1", "1", ""}, {"1,2,30", "1,2,30", ""}, {"-1,1", "-1,1", ""},
		{"1,x", "", "must be whole numbers"}, {"", "", "must be whole numbers"}, {"1,", "", "must be whole numbers"}, {"1,2,1", "", "1 occurs twice; name each once"},
		{"1:2:3", "", "must be whole numbers"},
	} {
		err := l.Set(c.text)
		if c.says == "" && (err != nil || l.String() != c.shown) || c.says != "" && (err == nil || err.Error() != c.says) {
			t.Errorf("%q: %v, %v, want %q%s", c.text, l.Values, err, c.shown, c.says)
		}
	}
	if l.Set("4,5"); l.String() != "4,5" || !slices.Equal(l.Values, []int{4, 5}) {
		t.Errorf("a second list is added to the first: %v", l.Values)
	}
	l.Expand = func(text string) ([]int, error) { return []int{1, 2, 3}, nil }
	if err := l.Set("1:3:3"); err != nil || l.String() != "1,2,3" {
		t.Errorf("%v, %v", l.Values, err)
	}
	if err := l.Set("1:3"); err == nil {
		t.Errorf("half a range is a list: %v", l.Values)
	}
	var empty List[string]
	if empty.String() != "" {
		t.Errorf("%q", empty.String())
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"a-b_c.csv": "a-b_c.csv", "/x/y,z:1=2+3@4%": "/x/y,z:1=2+3@4%", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "ä": "'ä'", "*": "'*'",
	} {
		if got := Quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if Shortest(0.1) != "0.1" || Shortest(1e21) != "1e+21" || Shortest(math.Copysign(0, -1)) != "-0" {
		t.Error(Shortest(0.1), Shortest(1e21), Shortest(math.Copysign(0, -1)))
	}
}
