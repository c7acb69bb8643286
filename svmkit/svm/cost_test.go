package svm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheapToImport holds a program that fits a model to what it needs itself. If an exported type
// mentions generic types of the solvers, by an unexported method or field, every program compiles
// their methods anew: 0.3 s and 600 kB, for each cell of a lesson.
func TestCheapToImport(t *testing.T) {
	const most = 100_000 // bytes; it takes 25,000
	program := filepath.Join(t.TempDir(), "main.go")
	err := os.WriteFile(program, []byte(`package main

import "github.com/svmkit/course/svmkit/svm"

func main() {
	r, err := svm.Fit(nil, &svm.Problem{}, svm.SMO{}, nil)
	println(r, err)
}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	object, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(strings.TrimSpace(string(object)))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > most {
		t.Errorf("a program of two lines compiles to %d bytes, want %d at most", info.Size(), most)
	}
}
