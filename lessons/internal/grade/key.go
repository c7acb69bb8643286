// Package grade runs the exercises of students' notebooks against the lessons' own checks.
//
// # What is run
//
// Of a student's notebook, only the declarations in the cells of the exercises are taken. The
// declarations around them, the check and its call are the lesson's.
//
// Each answer becomes two programs, which share no memory. Both are WebAssembly (GOOS=wasip1) and
// run in wazero. They have no files, no network, no environment and no arguments, but a limit of
// memory and a limit of time:
//
//   - The program of the answer holds the answer and the lesson's declarations that it names.
//     Of the check it holds the type alone.
//   - The program of the check holds the check and the lesson's declarations that it names. In
//     place of the answer it calls a function that sends the arguments to the other program and
//     returns the results that come back, see package wire.
//
// # Why an answer that runs before its check is harmless
//
// An answer can run before its check: in a function init, in the value of a package's variable, in
// a goroutine, or in a finaliser. Its program may change any variable of the lesson or of a
// package. It may also end, never end, panic, fill its memory, print, and call the two functions of
// the host that exchange messages.
//
// All this changes the program of the answer only. A message from it reaches the check as the
// results of the function or as a panic, and a message that cannot be read is a panic. Only the
// program of the check can call the function of the host that takes the verdict, because the
// runtime of the answers does not have that function. The check, its text and its verdict are never in the
// memory of the answer, so the answer can neither read nor write nor ask for them.
//
// # The compiler
//
// The compiler and the linker are the only programs outside of WebAssembly that see an answer. They
// never run it. An answer has at most 64 KiB and 200 levels of nesting, which is tested before it
// is printed or compiled. Both tools have limits of time, of memory (where the system knows such
// limits) and of output. They read the packages that are listed for answers, and they write no
// cache. Commands for them, functions without a body, and other imports are refused before.
//
// Then wazero compiles the program to machine code, without a limit of its own. For a long function
// it takes a time and a memory that grow faster than the function, so a longer one than 256 KiB is
// refused. The largest function of the course's own programs has 79 KiB.
//
// # What an answer can still do
//
// A check judges values. An answer that recognises the case that it is given can return a stored
// result, and a solution that was copied is solved.
package grade

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
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
	units     []unit            // the same, one by one
	names     map[string]bool   // that they declare; of a method its receiver's type, a dot, and its name
	checks    map[string]bool   // of these the checks of exercises
	imports   map[string]string // import path by name
	exercises []exercise
	solutions map[string]bool // ids of the cells of solutions
}

// unit is a declaration, or a group of constants.
type unit struct {
	cell string // its cell, for messages
	line int
	text string
	keys []string // the names that it declares; of a method the type's
	uses []string // the names in it
}

type exercise struct {
	number    string   // "3.2"
	id        string   // of its cell
	check     string   // name of the check's function
	answer    string   // the answer that the cell hands to it, an expression
	before    string   // the statements before the call
	names     []string // that the stub declares
	uses      []string // that the stub uses
	stub      string   // the stub's declarations in their standard form, see standard
	solution  string   // and the solution's
	checkText string   // and the check's
	checkType string   // declares a function with the check's name and type that does nothing
}

var (
	exerciseCall  = regexp.MustCompile(`\blab\.Exercise\("([^"]*)",`)
	exerciseCheck = regexp.MustCompile(`\blab\.Exercise\("([^"]*)",\s*(\w+)`)
)

