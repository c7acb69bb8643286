package pipeline_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
)

var zones = pipeline.Pipeline{Label: "y", Columns: pipeline.Columns{Categorical: []string{"zone"}}, Model: hinge}

// The same numbers as categories in other spellings give the same file and the same rows.
func TestCategoriesInOtherSpellings(t *testing.T) {
	lines := []string{"1 1 no", "2 1 yes", "3 2 no", "1 3 no", "2 2 yes", "- 1 yes", "-4 2 no"}
	plain := fit(t, zones, table("zone x y", lines...))
	want, err := plain.Encode(table("zone x", "1 0", "2 0", "3 0", "- 0", "-4 0", "7 0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, spelling := range [][]string{{"1", "2", "3", "-4", "7"}, {"1.0", "2.00", "3.", "-4.0", "7.0"}, {"+1", "02", "3e0", "-04", "0.7e1"}} {
		spell := strings.NewReplacer("-4 ", spelling[3]+" ", "1 ", spelling[0]+" ", "2 ", spelling[1]+" ", "3 ", spelling[2]+" ", "7 ", spelling[4]+" ")
		var others []string
		for _, line := range lines {
			field, rest, _ := strings.Cut(line, " ")
			others = append(others, spell.Replace(field+" ")+rest)
		}
		m := fit(t, zones, table("zone x y", others...))
		if got := saved(t, m); !bytes.Equal(got, saved(t, plain)) {
			t.Errorf("%q: the file is\n%s", others, got)
		}
		rows, err := plain.Encode(table("zone x", spell.Replace("1 ")+"0", spell.Replace("2 ")+"0", spell.Replace("3 ")+"0", "- 0", spell.Replace("-4 ")+"0", spell.Replace("7 ")+"0"))
		if err != nil || !reflect.DeepEqual(rows, want) {
			t.Errorf("%q: %v, want %v, %v", spelling, rows, want, err)
		}
	}
	if got := plain.Columns().Features; !slices.Equal(got, []string{"zone=", "zone=-4", "zone=1", "zone=2", "zone=3", "x"}) {
		t.Errorf("columns %q", got)
	}
}

// Categories that are not all numbers, and integers of many digits, are compared as text.
func TestCategoriesAsText(t *testing.T) {
	for _, zone := range []string{"a", "9007199254740993"} {
		m := fit(t, zones, table("zone x y", "1 1 no", "1.0 1 yes", zone+" 2 no"))
		if got := m.Columns().Features; len(got) != 4 || got[0] != "zone=1" || got[1] != "zone=1.0" {
			t.Errorf("columns %q", got)
		}
	}
	m := fit(t, zones, table("zone x y", "9007199254740992 1 no", "9007199254740993 1 yes"))
	if got := m.Columns().Dim; got != 3 {
		t.Errorf("two long integers became %d columns", got-1)
	}
	if m := fit(t, zones, table("zone x y", "- 1 no", "NA 2 yes")); m.Columns().Features[0] != "zone=" || bytes.Contains(saved(t, m), []byte(`"numbers"`)) {
		t.Error("a column of missing fields holds no numbers")
	}
}

// A file without the key "numbers" is an older one, whose categories are texts.
func TestOlderFileComparesText(t *testing.T) {
	train := table("zone x y", "1 1 no", "2 1 yes", "2 2 no")
	file := string(saved(t, fit(t, zones, train)))
	older := strings.Replace(file, `,"numbers":true`, "", 1)
	if older == file {
		t.Fatalf("no key in\n%s", file)
	}
	for text, want := range map[string][]float64{file: {1, 0, 5}, older: {0, 0, 5}} {
		read, err := modelfile.Load(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		m := read.(*pipeline.Model)
		rows, err := m.Encode(table("zone x", "1.0 5"))
		if err != nil || !slices.Equal(rows[0].Value, want) {
			t.Errorf("%v, %v, want %v", rows, err, want)
		}
		if unseen, err := m.Encoder().Unseen(table("zone x", "1.0 5", "2 3")); err != nil || len(unseen) != int(1-want[0]) {
			t.Errorf("%v, %v", unseen, err)
		}
	}
	for _, bad := range []string{`["1.0","2"]`, `["1","a"]`, `["+1","2"]`} {
		if _, err := modelfile.Load(strings.NewReader(strings.Replace(file, `["1","2"]`, bad, 1))); !errors.Is(err, modelfile.ErrMalformed) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := modelfile.Load(strings.NewReader(strings.Replace(file, `"kind":"number"`, `"kind":"number","numbers":true`, 1))); !errors.Is(err, modelfile.ErrMalformed) {
		t.Errorf("numbers of a number: %v", err)
	}
}

// Every field of a category that no training row has is found, a missing one too.
func TestUnseen(t *testing.T) {
	p := zones
	m := fit(t, p, table("zone x y", "a 1 no", "b 1 yes"))
	unseen, err := m.Encoder().Unseen(table("x zone", "1 a", "1 A", "1 b", "1 -", "1 c"))
	if err != nil || len(unseen) != 3 || unseen[0].Row != 1 || unseen[1].Text != "" || unseen[2].Column != "zone" || !errors.Is(unseen[0], pipeline.ErrUnseen) {
		t.Errorf("%v, %v", unseen, err)
	}
	if _, err := m.Encoder().Unseen(table("x", "1")); !errors.Is(err, svmkit.ErrMismatch) {
		t.Errorf("%v", err)
	}
	if !m.Encoder().HasCategories() {
		t.Error("no categories")
	}
	numbers, err := pipeline.NumbersEncoder([]string{"a"})
	if err != nil || numbers.HasCategories() || (*pipeline.Encoder)(nil).HasCategories() {
		t.Errorf("categories of numbers, %v", err)
	}
}

func TestAlike(t *testing.T) {
	p := zones
	p.Columns = pipeline.Columns{Categorical: []string{"zone", "flag", "kind"}}
	train := &dataset.Table{Names: []string{"zone", "flag", "kind", "y"}, Rows: [][]string{
		{"1", "True", "1", "no"}, {"1.00", "true", "1.0", "yes"}, {"2", " New  York", "NewYork", "no"}, {"", "NewYork", "new york ", "yes"},
		{"NA", "TRUE", "caf\xe9", "yes"}, {"3", "", "caf\xe8", "yes"}}}
	alike, err := p.Alike(train)
	want := []pipeline.Alike{{"zone", []string{"1", "1.00"}, true}, {"flag", []string{" New  York", "NewYork"}, false},
		{"flag", []string{"TRUE", "True", "true"}, false}, {"kind", []string{"1", "1.0"}, false}, {"kind", []string{"NewYork", "new york "}, false}}
	if err != nil || !reflect.DeepEqual(alike, want) {
		t.Errorf("%+v, %v, want %+v", alike, err, want)
	}
	if _, err := p.Alike(table("a y", "1 2")); err == nil {
		t.Error("no error of lists that do not fit")
	}
	if _, err := p.Alike(nil); err == nil {
		t.Error("no error of no table")
	}
}

// All columns that cannot be used are named at once, and each error can be asked for.
func TestColumnErrors(t *testing.T) {
	bad := table("a b c d e f y", "1 u - v 1 - 0", "2 v 3 - w - 1")
	p := pipeline.Pipeline{Label: "y", Columns: pipeline.Columns{Median: []string{"e"}}, Model: hinge}
	const want = `svmkit: not a number in the columns ["b" "d"], as "u" in row 0; list the column under Categorical or Drop; ` +
		`missing value in column "c", as "" in row 0; list the column under Median, Mean, Categorical or Drop; ` +
		`not a number in column "e", as "w" in row 1; take the column out of Median and Mean, and list it under Categorical or Drop; ` +
		`no number in the training rows in column "f"; list the column under Drop`
	_, err := p.Fit(t.Context(), bad)
	checked := p.Check(bad)
	for _, err := range []error{err, checked} {
		var all *pipeline.ColumnErrors
		var first *dataset.FieldError
		if err == nil || err.Error() != want || !errors.As(err, &all) || len(all.Fields) != 5 || !errors.As(err, &first) || first.Column != "b" ||
			!errors.Is(err, pipeline.ErrText) || !errors.Is(err, pipeline.ErrMissing) {
			t.Errorf("%v\nwant\n%s", err, want)
		}
	}
	p.Columns = pipeline.Columns{Categorical: []string{"b", "d"}, Drop: []string{"e", "f"}, Mean: []string{"c"}}
	if err := p.Check(bad); err != nil {
		t.Error(err)
	}
	m := fit(t, p, bad)
	if _, err := m.Encode(table("a b c d", "- u x v")); err == nil ||
		err.Error() != `svmkit: missing value in column "a", as "" in row 0; fill it in, or train with the column under Median or Mean; not a number in column "c", as "x" in row 0` {
		t.Error(err)
	}
	p.Columns = pipeline.Columns{Text: "b"}
	if err := p.Check(bad); err == nil || !strings.Contains(err.Error(), `all others in the columns ["a" "c" "d" "e" "f"]; list`) {
		t.Error(err)
	}
	p.Columns = pipeline.Columns{Drop: []string{"z"}}
	if p.Check(bad) == nil || p.Check(nil) == nil {
		t.Error("no error")
	}
}
