package site

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/xml"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	nethtml "golang.org/x/net/html"

	"github.com/svmkit/course/lessons/internal/course"
)

//go:embed book.css
var bookStyle []byte

// Book writes all lessons as one document for pandoc to dir: book.html, book.css and the figures. It is
// made of the pages' bodies:
//
//   - Folded code and the controls of figures are left out; a figure is there in its first state.
//   - Figures and theorems are numbered by lesson, and where the text names one it has that number.
//   - Hints and solutions stand at the end of each lesson, answers to guesses where they were folded.
//   - Formulas are TeX between \( \) or \[ \]: pandoc's extension tex_math_single_backslash reads them.
//   - The glossary and a list of the theorems stand at the end.
func Book(ctx context.Context, guide *course.Guide, notebooks []Source, dir string) error {
	out := &folder{dir: dir}
	var pages []*page
	for _, s := range notebooks {
		p, err := newPage(ctx, s, out)
		if err != nil {
			return fmt.Errorf("book: %s: %w", s.Slug, err)
		}
		pages = append(pages, p)
	}
	gp := newGuidePages(guide, pages)
	terms, symbols := gp.glossary() // it marks the definitions in the bodies
	begin, err := part("begin", map[string]any{"Guide": guide, "Written": len(gp.pages), "Routes": routeMarks(guide)})
	if err != nil {
		return err
	}
	end, err := part("end", map[string]any{"Terms": terms, "Symbols": symbols})
	if err != nil {
		return err
	}
	var chapters, theorems []*element
	for _, p := range pages {
		ch := &chapter{page: p}
		body, err := ch.convert(guide)
		if err != nil {
			return fmt.Errorf("book: %s: %w", p.Slug, err)
		}
		chapters = append(chapters, body)
		theorems = append(theorems, ch.theorems...)
	}
	all := elem("body", "", append([]*element{begin}, chapters...)...)
	all.children = append(all.children, elem("h1", "theorems", words("Theorems")), elem("ul", "", theorems...), end)
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + bookTitle + "</title></head>\n")
	all.write(&b)
	b.WriteString("</html>\n")
	out.putBytes("book.css", bookStyle)
	out.putBytes("book.html", []byte(b.String()))
	return out.err
}

// part fills in what stands before or after the lessons.
func part(name string, data any) (*element, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	e, err := parse(b.String())
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", name, err)
	}
	(&chapter{}).rewrite(e)
	return e, nil
}

const bookTitle = "Perceptrons and support vector machines"

// element is an element of a page, or, without a name, a piece of text.
type element struct {
	name     string
	text     string
	attrs    map[string]string
	children []*element
}

func words(text string) *element { return &element{text: text} }

func elem(name, id string, children ...*element) *element {
	e := &element{name: name, attrs: map[string]string{}, children: children}
	if id != "" {
		e.attrs["id"] = id
	}
	return e
}

func classed(name, class string, children ...*element) *element {
	e := elem(name, "", children...)
	e.attrs["class"] = class
	return e
}

// parse reads the HTML of a page's body.
func parse(s string) (*element, error) {
	nodes, err := fragment(s)
	root := elem("div", "")
	for _, n := range nodes {
		root.children = append(root.children, elementOf(n))
	}
	return root, err
}

func elementOf(n *nethtml.Node) *element {
	if n.Type == nethtml.TextNode {
		return words(n.Data)
	}
	e := elem(n.Data, "")
	for _, a := range n.Attr {
		e.attrs[a.Key] = a.Val
	}
	for c := range n.ChildNodes() {
		e.children = append(e.children, elementOf(c))
	}
	return e
}

func (e *element) has(class string) bool {
	return slices.Contains(strings.Fields(e.attrs["class"]), class)
}

// content is the text of an element.
func (e *element) content() string {
	s := e.text
	for _, c := range e.children {
		s += c.content()
	}
	return s
}

// find returns the first element of that name below e, or e itself.
func (e *element) find(name string) *element {
	if e.name == name {
		return e
	}
	for _, c := range e.children {
		if found := c.find(name); found != nil {
			return found
		}
	}
	return nil
}

// keptAttributes are those that mean something in a book.
var keptAttributes = []string{"align", "alt", "class", "href", "id", "src", "start", "width"}

func (e *element) write(b *strings.Builder) {
	if e.name == "" {
		b.WriteString(html.EscapeString(e.text))
		return
	}
	b.WriteString("<" + e.name)
	for _, a := range keptAttributes {
		if v, ok := e.attrs[a]; ok {
			b.WriteString(" " + a + `="` + html.EscapeString(v) + `"`)
		}
	}
	b.WriteString(">")
	if slices.Contains(xml.HTMLAutoClose, e.name) {
		return
	}
	for _, c := range e.children {
		c.write(b)
	}
	b.WriteString("</" + e.name + ">")
	if e.name != "span" && e.name != "code" && e.name != "em" && e.name != "strong" && e.name != "a" {
		b.WriteString("\n")
	}
}

