package dataset

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit/dataset/internal/labels"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
)

// ErrWeight is the cause of a [*ParseError] of [ReadWeights].
var ErrWeight = labels.Cause(ErrFormat, "not a weight", "a weight is a finite number, 0 or more")

// ReadWeights reads the weights of rows, one number per line, for Dataset.Weight. r may be
// compressed with gzip or bzip2.
func ReadWeights(ctx context.Context, r io.Reader) (weights []float64, err error) {
	src, err := open(ctx, r, "", nil)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(src.Rest())
	for lines.Scan() {
		v, err := strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 1) {
			return nil, &ParseError{Line: len(weights) + 1, Text: word.Shorten(lines.Bytes()), Err: ErrWeight}
		}
		weights = append(weights, v)
	}
	if err := lines.Err(); err != nil {
		if foreign := causeOf(err); foreign != err {
			return nil, &ParseError{Err: foreign}
		}
		return nil, &ParseError{Line: len(weights) + 1, Err: err}
	}
	return weights, nil
}
