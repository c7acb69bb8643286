// Lessons executes the course on the real GoNB kernel and shows it as pages.
//
// Run `go run ./lessons -h` for its commands.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/lessons/internal/course"
)

//go:embed help
var help embed.FS // the text above the flags of each command

// commands in the order of the help; without a command it is serve.
var commands = []struct {
	name, does string
	arguments  string // in square brackets if they may be left out
	flags      string
	run        func(a *app, ctx context.Context, args []string) error
}{
	{"serve", "run the lessons that have changed, and serve all as pages", "", "port limit jobs get", (*app).serve},
	{"run", "run lessons or notebooks, and write the results", "[LESSON…]", "o replace limit jobs get", (*app).run},
	{"test", "run lessons or notebooks, and write nothing", "[LESSON…]", "limit jobs get", (*app).test},
	{"mutants", "break the library on purpose, and see which claim notices", "[LESSON…]", "o only sample seed limit jobs get", (*app).mutants},
	{"grade", "run the exercises of students' notebooks against the checks", "FOLDER", "o replace limit jobs", (*app).grade},
	{"build", "write notebooks and pages without running anything", "", "o solutions run-in-browser base", (*app).build},
	{"book", "write all lessons as one EPUB", "", "o", (*app).book},
	{"jupyter", "open the notebooks in JupyterLab or Notebook", "[FOLDER]", "no-browser get", (*app).jupyter},
	{"kernel", "install the kernel for any other Jupyter or editor", "", "prefix get", (*app).installKernel},
	{"list", "list the lessons, and which of them have changed", "", "", (*app).list},
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
	command, args, err := a.parse(args)
	if err != nil {
		return err
	}
	if a.root, err = course.Root("."); err != nil {
		return err
	}
	if err := setTemp(); err != nil {
		return err
	}
	err = commands[command].run(a, ctx, args)
	if path, is := err.(*fs.PathError); is { // without the name of the system's call
		return &cli.Located{Where: path.Path, What: path.Err.Error(), Err: err}
	}
	return err
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
