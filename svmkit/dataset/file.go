package dataset

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/labels"
)

// Read reads a data set from r, a CSV or LIBSVM file, plain or compressed with gzip or bzip2.
//
// opt may be nil. The content decides the format, see [DetectFormat], and [Labels] decides the
// meaning of the labels. Features are the names in the header of a CSV file. The error for a bad
// file is a [*ParseError]. When ctx ends, Read returns its error after the current call of r.Read.
//
// The set takes 8 bytes per number of a dense row, 12 per number of a sparse row, 56 per row, and
// at most an eighth more, because rows share a few large arrays.
func Read(ctx context.Context, r io.Reader, opt *Options) (*svmkit.Dataset, error) {
	return Rows(ctx, r, opt).Collect()
}

// ReadCSV reads a CSV file as [Read] does, with the options of that format.
func ReadCSV(ctx context.Context, r io.Reader, opt *CSVOptions) (*svmkit.Dataset, error) {
	return CSVRows(ctx, r, opt).Collect()
}

// ReadLIBSVM reads a LIBSVM file as [Read] does, with the options of that format.
func ReadLIBSVM(ctx context.Context, r io.Reader, opt *LIBSVMOptions) (*svmkit.Dataset, error) {
	return LIBSVMRows(ctx, r, opt).Collect()
}

// ReadFile reads the named file as [Read] does. It refuses pipes, devices and folders, because they
// may never begin or end.
func ReadFile(ctx context.Context, name string, opt *Options) (*svmkit.Dataset, error) {
	s, err := Open(ctx, name, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Collect()
}

// ReadCSVFile reads the named file as [ReadCSV] does. It refuses pipes, devices and folders.
func ReadCSVFile(ctx context.Context, name string, opt *CSVOptions) (*svmkit.Dataset, error) {
	o := valueOf(opt)
	file, err := openRegular(name, &o.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadCSV(ctx, file, &o)
}

// ReadLIBSVMFile reads the named file as [ReadLIBSVM] does. It refuses pipes, devices and folders.
func ReadLIBSVMFile(ctx context.Context, name string, opt *LIBSVMOptions) (*svmkit.Dataset, error) {
	o := valueOf(opt)
	file, err := openRegular(name, &o.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadLIBSVM(ctx, file, &o)
}

// Open opens the named file as [ReadFile] does, to read it row by row. The caller closes the
// stream.
func Open(ctx context.Context, name string, opt *Options) (*Stream, error) {
	o := valueOf(opt)
	if err := o.validate(); err != nil {
		return nil, err
	}
	file, err := openRegular(name, &o.Name)
	if err != nil {
		return nil, err
	}
	s := Rows(ctx, file, &o)
	s.file = file
	return s, nil
}

// ErrNotRegular is the cause of the [*fs.PathError] for a pipe, a device or a folder.
var ErrNotRegular = labels.Cause(nil, "not a regular file", "open it and pass it to Read or Rows")

// openRegular opens a file and refuses pipes, devices and folders. If shown is "", it becomes the
// file's name.
func openRegular(name string, shown *string) (*os.File, error) {
	about, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !about.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if *shown == "" {
		*shown = filepath.Base(name)
	}
	return os.Open(name)
}

// Rows reads a CSV or LIBSVM file row by row in constant memory. opt may be nil. [Stream.Err]
// returns the error.
func Rows(ctx context.Context, r io.Reader, opt *Options) *Stream {
	o := valueOf(opt)
	src, err := open(ctx, r, o.Name, o.validate())
	switch {
	case err != nil:
		return &Stream{err: err}
	case src.IsLIBSVM():
		return libsvmRows(src, LIBSVMOptions{Labels: o.Labels, SkipMissing: o.SkipMissing})
	}
	return csvRows(src, CSVOptions{Labels: o.Labels, SkipMissing: o.SkipMissing})
}

// CSVRows reads a CSV file as [Rows] does, with the options of that format.
func CSVRows(ctx context.Context, r io.Reader, opt *CSVOptions) *Stream {
	o, err := opt.normal()
	src, err := open(ctx, r, o.Name, err)
	if err != nil {
		return &Stream{err: err}
	}
	return csvRows(src, o)
}

// LIBSVMRows reads a LIBSVM file as [Rows] does, with the options of that format.
func LIBSVMRows(ctx context.Context, r io.Reader, opt *LIBSVMOptions) *Stream {
	o, err := opt.normal()
	src, err := open(ctx, r, o.Name, err)
	if err != nil {
		return &Stream{err: err}
	}
	return libsvmRows(src, o)
}

func csvRows(src *source, o CSVOptions) *Stream {
	c := o.Labels.coder()
	return &Stream{parser: newCSVParser(src, o, c), coder: c}
}

func libsvmRows(src *source, o LIBSVMOptions) *Stream {
	c := o.Labels.coder()
	return &Stream{parser: &libsvmParser{source: src, opt: o, coder: c, dim: o.Dim}, coder: c}
}

// open returns the text of r, unless an argument or an option is wrong.
func open(ctx context.Context, r io.Reader, name string, wrong error) (*source, error) {
	switch {
	case ctx == nil:
		return nil, notNil("ctx")
	case r == nil:
		return nil, notNil("r")
	case wrong != nil:
		return nil, wrong
	}
	return newSource(ctx, r, name), nil
}

// DetectFormat returns the format of the text of r, and a reader of all of that text.
//
// The text is LIBSVM if the second word of the first line with two words has the form index:value,
// or if an earlier line is one such word. Otherwise it is CSV. If r is compressed with gzip or
// bzip2, the reader returns the unpacked text. DetectFormat reads no further than it needs. The
// error is a [*svmkit.ParamError] for a nil argument. If r cannot be read, the reader returns its
// error.
func DetectFormat(ctx context.Context, r io.Reader) (Format, io.Reader, error) {
	src, err := open(ctx, r, "", nil)
	if err != nil {
		return 0, nil, err
	}
	format := CSV
	if src.IsLIBSVM() {
		format = LIBSVM
	}
	return format, src.Rest(), nil
}

// valueOf returns the options, the zero value for nil.
func valueOf[T any](opt *T) (o T) {
	if opt != nil {
		o = *opt
	}
	return o
}
