package dataset_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"pgregory.net/rapid"
)

func TestReadCSV(t *testing.T) {
	two := func(classes ...string) *svmkit.Dataset {
		return &svmkit.Dataset{Dim: 2, X: svmkit.DenseRows([]float64{1, 2, 3, 4}, 2), Y: []float64{1, -1}, Classes: classes}
	}
	named := func(s *svmkit.Dataset, features ...string) *svmkit.Dataset { s.Features = features; return s }
	for name, c := range map[string]struct {
		text string
		opt  *dataset.CSVOptions
		want *svmkit.Dataset
	}{
		"plain":                      {"1,2,1\n3,4,0\n", nil, two("0", "1")},
		"header":                     {"a, b, class\n1,2,1\n3,4,0", nil, named(two("0", "1"), "a", "b")},
		"CRLF, BOM, blanks":          {"\xef\xbb\xbf a ,b,c\r\n\r\n 1 ,\t2, x \r\n  \r\n3,4,w\r\n", nil, named(two("w", "x"), "a", "b")},
		"semicolons":                 {"1;2;b\n3;4;a\n", nil, two("a", "b")},
		"tabs":                       {"a\tb\tc\n1\t2\tb\n3\t4\ta\n", nil, named(two("a", "b"), "a", "b")},
		"tabs, first name empty":     {"\tb\tc\n1\t2\tb\n3\t4\ta\n", &dataset.CSVOptions{Drop: []string{"1"}}, named(&svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{2, 4}, 1), Y: []float64{1, -1}, Classes: []string{"a", "b"}}, "b")},
		"bar":                        {"1|2|b\n3|4|a\n", &dataset.CSVOptions{Comma: '|'}, two("a", "b")},
		"quotes":                     {"\"a, \"\"b\"\"\",\"c;d\",e\n\"1\",2,\"x,y\"\n3,4,NAN1\n", nil, named(two("NAN1", "x,y"), "a, \"b\"", "c;d")},
		"quoted mark is a name":      {"1,2,\"NA\"\n3,4,B\n", nil, two("B", "NA")},
		"label by name":              {"a,class,b\n1,x,2\n3,w,4\n", &dataset.CSVOptions{Label: "class"}, named(two("w", "x"), "a", "b")},
		"label by number":            {"x,1,2\nw,3,4\n", &dataset.CSVOptions{Label: "1"}, two("w", "x")},
		"label by number and header": {"class,a,b\nx,1,2\nw,3,4\n", &dataset.CSVOptions{Label: "1"}, named(two("w", "x"), "a", "b")},
		"names like numbers":         {"1,2,class\n1,2,x\n3,4,w\n", &dataset.CSVOptions{Label: "class"}, named(two("w", "x"), "1", "2")},
		"names like numbers, told":   {"3,1,2\nx,1,2\nw,3,4\n", &dataset.CSVOptions{Label: "3", Header: dataset.HeaderYes}, named(two("w", "x"), "1", "2")},
		"drop":                       {"id,a,note,b,class,z\nr1,1,-,2,x,?\nr2,3,-,4,w,?\n", &dataset.CSVOptions{Drop: []string{"id", "3", "z"}}, named(two("w", "x"), "a", "b")},
		"skip lines":                 {"# a remark, with commas\n\n1,2,x\n3,4,w", &dataset.CSVOptions{Skip: 1}, two("w", "x")},
		"skip missing":               {"?,1,q\n1,2,x\nNA,5,w\n3,4,w\n3,4,\n", &dataset.CSVOptions{SkipMissing: true}, two("w", "x")},
		"unlabelled":                 {"1,2\n3,4\n", &dataset.CSVOptions{Unlabelled: true}, &svmkit.Dataset{Dim: 2, X: svmkit.DenseRows([]float64{1, 2, 3, 4}, 2), Y: []float64{0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readCSV(strings.NewReader(c.text), c.opt)
			if err != nil || !equal(got, c.want) || got.Validate() != nil {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

var csvErrors = []parseCase{
	{"", 0, 0, svmkit.ErrEmpty},
	{"\n \r\n", 0, 0, svmkit.ErrEmpty},
	{"a,b,c\n", 0, 0, svmkit.ErrEmpty},
	{"1\n2\n", 1, 1, svmkit.ErrNoColumns},
	{"1 2 3\n", 1, 1, svmkit.ErrNoColumns},
	{"a,b,c\n1,2,0\n3,x,1\n", 3, 3, dataset.ErrNotNumber},
	{"1,2,0\n3,\"x\",1\n", 2, 3, dataset.ErrNotNumber},
	{"1;2;0\n3;4,5;1\n", 2, 3, dataset.ErrNotNumber},
	{"1,2,0\n3,,1\n", 2, 3, dataset.ErrMissing},
	{"1,2,0\r\n\r\n3,  ?,1\r\n", 3, 5, dataset.ErrMissing},
	{"1,2,0\n3,4,\n", 2, 5, dataset.ErrMissing},
	{"1,2,0\n3,4,NA\n", 2, 5, dataset.ErrMissing},
	{"1,2,0\nInf,4,1\n", 2, 1, svmkit.ErrNotFinite},
	{"1,2,0\nnan,4,1\n", 2, 1, dataset.ErrMissing},
	{"1,2,0\n3,NaN,1\n", 2, 3, dataset.ErrMissing},
	{"1,2,0\n1e309,4,1\n", 2, 1, svmkit.ErrNotFinite},
	{"1,2,0\n1,4,inf\n", 2, 5, svmkit.ErrNotFinite},
	{"1,2,0\n1,4\n", 2, 3, svmkit.ErrRagged},
	{"1,2,0\n1,4,5,6\n", 2, 7, svmkit.ErrRagged},
	{"1,2,0\n1,4,1,\n", 2, 7, svmkit.ErrRagged},
	{"1,2,0\n1,\"4,1\n", 2, 3, dataset.ErrQuote},
	{"1,2,0\n1,\"4\"5,1\n", 2, 6, dataset.ErrQuote},
	{"150,4,setosa,versicolor\n", 1, 7, dataset.ErrHeader},
	{"5,15,30,species\n1,2,3,a\n3,4,4,b\n5,1,3,a\n2,2,1,b\n", 1, 0, dataset.ErrHeader},
	{"1,\"a\nb\",0\n", 1, 3, dataset.ErrHeader},
	{"a,\"b\nb\",c\n1,2,3\n1,x,3\n", 1, 3, dataset.ErrControl},
	{"1,2," + strings.Repeat("x", 1<<17), 1, 5, dataset.ErrTooLong},
	{"1,2,\"" + strings.Repeat("x\n", 1<<17), 1, 5, dataset.ErrTooLong},
	{"\xfe\xff\x00a", 1, 1, dataset.ErrEncoding},
}

func TestCSVErrorsNameThePlace(t *testing.T) {
	for _, c := range csvErrors {
		_, err := readCSV(strings.NewReader(c.text), &dataset.CSVOptions{Name: "name"})
		c.check(t, err)
	}
	for _, opt := range []dataset.CSVOptions{{Label: "d"}, {Label: "4"}, {Label: "0"}, {Drop: []string{"q"}}, {Header: dataset.HeaderNo, Label: "a"}} {
		opt.Name = "name"
		_, err := readCSV(strings.NewReader("\na,b,c\n1,2,3\n"), &opt)
		parseCase{"no column", 2, 0, dataset.ErrNoColumn}.check(t, err)
	}
	for _, opt := range []dataset.CSVOptions{{Comma: ' '}, {Comma: 'e'}, {Comma: '.'}, {Comma: '"'}, {Comma: 0xc3}, {Comma: '\n'}, {Skip: -1},
		{Header: 3}, {Unlabelled: true, Label: "a"}, {Labels: dataset.Labels{Task: -1}}} {
		if _, err := readCSV(strings.NewReader("1,2\n"), &opt); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

func TestCSVRoundTripIsBitExact(t *testing.T) {
	awkward := rapid.SampledFrom([]string{"x", "", "NA", "a,b", " a", "\"", "a;b", "inf", "ä"})
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t, true)
		if rapid.Bool().Draw(t, "named") {
			for j := range set.Dim {
				set.Features = append(set.Features, awkward.Draw(t, "name")+fmt.Sprint("_", j))
			}
		}
		if set.Classes != nil && rapid.Bool().Draw(t, "awkward") {
			set.Classes = slices.Clone(set.Classes)
			for k := range set.Classes {
				if set.Classes[k] = awkward.Draw(t, "class"); set.Classes[k] == "" || slices.Contains(set.Classes[:k], set.Classes[k]) {
					set.Classes[k] = fmt.Sprint("class ", k)
				}
			}
		}
		var text strings.Builder
		if err := dataset.WriteCSV(&text, set); err != nil {
			t.Fatal(err)
		}
		opt := dataset.CSVOptions{Labels: labelsOf(set), Comma: ',', Header: dataset.HeaderNo}
		if set.Features != nil {
			opt.Header = dataset.HeaderYes
		}
		got, err := readCSV(strings.NewReader(text.String()), &opt)
		if err != nil || !equal(set, got) {
			t.Fatalf("%v\n%s\n%+v\n%+v", err, text.String(), set, got)
		}
	})
	one := &svmkit.Dataset{X: []svmkit.Row{{Index: []int32{1}, Value: []float64{5}}}, Y: []float64{1}, Dim: 3}
	var text strings.Builder
	if err := dataset.WriteCSV(&text, one); err != nil || text.String() != "0,5,0,1\n" {
		t.Errorf("a sparse row becomes %q, %v", text.String(), err)
	}
}

// equal reports whether two sets are the same to the bit.
func equal(a, b *svmkit.Dataset) bool {
	return a.Dim == b.Dim && slices.Equal(a.Y, b.Y) && slices.Equal(a.Classes, b.Classes) &&
		slices.Equal(a.Features, b.Features) &&
		slices.EqualFunc(a.X, b.X, func(x, z svmkit.Row) bool {
			return (x.Index == nil) == (z.Index == nil) && slices.Equal(x.Index, z.Index) &&
				slices.EqualFunc(x.Value, z.Value, func(a, b float64) bool {
					return math.Float64bits(a) == math.Float64bits(b)
				})
		})
}

// The name of the label's column is kept, wherever it stands; a file without names has none.
func TestLabelColumnHasItsName(t *testing.T) {
	for text, want := range map[string]string{"a,b,kind\n1,2,x\n3,4,y\n": "kind", "1,2,x\n3,4,y\n": "", "1 1:2\n-1 1:3\n": ""} {
		if set, err := dataset.Read(t.Context(), strings.NewReader(text), nil); err != nil || set.Label != want {
			t.Errorf("%q: %+v, %v, want the label %q", text, set, err, want)
		}
	}
	set, err := dataset.ReadCSV(t.Context(), strings.NewReader("kind,a,b\nx,1,2\ny,3,4\n"), &dataset.CSVOptions{Label: "1", Header: dataset.HeaderYes})
	if err != nil || set.Label != "kind" || len(set.Features) != 2 {
		t.Errorf("by its number: %+v, %v", set, err)
	}
}

// Rows that all have one named class are a set of two classes, of which one has no row; whoever
// asks for classes is told.
func TestOneNamedClass(t *testing.T) {
	set, err := dataset.Read(t.Context(), strings.NewReader("1,2,x\n3,4,x\n"), nil)
	if err != nil || len(set.Classes) != 2 || set.Classes[0] != "x" || set.Y[0] != -1 || set.Y[1] != -1 {
		t.Errorf("%+v, %v", set, err)
	}
	if _, err := dataset.Read(t.Context(), strings.NewReader("1,2,x\n3,4,x\n"), &dataset.Options{Labels: dataset.Labels{Task: dataset.Classification}}); !errors.Is(err, svmkit.ErrOneClass) {
		t.Errorf("as classes: %v", err)
	}
}
