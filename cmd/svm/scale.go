package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
)

type scaleFlags struct {
	readFlags
	kind                              feature.Kind
	kindName, save, load, out, format string
	low, high                         float64
	dense, regression, more           bool
	ranges                            bool // -load names a file of svm-scale -s
}

func (f *scaleFlags) define(fs *flag.FlagSet) {
	cli.WordVar(fs, &f.kindName, "kind", scales, "maxabs", "how to scale: %s")
	fs.Float64Var(&f.low, "low", 0, "lower end of minmax (default 0)")
	fs.Float64Var(&f.high, "high", 1, "upper end of minmax")
	fs.BoolVar(&f.dense, "dense", false, "write out the zeros of a LIBSVM file, too")
	cli.InputVar(fs, &f.load, "load", "measures to use: from -save, or from svm-scale -s")
	cli.Group(fs, "Scaling")
	f.out = "-"
	cli.OutputVar(fs, &f.out, "o", "where the scaled rows go; - is the standard output")
	cli.OutputVar(fs, &f.save, "save", "where the measures go, for -load")
	cli.WordVar(fs, &f.format, "format", []string{"libsvm", "csv"}, "", "of the rows: %s (default: csv if dense)")
	cli.Group(fs, "Output")
	fs.BoolVar(&f.regression, "regression", false, "labels are targets, even if they look like classes")
	fs.BoolVar(&f.more, "more-columns", false, "leave out columns beyond those of -load")
	f.readFlags.define(fs)
}

func (f *scaleFlags) check(fs *flag.FlagSet, _ []string) error {
	if err := f.kind.UnmarshalText([]byte(f.kindName)); err != nil {
		return err
	}
	switch {
	case f.save != "" && f.load != "":
		return cli.WrongUse(fs, "-save and -load: leave out one, as the file of -load holds the measures")
	case f.save == "-":
		return cli.WrongUse(fs, "-save -: must be a file")
	case f.kind == feature.MinMax && !(f.low < f.high && !math.IsInf(f.high-f.low, 0)):
		return cli.WrongUse(fs, "-low %g -high %g: low must be below high, both finite", f.low, f.high)
	}
	measured, only := "with -load, whose file says how to scale", "without -kind minmax"
	if err := cli.CheckIdle(fs, cli.NoEffect("kind", f.load != "", measured), cli.NoEffect("low", f.load != "", measured),
		cli.NoEffect("high", f.load != "", measured), cli.NoEffect("low", f.kind != feature.MinMax, only),
		cli.NoEffect("high", f.kind != feature.MinMax, only), cli.NoEffect("more-columns", f.load == "", "without -load")); err != nil {
		return err
	}
	return f.readFlags.check(fs)
}

func (a *app) scale(args []string) error {
	var f scaleFlags
	fs := cli.FlagSet("scale")
	files, err := a.begin(fs, &f, args, "FILE")
	if err != nil {
		return err
	}
	var scaling *feature.Scaling
	var trained svmkit.Columns
	if f.load != "" {
		if scaling, err = f.measures(fs); err != nil {
			return err
		}
		if trained = scaling.Columns(); f.more {
			trained = svmkit.Columns{Label: trained.Label} // cut brings the columns to their number
		}
	}
	labels := dataset.Labels{}
	if f.regression {
		labels.Task = dataset.Regression
	}
	set, err := a.read(files[0], &f.readFlags, labels, trained)
	if f.ranges && errors.Is(err, dataset.ErrIndexZero) {
		err = inFile(files[0], errors.New(noRangeOfZero))
	} else if wrong := (*svmkit.ColumnsError)(nil); errors.As(err, &wrong) && wrong.Sparse {
		err = fmt.Errorf("%w (-more-columns leaves such columns out)", err)
	}
	if err != nil {
		return err
	}
	if f.more {
		var gone int
		if set, gone = cut(set, scaling.Dim); gone > 0 {
			a.warn(shown(files[0]), []string{fmt.Sprintf("%d numbers are left out, because -load has %d columns", gone, scaling.Dim)})
		}
	}
	if err := f.checkSize(set); err != nil {
		return inFile(files[0], err)
	}
	err = cli.Await(a.ctx, func() (err error) {
		set, scaling, err = f.apply(set, scaling)
		return err
	})
	if errors.Is(err, feature.ErrFillsSparse) {
		return errors.New("this kind moves zero, and a LIBSVM file leaves zeros out: use -dense, or take unit-variance, " +
			"maxabs or unit-norm")
	} else if err != nil {
		return inFile(files[0], err)
	}
	if err := f.write(a, set); err != nil {
		return fmt.Errorf("the rows cannot be written: %w", err)
	}
	if f.save != "" {
		return cli.WriteOutput(a.ctx, a.out, f.save, func(w io.Writer) error { return feature.Save(w, scaling) })
	}
	return nil
}

