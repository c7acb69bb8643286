package site

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// An SVG in <img> runs no script and fetches nothing. Opened by itself ("open picture in a new tab") it is a document that
// does, under the name of whoever hosts the pages, and not every host sends our policy. So a picture is reduced to what is
// known to draw and nothing else: the lists below name elements, attributes, CSS properties and the forms of their values. They
// hold what figures of gonum/plot and matplotlib consist of. What a picture can repeat is listed, too: <use> repeats one
// shape, never a group: groups that repeat groups make millions of drawings of a few lines.
var (
	drawing = regexp.MustCompile(`^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|title|desc|defs|` +
		`clipPath|use|image|linearGradient|radialGradient|stop|style)$`)
	shape = regexp.MustCompile(`^(path|rect|circle|ellipse|line|polyline|polygon)$`)

	// Attributes by the form of their values.
	textAttribute   = regexp.MustCompile(`^aria-[a-z]+$`)
	wordAttribute   = regexp.MustCompile(`^(id|class|role|lang)$`)
	numberAttribute = regexp.MustCompile(`^(version|viewBox|preserveAspectRatio|width|height|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|fx|fy|dx|dy|d|points|` +
		`offset|gradientUnits|clipPathUnits|spreadMethod|textLength|lengthAdjust|rotate|pathLength)$`)
	transformAttribute = regexp.MustCompile(`^(transform|gradientTransform)$`)
	wordsOnly          = regexp.MustCompile(`^[-_.:#0-9\p{L}\s]*$`)
	numbers            = regexp.MustCompile(`^[-+.,%0-9A-Za-z\s]*$`)
	transforms         = regexp.MustCompile(`^(?:\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+.,0-9eE\s]*\)\s*,?)*\s*$`)
	ownPicture         = regexp.MustCompile(`^data:image/(png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]+$`) // gonum writes jpg

	// CSS properties, which are attributes, too, and the values that they may have: words, numbers, colours, texts, and the
	// picture's own gradients and clips. No other function is a value, since many of them fetch.
	property = regexp.MustCompile(`^(fill|fill-opacity|fill-rule|stroke|stroke-width|stroke-opacity|stroke-linecap|stroke-linejoin|` +
		`stroke-miterlimit|stroke-dasharray|stroke-dashoffset|opacity|color|display|visibility|overflow|clip-path|clip-rule|` +
		`stop-color|stop-opacity|font|font-family|font-size|font-style|font-weight|font-variant|font-stretch|text-anchor|` +
		`dominant-baseline|alignment-baseline|baseline-shift|text-decoration|letter-spacing|word-spacing|white-space|writing-mode|` +
		`text-rendering|shape-rendering|image-rendering|vector-effect|paint-order|mix-blend-mode|isolation)$`)
	value = regexp.MustCompile(`^(?:[-+.,%#0-9\p{L}\s/!]|"[^"\\\n]*"|'[^'\\\n]*'|` +
		`\b(?i:rgb|rgba|hsl|hsla)\([-+.,%0-9\s/]*\)|\b(?i:url)\(\s*(?:#[-\w.:]+|"#[-\w.:]+"|'#[-\w.:]+')\s*\))*$`)
	rule = regexp.MustCompile(`^\s*([-\w\s.#*,>:]+)\{([^{}]*)\}\s*`)
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
)

