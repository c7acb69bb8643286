// Package cells makes of a lesson's code cells the program that runs one of them, without a kernel: a cell
// can run wherever a Go compiler does, in a browser too. The rules are those of GoNB, so that a cell does
// here what it does in a notebook:
//
//   - What follows a line %% (or %main) is the body of the function main, which ends where the cell ends. A cell can also declare main.
//     Neither outlives its cell; a cell without main declares only, and its program does nothing.
//   - Imports, functions, methods, types, variables and constants stay declared for the cells after. Values do not stay: each
//     cell is a program of its own, in which the variables are initialized anew, ordered by their names where no dependency orders them.
//   - A later declaration of a name replaces the earlier one; that of a method is found by its type's name and its own.
//   - A function named init_x is one of the program's init functions.
//   - Imports that the program does not use are left out, and those that it lacks are added, if one known package alone has the name.
//   - A line that begins with "package" counts for nothing.
//
// There are four differences. A name has one meaning: a function replaces a variable of its name too, where
// GoNB has the compiler refuse the program. Of a declaration of several names (a constant group, var a, b =
// f()) those that are replaced become _, where GoNB drops all of them or none. GoNB's main parses flags
// first, and a cell here has none. All other lines that begin with % or !, which are commands to GoNB or to
// a shell, are refused.
//
// The compiler's messages and the stack traces name the line and the column in the cell, by line directives.
package cells

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A Cell is the source of a cell, under the name that messages have for it. The name has no line end, colon or "*/".
type Cell struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// Assemble returns the program, a file of Go source, that runs the last of the cells after the others have
// declared what they declare. Known are the packages that a cell can import, by their import paths.
//
// A fault in a cell is a [scanner.ErrorList], whose positions are in the cell; an import that is not known is one.
func Assemble(cells []Cell, known []string) (program string, err error) {
	var d Declarations
	for _, c := range cells {
		delete(d.units, "main")
		if err := d.Add(c, 1); err != nil {
			return "", err
		}
	}
	program, err = d.File("main", known)
	if err == nil && d.units["main"] == nil {
		program += "\nfunc main() {}\n"
	}
	return program, err
}

// Declarations are those of some cells, the later in place of the earlier. The zero value has none.
type Declarations struct {
	units   map[string]*unit    // by each of their keys, see [Declaration.Key]
	imports map[string]imported // by the name in the code
}

// File returns a file of a package with all declarations. Known are the packages that a cell can import; nil stands for all.
func (d *Declarations) File(name string, known []string) (string, error) {
	body := d.body()
	needed, err := d.needed(body, known)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s;\n", name)
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		i := needed[name]
		fmt.Fprintf(&b, "import %s%s %q\n", directive(i.at), i.alias, i.path)
	}
	return b.String() + body, nil
}

// clause begins each file that is parsed.
const clause = "package main;"

// A unit is what is declared together: a function, a type, the variables of one specification, a group of constants.
type unit struct {
	at       token.Position
	keyword  string // before the text in the program
	text     string
	names    map[string]span
	replaced []span // names that have a later declaration
}

// span is a part of a unit's text.
type span struct{ from, to int }

type imported struct {
	at          token.Position
	alias, path string
}

// directive has the compiler place what follows it in a cell.
func directive(p token.Position) string {
	if !p.IsValid() {
		return ""
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, p.Column)
}

// Add declares what a cell declares. Messages count its lines from the given one; a fault of the cell
// is a [scanner.ErrorList].
func (d *Declarations) Add(c Cell, line int) error {
	if d.units == nil {
		d.units, d.imports = map[string]*unit{}, map[string]imported{}
	}
	text, err := goSource(c, line)
	if err != nil {
		return err
	}
	text = clause + directive(token.Position{Filename: c.Name, Line: line, Column: 1}) + text
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	from := files.File(file.Pos())
	for _, decl := range Cut(file) {
		if s, ok := decl.Node.(*ast.ImportSpec); ok {
			d.imported(s, from.Position(s.Pos()))
			continue
		}
		keyword := "" // functions and constants have theirs
		if decl.Kind == token.TYPE || decl.Kind == token.VAR {
			keyword = decl.Kind.String() + " "
		}
		n := decl.Node
		u := &unit{at: from.Position(n.Pos()), keyword: keyword, text: text[from.Offset(n.Pos()):from.Offset(n.End())], names: map[string]span{}}
		for _, name := range decl.Names {
			d.put(decl.Key(name), u, span{int(name.Pos() - n.Pos()), int(name.End() - n.Pos())})
		}
		if decl.Kind == token.FUNC && decl.Receiver == "" && strings.HasPrefix(decl.Names[0].Name, "init_") {
			name := u.names[decl.Names[0].Name]
			u.text = u.text[:name.from] + "init" + u.text[name.to:]
		}
	}
	return nil
}

