// Package mutate puts a mistake into one function on purpose, for tests that show that other tests notice it.
package mutate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Mutation replaces Old by New in the function Func. The place is found by names alone, so that it survives a function
// that moves to another file or package, and code that is formatted or commented in another way.
type Mutation struct {
	Func     string // of a function or a method, "f" or "Type.f"
	Old, New string // Go source; Old is some consecutive tokens of the body
}

// Apply searches the Go files below dir, tests and testdata left out. It returns the file that holds the
// mutation's place and the file's text with New in place of Old; nothing is written. The place must be
// there exactly once: code that has been rewritten is an error, not a mutation that changes nothing.
func (m Mutation) Apply(dir string) (file string, text []byte, err error) {
	places := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := m.find(path, source)
		if err != nil || len(found) == 0 {
			return err
		}
		places += len(found)
		file, text = path, slices.Concat(source[:found[0].from], []byte(m.New), source[found[0].to:])
		return nil
	})
	switch {
	case err != nil:
		return "", nil, err
	case places != 1:
		return "", nil, fmt.Errorf("%q is %d times in functions named %s below %s, not once: write this mutation again", m.Old, places, m.Func, dir)
	}
	return file, text, nil
}

// Test applies the mutation to the files below dir and runs the named tests there, in an
// environment where [Running] is true. The arguments for go test are
// flags and packages. It returns the names of the tests that failed, none if all passed.
//
// No file below dir is written: the go command reads the changed file from the folder scratch. It
// is an error if the mutation has no place, if it does not compile, or if a test ended by a panic
// or by its time limit of a minute.
func (m Mutation) Test(ctx context.Context, dir, scratch string, tests []string,
	args ...string) (failed []string, err error) {
	overlay, err := m.overlay(dir, scratch)
	if err != nil {
		return nil, err
	}
	command := []string{"test", "-overlay=" + overlay, "-vet=off", "-count=1", "-timeout=60s",
		"-run=^(" + strings.Join(tests, "|") + ")$"}
	cmd := exec.CommandContext(ctx, "go", append(command, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), running+"=1")
	out, err := cmd.CombinedOutput()
	for _, found := range failedTest.FindAllSubmatch(out, -1) {
		failed = append(failed, string(found[1]))
	}
	if err != nil && (len(failed) == 0 || bytes.Contains(out, []byte("panic: "))) {
		return nil, fmt.Errorf("no test failed by an assertion: %w\n%s", err, out)
	}
	if err == nil && bytes.Contains(out, []byte("no tests to run")) {
		return nil, errors.New("no test has one of the names " + strings.Join(tests, ", "))
	}
	return failed, nil
}

// Running reports whether this process is one of the tests that [Mutation.Test] runs.
func Running() bool { return os.Getenv(running) != "" }

const running = "SVMKIT_MUTANT"

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// overlay writes the changed file, and go's description of the exchange, to the folder scratch.
func (m Mutation) overlay(dir, scratch string) (description string, err error) {
	source, text, err := m.Apply(dir)
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(scratch, filepath.Base(source))
	exchange := map[string]map[string]string{"Replace": {original: changed}}
	words, err := json.Marshal(exchange)
	if err != nil {
		return "", err
	}
	description = filepath.Join(scratch, "overlay.json")
	return description, errors.Join(os.WriteFile(changed, text, 0o600),
		os.WriteFile(description, words, 0o600))
}

// A span is a range of bytes of a file.
type span struct{ from, to int }

// find returns the places of m in a file.
func (m Mutation) find(path string, source []byte) (places []span, err error) {
	if short := m.Func[strings.LastIndex(m.Func, ".")+1:]; !bytes.Contains(source, []byte(short)) {
		return nil, nil // most files: not worth parsing
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	old := tokens([]byte(m.Old))
	if len(old) == 0 {
		return nil, fmt.Errorf("function %s: there is nothing to replace", m.Func)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name != m.Func && funcName(f) != m.Func {
			continue
		}
		begin, end := files.Position(f.Body.Lbrace).Offset, files.Position(f.Body.Rbrace).Offset
		body := tokens(source[begin : end+1])
		for k := 0; k+len(old) <= len(body); k++ {
			if slices.EqualFunc(old, body[k:k+len(old)], func(a, b lexeme) bool { return a.text == b.text }) {
				places = append(places, span{begin + body[k].from, begin + body[k+len(old)-1].to})
			}
		}
	}
	return places, nil
}

// funcName is a function's name, after that of its receiver's type if it has one, without pointer and type
// parameters: "Model.Score".
func funcName(f *ast.FuncDecl) (name string) {
	if f.Recv == nil {
		return f.Name.Name
	}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool { // the type's name is the first one
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name + "." + f.Name.Name
		}
		return name == ""
	})
	return name
}

// A lexeme is a token's text and its range of bytes.
type lexeme struct {
	text string
	span
}

// tokens splits Go source, without comments and without the semicolons that line ends stand for.
func tokens(source []byte) (all []lexeme) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.SEMICOLON && text == "\n":
			continue
		case text == "":
			text = tok.String()
		}
		from := file.Offset(pos)
		all = append(all, lexeme{text, span{from, from + len(text)}})
	}
}
