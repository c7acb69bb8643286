package svm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// A model of real data, trained until its objective is within a millionth of the best one.
func Example() {
	notes := samples.Banknotes() // 1372 images of banknotes in two classes, 4 numbers each
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: notes, C: svm.PerSum(1)}, nil, &svm.Settings{Tol: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v, relative gap ≤ 1e-6: %v\n", r.Trace, r.Status, r.RelativeGap() <= 1e-6)
	fmt.Printf("the least objective is between %.3f and %.3f\n", r.Dual, r.Primal)
	fmt.Println("the first note is of", r.Predict(notes.X[0]).Name)
	// Output:
	// proximal Newton: optimal, relative gap ≤ 1e-6: true
	// the least objective is between 33.099 and 33.099
	// the first note is of class 0
}

// The Go code of the README's section on the library is that of the Examples of any package, line
// by line, with their output below it: so it compiles, and it prints what it says.
func TestREADMEShowsExamples(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.WriteString(linesOf(strings.ReplaceAll(string(text), "// Output:\n", "")))
	}
	_, library, found := strings.Cut(string(readme), "\n## The library\n")
	library, _, _ = strings.Cut(library, "\n## ")
	blocks := strings.Split(library, "```go\n")[1:]
	if !found || len(blocks) < 2 {
		t.Fatalf("%d blocks of Go in the README's section on the library", len(blocks))
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		if !strings.Contains(tests.String(), "\n"+linesOf(code)) {
			t.Errorf("no Example has this code and output:\n%s", code)
		}
	}
}

// linesOf returns the lines of text without indentation and without empty ones.
func linesOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
