package dataset

import (
	"fmt"
	"math"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// Options holds the options for a file of either format. [CSVOptions] and [LIBSVMOptions] add the
// options of one format. The zero value detects the format and refuses ambiguous files.
type Options struct {
	Labels
	Name        string // name of the file, for messages
	SkipMissing bool   // whether to skip rows with a missing value, see [CSVOptions]
}

// CSVOptions holds the options for a CSV file. The zero value detects the layout and refuses
// ambiguous files.
type CSVOptions struct {
	Labels
	Name string // name of the file, for messages

	// SkipMissing skips rows with a missing value, and [Stream.Skipped] counts them. By default
	// they are an error. Empty fields, ?, NA, N/A, NaN, null and None count as missing.
	SkipMissing bool

	// Comma is the separator; default the first of tab, ';' and ',' in the first line.
	Comma  byte
	Skip   int    // number of lines to ignore at the start, ≥ 0; default 0
	Header Header // whether the first line holds names; default [HeaderAuto]

	// Label is the label's column, by its name in the first line, which is then a header, or by its
	// number from 1. By default it is the column named label, or else the last column that is not
	// dropped. A dropped column is an error.
	Label string

	// DefaultLabel is the name of the label's column if Label is "" and the first line holds names.
	// A model knows it from its training. If no name matches, the error is [ErrNoDefaultLabel]. If
	// the file has no names, the rule of an empty Label applies.
	DefaultLabel string

	Unlabelled bool // whether the file has no label; Y is then 0

	// Drop lists columns to ignore, by name or number from 1, such as row numbers. If two other
	// columns have the same name, the error is [ErrSameName].
	Drop []string
}

// LIBSVMOptions holds the options for a LIBSVM file. The zero value suits most files.
type LIBSVMOptions struct {
	Labels
	Name        string // name of the file, for messages
	SkipMissing bool   // whether to skip rows with a missing value, see [CSVOptions]
	// Dim is the number of columns, ≥ 0; default the largest index. Set it for a test file.
	Dim int
	// SkipQID ignores the query ids of ranking data; by default they are an error.
	SkipQID bool

	// ZeroBased is whether indices start at 0, as scikit-learn's dump_svmlight_file can write them.
	// If a comment of that program contradicts it, the error is [ErrBase].
	ZeroBased bool

	// Unlabelled is whether the lines hold pairs only, or pairs after a missing label like "?". Y
	// is then 0. Each line that is not a comment is a row; an empty line is a row of zeros.
	Unlabelled bool
}

// TableOptions holds the options for a CSV file that is read as text. [CSVOptions] explains them.
type TableOptions struct {
	Name   string
	Comma  byte
	Skip   int
	Header Header
	Drop   []string
}

// Format selects the format of a file.
type Format int

const (
	// CSV is a table of numbers with one label column. Each line is an example, with commas between
	// the fields. Fields may be in double quotes, with "" for a quote inside. Blanks around fields,
	// blank lines, CRLF line ends and a byte order mark are ignored. Rows are dense. In a file with
	// one column, a blank line after the first line is a row with an empty field.
	CSV Format = iota

	// LIBSVM is the format of LIBSVM, LIBLINEAR and SVMlight. Each line is an example,
	//
	//	label index:value index:value …   # comment
	//
	// with indices that start at 1 and rise strictly. All other columns are zero. Blank lines,
	// comments, CRLF line ends, lines without features, blanks after a colon and lines of any
	// length are accepted. Rows are sparse, and explicit zeros are kept.
	//
	// Files that LIBSVM, LIBLINEAR and this package accept give bit-identical numbers. Those
	// programs also accept the following, which is an error here: nan and inf, hexadecimal numbers,
	// index 0 (unless ZeroBased is set), indices from 2³¹ on, signs of an index, a last pair
	// without its value, text after the last pair or after a carriage return inside a line, a file
	// without any row or any feature. They do not read blank lines, comments with a colon, names as
	// labels, and nonzero numbers below 2.2e-308.
	LIBSVM
)

// String returns "CSV" or "LIBSVM".
func (f Format) String() string {
	if f == LIBSVM {
		return "LIBSVM"
	}
	return "CSV"
}

// Header selects whether a CSV file starts with a line of names.
type Header int

const (
	// HeaderAuto decides by the content, and refuses ambiguous files with [ErrHeader].
	//
	// The first line is a header if none of its features is a number. It is data if all features
	// are numbers or missing and do not look like names. Numbers look like names if they are 0, 1,
	// 2, …, as pandas writes them. They also look like names if they are years, or three or more
	// whole numbers at equal distances, and the next line is of another kind. A line that looks
	// like names is a header if its label is a name and the label below is a number.
	//
	// Everything else is ambiguous, as is a first line of numbers if its label is a name that
	// no other row has and two or more other labels each occur twice. A [Stream] cannot detect the
	// last case.
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// normal returns the options that opt means, or an error if they are wrong.
func (opt *CSVOptions) normal() (o CSVOptions, err error) {
	o = valueOf(opt)
	wrong := func(name string, value any, need string) (CSVOptions, error) {
		return o, &svmkit.ParamError{Name: name, Value: value, Need: need}
	}
	switch {
	case o.Comma != 0 && !separates(o.Comma):
		return wrong("Comma", fmt.Sprintf("%q", o.Comma), "must be a tab or a mark that is in no number")
	case o.Skip < 0:
		return wrong("Skip", o.Skip, "must not be negative")
	case o.Header < HeaderAuto || o.Header > HeaderNo:
		return wrong("Header", int(o.Header), "must be one of the constants")
	case o.Unlabelled && (o.Label != "" || o.Classes != nil || o.Positive != ""):
		return wrong("Unlabelled", true, "must go without Label, Classes and Positive")
	}
	if o.Unlabelled {
		o.Task = Regression
	}
	return o, o.Labels.validate()
}

// separates reports whether a character can separate two fields.
func separates(c byte) bool {
	letter := c | 0x20
	return c == '\t' || '!' <= c && c <= '~' && strings.IndexByte(`"'.+-_`, c) < 0 &&
		!('0' <= c && c <= '9') && !('a' <= letter && letter <= 'z')
}

// normal returns the options that opt means, or an error if they are wrong.
func (opt *LIBSVMOptions) normal() (o LIBSVMOptions, err error) {
	o = valueOf(opt)
	if o.Dim < 0 || o.Dim > math.MaxInt32 {
		return o, &svmkit.ParamError{Name: "Dim", Value: o.Dim, Need: "must lie in 0 … 2147483647"}
	}
	if o.Unlabelled {
		if o.Classes != nil || o.Positive != "" {
			return o, &svmkit.ParamError{Name: "Unlabelled", Value: true,
				Need: "must go without Classes and Positive"}
		}
		o.Task = Regression
	}
	return o, o.Labels.validate()
}

// csv returns the options for a CSV file whose columns are all text.
func (opt *TableOptions) csv() *CSVOptions {
	o := valueOf(opt)
	return &CSVOptions{Name: o.Name, Comma: o.Comma, Skip: o.Skip, Header: o.Header, Drop: o.Drop,
		Unlabelled: true}
}
