//go:build unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/proctest"
)

// lessonsIn is the command as a process in a folder.
func lessonsIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheCommandItself$")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), argumentsVariable+"="+strings.Join(args, "\n")), 10*time.Second
	return cmd
}

// TestReliabilityAttackWalk tries again what was once answered wrongly, and its kin, on the command as a process. The
// evidence has a line for each attack.
func TestReliabilityAttackWalk(t *testing.T) {
	common := map[string]string{"go.mod": "module github.com/svmkit/course\n"} // makes a folder a checkout of the course
	for _, name := range []string{"course.yaml", "errata.yaml", "notes.yaml", "paths.yaml", "glossary.yaml"} {
		common["lessons/"+name] = proctest.Content(t, name)
	}
	var attacks []proctest.Attack
	for _, table := range [][]proctest.Attack{walkOutputs(), walkIdle(), walkLessons(), walkPages()} {
		attacks = append(attacks, table...)
	}
	proctest.Attacks(t, lessonsIn, common, attacks)
	const fewest = 30
	if len(attacks) < fewest {
		t.Errorf("%d attacks, want %d", len(attacks), fewest)
	}
	t.Attr("cases", strconv.Itoa(len(attacks)))
}

func walkOutputs() (attacks []proctest.Attack) {
	lesson := "```go\n1\n```\n"
	theirs := `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	own := func(args, says string, files map[string]string) {
		attacks = append(attacks, proctest.Attack{Fault: "6 output over input", Files: files, Args: "run " + args, Status: proctest.Refused, Says: says})
	}
	own("a.md", "this command has not made it", map[string]string{"a.md": lesson, "a.ipynb": theirs})
	own("a.md -o b.ipynb", "this command has not made it", map[string]string{"a.md": lesson, "b.ipynb": theirs})
	own("a.md b/a.md -o out/", "would both be written to", map[string]string{"a.md": lesson, "b/a.md": lesson})
	own("-replace a.md -o a.md", "would replace", map[string]string{"a.md": lesson})
	return attacks
}

func walkIdle() (attacks []proctest.Attack) {
	for _, args := range []string{"test -o new 1", "list -port 7", "run -prefix new 1", "build -limit 3s", "kernel -jobs 3", "run -only x 1", "list -replace", "run -no-browser 1"} {
		attacks = append(attacks, proctest.Attack{Fault: "flags without effect", Args: args, Status: proctest.Refused, Says: "has no flag"})
	}
	for _, args := range []string{"build 1", "list 1"} {
		attacks = append(attacks, proctest.Attack{Fault: "flags without effect", Args: args, Status: proctest.Refused, Says: "takes none"})
	}
	return attacks
}

func walkLessons() (attacks []proctest.Attack) {
	add := func(input, args, says string, files map[string]string) {
		attacks = append(attacks, proctest.Attack{Fault: "3 texts that keep a reader busy", Input: input, Files: files, Args: args, Status: proctest.Refused, Says: says})
	}
	markdown := func(text string) map[string]string { return map[string]string{"a.md": text} }
	add("20,000 equal paragraphs, and a cell without an end", "run a.md", "a.md:40001: never closed", markdown(strings.Repeat("same\n\n", 20_000)+"```go\n"))
	add("100,000 equal cells, and one without an end", "run a.md", "never closed", markdown(strings.Repeat("```go\n1\n```\n", 100_000)+"```go\n"))
	add("9 MB of Markdown", "run a.md", "too large: at most 8192 KiB are read", markdown(strings.Repeat("x\n", 4_500_000)))
	add("70 MB of a notebook", "run a.ipynb", "too large: at most 65536 KiB are read", map[string]string{"a.ipynb": `{"cells": [` + strings.Repeat(" ", 70<<20)})
	add("40 KB of a header", "run a.md", "too large", markdown("---\nx: "+strings.Repeat("y", 40<<10)+"\n---\n"))
	add("a header of aliases of aliases", "run a.md", "", markdown("---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n---\n```go\n"))
	add("metadata in 10,000 levels", "run a.ipynb", "nested too deeply", map[string]string{"a.ipynb": `{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {"a": ` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}}"})
	add("a cell's options in 5,000 levels", "run a.md", "nested too deeply", markdown("```go x="+strings.Repeat("[", 5_000)+strings.Repeat("]", 5_000)+"\n1\n```\n"))
	add("no UTF-8", "run a.md", "not UTF-8 text", markdown("\xff\n"))
	add("a notebook for Python", "run a.ipynb", "is a notebook for python", map[string]string{"a.ipynb": `{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {"kernelspec": {"name": "python3", "language": "python", "display_name": "x"}}}`})
	add("ESC in the name of a lesson", "run \x1b[2J.md", "no such file", nil)
	add("a folder", "run lessons.md", "not a regular file", map[string]string{"lessons.md/x": ""})
	return attacks
}

// walkPages builds pages of one lesson with a text.
func walkPages() (attacks []proctest.Attack) {
	text := func(fault, input, text string) {
		attacks = append(attacks, proctest.Attack{Fault: fault, Input: input, Files: map[string]string{"lessons/13-x.md": "# X\n\n" + text + "\n", "notebooks/old": ""}, Args: "build", Says: "index.html are written"})
	}
	text("3 texts that keep a reader busy", "20,000 equal paragraphs", strings.Repeat("same\n\n", 20_000))
	text("3 texts that keep a reader busy", "5,000 quotations within each other", strings.Repeat(">", 5_000)+" x")
	text("3 texts that keep a reader busy", "50,000 brackets", strings.Repeat("[", 50_000))
	text("3 texts that keep a reader busy", "50,000 stars and underlines", strings.Repeat("*a_ ", 25_000))
	text("3 texts that keep a reader busy", "a table of 300 × 300 cells", strings.Repeat("|a", 300)+"|\n"+strings.Repeat("|-", 300)+"|\n"+strings.Repeat(strings.Repeat("|a", 300)+"|\n", 300))
	text("13 formulas that end a script", "20,000 braces", "$"+strings.Repeat("{", 20_000)+"$")
	text("13 formulas that end a script", "a formula of 1,000 levels", "$"+strings.Repeat("{", 1_000)+"x"+strings.Repeat("}", 1_000)+"$")
	text("13 formulas that end a script", "a macro that grows", `$\def\a{\a\a}\a$`)
	return attacks
}
