// Package clitest checks the help of a program, for tests.
package clitest

import (
	"bytes"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/svmkit/course/internal/cli"
)

// Help checks the help of a program and of each command. No line has more than 80 columns. The help of the
// program is one screen that names each command. The help of a command has a line of usage, one sentence, three
// examples, and each flag once, in a group, with its default and at most 12 words. Help returns the examples of the
// program, and then the examples of the commands.
func Help(t *testing.T, p *cli.Program, call string) (examples []string) {
	t.Helper()
	ask := func(name string) string {
		var out bytes.Buffer
		if _, err := p.Choose(&out, []string{"help", name}); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v", name, err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > 80 || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s: %d columns, or blanks: %q", name, n, line)
			}
		}
		return out.String()
	}
	help := ask(p.Name)
	if n := strings.Count(help, "\n"); n < 24 || n > 40 {
		t.Errorf("the help of %s has %d lines", p.Name, n)
	}
	for line := range strings.Lines(help) {
		if strings.HasPrefix(line, "       "+call) {
			examples = append(examples, strings.TrimSpace(line))
		}
	}
	for _, c := range p.Commands {
		if !slices.ContainsFunc(strings.Split(help, "\n"), func(line string) bool {
			words := strings.Fields(line)
			return len(words) > 0 && words[0] == c.Name && strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), c.Name)), c.Does)
		}) {
			t.Errorf("the help of %s does not say that %s is to %s", p.Name, c.Name, c.Does)
		}
		examples = append(examples, ofCommand(t, ask(c.Name), c, call)...)
	}
	return examples
}

func ofCommand(t *testing.T, help string, c cli.Command, call string) (examples []string) {
	t.Helper()
	parts := append(strings.SplitN(help, "\n\n", 4), "", "", "")
	sentence := parts[1]
	if !strings.HasPrefix(help, "usage: "+call+" ") || !strings.Contains(parts[0], c.Name) || strings.Contains(parts[0], "\n") ||
		!strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "\n") || strings.Contains(sentence, ". ") {
		t.Errorf("%s: no line of usage and one sentence:\n%s", c.Name, help)
	}
	list, found := strings.CutPrefix(strings.TrimSpace(parts[2]), "Examples\n")
	for line := range strings.SplitSeq(list, "\n") {
		if !found || !strings.HasPrefix(line, "  "+call+" "+c.Name) || slices.Contains(examples, strings.TrimSpace(line)) {
			t.Errorf("%s: no example, or a second time: %q", c.Name, line)
		}
		examples = append(examples, strings.TrimSpace(line))
	}
	if len(examples) != 3 {
		t.Errorf("%s: %d examples, want 3", c.Name, len(examples))
	}
	words := strings.Join(strings.Fields(help), " ")
	c.Flags.VisitAll(func(f *flag.Flag) {
		a := cli.Describe(f)
		if n := len(strings.Fields(a.Text)); n < 2 || n > 12 || strings.Contains(a.Text, "%") {
			t.Errorf("%s: the text of -%s has %d words: %s", c.Name, f.Name, n, a.Text)
		}
		if a.Group == "" || strings.Count(help, "\n  -"+f.Name+" ")+strings.Count(help, "\n  -"+f.Name+"\n") != 1 {
			t.Errorf("%s: -%s is in no group, or not once in\n%s", c.Name, f.Name, help)
		}
		if !slices.Contains([]string{"", "0", "false"}, f.DefValue) && !strings.Contains(strings.ReplaceAll(words, "1m)", "1m0s)"), "(default "+f.DefValue+")") {
			t.Errorf("%s: the default of -%s is %s, and the help does not say so", c.Name, f.Name, f.DefValue)
		}
	})
	return examples
}
