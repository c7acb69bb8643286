package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/svmkit/course/lessons/internal/cells"
)

// pruned is a cell without what it does not need.
type pruned struct {
	text       []byte
	imports    []string // that are left
	signatures []string // of all parts of the cell, each with what it refers to
}

// part is a declaration at the top level of a cell, or an import.
type part struct {
	node  ast.Node
	names []string // that it declares; of a method, its type's
	path  string   // that it imports
	stays bool     // even if nothing refers to it
}

// registries are packages that answer according to what else is imported: image.Decode needs image/png.
var registries = []string{"crypto", "database/sql", "encoding/gob", "expvar", "image", "log", "log/slog", "mime", "net/http"}

// prune leaves out of a cell the functions, types and literal variables that it does not reach from main,
// the other variables and the constants, and the imports that only they use. Spaces take their place: the
// rest stays on its lines.
//
// What is left out has been compiled before, and so has all that it refers to, with the same text. So the
// cell compiles exactly if the rest does. Of a reference only the name counts: an identifier, be it a
// field's, refers to every part of its name, and what refers to a type refers to its methods.
//
// A package that is imported no longer does not set itself up; where that may be missed, see registries.
//
// The error is that of a cell that has to be compiled as it is.
func prune(text []byte, packageNames map[string]string, compiled map[string]bool) (pruned, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, 0)
	if err != nil || bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		return pruned{}, errRealGo
	}
	parts := partsOf(file, packageNames)
	named := map[string][]int{} // the parts of a name
	for i, p := range parts {
		for _, name := range p.names {
			if name == "" || name == "." {
				return pruned{}, errRealGo
			}
			named[name] = append(named[name], i)
		}
	}
	refers := make([][]int, len(parts))
	for i, p := range parts {
		ast.Inspect(p.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				refers[i] = append(refers[i], named[id.Name]...)
			}
			return true
		})
	}
	var reach func(i int, reached []bool)
	reach = func(i int, reached []bool) {
		if !reached[i] {
			reached[i] = true
			for _, j := range refers[i] {
				reach(j, reached)
			}
		}
	}
	bytesOf := func(p part) []byte { return text[p.node.Pos()-file.FileStart : p.node.End()-file.FileStart] }
	result := pruned{text: bytes.Clone(text)}
	kept := make([]bool, len(parts))
	for i, p := range parts {
		needs, hash := make([]bool, len(parts)), sha256.New()
		reach(i, needs)
		for j, q := range parts {
			if needs[j] {
				fmt.Fprintf(hash, "%q\n", bytesOf(q))
			}
		}
		signature := fmt.Sprintf("%x", hash.Sum(nil))
		result.signatures = append(result.signatures, signature)
		if p.path == "" && (p.stays || !compiled[signature]) {
			reach(i, kept)
		}
	}
	// An import without a use is an error. Here names count only where they can mean the import.
	uses := map[string]bool{} // for each name in use: whether a part that is kept uses it
	for _, id := range file.Unresolved {
		i := slices.IndexFunc(parts, func(p part) bool { return p.node.Pos() <= id.Pos() && id.Pos() < p.node.End() })
		uses[id.Name] = uses[id.Name] || i >= 0 && kept[i]
	}
	for i, p := range parts {
		if p.path != "" {
			inUse, somewhere := uses[p.names[0]]
			if !p.stays && !somewhere || slices.Contains(registries, p.path) {
				return pruned{}, errRealGo
			}
			kept[i] = p.stays || inUse
		}
		if kept[i] && p.path != "" {
			result.imports = append(result.imports, p.path)
		}
		if !kept[i] {
			blank(result.text[p.node.Pos()-file.FileStart : p.node.End()-file.FileStart])
		}
	}
	return result, nil
}

// blank overwrites a text with spaces.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// partsOf returns the parts of a cell.
func partsOf(file *ast.File, packageNames map[string]string) (parts []part) {
	for _, d := range cells.Cut(file) {
		p := part{node: d.Whole}
		for _, name := range d.Names {
			p.names = append(p.names, name.Name)
		}
		switch s := d.Node.(type) {
		case *ast.ImportSpec:
			name, at := cells.Import(s)
			if s.Name == nil {
				name = packageNames[at]
			}
			p.path, p.names, p.stays = at, []string{name}, name == "_"
		case *ast.FuncDecl:
			p.stays = s.Recv == nil && slices.Contains([]string{"main", "init", "_"}, s.Name.Name)
			if s.Recv != nil {
				p.names = []string{d.Receiver}
			}
		case *ast.TypeSpec:
			p.stays = s.Assign.IsValid() // the methods of an alias are another type's
		case *ast.ValueSpec:
			p.stays = !literal(s) || slices.Contains(p.names, "_")
		default: // constants
			p.stays = true
		}
		if len(p.names) > 0 { // else an empty group of constants
			parts = append(parts, p)
		}
	}
	return parts
}

// literal reports whether nothing happens when the variables get their values, which are left away or
// literals made of others and of what packages declare.
func literal(s *ast.ValueSpec) bool {
	for _, value := range s.Values {
		nothing := true
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case nil, *ast.Ident, *ast.BasicLit, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ArrayType:
			case *ast.SelectorExpr:
				of, ok := n.X.(*ast.Ident)
				nothing = nothing && ok && of.Obj == nil // a package
			case *ast.UnaryExpr:
				nothing = nothing && n.Op == token.SUB
			default:
				nothing = false
			}
			return nothing
		})
		if !nothing {
			return false
		}
	}
	return true
}
