package main_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/svmkit/course/internal/evidence"
)

// An attack is one call of a command, in a folder of its own, with what has to come of it. Whatever comes, a file that was
// there stays as it was, a refusal writes none, no control character is printed, and there is neither a panic nor a wait.
type attack struct {
	fault  string            // the fault that it has been, or is kin to
	input  string            // in words, where the arguments do not say it
	files  map[string]string // beside the common ones
	before []string          // svm's arguments, in calls that go well
	args   string            // of svm, or after "lessons " of the other command
	stdin  string
	status int
	says   string // on one of the outputs
	out    string // the whole standard output, if not empty
	like   string // a call of svm with the same standard output
}

const (
	refused  = 1 // the data or a file
	wrongUse = 2 // the command line
)

// TestReliabilityAttackWalk tries again what was once answered wrongly, and its kin, on the commands as they are built. The
// report has a line for each attack.
func TestReliabilityAttackWalk(t *testing.T) {
	common := walkFiles(t)
	seen := map[string]bool{}
	attacks := walk()
	for _, a := range attacks {
		name := a.fault + ": " + a.name()
		if seen[name] {
			t.Errorf("two attacks %q", name)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			happened := a.try(t, common)
			t.Attr(evidence.Attack, evidence.Line(a.fault, a.name(), a.must(), happened))
		})
	}
	walkFigures(t, common)
	walkCalls(t)
	const fewest = 200
	if len(attacks) < fewest {
		t.Errorf("%d attacks, want %d", len(attacks), fewest)
	}
	t.Attr("cases", strconv.Itoa(len(attacks)+len(fetching)))
}

