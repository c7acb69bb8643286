package site

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// An SVG in <img> runs no script. Opened by itself ("open picture in a new tab") it is a document that does, under the name of
// whoever hosts the pages, and not every host sends our policy. So only what draws is kept of a picture.
var (
	drawing = regexp.MustCompile(`^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|textPath|title|desc|defs|` +
		`clipPath|mask|marker|pattern|symbol|use|image|linearGradient|radialGradient|stop|style|filter|fe[A-Z][A-Za-z]*)$`)
	attributeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	ownPicture    = regexp.MustCompile(`^(#[^\s]*|data:image/(png|gif|jpeg|webp);base64,[A-Za-z0-9+/=\s]+)$`)

	// CSS, in a style and in attributes like fill, fetches by these. A function that has an address takes one of the picture
	// itself only; what is written with CSS's escapes is not read, but counts as fetching.
	cssFetching = regexp.MustCompile(`(?i)\\|@import`)
	cssFunction = regexp.MustCompile(`(?i)(url|src|image|image-set)\(`)
	cssOwn      = regexp.MustCompile(`(?i)^\s*["']?(#|data:image/(png|gif|jpeg|webp)[;,])`)
	words       = regexp.MustCompile(`^(aria|data)-`) // attributes that are no CSS
)

// drawingOnly returns the parts of an SVG that draw: no scripts, no handlers of events, no links, no animations (which could
// set a link), nothing from elsewhere, no other documents inside. What is no XML is an error; no browser would show it either.
func drawingOnly(svg string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(svg))
	var b strings.Builder
	var open []string // the elements that have begun, those that are left out too
	outside := 0      // how many elements are open from the first one on that is left out
	var style strings.Builder
	inStyle := func() bool { return len(open) > 0 && open[len(open)-1] == ":style" }
	for {
		token, err := d.RawToken() // names as they are written, so that namespaces come out as they came in
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			styled := inStyle() // a style has no elements; their texts and its own would run together
			open = append(open, qualified(token.Name))
			if outside > 0 || styled || token.Name.Space != "" || !drawing.MatchString(token.Name.Local) {
				outside++
				continue
			}
			b.WriteString("<" + token.Name.Local)
			for _, a := range token.Attr {
				writeDrawingAttribute(&b, a)
			}
			b.WriteString(">")
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != qualified(token.Name) {
				return "", errors.New("elements that cross")
			}
			if outside > 0 {
				open = open[:len(open)-1]
				outside--
				continue
			}
			if inStyle() {
				if css := style.String(); !fetches(css) {
					xml.EscapeText(&b, []byte(css))
				}
				style.Reset()
			}
			open = open[:len(open)-1]
			b.WriteString("</" + token.Name.Local + ">")
		case xml.CharData:
			switch {
			case outside > 0 || len(open) == 0:
			case inStyle(): // comes in pieces, around comments, and is judged whole
				style.Write(token)
			default:
				xml.EscapeText(&b, token)
			}
		}
	}
	if len(open) > 0 || b.Len() == 0 {
		return "", io.ErrUnexpectedEOF
	}
	return b.String(), nil
}

func qualified(n xml.Name) string { return n.Space + ":" + n.Local }

// fetches says whether CSS has an address that leads out of the picture, or could have one.
func fetches(css string) bool {
	if cssFetching.MatchString(css) {
		return true
	}
	for _, at := range cssFunction.FindAllStringIndex(css, -1) {
		if !cssOwn.MatchString(css[at[1]:]) {
			return true
		}
	}
	return false
}

func writeDrawingAttribute(b *strings.Builder, a xml.Attr) {
	name := a.Name.Local
	lower := strings.ToLower(name)
	switch {
	case !attributeName.MatchString(name), strings.HasPrefix(lower, "on"):
		return
	case (lower == "href" || lower == "src") && !ownPicture.MatchString(a.Value):
		return
	case a.Name.Space == "xml" && lower == "base": // would lead "#a" elsewhere
		return
	case !words.MatchString(lower) && fetches(a.Value):
		return
	case lower == "xmlns" && a.Value != "http://www.w3.org/2000/svg":
		return
	}
	switch a.Name.Space {
	case "":
	case "xmlns", "xlink", "xml":
		name = a.Name.Space + ":" + name
	default: // of an editor
		return
	}
	b.WriteString(" " + name + `="`)
	xml.EscapeText(b, []byte(a.Value))
	b.WriteString(`"`)
}
