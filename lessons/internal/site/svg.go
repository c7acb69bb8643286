package site

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// An SVG in <img> runs no script. Opened by itself ("open picture in a new tab") it is a document that does, under the name of
// whoever hosts the pages, and not every host sends our policy. So what is kept of a picture is what draws.
var (
	drawing = regexp.MustCompile(`^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|textPath|title|desc|defs|` +
		`clipPath|mask|marker|pattern|symbol|use|image|linearGradient|radialGradient|stop|style|filter|fe[A-Z][A-Za-z]*)$`)
	attributeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	ownPicture    = regexp.MustCompile(`^(#[^\s]*|data:image/(png|gif|jpeg|webp);base64,[A-Za-z0-9+/=\s]+)$`)
)

// drawingOnly returns the parts of an SVG that draw: no scripts, no handlers of events, no links, no animations (which could
// set a link), nothing from elsewhere, no other documents inside. What is no XML is an error; no browser would show it either.
func drawingOnly(svg string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(svg))
	var b strings.Builder
	var open []string // the elements that have begun, those that are left out too
	outside := 0      // how many elements are open from the first one on that is left out
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
			open = append(open, qualified(token.Name))
			if outside > 0 || token.Name.Space != "" || !drawing.MatchString(token.Name.Local) {
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
			open = open[:len(open)-1]
			if outside > 0 {
				outside--
				continue
			}
			b.WriteString("</" + token.Name.Local + ">")
		case xml.CharData:
			if outside == 0 && len(open) > 0 {
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

func writeDrawingAttribute(b *strings.Builder, a xml.Attr) {
	name := a.Name.Local
	lower := strings.ToLower(name)
	switch {
	case !attributeName.MatchString(name), strings.HasPrefix(lower, "on"):
		return
	case (lower == "href" || lower == "src") && !ownPicture.MatchString(a.Value):
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
