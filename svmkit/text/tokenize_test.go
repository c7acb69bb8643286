package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTokenize(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"nothing but separators", " \t\n.,-_!? …", nil},
		{"case and order", "The cat, the CAT.", []string{"the", "cat", "the", "cat"}},
		{"single characters", "u 2 a", []string{"u", "2", "a"}},
		{"apostrophe inside", "don't", []string{"don't"}},
		{"curly apostrophes are the straight one", "don’t I‘m", []string{"don't", "i'm"}},
		{"quotation marks", "'tis the 'end' ’n’", []string{"tis", "the", "end", "n"}},
		{"two apostrophes separate", "rock''n'roll", []string{"rock", "n'roll"}},
		{"numbers", "£1.50 txt 87121 90's", []string{"1", "50", "txt", "87121", "90's"}},
		{"letters and digits mix", "call08452over18 4u", []string{"call08452over18", "4u"}},
		{"underscore and hyphen separate", "e_mail e-mail", []string{"e", "mail", "e", "mail"}},
		{"accents, sharp s, dotted I", "ÀÉÎ Straße İ", []string{"àéî", "straße", "i"}},
		{"combining mark stays", "cafe\u0301 x", []string{"cafe\u0301", "x"}},
		{"Greek, Cyrillic, Devanagari, Han", "ΣΟΦΙΑ Да हिन्दी 漢字", []string{"σοφια", "да", "हिन्दी", "漢字"}},
		{"emoji separate", "win🎉now", []string{"win", "now"}},
		{"bytes that are not UTF-8 separate", "a\xffb\xc3", []string{"a", "b"}},
		{"apostrophe before a bad byte", "a'\xffb", []string{"a", "b"}},
		{"other numbers", "½ ² Ⅳ ٣", []string{"½", "²", "ⅳ", "٣"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := slices.Collect(Tokenize(c.in)); !slices.Equal(got, c.want) {
				t.Errorf("Tokenize(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// The consumer may stop early: at the first term, and at the one at the end of the text.
func TestTokenizeStops(t *testing.T) {
	for _, in := range []string{"one two three", "one"} {
		var got []string
		for term := range Tokenize(in) {
			got = append(got, term)
			break
		}
		if len(got) != 1 || got[0] != "one" {
			t.Errorf("after break on the first term of %q: %q", in, got)
		}
	}
}

// Tokenize promises that terms survive being tokenised again. That needs two facts on
// Unicode's tables: a lower-case letter has no further lower case, and still is in a term.
func TestLowerCaseIsFinal(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if low := unicode.ToLower(r); inTerm(r) && (unicode.ToLower(low) != low || !inTerm(low)) {
			t.Errorf("%U lowers to %U, which lowers to %U", r, low, unicode.ToLower(low))
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"", "don't", "‘I‘m’ 'x''y'", "a\xff'b", "İ ẞ Σ", "£1.50 90's", "e\u0301'\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms := slices.Collect(Tokenize(s))
		for _, term := range terms {
			switch {
			case term == "":
				t.Fatalf("empty term in %q", s)
			case !utf8.ValidString(term):
				t.Fatalf("term %q of %q is not UTF-8", term, s)
			case strings.HasPrefix(term, "'") || strings.HasSuffix(term, "'"):
				t.Fatalf("term %q of %q has an apostrophe at its edge", term, s)
			}
		}
		if again := slices.Collect(Tokenize(strings.Join(terms, " "))); !slices.Equal(again, terms) {
			t.Fatalf("%q gives %q, and these give %q", s, terms, again)
		}
		// No character of a term is lost: what is left of s without separators is the same.
		keep := func(r rune) rune {
			if inTerm(r) {
				return unicode.ToLower(r)
			}
			return -1
		}
		if all := strings.ReplaceAll(strings.Join(terms, ""), "'", ""); all != strings.Map(keep, s) {
			t.Fatalf("%q: terms hold %q, text holds %q", s, all, strings.Map(keep, s))
		}
	})
}
