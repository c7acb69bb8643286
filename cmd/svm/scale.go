package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
)

const scaleHelp = `svm scale [flags] FILE

Brings the columns of FILE to one scale and writes the rows. Measure the training rows and keep
the measures (-save), then scale the test rows by the same ones (-load): a test set
that is scaled by itself is another set.

Kinds: standardize (mean 0, variance 1), center (mean 0), unit-variance, minmax (from -low to
-high), maxabs (into −1 … 1), unit-norm (each row divided by its length). Those that move
zero (standardize, center, minmax) need -dense for a LIBSVM file.

Measures know the names of their columns: -load finds columns and label by them.

The label of a CSV file comes last, and if the columns have names, its name is label.
`

type scaleFlags struct {
	readFlags
	kind                    feature.Kind
	save, load, out, format string
	low, high               float64
	dense, regression       bool
}

func (a *app) scale(args []string) error {
	var f scaleFlags
	fs := flagSet("scale")
	kind := fs.String("kind", "maxabs", "how to scale, see above")
	fs.Float64Var(&f.low, "low", 0, "lower end of minmax")
	fs.Float64Var(&f.high, "high", 1, "upper end of minmax")
	fs.BoolVar(&f.dense, "dense", false, "write out the zeros of a LIBSVM file, so that they can move")
	fs.StringVar(&f.save, "save", "", "`file` to keep the measures in, as JSON")
	fs.StringVar(&f.load, "load", "", "file with the measures to use, instead of measuring FILE")
	f.out = "-"
	defineOutput(fs, &f.out, "o", "`file` to write the scaled rows to; - is the standard output")
	fs.StringVar(&f.format, "format", "", "libsvm or csv (default: csv for dense rows, libsvm for sparse ones)")
	fs.BoolVar(&f.regression, "regression", false, "the labels are targets, even if they look like classes")
	f.readFlags.define(fs)
	files, err := a.parse(fs, scaleHelp, args, "FILE")
	if err != nil {
		return err
	}
	wrong := &svmkit.ParamError{}
	switch {
	case errors.As(f.kind.UnmarshalText([]byte(*kind)), &wrong):
		return &usageError{"scale", fmt.Errorf("-kind %s: %s", *kind, wrong.Need)}
	case f.format != "" && f.format != "libsvm" && f.format != "csv":
		return &usageError{"scale", fmt.Errorf("-format %s: must be libsvm or csv", f.format)}
	case f.save != "" && f.load != "":
		return &usageError{"scale", errors.New("-save keeps new measures and -load uses old ones: which?")}
	case f.save == "-":
		return &usageError{"scale", errors.New("-save -: must be a file")}
	case f.kind == feature.MinMax && !(f.low < f.high && !math.IsInf(f.high-f.low, 0)):
		return &usageError{"scale", fmt.Errorf("-low %g -high %g: low must be below high, both finite", f.low, f.high)}
	}
	measured := "with -load, whose file says how to scale"
	err = checkIdle(fs, idle{"kind", f.load != "", measured}, idle{"low", f.load != "", measured}, idle{"high", f.load != "", measured},
		idle{"low", f.kind != feature.MinMax, "without -kind minmax"}, idle{"high", f.kind != feature.MinMax, "without -kind minmax"})
	if err != nil {
		return err
	}
	if err := a.checkFiles(fs, []string{files[0], f.load}, "o", "save"); err != nil {
		return err
	}
	var scaling *feature.Scaling
	var trained svmkit.Columns
	if f.load != "" {
		if scaling, err = a.loadScaling(f.load); err != nil {
			return err
		}
		trained = scaling.Columns()
	}
	task := dataset.Auto
	if f.regression {
		task = dataset.Regression
	}
	opt, err := f.options("scale", dataset.Labels{Task: task})
	if err != nil {
		return err
	}
	set, _, err := a.read(files[0], opt, trained)
	if err != nil {
		return err
	}
	if err := f.checkWidth(set, files[0], 1); err != nil {
		return err
	}
	if f.dense {
		if err := f.checkFull(set, files[0], "-dense"); err != nil {
			return err
		}
	}
	if f.format == "csv" {
		if err := f.checkFull(set, files[0], "-format csv"); err != nil {
			return err
		}
	}
	if err := await(a.ctx, func() (err error) {
		set, scaling, err = f.apply(set, scaling)
		return err
	}); err != nil {
		return a.sparseHint(err, files[0])
	}
	if err := f.write(a, set); err != nil {
		return fmt.Errorf("the rows cannot be written: %w", err)
	}
	if f.save != "" {
		return a.writeOutput(f.save, func(w io.Writer) error { return feature.Save(w, scaling) })
	}
	return nil
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

// sparseHint says in the words of this command what to do about sparse rows, and names the file of data that cannot be scaled.
func (a *app) sparseHint(err error, name string) error {
	if errors.Is(err, feature.ErrFillsSparse) {
		return errors.New("this kind moves zero, and a LIBSVM file leaves zeros out: say -dense, or take unit-variance, maxabs or unit-norm")
	} else if data := (*svmkit.DataError)(nil); errors.As(err, &data) {
		return inFile(shown(name), err)
	}
	return err
}

func (f *scaleFlags) write(a *app, set *svmkit.Dataset) error {
	write := dataset.WriteCSV
	if f.format == "libsvm" || f.format == "" && sparse(set) {
		write = dataset.WriteLIBSVM
	}
	return a.writeOutput(f.out, func(w io.Writer) error { return write(until{a.ctx, w}, set) })
}

func (a *app) loadScaling(name string) (*feature.Scaling, error) {
	text, err := readState(name)
	if err != nil {
		return nil, err
	}
	scaling, err := feature.Load(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s holds no measures of svm scale -save: %w", name, err)
	}
	return scaling, nil
}
