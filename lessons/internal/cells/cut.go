package cells

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// A Declaration is what a cell declares together: an import, a function, a type, the variables of one
// specification, or a group of constants, which stays together for iota.
type Declaration struct {
	Kind token.Token // IMPORT, FUNC, TYPE, VAR or CONST

	// Node is an *ast.ImportSpec, *ast.FuncDecl, *ast.TypeSpec or *ast.ValueSpec; of constants the
	// *ast.GenDecl.
	Node     ast.Node
	Whole    ast.Node     // Node with its keyword, or Node alone if it stands in parentheses
	Names    []*ast.Ident // the declared names; of an import nil
	Receiver string       // the name of a method's type, without a pointer or type parameters
}

// Key returns the string by which declarations replace each other: a name, or "T.m" for a method.
func (d Declaration) Key(name *ast.Ident) string {
	if d.Receiver != "" {
		return d.Receiver + "." + name.Name
	}
	return name.Name
}

// Keys returns the keys of all names.
func (d Declaration) Keys() []string {
	keys := make([]string, len(d.Names))
	for i, name := range d.Names {
		keys[i] = d.Key(name)
	}
	return keys
}

// Cut returns the declarations of a file in their order.
func Cut(file *ast.File) (all []Declaration) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d := Declaration{Kind: token.FUNC, Node: decl, Whole: decl, Names: []*ast.Ident{decl.Name}}
			if decl.Recv != nil && len(decl.Recv.List) > 0 {
				d.Receiver = receiver(decl.Recv.List[0].Type)
			}
			all = append(all, d)
		case *ast.GenDecl:
			if decl.Tok == token.CONST {
				d := Declaration{Kind: token.CONST, Node: decl, Whole: decl}
				for _, s := range decl.Specs {
					d.Names = append(d.Names, s.(*ast.ValueSpec).Names...)
				}
				all = append(all, d)
				continue
			}
			for _, s := range decl.Specs {
				d := Declaration{Kind: decl.Tok, Node: s, Whole: s}
				if !decl.Lparen.IsValid() {
					d.Whole = decl
				}
				switch s := s.(type) {
				case *ast.TypeSpec:
					d.Names = []*ast.Ident{s.Name}
				case *ast.ValueSpec:
					d.Names = s.Names
				}
				all = append(all, d)
			}
		}
	}
	return all
}

// receiver returns the name of a method's type, without a pointer or type parameters: it is the first name.
func receiver(t ast.Expr) (name string) {
	ast.Inspect(t, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// Import returns the path of an import, and the name that it has in its file.
func Import(s *ast.ImportSpec) (name, at string) {
	at, _ = strconv.Unquote(s.Path.Value) // the parser has checked it
	if s.Name != nil {
		return s.Name.Name, at
	}
	return PackageName(at), at
}

// PackageName returns the name of the package at an import path: its last element, or the one before
// a major version.
func PackageName(at string) string {
	last := path.Base(at)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = path.Base(path.Dir(at))
	}
	return last
}

// Split cuts a cell at its line %% or %main into what it declares and what it runs. The line itself
// belongs to neither; runs is empty if there is none.
func Split(source string) (declared, runs string) {
	at := 0
	for line := range strings.Lines(source) {
		if beginsMain(line) {
			return source[:at], source[at+len(line):]
		}
		at += len(line)
	}
	return source, ""
}

// beginsMain reports whether the function main begins behind a line of a cell.
func beginsMain(line string) bool {
	command := commandOf(line)
	return command == "%%" || command == "%main"
}

// commandOf returns the first word of a line, without the comment that hides a command from Go.
func commandOf(line string) string {
	command, _, _ := strings.Cut(strings.TrimRight(strings.TrimPrefix(line, "//gonb:"), " \t\r\n"), " ")
	return command
}