// walkFigures builds the page of a notebook whose cells displayed figures that fetch: neither the page nor a figure leads
// to where they would.
func walkFigures(t *testing.T, common map[string]string) {
	const fault, evil = "5 figures that fetch", "evil.example"
	dir := t.TempDir()
	for _, folder := range []string{"lessons", "notebooks"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range common {
		put(t, dir, name, text)
	}
	var lesson strings.Builder
	var cells []any
	for k, figure := range fetching {
		fmt.Fprintf(&lesson, "```go\n%d\n```\n\n", k)
		svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><title>figure %d</title>%s</svg>`, k, strings.ReplaceAll(figure, evil, fmt.Sprintf("%s/%d/", evil, k)))
		cells = append(cells, map[string]any{"cell_type": "code", "id": fmt.Sprint("c", k), "metadata": map[string]any{}, "execution_count": k + 1, "source": fmt.Sprint(k),
			"outputs": []any{map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{"image/svg+xml": svg}}}})
	}
	made, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": cells})
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "lessons/13-x.md", lesson.String())
	put(t, dir, "notebooks/13-x.ipynb", string(made))
	if end := complete(t, lessonsCommand(t, dir, "build")); end.status != 0 {
		t.Fatal(end.errs)
	}
	var all strings.Builder // of what a browser opens
	figures := 0
	for name, text := range tree(t, filepath.Join(dir, "site")) {
		switch filepath.Ext(name) {
		case ".svg":
			figures++
			all.WriteString(text)
		case ".html":
			all.WriteString(text)
		}
	}
	if figures < len(fetching)/2 { // some are refused as a whole
		t.Errorf("%d figures of %d: this shows nothing", figures, len(fetching))
	}
	for k, figure := range fetching {
		happened := "leads nowhere"
		if strings.Contains(all.String(), fmt.Sprintf("%s/%d/", evil, k)) {
			happened = "leads there " + evidence.Wrong
			t.Errorf("a page leads to another host: %s", figure)
		}
		t.Attr(evidence.Attack, evidence.Line(fault, "lessons build: "+figure, "leads nowhere", happened))
	}
}

func (a attack) name() string {
	text := a.args
	if a.input != "" {
		text += ": " + a.input
	}
	return text
}

// containsAll reports whether text has all the parts, in this order.
func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

func (a attack) must() string {
	var must []string
	if a.status != 0 {
		must = append(must, fmt.Sprintf("status %d", a.status))
	}
	if a.says != "" {
		must = append(must, "says “"+a.says+"”")
	}
	if a.out != "" {
		must = append(must, "prints "+strconv.Quote(a.out))
	}
	if a.like != "" {
		must = append(must, "the output of svm "+a.like)
	}
	if must == nil {
		return "goes well"
	}
	return strings.Join(must, ", ")
}

// try makes the attack and returns what happened.
func (a attack) try(t *testing.T, common map[string]string) string {
	dir := t.TempDir()
	for _, files := range []map[string]string{common, a.files} {
		for name, text := range files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			put(t, dir, name, text)
		}
	}
	svm, err := builtSVM()
	if err != nil {
		t.Fatal(err)
	}
	call := func(program, args, stdin string) ended {
		// An address space of 4 GB, lest a fault take the whole machine.
		cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", `ulimit -v 4000000; exec "$0" "$@"`, program}, words(args)...)...)
		cmd.Dir, cmd.Stdin, cmd.WaitDelay = dir, strings.NewReader(stdin), 10*time.Second
		return complete(t, cmd)
	}
	for _, args := range a.before {
		if end := call(svm, args, ""); end.status != 0 {
			t.Fatalf("before it: svm %s: status %d, %s", args, end.status, end.errs)
		}
	}
	before := tree(t, dir)
	program, args := svm, a.args
	if rest, lessons := strings.CutPrefix(a.args, "lessons "); lessons {
		if program, err = builtLessons(); err != nil {
			t.Fatal(err)
		}
		args = rest
	}
	end := call(program, args, a.stdin)
	after := tree(t, dir)
	if end.status != a.status || !containsAll(end.errs+end.out, strings.Split(a.says, "…")) || a.out != "" && end.out != a.out {
		t.Errorf("status %d\n%.2000s%.2000s\nwant status %d, %q, %q", end.status, end.errs, end.out, a.status, a.says, a.out)
	}
	if a.like != "" {
		if want := call(svm, a.like, ""); want.status != 0 || want.out != end.out {
			t.Errorf("%q, want %q as by svm %s (status %d, %s)", end.out, want.out, a.like, want.status, want.errs)
		}
	}
	for name, text := range before {
		if after[name] != text && !strings.HasPrefix(name, "notebooks/") {
			t.Errorf("%s was changed", name)
		}
	}
	for name := range after {
		if _, old := before[name]; !old && (a.status == refused || a.status == wrongUse) {
			t.Errorf("%s is written all the same", name)
		}
	}
	if strings.ContainsFunc(strings.ReplaceAll(end.errs+end.out, "\n", ""), func(c rune) bool { return unicode.IsControl(c) && c != '\t' }) {
		t.Errorf("control characters are printed: %q", end.errs+end.out)
	}
	if strings.Contains(end.errs, "goroutine ") {
		t.Errorf("a trace of Go's: %.2000s", end.errs)
	}
	const soon, much = 30 * time.Second, 512 << 20 // for a loaded machine; most take 10 ms and 20 MB
	if end.took > soon || end.peak > much {
		t.Errorf("it took %v and %d bytes", end.took, end.peak)
	}
	happened := fmt.Sprintf("status %d", end.status)
	if text := firstLine(end.errs); text != "" {
		happened += ", “" + text + "”"
	} else if text := firstLine(end.out); text != "" {
		happened += ", prints “" + text + "”"
	}
	if t.Failed() {
		happened += " " + evidence.Wrong
	}
	return happened
}

// words splits arguments at blanks; a ␣ is a blank in an argument, and ” is an empty one.
func words(args string) []string {
	list := strings.Fields(args)
	for k, word := range list {
		list[k] = strings.ReplaceAll(strings.ReplaceAll(word, "␣", " "), "''", "")
	}
	return list
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	const most = 160
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + " …"
	}
	return line
}

// tree is what the files in a folder hold.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)] = content(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
