package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// readFlags say how a data file is read.
type readFlags struct {
	label, drop, header         string
	skipMissing, zeroBased, qid bool
	columns                     int
}

func (r *readFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&r.label, "label", "", "label's `column`, by name or number (default: label, or the last)")
	fs.StringVar(&r.drop, "drop", "", "`columns` to leave out, by name or number: 3,id,price")
	cli.WordVar(fs, &r.header, "header", headers.Names(), "auto", "does a CSV file start with names: %s")
	fs.BoolVar(&r.skipMissing, "skip-missing", false, "leave out rows with a missing value")
	fs.BoolVar(&r.zeroBased, "zero-based", false, "indices of LIBSVM files start at 0")
	fs.BoolVar(&r.qid, "qid", false, "ignore the query ids (qid:1) of a LIBSVM file")
	fs.IntVar(&r.columns, "columns", 0, "columns of a LIBSVM file (default: the largest index)")
	cli.Group(fs, "Data")
}

var headers = cli.Words[dataset.Header]{cli.W("yes", dataset.HeaderYes), cli.W("no", dataset.HeaderNo), cli.W("auto", dataset.HeaderAuto)}

func (r *readFlags) check(fs *flag.FlagSet) error {
	if r.columns < 0 || r.columns > math.MaxInt32 {
		return cli.WrongUse(fs, "-columns %d: must be 1 to 2147483647", r.columns)
	}
	return nil
}

// list takes a list with commas apart.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// format returns the format of a data file. A flag for the other one, which would change nothing, is an error.
func (r *readFlags) format(ctx context.Context, in io.Reader) (dataset.Format, io.Reader, error) {
	format, in, err := dataset.DetectFormat(ctx, in)
	for _, f := range []struct {
		flag  string
		given bool
		of    dataset.Format
	}{{"label", r.label != "", dataset.CSV}, {"drop", r.drop != "", dataset.CSV}, {"header", r.header != "auto", dataset.CSV},
		{"columns", r.columns > 0, dataset.LIBSVM}, {"zero-based", r.zeroBased, dataset.LIBSVM}, {"qid", r.qid, dataset.LIBSVM}} {
		if err == nil && f.given && f.of != format {
			err = fmt.Errorf("-%s is for %v files, and this is a %v file", f.flag, f.of, format)
		}
	}
	return format, in, err
}

// open begins to read the numbers of a data file. trained are the columns at the training of a model;
// the zero value if there is none.
func (r *readFlags) open(ctx context.Context, in io.Reader, format dataset.Format, labels dataset.Labels, trained svmkit.Columns,
	unlabelled bool) *dataset.Stream {
	if format == dataset.LIBSVM {
		return dataset.LIBSVMRows(ctx, in, &dataset.LIBSVMOptions{Labels: labels, SkipMissing: r.skipMissing,
			ZeroBased: r.zeroBased, SkipQID: r.qid, Dim: r.columns, Unlabelled: unlabelled})
	}
	return dataset.CSVRows(ctx, in, &dataset.CSVOptions{Labels: labels, SkipMissing: r.skipMissing, Label: r.label,
		DefaultLabel: trained.Label, Header: headers.Meaning(r.header), Drop: list(r.drop), Unlabelled: unlabelled})
}

// rows is open of a file with labels whose format is not known.
func (a *app) rows(in io.Reader, r *readFlags, labels dataset.Labels, trained svmkit.Columns) (*dataset.Stream, error) {
	format, in, err := r.format(a.ctx, in)
	if err != nil {
		return nil, err
	}
	return r.open(a.ctx, in, format, labels, trained, false), nil
}

