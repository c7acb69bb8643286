package dataset

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// numberError returns the reason why text is not a finite number.
func numberError(text []byte) error {
	if isMissing(text) {
		return ErrMissing
	}
	if v, ok := decimal.Parse(text); ok && math.IsInf(v, 0) {
		return fmt.Errorf("%w (beyond 1.8e308)", svmkit.ErrNotFinite)
	}
	bare := strings.ToLower(string(bytes.TrimLeft(text, "+-")))
	if bare == "inf" || bare == "infinity" || bare == "nan" {
		return svmkit.ErrNotFinite
	}
	point := bytes.Replace(text, []byte(","), []byte("."), 1)
	if v, ok := decimal.Parse(point); ok && !math.IsInf(v, 0) {
		return ErrDecimalComma
	}
	return ErrNotNumber
}

// isMissing reports whether text is one of the marks that programs write for no value.
func isMissing(text []byte) bool {
	switch string(text) {
	case "", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "none":
		return true
	}
	return false
}
