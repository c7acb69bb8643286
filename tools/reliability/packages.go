package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// testPackage is a package with something to run. What there is, is read from its test files: to ask
// `go test -list` would build the tests of all packages.
type testPackage struct {
	Path        string // import path
	Dir         string
	Root        string   // of its module
	Reliability bool     // it has tests with this word in their names
	Targets     []string // of fuzzing
}

// testPackages finds the packages of the modules that have fuzz targets or tests of reliability.
func testPackages(ctx context.Context, roots []string) (found []testPackage, err error) {
	for _, root := range roots {
		of, err := testPackagesOf(ctx, root)
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	return found, nil
}

func testPackagesOf(ctx context.Context, root string) ([]testPackage, error) {
	out, err := output(ctx, root, "go", "list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}
	var found []testPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var listed struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&listed); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		p := testPackage{Path: listed.ImportPath, Dir: listed.Dir, Root: root}
		for _, name := range slices.Concat(listed.TestGoFiles, listed.XTestGoFiles) {
			if err := p.read(filepath.Join(listed.Dir, name)); err != nil {
				return nil, err
			}
		}
		if p.Reliability || len(p.Targets) > 0 {
			slices.Sort(p.Targets)
			found = append(found, p)
		}
	}
}

// read adds what a test file declares.
func (p *testPackage) read(path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		name := f.Name.Name
		if strings.HasPrefix(name, "Fuzz") {
			p.Targets = append(p.Targets, name)
		}
		p.Reliability = p.Reliability || strings.HasPrefix(name, "Test") && strings.Contains(name, "Reliability")
	}
	return nil
}
