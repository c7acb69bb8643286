package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Program is a program of several commands. Besides these it has help and version, and completion if there is a
// help for it.
type Program struct {
	Name     string
	Call     string // how it is called; "" for Name
	Heads    fs.FS  // has help/NAME.txt for the program and each command: the help without the flags
	Commands []Command
}

// Command is a command of a [Program].
type Command struct {
	Name, Does string
	Flags      *flag.FlagSet
	Words      []string // that the command takes; nil for files
}

// shells are the shells for which there is a completion.
var shells = []string{"bash", "zsh"}

// Questions are the flags that [Program.Choose] answers in place of a command.
func Questions() []string { return []string{"-h", "-help", "--help", "-version", "--version"} }

// Choose returns the number of the command that args begin with. If args ask for help, the version or a
// completion, it writes the answer to out and returns [flag.ErrHelp].
func (p *Program) Choose(out io.Writer, args []string) (int, error) {
	name, known := "", []string{}
	if len(args) > 0 {
		name = args[0]
	}
	for k, c := range p.Commands {
		if c.Name == name {
			return k, nil
		}
		known = append(known, c.Name)
	}
	wrong := func(what string) error {
		return &UsageError{Err: fmt.Errorf("%s %s (%s -h explains them)", what, Or(known), cmp.Or(p.Call, p.Name))}
	}
	var err error
	switch name {
	case "":
		return 0, wrong("which command? Say")
	case "-h", "-help", "--help", "help":
		of := p.Name
		if len(args) > 1 {
			of = args[1]
		}
		if err = p.help(out, FlagSet(of)); errors.Is(err, fs.ErrNotExist) {
			err = wrong(fmt.Sprintf("no command %q; say", of))
		}
	case "-version", "--version", "version":
		info, _ := debug.ReadBuildInfo()
		_, err = io.WriteString(out, version(p.Name, info))
	case "completion":
		if _, none := fs.Stat(p.Heads, "help/completion.txt"); none == nil {
			err = p.completion(out, args[1:])
			break
		}
		fallthrough
	default:
		if err = wrong(fmt.Sprintf("no command %q; say", name)); strings.HasPrefix(name, "-") {
			err = wrong(fmt.Sprintf("%s before the command; flags come after", name))
		}
	}
	if err == nil {
		err = flag.ErrHelp
	}
	return 0, err
}

// Parse is the function [Parse] of a command: it writes the help that is asked for, and knows the flags of the
// other commands.
func (p *Program) Parse(out io.Writer, set *flag.FlagSet, args []string, what ...string) ([]string, error) {
	var others []*flag.FlagSet
	for _, c := range p.Commands {
		others = append(others, c.Flags)
	}
	files, err := Parse(set, args, others, what...)
	if errors.Is(err, flag.ErrHelp) {
		if failed := p.help(out, set); failed != nil {
			err = failed
		}
	}
	return files, err
}

// help writes the help of the program or of a command.
func (p *Program) help(out io.Writer, set *flag.FlagSet) error {
	head, err := fs.ReadFile(p.Heads, "help/"+set.Name()+".txt")
	if err != nil {
		return err
	}
	if k := slices.IndexFunc(p.Commands, func(c Command) bool { return c.Name == set.Name() }); k >= 0 {
		set = p.Commands[k].Flags
	}
	_, err = io.WriteString(out, string(head)+FlagHelp(set))
	return err
}

// completion writes the script for a shell.
func (p *Program) completion(out io.Writer, args []string) error {
	set := FlagSet("completion")
	shell, err := p.Parse(out, set, args, "SHELL")
	if err != nil {
		return err
	}
	commands := append(slices.Clone(p.Commands), Command{Name: set.Name(), Does: "print a shell completion", Words: shells, Flags: set})
	script := bash
	switch shell[0] {
	case "bash":
	case "zsh":
		script = zsh
	default:
		return WrongUse(set, "%s: must be %s", shell[0], Or(shells))
	}
	_, err = io.WriteString(out, script(p.Name, commands))
	return err
}

// version returns the versions of the program's module, its commit and Go.
func version(program string, info *debug.BuildInfo) string {
	commit, changed := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	return fmt.Sprintf("%s %s, commit %s%s, %s %s/%s\n", program, info.Main.Version, commit, changed, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}