// NewKey reads the exercises of a lesson.
func NewKey(l *course.Lesson) (*Key, error) {
	k := &Key{Lesson: l, title: l.Parsed.FrontMatter().Title, names: map[string]bool{}, checks: map[string]bool{}, imports: map[string]string{}, solutions: map[string]bool{}}
	var all strings.Builder
	functions := map[string]*ast.FuncDecl{}
	for _, p := range course.Parts(l.Parsed) {
		file, err := parse(p.Declarations)
		if err != nil {
			return nil, fmt.Errorf("lessons/%s.md:%d: %w", l.Slug, p.Cell.Line, err)
		}
		all.WriteString(p.Declarations + "\n")
		for _, d := range cells.Cut(file) {
			for _, name := range d.Keys() {
				k.names[name] = true
			}
			if f, ok := d.Node.(*ast.FuncDecl); ok && d.Receiver == "" {
				functions[f.Name.Name] = f
			}
		}
		k.units = append(k.units, unitsOf("lesson", p.Declarations, file, k.imports)...)
	}
	k.declared = all.String()
	ids := l.Parsed.ForReaders().Cells
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		if c.Kind != notebook.Code || !c.HasTag(notebook.TagExercise) && !c.HasTag(notebook.TagSolution) {
			continue
		}
		e, err := newExercise(c, functions)
		if err != nil {
			return nil, fmt.Errorf("lessons/%s.md:%d: %w", l.Slug, c.Line, err)
		}
		e.id = ids[i].ID
		k.checks[e.check] = true
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

// unitsOf cuts the declarations of a cell, and adds its imports to their paths by name.
func unitsOf(cell, declared string, file *ast.File, imports map[string]string) (units []unit) {
	for _, d := range cells.Cut(file) {
		if d.Kind == token.IMPORT {
			name, path := cells.Import(d.Node.(*ast.ImportSpec))
			imports[name] = path
			continue
		}
		from := int(file.FileStart) + len(clause)
		begin := int(d.Node.Pos()) - from
		u := unit{cell: cell, line: 1 + strings.Count(declared[:begin], "\n"), text: declared[begin : int(d.Node.End())-from], keys: d.Keys(), uses: namesIn(d.Node)}
		if d.Kind == token.TYPE || d.Kind == token.VAR {
			u.text = d.Kind.String() + " " + u.text
		}
		if d.Receiver != "" {
			u.keys = []string{d.Receiver}
		}
		units = append(units, u)
	}
	return units
}

func newExercise(c *notebook.Cell, functions map[string]*ast.FuncDecl) (e exercise, err error) {
	declared, runs := cells.Split(c.Source)
	at := exerciseCall.FindStringSubmatchIndex(runs)
	if at == nil {
		return e, fmt.Errorf(`no call lab.Exercise("…", check, answer)`)
	}
	e.number, e.before = runs[at[2]:at[3]], runs[:at[0]]
	text := strings.TrimSpace(runs[at[0]:])
	expr, err := parser.ParseExpr(text)
	call, _ := expr.(*ast.CallExpr)
	if err != nil || call == nil || len(call.Args) != 3 {
		return e, fmt.Errorf("lab.Exercise(%q, check, answer) is not what the cell ends with", e.number)
	}
	from := func(n ast.Node) string { return text[n.Pos()-1 : n.End()-1] }
	e.check, e.answer = from(call.Args[1]), from(call.Args[2])
	check := functions[e.check]
	if check == nil {
		return e, fmt.Errorf("the check %s is no function of the lesson", e.check)
	}
	file, err := parse(declared)
	if err != nil {
		return e, err
	}
	e.names, e.uses = declaredBy(file), namesIn(file)
	if e.stub, err = standard(file); err != nil {
		return e, err
	}
	e.checkText = functionText(&ast.File{Decls: []ast.Decl{check}}, e.check)
	e.uses = append(e.uses, namesIn(check.Type)...)
	e.checkType, err = standard(&ast.File{Decls: []ast.Decl{&ast.FuncDecl{Name: check.Name, Type: check.Type, Body: &ast.BlockStmt{
		List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent("panic"), Args: []ast.Expr{ast.NewIdent("nil")}}}}}}}})
	return e, err
}

// functionText is the standard form of a function in a file; "" if there is none of that name.
func functionText(file *ast.File, name string) string {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			if text, err := standard(&ast.File{Decls: []ast.Decl{f}}); err == nil {
				return text
			}
		}
	}
	return ""
}

// declaredBy lists the names that a file declares for the whole package; that of a method is "T.m".
func declaredBy(file *ast.File) (names []string) {
	for _, d := range cells.Cut(file) {
		names = append(names, d.Keys()...)
	}
	return names
}

// sources are the parts of a program: an answer, and the declarations that it asks for.
type sources struct {
	names   []string        // the first ones that are asked for
	hidden  map[string]bool // names that nothing can ask for
	units   []unit
	answer  []unit // taken whole
	imports []map[string]string
	main    string // a cell with a function main
	known   []string
}

// program returns a Go file.
func (s *sources) program() (string, error) {
	var d cells.Declarations
	asked := map[string]bool{}
	ask := func(names []string) {
		for _, n := range names {
			asked[n] = asked[n] || n != "_" && !s.hidden[n]
		}
	}
	ask(s.names)
	taken := make([]bool, len(s.units))
	for again := true; again; {
		again = false
		for i, u := range s.units {
			if !taken[i] && slices.ContainsFunc(u.keys, func(n string) bool { return asked[n] }) {
				taken[i], again = true, true
				ask(u.uses)
			}
		}
	}
	var imports strings.Builder
	for _, by := range s.imports {
		for _, name := range slices.Sorted(maps.Keys(by)) {
			fmt.Fprintf(&imports, "import %s %q\n", name, by[name])
		}
	}
	err := d.Add(cells.Cell{Name: "lesson", Source: imports.String()}, 1)
	for i, u := range slices.Concat(s.units, s.answer) {
		if i >= len(taken) || taken[i] {
			err = errors.Join(err, d.Add(cells.Cell{Name: u.cell, Source: u.text}, u.line))
		}
	}
	if err = errors.Join(err, d.Add(cells.Cell{Name: "main", Source: s.main}, 1)); err != nil {
		return "", err
	}
	return d.File("main", s.known)
}
