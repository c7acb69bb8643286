package cli

import (
	"bytes"
	"errors"
	"flag"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

func demo() *Program {
	cut := FlagSet("cut")
	var kind, file string
	WordVar(cut, &kind, "kind", []string{"long", "short"}, "long", "how to cut: %s")
	OutputVar(cut, &file, "o", "where the pieces go")
	Group(cut, "Output")
	cut.Int("pieces", 3, "number of [equal] pieces that nobody's eye can tell from one another on a screen")
	cut.Bool("dry", false, "change nothing")
	Group(cut, "Model")
	return &Program{Name: "demo", Heads: fstest.MapFS{"help/demo.txt": {Data: []byte("usage: demo\n")}, "help/cut.txt": {Data: []byte("usage: demo cut\n")},
		"help/completion.txt": {Data: []byte("usage: demo completion\n")}}, Commands: []Command{{Name: "cut", Does: "cut it", Flags: cut}}}
}

func TestProgramAnswers(t *testing.T) {
	const cutHelp = `usage: demo cut

Model flags
  -dry                    change nothing
  -pieces number          number of [equal] pieces that nobody's eye can tell
                          from one another on a screen (default 3)

Output flags
  -kind name              how to cut: long or short (default long)
  -o file                 where the pieces go
`
	for _, c := range []struct {
		args, out, says string // says is "" if out answers
	}{
		{"-h", "usage: demo\n", ""}, {"help", "usage: demo\n", ""}, {"help cut", cutHelp, ""}, {"help saw", "", `no command "saw"; say cut (demo -h explains them)`},
		{"", "", "which command? Say cut (demo -h explains them)"}, {"saw", "", `no command "saw"; say cut (demo -h explains them)`},
		{"completion -h", "usage: demo completion\n", ""}, {"completion fish", "", "fish: must be bash or zsh"}, {"completion", "", "missing argument: SHELL"},
	} {
		var out bytes.Buffer
		_, err := demo().Choose(&out, strings.Fields(c.args))
		var wrong *UsageError
		if c.says == "" && !errors.Is(err, flag.ErrHelp) || c.says != "" && (!errors.As(err, &wrong) || err.Error() != c.says) || out.String() != c.out {
			t.Errorf("%s: %v, want %q\n%swant\n%s", c.args, err, c.says, &out, c.out)
		}
	}
	p := demo()
	if k, err := p.Choose(nil, []string{"cut", "x"}); k != 0 || err != nil {
		t.Error(k, err)
	}
	var out bytes.Buffer
	if _, err := p.Parse(&out, p.Commands[0].Flags, []string{"-h"}); !errors.Is(err, flag.ErrHelp) || out.String() != cutHelp {
		t.Errorf("%v\n%s", err, &out)
	}
	if _, err := p.Parse(&out, FlagSet("saw"), []string{"-pieces"}); err == nil || err.Error() != "saw has no flag -pieces; cut has it" {
		t.Error(err)
	}
	if _, err := p.Parse(&out, p.Commands[0].Flags, []string{"-kind", "wide"}); err == nil || err.Error() != "-kind wide: must be long or short" {
		t.Error(err)
	}
}

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.99", Main: debug.Module{Version: "v0.1.0"}}
	if got := version("demo", info); !strings.HasPrefix(got, "demo v0.1.0, commit unknown, go1.99 ") {
		t.Error(got)
	}
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}
	if got := version("demo", info); !strings.HasPrefix(got, "demo v0.1.0, commit abc, go1.99 ") {
		t.Error(got)
	}
	info.Settings[1].Value = "true"
	if got := version("demo", info); !strings.HasPrefix(got, "demo v0.1.0, commit abc, with changes, go1.99 ") {
		t.Error(got)
	}
}

func TestOr(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Or(words); got != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}
