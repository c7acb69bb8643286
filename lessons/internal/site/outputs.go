package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// outputMetadata is the description that package lab adds to an output, under the key "svmkit" of its metadata.
type outputMetadata struct{ Alt, Caption, Role string }

func outputMetadataOf(o *notebook.Output) (r outputMetadata) {
	m, _ := o.Metadata["svmkit"].(map[string]any)
	r.Alt, _ = m["alt"].(string)
	r.Caption, _ = m["caption"].(string)
	r.Role, _ = m["role"].(string)
	return r
}

// outputs writes what a cell displayed. What a figure to move has printed stands below it, although it was printed first.
func (p *page) outputs(c *notebook.Cell) (string, error) {
	var all, printed []notebook.Output
	for _, o := range c.Outputs {
		if c.HasTag(notebook.TagExplorable) && o.Type == notebook.Stream {
			printed = append(printed, o)
		} else {
			all = append(all, o)
		}
	}
	all = append(all, printed...)
	var b strings.Builder
	for i := range all {
		o := &all[i]
		if outputMetadataOf(o).Role == "caption" {
			continue // it stands below its figure already
		}
		switch o.Type {
		case notebook.Stream:
			// A kernel sends one text in pieces; they belong together.
			if i > 0 && all[i-1].Type == notebook.Stream && all[i-1].Name == o.Name {
				continue
			}
			var text strings.Builder
			for j := i; j < len(all) && all[j].Type == notebook.Stream && all[j].Name == o.Name; j++ {
				text.WriteString(all[j].Text)
			}
			b.WriteString(stream(o.Name, text.String()))
		case notebook.Error:
			b.WriteString(failure(o))
		default:
			s, err := p.display(o)
			if err != nil {
				return "", err
			}
			if before, ok := strings.CutSuffix(b.String(), endFigure); ok && outputMetadataOf(o).Role == "explorable" {
				b.Reset()
				b.WriteString(withControls(before, s) + endFigure)
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
	classes := map[string]string{"✓": "holds", "✗": "fails", "✎": "todo"}
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
		mark, claim, parted := strings.Cut(escape.ReplaceAllString(l, ""), " ")
		switch class := classes[mark]; {
		case parted && class != "":
			if len(plain) > 0 {
				flush()
			}
			checks = append(checks, `<li class="`+class+`"><span class="mark">`+mark+`</span> `+visible(claim)+"</li>")
		case len(checks) == 0:
			plain = append(plain, l)
		case l != "":
			flush()
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
	first, _, more := strings.Cut(head, "\n")
	s := `<div class="error" role="group" aria-label="Error"><p><strong>This cell ended with an error.</strong> ` +
		visible(escape.ReplaceAllString(first, "")) + "</p>\n"
	trace := strings.Trim(strings.Join(o.Traceback, "\n"), "\n")
	if trace == "" && more {
		trace = head
	}
	if trace != "" {
		s += `<pre class="text" tabindex="0">` + ansi(trace) + "</pre>\n"
	}
	return s + "</div>\n"
}

// outputHTML sanitises what a cell displays as HTML: text, lists, tables, links, and pictures that the
// HTML itself holds.
var outputHTML = outputPolicy()

func outputPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardAttributes()
	p.AllowStandardURLs()
	p.AllowAttrs("href").OnElements("a")
	p.AllowElements("b", "blockquote", "br", "code", "details", "div", "em", "figcaption", "figure", "h3", "h4", "h5", "h6", "hr", "i", "kbd", "mark", "p", "pre", "s",
		"span", "strong", "sub", "summary", "sup", "u")
	p.AllowLists()
	p.AllowTables()
	allowOwnPictures(p)
	return p
}

// sanitised returns what the policy keeps of some HTML, with the end of each element that begins in it
// and no other.
func sanitised(policy *bluemonday.Policy, s string) string {
	nodes, err := fragment(policy.Sanitize(s))
	if err != nil { // more than 512 elements within each other
		return html.EscapeString(s)
	}
	var b strings.Builder
	for _, n := range nodes {
		_ = nethtml.Render(&b, n) // a strings.Builder takes everything
	}
	return b.String()
}

// fragment reads what stands in a body.
func fragment(s string) ([]*nethtml.Node, error) {
	return nethtml.ParseFragment(strings.NewReader(s), &nethtml.Node{Type: nethtml.ElementNode, Data: "body", DataAtom: atom.Body})
}

// allowOwnPictures allows pictures whose address holds them.
func allowOwnPictures(p *bluemonday.Policy) {
	p.AllowDataURIImages()
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^data:image/png;base64,`)).OnElements("img")
	p.AllowAttrs("alt", "width", "height").OnElements("img")
}

// display sets the richest of the forms in which an output came.
func (p *page) display(o *notebook.Output) (string, error) {
	rich, _ := o.Data["text/html"].(string)
	png, _ := o.Data["image/png"].(string)
	switch {
	case outputMetadataOf(o).Role == "explorable" && rich != "":
		return p.explorable(rich)
	case rich != "":
		return `<div class="html">` + sanitised(outputHTML, rich) + "</div>\n", nil
	case png != "":
		return p.figure(o, png)
	}
	if s, ok := o.Data["text/markdown"].(string); ok {
		return `<div class="prose">` + string(p.prose.html(s)) + "</div>\n", nil
	}
	if s, ok := o.Data["text/plain"].(string); ok {
		return stream("stdout", s), nil
	}
	return `<p class="missing">An output that pages cannot show; it is in the notebook.</p>` + "\n", nil
}

// figure writes the picture as a file and sets it with its caption.
func (p *page) figure(o *notebook.Output, png string) (string, error) {
	p.figures++
	about := outputMetadataOf(o)
	size, _ := o.Metadata["image/png"].(map[string]any)
	other, _ := size["alt"].(string)
	alt := cmp.Or(about.Alt, other, fmt.Sprintf("Picture %d of this page, for which its author gave no description", p.figures))
	src, err := p.picture(png)
	if err != nil {
		return "", err
	}
	img := `<img src="` + src + `" alt="` + html.EscapeString(alt) + `"` + dimension(size, "width") + dimension(size, "height") + ` loading="lazy">`
	s := "<figure>" + scrolling(img)
	if about.Caption != "" {
		s += "<figcaption" + p.number + ">" + string(line(about.Caption)) + "</figcaption>"
	}
	return s + endFigure, nil
}

const endFigure = "</figure>\n"

var (
	pictureHeight  = regexp.MustCompile(`<img [^>]*height="([0-9]+)"`)
	sliderLabel    = regexp.MustCompile(`<label>(.*?) <input[^>]*/> <output>(.*?)</output>`)
	sliderPosition = regexp.MustCompile(`<img [^>]*data-value="([^"]*)"`)
)

// withControls puts the place for the controls of an explorable into the figure at the end of a text. The script that fills it
// moves nothing, because the place has the words that decide how high the controls are.
func withControls(text, explorable string) string {
	label := sliderLabel.FindStringSubmatch(explorable)
	if label == nil {
		return text
	}
	longest := 0
	for _, position := range sliderPosition.FindAllStringSubmatch(explorable, -1) {
		longest = max(longest, utf8.RuneCountInString(html.UnescapeString(position[1])))
	}
	controls := fmt.Sprintf(`<div class="controls"><div class="control"><span class="label">%s </span><output style="min-width:%dch">%s</output><div class="track"></div></div><div class="states"></div></div>`,
		label[1], min(longest, 24), label[2])
	figure := strings.LastIndex(text, "<figure>")
	at := figure + strings.Index(text[figure:]+"<figcaption>", "<figcaption>")
	if m := pictureHeight.FindStringSubmatch(text[figure:]); m != nil {
		if height, _ := strconv.Atoi(m[1]); height > 500 { // the picture fills a screen by itself
			at = figure + len("<figure>")
		}
	}
	return text[:at] + controls + text[at:]
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

// picture writes a picture to a file and returns its address.
func (p *page) picture(data string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(data), ""))
	if err != nil {
		return "", fmt.Errorf("a picture of a cell: %w", err)
	}
	return p.out.figure(raw, ".png"), nil
}

