package samples

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
)

//go:embed data/iris.csv data/wine.csv data/breast_cancer.csv data/digits.csv.gz
//go:embed data/banknotes.csv data/penguins.json data/sms_spam.tsv.gz
var files embed.FS

// content returns an embedded file, decompressed. It panics on an error, which only a wrong
// program can cause.
func content(file string) []byte {
	stored, err := files.ReadFile("data/" + file)
	mustRead(file, err)
	if !strings.HasSuffix(file, ".gz") {
		return stored
	}
	z, err := gzip.NewReader(bytes.NewReader(stored))
	mustRead(file, err)
	plain, err := io.ReadAll(z)
	mustRead(file, err)
	return plain
}

func mustRead(file string, err error) {
	if err != nil {
		panic(fmt.Sprintf("samples: embedded file %s is damaged: %v", file, err))
	}
}

// table is the form of a CSV file whose last column is the number of the class, from 0.
type table struct {
	file     string
	header   int      // lines before the data
	features []string // of the columns before the last
	classes  []string
}

// read parses the file into dense rows that share one array.
func (t table) read() *svmkit.Dataset {
	r := csv.NewReader(bytes.NewReader(content(t.file)))
	r.FieldsPerRecord = -1 // scikit-learn's header lines have a form of their own
	records, err := r.ReadAll()
	mustRead(t.file, err)
	records = records[t.header:]

	d := len(t.features)
	flat := make([]float64, 0, len(records)*d)
	set := &svmkit.Dataset{Y: make([]float64, len(records)), Dim: d, Classes: t.classes,
		Features: t.features}
	for i, record := range records {
		if len(record) != d+1 {
			mustRead(t.file, fmt.Errorf("row %d has %d fields", i, len(record)))
		}
		for _, field := range record[:d] {
			v, err := strconv.ParseFloat(field, 64)
			mustRead(t.file, err)
			flat = append(flat, v)
		}
		class, err := strconv.Atoi(record[d])
		mustRead(t.file, err)
		set.Y[i] = label(class, t.classes)
	}
	set.X = svmkit.DenseRows(flat, d)
	return set
}

// label is the rule of [svmkit.Dataset] for class number k.
func label(k int, classes []string) float64 {
	if len(classes) == 2 {
		return float64(2*k - 1)
	}
	return float64(k)
}

// fresh returns a deep copy.
func fresh(s *svmkit.Dataset) *svmkit.Dataset {
	t := &svmkit.Dataset{X: make([]svmkit.Row, len(s.X)), Y: slices.Clone(s.Y), Dim: s.Dim,
		Classes: slices.Clone(s.Classes), Features: slices.Clone(s.Features)}
	value := make([]float64, 0, s.NNZ())
	index := make([]int32, 0, s.NNZ())
	for i, x := range s.X {
		from := len(value)
		value = append(value, x.Value...)
		t.X[i].Value = value[from:len(value):len(value)]
		if x.Index != nil {
			from := len(index)
			index = append(index, x.Index...)
			t.X[i].Index = index[from:len(index):len(index)]
		}
	}
	return t
}
