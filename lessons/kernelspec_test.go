package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/kernel"
)

// Without Jupyter the command fails, and says how to get it.
func TestWithoutJupyter(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, _, err := call(t, "jupyter")
	if err == nil {
		t.Fatal("no error")
	}
	for _, way := range []string{"sudo apt install", "brew install", "conda install", "uv tool install", "docker run", "https://mybinder.org/v2/gh/"} {
		if !strings.Contains(err.Error(), way) {
			t.Errorf("no word of %q in\n%v", way, err)
		}
	}
}

// The kernel's folder is written where Jupyter searches, and never over another kernel.
func TestAnotherKernelStays(t *testing.T) {
	home := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", home)
	dir := filepath.Join(home, "kernels", "gonb")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const theirs = `{"argv": ["/usr/bin/gonb", "--kernel", "{connection_file}"], "display_name": "Go (gonb)", "language": "go"}`
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, []byte(theirs), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := call(t, "kernel")
	if err == nil || !strings.Contains(err.Error(), "another GoNB kernel") {
		t.Errorf("got %v, want a word about the other kernel", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != theirs {
		t.Errorf("%q (%v)", text, err)
	}
}

// What kernel.json says starts a kernel that knows the course, offline, and needs
// nothing of the environment that it was written in.
func TestKernelSpec(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0") // as it happens to be, here and not there
	t.Setenv("GOFLAGS", "-mod=readonly")
	spec := kernel.Spec{Command: []string{"/the course/gonb", "--kernel", kernel.ConnectionFile, "-go_work=/the course"},
		Env: append(os.Environ(), "PATH=/the course:/bin", "CGO_ENABLED=0", "GOFLAGS=-ldflags=-w")}
	dir := filepath.Join(t.TempDir(), "kernels", "gonb")
	if err := writeKernelSpec(dir, "/the course", spec); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got kernelSpec
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Argv, spec.Command) || got.Env["PATH"] != "/the course:/bin" || got.Env["CGO_ENABLED"] != "0" ||
		got.Env["GOFLAGS"] != "-ldflags=-w" {
		t.Errorf("%+v", got)
	}
	if err := ours(dir); err != nil {
		t.Errorf("our own kernel is not known again: %v", err)
	}
}

// The kernel is kept in the checkout, or in the user's cache where the checkout cannot be written.
func TestWhereTheKernelIsKept(t *testing.T) {
	root := t.TempDir()
	local := filepath.Join(root, ".gonb")
	if got := (&app{root: root}).kernelSettings().Cache; got != local {
		t.Errorf("kept in %q, want %q", got, local)
	}
	if left, err := os.ReadDir(local); err != nil || len(left) > 0 {
		t.Errorf("left there: %v (%v)", left, err)
	}
	if err := os.Remove(local); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(local, nil, 0o666); err != nil { // for root, too, no folder to write in
		t.Fatal(err)
	}
	if got := (&app{root: root}).kernelSettings().Cache; got != "" {
		t.Errorf("kept in %q, which cannot be written", got)
	}
}