// read reads all numbers of a data file. Their columns are in the order of a training, unless trained
// is the zero value.
func (a *app) read(name string, r *readFlags, labels dataset.Labels, trained svmkit.Columns) (*svmkit.Dataset, error) {
	in, err := cli.OpenData(a.ctx, name, a.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := a.rows(in, r, labels, trained)
	if err != nil {
		return nil, inFile(name, err)
	}
	return a.collect(rows, name, trained)
}

// collect is read of an open file.
func (a *app) collect(rows *dataset.Stream, name string, trained svmkit.Columns) (*svmkit.Dataset, error) {
	set, err := rows.Collect()
	a.reportSkipped(rows, name)
	if err == nil {
		set, err = a.align(set, trained, name)
	}
	if a.ctx.Err() != nil {
		return nil, a.ctx.Err()
	}
	return set, inFile(name, err)
}

// reportSkipped says how many rows -skip-missing has left out.
func (a *app) reportSkipped(rows *dataset.Stream, name string) {
	if n := rows.Skipped(); n > 0 && a.ctx.Err() == nil {
		fmt.Fprintf(a.err, "%s: %s left out, as a value is missing\n", shown(name), rowsOf(n))
	}
}

// rowsOf returns a number of rows in words.
func rowsOf(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// align brings the columns of set into their order at training, and says so if it was another.
func (a *app) align(set *svmkit.Dataset, trained svmkit.Columns, name string) (*svmkit.Dataset, error) {
	aligned, err := trained.Align(set)
	if err == nil && set.Features != nil && !slices.Equal(set.Features, aligned.Features) {
		fmt.Fprintf(a.err, "svm: %s has the columns of the training rows in another order; each is found by its name\n", shown(name))
	}
	return aligned, err
}

// checkTargets refuses labels that look like the targets of a regression: numbers, and texts such as prices of which
// most rows have their own.
func (p *problemFlags) checkTargets(classes []string, rows int) error {
	if p.multi == "" && len(classes) > dataset.AutoClasses && 2*len(classes) > rows && !dataset.LikeTargets(classes) {
		return fmt.Errorf("%d different labels (%s) for %d rows: write the targets of a regression as plain numbers; "+
			"if they are classes, use -multi ovr", len(classes), first(classes, 10), rows)
	}
	if p.multi == "" && dataset.LikeTargets(classes) {
		return fmt.Errorf("%d different numbers (%s) as labels: for targets of a regression use -loss eps-insensitive; "+
			"if they are classes, use -multi ovr", len(classes), first(classes, 10))
	}
	return nil
}

// first joins at most n names.
func first(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// mostColumns is how many columns a file may have that stores few numbers: a vector takes 128 MiB.
const mostColumns = 1 << 24

// checkWidth refuses rows that name far more columns than numbers are stored, unless -columns says that
// there are so many. vectors is how many vectors with one number per column will be made.
func (r *readFlags) checkWidth(set *svmkit.Dataset, vectors int) error {
	most, next := svmkit.MaxColumns, "correct the index, or use -columns "+strconv.Itoa(set.Dim)
	if set.Dim*vectors > most {
		next = "correct the index, or give the number by -columns"
	} else if r.columns == 0 {
		most = mostColumns * vectors
	}
	what := "a vector"
	if vectors > 1 {
		what = fmt.Sprintf("%d vectors", vectors)
	}
	return checkMemory(set, set.Dim*vectors, most, what+" of this length", next)
}

// checkFull refuses to write out all zeros of rows that store few numbers, as the named flag asks for.
func checkFull(set *svmkit.Dataset, flag string) error {
	return checkMemory(set, set.Len()*set.Dim, svmkit.MaxColumns, fmt.Sprintf("%d rows with all their zeros", set.Len()),
		"correct the index, or leave out "+flag)
}

// checkMemory refuses to make more numbers than most unless those that a set stores give reason for so many.
func checkMemory(set *svmkit.Dataset, numbers, most int, what, next string) error {
	if numbers <= most || numbers/64 <= set.NNZ() {
		return nil
	}
	return fmt.Errorf("%s, and %s would need %.3g GiB: %s", lastColumn(set), what, float64(numbers)/(1<<27), next)
}

// lastColumn says which row names the last column.
func lastColumn(set *svmkit.Dataset) string {
	for i, x := range set.X {
		if n := len(x.Index); n > 0 && int(x.Index[n-1]) == set.Dim-1 {
			return fmt.Sprintf("row %d names column %d (value %v)", i+1, set.Dim, x.Value[n-1])
		}
	}
	return fmt.Sprintf("the rows have %d columns", set.Dim)
}

// sparse reports whether some row is sparse.
func sparse(set *svmkit.Dataset) bool {
	return slices.ContainsFunc(set.X, func(x svmkit.Row) bool { return x.Index != nil })
}
