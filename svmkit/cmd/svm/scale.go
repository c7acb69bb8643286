package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/svmkit/course/internal/atomicfile"
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

The label of a CSV file comes last, and if the columns have names, its name is label.
`

var scaleKinds = map[string]feature.Kind{"standardize": feature.Standardize, "center": feature.Center,
	"unit-variance": feature.UnitVariance, "minmax": feature.MinMax, "maxabs": feature.MaxAbs, "unit-norm": feature.UnitNorm}

type scaleFlags struct {
	readFlags
	kind, save, load, out, format string
	low, high                     float64
	dense, regression             bool
}

func (a *app) scale(args []string) error {
	var f scaleFlags
	fs := flagSet("scale")
	fs.StringVar(&f.kind, "kind", "maxabs", "how to scale, see above")
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
	kind, known := scaleKinds[f.kind]
	switch {
	case !known:
		return &usageError{"scale", fmt.Errorf("-kind %s: must be standardize, center, unit-variance, minmax, maxabs or unit-norm", f.kind)}
	case f.format != "" && f.format != "libsvm" && f.format != "csv":
		return &usageError{"scale", fmt.Errorf("-format %s: must be libsvm or csv", f.format)}
	case f.save != "" && f.load != "":
		return &usageError{"scale", errors.New("-save keeps new measures and -load uses old ones: which?")}
	case f.save == "-":
		return &usageError{"scale", errors.New("-save -: must be a file")}
	case kind == feature.MinMax && !(f.low < f.high && !math.IsInf(f.high-f.low, 0)):
		return &usageError{"scale", fmt.Errorf("-low %g -high %g: low must be below high, both finite", f.low, f.high)}
	}
	if err := checkOutputs(fs, "o", "save"); err != nil {
		return err
	}
	var scaling *feature.Scaling
	if f.load != "" {
		if scaling, err = loadScaling(f.load); err != nil {
			return err
		}
	}
	task := dataset.Auto
	if f.regression {
		task = dataset.Regression
	}
	opt, err := f.options("scale", dataset.Labels{Task: task})
	if err != nil {
		return err
	}
	set, _, err := a.read(files[0], opt)
	if err != nil {
		return err
	}
	if err := f.checkWidth(set, files[0], 1); err != nil {
		return err
	}
	if scaling != nil && set.Dim < scaling.Dim && sparse(set) {
		set.Dim = scaling.Dim // its last columns are all zero
	}
	if f.dense {
		if err := f.checkFull(set, files[0], "-dense"); err != nil {
			return err
		}
		if set, err = feature.Densify(set); err != nil {
			return err
		}
	}
	if f.format == "csv" {
		if err := f.checkFull(set, files[0], "-format csv"); err != nil {
			return err
		}
	}
	if scaling == nil {
		if scaling, err = (feature.Scaler{Kind: kind, Low: f.low, High: f.high}).Fit(set); err != nil {
			return a.sparseHint(err)
		}
	}
	scaled, err := scaling.Apply(set)
	if err != nil {
		if set.Dim != scaling.Dim {
			return fmt.Errorf("the rows have %d columns, but the measures are of %d", set.Dim, scaling.Dim)
		}
		return a.sparseHint(err)
	}
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if err := f.write(a.out, scaled); err != nil {
		return fmt.Errorf("the rows cannot be written: %w", err)
	}
	if f.save != "" {
		return saveScaling(f.save, scaling)
	}
	return nil
}

// sparseHint says in the words of this command what to do about sparse rows.
func (a *app) sparseHint(err error) error {
	if errors.Is(err, feature.ErrFillsSparse) {
		return errors.New("this kind moves zero, and a LIBSVM file leaves zeros out: say -dense, or take unit-variance, maxabs or unit-norm")
	}
	return err
}

func (f *scaleFlags) write(stdout io.Writer, set *svmkit.Dataset) error {
	write := dataset.WriteCSV
	if f.format == "libsvm" || f.format == "" && sparse(set) {
		write = dataset.WriteLIBSVM
	}
	return writeOutput(stdout, f.out, func(w io.Writer) error { return write(w, set) })
}

// scalingFile is a feature.Scaling as JSON; Kind is its name.
type scalingFile struct {
	Kind  string    `json:"kind"`
	Dim   int       `json:"dim"`
	Low   float64   `json:"low"`
	Shift []float64 `json:"shift,omitempty"`
	Scale []float64 `json:"scale,omitempty"`
}

func saveScaling(name string, t *feature.Scaling) error {
	file := scalingFile{Dim: t.Dim, Low: t.Low, Shift: t.Shift, Scale: t.Scale}
	for kind, k := range scaleKinds {
		if k == t.Kind {
			file.Kind = kind
		}
	}
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return atomicfile.Write(name, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

func loadScaling(name string) (*feature.Scaling, error) {
	text, err := readState(name)
	if err != nil {
		return nil, err
	}
	var file scalingFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s holds no measures of svm scale -save: %w", name, err)
	}
	kind, known := scaleKinds[file.Kind]
	wants := func(numbers []float64, needed bool) bool {
		return needed == (numbers != nil) && (!needed || len(numbers) == file.Dim)
	}
	bad := !known || file.Dim < 1 || !wants(file.Shift, kind != feature.UnitNorm && kind != feature.UnitVariance && kind != feature.MaxAbs) ||
		!wants(file.Scale, kind != feature.UnitNorm && kind != feature.Center)
	for _, s := range file.Scale {
		bad = bad || s == 0 || math.IsInf(1/s, 0)
	}
	if bad {
		return nil, fmt.Errorf("%s holds no measures of svm scale -save", name)
	}
	return &feature.Scaling{Kind: kind, Dim: file.Dim, Low: file.Low, Shift: file.Shift, Scale: file.Scale}, nil
}
