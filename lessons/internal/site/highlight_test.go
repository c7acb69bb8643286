package site

import (
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// lateLexer is a lexer whose regular expressions run out of time in the first calls: then it gives the text
// as one error.
type lateLexer struct {
	chroma.Lexer
	late int
}

func (l *lateLexer) Tokenise(o *chroma.TokeniseOptions, text string) (chroma.Iterator, error) {
	if l.late > 0 {
		l.late--
		return chroma.Literator(chroma.Token{Type: chroma.Error, Value: text}), nil
	}
	return l.Lexer.Tokenise(o, text)
}

// A machine that is busy for a while makes the same page as one that is not.
func TestHighlightingDoesNotDependOnTheMachine(t *testing.T) {
	const source = "w := 2 // a weight\n"
	want, err := tokenise(lexers.Get("go"), source)
	if err != nil || len(want) < 5 {
		t.Fatal(want, err)
	}
	got, err := tokenise(&lateLexer{lexers.Get("go"), 2}, source)
	if err != nil || len(got) != len(want) {
		t.Errorf("%d tokens, %v; want %d", len(got), err, len(want))
	}
	if got, err := tokenise(&lateLexer{lexers.Get("go"), 1000}, source); err != nil || len(got) != 1 {
		t.Errorf("what is wrong for good is kept as it is: %v, %v", got, err)
	}
}
