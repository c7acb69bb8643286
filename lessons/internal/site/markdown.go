package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose turns Markdown into HTML for one page: heading anchors are unique over all its cells.
type prose struct {
	md       goldmark.Markdown
	ids      *anchors
	Headings []heading
}

// heading is an entry of the page's list of contents.
type heading struct {
	Level int
	ID    string
	Title template.HTML // without links
}

func newProse() *prose {
	p := &prose{ids: &anchors{used: map[string]int{}}}
	p.md = goldmark.New(
		goldmark.WithExtensions(
			// Aligning table cells by attribute needs no inline style.
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.Linkify, extension.TaskList,
			passthrough.New(passthrough.Config{
				InlineDelimiters: delimiters,
			}),
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithBlockParsers(util.Prioritized(mathBlockParser{}, 50)), // before lists, headings and tables
			parser.WithInlineParsers(util.Prioritized(farCloser{}, 50)),      // before passthrough's
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(proseRenderer{}, 50))),
	)
	return p
}

// html renders a Markdown cell. Attachments are the cell's own pictures by name, as data URLs. A text beyond the limits of
// [tooMuch] is shown as it was written.
func (p *prose) html(source string, attachments map[string]string) template.HTML {
	source = lineEnds.Replace(source)
	if reason := tooMuch(source); reason != "" {
		return template.HTML(`<p class="missing">This text is shown as it was written: ` + reason + `.</p>` + "\n" +
			`<pre class="text" tabindex="0">` + visible(source) + "</pre>\n")
	}
	src := []byte(source)
	doc := p.md.Parser().Parse(text.NewReader(src), parser.WithContext(parser.NewContext(parser.WithIDs(p.ids))))
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			name, _ := id.([]byte)
			p.Headings = append(p.Headings, heading{Level: n.Level, ID: string(name), Title: p.inner(n, src)})
		case *ast.Image:
			if name, ok := strings.CutPrefix(string(n.Destination), "attachment:"); ok && attachments[name] != "" {
				n.Destination = []byte(attachments[name])
			}
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := p.md.Renderer().Render(&b, src, doc); err != nil {
		return template.HTML("<pre>" + html.EscapeString(source) + "</pre>")
	}
	return template.HTML(b.String())
}

// lineEnds turns every line ending of Markdown into \n: a notebook's text may have others.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// What is read as Markdown at most. The parser's time grows with the square of some texts, and a table has a cell for each
// of its columns in every line, however short.
const (
	maxProse   = 16 << 10 // bytes of a cell
	maxBlocks  = 32       // quotations and lists within each other
	maxCells   = 20_000   // of tables
	maxFormula = 4_000    // bytes of a formula; site.js has the same limit
)

var (
	containers = regexp.MustCompile(`^[ \t]*(?:(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$))[ \t]*)+`)
	container  = regexp.MustCompile(`>|[-+*]|[0-9]+[.)]`)
	ruleLine   = regexp.MustCompile(`^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$`) // a line across the page
	columnLine = regexp.MustCompile(`^[-+*>|:0-9.) \t]*\|[-|: \t]*$`)
)

// tooMuch says why a text is not read as Markdown; it is empty if it is.
func tooMuch(source string) string {
	if len(source) > maxProse {
		return fmt.Sprintf("it has more than %d KiB", maxProse>>10)
	}
	columns, lines := 0, 0
	for l := range strings.Lines(source) {
		lines++
		l = strings.TrimRight(l, "\n")
		if columnLine.MatchString(l) {
			columns = max(columns, strings.Count(l, "|"))
		}
		if marks := containers.FindString(l); !ruleLine.MatchString(l) && len(container.FindAllString(marks, maxBlocks+1)) > maxBlocks {
			return fmt.Sprintf("it has more than %d quotations and lists within each other", maxBlocks)
		}
	}
	if columns*lines > maxCells {
		return fmt.Sprintf("it has tables of more than %d cells", maxCells)
	}
	return ""
}

// delimiters are those of formulas within a line.
var delimiters = []passthrough.Delimiters{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}

// farCloser sets the beginning of a formula as text where its end is not among the next maxFormula bytes. So the end is not
// searched for through the whole text, and no formula is longer.
type farCloser struct{}

func (farCloser) Trigger() []byte { return []byte{'$', '\\'} }

func (farCloser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	for _, d := range delimiters {
		if !bytes.HasPrefix(line, []byte(d.Open)) {
			continue
		}
		if closesSoon(block.Source()[segment.Start+len(d.Open):], d.Close) {
			return nil // passthrough sets it
		}
		block.Advance(len(d.Open))
		return ast.NewTextSegment(segment.WithStop(segment.Start + len(d.Open)))
	}
	return nil
}

func closesSoon(text []byte, closer string) bool {
	return bytes.Contains(text[:min(len(text), maxFormula)], []byte(closer))
}

var linkTag = regexp.MustCompile(`</?a\b[^>]*>`)

// inner renders what a block holds, without links, which must not stand inside other links.
func (p *prose) inner(n ast.Node, src []byte) template.HTML {
	var b bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if err := p.md.Renderer().Render(&b, src, c); err != nil {
			return ""
		}
	}
	return template.HTML(linkTag.ReplaceAllString(b.String(), ""))
}

