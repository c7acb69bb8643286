package printable_test

import (
	"bytes"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/printable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// A character that two writes share is one.
func TestWriterJoinsCharacters(t *testing.T) {
	var b bytes.Buffer
	p := &printable.Writer{W: &b}
	for _, c := range []byte("a\x1b\xe2\x82\xac\xf0\x9f\x90\xa7\xc2\x9b\xffz\n") {
		if n, err := p.Write([]byte{c}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := "a\\x1b€🐧\\u009b\\xffz\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestTextKeepsLinesOnRequest(t *testing.T) {
	const text = "a\n\tb\r\u202e\x00\u2028"
	for lines, want := range map[bool]string{true: "a\n\tb\\x0d\\u202e\\x00\\u2028", false: "a\\x0a\\x09b\\x0d\\u202e\\x00\\u2028"} {
		if got := printable.Text(text, lines); got != want {
			t.Errorf("%v: %q, want %q", lines, got, want)
		}
	}
}
