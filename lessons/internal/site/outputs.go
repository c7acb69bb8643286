package site

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// remarks is what lab says about an output, under the key "svmkit" of its metadata.
type remarks struct{ Alt, Caption, Role string }

func remarksOf(o *notebook.Output) (r remarks) {
	m, _ := o.Metadata["svmkit"].(map[string]any)
	r.Alt, _ = m["alt"].(string)
	r.Caption, _ = m["caption"].(string)
	r.Role, _ = m["role"].(string)
	return r
}

// outputs writes what a cell displayed.
func (p *page) outputs(c *notebook.Cell) (string, error) {
	var b strings.Builder
	for i := range c.Outputs {
		o := &c.Outputs[i]
		if remarksOf(o).Role == "caption" {
			continue // it stands below its figure already
		}
		switch o.Type {
		case notebook.Stream:
			// A kernel sends one text in pieces; they belong together.
			if i > 0 && c.Outputs[i-1].Type == notebook.Stream && c.Outputs[i-1].Name == o.Name {
				continue
			}
			var text strings.Builder
			for j := i; j < len(c.Outputs) && c.Outputs[j].Type == notebook.Stream && c.Outputs[j].Name == o.Name; j++ {
				text.WriteString(c.Outputs[j].Text)
			}
			b.WriteString(stream(o.Name, text.String()))
		case notebook.Error:
			b.WriteString(failure(o))
		default:
			s, err := p.display(o)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
	}
	if b.Len() == 0 {
		return "", nil
	}
	return `<div class="output">` + b.String() + "</div>\n", nil
}

// stream sets a text, and the lines in which lab.Check says that a step holds or fell as a list.
func stream(name, text string) string {
	var b strings.Builder
	var plain, checks []string
	flush := func() {
		if s := strings.Trim(strings.Join(plain, "\n"), "\n"); s != "" {
			class := "text"
			if name == "stderr" {
				class = "text stderr"
			}
			b.WriteString(`<pre class="` + class + `" tabindex="0">` + ansi(s) + "</pre>\n")
		}
		if len(checks) > 0 {
			b.WriteString(`<ul class="checks">` + strings.Join(checks, "") + "</ul>\n")
		}
		plain, checks = nil, nil
	}
	for _, l := range strings.Split(text, "\n") {
		bare := escape.ReplaceAllString(l, "")
		for mark, item := range map[string]string{
			"✓ ": `<li class="holds"><span class="mark">✓</span> `,
			"✗ ": `<li class="fails"><span class="mark">✗</span> `,
			"✎ ": `<li class="todo"><span class="mark">✎</span> `,
		} {
			if claim, ok := strings.CutPrefix(bare, mark); ok {
				if len(plain) > 0 {
					flush()
				}
				checks = append(checks, item+visible(claim)+"</li>")
				l = ""
			}
		}
		if l != "" || len(checks) == 0 {
			if len(checks) > 0 {
				flush()
			}
			plain = append(plain, l)
		}
	}
	flush()
	return b.String()
}

func failure(o *notebook.Output) string {
	head := o.EName
	if o.EValue != "" && o.EValue != o.EName {
		head = strings.TrimPrefix(head+": "+o.EValue, ": ")
	}
	s := `<div class="error" role="group" aria-label="Error"><p><strong>This cell ended with an error.</strong> ` +
		visible(escape.ReplaceAllString(firstLine(head), "")) + "</p>\n"
	if trace := strings.Trim(strings.Join(o.Traceback, "\n"), "\n"); trace != "" {
		s += `<pre class="text" tabindex="0">` + ansi(trace) + "</pre>\n"
	} else if strings.Contains(head, "\n") {
		s += `<pre class="text" tabindex="0">` + ansi(head) + "</pre>\n"
	}
	return s + "</div>\n"
}

func firstLine(s string) string {
	l, _, _ := strings.Cut(s, "\n")
	return l
}

// imageTypes are the pictures that are shown, the best first, with the end of their files' names.
var imageTypes = []struct{ mime, ext string }{
	{"image/gif", ".gif"}, {"image/svg+xml", ".svg"}, {"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"image/webp", ".webp"},
}

// delimited matches TeX that says itself where it begins.
var delimited = regexp.MustCompile(`^(\$|\\[(\[]|\\begin\{)`)

var (
	onlySVG   = regexp.MustCompile(`(?is)^\s*(?:<(?:div|figure|p)\b[^>]*>\s*)?(?:<\?xml[^>]*>\s*)?(<svg\b.*</svg>)\s*(?:</(?:div|figure|p)>\s*)?$`)
	onlyImage = regexp.MustCompile(`(?is)^\s*<img\b[^>]*\bsrc="data:(image/[a-z+]+);base64,([A-Za-z0-9+/=\s]+)"[^>]*>\s*$`)
)

// display sets the richest of the forms in which an output came.
func (p *page) display(o *notebook.Output) (string, error) {
	about := remarksOf(o)
	rich, _ := o.Data["text/html"].(string)
	if about.Role == "explorable" && rich != "" {
		return p.explorable(rich)
	}
	pictures := map[string]string{}
	for _, t := range imageTypes {
		s, ok := o.Data[t.mime].(string)
		if !ok {
			continue
		}
		if t.mime == "image/svg+xml" {
			s = base64.StdEncoding.EncodeToString([]byte(s))
		}
		pictures[t.mime] = s
	}
	// HTML that is no more than a picture, as front ends need it for SVG and GIF.
	if m := onlySVG.FindStringSubmatch(rich); m != nil {
		pictures["image/svg+xml"], rich = base64.StdEncoding.EncodeToString([]byte(m[1])), ""
	} else if m := onlyImage.FindStringSubmatch(rich); m != nil {
		pictures[m[1]], rich = m[2], ""
	}
	if rich != "" && about.Alt == "" {
		return frame(rich), nil
	}
	if len(pictures) > 0 {
		return p.figure(o, pictures, about)
	}
	if rich != "" {
		return frame(rich), nil
	}
	if s, ok := o.Data["text/markdown"].(string); ok {
		return `<div class="prose">` + string(p.prose.html(s, nil)) + "</div>\n", nil
	}
	if s, ok := o.Data["text/latex"].(string); ok {
		if t := strings.TrimSpace(s); !delimited.MatchString(t) {
			s = "$$" + t + "$$"
		}
		return `<div class="prose">` + string(p.prose.html(s, nil)) + "</div>\n", nil
	}
	if s, ok := o.Data["text/plain"].(string); ok {
		return stream("stdout", s), nil
	}
	if v, ok := o.Data["application/json"]; ok {
		s, _ := json.MarshalIndent(v, "", "  ")
		return stream("stdout", string(s)), nil
	}
	return `<p class="missing">An output that pages cannot show; it is in the notebook.</p>` + "\n", nil
}

// figure writes the picture as a file and sets it with its caption. An animation stands still for readers
// who asked their system for less motion.
func (p *page) figure(o *notebook.Output, pictures map[string]string, about remarks) (string, error) {
	p.figures++
	alt := about.Alt
	mime := ""
	for _, t := range imageTypes {
		if _, ok := pictures[t.mime]; ok && mime == "" {
			mime = t.mime
		}
	}
	size, _ := o.Metadata[mime].(map[string]any)
	if size == nil {
		size, _ = o.Metadata["image/png"].(map[string]any)
	}
	if alt == "" {
		alt, _ = size["alt"].(string)
	}
	if alt == "" {
		alt = fmt.Sprintf("Picture %d of this page, for which its author gave no description", p.figures)
	}
	src, err := p.picture(mime, pictures[mime])
	if err != nil {
		return "", err
	}
	img := `<img src="` + src + `" alt="` + html.EscapeString(alt) + `"` + dimension(size, "width") + dimension(size, "height") + ` loading="lazy">`
	if still, ok := pictures["image/png"]; ok && mime == "image/gif" {
		src, err := p.picture("image/png", still)
		if err != nil {
			return "", err
		}
		img = `<picture><source media="(prefers-reduced-motion: reduce)" srcset="` + src + `">` + img + `</picture>`
	}
	s := "<figure>" + scrolling(img)
	if about.Caption != "" {
		s += "<figcaption>" + string(line(about.Caption)) + "</figcaption>"
	}
	return s + "</figure>\n", nil
}

// scrolling is the box in which a picture that is too wide for a phone scrolls.
func scrolling(img string) string { return `<div class="scroll">` + img + "</div>" }

func dimension(size map[string]any, key string) string {
	f, err := strconv.ParseFloat(fmt.Sprint(size[key]), 64)
	if err != nil || f < 1 || f > 10000 {
		return ""
	}
	return fmt.Sprintf(` %s="%d"`, key, int(f+0.5))
}

// picture writes a file named after its content, so that equal pictures are one file and pages stay small, and
// returns its address. What is no base64, or no SVG, becomes an empty picture with its text in place.
func (p *page) picture(mime, data string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
	if err != nil {
		raw = nil
	}
	if mime == "image/svg+xml" {
		drawing, err := drawingOnly(string(raw))
		if err != nil {
			drawing = ""
		}
		raw = []byte(drawing)
	}
	ext := ".png"
	for _, t := range imageTypes {
		if t.mime == mime {
			ext = t.ext
		}
	}
	return p.out.figure(raw, ext)
}

// figure writes a picture to a file named after its content.
func (f *folder) figure(content []byte, ext string) (name string, err error) {
	sum := sha256.Sum256(content)
	name = "figures/" + hex.EncodeToString(sum[:10]) + ext
	return name, f.putBytes(name, content)
}

// frame shows HTML of a cell in a frame without scripts, forms and links that leave it. The page's script may read the
// frame's height (allow-same-origin), and nothing in the frame can use that, since it cannot run.
func frame(s string) string {
	const style = `<!doctype html><meta charset="utf-8"><style>body{margin:.5rem;font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;overflow-wrap:break-word}` +
		`table{border-collapse:collapse}th,td{border:1px solid #ccc;padding:.2em .6em}img,svg{max-width:100%}</style>`
	return `<iframe class="html" sandbox="allow-same-origin" title="Output as HTML" srcdoc="` + html.EscapeString(style+s) + `"></iframe>` + "\n"
}

var (
	attribute         = regexp.MustCompile(`([a-zA-Z-]+)(?:\s*=\s*"([^"]*)")?`)
	explorableTag     = regexp.MustCompile(`^(details|summary|label|input|output|img|figure|figcaption|div|span|p|button|b|i|em|strong|sub|sup|br)$`)
	explorableAttr    = regexp.MustCompile(`^(class|id|for|type|min|max|step|value|alt|hidden|open|width|height|data-[a-z-]+|aria-[a-z-]+)$`)
	explorablePicture = regexp.MustCompile(`^data:(image/[a-z+]+);base64,([A-Za-z0-9+/=\s]+)$`)
	inputType         = regexp.MustCompile(`^(range|button|checkbox|radio|number)$`)
)

// explorable keeps the tags and attributes of a slider and its pictures, which become files; scripts are dropped,
// since the site's own script, assets/explorable.js, puts the controls to the figure above.
func (p *page) explorable(s string) (string, error) {
	p.live = true
	s = unseen.ReplaceAllString(s, "")
	var b strings.Builder
	for {
		m := anyTag.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		b.WriteString(strings.ReplaceAll(s[:m[0]], "<", "&lt;"))
		tag := strings.ToLower(s[m[4]:m[5]])
		if explorableTag.MatchString(tag) {
			if tag == "img" {
				b.WriteString(`<div class="scroll">`)
			}
			b.WriteString("<" + s[m[2]:m[3]] + tag)
			if m[2] == m[3] {
				attrs, err := p.explorableAttributes(tag, s[m[5]:m[1]-1])
				if err != nil {
					return "", err
				}
				b.WriteString(attrs)
			}
			b.WriteString(">")
			if tag == "img" {
				b.WriteString("</div>")
			}
		}
		s = s[m[1]:]
	}
	b.WriteString(strings.ReplaceAll(s, "<", "&lt;"))
	return b.String() + "\n", nil
}

func (p *page) explorableAttributes(tag, s string) (string, error) {
	var b strings.Builder
	hasAlt := false
	for _, m := range attribute.FindAllStringSubmatch(s, -1) {
		name, value := strings.ToLower(m[1]), html.UnescapeString(m[2])
		if pic := explorablePicture.FindStringSubmatch(value); tag == "img" && name == "src" && pic != nil {
			src, err := p.picture(pic[1], pic[2])
			if err != nil {
				return "", err
			}
			b.WriteString(` src="` + src + `"`)
			continue
		}
		if !explorableAttr.MatchString(name) || name == "type" && !inputType.MatchString(value) {
			continue
		}
		hasAlt = hasAlt || name == "alt"
		b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
	if tag == "img" && !hasAlt {
		b.WriteString(` alt=""`)
	}
	if tag == "img" {
		b.WriteString(` loading="lazy"`) // folded, and most are never shown
	}
	return b.String(), nil
}
