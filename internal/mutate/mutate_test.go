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

// A mutation falls by an assertion. A build that fails, a panic and a test that does not exist are
// errors, and no fall.
func TestTestNamesWhatFell(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := tree(t, map[string]string{
		"go.mod": "module p\n\ngo 1.24\n",
		"p.go":   "package p\n\nfunc lesser(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestLesser(t *testing.T) {\n\tif lesser(1, 2) != 1 {\n" +
			"\t\tt.Error(\"not 1\")\n\t}\n}\n\nfunc TestOther(t *testing.T) {}\n",
	})
	for _, c := range []struct {
		change, test string
		fell, wrong  bool
	}{
		{"a > b", "TestLesser", true, false},
		{"a <= b", "TestLesser", false, false},
		{"a > b", "TestOther", false, false},
		{"a > c", "TestLesser", false, true},                          // does not compile
		{"b/(a-a) < 1", "TestLesser", false, true},                    // panics
		{"a > b", "TestNothing", false, true},                         // no such test
		{"a > b", "TestLesser|TestOther", true, false},                // one of them
		{"func() bool { for {} }()", "TestOther|TestX", false, false}, // not called
	} {
		m := mutate.Mutation{Func: "lesser", Old: "a < b", New: c.change}
		failed, err := m.Test(t.Context(), dir, t.TempDir(), []string{c.test}, ".")
		if (err != nil) != c.wrong || (len(failed) == 1 && failed[0] == "TestLesser") != c.fell {
			t.Errorf("%s, %s: %q, %v", c.change, c.test, failed, err)
		}
	}
}
