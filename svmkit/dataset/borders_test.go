package dataset_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

func border(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "borders", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// LIBSVM's data set protein has blanks behind colons. They change neither a number nor a row, with
// SkipMissing neither.
func TestBlanksAfterTheColon(t *testing.T) {
	text := border(t, "blank-after-colon.libsvm")
	want, err := readLIBSVM(strings.NewReader(strings.ReplaceAll(text, ": ", ":")), nil)
	if err != nil || want.Len() != 6 || want.NNZ() != 18 || want.X[1].Value[2] != 0.9 {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, blanks := range []string{" ", "  ", "\t"} {
		for _, skip := range []bool{false, true} {
			rows := rowsLIBSVM(strings.NewReader(strings.ReplaceAll(text, ": ", ":"+blanks)), &dataset.LIBSVMOptions{SkipMissing: skip})
			if got, err := rows.Collect(); err != nil || !equal(got, want) || rows.Skipped() != 0 {
				t.Errorf("%q, SkipMissing %v: %+v, %v", blanks, skip, got, err)
			}
		}
	}
	rows := rowsLIBSVM(strings.NewReader("1 1: 2 2:\n0 1:3 2: 4\n1 1: 2:5\n0 1: ? 2:1\n"), &dataset.LIBSVMOptions{SkipMissing: true})
	if got, err := rows.Collect(); err != nil || got.Len() != 1 || fmt.Sprint(got.X[0].Value) != "[3 4]" || rows.Skipped() != 3 {
		t.Errorf("%+v, %v, %d left out", got, err, rows.Skipped())
	}
}

// A blank after a colon, a comment, CRLF, a plus sign or a compressed file are other spellings of the same rows.
func TestSpellingsOfLIBSVM(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	for range 200 {
		var plain, other strings.Builder
		for i := range 2 + rng.IntN(5) {
			end := []string{"\n", "\r\n", " # note\n", "\t\n"}[rng.IntN(4)]
			label := []string{"1", "2"}[i%2]
			plain.WriteString(label)
			other.WriteString([]string{"", "+", " "}[rng.IntN(3)] + label)
			for j := 1; j < 5; j++ {
				if v := strconv.Itoa(rng.IntN(9)); rng.IntN(2) == 0 || j == 1 {
					plain.WriteString(" " + strconv.Itoa(j) + ":" + v)
					other.WriteString([]string{" ", "\t", "  "}[rng.IntN(3)] + strconv.Itoa(j) + ":" + []string{"", " ", "\t "}[rng.IntN(3)] + v)
				}
			}
			plain.WriteByte('\n')
			other.WriteString(end)
		}
		want, err := readLIBSVM(strings.NewReader(plain.String()), nil)
		if err != nil {
			t.Fatal(err)
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		io.WriteString(z, other.String())
		z.Close()
		for _, text := range []string{other.String(), zipped.String()} {
			if got, err := readLIBSVM(strings.NewReader(text), nil); err != nil || !equal(got, want) {
				t.Fatalf("%q: %+v, %v, want %+v", other.String(), got, err, want)
			}
		}
	}
}

// bzip2 is unpacked: whole files, streams, tables and weights, from readers of any speed, and a file that is cut off is
// an error.
func TestBzip2(t *testing.T) {
	packed := border(t, "tr.bz2")
	want, err := readLIBSVM(strings.NewReader("1 1:1 2:2\n-1 1:-1 2:-2\n1 1:2 2:1\n-1 1:-2 2:-1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []io.Reader{strings.NewReader(packed), iotest.OneByteReader(strings.NewReader(packed)), iotest.DataErrReader(strings.NewReader(packed))} {
		if got, err := dataset.Read(t.Context(), r, nil); err != nil || !equal(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if format, text, err := dataset.DetectFormat(t.Context(), strings.NewReader(packed)); err != nil || format != dataset.LIBSVM {
		t.Errorf("%v, %v", format, err)
	} else if got, err := readLIBSVM(text, nil); err != nil || !equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := 10; n < len(packed); n++ {
		if got, err := dataset.Read(t.Context(), strings.NewReader(packed[:n]), nil); err == nil {
			t.Fatalf("%d of %d bytes: %+v", n, len(packed), got)
		}
	}
	// Text that begins like bzip2 is text.
	if set, err := read("BZh9,b,y\n1,2,x\n2,1,z\n", dataset.CSVOptions{}); err != nil || set.Features[0] != "BZh9" {
		t.Errorf("%+v, %v", set, err)
	}
}

// What is neither CSV nor LIBSVM is named, with a way to convert it, by every reader and as slowly as it comes. Nothing
// is read of it.
func TestForeignFormats(t *testing.T) {
	xlsx := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x13\x00\x00\x00[Content_Types].xml<xml"
	npz := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x05\x00\x14\x00X.npy" + strings.Repeat("\x00", 40)
	for name, c := range map[string]struct{ text, says, way string }{
		"xz":           {border(t, "tr.xz"), "a file compressed with xz", "xz -d FILE"},
		"zip":          {border(t, "trp.zip"), "a zip archive", "unzip FILE"},
		"xlsx":         {xlsx, "an Excel workbook", "save it as CSV"},
		"npz":          {npz, "an archive of NumPy arrays", "numpy.load"},
		"zstd":         {"\x28\xb5\x2f\xfd\x24\x05", "a file compressed with zstd", "zstd -d"},
		"parquet":      {"PAR1\x15\x04\x15\x20", "a Parquet file", "read_parquet"},
		"npy":          {"\x93NUMPY\x01\x00v\x00{'descr'", "a NumPy array", "numpy.load"},
		"pickle":       {"\x80\x04\x95\x10\x00", "a Python pickle", "dump_svmlight_file"},
		"old pickle":   {"\x80\x02]q\x00", "a Python pickle", "dump_svmlight_file"},
		"hdf5":         {"\x89HDF\r\n\x1a\n\x00", "an HDF5 file", "read_hdf"},
		"arff":         {"% 1. Title: Iris, a classic\n%\n@RELATION iris\n\n@ATTRIBUTE a REAL\n@DATA\n1,x\n", "an ARFF file", "@data"},
		"arff at once": {"@relation iris\r\n@attribute a real\r\n", "an ARFF file", "@data"},
		"MatrixMarket": {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n", "a MatrixMarket file", "mmread"},
	} {
		doors := map[string]func(io.Reader) error{
			"Read":      func(r io.Reader) error { _, err := dataset.Read(t.Context(), r, nil); return err },
			"ReadTable": func(r io.Reader) error { _, err := dataset.ReadTable(t.Context(), r, nil); return err },
			"LIBSVM":    func(r io.Reader) error { return drained(rowsLIBSVM(r, nil)) },
			"CSV":       func(r io.Reader) error { return drained(rowsCSV(r, nil)) },
			"Weights":   func(r io.Reader) error { _, err := dataset.ReadWeights(t.Context(), r); return err },
			"Detect": func(r io.Reader) error {
				_, text, err := dataset.DetectFormat(t.Context(), r)
				if err != nil {
					return err
				}
				_, err = dataset.Read(t.Context(), text, nil)
				return err
			},
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		io.WriteString(z, c.text)
		z.Close()
		for door, read := range doors {
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), &zipped} {
				err := read(r)
				var e *dataset.ParseError
				if !errors.As(err, &e) || e.Line != 0 || !errors.Is(err, dataset.ErrForeign) && !strings.Contains(err.Error(), c.says) ||
					!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.way) {
					t.Errorf("%s, %s: %v", name, door, err)
				}
				if r == &zipped {
					zipped.Reset()
					z := gzip.NewWriter(&zipped)
					io.WriteString(z, c.text)
					z.Close()
				}
			}
		}
	}
	for _, text := range []string{"1 |words a:2 b:0.5\n-1 |words a:1\n", "|f a:1\n", "-1 1.0 'tag|a x y:3 |b z\n"} {
		if _, err := dataset.Read(t.Context(), strings.NewReader(text), nil); !errors.Is(err, dataset.ErrForeign) || !strings.Contains(err.Error(), "Vowpal Wabbit") {
			t.Errorf("%q: %v", text, err)
		}
	}
	// Columns with such names are none of these files.
	for _, name := range []string{"PAR1", "PK", "%fat", "@relation", "@x", "%%MatrixMarket", "BZh91AY&SYx", "7z", "(µ/ý", "@RELATION of x"} {
		set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1), svmkit.Dense(2)}, Y: []float64{-1, 1}, Dim: 1, Classes: []string{"a", "b"}, Features: []string{name}}
		var out strings.Builder
		if err := dataset.WriteCSV(&out, set); err != nil {
			t.Fatal(err)
		}
		if got, err := readCSV(strings.NewReader(out.String()), nil); err != nil || got.Features[0] != name {
			t.Errorf("%q: %+v, %v", out.String(), got, err)
		}
	}
	if _, err := read("a|b|y\n1|2|3\n", dataset.CSVOptions{}); !errors.Is(err, dataset.ErrSeparator) || errors.Is(err, dataset.ErrForeign) {
		t.Errorf("a table with another separator: %v", err)
	}
}

func drained(s *dataset.Stream) error {
	for range s.All() {
	}
	return s.Err()
}

// Each line of an unlabelled file is a row: an empty one a row of zeros. Missing labels are no labels.
func TestUnlabelledLIBSVM(t *testing.T) {
	unlabelled := &dataset.LIBSVMOptions{Unlabelled: true}
	for text, want := range map[string]string{
		border(t, "no-label.libsvm"):              "[1 2] [-1 -2]",
		"1:1 2:2\n\n2:3\n":                        "[1 2] [0 0] [0 3]",
		"\n1:1 2:2\r\n \r\n2:3":                   "[0 0] [1 2] [0 0] [0 3]",
		"# note\n1:1 2:2 # note\n# note\n\n":      "[1 2] [0 0]",
		"? 1:1 2:2\nNA\n2: 3\n":                   "[1 2] [0 0] [0 3]",
		"1:1\n" + strings.Repeat("\n", 3) + "2:1": "[1 0] [0 0] [0 0] [0 0] [0 1]",
	} {
		set, err := readLIBSVM(strings.NewReader(text), unlabelled)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var rows []string
		for _, x := range set.X {
			full := make([]float64, set.Dim)
			for k, j := range x.Index {
				full[j] = x.Value[k]
			}
			rows = append(rows, fmt.Sprint(full))
		}
		if got := strings.Join(rows, " "); got != want || set.Classes != nil || len(set.Y) != len(rows) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		n := 0
		s := rowsLIBSVM(iotest.OneByteReader(strings.NewReader(text)), unlabelled)
		for _, y := range s.All() {
			if n++; y != 0 {
				t.Errorf("%q: label %v", text, y)
			}
		}
		if s.Err() != nil || n != len(rows) {
			t.Errorf("%q, row by row: %d rows, %v", text, n, s.Err())
		}
		if format, _, _ := dataset.DetectFormat(t.Context(), strings.NewReader(text)); format != dataset.LIBSVM {
			t.Errorf("%q is %v", text, format)
		}
	}
	const many = 300_000 // lines, of several blocks
	if set, err := readLIBSVM(strings.NewReader(strings.Repeat("\n", many)+"1:1\n"), unlabelled); err != nil || set.Len() != many+1 {
		t.Errorf("empty lines: %v", err)
	}
	if _, err := readLIBSVM(strings.NewReader("1\n-1\n"), unlabelled); !errors.Is(err, dataset.ErrLabelled) {
		t.Errorf("labels alone: %v", err)
	}
	if _, err := readLIBSVM(strings.NewReader("1:1\n1 1:1\n"), unlabelled); !errors.Is(err, dataset.ErrLabelled) {
		t.Errorf("a label: %v", err)
	}
	if _, err := readLIBSVM(strings.NewReader("1:1"), &dataset.LIBSVMOptions{Unlabelled: true, Labels: dataset.Labels{Positive: "1"}}); !errors.As(err, new(*svmkit.ParamError)) {
		t.Errorf("with Positive: %v", err)
	}
}

// In a table with one column each line is a row, in the whole file, in a stream of tables, and in rows of numbers.
func TestEmptyLinesOfOneColumn(t *testing.T) {
	for _, c := range []struct {
		text string
		opt  dataset.TableOptions
		want string // the fields with their lines
	}{
		{"description\nx\n\n\"shared library\"\n", dataset.TableOptions{Header: dataset.HeaderYes}, `["x" "" "shared library"] [2 3 4]`},
		{"description\n\n\nx\n\n", dataset.TableOptions{Header: dataset.HeaderYes}, `["" "" "x" ""] [2 3 4 5]`},
		{"\n\ndescription\n\nx\n", dataset.TableOptions{Header: dataset.HeaderYes}, `["" "x"] [4 5]`},
		{"d\r\n\r\n \r\nx\r\n", dataset.TableOptions{Header: dataset.HeaderYes}, `["" "" "x"] [2 3 4]`},
		{"\nx\n\ny", dataset.TableOptions{Header: dataset.HeaderNo}, `["" "x" "" "y"] [1 2 3 4]`},
		{"d\n1\n\n2\n", dataset.TableOptions{}, `["1" "" "2"] [2 3 4]`},
		{"d\n\n2\n", dataset.TableOptions{Header: dataset.HeaderYes}, `["" "2"] [2 3]`},
		{"# remark\nd\n\n2\n", dataset.TableOptions{Header: dataset.HeaderYes, Skip: 1}, `["" "2"] [3 4]`},
	} {
		table, err := dataset.ReadTable(t.Context(), strings.NewReader(c.text), &c.opt)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		fields := func(rows [][]string) (all []string) {
			for _, row := range rows {
				all = append(all, row...)
			}
			return all
		}
		if got := fmt.Sprintf("%q %v", fields(table.Rows), table.Lines); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		s := dataset.TableRows(t.Context(), iotest.OneByteReader(strings.NewReader(c.text)), &c.opt)
		var all []string
		for {
			part, err := s.Next(1)
			if err != nil {
				if err != io.EOF {
					t.Error(err)
				}
				break
			}
			all = append(all, fields(part.Rows)...)
		}
		if !slices.Equal(all, fields(table.Rows)) {
			t.Errorf("%q, row by row: %q", c.text, all)
		}
	}
	// A missing number of a file with one column is not passed over.
	_, err := readCSV(strings.NewReader("x\n1\n\n2\n"), &dataset.CSVOptions{Unlabelled: true})
	var e *dataset.ParseError
	if !errors.As(err, &e) || e.Err != dataset.ErrMissing || e.Line != 3 || e.Field != "x" {
		t.Errorf("%v", err)
	}
}

// Two columns of one name are refused by every reader of CSV, and all of them are named, by numbers that Drop takes.
func TestSameNames(t *testing.T) {
	for text, want := range map[string]string{
		border(t, "same-name-twice.csv"):              `[2] line 1: columns 1 and 2 are both "a";`,
		"a,b,a,b,a,label\n1,2,3,4,5,x\n2,1,3,4,5,y\n": `[3 4 5] line 1: columns 1 and 3 are both "a", columns 2 and 4 are both "b", columns 1 and 5 are both "a";`,
		"label,a,label\nx,1,2\ny,2,2\n":               `[3] line 1: columns 1 and 3 are both "label";`,
		"\n\na,a,label\n1,2,x\n2,1,y\n":               `[2] line 3: columns 1 and 2 are both "a";`,
	} {
		for door, read := range map[string]func(drop []string) error{
			"ReadCSV": func(drop []string) error {
				_, err := readCSV(strings.NewReader(text), &dataset.CSVOptions{Drop: drop})
				return err
			},
			"CSVRows": func(drop []string) error {
				return drained(rowsCSV(strings.NewReader(text), &dataset.CSVOptions{Drop: drop, Labels: dataset.Labels{Positive: "x"}}))
			},
			"label": func(drop []string) error {
				_, err := readCSV(strings.NewReader(text), &dataset.CSVOptions{Drop: drop, Label: "1"})
				return err
			},
			"ReadTable": func(drop []string) error {
				_, err := dataset.ReadTable(t.Context(), strings.NewReader(text), &dataset.TableOptions{Drop: drop})
				return err
			},
		} {
			err := read(nil)
			var e *dataset.ParseError
			if !errors.As(err, &e) || !errors.Is(err, dataset.ErrSameName) || !strings.HasPrefix(fmt.Sprint(e.Fields)+strings.TrimPrefix(err.Error(), "svmkit:"), want) {
				t.Errorf("%q, %s: %v %q, want %s", text, door, err, e.Fields, want)
				continue
			}
			if err := read(e.Fields); err != nil && door != "label" { // the last column holds text
				t.Errorf("%q, %s, without %q: %v", text, door, e.Fields, err)
			}
		}
	}
	var e *dataset.ParseError
	_, err := read(",a,,label\n1,2,3,x\n2,1,4,y\n", dataset.CSVOptions{})
	if !errors.As(err, &e) || !errors.Is(err, dataset.ErrNoName) || fmt.Sprint(e.Fields) != "[1 3]" {
		t.Errorf("no names: %v", err)
	}
	if _, err := read(",a,,label\n1,2,3,x\n2,1,4,y\n", dataset.CSVOptions{Drop: e.Fields}); err != nil {
		t.Error(err)
	}
}

// All columns that hold text, or that lack values, are named in one error; dropping them ends it.
func TestAllFaultyColumns(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,c,d,label\n1,u,v,,x\n2,3,,4,y\n1,w,v,2,x\n2,1,5,q,y\n": `[b c d] line 2, column "b": not a number: "u"; the same in "c", "d";`,
		"a,b,c,label\n1,,2,x\n,1,2,y\n1,2,3,x\n":                    `[a b] line 2, column "b": missing value; the same in "a";`,
		"1,2,x\n1,u,y\n2,w,x\n":                                     `[2] line 2, column "2": not a number: "u";`,
		"a,b,label\n1,u,x\n2,1,y\n2,\n1,v,x\n":                      `[b] line 2, column "b": not a number: "u";`,
	} {
		_, err := readCSV(strings.NewReader(text), nil)
		var e *dataset.ParseError
		if !errors.As(err, &e) || !strings.HasPrefix(fmt.Sprint(e.Fields)+strings.TrimPrefix(err.Error(), "svmkit:"), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
			continue
		}
		// Row by row nothing behind the row is read.
		s := rowsCSV(strings.NewReader(text), &dataset.CSVOptions{Labels: dataset.Labels{Positive: "x"}})
		if err := drained(s); !errors.As(err, &e) || e.Fields != nil || e.Columns != nil {
			t.Errorf("%q, row by row: %v", text, err)
		}
	}
	// Each column comes with its first text, or else with its first gap; a column of gaps alone has no place.
	_, err := readCSV(strings.NewReader("a,b,c,d,label\n1,,,1,x\n,,w,2,y\n3,NA,v,3,x\n"), nil)
	var e *dataset.ParseError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Columns {
		got = append(got, fmt.Sprintf("%s line %d row %d %q %v", f.Column, f.Line, f.Row, f.Text, errors.Is(f, dataset.ErrText)))
	}
	want := []string{`a line 3 row 1 "" false`, fmt.Sprintf(`b line 0 row %d "" false`, svmkit.NoPlace), `c line 3 row 1 "w" true`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A LIBSVM file is no table of text, and is called what it is; a text that looks a little like one is text.
func TestTableOfLIBSVM(t *testing.T) {
	table := func(text string, h dataset.Header) error {
		_, err := dataset.ReadTable(context.Background(), strings.NewReader(text), &dataset.TableOptions{Header: h})
		return err
	}
	for _, text := range []string{border(t, "z01.libsvm"), border(t, "qid.libsvm"), border(t, "blank-after-colon.libsvm"), "# a\n\nham 1:2\nspam 2:1\n", "1\t1:1\n"} {
		for _, h := range []dataset.Header{dataset.HeaderAuto, dataset.HeaderYes} {
			if err := table(text, h); !errors.Is(err, dataset.ErrLIBSVM) {
				t.Errorf("%.20q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"subject\nmeet 10:30\n", "meet at 10:30\nx\n", "time 10:30,b\n1,2\n", "1:1 2:2\nx\n"} {
		if err := table(text, dataset.HeaderYes); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// scikit-learn says in a comment whether indices start at 0. An option that says the opposite is refused.
func TestIndexBase(t *testing.T) {
	const head = "# Generated by dump_svmlight_file from scikit-learn 1.2.1\n# Column indices are %s-based\n#\n# mine\n"
	zero, one := fmt.Sprintf(head, "zero"), fmt.Sprintf(head, "one")
	for _, c := range []struct {
		text  string
		based bool
		want  error
	}{
		{zero + "1 0:1 1:2\n0 1:1\n", false, dataset.ErrZeroBased}, {zero + "1 1:2\n0 1:1\n", false, dataset.ErrZeroBased},
		{zero + "1 0:1 1:2\n0 1:1\n", true, nil}, {one + "1 1:2\n0 2:1\n", false, nil}, {one + "1 1:2\n0 2:1\n", true, dataset.ErrOneBased},
		{border(t, "z01.libsvm"), false, dataset.ErrIndexZero}, {border(t, "z01.libsvm"), true, nil},
	} {
		set, err := readLIBSVM(strings.NewReader(c.text), &dataset.LIBSVMOptions{ZeroBased: c.based})
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || err == nil && set.Dim != 2 {
			t.Errorf("%.70q, ZeroBased %v: %+v, %v", c.text, c.based, set, err)
		}
		s := rowsLIBSVM(strings.NewReader(c.text), &dataset.LIBSVMOptions{ZeroBased: c.based})
		if err := drained(s); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%.70q, row by row: %v", c.text, err)
		}
	}
}

// No file is written that the reader refuses because of its names.
func TestWriteSameNames(t *testing.T) {
	for _, features := range [][]string{{"a", "a"}, {"label", "a"}, {"a", "label"}} {
		set := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(2, 1)}, Y: []float64{-1, 1}, Dim: 2, Features: features}
		var out strings.Builder
		if err := dataset.WriteCSV(&out, set); !errors.Is(err, dataset.ErrUnwritable) || out.Len() > 0 {
			t.Errorf("%q: %v, %q", features, err, out.String())
		}
	}
}
