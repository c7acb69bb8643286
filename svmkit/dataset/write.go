package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
)

// ErrUnwritable means that the format cannot hold the name of a class or a column.
var ErrUnwritable = errors.New("this name cannot be written")

// WriteLIBSVM writes set in the format of LIBSVM, with indices from 1. Reading the file returns
// bit-identical numbers.
//
// Labels are the names of Classes, or the numbers of Y if there are none. Zeros of dense rows and
// the names of columns are not written. Trailing columns of zeros are lost unless the reader knows
// Dim. LIBSVM and LIBLINEAR read the file, but they refuse names as labels and numbers below
// 2.2e-308.
//
// The error is [ErrUnwritable] if the name of a class that has rows contains a blank, ':', ',' or
// '#', or begins like a byte order mark or a compressed file.
func WriteLIBSVM(w io.Writer, set *svmkit.Dataset) error { return WriteLIBSVMFrom(w, set, 1) }

// WriteLIBSVMFrom writes set as [WriteLIBSVM] does, with indices from first, which is 0 or 1.
// LIBLINEAR reads only files with indices from 1.
func WriteLIBSVMFrom(w io.Writer, set *svmkit.Dataset, first int) error {
	if first != 0 && first != 1 {
		return &svmkit.ParamError{Name: "first", Value: first, Need: "must be 0 or 1"}
	}
	if err := writable(w, set); err != nil {
		return err
	}
	separates := func(c rune) bool { return c <= ' ' || strings.ContainsRune(":,#", c) }
	for k, name := range set.Classes {
		if !slices.Contains(set.Y, svmkit.LabelOf(k, len(set.Classes))) {
			continue // its name is not written
		}
		if word.Missing([]byte(name)) || word.Marked(name) || strings.ContainsFunc(name, separates) {
			return fmt.Errorf("svmkit: %w in the format of LIBSVM: %q", ErrUnwritable, name)
		}
	}
	out := bufio.NewWriterSize(w, scan.Window)
	var line []byte
	for i, x := range set.X {
		text, err := labelText(set, i)
		if err != nil {
			return err
		}
		line = append(line[:0], text...)
		for k, v := range x.Value {
			j := k
			if x.Index != nil {
				j = int(x.Index[k])
			} else if math.Float64bits(v) == 0 { // not −0, which must come back
				continue
			}
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(j+first), 10)
			line = append(line, ':')
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteCSV writes set as a table with commas and the label in the last column. Reading the file
// returns bit-identical numbers.
//
// Zeros of sparse rows are written. With Features, the first line holds their names and "label".
// Without Features there is no header. Set Header in [CSVOptions] when you read the file, because
// the reader does not guess if names are numbers, or if a first row could be names. The error is
// [ErrUnwritable] for a name that is empty, has a control character or occurs twice, and for a
// feature named "label".
func WriteCSV(w io.Writer, set *svmkit.Dataset) error {
	if err := writable(w, set); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, scan.Window)
	var line []byte
	known := map[string]bool{labelName: true}
	for _, name := range set.Features {
		if known[name] {
			return fmt.Errorf("svmkit: %w: two columns named %q", ErrUnwritable, name)
		}
		known[name] = true
	}
	if set.Features != nil {
		for _, name := range set.Features {
			line = append(append(line, word.Quote(name)...), ',')
		}
		if _, err := out.Write(append(line, "label\n"...)); err != nil {
			return err
		}
	}
	for i, x := range set.X {
		line = line[:0]
		k := 0 // the next stored value
		for j := range set.Dim {
			v := 0.0
			if x.Index == nil || k < len(x.Index) && int(x.Index[k]) == j {
				v = x.Value[k]
				k++
			}
			line = append(strconv.AppendFloat(line, v, 'g', -1, 64), ',')
		}
		text, err := labelText(set, i)
		if err != nil {
			return err
		}
		if set.Classes != nil {
			text = word.Quote(text)
		}
		if _, err := out.Write(append(append(line, text...), '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writable returns an error for a set that neither format can hold.
func writable(w io.Writer, set *svmkit.Dataset) error {
	if w == nil {
		return &svmkit.ParamError{Name: "w", Value: w, Need: "must not be nil"}
	}
	if err := set.Validate(); err != nil {
		return err
	}
	if set.Weight != nil {
		return &svmkit.ParamError{Name: "Weight", Value: len(set.Weight),
			Need: "must be nil, as neither format has weights of rows",
			Hint: "write them as a column, or to a file of their own"}
	}
	for _, names := range []struct {
		of   string
		text []string
	}{{"class", set.Classes}, {"column", set.Features}} {
		for k, name := range names.text {
			if name == "" || word.HasControl([]byte(name)) {
				return fmt.Errorf("svmkit: %w: %q, of %s %d", ErrUnwritable, name, names.of, k)
			}
		}
	}
	return nil
}

// labelText returns the label of row i as it is written.
func labelText(set *svmkit.Dataset, i int) (string, error) {
	y, k := set.Y[i], len(set.Classes)
	if k == 0 {
		return string(word.Append(nil, y)), nil
	}
	if c, ok := svmkit.ClassOf(y, k); ok {
		return set.Classes[c], nil
	}
	return "", &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrNoClass}
}
