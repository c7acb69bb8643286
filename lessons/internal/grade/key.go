// Package grade runs the exercises of students' notebooks against the lessons' own checks.
//
// # What is run
//
// Of a student's notebook only the cells of the exercises are taken, and of these only the declarations;
// all else comes from the lesson: the declarations around them, the check, and the call of it. A kernel is
// started for each notebook, with the lesson's declarations; each answer is one cell in it.
//
// # Why a verdict cannot be printed
//
// An answer is compiled into the same program as its check, so it is looked at before: see [Key.read]. It
// declares no name of the lesson, no name of the language, and uses no variable of the lesson, so the check
// and what it reads are the lesson's; it uses only packages from a list, none of which reaches files, the
// network, other programs, memory or the environment, so it cannot read its own program. The verdict is
// printed behind a random word that stands in the function main alone; a line without that word is an
// answer's own.
//
// An answer can still see what the check gives it, and a check that trusts its argument can be misled: it
// may change a slice that it was given, and tell by its values which case it is asked for. Two goroutines
// that race for an interface or a slice can break Go's memory safety. Code of strangers belongs into a
// container.
package grade

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// Key is a lesson as its exercises are graded by.
type Key struct {
	Lesson    *course.Lesson
	title     string
	declared  string            // all declarations of the lesson without exercises and solutions
	names     map[string]bool   // that they declare; of a method its receiver's type, a dot, and its name
	variables map[string]bool   // of these the variables
	imports   map[string]string // import path by name
	exercises []exercise
	solutions map[string]bool // ids of the cells of solutions
}

type exercise struct {
	number   string   // "3.2"
	id       string   // of its cell
	call     string   // what stands behind lab.Exercise("3.2", up to the end of the cell
	before   string   // what stands before it
	names    []string // that the stub declares
	stub     string   // the stub's declarations in their standard form, see standard
	solution string   // and the solution's
}

var exerciseCall = regexp.MustCompile(`\blab\.Exercise\("([^"]*)",`)

// NewKey reads the exercises of a lesson.
func NewKey(l *course.Lesson) (*Key, error) {
	k := &Key{Lesson: l, title: l.Parsed.FrontMatter().Title, names: map[string]bool{}, variables: map[string]bool{}, imports: map[string]string{}, solutions: map[string]bool{}}
	var all strings.Builder
	for _, p := range course.Parts(l.Parsed) {
		file, err := parse(p.Declarations)
		if err != nil {
			return nil, fmt.Errorf("lessons/%s.md:%d: %w", l.Slug, p.Cell.Line, err)
		}
		all.WriteString(p.Declarations + "\n")
		for _, d := range cells.Cut(file) {
			for _, name := range d.Keys() {
				k.names[name] = true
				if d.Kind == token.VAR {
					k.variables[name] = true
				}
			}
		}
		addImports(k.imports, file)
	}
	k.declared = all.String()
	ids := l.Parsed.ForReaders().Cells
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		if c.Kind != notebook.Code || !c.HasTag(notebook.TagExercise) && !c.HasTag(notebook.TagSolution) {
			continue
		}
		e, err := newExercise(c)
		if err != nil {
			return nil, fmt.Errorf("lessons/%s.md:%d: %w", l.Slug, c.Line, err)
		}
		e.id = ids[i].ID
		if c.HasTag(notebook.TagExercise) {
			k.exercises = append(k.exercises, e)
			continue
		}
		k.solutions[e.id] = true
		for j := range k.exercises {
			if k.exercises[j].number == e.number {
				k.exercises[j].solution = e.stub
			}
		}
	}
	return k, nil
}

func newExercise(c *notebook.Cell) (e exercise, err error) {
	declared, runs := cells.Split(c.Source)
	at := exerciseCall.FindStringSubmatchIndex(runs)
	if at == nil {
		return e, fmt.Errorf(`no call lab.Exercise("…", check, answer)`)
	}
	e.number, e.before, e.call = runs[at[2]:at[3]], runs[:at[0]], runs[at[1]:]
	file, err := parse(declared)
	if err != nil {
		return e, err
	}
	e.names = declaredBy(file)
	e.stub, err = standard(file)
	return e, err
}

// parse reads declarations. Comments are left out, so no directive for a compiler or a kernel comes through.
func parse(declared string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", "package main\n"+declared, parser.SkipObjectResolution)
}

// declaredBy lists the names that a file declares for the whole package; that of a method is "T.m".
func declaredBy(file *ast.File) (names []string) {
	for _, d := range cells.Cut(file) {
		names = append(names, d.Keys()...)
	}
	return names
}

// addImports adds a file's imports to their paths by name.
func addImports(paths map[string]string, file *ast.File) {
	for _, i := range file.Imports {
		name, path := cells.Import(i)
		paths[name] = path
	}
}
