// Package word recognises and writes the words of data files: numbers, missing values, labels.
package word

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Canonical returns the shortest form of a number, and other text as it is.
func Canonical(text string) string {
	if v, ok := Number([]byte(text)); ok && !math.IsInf(v, 0) {
		return Format(v)
	} else if LongInteger([]byte(text)) {
		return strings.TrimPrefix(text, "+")
	}
	return text
}

// Format returns a label in the form of [Append].
func Format(v float64) string { return string(Append(nil, v+0)) } // −0 + 0 is +0

// Append appends a label in its shortest form, and an integer of up to 15 digits without an
// exponent.
func Append(to []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(to, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

var plus = []byte{'+'}

// Shortest reports whether text is the shortest form of v, but for a plus sign.
func Shortest(text []byte, v float64) bool {
	var buffer [32]byte
	return bytes.Equal(bytes.TrimPrefix(text, plus), Append(buffer[:0], v+0))
}

// Number returns the number that a label is. Several integers of more than 15 digits may be
// one float64, so as labels of classes they are names.
func Number(text []byte) (float64, bool) {
	v, ok := decimal.Parse(text)
	return v, ok && !LongInteger(text)
}

// LongInteger reports whether text is an integer of more than 15 digits.
func LongInteger(text []byte) bool {
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	return len(text) > 15 && len(bytes.Trim(text, "0123456789")) == 0
}

// HasControl reports whether text has a control character.
func HasControl(text []byte) bool { return bytes.ContainsFunc(text, unicode.IsControl) }

// Missing reports whether text is one of the marks that programs write for no value.
func Missing(text []byte) bool {
	switch string(text) {
	case "", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "none":
		return true
	}
	return false
}

// NotFinite reports whether text spells infinity, or a number that is none.
func NotFinite(text []byte) bool {
	bare := strings.ToLower(string(bytes.TrimLeft(text, "+-")))
	return bare == "inf" || bare == "infinity" || bare == "nan"
}

// Quote puts quotes around a text that would be read as something else without.
func Quote(text string) string {
	plain := !strings.ContainsAny(text, "\",;\t\n\r") && strings.TrimSpace(text) == text
	if plain && !Marked(text) && !Missing([]byte(text)) &&
		!NotFinite([]byte(text)) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Marked reports whether a text begins like a byte order mark, or like a file that is no text. A
// reader would take these bytes for the encoding or the format of the file.
func Marked(text string) bool {
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "\x1f\x8b", "BZh",
		"\x28\xb5\x2f\xfd", "\x93NUMPY", "%%MatrixMarket"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	const relation = "@relation"
	return len(text) >= len(relation) && strings.EqualFold(text[:len(relation)], relation)
}

// Shorten returns at most 40 bytes of text, cut between characters.
func Shorten(text []byte) string {
	const most = 40
	if len(text) <= most {
		return string(text)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + "…"
}