// goSource is a cell as the declarations of a Go file, with the same lines.
func goSource(c Cell, first int) (string, error) {
	refuse := func(line int, message string) (string, error) {
		return "", scanner.ErrorList{{Pos: token.Position{Filename: c.Name, Line: first + line, Column: 1}, Msg: message}}
	}
	lines := strings.Split(c.Source, "\n")
	hasMain := false
	for i, l := range lines {
		l = strings.TrimPrefix(l, "//gonb:")
		command := commandOf(l)
		switch {
		case beginsMain(l) && hasMain:
			return refuse(i, "a second line "+command+": a cell has one function main")
		case beginsMain(l):
			lines[i], hasMain = "func main() {", true
		case strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!"):
			return refuse(i, command+" is a command to a notebook's kernel, and here is none: remove the line")
		case strings.HasPrefix(l, "package "):
			lines[i] = ""
		}
	}
	if hasMain {
		lines = append(lines, "}")
	}
	return strings.Join(lines, "\n"), nil
}

// imported declares an import.
func (d *Declarations) imported(s *ast.ImportSpec, at token.Position) {
	name, to := Import(s)
	i := imported{at: at, path: to}
	if s.Name != nil {
		i.alias = name
	}
	if name == "_" || name == "." { // any number of them can stand
		name += to
	}
	d.imports[name] = i
}

// put files a unit under a name in it, which an earlier unit loses.
func (d *Declarations) put(key string, u *unit, at span) {
	if key == "_" { // any number of them can stand
		key += u.text
	}
	if old := d.units[key]; old != nil {
		old.replaced = append(old.replaced, old.names[key])
	}
	u.names[key] = at
	d.units[key] = u
}

// body is the program without its imports.
func (d *Declarations) body() string {
	var b strings.Builder
	written := map[*unit]bool{}
	for _, key := range slices.Sorted(maps.Keys(d.units)) {
		u := d.units[key]
		if written[u] {
			continue
		}
		written[u] = true
		slices.SortFunc(u.replaced, func(a, b span) int { return b.from - a.from }) // from the end
		text := u.text
		for _, s := range u.replaced {
			text = text[:s.from] + "_" + text[s.to:]
		}
		fmt.Fprintf(&b, "\n%s%s%s\n", u.keyword, directive(u.at), text)
	}
	return b.String()
}

// needed are the imports that a program needs, by the names in it.
func (d *Declarations) needed(body string, known []string) (map[string]imported, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", clause+body, 0)
	if err != nil {
		return nil, err
	}
	var faults scanner.ErrorList
	needed := map[string]imported{}
	need := func(name string, i imported) {
		needed[name] = i
		if known != nil && !slices.Contains(known, i.path) {
			faults.Add(i.at, fmt.Sprintf("package %q cannot be imported here", i.path))
		}
	}
	for name, i := range d.imports {
		if i.alias == "_" || i.alias == "." {
			need(name, i)
		}
	}
	unresolved := map[*ast.Ident]bool{}
	for _, name := range file.Unresolved {
		unresolved[name] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name, ok := selector.X.(*ast.Ident)
		if !ok || !unresolved[name] || needed[name.Name].path != "" {
			return true
		}
		if i, ok := d.imports[name.Name]; ok {
			need(name.Name, i)
			return true
		}
		var of []string
		for _, p := range known {
			if PackageName(p) == name.Name {
				of = append(of, p)
			}
		}
		switch len(of) {
		case 0: // for the compiler to refuse
		case 1:
			need(name.Name, imported{path: of[0]})
		default:
			faults.Add(files.Position(name.Pos()), fmt.Sprintf("%s is not imported; it may be one of %s", name.Name, strings.Join(of, ", ")))
		}
		return true
	})
	faults.Sort()
	faults.RemoveMultiples()
	return needed, faults.Err()
}
