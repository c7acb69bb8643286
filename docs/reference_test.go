package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page of the command explains each line of its reports and each field of its JSON.
func TestReportsAreExplained(t *testing.T) {
	page := readPage(t, "reference/cli.md")
	explained := func(word string) bool {
		return regexp.MustCompile("(?m)^\\| [^|]*`" + regexp.QuoteMeta(word) + "`").MatchString(page)
	}
	words := map[string]bool{}
	line, field := regexp.MustCompile(`t\.Line\("([^"]+)"`), regexp.MustCompile("`json:\"(\\w+)")
	sources, err := filepath.Glob("../cmd/svm/*report.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []*regexp.Regexp{line, field} {
			for _, match := range pattern.FindAllStringSubmatch(string(source), -1) {
				words[match[1]] = true
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if !explained(word) {
			t.Errorf("reference/cli.md does not explain %q", word)
		}
	}
	if len(words) < 40 {
		t.Errorf("only %d lines and fields were found: %q", len(words), slices.Sorted(maps.Keys(words)))
	}
}

// The page about errors has each exported error of the library, and names no other.
func TestErrorsAreExplained(t *testing.T) {
	page := readPage(t, "reference/errors.md")
	there := map[string]bool{}
	err := filepath.WalkDir("../svmkit", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, name := range errorsOf(file) {
			there[file.Name.Name+"."+name] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `\\*?(\\w+\\.\\w+)`").FindAllStringSubmatch(page, -1) {
		explained[match[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if !explained[name] {
			t.Errorf("reference/errors.md has no row for %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(explained)) {
		if !there[name] {
			t.Errorf("reference/errors.md: there is no %s", name)
		}
	}
	if len(there) < 90 {
		t.Errorf("only %d errors were found", len(there))
	}
}

// errorsOf returns the exported variables of a file that are errors and its exported types of errors, by their names.
func errorsOf(file *ast.File) (names []string) {
	for _, decl := range file.Decls {
		of, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range of.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if regexp.MustCompile(`^[A-Z]\w*Errors?$`).MatchString(spec.Name.Name) {
					names = append(names, spec.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if of.Tok == token.VAR && regexp.MustCompile(`^Err[A-Z]`).MatchString(name.Name) {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}
