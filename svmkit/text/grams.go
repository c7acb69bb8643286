package text

import (
	"fmt"
	"iter"
	"strings"
	"unicode"

	"github.com/svmkit/course/svmkit"
)

// Unit is the unit of which n-grams are made.
type Unit int

const (
	// Words makes terms of neighbouring words, as [Tokenize] yields them, with a blank between two.
	Words Unit = iota

	// Characters makes terms of neighbouring characters of the whole document, punctuation
	// included, in lower case, with one blank for each run of white space and none at the ends.
	Characters

	// CharactersInWords makes terms of neighbouring characters of one word. Words stand between
	// white space, and become lower case with a blank before and after it. A word shorter than a
	// gram is a term of its own, once. These are the terms of scikit-learn's analyzer char_wb.
	CharactersInWords
)

var unitNames = []string{"words", "characters", "characters-in-words"}

// String returns words, characters or characters-in-words.
func (u Unit) String() string {
	if u < 0 || int(u) >= len(unitNames) {
		return fmt.Sprintf("Unit(%d)", int(u))
	}
	return unitNames[u]
}

// MarshalText returns the text of [Unit.String]. An unknown unit is a [*svmkit.ParamError].
func (u Unit) MarshalText() ([]byte, error) {
	if u < 0 || int(u) >= len(unitNames) {
		return nil, u.unknown(int(u))
	}
	return []byte(unitNames[u]), nil
}

// UnmarshalText is the inverse of MarshalText.
func (u *Unit) UnmarshalText(text []byte) error {
	for k, name := range unitNames {
		if name == string(text) {
			*u = Unit(k)
			return nil
		}
	}
	return u.unknown(string(text))
}

func (Unit) unknown(value any) error {
	return &svmkit.ParamError{Name: "Unit", Value: value,
		Need: "must be one of " + strings.Join(unitNames, ", ")}
}

// mostGram bounds n: the terms of a document of L characters have up to n²·L of them.
const mostGram = 32

// grams are the terms of documents: n-grams from Min to Max.
type grams struct {
	Unit Unit `json:"unit"`
	Min  int  `json:"min"`
	Max  int  `json:"max"`
}

// plain are single words.
var plain = grams{Words, 1, 1}

// grams returns the n-grams of the options, or an error if they are wrong.
func (o Options) grams() (grams, error) {
	g := grams{o.Unit, max(1, o.MinGram), max(1, o.MinGram, o.MaxGram)}
	switch {
	case o.MinGram < 0 || o.MinGram > mostGram:
		return g, &svmkit.ParamError{Name: "MinGram", Value: o.MinGram,
			Need: fmt.Sprintf("must be 0 to %d", mostGram)}
	case o.MaxGram < 0 || o.MaxGram > mostGram:
		return g, &svmkit.ParamError{Name: "MaxGram", Value: o.MaxGram,
			Need: fmt.Sprintf("must be 0 to %d", mostGram)}
	case o.MaxGram != 0 && o.MaxGram < o.MinGram:
		return g, &svmkit.ParamError{Name: "MaxGram", Value: o.MaxGram,
			Need: "must not be below MinGram"}
	}
	_, err := o.Unit.MarshalText()
	return g, err
}

// terms yields the terms of a document.
func (g grams) terms(doc string) iter.Seq[string] {
	if g == plain {
		return Tokenize(doc)
	}
	return func(yield func(string) bool) {
		one := func(text []rune) func(from, to int) bool {
			return func(from, to int) bool { return yield(string(text[from:to])) }
		}
		switch g.Unit {
		case Words:
			var words []string
			for word := range Tokenize(doc) {
				words = append(words, word)
			}
			slide(len(words), g.Min, g.Max, func(from, to int) bool {
				return yield(strings.Join(words[from:to], " "))
			})
		case Characters:
			text := lower(strings.Join(strings.FieldsFunc(doc, unicode.IsSpace), " "))
			slide(len(text), g.Min, g.Max, one(text))
		case CharactersInWords:
			for word := range strings.FieldsFuncSeq(doc, unicode.IsSpace) {
				text := lower(" " + word + " ")
				shortest := min(g.Min, len(text))
				if !slide(len(text), shortest, max(shortest, g.Max), one(text)) {
					return
				}
			}
		}
	}
}

// lower returns the characters of s in lower case, as Tokenize makes them.
func lower(s string) []rune {
	text := []rune(s)
	for i, r := range text {
		text[i] = unicode.ToLower(r)
	}
	return text
}

// slide calls use for each window of lo … hi places out of n, short windows first, until use
// returns false. It reports whether use never did.
func slide(n, lo, hi int, use func(from, to int) bool) bool {
	for width := lo; width <= min(hi, n); width++ {
		for from := range n - width + 1 {
			if !use(from, from+width) {
				return false
			}
		}
	}
	return true
}
