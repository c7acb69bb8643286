package site

import (
	"html"
	"regexp"
	"strconv"
	"strings"
)

// escape matches a terminal's control sequences: CSI (colours, cursor), OSC (titles, links) and single ones.
var escape = regexp.MustCompile("\x1b\\[([0-9;:?]*)[ -/]*([@-~])|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)?|\x1b.?")

// ansi turns a terminal's text into HTML. The sixteen colours and bold become classes; all other sequences
// vanish. A line that was overwritten (\r, as progress bars do) is shown as it stood in the end.
func ansi(s string) string {
	s = overwritten(s)
	var b strings.Builder
	colour, bold, end := "", false, ""
	span := func() {
		b.WriteString(end)
		var classes []string
		if colour != "" {
			classes = append(classes, "ansi-"+colour)
		}
		if bold {
			classes = append(classes, "ansi-bold")
		}
		if end = ""; len(classes) > 0 {
			b.WriteString(`<span class="` + strings.Join(classes, " ") + `">`)
			end = "</span>"
		}
	}
	for {
		m := escape.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		b.WriteString(visible(s[:m[0]]))
		if m[4] >= 0 && s[m[4]:m[5]] == "m" {
			colour, bold = style(s[m[2]:m[3]], colour, bold)
			span()
		}
		s = s[m[1]:]
	}
	return b.String() + visible(s) + end
}

var colours = [...]string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// style applies the numbers of one "m" sequence.
func style(codes, colour string, bold bool) (string, bool) {
	list := strings.FieldsFunc(codes, func(r rune) bool { return r == ';' || r == ':' })
	if len(list) == 0 {
		return "", false
	}
	for i := 0; i < len(list); i++ {
		k, _ := strconv.Atoi(list[i])
		switch {
		case k == 0:
			colour, bold = "", false
		case k == 1:
			bold = true
		case k == 22:
			bold = false
		case k >= 30 && k <= 37:
			colour = colours[k-30]
		case k >= 90 && k <= 97:
			colour = colours[k-90]
		case k == 39:
			colour = ""
		case k == 38 || k == 48: // a colour out of 256 (two more numbers) or of all (four more)
			if i+1 < len(list) && list[i+1] == "5" {
				i += 2
			} else {
				i += 4
			}
		}
	}
	return colour, bold
}

// visible escapes a text for HTML and drops control characters that have no picture.
func visible(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	return html.EscapeString(s)
}

func overwritten(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		lines[i] = l[strings.LastIndexByte(l, '\r')+1:]
	}
	return strings.Join(lines, "\n")
}
