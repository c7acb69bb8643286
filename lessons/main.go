// Lessons executes the course on the real GoNB kernel and shows it as pages.
//
// Run `go run ./lessons -h` for its commands.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/lessons/internal/course"
)

const usage = `Lessons executes the course's lessons on the GoNB kernel, with Go alone.

	go run ./lessons [command] [flags] [arguments]

Commands
	(none)            execute the lessons that are out of date, write notebooks/,
	                  and serve them as pages on this machine only; Ctrl-C ends it
	run [LESSON…]     execute lessons, by number (3) or name (03-novikoff); all if
	                  none is named. Also any notebook for GoNB: a path to a .md
	                  (Jupytext's format) or an .ipynb file
	test [LESSON…]    execute them and write nothing: does every claim still hold?
	mutants [LESSON…] break the library, a line at a time, and see which claim falls: the
	                  tables are in lessons/mutants, and so is the report, written if
	                  no lesson is named
	grade FOLDER      run the exercises of students' notebooks against the lessons' checks and
	                  write the results as comma-separated values; see docs/hosting.md
	build             write notebooks/ and site/ without executing anything
	book              write all lessons as one EPUB, site/course.epub or that of -o, by
	                  the program pandoc
	jupyter [FOLDER]  open the notebooks, or those of a folder of your own, in JupyterLab
	                  or Notebook, with the kernel
	kernel            install the kernel for a Jupyter or an editor that is started elsewhere
	list              the lessons, and which of them are out of date

Flags
`

// commands by their names; main is the one without a name.
var commands = map[string]func(a *app, ctx context.Context, args []string) error{
	"main": (*app).main, "run": (*app).run, "test": (*app).test, "mutants": (*app).mutants, "grade": (*app).grade, "build": (*app).build,
	"book": (*app).book, "jupyter": (*app).jupyter, "kernel": (*app).installKernel, "list": (*app).list,
}

// app is one run of the command: where the course is, what the flags say, where to write.
type app struct {
	root     string
	out, err io.Writer
	flags
}

func main() {
	ctx, stop := signals.Context()
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	status, ended := signals.Status(ctx)
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
	case ended:
		fmt.Fprintln(os.Stderr, "lessons: interrupted; nothing is left half-written")
		os.Exit(status)
	default:
		fmt.Fprintln(os.Stderr, "lessons:", printable.Text(err.Error(), true))
		os.Exit(1)
	}
}

// run is main with its surroundings as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	a := &app{out: stdout, err: stderr}
	command := "main"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	if command == "help" {
		args = []string{"-h"}
	}
	args, err := a.parse(command, args)
	if err != nil {
		return err
	}
	if a.root, err = course.Root("."); err != nil {
		return err
	}
	if err := setTemp(); err != nil {
		return err
	}
	do, known := commands[command]
	switch {
	case !known:
		return fmt.Errorf("unknown command %q; see `go run ./lessons -h`", command)
	case command == "main" && len(args) > 0:
		return fmt.Errorf("unknown command %q; see `go run ./lessons -h`", args[0])
	}
	return do(a, ctx, args)
}

// setTemp makes the path of the folder for temporary files absolute, for programs that run in other folders.
func setTemp() error {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return err
	}
	if info, err := os.Stat(temp); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s for temporary files: make it, or set TMPDIR to another", temp)
	}
	return os.Setenv("TMPDIR", temp)
}

// list prints the lessons and their state.
func (a *app) list(context.Context, []string) error {
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	for _, l := range lessons {
		fingerprint, err := l.Fingerprint(a.root)
		if err != nil {
			return err
		}
		state := "up to date"
		if l.Stale(fingerprint) {
			state = "out of date"
		}
		fmt.Fprintf(a.out, "%s  %-20s  %-11s  %s\n", l.Number, printable.Text(l.Slug, false), state, printable.Text(l.Parsed.FrontMatter().Title, false))
	}
	return nil
}