// cut returns set without the numbers of sparse rows in columns from dim on, and how many those were.
func cut(set *svmkit.Dataset, dim int) (short *svmkit.Dataset, gone int) {
	copied := *set
	copied.X = slices.Clone(set.X)
	for i, x := range copied.X {
		if x.Index == nil {
			return set, 0 // of dense rows each has all columns
		}
		n, _ := slices.BinarySearch(x.Index, int32(dim))
		gone += len(x.Index) - n
		copied.X[i] = svmkit.Row{Index: x.Index[:n], Value: x.Value[:n]}
	}
	copied.Dim = min(set.Dim, dim)
	return &copied, gone
}

// checkSize refuses more columns and zeros than the numbers that a set stores give reason for.
func (f *scaleFlags) checkSize(set *svmkit.Dataset) error {
	err := f.checkWidth(set, 1)
	if err == nil && f.dense {
		err = checkFull(set, "-dense")
	}
	if err == nil && f.format == "csv" {
		err = checkFull(set, "-format csv")
	}
	return err
}

// apply scales set by the measures, or by its own if they are nil, and returns both.
func (f *scaleFlags) apply(set *svmkit.Dataset, scaling *feature.Scaling) (*svmkit.Dataset, *feature.Scaling, error) {
	var err error
	if f.dense {
		if set, err = feature.Densify(set); err != nil {
			return nil, nil, err
		}
	}
	if scaling == nil {
		if scaling, err = (feature.Scaler{Kind: f.kind, Low: f.low, High: f.high}).Fit(set); err != nil {
			return nil, nil, err
		}
	}
	set, err = scaling.Apply(set)
	return set, scaling, err
}

func (f *scaleFlags) write(a *app, set *svmkit.Dataset) error {
	write := dataset.WriteCSV
	if f.format == "libsvm" || f.format == "" && sparse(set) {
		write = func(w io.Writer, set *svmkit.Dataset) error {
			first := 1
			if f.zeroBased {
				first = 0
			}
			return dataset.WriteLIBSVMFrom(w, set, first)
		}
	}
	return cli.WriteOutput(a.ctx, a.out, f.out, func(w io.Writer) error { return write(cli.Writer{Context: a.ctx, W: w}, set) })
}

// measures reads the file of -load.
func (f *scaleFlags) measures(fs *flag.FlagSet) (*feature.Scaling, error) {
	text, err := cli.ReadState(f.load)
	if err != nil {
		return nil, err
	}
	scaling, err := feature.Load(bytes.NewReader(text))
	f.ranges = bytes.HasPrefix(text, []byte("x"))
	switch {
	case errors.Is(err, feature.ErrScalesLabels):
		return nil, within(f.load, err)
	case err != nil:
		return nil, fmt.Errorf("%s holds no measures of svm scale -save or svm-scale -s: %w", f.load, err)
	case f.zeroBased && f.ranges:
		return nil, cli.WrongUse(fs, "-zero-based: "+noRangeOfZero)
	}
	return scaling, nil
}

const noRangeOfZero = "svm-scale keeps no range of the index 0; let svm-scale measure a file whose indices start at 1"
