package svm_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// A model of real data, a prediction, and how far the model can be from the best one.
func Example() {
	notes := samples.Banknotes() // 1372 banknotes, 4 numbers each: is a note genuine or forged?
	model, err := svm.Fit(context.Background(), &svm.Problem{Data: notes}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the first note is of", model.Predict(notes.X[0]).Name)
	fmt.Printf("%v: the objective is %.2f, and no plane has less than %.2f\n", model.Status, model.Primal, model.Dual)
	// Output:
	// the first note is of class 0
	// optimal: the objective is 33.11, and no plane has less than 33.09
}

// Each block of Go code in the README's quick start is the code of an Example, line by line, with the
// output of the Example below it. So the block compiles and prints what the README says.
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
	_, start, found := strings.Cut(string(readme), "\n## Quick start\n")
	start, _, _ = strings.Cut(start, "\n## ")
	blocks := strings.Split(start, "```go\n")[1:]
	if !found || len(blocks) < 1 {
		t.Fatalf("%d blocks of Go in the README's quick start", len(blocks))
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