// line renders a short text such as a caption, which has emphasis and formulas but no paragraphs.
func line(s string) template.HTML {
	out := strings.TrimSpace(string(newProse().html(s, nil)))
	if inner, ok := strings.CutPrefix(out, "<p>"); ok && strings.Count(out, "<p>") == 1 {
		out = strings.TrimSuffix(inner, "</p>")
	}
	return template.HTML(out)
}

// anchors makes the ids of headings: their words in lower case, numbered when they repeat.
type anchors struct{ used map[string]int }

func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	words := strings.FieldsFunc(strings.ToLower(string(value)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	id := strings.Join(words, "-")
	if id == "" {
		id = "section"
	}
	return a.unique(id)
}

func (a *anchors) unique(id string) []byte {
	a.used[id]++
	if k := a.used[id]; k > 1 {
		return a.unique(id + "-" + strconv.Itoa(k))
	}
	return []byte(id)
}

func (a *anchors) Put(value []byte) { a.used[string(value)]++ }

// formula writes a formula for the page's script to hand to KaTeX: the TeX source, as text.
func formula(tex string, display bool) string {
	if display {
		return `<div class="math display">` + html.EscapeString(strings.TrimSpace(tex)) + "</div>\n"
	}
	return `<span class="math">` + html.EscapeString(strings.TrimSpace(tex)) + "</span>"
}

// mathBlock is a displayed formula that begins at the beginning of a line.
type mathBlock struct {
	ast.BaseBlock
	closer string
	closed bool
}

var kindMathBlock = ast.NewNodeKind("MathBlock")

func (*mathBlock) Kind() ast.NodeKind           { return kindMathBlock }
func (n *mathBlock) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// mathBlockParser reads $$ … $$, \[ … \] and \begin{…} … \end{…} before Markdown can find lists and headings in
// them: a line of a formula may well begin with - or =.
type mathBlockParser struct{}

func (mathBlockParser) Trigger() []byte                             { return []byte{'$', '\\'} }
func (mathBlockParser) CanInterruptParagraph() bool                 { return true }
func (mathBlockParser) CanAcceptIndentedLine() bool                 { return false }
func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

var beginLine = regexp.MustCompile(`^\\begin\{([a-zA-Z]+\*?)\}`)

func (p mathBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	text := string(line[at:])
	n := &mathBlock{}
	skip := 2
	switch {
	case strings.HasPrefix(text, "$$"):
		n.closer = "$$"
	case strings.HasPrefix(text, `\[`):
		n.closer = `\]`
	default:
		m := beginLine.FindStringSubmatch(text)
		if m == nil {
			return nil, parser.NoChildren
		}
		n.closer, skip = `\end{`+m[1]+`}`, 0
	}
	if i := strings.Index(text[skip:], n.closer); i >= 0 {
		if i > maxFormula || strings.TrimSpace(text[skip+i+len(n.closer):]) != "" {
			return nil, parser.NoChildren // too long; or words follow, and the paragraph's inline rules set it
		}
	} else if !closesSoon(reader.Source()[segment.Stop:], n.closer) {
		return nil, parser.NoChildren // two dollars and no formula
	}
	p.add(n, segment.WithStart(segment.Start+at), string(line[at:]), skip)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// add appends a line to the block, up to the closing mark if the line holds it after its first from bytes.
func (mathBlockParser) add(n *mathBlock, segment text.Segment, line string, from int) {
	if i := strings.Index(line[from:], n.closer); i >= 0 {
		segment = segment.WithStop(segment.Start + from + i + len(n.closer))
		n.closed = true
	}
	n.Lines().Append(segment)
}

func (p mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*mathBlock)
	if n.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	if line == nil {
		return parser.Close
	}
	p.add(n, segment, string(line), 0)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// proseRenderer sets what goldmark's own renderer would set otherwise.
type proseRenderer struct{}

func (r proseRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindMathBlock, r.mathBlock)
	reg.Register(passthrough.KindPassthroughInline, r.mathInline)
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindImage, r.image)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindRawHTML, r.rawHTML)
	reg.Register(ast.KindHTMLBlock, r.htmlBlock)
	reg.Register(ast.KindFencedCodeBlock, r.code)
	reg.Register(tables.KindTable, r.table)
}

func (proseRenderer) mathBlock(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*mathBlock)
		tex := strings.TrimSpace(string(n.Lines().Value(src)))
		if !strings.HasPrefix(n.closer, `\end`) {
			tex = strings.TrimSuffix(tex[2:], n.closer)
		}
		w.WriteString(formula(tex, true))
	}
	return ast.WalkSkipChildren, nil
}

func (proseRenderer) mathInline(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*passthrough.PassthroughInline)
		d := n.Delimiters
		tex := string(n.Segment.Value(src))
		tex = tex[len(d.Open) : len(tex)-len(d.Close)]
		if d.Open == "$$" || d.Open == `\[` {
			// Inside a paragraph, so a span: the style sheet sets it on a line of its own.
			w.WriteString(strings.Replace(formula(tex, false), `"math"`, `"math display"`, 1))
		} else {
			w.WriteString(formula(tex, false))
		}
	}
	return ast.WalkSkipChildren, nil
}

