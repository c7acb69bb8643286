package grade

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/program"
)

// longest is how many bytes an answer may have, and deepest how many levels of expressions and statements. What is printed
// or compiled takes a time that grows faster than both.
const (
	longest = 64 << 10
	deepest = 200
)

var (
	errMissing = errors.New("not declared")
	errRefused = errors.New("refused")
)

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errRefused, fmt.Sprintf(format, args...))
}

// more are packages for answers beside those for cells on a page and the library's.
var more = []string{"container/ring", "math/rand", "regexp"}

// importable reports whether an answer may import a package.
func importable(path string) bool {
	library := strings.HasPrefix(path+"/", course.Module+"/svmkit/") && !strings.Contains(path+"/", "/internal/")
	return library || slices.Contains(program.Importable, path) || slices.Contains(more, path)
}

// answer is a student's cell that may be compiled.
type answer struct {
	standard string            // its declarations in their standard form
	units    []unit            // the same one by one, as they are in the cell
	uses     []string          // the names in them
	imports  map[string]string // import path by name
}

// read reads an answer. An error that wraps errRefused says what an answer must not have; any other one, why it
// cannot be compiled.
func (k *Key) read(e *exercise, source string) (*answer, error) {
	if len(source) > longest {
		return nil, refuse("the cell has %d bytes, and %d are enough", len(source), longest)
	}
	declared, _ := cells.Split(source)
	file, err := parse(declared)
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		return nil, fmt.Errorf("line %d of the cell: %s", list[0].Pos.Line-strings.Count(clause, "\n"), list[0].Msg)
	}
	if err != nil {
		return nil, err
	}
	if depth(file) > deepest {
		return nil, refuse("expressions or statements are nested deeper than %d levels", deepest)
	}
	if command := directive(declared); command != "" {
		return nil, refuse("it has a line %s, which is a command for the compiler", command)
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool { // a main of the student's own, in the place of %%
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main"
	})
	a := &answer{uses: namesIn(file), imports: map[string]string{}}
	a.units = unitsOf("exercise "+e.number, declared, file, a.imports)
	if a.standard, err = standard(file); err != nil || a.standard == e.stub {
		return a, err
	}
	names := declaredBy(file)
	for _, n := range e.names {
		if !slices.Contains(names, n) {
			return nil, fmt.Errorf("%s is %w in the cell", n, errMissing)
		}
	}
	return a, k.namesAllowed(file, names, a.uses)
}

// directive returns the first comment of a source that is a command for the compiler.
func directive(source string) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(source)), []byte(source), nil, scanner.ScanComments)
	for {
		switch _, kind, text := s.Scan(); {
		case kind == token.EOF:
			return ""
		case kind == token.COMMENT && (strings.HasPrefix(text, "//go:") || strings.HasPrefix(text, "//export ")):
			command, _, _ := strings.Cut(text, " ")
			return command
		}
	}
}

// depth is how many levels of a tree are below its root.
func depth(root ast.Node) (deepest int) {
	level := 0
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			level--
		} else if level++; level > deepest {
			deepest = level
		}
		return true
	})
	return deepest
}

// namesIn lists all names in a tree.
func namesIn(root ast.Node) (names []string) {
	seen := map[string]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
			seen[id.Name] = true
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// standard prints declarations without comments.
func standard(file *ast.File) (string, error) {
	var b bytes.Buffer
	for _, d := range file.Decls {
		if err := format.Node(&b, token.NewFileSet(), d); err != nil {
			return "", err
		}
		b.WriteString("\n\n")
	}
	return b.String(), nil
}

// namesAllowed refuses names by which an answer would change the lesson around it, and those of the checks.
func (k *Key) namesAllowed(file *ast.File, names, uses []string) error {
	for _, i := range file.Imports {
		switch name, path := cells.Import(i); {
		case k.imports[name] != "" && k.imports[name] != path:
			return refuse("it imports %s, and %s is %s in this lesson", path, name, k.imports[name])
		case !importable(path):
			return refuse("it imports %s, which is no package for answers", path)
		}
	}
	for _, n := range names {
		switch {
		case n == "_":
		case k.names[n]:
			return refuse("it declares %s, which is the lesson's: take another name", n)
		case k.imports[n] != "":
			return refuse("it declares %s, which is a package in this lesson: take another name", n)
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
			return refuse("it declares %s without a body", f.Name.Name)
		}
	}
	for _, n := range uses {
		if k.checks[n] {
			return refuse("it uses %s, which is the check of an exercise", n)
		}
	}
	return nil
}

const clause = "package main\n"

// parse reads declarations. Comments are left out.
func parse(declared string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", clause+declared, parser.SkipObjectResolution)
}
