package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokenize yields the terms of s in order.
//
// A term is a longest run of letters, numbers and combining marks, each as Unicode
// classes it, in lower case (character by character, independent of language). All else
// separates terms: spaces, punctuation, currency signs, emoji, bytes that are not UTF-8.
//
//   - An apostrophe between two such characters belongs to the term, so "don't" is one
//     term. The signs ' ‘ ’ are the same apostrophe, written '. At the edge of a word they
//     are quotation marks and separate.
//   - Numbers are terms like others: "87121" and "4u" are kept, "1.50" is "1" and "50".
//   - Terms of one character are kept: "u" and "2" are words in a text message.
//   - There is no stemming, no list of stop words and no Unicode normalisation: "é" as one
//     character and as "e" with a mark are two terms.
//
// No term is empty, and tokenising the terms joined by spaces gives the same terms.
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

// startsInTerm reports whether s begins with a character of a term. An invalid byte
// decodes to U+FFFD, which is none.
func startsInTerm(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return inTerm(r)
}
