package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// readFlags say how a data file is to be read.
type readFlags struct {
	label, drop, header    string
	skipMissing, zeroBased bool
	columns                int
}

func (r *readFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&r.label, "label", "", "the label's column in a CSV file, by name or number from 1 (default the one named label, or else\nthe last)")
	fs.StringVar(&r.drop, "drop", "", "columns of a CSV file to leave out, by name or number from 1, with commas between them")
	fs.StringVar(&r.header, "header", "auto", "whether a CSV file starts with a line of names: yes, no or auto, which refuses a line in doubt")
	fs.BoolVar(&r.skipMissing, "skip-missing", false, "leave out rows with a missing value: an empty field, ?, NA, N/A, NaN, null or None")
	fs.BoolVar(&r.zeroBased, "zero-based", false, "the indices of a LIBSVM file start at 0, as scikit-learn's dump_svmlight_file writes them;\na model does not keep this: say it of every file for which it holds")
	fs.IntVar(&r.columns, "columns", 0, "number of columns of a LIBSVM file; a larger index is an error\n(default the largest index; beyond 2²⁴, -columns has to say so if the numbers stored do not)")
}

// readOptions are the options of a file whose format is not known yet.
type readOptions struct {
	csv    dataset.CSVOptions
	libsvm dataset.LIBSVMOptions
}

// rows begins to read a data file. An option that the file's format does not have is an error.
func (o *readOptions) rows(ctx context.Context, in io.Reader) (*dataset.Stream, error) {
	format, all, err := dataset.DetectFormat(ctx, in)
	switch csv, libsvm := &o.csv, &o.libsvm; {
	case err != nil:
		return nil, err
	case format == dataset.LIBSVM:
		for _, flag := range []struct {
			name string
			set  bool
		}{{"drop", csv.Drop != nil}, {"header", csv.Header != dataset.HeaderAuto}, {"label", csv.Label != ""}, {"unlabelled", csv.Unlabelled}} {
			if flag.set {
				return nil, fmt.Errorf("-%s is for CSV files, and this is a LIBSVM file", flag.name)
			}
		}
		return dataset.LIBSVMRows(ctx, all, libsvm), nil
	case libsvm.Dim > 0:
		return nil, errors.New("-columns is for LIBSVM files, and this is a CSV file")
	case libsvm.ZeroBased:
		return nil, errors.New("-zero-based is for LIBSVM files, and this is a CSV file")
	}
	return dataset.CSVRows(ctx, all, &o.csv), nil
}

// options returns what the flags mean. command is the one they are of.
func (r *readFlags) options(command string, labels dataset.Labels) (*readOptions, error) {
	headers := map[string]dataset.Header{"auto": dataset.HeaderAuto, "yes": dataset.HeaderYes, "no": dataset.HeaderNo}
	header, known := headers[r.header]
	switch {
	case !known:
		return nil, &usageError{command, fmt.Errorf("-header %s: must be yes, no or auto", r.header)}
	case r.columns < 0 || r.columns > math.MaxInt32:
		return nil, &usageError{command, fmt.Errorf("-columns %d: must be 1 to 2147483647", r.columns)}
	}
	o := &readOptions{dataset.CSVOptions{Labels: labels, Label: r.label, Header: header, SkipMissing: r.skipMissing},
		dataset.LIBSVMOptions{Labels: labels, SkipMissing: r.skipMissing, ZeroBased: r.zeroBased, Dim: r.columns}}
	if r.drop != "" {
		o.csv.Drop = strings.Split(r.drop, ",")
	}
	return o, nil
}

// classFlags also say which class is +1.
type classFlags struct {
	readFlags
	positive string
}

// define defines the flags; without says which class is +1 without -positive.
func (c *classFlags) define(fs *flag.FlagSet, without string) {
	fs.StringVar(&c.positive, "positive", "", "the class that is +1; all others together are −1\n(default: "+without+")")
	c.readFlags.define(fs)
}

// read reads a data file, or the standard input if name is "-", and measures the time. The columns are those
// of a training, in their order, unless trained is the zero value.
func (a *app) read(name string, opt *readOptions, trained svmkit.Columns) (*svmkit.Dataset, time.Duration, error) {
	start := time.Now()
	in, shown, err := a.open(name)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	opt.csv.DefaultLabel = trained.Label
	rows, err := opt.rows(a.ctx, in)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", shown, err)
	}
	set, err := rows.Collect()
	if a.ctx.Err() != nil {
		return nil, 0, a.ctx.Err()
	}
	a.reportSkipped(rows, shown)
	if err != nil {
		return nil, 0, explain(err, shown)
	}
	took := time.Since(start)
	set, err = a.align(set, trained, name)
	return set, took, err
}

