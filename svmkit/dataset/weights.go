package dataset

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset/internal/word"
)

// ErrWeight is the cause of a [*ParseError] of [ReadWeights].
var ErrWeight = &svmkit.Cause{Problem: "not a weight", Hint: "a weight is a finite number, 0 or more", Of: ErrFormat}

// ReadWeights reads the weights of rows, one number per line, for Dataset.Weight.
func ReadWeights(ctx context.Context, r io.Reader) (weights []float64, err error) {
	switch {
	case ctx == nil:
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	case r == nil:
		return nil, &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		v, err := strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil || !(v >= 0) || math.IsInf(v, 1):
			return nil, &ParseError{Line: len(weights) + 1, Text: word.Shorten(lines.Bytes()), Err: ErrWeight}
		}
		weights = append(weights, v)
	}
	if err := lines.Err(); err != nil {
		return nil, &ParseError{Line: len(weights) + 1, Err: err}
	}
	return weights, nil
}
