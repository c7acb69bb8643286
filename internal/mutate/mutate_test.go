package mutate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/mutate"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// tree writes files to a new folder.
func tree(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var small = map[string]string{
	"a.go":             "package p\n\nfunc lesser(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
	"a_test.go":        "package p\n\nfunc lesser(a, b int) bool { return a < b }\nfunc TestLeast() {}\n",
	"deep/b.go":        "package q\n\ntype set[T any] struct{}\n\nfunc (s *set[T]) least(a, b int) bool {\n\treturn a <\n\t\tb // a < b\n}\n\nfunc twice(a, b int) bool { return a < b || a < b }\n",
	"deep/b_test.go":   "package q\n\nfunc ExampleDeep() {}\n",
	"testdata/bad.go":  "package",
	"deep/other.notgo": "",
}

func TestApplyFindsTheFunction(t *testing.T) {
	const deep = "package q\n\ntype set[T any] struct{}\n\nfunc (s *set[T]) least(a, b int) bool {\n\treturn a <= b // a < b\n}\n\nfunc twice(a, b int) bool { return a < b || a < b }\n"
	dir := tree(t, small)
	for _, c := range []struct {
		of         string
		file, want string
	}{
		{"lesser", "a.go", "package p\n\nfunc lesser(a, b int) int {\n\tif a <= b {\n\t\treturn a\n\t}\n\treturn b\n}\n"},
		{"least", "deep/b.go", deep},
		{"set.least", "deep/b.go", deep},
	} {
		m := mutate.Mutation{Func: c.of, Old: "a<b", New: "a <= b"}
		file, text, err := m.Apply(dir)
		if err != nil || file != filepath.Join(dir, c.file) || string(text) != c.want {
			t.Errorf("%s: %s\n%s\n%v", c.of, file, text, err)
		}
	}
}

func TestApplyInsistsOnOnePlace(t *testing.T) {
	dir := tree(t, small)
	for _, m := range []mutate.Mutation{
		{Func: "twice", Old: "a < b", New: "a <= b"},      // two places
		{Func: "lesser", Old: "b < a", New: "b <= a"},     // none
		{Func: "lesser", Old: "a < bb", New: "a <= bb"},   // a part of a name is no token
		{Func: "heap.least", Old: "a < b", New: "a <= b"}, // no such function
		{Func: "lesser", Old: " // a < b", New: "a <= b"}, // no token
	} {
		if file, _, err := m.Apply(dir); err == nil {
			t.Errorf("%+v: applied to %s", m, file)
		}
	}
}
