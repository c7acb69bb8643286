package dataset_test

import (
	"context"
	"io"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

func readCSV(r io.Reader, o *dataset.CSVOptions) (*svmkit.Dataset, error) {
	return dataset.ReadCSV(context.Background(), r, o)
}

func readLIBSVM(r io.Reader, o *dataset.LIBSVMOptions) (*svmkit.Dataset, error) {
	return dataset.ReadLIBSVM(context.Background(), r, o)
}

func rowsCSV(r io.Reader, o *dataset.CSVOptions) *dataset.Stream {
	return dataset.CSVRows(context.Background(), r, o)
}

func rowsLIBSVM(r io.Reader, o *dataset.LIBSVMOptions) *dataset.Stream {
	return dataset.LIBSVMRows(context.Background(), r, o)
}

// read reads text whose format is recognised; o are the options of both formats, and of CSV.
func read(text string, o dataset.CSVOptions) (*svmkit.Dataset, error) {
	format, r, err := dataset.DetectFormat(context.Background(), strings.NewReader(text))
	switch {
	case err != nil:
		return nil, err
	case format == dataset.LIBSVM:
		return readLIBSVM(r, &dataset.LIBSVMOptions{Labels: o.Labels, Name: o.Name, SkipMissing: o.SkipMissing})
	}
	return readCSV(r, &o)
}
