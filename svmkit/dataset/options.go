package dataset

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// Options say how a file is read. The zero value recognises what can be recognised and refuses what is in
// doubt. An option of one format is a [*svmkit.ParamError] for a file of the other.
type Options struct {
	Labels
	Name   string // for messages
	Format Format
	// SkipMissing leaves out rows with a missing value, and [Stream.Skipped] counts them; without it they are
	// an error. Missing are empty fields, ?, NA, N/A, NaN, null and None.
	SkipMissing bool

	// CSV files.

	Comma byte // the separator; 0: the first of tab, ';' and ',' that stands in the first line
	Skip  int  // number of lines to ignore at the start
	// Header says whether the first line holds names.
	Header Header
	// Label is the label's column, by its name in the first line, which is then a header, or
	// by its number from 1; "" is the column named label, or else the last one that is not dropped. Two columns of
	// that name, or one that Drop leaves out, are an error.
	Label string
	// Unlabelled says that there is no label column; Y is then 0.
	Unlabelled bool
	// Drop are columns to leave out, by name or number from 1: row numbers, remarks.
	Drop []string

	// LIBSVM files.

	Dim       int  // number of columns; 0: the largest index in the file. Set it for a test file
	ZeroBased bool // indices start at 0, as scikit-learn's dump_svmlight_file writes them
	SkipQID   bool // ignore the query ids of ranking data; without it they are an error
}

// Format is the format of a file.
//
// CSV is a table of numbers with one label column: one example a line, fields separated by commas. Fields
// may stand in double quotes, with "" for a quote inside; blanks around fields, blank lines, CRLF line ends
// and a byte order mark are ignored. Rows are dense.
//
// LIBSVM is the format of LIBSVM, LIBLINEAR and SVMlight: one example a line,
//
//	label index:value index:value …   # comment
//
// with indices that start at 1 and rise strictly; columns that are not named are zero.
// Blank lines, comments, CRLF line ends and lines without features are fine; a line may be
// of any length. Rows are sparse; explicit zeros are kept.
//
// What both this package and the readers of LIBSVM and LIBLINEAR accept is read to the same bits. They
// accept, and here are errors: nan and inf, hexadecimal numbers, index 0 (unless ZeroBased), indices
// from 2³¹ on (taken modulo 2³²), blanks and signs in a pair, a last pair without its value, text after
// the last pair or after a carriage return inside a line (ignored), a file without any row or any
// feature. They do not read blank lines, comments with a colon, names as labels, and nonzero numbers
// below 2.2e-308.
type Format int

const (
	// FormatAuto decides by the content: a file is LIBSVM if the second word of the first line
	// with two words is of the form index:value. With Skip it is CSV.
	FormatAuto Format = iota
	CSV
	LIBSVM
)

// Header says whether a CSV file starts with a line of names.
type Header int

const (
	// HeaderAuto takes the first line for a header if none of its features is a number, and for data if all
	// are numbers or missing and do not look like names. Names are 0, 1, 2, …, as pandas writes them, and over
	// a line of another kind years, or three whole numbers or more at equal distances: with a label that is a
	// name over a number they are a header. Anything else is an error, [ErrFormat], and so is a first line of numbers
	// whose label is a name that no other row has, where each of the others, two or more, stands twice: a [Stream]
	// cannot see that.
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// normal returns the options that opt means, or what is wrong with them.
func (opt *Options) normal() (o Options, err error) {
	if opt != nil {
		o = *opt
	}
	wrong := func(name string, value any, need string) (Options, error) {
		return o, &svmkit.ParamError{Name: name, Value: value, Need: need}
	}
	switch {
	case o.Format < FormatAuto || o.Format > LIBSVM:
		return wrong("Format", int(o.Format), "must be one of the constants")
	case o.Comma != 0 && (o.Comma < '!' && o.Comma != '\t' || o.Comma > '~' || strings.IndexByte(`"'.+-_`, o.Comma) >= 0 ||
		'0' <= o.Comma && o.Comma <= '9' || 'a' <= o.Comma|0x20 && o.Comma|0x20 <= 'z'):
		return wrong("Comma", fmt.Sprintf("%q", o.Comma), "must be a tab or a mark that is in no number")
	case o.Skip < 0:
		return wrong("Skip", o.Skip, "must not be negative")
	case o.Header < HeaderAuto || o.Header > HeaderNo:
		return wrong("Header", int(o.Header), "must be one of the constants")
	case o.Unlabelled && (o.Label != "" || o.Classes != nil || o.Positive != ""):
		return wrong("Unlabelled", true, "has no Label, Classes and Positive")
	case o.Dim < 0 || o.Dim > math.MaxInt32:
		return wrong("Dim", o.Dim, "must lie in 0 … 2147483647")
	}
	if o.Unlabelled {
		o.Task = Regression
	}
	if o.Format == FormatAuto && o.Skip > 0 {
		o.Format = CSV
	}
	return o, o.Labels.validate()
}

// foreign refuses options of the other format.
func (o *Options) foreign(f Format) error {
	set, need := map[string]bool{"Comma": o.Comma != 0, "Skip": o.Skip > 0, "Header": o.Header != HeaderAuto, "Label": o.Label != "",
		"Unlabelled": o.Unlabelled, "Drop": len(o.Drop) > 0}, "is for CSV files, and this is a LIBSVM file"
	if f == CSV {
		set, need = map[string]bool{"Dim": o.Dim > 0, "ZeroBased": o.ZeroBased, "SkipQID": o.SkipQID}, "is for LIBSVM files, and this is a CSV file"
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if set[name] {
			return &svmkit.ParamError{Name: name, Value: "set", Need: need}
		}
	}
	return nil
}
