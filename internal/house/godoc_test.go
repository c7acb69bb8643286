package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// sources returns the parsed Go files without tests below the folders, by their paths from the root of the module.
func sources(t *testing.T, fset *token.FileSet, folders ...string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				_, own := os.Stat(filepath.Join(path, "go.mod"))
				if filepath.Clean(path) != root && (own == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
					return filepath.SkipDir
				}
			case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
				name, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				files[filepath.ToSlash(name)], err = parser.ParseFile(fset, path, nil, parser.ParseComments)
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// isPublic reports whether the file of a library is one that a user of the module can import.
func isPublic(name string) bool {
	return !strings.Contains(name, "internal/") && !strings.HasPrefix(name, "svmkit/cmd/")
}

// docs yields the doc comments of a file: of the package, and of exported names with their fields and methods.
func docs(f *ast.File) (all []*ast.CommentGroup) {
	add := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if g != nil {
				all = append(all, g)
			}
		}
	}
	add(f.Doc)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				add(d.Doc)
			}
		case *ast.GenDecl:
			add(d.Doc)
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						add(s.Doc, s.Comment)
					}
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					add(s.Doc, s.Comment)
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if field, ok := n.(*ast.Field); ok && (len(field.Names) == 0 || field.Names[0].IsExported()) {
							add(field.Doc, field.Comment)
						}
						return true
					})
				}
			}
		}
	}
	return all
}

// mostColumns is where a line of a doc comment ends at the latest. A tab counts as four columns, and a line with a
// single word, such as an address, may be longer.
const mostColumns = 100

// TestGodocColumns: the lines of the doc comments of exported names end at mostColumns.
func TestGodocColumns(t *testing.T) {
	fset := token.NewFileSet()
	seen := 0
	for name, f := range sources(t, fset, "svmkit", "plots", "lessons/lab") {
		if !isPublic(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, group := range docs(f) {
			for n := fset.Position(group.Pos()).Line; n <= fset.Position(group.End()).Line; n++ {
				seen++
				line := strings.ReplaceAll(lines[n-1], "\t", "    ")
				if k := utf8.RuneCountInString(line); k > mostColumns && len(strings.Fields(line)) > 2 {
					t.Errorf("%s:%d: a doc comment of %d columns; at most %d", name, n, k, mostColumns)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d lines of doc comments", seen)
	}
}

// TestGodocExamples: the comment of each package of svmkit, of plots and of lab begins with code, and a test file of the
// package has that code. It runs as an Example, but for lab, whose output goes to the cell.
func TestGodocExamples(t *testing.T) {
	tests := map[string]string{} // the code of each package's tests
	seen := 0
	for name, f := range sources(t, token.NewFileSet(), "svmkit", "plots", "lessons/lab") {
		if !isPublic(name) || f.Doc == nil || strings.Count(name, "/") > 1 && strings.HasPrefix(name, "plots/") {
			continue
		}
		seen++
		dir := filepath.Dir(filepath.Join(root, name))
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests[dir] += trimmed(strings.Split(string(text), "\n"))
		}
		intro, _, _ := strings.Cut(f.Doc.Text(), "\n# ")
		var code []string
		for _, line := range strings.Split(intro, "\n") {
			if strings.HasPrefix(line, "\t") || line == "" && len(code) > 0 {
				code = append(code, line)
			} else if len(code) > 0 {
				break
			}
		}
		if block := trimmed(code); len(code) == 0 {
			t.Errorf("%s: the package comment has no code before its first heading", name)
		} else if !strings.Contains(tests[dir], block) {
			t.Errorf("%s: no test of the package has these lines of its comment, one after the other:\n%s", name, block)
		}
	}
	if seen < 15 {
		t.Errorf("only %d package comments", seen)
	}
}

// trimmed returns the lines that are not empty, without the blanks around them.
func trimmed(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		// gofmt aligns comments behind code to the lines around them.
		if code, comment, ok := strings.Cut(line, " // "); ok {
			line = strings.TrimSpace(code) + " // " + comment
		}
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// TestNoNotesCited: outside of the lessons, whose closing sections are about them, no comment sends a reader to the five
// notes that the course began with, which a reader does not have.
func TestNoNotesCited(t *testing.T) {
	cites := regexp.MustCompile(`(?i)\bnotes? [A-E]\b|\b(the|five|source) notes\b`)
	fset := token.NewFileSet()
	for name, f := range sources(t, fset, ".") {
		if strings.HasPrefix(name, "lessons/") && !strings.HasPrefix(name, "lessons/lab/") {
			continue
		}
		for _, group := range f.Comments {
			if found := cites.FindString(strings.Join(strings.Fields(group.Text()), " ")); found != "" {
				t.Errorf("%s: %q: cite a paper, a book or a lesson", fset.Position(group.Pos()), found)
			}
		}
	}
}
