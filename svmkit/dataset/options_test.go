package dataset_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// DetectFormat tells the format, and its reader yields all the text, unpacked.
func TestDetectFormat(t *testing.T) {
	long := "# " + strings.Repeat("x", 1<<17) + "\n1 1:2\n"
	for text, want := range map[string]dataset.Format{
		"":                          dataset.CSV,
		"1\n":                       dataset.CSV,
		"1,2\n":                     dataset.CSV,
		"a b\n1 2\n":                dataset.CSV,
		"1 1:2":                     dataset.LIBSVM,
		"1 1:2,5 2:0.5\n":           dataset.LIBSVM, // whose reader says what to write for 2,5
		"10 12:30,5\n":              dataset.CSV,
		"10 12:30,a 2:x\n":          dataset.CSV,
		"# remark\n\n1\n-1 qid:1\n": dataset.LIBSVM,
		"1 1:2\n" + strings.Repeat("-1 7:0.5\n", 1<<15): dataset.LIBSVM,
		long: dataset.CSV, // the window has no second word
	} {
		for _, r := range []io.Reader{strings.NewReader(text), bytes.NewReader(zipped(text)),
			iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text)),
			strings.NewReader("\xef\xbb\xbf" + text)} {
			format, all, err := dataset.DetectFormat(t.Context(), r)
			if err != nil || format != want {
				t.Fatalf("%.20q: %v, %v, want %v", text, format, err, want)
			}
			if got, err := io.ReadAll(all); err != nil || string(got) != text {
				t.Errorf("%.20q: read %d of %d bytes, %v", text, len(got), len(text), err)
			}
		}
	}
	if dataset.CSV.String() != "CSV" || dataset.LIBSVM.String() != "LIBSVM" {
		t.Error("names of the formats")
	}
}