// chapter turns a page into a chapter.
type chapter struct {
	*page
	theorems []*element // entries of the list of theorems
	numbered bool       // the lesson numbers its theorems itself
	figures  int
	title    *element // the heading of the last section
	task     *element // the heading of the last exercise
	asked    *element // the task for which there was a hint or a solution last
	solved   []*element
}

func (ch *chapter) convert(guide *course.Guide) (*element, error) {
	ch.numbered = ownNumber.MatchString(string(ch.Body))
	facts := duration(ch.Reading) + " of reading" + ch.practice(" · ")
	if ch.Number > 0 && ch.Number <= len(guide.Path) && len(guide.Path[ch.Number-1].Needs) > 0 {
		facts += " · needs " + commas(guide.Path[ch.Number-1].Needs)
	}
	var parts [3]*element
	for i, part := range []template.HTML{ch.Heading, ch.Summary, ch.Body} {
		e, err := parse(string(part))
		if err != nil {
			return nil, err
		}
		ch.rewrite(e)
		parts[i] = e
	}
	whole := elem("div", "", elem("h1", ch.Slug, parts[0].children...), classed("div", "summary", elem("p", "", parts[1].children...)),
		classed("div", "facts", elem("p", "", words(facts))), parts[2])
	if len(ch.solved) > 0 {
		whole.children = append(whole.children, elem("h2", ch.Slug+"-hints-and-solutions", words("Hints and solutions")))
		whole.children = append(whole.children, ch.solved...)
	}
	return whole, nil
}

// rewrite changes what is below e.
func (ch *chapter) rewrite(e *element) {
	var kept []*element
	for _, c := range e.children {
		kept = append(kept, ch.rewritten(c)...)
	}
	e.children = kept
}

// rewritten returns what stands in the book for an element.
func (ch *chapter) rewritten(e *element) []*element {
	if id := e.attrs["id"]; id != "" && ch.page != nil {
		e.attrs["id"] = ch.Slug + "-" + id
	}
	switch {
	case e.name == "":
		e.text = ch.references(e.text)
		return []*element{e}
	case e.has("math"):
		tex := unknown.ReplaceAllString(e.content(), "$1")
		if e.has("display") {
			return []*element{words(`\[` + tex + `\]`)}
		}
		return []*element{words(`\(` + tex + `\)`)}
	case e.has("anchor"), e.has("plumbing"), e.has("explorable"):
		return nil
	case e.has("html"):
		return []*element{elem("p", "", words("(An output as HTML, which is in the notebook.)"))}
	case e.name == "pre":
		pre := elem("pre", "", elem("code", "", words(e.content())))
		pre.attrs["class"] = "text"
		if e.has("chroma") {
			pre.attrs["class"] = "go"
		}
		return []*element{pre}
	case e.name == "code":
		return []*element{elem("code", "", words(e.content()))}
	case e.name == "figure":
		return []*element{ch.figure(e)}
	case e.name == "details":
		return ch.details(e)
	case e.name == "h2":
		ch.title, ch.task = e, nil
	case e.name == "h3":
		ch.task = e
	case e.name == "a" && e.attrs["href"] != "":
		e.attrs["href"] = bookLink(ch.page, e.attrs["href"])
	case e.name == "strong":
		if label := ch.theorem(e.content()); label != nil {
			return []*element{label}
		}
	}
	ch.rewrite(e)
	switch {
	case e.name == "dfn":
		e.name = "span"
	case e.has("mark"): // pandoc would set it as marked text
		return e.children
	case e.has("checks"): // pandoc keeps the class of a div, and not of a list
		delete(e.attrs, "class")
		return []*element{classed("div", "checks", e)}
	case e.has("scroll"), e.has("wide"), e.has("source"), e.has("prose"), e.has("output"):
		return e.children
	}
	return []*element{e}
}

// figure numbers a figure. It is no <figure>: of such a one pandoc 2 takes the caption for its alt text.
func (ch *chapter) figure(e *element) *element {
	img := e.find("img")
	if still := e.find("source"); still != nil {
		img.attrs["src"] = still.attrs["srcset"]
	}
	ch.figures++
	name := fmt.Sprintf("Figure %d.%d", ch.Number, ch.figures)
	text := e.find("figcaption")
	if text != nil {
		name = cmp.Or(text.attrs["data-number"], name)
	}
	caption := elem("p", "", elem("strong", "", words(name+".")))
	if text != nil {
		ch.rewrite(text)
		caption.children = append(append(caption.children, words(" ")), text.children...)
	}
	return classed("div", "figure", elem("p", "", img), classed("div", "caption", caption))
}

