package house

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lineWidth is how many bytes a line may have that counts as one.
const lineWidth = 110

// budgets says how many lines the Go code of a folder may have, without its tests. A pattern that ends in "/..." stands
// for a whole tree; "svmkit/*" stands for each folder of svmkit by itself.
var budgets = []struct {
	pattern string
	lines   int
	later   string // until this is done, the number is printed and not asserted
}{
	{"...", 62_000, "the figures, the cells and the tests are put in order (part 2)"},
	{"cmd/svm", 3780, ""}, // 3,200, and the flags and readers for the conventions of other tools
	{"svmkit/svm/internal/core", 2500, ""},
	{"svmkit/*", 2500, ""},
}

// linesOf counts the lines of a text: a line counts once for each 110 bytes that it begins, so that nobody saves by joining
// lines, and an empty line counts once.
func linesOf(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		n += max(1, (len(line)+lineWidth-1)/lineWidth)
	}
	return n
}

// sizes returns the lines of each folder of this module with Go code, without tests. Modules of their own, test data and
// hidden folders are left out.
func sizes(t *testing.T) map[string]int {
	t.Helper()
	lines := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, own := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (own == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		lines[filepath.ToSlash(dir)] += linesOf(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestHouseSize prints the lines of each folder and asserts the budgets.
func TestHouseSize(t *testing.T) {
	lines := sizes(t)
	var table strings.Builder
	rooms := map[string]int{} // by the first name of the path
	for dir, n := range lines {
		room, _, _ := strings.Cut(dir, "/")
		rooms[room] += n
		rooms["all"] += n
	}
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		fmt.Fprintf(&table, "%7d  %s\n", rooms[room], room)
	}
	table.WriteByte('\n')
	for _, dir := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&table, "%7d  %s\n", lines[dir], dir)
	}
	tests := 0
	for _, dir := range forTests {
		tests += lines[dir]
	}
	t.Logf("lines of Go without tests; %d of them are in packages that only tests import\n%s", tests, &table)

	checked := map[string]bool{}
	check := func(name string, n, most int, later string) {
		switch {
		case checked[name]:
		case n == 0:
			t.Errorf("the budget of %s is for no code", name)
		case later != "":
			t.Logf("%s: %d lines; at most %d when %s", name, n, most, later)
		case n > most:
			t.Errorf("%s: %d lines, at most %d", name, n, most)
		}
		checked[name] = true
	}
	for _, b := range budgets {
		tree, whole := strings.CutSuffix(b.pattern, "...")
		each, apart := strings.CutSuffix(b.pattern, "*")
		sum := 0
		for dir, n := range lines {
			switch {
			case apart && strings.HasPrefix(dir+"/", each):
				check(dir, n, b.lines, b.later)
			case whole && strings.HasPrefix(dir+"/", tree), dir == b.pattern:
				sum += n
			}
		}
		if !apart {
			check(b.pattern, sum, b.lines, b.later)
		}
	}
}

// The count itself: joining lines saves nothing, empty lines count, and an unfinished last line is a line.
func TestLinesOf(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "\n": 1, "a": 1, "a\nb\n": 2, "a\n\nb": 3, "a\r\n": 1,
		strings.Repeat("x", 110) + "\n": 1, strings.Repeat("x", 111): 2, strings.Repeat("x", 220): 2, strings.Repeat("é", 56): 2,
	} {
		if got := linesOf([]byte(text)); got != want {
			t.Errorf("%.20q… of %d bytes: %d lines, want %d", text, len(text), got, want)
		}
	}
}