// What cannot be read is an error of the reader that DetectFormat returns, and of the rows read
// from it.
func TestDetectFormatOfWhatCannotBeRead(t *testing.T) {
	gone := errors.New("gone")
	gzipped := string(zipped("1 1:1\n-1 1:2\n"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		want error
	}{
		"at once":            {t.Context(), iotest.ErrReader(gone), gone},
		"in the first line":  {t.Context(), io.MultiReader(strings.NewReader("1 1"), iotest.ErrReader(gone)), gone},
		"in the second line": {t.Context(), io.MultiReader(strings.NewReader("1 1:1\n-1"), iotest.ErrReader(gone)), gone},
		"half a gzip file":   {t.Context(), strings.NewReader(gzipped[:len(gzipped)/2]), io.ErrUnexpectedEOF},
		"UTF-16":             {t.Context(), strings.NewReader("\xff\xfe1\x00"), dataset.ErrEncoding},
		"ended":              {ended, strings.NewReader("1 1:1\n"), context.Canceled},
	} {
		format, all, err := dataset.DetectFormat(c.ctx, c.r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if format == dataset.LIBSVM {
			_, err = dataset.ReadLIBSVM(t.Context(), all, nil)
		} else {
			_, err = dataset.ReadCSV(t.Context(), all, nil)
		}
		if parse := (*dataset.ParseError)(nil); !errors.As(err, &parse) || parse.Line < 1 || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	_, all, err := dataset.DetectFormat(t.Context(), bytes.NewReader(zipped(gzipped)))
	if err != nil {
		t.Fatal(err)
	}
	if set, err := dataset.ReadCSV(t.Context(), all, nil); err == nil {
		t.Errorf("a gzip file inside another: %+v", set)
	}
	var none context.Context
	for name, f := range map[string]func() error{
		"r":   func() error { _, _, err := dataset.DetectFormat(t.Context(), nil); return err },
		"ctx": func() error { _, _, err := dataset.DetectFormat(none, strings.NewReader("1")); return err },
		"r ":  func() error { _, err := dataset.ReadCSV(t.Context(), nil, nil); return err },
		" r":  func() error { _, err := dataset.ReadLIBSVM(t.Context(), nil, nil); return err },
		" r ": func() error { _, err := dataset.ReadTable(t.Context(), nil, nil); return err },
	} {
		var param *svmkit.ParamError
		if err := f(); !errors.As(err, &param) || param.Name != strings.TrimSpace(name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A constant that does not exist is refused on both sides, in every option.
func TestOptionsOutOfRange(t *testing.T) {
	for name, f := range map[string]func() error{
		"Header":  func() error { return csvError(dataset.CSVOptions{Header: -1}) },
		" Header": func() error { return csvError(dataset.CSVOptions{Header: dataset.HeaderNo + 1}) },
		"Task":    func() error { return csvError(dataset.CSVOptions{Labels: dataset.Labels{Task: -1}}) },
		" Task": func() error {
			return csvError(dataset.CSVOptions{Labels: dataset.Labels{Task: dataset.Regression + 1}})
		},
		"Task ": func() error {
			_, err := readLIBSVM(strings.NewReader("1 1:1\n"), &dataset.LIBSVMOptions{Labels: dataset.Labels{Task: -1}})
			return err
		},
		" Task ": func() error {
			_, err := dataset.Read(t.Context(), strings.NewReader("1 1:1\n"), &dataset.Options{Labels: dataset.Labels{Task: -1}})
			return err
		},
		"  Task ": func() error {
			_, err := dataset.Open(t.Context(), "no such file", &dataset.Options{Labels: dataset.Labels{Task: -1}})
			return err
		},
		"AllowOther": func() error { return csvError(dataset.CSVOptions{Labels: dataset.Labels{AllowOther: true}}) },
		" AllowOther": func() error {
			return csvError(dataset.CSVOptions{Labels: dataset.Labels{AllowOther: true, Positive: "1"}})
		},
		"AllowOther ": func() error {
			return csvError(dataset.CSVOptions{Labels: dataset.Labels{AllowOther: true, Task: dataset.Classification}})
		},
	} {
		var param *svmkit.ParamError
		if err := f(); !errors.As(err, &param) || param.Name != strings.TrimSpace(name) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := csvError(dataset.CSVOptions{Unlabelled: true, Labels: dataset.Labels{AllowOther: true}}); err != nil {
		t.Errorf("AllowOther without labels: %v", err)
	}
}

func csvError(o dataset.CSVOptions) error {
	_, err := readCSV(strings.NewReader("1,2.5\n2,3.5\n"), &o)
	return err
}

// The readers of files find the file, and name it.
func TestReadFilesOfEachFormat(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	csv, libsvm := write("a.csv", "0.5,1,x\n1,2.5,y\n"), write("a.svm", "1 1:1\n-1 2:1\n")
	if set, err := dataset.ReadCSVFile(t.Context(), csv, &dataset.CSVOptions{Drop: []string{"1"}}); err != nil || set.Dim != 1 {
		t.Errorf("%+v, %v", set, err)
	}
	if set, err := dataset.ReadLIBSVMFile(t.Context(), libsvm, &dataset.LIBSVMOptions{Dim: 3}); err != nil || set.Dim != 3 {
		t.Errorf("%+v, %v", set, err)
	}
	for want, f := range map[string]func() error{
		"a.svm, line 1": func() error { _, err := dataset.ReadCSVFile(t.Context(), libsvm, nil); return err },
		"a.csv, line 1": func() error { _, err := dataset.ReadLIBSVMFile(t.Context(), csv, nil); return err },
		"mine, line 1": func() error {
			_, err := dataset.ReadLIBSVMFile(t.Context(), csv, &dataset.LIBSVMOptions{Name: "mine"})
			return err
		},
		"none": func() error { _, err := dataset.ReadCSVFile(t.Context(), filepath.Join(dir, "none"), nil); return err },
		"none ": func() error {
			_, err := dataset.ReadLIBSVMFile(t.Context(), filepath.Join(dir, "none "), nil)
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Test rows may have labels that the model does not know, which are +Inf, and labels that are missing,
// which are NaN.
func TestAllowOther(t *testing.T) {
	for name, c := range map[string]struct {
		labels dataset.Labels
		text   string // the labels, ~ for a missing one
		want   string
	}{
		"two numbers":      {dataset.Labels{Classes: []string{"1", "2"}}, "1 2 1.0 +2 2e0 3 1.5 ~ NA x inf 1e999", "-1 1 -1 1 1 +Inf +Inf NaN NaN +Inf +Inf +Inf"},
		"zero":             {dataset.Labels{Classes: []string{"0", "1"}}, "0 -0 1 x ~ -1", "-1 -1 1 +Inf NaN +Inf"},
		"three numbers":    {dataset.Labels{Classes: []string{"1", "2", "7"}}, "7 1.0 2 3 ~ x", "2 0 1 +Inf NaN +Inf"},
		"names":            {dataset.Labels{Classes: []string{"ham", "spam"}}, "spam ham eggs ~ 1 Ham inf", "1 -1 +Inf NaN +Inf +Inf +Inf"},
		"three names":      {dataset.Labels{Classes: []string{"a", "b", "c"}}, "c b a d ~", "2 1 0 +Inf NaN"},
		"mixed":            {dataset.Labels{Classes: []string{"1", "x"}}, "x 01 1 2 y", "1 -1 -1 +Inf +Inf"},
		"long integers":    {dataset.Labels{Classes: []string{"12345678901234567890", "1"}}, "12345678901234567890 12345678901234567891 1", "-1 +Inf 1"},
		"the rest":         {dataset.Labels{Classes: []string{"not ham", "ham"}}, "ham spam eggs ~ 0 inf 1e999", "1 -1 -1 NaN -1 -1 -1"},
		"targets":          {dataset.Labels{Task: dataset.Regression}, "1 2.5 x ~ NA inf 1e999 -0.5", "1 2.5 +Inf NaN NaN +Inf +Inf -0.5"},
		"the rest of zero": {dataset.Labels{Classes: []string{"not 0", "0"}}, "0 1 x\x01y inf", "1 -1 -1 -1"},
	} {
		c.labels.AllowOther = true
		rows := strings.Split(strings.ReplaceAll(c.text, "~", ""), " ")
		table := &dataset.Table{Names: []string{"y"}}
		csv, libsvm := "x,y\n", ""
		onlyWords := true
		for _, label := range rows {
			table.Rows = append(table.Rows, []string{label})
			csv += "1," + label + "\n"
			libsvm += label + " 1:1\n"
			onlyWords = onlyWords && label != ""
		}
		check := func(door string, y []float64, classes []string, err error) {
			t.Helper()
			if got := strings.Trim(fmt.Sprint(y), "[]"); err != nil || got != c.want || !slices.Equal(classes, c.labels.Classes) {
				t.Errorf("%s, %s: %v %q %v, want %v", name, door, got, classes, err, c.want)
			}
		}
		y, classes, err := table.Labels("y", c.labels)
		check("table", y, classes, err)
		for i := range table.Rows { // a part has the same Y
			part, _, err := table.Subset([]int{i}).Labels("y", c.labels)
			if err != nil || fmt.Sprint(part[0]) != fmt.Sprint(y[i]) {
				t.Errorf("%s, row %d alone: %v, %v", name, i, part, err)
			}
		}
		set, err := readCSV(strings.NewReader(csv), &dataset.CSVOptions{Labels: c.labels})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		check("CSV", set.Y, set.Classes, err)
		streams := map[string]*dataset.Stream{"CSV stream": rowsCSV(strings.NewReader(csv), &dataset.CSVOptions{Labels: c.labels})}
		if onlyWords && !strings.Contains(libsvm, "\x01") { // LIBSVM has no mark for a label that is missing
			set, err := readLIBSVM(strings.NewReader(libsvm), &dataset.LIBSVMOptions{Labels: c.labels})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			check("LIBSVM", set.Y, set.Classes, err)
			streams["LIBSVM stream"] = rowsLIBSVM(strings.NewReader(libsvm), &dataset.LIBSVMOptions{Labels: c.labels})
		}
		for door, s := range streams {
			var y []float64
			for _, v := range s.All() {
				y = append(y, v)
			}
			check(door, y, s.Classes(), s.Err())
		}
	}
}

// AllowOther keeps a row without a label, with SkipMissing, too. A feature that cannot be used is an
// error.
func TestAllowOtherIsForLabels(t *testing.T) {
	labels := dataset.Labels{Classes: []string{"a", "b"}, AllowOther: true}
	set, err := readCSV(strings.NewReader("1,a\n2,\n3,c\n,b\n"), &dataset.CSVOptions{Labels: labels, SkipMissing: true})
	if err != nil || set.Len() != 3 || fmt.Sprint(set.Y) != "[-1 NaN +Inf]" {
		t.Errorf("%+v, %v", set, err)
	}
	if _, err := readCSV(strings.NewReader("1,a\n,c\n"), &dataset.CSVOptions{Labels: labels}); !errors.Is(err, dataset.ErrMissing) {
		t.Errorf("a missing feature: %v", err)
	}
	if _, err := readCSV(strings.NewReader("1,a\nx,c\n"), &dataset.CSVOptions{Labels: labels}); !errors.Is(err, dataset.ErrNotNumber) {
		t.Errorf("a feature that is no number: %v", err)
	}
	if _, err := readLIBSVM(strings.NewReader("1:1 2:1\n"), &dataset.LIBSVMOptions{Labels: labels}); !errors.Is(err, dataset.ErrLineWithoutLabel) {
		t.Errorf("a line that starts with a pair: %v", err)
	}
	header := "5,15,30,species\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n"
	if _, err := readCSV(strings.NewReader(header), &dataset.CSVOptions{Labels: labels}); !errors.Is(err, dataset.ErrHeader) {
		t.Errorf("a header of numbers: %v", err)
	}
}

// A model knows the name of the label's column: it is found there, and never taken for a feature.
func TestDefaultLabel(t *testing.T) {
	const file = "a,kind,b\n1,x,2\n3,w,4\n"
	set, err := readCSV(strings.NewReader(file), &dataset.CSVOptions{DefaultLabel: "kind"})
	if err != nil || set.Label != "kind" || fmt.Sprint(set.Features, set.Classes, set.Y) != "[a b] [w x] [1 -1]" {
		t.Errorf("%+v, %v", set, err)
	}
	for name, c := range map[string]struct {
		text  string
		opt   dataset.CSVOptions
		label string // the name of the label's column that is found
		err   error
	}{
		"the column named label gives way": {"a,kind,label\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "kind"}, "kind", nil},
		"not there":                        {file, dataset.CSVOptions{DefaultLabel: "class"}, "", dataset.ErrNoDefaultLabel},
		"not there, label is":              {"a,label,b\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "class"}, "", dataset.ErrNoColumn},
		"Label goes first":                 {file, dataset.CSVOptions{DefaultLabel: "class", Label: "kind"}, "kind", nil},
		"twice":                            {"kind,kind,b\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "kind"}, "", dataset.ErrSameName},
		"twice, one dropped":               {"kind,kind,b\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "kind", Drop: []string{"1"}}, "kind", nil},
		"dropped":                          {"a,kind,b\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "kind", Drop: []string{"kind"}}, "", dataset.ErrDropped},
		"no names":                         {"1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "kind"}, "", nil},
		"names are numbers":                {"2,7,5\n1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "7", Header: dataset.HeaderYes}, "7", nil},
		"told that there are none":         {"1,2,3\n3,4,5\n", dataset.CSVOptions{DefaultLabel: "1", Header: dataset.HeaderNo}, "", nil},
		"unlabelled":                       {"a,b\n1,2\n3,4\n", dataset.CSVOptions{DefaultLabel: "kind", Unlabelled: true}, "", nil},
		"a control character goes first":   {"a\x1b,b,c\n1,2,3\n", dataset.CSVOptions{DefaultLabel: "kind"}, "", dataset.ErrControl},
	} {
		set, err := readCSV(strings.NewReader(c.text), &c.opt)
		if !errors.Is(err, c.err) || err == nil && set.Label != c.label {
			t.Errorf("%s: %+v, %v, want %q, %v", name, set, err, c.label, c.err)
		}
		if rows := rowsCSV(strings.NewReader(c.text), &c.opt); err == nil {
			for range rows.All() {
			}
			if rows.Label() != c.label {
				t.Errorf("%s, row by row: %q", name, rows.Label())
			}
		}
	}
	_, err = readCSV(strings.NewReader(file), &dataset.CSVOptions{Name: "t.csv", DefaultLabel: "class"})
	const want = `svmkit: t.csv, line 1: there is no column "class", the label's at training; name the label's column by the option Label`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// An error about a column that is not there lists the columns that are, ten at most.
func TestNoColumnListsColumns(t *testing.T) {
	var names, row []string
	for k := range 12 {
		names, row = append(names, fmt.Sprint("c", k)), append(row, "1")
	}
	text := strings.Join(names, ",") + "\n" + strings.Join(row, ",") + "\n"
	const first = `"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9" and 2 more`
	_, err := readCSV(strings.NewReader(text), &dataset.CSVOptions{Label: "d"})
	if want := `svmkit: line 1: no such column: "d"; the first line holds ` + first; err == nil || err.Error() != want || !errors.Is(err, dataset.ErrNoColumn) {
		t.Errorf("%v, want %s", err, want)
	}
	table, err := dataset.ReadTable(t.Context(), strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = table.Labels("d", dataset.Labels{}); err == nil || !strings.HasSuffix(err.Error(), "one of the table's columns, "+first) {
		t.Error(err)
	}
}

func TestLikeTargets(t *testing.T) {
	many := make([]string, dataset.AutoClasses+1)
	for k := range many {
		many[k] = fmt.Sprint(k)
	}
	long := slices.Clone(many)
	long[0] = "12345678901234567890"
	named := slices.Clone(many)
	named[0] = "x"
	for _, c := range []struct {
		classes []string
		want    bool
	}{
		{nil, false}, {[]string{"1", "2"}, false}, {[]string{"0.5", "1.5"}, false}, {[]string{"0.5", "1", "2"}, true}, {[]string{"1", "2", "1e-3"}, true},
		{[]string{"1", "2", "3"}, false}, {[]string{"1", "2", "x"}, false}, {[]string{"0.5", "2", "x"}, false}, {many[:dataset.AutoClasses], false},
		{many, true}, {long, false}, {named, false},
	} {
		if got := dataset.LikeTargets(c.classes); got != c.want {
			t.Errorf("%.5q: %v", c.classes, got)
		}
	}
}

// The label's column of a table is that of a file: by its name, by its number in the file, or the
// usual one.
func TestLabelColumnOfTable(t *testing.T) {
	for _, c := range []struct {
		text    string
		opt     dataset.TableOptions
		label   string
		drop    []string
		want    string
		refused bool
	}{
		{text: "a,b,c\n1,2,3\n", label: "b", want: "b"},
		{text: "a,b,c\n1,2,3\n", label: "1", want: "a"},
		{text: "a,b,c\n1,2,3\n", label: "3", want: "c"},
		{text: "a,b,c\n1,2,3\n", label: "4", refused: true},
		{text: "a,b,c\n1,2,3\n", label: "0", refused: true},
		{text: "a,b,c\n1,2,3\n", label: "-1", refused: true},
		{text: "a,b,c\n1,2,3\n", label: "d", refused: true},
		{text: "a,b,c\n1,2,3\n", want: "c"},
		{text: "a,label,c\n1,2,3\n", want: "label"},
		{text: "a,label,c\n1,2,3\n", drop: []string{"label"}, want: "c"},
		{text: "a,b,c\n1,2,3\n", drop: []string{"b", "c"}, want: "a"},
		{text: "a,b\n1,2\n", drop: []string{"b", "a"}, refused: true},
		{text: "a,b,c,d\n1,2,3,4\n", opt: dataset.TableOptions{Drop: []string{"1", "3"}}, label: "2", want: "b"},
		{text: "a,b,c,d\n1,2,3,4\n", opt: dataset.TableOptions{Drop: []string{"1", "c"}}, label: "4", want: "d"},
		{text: "a,b,c,d\n1,2,3,4\n", opt: dataset.TableOptions{Drop: []string{"1", "3"}}, label: "3", refused: true},
		{text: "2,1,c\n1,2,3\n", opt: dataset.TableOptions{Header: dataset.HeaderYes}, label: "2", want: "2"}, // a name first
		{text: "1.5,2,3\n3,4,5\n", opt: dataset.TableOptions{Drop: []string{"1"}}, label: "3", want: "3"},
		{text: "1.5,2,3\n3,4,5\n", opt: dataset.TableOptions{Drop: []string{"1"}}, label: "1", refused: true},
	} {
		table, err := dataset.ReadTable(t.Context(), strings.NewReader(c.text), &c.opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []*dataset.Table{table, table.Subset([]int{0})} {
			got, err := part.LabelColumn(c.label, c.drop)
			var param *svmkit.ParamError
			if got != c.want || errors.As(err, &param) != c.refused || c.refused && param.Name != "column" {
				t.Errorf("%q, %q without %q: %q, %v, want %q", c.text, c.label, c.drop, got, err, c.want)
			}
		}
	}
	if _, err := (&dataset.Table{}).LabelColumn("", nil); !errors.Is(err, svmkit.ErrNoColumns) {
		t.Errorf("a table without columns: %v", err)
	}
}

// FuzzAllowOther asserts of any CSV text: AllowOther changes no label that can be used, makes the
// others NaN or +Inf, and refuses nothing that is read without it. The reader of DetectFormat is that of
// the text itself.
func FuzzAllowOther(f *testing.F) {
	f.Add("a,b\n1,x\n2,1\n3,\n", byte(0), "b")
	f.Add("1,ham\n2,spam\n3,inf\n", byte(1), "")
	f.Add("b,b,a\n1,0,NaN\n2,1e999,3\n", byte(2), "a")
	f.Add("1 1:1\nx 2:1\n", byte(3), "")
	f.Fuzz(func(t *testing.T, text string, labels byte, name string) {
		l := []dataset.Labels{{Task: dataset.Regression}, {Classes: []string{"ham", "spam"}}, {Classes: []string{"1", "0", "x"}},
			{Classes: []string{"not 1", "1"}}}[labels%4]
		strict, refused := read(text, dataset.CSVOptions{Labels: l, DefaultLabel: name})
		l.AllowOther = true
		set, err := read(text, dataset.CSVOptions{Labels: l, DefaultLabel: name})
		switch {
		case refused == nil && (err != nil || !equal(strict, set)):
			t.Fatalf("%+v, with AllowOther %+v, %v", strict, set, err)
		case err != nil && !errors.As(err, new(*dataset.ParseError)):
			t.Fatalf("%T %v", err, err)
		case err == nil:
			for i, y := range set.Y {
				known := l.Task == dataset.Regression && !math.IsInf(y, 0) || len(l.Classes) == 2 && math.Abs(y) == 1 ||
					len(l.Classes) == 3 && (y == 0 || y == 1 || y == 2)
				other := math.IsNaN(y) || math.IsInf(y, 1)
				if !known && !other {
					t.Fatalf("row %d: %v", i, y)
				}
			}
			if set.Label != "" && name != "" && set.Label != name && !strings.Contains(text, name) {
				t.Fatalf("the label %q, not %q", set.Label, name)
			}
		}
		whole, err1 := dataset.Read(t.Context(), strings.NewReader(text), &dataset.Options{Labels: l})
		found, err2 := read(text, dataset.CSVOptions{Labels: l})
		if (err1 == nil) != (err2 == nil) || err1 == nil && fmt.Sprint(whole) != fmt.Sprint(found) || err1 != nil && err1.Error() != err2.Error() {
			t.Fatalf("Read: %+v, %v; by DetectFormat: %+v, %v", whole, err1, found, err2)
		}
	})
}

// ClassOrder is the order that the readers give to classes, whatever the order of the rows.
func TestClassOrder(t *testing.T) {
	for _, c := range [][]string{{"-3", "0", "2", "10"}, {"0.5", "1", "1e+300"}, {"10", "2", "a"}, {"Ham", "ham", "spam"}, {"no", "yes"}} {
		for seed := range uint64(5) {
			names := slices.Clone(c)
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
			var sorted []string
			for _, k := range dataset.ClassOrder(names) {
				sorted = append(sorted, names[k])
			}
			set, err := readCSV(strings.NewReader("x,y\n1,"+strings.Join(names, "\n1,")+"\n"),
				&dataset.CSVOptions{Labels: dataset.Labels{Task: dataset.Classification}})
			if err != nil || !slices.Equal(sorted, c) || !slices.Equal(set.Classes, c) {
				t.Errorf("%q: sorted %q, read %v, want %q, %v", names, sorted, set, c, err)
			}
		}
	}
}
