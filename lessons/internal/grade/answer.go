package grade

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/lessons/internal/cells"
)

// packages are what an answer may use: nothing here reaches the network, other programs, memory by its address, the environment,
// or files, but for functions of the library whose names end in "File", which are refused by these.
var packages = strings.Fields(`bytes cmp container/heap container/list container/ring context errors fmt iter maps
	math math/big math/bits math/cmplx math/rand math/rand/v2 slices sort strconv strings sync time unicode unicode/utf8
	gonum.org/v1/gonum/mat github.com/svmkit/course/lessons/lab
	github.com/svmkit/course/svmkit github.com/svmkit/course/svmkit/bound github.com/svmkit/course/svmkit/dataset github.com/svmkit/course/svmkit/feature
	github.com/svmkit/course/svmkit/kernel github.com/svmkit/course/svmkit/loss github.com/svmkit/course/svmkit/multiclass
	github.com/svmkit/course/svmkit/perceptron github.com/svmkit/course/svmkit/pipeline github.com/svmkit/course/svmkit/qp github.com/svmkit/course/svmkit/samples
	github.com/svmkit/course/svmkit/separate github.com/svmkit/course/svmkit/svm github.com/svmkit/course/svmkit/text
	github.com/svmkit/course/svmkit/tune`)

// longest is how many bytes an answer may have.
const longest = 64 << 10

var (
	errMissing = errors.New("not declared")
	errRefused = errors.New("refused")
)

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errRefused, fmt.Sprintf(format, args...))
}

// read returns the declarations of an answer in their standard form. An error that wraps errRefused says
// what an answer must not do; any other one, why it cannot be compiled.
func (k *Key) read(e *exercise, source string) (string, error) {
	if len(source) > longest {
		return "", refuse("the cell has %d bytes, and %d are enough", len(source), longest)
	}
	declared, _ := cells.Split(source)
	file, err := parse(declared)
	if err != nil {
		return "", errors.New(strings.TrimLeft(err.Error(), "0123456789: "))
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool { // a main of the student's own, in the place of %%
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main"
	})
	text, err := standard(file)
	if err != nil {
		return "", err
	}
	if text == e.stub {
		return text, nil
	}
	names := declaredBy(file)
	for _, n := range e.names {
		if !slices.Contains(names, n) {
			return "", fmt.Errorf("%s is %w in the cell", n, errMissing)
		}
	}
	if err := k.namesAllowed(file, names); err != nil {
		return "", err
	}
	return text, k.usesAllowed(text)
}

// standard prints declarations without comments and with every string on one line, so that no line of a
// string or a comment is a command to the kernel, which takes lines that begin with % or !.
func standard(file *ast.File) (string, error) {
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.HasPrefix(l.Value, "`") {
			if s, err := strconv.Unquote(l.Value); err == nil {
				l.Value = strconv.Quote(s)
			}
		}
		return true
	})
	var b bytes.Buffer
	for _, d := range file.Decls {
		if err := format.Node(&b, token.NewFileSet(), d); err != nil {
			return "", err
		}
		b.WriteString("\n\n")
	}
	return b.String(), nil
}

// namesAllowed refuses imports and names by which an answer would change what stands around it.
func (k *Key) namesAllowed(file *ast.File, names []string) error {
	for _, i := range file.Imports {
		name, path := cells.Import(i)
		switch {
		case i.Name != nil:
			return refuse("it imports %s under the name %s", path, name)
		case !slices.Contains(packages, path):
			return refuse("it imports %s; see docs/hosting.md for the packages of an answer", path)
		case k.imports[name] != "" && k.imports[name] != path:
			return refuse("it imports %s, and %s is %s in this lesson", path, name, k.imports[name])
		}
	}
	own := typesOf(file)
	for _, n := range names {
		receiver, _, method := strings.Cut(n, ".")
		switch {
		case n == "_":
		case method && !slices.Contains(own, receiver):
			return refuse("it declares the method %s of a type that is not its own", n)
		case k.names[n]:
			return refuse("it declares %s, which is the lesson's: take another name", n)
		case k.imports[n] != "": // the kernel would leave the import out, and the check would use what the answer has put there
			return refuse("it declares %s, which is a package in this lesson: take another name", n)
		case types.Universe.Lookup(n) != nil:
			return refuse("it declares %s, which is Go's own: take another name, or leave it out", n)
		case n == "init", strings.HasPrefix(n, "init_"): // the kernel runs these, too
			return refuse("it declares %s, which would run by itself: take another name", n)
		}
	}
	return nil
}

// typesOf lists the types that a file defines; an alias is none.
func typesOf(file *ast.File) (names []string) {
	for _, d := range cells.Cut(file) {
		if t, ok := d.Node.(*ast.TypeSpec); ok && !t.Assign.IsValid() {
			names = append(names, t.Name.Name)
		}
	}
	return names
}

// usesAllowed refuses packages that are not on the list, which the kernel would import by itself, and variables of the lesson:
// a check may take its cases from them, and what an answer can read of a slice or a map it can change by another name. It asks
// the parser what names mean, and not a checker of types, which a few lines of constants that double can keep busy for ever.
func (k *Key) usesAllowed(text string) error {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+text, 0)
	if err != nil {
		return err
	}
	imports := maps.Clone(k.imports)
	addImports(imports, file)
	outside := map[*ast.Ident]bool{} // names that the answer does not declare
	for _, id := range file.Unresolved {
		if k.variables[id.Name] {
			return refuse("it uses %s, a variable of the lesson from which a check may take its cases: use what the function is given, or data of your own", id.Name)
		}
		outside[id] = true
	}
	var fault error
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || fault != nil {
			return true
		}
		if strings.HasSuffix(s.Sel.Name, "File") {
			fault = refuse("it uses %s, and an answer has no files", s.Sel.Name)
			return true
		}
		id, ok := s.X.(*ast.Ident)
		if !ok || !outside[id] || k.names[id.Name] || slices.Contains(packages, imports[id.Name]) || imports[id.Name] == "" && standardName(id.Name) {
			return true
		}
		fault = refuse("it uses %s, which is no package for answers; docs/hosting.md lists them", id.Name)
		return true
	})
	return fault
}

// standardName reports whether the kernel would import a package of the list for the name.
func standardName(name string) bool {
	return slices.ContainsFunc(packages, func(path string) bool {
		return !strings.Contains(path, ".") && cells.PackageName(path) == name
	})
}
