package site

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// prose turns Markdown into HTML for one page: heading anchors are unique over all its cells.
type prose struct {
	md       goldmark.Markdown
	ids      *anchors
	tables   int
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
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(proseRenderer{p}, 50))),
	)
	return p
}

// html renders a Markdown text.
func (p *prose) html(source string) template.HTML {
	source = notebook.LineEnds.Replace(source) // a notebook's text may have \r\n or \r
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
		case *ast.Link:
			n.Destination = notebookLink.ReplaceAll(n.Destination, []byte("$1.html"))
			if to, ok := bytes.CutPrefix(n.Destination, []byte("#")); ok {
				n.Destination = []byte("#" + pageAnchor(string(to)))
			}
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := p.md.Renderer().Render(&b, src, doc); err != nil {
		return template.HTML("<pre>" + html.EscapeString(source) + "</pre>")
	}
	return template.HTML(emptyHeader.ReplaceAllString(b.String(), "<td$1></td>"))
}

// emptyHeader matches the header of a column or a row that has none.
var emptyHeader = regexp.MustCompile(`<th([^>]*)></th>`)

// notebookLink matches the beginning of a link to another lesson's notebook, whose page stands beside this.
var notebookLink = regexp.MustCompile(`^(\d\d-[a-z0-9-]+)\.ipynb\b`)

// delimiters are those of formulas within a line.
var delimiters = []passthrough.Delimiters{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}

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
	out := strings.TrimSpace(string(newProse().html(s)))
	if inner, ok := strings.CutPrefix(out, "<p>"); ok && strings.Count(out, "<p>") == 1 {
		out = strings.TrimSuffix(inner, "</p>")
	}
	return template.HTML(out)
}

// anchors makes the ids of headings: their words in lower case, numbered when they repeat.
type anchors struct{ used map[string]int }

func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	return a.unique(cmp.Or(notebook.Anchor(string(value)), "section"))
}

// pageAnchor returns a page's name for a place that a notebook names as JupyterLab does. Both name a cell alike.
func pageAnchor(name string) string {
	heading, err := url.PathUnescape(name)
	if err != nil || strings.HasPrefix(name, "cell-") {
		return name
	}
	return notebook.Anchor(heading)
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

// mathBlockParser reads $$ … $$, \[ … \] and \begin{…} … \end{…} before Markdown finds lists and
// headings in them: a line of a formula may well begin with - or =.
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
		if strings.TrimSpace(text[skip+i+len(n.closer):]) != "" {
			return nil, parser.NoChildren // words follow, and the paragraph's inline rules set it
		}
	} else if !bytes.Contains(reader.Source()[segment.Stop:], []byte(n.closer)) {
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
type proseRenderer struct{ *prose }

func (r proseRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindMathBlock, whole(mathBlockHTML))
	reg.Register(passthrough.KindPassthroughInline, whole(mathInlineHTML))
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindRawHTML, whole(rawHTML))
	reg.Register(ast.KindHTMLBlock, whole(htmlBlockHTML))
	reg.Register(ast.KindFencedCodeBlock, whole(codeHTML))
	reg.Register(tables.KindTable, r.table)
}

// whole renders a node with all that it holds.
func whole[N ast.Node](html func(n N, src []byte) string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, src []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(html(node.(N), src))
		}
		return ast.WalkSkipChildren, nil
	}
}

func mathBlockHTML(n *mathBlock, src []byte) string {
	tex := strings.TrimSpace(string(n.Lines().Value(src)))
	if !strings.HasPrefix(n.closer, `\end`) {
		tex = strings.TrimSuffix(tex[2:], n.closer)
	}
	return formula(tex, true)
}

func mathInlineHTML(n *passthrough.PassthroughInline, src []byte) string {
	d := n.Delimiters
	tex := string(n.Segment.Value(src))
	set := formula(tex[len(d.Open):len(tex)-len(d.Close)], false)
	if d.Open == "$$" || d.Open == `\[` {
		// Inside a paragraph, so a span: the style sheet sets it on a line of its own.
		return strings.Replace(set, `"math"`, `"math display"`, 1)
	}
	return set
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

func rawHTML(n *ast.RawHTML, src []byte) string {
	return proseHTML.Sanitize(string(n.Segments.Value(src)))
}

func htmlBlockHTML(n *ast.HTMLBlock, src []byte) string {
	s := string(n.Lines().Value(src))
	if n.HasClosure() {
		s += string(n.ClosureLine.Value(src))
	}
	return proseHTML.Sanitize(s)
}

// proseHTML sanitises raw HTML in a text: it keeps the tags that only set text, without attributes, and the places to
// which references lead.
var proseHTML = bluemonday.NewPolicy().AllowAttrs("id").Matching(regexp.MustCompile(`^[a-z]+-[a-z0-9-]+$`)).OnElements("a").AllowElements("details", "summary", "br", "hr", "sub", "sup", "kbd", "mark", "em", "strong", "b", "i", "u", "s",
	"code", "p", "ul", "ol", "li", "table", "thead", "tbody", "tr", "td", "th", "blockquote", "center")

func codeHTML(n *ast.FencedCodeBlock, src []byte) string {
	return string(highlight(string(n.Language(src)), strings.TrimRight(string(n.Lines().Value(src)), "\n")))
}

// table wraps tables, so that a wide one scrolls in its own box on a phone.
func (r proseRenderer) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		r.tables++
		fmt.Fprintf(w, `<div class="wide" tabindex="0" role="region" aria-label="Table %d"><table>`+"\n", r.tables)
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// Classes, not colours: the style sheet has one set for light pages and one for dark ones.
var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true), chromahtml.TabWidth(4))

// highlight sets source code in a box that scrolls by itself, also from the keyboard. Go has colours;
// other languages, which are few lines of a shell, have none.
func highlight(language, source string) template.HTML {
	code := html.EscapeString(source)
	if strings.EqualFold(language, "go") {
		var b bytes.Buffer
		tokens, err := tokenise(lexers.Get("go"), source)
		if err == nil && formatter.Format(&b, styles.Fallback, chroma.Literator(tokens...)) == nil {
			code = b.String()
		}
	}
	return template.HTML(`<div class="source"><pre class="chroma"><code>` + code + "</code></pre></div>\n")
}

// tokenise splits source as lexer does. On a busy computer the quarter of a second that Chroma gives a
// regular expression may pass before it has run. So text with an error is split again.
func tokenise(lexer chroma.Lexer, source string) (tokens []chroma.Token, err error) {
	const tries = 3
	for range tries {
		all, err := chroma.Coalesce(lexer).Tokenise(nil, source)
		if err != nil {
			return nil, err
		}
		tokens = all.Tokens()
		if !slices.ContainsFunc(tokens, func(t chroma.Token) bool { return t.Type == chroma.Error }) {
			break
		}
	}
	return tokens, nil
}
