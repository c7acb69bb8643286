// Package printable makes text that comes from files safe to show on a terminal.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text with whatever could steer a terminal, or be seen as other text than it is, as an escape
// of Go: control characters, marks that turn the direction of writing, and bytes that are no UTF-8. Newline
// and tab are kept if lines is set.
func Text(text string, lines bool) string {
	var b strings.Builder
	for i, n := 0, 0; i < len(text); i += n {
		var c rune
		c, n = utf8.DecodeRuneInString(text[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case lines && (c == '\n' || c == '\t'), !unicode.IsControl(c) && !unicode.Is(unicode.Cf, c) && c != '\u2028' && c != '\u2029':
			b.WriteRune(c)
		case c < 0x80:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

// Writer writes printable text to W.
type Writer struct {
	W    io.Writer
	rest []byte // a character that is not whole yet
}

// Write counts bytes of text. What is left of a character that is not whole waits for the next call.
func (p *Writer) Write(text []byte) (int, error) {
	all := append(p.rest, text...)
	end := len(all)
	for k := 1; k < utf8.UTFMax && k <= len(all); k++ {
		if utf8.RuneStart(all[len(all)-k]) {
			if !utf8.FullRune(all[len(all)-k:]) {
				end = len(all) - k
			}
			break
		}
	}
	p.rest = append([]byte(nil), all[end:]...)
	if _, err := io.WriteString(p.W, Text(string(all[:end]), true)); err != nil {
		return 0, err
	}
	return len(text), nil
}
