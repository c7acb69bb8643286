package samples

import (
	"crypto/sha256"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var functions = map[string]func() *svmkit.Dataset{
	"Iris": Iris, "Wine": Wine, "BreastCancer": BreastCancer, "Digits": Digits,
	"Banknotes": Banknotes, "Penguins": Penguins,
	"SMS": func() *svmkit.Dataset { set, _ := SMS(); return set },
}

func checksum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

func TestChecksums(t *testing.T) {
	if len(All()) != len(functions) {
		t.Fatalf("All lists %d sets, there are %d", len(All()), len(functions))
	}
	for _, info := range All() {
		stored, err := files.ReadFile("data/" + info.File)
		if err != nil {
			t.Errorf("%s: %v", info.Name, err)
			continue
		}
		if got := checksum(stored); got != info.Stored {
			t.Errorf("%s: data/%s has SHA-256 %s, want %s", info.Name, info.File, got, info.Stored)
		}
		obtained := stored
		if info.Stored != info.SHA256 { // compressed here: what it decompresses to must be the original
			obtained = content(info.File)
		}
		if got := checksum(obtained); got != info.SHA256 {
			t.Errorf("%s: the original has SHA-256 %s, want %s", info.Name, got, info.SHA256)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, info := range All() {
		set := functions[info.Name]()
		if err := set.Validate(); err != nil {
			t.Errorf("%s: %v", info.Name, err)
		}
		if set.Len() != info.Rows || (info.Cols != 0 && set.Dim != info.Cols) {
			t.Errorf("%s is %d × %d, listed as %d × %d", info.Name, set.Len(), set.Dim, info.Rows, info.Cols)
		}
		if len(set.Features) != set.Dim || slices.Contains(set.Features, "") {
			t.Errorf("%s: features %q", info.Name, set.Features)
		}
		if names := slices.Compact(slices.Sorted(slices.Values(set.Features))); len(names) != set.Dim {
			t.Errorf("%s: two features have one name", info.Name)
		}
		if len(set.Classes) == 2 {
			if err := set.ValidateBinary(); err != nil {
				t.Errorf("%s: %v", info.Name, err)
			}
		}
	}
}

// Whatever one caller does to a set, the next caller gets what the file says.
func TestCallersCannotDisturbEachOther(t *testing.T) {
	for name, get := range functions {
		want, spoilt := get(), get()
		for _, x := range spoilt.X {
			for k := range x.Value {
				x.Value[k] = -1e9
			}
			for k := range x.Index {
				x.Index[k] = 7
			}
			if cap(x.Value) != len(x.Value) || cap(x.Index) != len(x.Index) {
				t.Fatalf("%s: appending to a row would write into the next", name)
			}
		}
		spoilt.Y[0], spoilt.Classes[0], spoilt.Features[0], spoilt.Dim = 9, "", "", 0
		spoilt.X[1] = svmkit.Row{}
		if !reflect.DeepEqual(get(), want) {
			t.Errorf("%s: a caller's change is seen by the next", name)
		}
	}
	All()[0].Name, Messages()[0].Text = "", ""
	if All()[0].Name == "" || Messages()[0].Text == "" {
		t.Error("All and Messages hand out their own slice")
	}
}

// The table in the package comment and LICENCES.md repeat what All says; here they are kept
// from drifting.
func TestDocumentsAgree(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	licences, err := os.ReadFile("data/LICENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range All() {
		stored, err := files.ReadFile("data/" + info.File)
		if err != nil {
			t.Fatal(err)
		}
		cols := fmt.Sprint(info.Cols)
		if info.Cols == 0 {
			cols = "terms"
		}
		if line := lineWith(doc, "//\t"+info.Name+" "); !startsAndEnds(strings.Fields(line),
			[]string{"//", info.Name, fmt.Sprint(info.Rows), cols}, fmt.Sprint(len(stored))) {
			t.Errorf("doc.go says %q of %s: %d rows, %s columns, %d bytes", line, info.Name, info.Rows, cols, len(stored))
		}
		row := lineWith(licences, "`"+info.File+"`")
		for _, fact := range []string{info.Name, info.Licence, info.Source, info.Citation, info.SHA256} {
			if !strings.Contains(row, fact) {
				t.Errorf("LICENCES.md does not say of %s: %q", info.File, fact)
			}
		}
		if info.Stored != info.SHA256 && !strings.Contains(string(licences), info.Stored) {
			t.Errorf("LICENCES.md has no checksum of the stored %s", info.File)
		}
	}
}

func lineWith(text []byte, part string) string {
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

func startsAndEnds(fields, start []string, end string) bool {
	return len(fields) > len(start) && slices.Equal(fields[:len(start)], start) && fields[len(fields)-1] == end
}

// A megabyte is what a program may grow by for importing this package.
func TestEmbeddedSize(t *testing.T) {
	total := 0
	for _, info := range All() {
		stored, err := files.ReadFile("data/" + info.File)
		if err != nil {
			t.Fatal(err)
		}
		total += len(stored)
	}
	if total > 1<<20 {
		t.Errorf("%d bytes are embedded", total)
	}
}