// details unfolds what a page folds. Hints and solutions go to the chapter's end, below their task's heading.
func (ch *chapter) details(e *element) []*element {
	summary := cmp.Or(e.find("summary"), elem("summary", ""))
	e.children = slices.DeleteFunc(e.children, func(c *element) bool { return c == summary })
	title := strings.TrimSpace(summary.content())
	ch.rewrite(summary)
	switch {
	case e.has("section"): // What the notes print
		ch.rewrite(e)
		return append(summary.children, e.children...)
	case title == "Solution", strings.HasPrefix(title, "Hint "):
		if ch.task != nil && ch.asked != ch.task {
			ch.asked = ch.task
			ch.solved = append(ch.solved, elem("h3", ch.task.attrs["id"]+"-solved", slices.Clone(ch.task.children)...))
		}
		ch.rewrite(e)
		ch.solved = append(ch.solved, classed("div", "solved", append([]*element{elem("p", "", elem("strong", "", words(title+".")))}, e.children...)...))
		return nil
	}
	ch.rewrite(e)
	if e.has("guess") || title == "Show the answer" {
		title = "The answer:"
	}
	return append([]*element{elem("p", "", elem("strong", "", words(title)))}, e.children...)
}

// unknown are commands that pandoc 2 does not know, and that mean the same without their last letter.
var unknown = regexp.MustCompile(`(\\(?:Big|bigg|Bigg))[lm]\b`)

// ownNumber matches a theorem that the lesson numbers itself, from 1. In the third form the build has put the lesson's
// number before it.
var ownNumber = regexp.MustCompile(`<strong>Theorem 1(?:[^0-9.]|\.[^0-9])`)

var theoremLabel = regexp.MustCompile(`^Theorem(?: (?:\d+\.)?(\d+))?((?: \(.*\))?\.?)$`)

// theorem numbers a theorem by its label on the page, and adds it to the list of theorems.
func (ch *chapter) theorem(label string) *element {
	m := theoremLabel.FindStringSubmatch(label)
	if m == nil || ch.page == nil {
		return nil
	}
	number := cmp.Or(m[1], strconv.Itoa(len(ch.theorems)+1))
	id := fmt.Sprintf("%s-theorem-%s", ch.Slug, number)
	name := fmt.Sprintf("Theorem %d.%s", ch.Number, number)
	link := elem("a", "", words(name))
	link.attrs["href"] = "#" + id
	if slices.ContainsFunc(ch.theorems, func(e *element) bool { return e.children[0].attrs["href"] == "#"+id }) {
		return nil // an optional section repeats it
	}
	entry := elem("li", "", link, words(strings.TrimSuffix(m[2], ".")))
	if ch.title != nil {
		entry.children = append(append(entry.children, words(": ")), ch.title.children...)
	}
	ch.theorems = append(ch.theorems, entry)
	return elem("span", id, elem("strong", "", words(name+m[2])))
}

var theoremNumbers = regexp.MustCompile(`\b[Tt]heorems? \d+(?:, \d+)*(?:,? (?:and|to|or) \d+)?`)
var wholeNumber = regexp.MustCompile(`^\.\d`) // of another lesson's theorem
var digits = regexp.MustCompile(`\d+`)

// references puts the lesson's number before those of its theorems, unless the text says whose they are.
func (ch *chapter) references(text string) string {
	if ch.page == nil || !ch.numbered {
		return text
	}
	var b strings.Builder
	end := 0
	for _, m := range theoremNumbers.FindAllStringIndex(text, -1) {
		b.WriteString(text[end:m[0]])
		end = m[1]
		found := text[m[0]:m[1]]
		if !wholeNumber.MatchString(text[m[1]:]) && !strings.HasSuffix(text[:m[0]], "'s ") && !strings.HasPrefix(text[m[1]:], " of ") {
			found = digits.ReplaceAllString(found, strconv.Itoa(ch.Number)+".$0")
		}
		b.WriteString(found)
	}
	return b.String() + text[end:]
}

var pageLink = regexp.MustCompile(`^(\d\d-[a-z0-9-]+)\.html(?:#(.*))?$`)

// bookLink turns a link from page to page into one within the book.
func bookLink(p *page, to string) string {
	if plain, err := url.PathUnescape(to); err == nil && strings.Contains(to, "#") {
		to = plain
	}
	switch m := pageLink.FindStringSubmatch(to); {
	case m != nil && m[2] != "":
		return "#" + m[1] + "-" + m[2]
	case m != nil:
		return "#" + m[1]
	case strings.HasPrefix(to, "#") && p != nil:
		return "#" + p.Slug + "-" + to[1:]
	}
	return to
}