func (proseRenderer) heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	// The page's title is its only h1.
	tag := "h" + string(rune('0'+max(n.Level, 2)))
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	if entering {
		w.WriteString("<" + tag + ` id="` + html.EscapeString(string(name)) + `">`)
	} else {
		w.WriteString(` <a class="anchor" href="#` + html.EscapeString(string(name)) + `" aria-label="Link to this section">#</a></` + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func (proseRenderer) image(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	var alt strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			alt.Write(t.Segment.Value(src))
		}
		return ast.WalkContinue, nil
	})
	url := string(n.Destination)
	name := html.EscapeString(alt.String())
	switch {
	case pictureURL.MatchString(url):
		w.WriteString(`<img src="` + html.EscapeString(url) + `" alt="` + name + `">`)
	case strings.HasPrefix(url, "https://"), strings.HasPrefix(url, "http://"):
		// The page loads nothing from elsewhere; the reader may.
		w.WriteString(`<a href="` + html.EscapeString(url) + `">Picture: ` + name + `</a>`)
	default:
		w.WriteString(`<span class="missing">Picture: ` + name + `</span>`)
	}
	return ast.WalkSkipChildren, nil
}

// leads matches where a link may lead: to the web, to a letter, or, without a scheme, to a place on the site.
var leads = regexp.MustCompile(`^((?i:https?://|mailto:)|[^:]*$|[^:]*[/?#])`)

// notebookLink matches the beginning of a link to the notebook of another lesson, whose page stands beside this one.
var notebookLink = regexp.MustCompile(`^(\d\d-[a-z0-9-]+)\.ipynb\b`)

func (proseRenderer) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	to := notebookLink.ReplaceAll(util.URLEscape(n.Destination, true), []byte("$1.html"))
	switch {
	case !leads.Match(to):
		return ast.WalkContinue, nil // the words without the link
	case !entering:
		w.WriteString("</a>")
	default:
		w.WriteString(`<a href="` + html.EscapeString(string(to)) + `"`)
		if n.Title != nil {
			w.WriteString(` title="` + html.EscapeString(string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(n.Title))))) + `"`)
		}
		w.WriteString(">")
	}
	return ast.WalkContinue, nil
}

func (proseRenderer) autoLink(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	to, words := string(util.URLEscape(n.URL(src), false)), html.EscapeString(string(n.Label(src)))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
		to = "mailto:" + to
	}
	if leads.MatchString(to) {
		words = `<a href="` + html.EscapeString(to) + `">` + words + "</a>"
	}
	w.WriteString(words)
	return ast.WalkContinue, nil
}

// pictureURL matches a picture in its own address. An SVG is none: opened by itself it is a document, and there is no file of
// which only what draws was kept.
var pictureURL = regexp.MustCompile(`^data:image/(png|gif|jpeg|webp);base64,[A-Za-z0-9+/=]+$`)

func (proseRenderer) rawHTML(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(harmless(string(node.(*ast.RawHTML).Segments.Value(src))))
	}
	return ast.WalkSkipChildren, nil
}

func (proseRenderer) htmlBlock(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*ast.HTMLBlock)
		s := string(n.Lines().Value(src))
		if n.HasClosure() {
			s += string(n.ClosureLine.Value(src))
		}
		w.WriteString(harmless(s))
	}
	return ast.WalkSkipChildren, nil
}

var (
	unseen     = regexp.MustCompile(`(?is)<!--.*?(-->|$)|<(script|style)\b.*?(</(script|style)\s*>|$)`)
	anyTag     = regexp.MustCompile(`(?s)<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^>]*>`)
	allowedTag = regexp.MustCompile(`^(details|summary|br|hr|sub|sup|kbd|mark|em|strong|b|i|u|s|code|p|ul|ol|li|table|thead|tbody|tr|td|th|blockquote|center)$`)
)

// harmless keeps the text of raw HTML and the tags that only set it, without their attributes. It drops all other
// tags, and scripts, styles and comments whole.
func harmless(s string) string {
	s = unseen.ReplaceAllString(s, "")
	var b strings.Builder
	for {
		m := anyTag.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		b.WriteString(strings.ReplaceAll(s[:m[0]], "<", "&lt;"))
		if tag := strings.ToLower(s[m[4]:m[5]]); allowedTag.MatchString(tag) {
			b.WriteString("<" + s[m[2]:m[3]] + tag + ">")
		}
		s = s[m[1]:]
	}
	b.WriteString(strings.ReplaceAll(s, "<", "&lt;"))
	return b.String()
}

func (proseRenderer) code(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*ast.FencedCodeBlock)
		w.WriteString(string(highlight(string(n.Language(src)), strings.TrimRight(string(n.Lines().Value(src)), "\n"))))
	}
	return ast.WalkSkipChildren, nil
}

// table wraps tables, so that a wide one scrolls in its own box on a phone.
func (proseRenderer) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<div class="wide" tabindex="0" role="region" aria-label="Table"><table>` + "\n")
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