// reportSkipped says how many rows -skip-missing has left out.
func (a *app) reportSkipped(rows *dataset.Stream, shown string) {
	switch n := rows.Skipped(); n {
	case 0:
	case 1:
		fmt.Fprintf(a.err, "%s: 1 row left out, as a value is missing\n", shown)
	default:
		fmt.Fprintf(a.err, "%s: %d rows left out, as a value is missing\n", shown, n)
	}
}

// explain adds to an error of the reader what only this command knows.
func explain(err error, name string) error {
	var parse *dataset.ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return err
}

// readTraining reads a set that models can be trained on: targets, or two or more classes.
func (a *app) readTraining(fs *flag.FlagSet, name string, p *problemFlags) (*svmkit.Dataset, time.Duration, error) {
	if p.regression() && p.classFlags.positive != "" {
		return nil, 0, &usageError{fs.Name(), errors.New("-positive names a class, but a regression has none")}
	}
	opt, err := p.classFlags.options(fs.Name(), dataset.Labels{Task: p.task(), Positive: p.classFlags.positive})
	if err != nil {
		return nil, 0, err
	}
	set, took, err := a.read(name, opt, svmkit.Columns{})
	if err == nil {
		set, err = p.weights.ofRows(a, set, name)
	}
	if err == nil {
		err = p.weights.checkClasses(set)
	}
	if err == nil && p.kernel == "linear" { // else nothing has a number a column
		vectors := 1
		if len(set.Classes) > 2 {
			vectors = len(set.Classes)
		}
		err = p.classFlags.checkWidth(set, name, vectors)
	}
	if err == nil && p.multi == "" && dataset.LikeTargets(set.Classes) {
		err = fmt.Errorf("%s has %d different numbers (%s) as labels: for targets of a regression say -loss eps-insensitive; if they are classes, say -multi ovr",
			shown(name), len(set.Classes), list(set.Classes, 10))
	}
	return set, took, err
}

// mostColumns is how many columns a file may have whose few numbers give no reason for them: a vector takes 128 MiB.
const mostColumns = 1 << 24

// checkWidth refuses rows that name far more columns than numbers are stored, unless -columns says that there are so many.
// vectors is how many vectors of one number a column are to be made.
func (r *readFlags) checkWidth(set *svmkit.Dataset, name string, vectors int) error {
	if set.Dim <= mostColumns && set.Dim <= svmkit.MaxColumns/vectors || r.columns > 0 && set.Dim <= svmkit.MaxColumns/vectors || enough(set, set.Dim*vectors) {
		return nil
	}
	next := "mend the index, or say -columns " + strconv.Itoa(set.Dim)
	if set.Dim > svmkit.MaxColumns/vectors {
		next = "mend the index, or say how many -columns there are to find all that are beyond"
	}
	return fmt.Errorf("%s: %s, and %d vectors with a number for each column take %s: %s", shown(name), widest(set), vectors,
		gigabytes(set.Dim*vectors), next)
}

// checkFull refuses to write out all zeros of rows that store few numbers, as flag asks for.
func (r *readFlags) checkFull(set *svmkit.Dataset, name, flag string) error {
	numbers := set.Len() * set.Dim
	if numbers <= svmkit.MaxColumns || !sparse(set) || enough(set, numbers) {
		return nil
	}
	return fmt.Errorf("%s: %s, and %d rows with all their zeros take %s: mend the index, or leave out %s", shown(name), widest(set),
		set.Len(), gigabytes(numbers), flag)
}

// enough reports whether the numbers stored give reason for so many in all.
func enough(set *svmkit.Dataset, numbers int) bool { return numbers/64 <= set.NNZ() }

func gigabytes(numbers int) string { return fmt.Sprintf("%.3g GiB", float64(numbers)/(1<<27)) }

// widest says which row names the last column.
func widest(set *svmkit.Dataset) string {
	for i, x := range set.X {
		if n := len(x.Index); n > 0 && int(x.Index[n-1]) == set.Dim-1 {
			return fmt.Sprintf("row %d names column %d (value %v)", i+1, set.Dim, x.Value[n-1])
		}
	}
	return fmt.Sprintf("the rows have %d columns", set.Dim)
}

func tooWide(columns int) error {
	return fmt.Errorf("column %d: more than %d need more memory than this command asks for", columns, svmkit.MaxColumns)
}

// list joins at most n names.
func list(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// sparse reports whether some row is.
func sparse(set *svmkit.Dataset) bool {
	for _, x := range set.X {
		if x.Index != nil {
			return true
		}
	}
	return false
}
