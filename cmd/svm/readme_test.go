package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The two commands of the README's quick start train on a CSV file and predict the rows of another one.
func TestREADMEQuickStart(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadFile("../../svmkit/samples/data/banknotes.csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"train.csv", "test.csv"} {
		if err := os.WriteFile(name, notes, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for line := range strings.Lines(string(readme)) {
		if args, found := strings.CutPrefix(strings.TrimSpace(line), "svm "); found {
			out, report := must(t, "", strings.Fields(args)...)
			if ran++; ran == 1 && !strings.Contains(out, "status            optimal") || ran == 2 && !strings.Contains(report, "accuracy 9") {
				t.Errorf("svm %s prints\n%s%s", args, out, report)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(".", "my.model")); err != nil || ran != 2 {
		t.Errorf("%d commands in the README, %v", ran, err)
	}
}