// figure writes a picture to a file named after its content, so that equal pictures are one file.
func (f *folder) figure(content []byte, ext string) (name string) {
	sum := sha256.Sum256(content)
	name = "figures/" + hex.EncodeToString(sum[:10]) + ext
	f.putBytes(name, content)
	return name
}

// explorableHTML keeps the tags and attributes of a slider and its pictures. The site's own script,
// assets/explorable.js, puts the controls to the figure above.
var explorableHTML = explorablePolicy()

func explorablePolicy() *bluemonday.Policy {
	tags := []string{"details", "summary", "label", "input", "output", "img", "figure", "figcaption", "div", "span", "p", "button",
		"b", "i", "em", "strong", "sub", "sup", "br"}
	p := bluemonday.NewPolicy()
	p.AllowElements(tags...)
	p.AllowNoAttrs().OnElements(tags...)
	p.AllowAttrs("class", "id", "for", "min", "max", "step", "value", "hidden", "open", "aria-live", "aria-label").Globally()
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^(range|button|checkbox|radio|number)$`)).OnElements("input", "button")
	p.AllowDataAttributes()
	allowOwnPictures(p)
	return p
}

// explorablePicture matches a picture of a sanitised explorable, with its attributes before and after
// its address.
var explorablePicture = regexp.MustCompile(`<img ([^>]*)src="data:image/png;base64,([^"]*)"([^>]*)>`)

// explorable sanitises a slider, and writes its pictures to files.
func (p *page) explorable(s string) (string, error) {
	p.live = true
	var failed error
	s = explorablePicture.ReplaceAllStringFunc(sanitised(explorableHTML, s), func(img string) string {
		m := explorablePicture.FindStringSubmatch(img)
		src, err := p.picture(m[2])
		failed = cmp.Or(failed, err)
		// Folded, and most are never shown.
		return scrolling(`<img ` + m[1] + `src="` + src + `"` + strings.TrimSuffix(m[3], "/") + ` loading="lazy">`)
	})
	return s + "\n", failed
}
