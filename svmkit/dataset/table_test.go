package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// A table keeps every field as it stands, without its quotes and the blanks around it.
func TestReadTable(t *testing.T) {
	const csv = "\xef\xbb\xbfname,age ,note\r\n\r\n Ann ,31,\"a, \"\"b\"\"\nc\"\r\nBo,,NA\r\n"
	want := &dataset.Table{Name: "people", Names: []string{"name", "age", "note"},
		Rows: [][]string{{"Ann", "31", "a, \"b\"\nc"}, {"Bo", "", "NA"}}, Lines: []int{3, 5}}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(csv))
	z.Close()
	for what, file := range map[string]io.Reader{"text": strings.NewReader(csv), "gzip": &packed} {
		got, err := dataset.ReadTable(t.Context(), file, &dataset.TableOptions{Name: "people"})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v", what, got, err)
		}
	}
	name := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(name, []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := dataset.ReadTableFile(t.Context(), name, &dataset.TableOptions{Drop: []string{"age", "3"}})
	if err != nil || got.Name != "people.csv" || !slices.Equal(got.Names, []string{"name"}) || !reflect.DeepEqual(got.Rows, [][]string{{"Ann"}, {"Bo"}}) {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := dataset.ReadTableFile(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("a folder is a table")
	}
}

// The first line is taken for names or for data only where that is certain.
func TestTableHeader(t *testing.T) {
	for _, c := range []struct {
		csv   string
		opt   dataset.TableOptions
		names string // "": an error
		rows  int
	}{
		{csv: "a,b\nx,1\n", names: "a b", rows: 1},
		{csv: "1,2\n3,4\n", names: "1 2", rows: 2},
		{csv: "a,b\nx,y\n"},
		{csv: "a,b\nx,y\n", opt: dataset.TableOptions{Header: dataset.HeaderYes}, names: "a b", rows: 1},
		{csv: "a,b\nx,y\n", opt: dataset.TableOptions{Header: dataset.HeaderNo}, names: "1 2", rows: 2},
		{csv: "a,1\nx,2\n"},
		{csv: "0,1\n3,4\n"},
		{csv: "0,1\n3,4\n", opt: dataset.TableOptions{Header: dataset.HeaderYes}, names: "0 1", rows: 1},
		{csv: "a;b\n1,5;x\n2;y\n", opt: dataset.TableOptions{Comma: ';', Header: dataset.HeaderYes}, names: "a b", rows: 2},
		{csv: "remark\na,b\n1,2\n", opt: dataset.TableOptions{Skip: 1}, names: "a b", rows: 1},
		{csv: "a,b,c\n1,2,3\n", opt: dataset.TableOptions{Header: dataset.HeaderNo, Drop: []string{"2"}}, names: "1 3", rows: 2},
	} {
		got, err := dataset.ReadTable(t.Context(), strings.NewReader(c.csv), &c.opt)
		if c.names == "" {
			var parse *dataset.ParseError
			if !errors.As(err, &parse) || !errors.Is(err, dataset.ErrFormat) || !strings.Contains(err.Error(), "Header") {
				t.Errorf("%q: %+v %v", c.csv, got, err)
			}
		} else if err != nil || strings.Join(got.Names, " ") != c.names || len(got.Rows) != c.rows {
			t.Errorf("%q: %+v %v", c.csv, got, err)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	for csv, want := range map[string]struct {
		line int
		is   error
	}{
		"":                {0, svmkit.ErrEmpty},
		"a,b\n":           {0, svmkit.ErrEmpty},
		"a,b\n1,2\n1\n":   {3, svmkit.ErrRagged},
		"a,b\n1,2,3\n":    {2, svmkit.ErrRagged},
		"a,b\n1,\"2\n":    {2, dataset.ErrFormat},
		"a,,c\n1,2,3\n":   {1, dataset.ErrFormat},
		"a,\x01\n1,2\n":   {1, dataset.ErrFormat},
		"\xff\xfea,b\n":   {1, dataset.ErrFormat},
		"a,b\n1,\"2\"x\n": {2, dataset.ErrFormat},
	} {
		got, err := dataset.ReadTable(t.Context(), strings.NewReader(csv), nil)
		var parse *dataset.ParseError
		if got != nil || !errors.As(err, &parse) || parse.Line != want.line || !errors.Is(err, want.is) {
			t.Errorf("%q: %+v, %v", csv, got, err)
		}
	}
	_, err := dataset.ReadTable(t.Context(), strings.NewReader("remark\na,age,a,b,age\n1,2,3,4,5\n"), &dataset.TableOptions{Name: "t.csv", Skip: 1, Drop: []string{"3"}})
	const twice = `svmkit: t.csv, line 2: columns 2 and 5 are both "age"; rename one, or leave it out by the option Drop and its number`
	if !errors.Is(err, dataset.ErrFormat) || err.Error() != twice {
		t.Errorf("two columns of one name: %v", err)
	}
	var param *svmkit.ParamError
	for name, opt := range map[string]*dataset.TableOptions{
		"Comma": {Comma: '.'}, "Skip": {Skip: -1}, "Header": {Header: dataset.HeaderNo + 1},
	} {
		if _, err := dataset.ReadTable(t.Context(), strings.NewReader("a,b\n1,2\n"), opt); !errors.As(err, &param) || param.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	var none context.Context
	for _, s := range []*dataset.TableStream{dataset.TableRows(t.Context(), nil, nil), dataset.TableRows(none, strings.NewReader("a\n1"), nil)} {
		if _, err := s.Next(1); !errors.As(err, &param) {
			t.Errorf("nil: %v", err)
		}
	}
}

// Parts of a table are the table, whatever their length; an error stays.
func TestTableParts(t *testing.T) {
	const csv = "a,b\n1,x\n2,y\n3,z\n"
	for rows := 1; rows < 5; rows++ {
		s := dataset.TableRows(t.Context(), strings.NewReader(csv), nil)
		whole := &dataset.Table{}
		var err error
		for {
			var part *dataset.Table
			if part, err = s.Next(rows); err != nil {
				break
			}
			if len(part.Rows) == 0 || len(part.Rows) > rows || !slices.Equal(part.Names, []string{"a", "b"}) {
				t.Fatalf("parts of %d rows: %+v", rows, part)
			}
			whole.Rows, whole.Lines = append(whole.Rows, part.Rows...), append(whole.Lines, part.Lines...)
		}
		if _, again := s.Next(rows); err != io.EOF || again != io.EOF || !reflect.DeepEqual(whole.Rows, [][]string{{"1", "x"}, {"2", "y"}, {"3", "z"}}) || !slices.Equal(whole.Lines, []int{2, 3, 4}) {
			t.Errorf("parts of %d rows: %+v, then %v", rows, whole, err)
		}
	}
	s := dataset.TableRows(t.Context(), strings.NewReader("a,b\n1,x\n2\n"), nil)
	if _, err := s.Next(0); err == nil {
		t.Error("a part of no rows")
	}
	if part, err := s.Next(1); err != nil || part.Lines[0] != 2 {
		t.Errorf("%+v %v", part, err)
	}
	for range 2 {
		if _, err := s.Next(1); !errors.Is(err, svmkit.ErrRagged) {
			t.Errorf("%v", err)
		}
	}
}

// A row that has arrived is returned before the next one is written, also before a part of it is.
func TestTableDoesNotWait(t *testing.T) {
	for _, rest := range []string{"", "3,"} {
		r, w := io.Pipe()
		go io.WriteString(w, "a,b\n1,x\n2,y\n"+rest)
		s := dataset.TableRows(t.Context(), r, &dataset.TableOptions{Header: dataset.HeaderYes})
		if names := s.Names(); names != nil {
			t.Errorf("names %q before the first line", names)
		}
		part, err := s.Next(100)
		if err != nil || len(part.Rows) != 2 || !slices.Equal(s.Names(), []string{"a", "b"}) {
			t.Errorf("%+v, %v", part, err)
		}
		r.Close()
	}
}

// The labels of a table are those that the reader of a file would make of them.
func TestTableLabels(t *testing.T) {
	table := &dataset.Table{Name: "t", Names: []string{"x", "y"}, Lines: []int{2, 3, 4, 9}}
	for _, c := range []struct {
		labels  string
		rule    dataset.Labels
		y       []float64
		classes []string
	}{
		{labels: "no yes no yes", y: []float64{-1, 1, -1, 1}, classes: []string{"no", "yes"}},
		{labels: "b a c b", y: []float64{1, 0, 2, 1}, classes: []string{"a", "b", "c"}},
		{labels: "0.5 2 3 1", y: []float64{0.5, 2, 3, 1}},
		{labels: "1 2 1 2", rule: dataset.Labels{Task: dataset.Regression}, y: []float64{1, 2, 1, 2}},
		{labels: "b a c b", rule: dataset.Labels{Positive: "c"}, y: []float64{-1, -1, 1, -1}, classes: []string{"not c", "c"}},
	} {
		table.Rows = nil
		for _, label := range strings.Fields(c.labels) {
			table.Rows = append(table.Rows, []string{"0", label})
		}
		y, classes, err := table.Labels("y", c.rule)
		if err != nil || !slices.Equal(y, c.y) || !slices.Equal(classes, c.classes) {
			t.Errorf("%s: %v %q %v", c.labels, y, classes, err)
		}
	}
	for field, c := range map[string]struct {
		rule dataset.Labels
		is   error
		text string
	}{
		"":    {is: dataset.ErrMissing, text: `svmkit: t, line 9, column "y": missing label`},
		"NA":  {is: dataset.ErrMissing},
		"inf": {is: svmkit.ErrNotFinite},
		"z":   {rule: dataset.Labels{Classes: []string{"b", "a", "c"}}, is: svmkit.ErrNoClass, text: `"z"`},
		"d":   {rule: dataset.Labels{Task: dataset.Regression}, is: dataset.ErrNotNumber},
	} {
		rows := slices.Clone(table.Rows)
		bad := *table
		if bad.Rows = rows; c.rule.Task == dataset.Regression {
			for i := range rows {
				rows[i] = []string{"0", "1"}
			}
		}
		rows[3] = []string{"0", field}
		_, _, err := bad.Labels("y", c.rule)
		var wrong *dataset.FieldError
		if !errors.As(err, &wrong) || wrong.Line != 9 || wrong.Row != 3 || wrong.Column != "y" || wrong.Text != field || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: %v", field, err)
		}
	}
	var param *svmkit.ParamError
	if _, _, err := table.Labels("z", dataset.Labels{}); !errors.As(err, &param) {
		t.Errorf("%v", err)
	}
	if _, _, err := table.Labels("y", dataset.Labels{Classes: []string{"a"}}); !errors.As(err, &param) {
		t.Errorf("%v", err)
	}
	if _, _, err := (*dataset.Table)(nil).Labels("y", dataset.Labels{}); !errors.Is(err, svmkit.ErrNoColumns) {
		t.Errorf("%v", err)
	}
}

func TestTableValidateAndSubset(t *testing.T) {
	table := &dataset.Table{Name: "t", Names: []string{"a", "b"}, Rows: [][]string{{"1", "2"}, {"3", "4"}}, Lines: []int{2, 3}}
	if err := table.Validate(); err != nil || table.Len() != 2 || table.Column("b") != 1 || table.Column("c") != -1 {
		t.Errorf("%v", err)
	}
	want := &dataset.Table{Name: "t", Names: table.Names, Rows: [][]string{{"3", "4"}, {"1", "2"}, {"3", "4"}}, Lines: []int{3, 2, 3}}
	if got := table.Subset([]int{1, 0, 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	bare := &dataset.Table{Names: table.Names, Rows: table.Rows}
	if got := bare.Subset([]int{1}); got.Lines != nil || got.Rows[0][0] != "3" {
		t.Errorf("%+v", got)
	}
	for _, lines := range [][]int{{2}, {2, 3, 4}} {
		table.Lines = lines
		if err := table.Validate(); !errors.Is(err, svmkit.ErrMismatch) {
			t.Errorf("%d lines of %d rows: %v", len(lines), table.Len(), err)
		}
	}
	bare.Rows = append(bare.Rows, []string{"5"})
	if err := bare.Validate(); !errors.Is(err, svmkit.ErrRagged) {
		t.Errorf("%v", err)
	}
	if err := (&dataset.Table{Names: []string{"a", ""}}).Validate(); err == nil {
		t.Error("a column without a name")
	}
}

func TestNumber(t *testing.T) {
	if v, err := dataset.Number("-1.25e2"); v != -125 || err != nil {
		t.Errorf("%v %v", v, err)
	}
	for text, want := range map[string]error{"": dataset.ErrMissing, "NA": dataset.ErrMissing, "x": dataset.ErrNotNumber, "1,5": dataset.ErrNotNumber,
		"1e999": svmkit.ErrNotFinite, "inf": svmkit.ErrNotFinite, " 1": dataset.ErrNotNumber} {
		if v, err := dataset.Number(text); !errors.Is(err, want) {
			t.Errorf("%q: %v %v", text, v, err)
		}
	}
}

// FuzzReadTable asserts of any text: a typed error with a place, or a table whose parts are the
// whole, whose rows have one field a column, and whose lines rise.
func FuzzReadTable(f *testing.F) {
	f.Add("a,b\n1,x\n\"2\n\",\"y\"\"\"\n", byte(0), 1)
	f.Add("a\tb\r\n1\t\r\n", byte(1), 2)
	f.Add("\xef\xbb\xbf1;2\n3;4\n", byte(2), 3)
	f.Fuzz(func(t *testing.T, text string, header byte, rows int) {
		opt := &dataset.TableOptions{Header: dataset.Header(header % 3)}
		whole, err := dataset.ReadTable(t.Context(), strings.NewReader(text), opt)
		s := dataset.TableRows(t.Context(), strings.NewReader(text), opt)
		parts := &dataset.Table{}
		for {
			part, failed := s.Next(max(1, rows))
			if failed != nil {
				if err == nil != (failed == io.EOF) && !errors.Is(err, svmkit.ErrEmpty) {
					t.Fatalf("whole: %v, in parts: %v", err, failed)
				}
				break
			}
			parts.Rows, parts.Lines = append(parts.Rows, part.Rows...), append(parts.Lines, part.Lines...)
		}
		if err != nil {
			var parse *dataset.ParseError
			var param *svmkit.ParamError
			if whole != nil || !errors.As(err, &parse) && !errors.As(err, &param) {
				t.Fatalf("%v, %+v", err, whole)
			}
			return
		}
		if err := whole.Validate(); err != nil || !slices.IsSorted(whole.Lines) || whole.Len() == 0 {
			t.Fatalf("%+v: %v", whole, err)
		}
		if !reflect.DeepEqual(whole.Rows, parts.Rows) || !slices.Equal(whole.Lines, parts.Lines) {
			t.Fatalf("whole %+v, in parts %+v", whole, parts)
		}
	})
}
