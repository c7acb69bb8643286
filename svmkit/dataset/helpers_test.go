package dataset_test

import (
	"context"
	"io"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

func readCSV(r io.Reader, o *dataset.Options) (*svmkit.Dataset, error) {
	return rowsCSV(r, o).Collect()
}

func readLIBSVM(r io.Reader, o *dataset.Options) (*svmkit.Dataset, error) {
	return rowsLIBSVM(r, o).Collect()
}

func rowsCSV(r io.Reader, o *dataset.Options) *dataset.Stream { return rowsAs(dataset.CSV, r, o) }

func rowsLIBSVM(r io.Reader, o *dataset.Options) *dataset.Stream { return rowsAs(dataset.LIBSVM, r, o) }

func rowsAs(f dataset.Format, r io.Reader, o *dataset.Options) *dataset.Stream {
	told := dataset.Options{Format: f}
	if o != nil {
		told = *o
		told.Format = f
	}
	return dataset.Rows(context.Background(), r, &told)
}
