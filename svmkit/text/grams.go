package text

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/svmkit/course/svmkit"
)

// Unit selects the unit of n-grams.
type Unit int

const (
	// Words makes terms of neighbouring words, as [Tokenize] yields them, with a blank between
	// them.
	Words Unit = iota

	// Characters makes terms of neighbouring characters of the whole document in lower case,
	// including punctuation. White space counts as one blank between words, and as none at the
	// ends.
	Characters

	// CharactersInWords makes terms of neighbouring characters of one word. White space separates
	// words, which become lower case with a blank before and after. A word shorter than a gram is
	// one term, once. These are the terms of scikit-learn's analyzer char_wb.
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
	k := slices.Index(unitNames, string(text))
	if k < 0 {
		return u.unknown(string(text))
	}
	*u = Unit(k)
	return nil
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
		return g, &svmkit.ParamError{Name: "MinGram", Value: o.MinGram, Need: fmt.Sprintf("must be 0 to %d", mostGram)}
	case o.MaxGram < 0 || o.MaxGram > mostGram:
		return g, &svmkit.ParamError{Name: "MaxGram", Value: o.MaxGram, Need: fmt.Sprintf("must be 0 to %d", mostGram)}
	case o.MaxGram != 0 && o.MaxGram < o.MinGram:
		return g, &svmkit.ParamError{Name: "MaxGram", Value: o.MaxGram, Need: "must not be below MinGram"}
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
			words := slices.Collect(Tokenize(doc))
			slide(len(words), g.Min, g.Max, func(from, to int) bool {
				return yield(strings.Join(words[from:to], " "))
			})
		case Characters:
			text := []rune(strings.ToLower(strings.Join(strings.FieldsFunc(doc, unicode.IsSpace), " ")))
			slide(len(text), g.Min, g.Max, one(text))
		case CharactersInWords:
			for word := range strings.FieldsFuncSeq(doc, unicode.IsSpace) {
				text := []rune(strings.ToLower(" " + word + " "))
				shortest := min(g.Min, len(text))
				if !slide(len(text), shortest, max(shortest, g.Max), one(text)) {
					return
				}
			}
		}
	}
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

// Tokenize yields the terms of s in order.
//
// A term is a longest run of letters, numbers and combining marks, as Unicode classifies them, in
// lower case (character by character, independent of language). Everything else separates terms.
//
//   - An apostrophe between two such characters belongs to the term, so "don't" is one term. The
//     signs ' ‘ ’ are the same apostrophe, written '.
//   - Numbers are terms like others: "87121" and "4u" are kept, "1.50" is "1" and "50".
//   - Terms of one character are kept: "u" and "2" are words in a text message.
//   - There is no stemming, no list of stop words and no Unicode normalisation: "é" as one
//     character and as "e" with a mark are two terms.
func Tokenize(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var term strings.Builder
		for i, r := range s {
			switch {
			case inTerm(r):
				term.WriteRune(unicode.ToLower(r))
			case term.Len() > 0 && isApostrophe(r) && startsInTerm(s[i+utf8.RuneLen(r):]):
				term.WriteByte('\'')
			case term.Len() > 0:
				if !yield(term.String()) {
					return
				}
				term.Reset()
			}
		}
		if term.Len() > 0 {
			yield(term.String())
		}
	}
}

func inTerm(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

func isApostrophe(r rune) bool { return r == '\'' || r == '‘' || r == '’' }

// startsInTerm reports whether s begins with a character of a term. An invalid byte decodes to
// U+FFFD, which is not such a character.
func startsInTerm(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return inTerm(r)
}
