package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// headings are the groups of flags in the order of a help text.
var headings = []string{"Data", "Scaling", "Model", "Search", "Solver", "Pipeline", "Lessons", "Pages", "Mutants", "Output"}

// Group puts all flags of fs that are in no group yet under a heading of the help.
func Group(fs *flag.FlagSet, heading string) {
	fs.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(f.Usage, "\n") {
			f.Usage = heading + "\n" + f.Usage
		}
	})
}

// About describes a flag for the help and the completion.
type About struct {
	Group, Value, Text string   // Value names the value; "" for a flag without one
	Words              []string // that the flag takes; nil for any
	File               bool     // the value is the name of a file
}

// Describe returns the description of a flag. A %s in its usage stands for the words that it takes.
func Describe(f *flag.Flag) (a About) {
	plain := *f
	a.Group, plain.Usage, _ = strings.Cut(f.Usage, "\n")
	a.Value, a.Text = flag.UnquoteUsage(&plain)
	switch a.Value {
	case "float", "int", "uint":
		a.Value = "number"
	case "string", "value":
		a.Value = "text"
	case "duration":
		a.Value = "time"
	}
	if w, ok := f.Value.(interface{ Known() []string }); ok {
		a.Words = w.Known()
	}
	if a.Words != nil && a.Value == "text" {
		a.Value = "name"
	}
	if _, a.File = f.Value.(*fileName); a.File && a.Value == "text" {
		a.Value = "file"
	}
	a.Text = strings.Replace(a.Text, "%s", Or(a.Words), 1)
	return a
}

const (
	helpWidth  = 80
	flagColumn = 26 // where the texts of flags begin
)

// FlagHelp describes the flags of fs in groups, 80 columns wide.
func FlagHelp(fs *flag.FlagSet) string {
	groups := map[string]*strings.Builder{}
	fs.VisitAll(func(f *flag.Flag) {
		a := Describe(f)
		b := groups[a.Group]
		if b == nil {
			b = &strings.Builder{}
			groups[a.Group] = b
		}
		line := strings.TrimRight("  -"+f.Name+" "+a.Value, " ")
		if utf8.RuneCountInString(line) > flagColumn-2 {
			fmt.Fprintln(b, line)
			line = ""
		}
		words := strings.Fields(a.Text)
		if shown := shownDefault(f); shown != "" {
			words = append(words, "(default "+shown+")")
		}
		line += strings.Repeat(" ", flagColumn-1-utf8.RuneCountInString(line))
		for _, word := range words {
			if utf8.RuneCountInString(line+" "+word) > helpWidth {
				fmt.Fprintln(b, line)
				line = strings.Repeat(" ", flagColumn-1)
			}
			line += " " + word
		}
		fmt.Fprintln(b, line)
	})
	var text strings.Builder
	for _, name := range headings {
		if groups[name] != nil {
			fmt.Fprintf(&text, "\n%s flags\n%s", name, groups[name])
		}
	}
	return text.String()
}

// shownDefault returns the default of a flag for its help, "" for one that says nothing.
func shownDefault(f *flag.Flag) string {
	if d, err := time.ParseDuration(f.DefValue); err == nil && d > 0 {
		return strings.TrimSuffix(d.String(), "m0s") + map[bool]string{true: "m"}[strings.HasSuffix(d.String(), "m0s")]
	}
	if slices.Contains([]string{"", "0", "false"}, f.DefValue) {
		return ""
	}
	return f.DefValue
}

// word is the value of a flag that takes one of some words.
type word struct {
	*string
	known []string
}

// WordVar defines a flag that takes one of the known words. An empty default stands for no word.
func WordVar(fs *flag.FlagSet, to *string, name string, known []string, value, usage string) {
	*to = value
	fs.Var(&word{to, known}, name, usage)
}

func (w *word) String() string {
	if w.string == nil { // a zero value, as package flag makes one
		return ""
	}
	return *w.string
}

// Set takes a known word.
func (w *word) Set(text string) error {
	if !slices.Contains(w.known, text) {
		return errors.New("must be " + Or(w.known))
	}
	*w.string = text
	return nil
}

// Known returns the words.
func (w *word) Known() []string { return w.known }
