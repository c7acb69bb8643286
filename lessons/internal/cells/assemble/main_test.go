package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestRun(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for cells, want := range map[string]string{
		`[{"name": "a", "source": "func f() {}"}, {"name": "b", "source": "%%\nf()\nfmt.Println()"}]`: "",
		`[{"name": "b", "source": "%%\n}"}]`: "b:3:1: ",
		`{}`:                                 "cells.json: json: ",
	} {
		for name, text := range map[string]string{"cells.json": cells, "known": "errors\nfmt\n"} {
			if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		switch err := run(path("cells.json"), path("known"), path("main.go")); {
		case want == "" && err == nil:
			program, err := os.ReadFile(path("main.go"))
			if err != nil || !strings.Contains(string(program), `"fmt"`) || strings.Contains(string(program), `"errors"`) {
				t.Errorf("%v\n%s", err, program)
			}
		case err == nil || want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %q", cells, err, want)
		}
	}
	if err := run(path("none"), path("known"), path("main.go")); err == nil {
		t.Error("a file that is not there is no error")
	}
}