// drawingOnly returns the parts of an SVG that draw, as the lists above name them. What is no XML is an error; no browser would
// show it either.
func drawingOnly(svg string) (string, error) {
	var tokens []xml.Token
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.RawToken() // names as they are written, so that namespaces come out as they came in
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
		tokens = append(tokens, xml.CopyToken(token))
	}
	shapes := ownShapes(tokens)
	var b, style strings.Builder
	var open []string // the elements that have begun, those that are left out too
	outside := 0      // how many elements are open from the first one on that is left out
	inStyle := func() bool { return len(open) > 0 && open[len(open)-1] == ":style" }
	for _, token := range tokens {
		switch token := token.(type) {
		case xml.StartElement:
			styled := inStyle() // a style has no elements; their texts and its own would run together
			open = append(open, qualified(token.Name))
			if outside > 0 || styled || token.Name.Space != "" || !drawing.MatchString(token.Name.Local) {
				outside++
				continue
			}
			b.WriteString("<" + token.Name.Local)
			writeDrawingAttributes(&b, token, shapes)
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
				xml.EscapeText(&b, []byte(drawingStyle(style.String())))
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

// ownShapes returns the ids that name one shape. An id given twice names the first element that has it.
func ownShapes(tokens []xml.Token) map[string]bool {
	shapes := map[string]bool{}
	for _, token := range tokens {
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if _, seen := shapes[a.Value]; a.Name.Local == "id" && !seen {
				shapes[a.Value] = start.Name.Space == "" && a.Name.Space == "" && shape.MatchString(start.Name.Local)
			}
		}
	}
	return shapes
}

func writeDrawingAttributes(b *strings.Builder, element xml.StartElement, shapes map[string]bool) {
	written := map[string]bool{}
	for _, a := range element.Attr {
		name, text := drawingAttribute(element.Name.Local, a, shapes)
		if name == "" || written[name] {
			continue
		}
		written[name] = true
		b.WriteString(" " + name + `="`)
		xml.EscapeText(b, []byte(text))
		b.WriteString(`"`)
	}
}

// drawingAttribute returns the name and the value that an attribute keeps; the name is empty if it is left out.
func drawingAttribute(element string, a xml.Attr, shapes map[string]bool) (name, text string) {
	name, text = a.Name.Local, a.Value
	keep := false
	switch {
	case name == "href" && (a.Name.Space == "" || a.Name.Space == "xlink"): // as SVG 2 writes it
		id, own := strings.CutPrefix(text, "#")
		keep = element == "use" && own && shapes[id] || element == "image" && ownPicture.MatchString(text) ||
			strings.HasSuffix(element, "Gradient") && own
	case a.Name.Space == "xml":
		keep = (name == "space" || name == "lang") && wordsOnly.MatchString(text)
		name = "xml:" + name
	case a.Name.Space == "xmlns": // for documents that were made before, and editors
		keep = name == "xlink" && text == xlinkSpace
		name = "xmlns:" + name
	case a.Name.Space != "": // of an editor
	case name == "xmlns":
		keep = text == svgSpace
	case name == "style":
		text = declarations(text)
		keep = text != ""
	case element == "style":
		keep = name == "type" && text == "text/css"
	case textAttribute.MatchString(name):
		keep = true
	case wordAttribute.MatchString(name):
		keep = wordsOnly.MatchString(text)
	case numberAttribute.MatchString(name):
		keep = numbers.MatchString(text)
	case transformAttribute.MatchString(name):
		keep = transforms.MatchString(text)
	case property.MatchString(name):
		keep = value.MatchString(text)
	}
	if !keep {
		return "", ""
	}
	return name, text
}

// declarations returns those declarations of a style that only draw, unchanged if that is all of them.
func declarations(css string) string {
	var kept []string
	all := true
	for d := range strings.SplitSeq(css, ";") {
		name, v, _ := strings.Cut(d, ":")
		switch {
		case strings.TrimSpace(d) == "":
		case property.MatchString(strings.TrimSpace(name)) && value.MatchString(v):
			kept = append(kept, d)
		default:
			all = false
		}
	}
	if all {
		return css
	}
	return strings.Join(kept, ";")
}

// drawingStyle returns a style sheet with the declarations that only draw. One that is more than rules is left out.
func drawingStyle(css string) string {
	var b strings.Builder
	for rest := css; strings.TrimSpace(rest) != ""; {
		m := rule.FindStringSubmatchIndex(rest)
		if m == nil {
			return ""
		}
		b.WriteString(rest[m[0]:m[4]] + declarations(rest[m[4]:m[5]]) + rest[m[5]:m[1]])
		rest = rest[m[1]:]
	}
	return b.String()
}
