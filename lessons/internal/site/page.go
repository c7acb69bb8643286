package site

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// page is one lesson, ready for its template.
type page struct {
	Number         int
	Slug, Title    string // Title as plain text, for the window
	Heading        template.HTML
	Summary        template.HTML
	Proves         []template.HTML
	Reading        int // minutes
	Practice       int // minutes for the exercises; 0: not said apart
	Deeper         int // minutes for the optional sections
	Cells          int // code cells
	Exercises      int
	Contents       []heading
	Body           template.HTML
	Previous, Next *page

	Items, Slips int // of the five notes that have a place here

	out     *folder
	prose   *prose
	figures int
	number  string                 // attribute of the caption of the cell's figure: what the figure is called
	live    bool                   // has something to move
	run     bool                   // cells can be run in the page
	named   map[string]cellFacts   // cells by name
	tagged  map[string][]cellFacts // and by tag
}

// How fast a page is read: prose at 200 words a minute, and half a minute for each cell with its output.
const (
	wordsPerMinute = 200
	cellsPerMinute = 2
)

func minutes(words, cells int) int {
	return max(1, (words+wordsPerMinute/2)/wordsPerMinute+(cells+1)/cellsPerMinute)
}

// Facts is the line below a title: how long, how much.
func (p *page) Facts() string {
	s := duration(p.Reading)
	if p.Practice > 0 || p.Deeper > 0 {
		s += " of reading" + p.practice(" · ")
	}
	if p.Deeper > 0 {
		s += " · optional: " + duration(p.Deeper)
	}
	for _, number := range []string{counted(p.Cells, "cell", "cells"), counted(p.Exercises, "exercise", "exercises")} {
		if number != "" {
			s += " · " + number
		}
	}
	return s
}

// counted says how many there are of a thing, in words; none are empty.
func counted(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

var taskHeading = regexp.MustCompile(`^(?:Exercise|On paper) [0-9]`)

// Tasks are the headings of the lesson's tasks.
func (p *page) Tasks() (tasks []heading) {
	for _, h := range p.prose.Headings {
		if taskHeading.MatchString(plainText(h.Title)) {
			tasks = append(tasks, h)
		}
	}
	return tasks
}

// Takes is the time for the whole lesson.
func (p *page) Takes() string { return duration(p.Reading) + p.practice(" and ") }

// practice returns the time for the exercises after a separator, or "" if the lesson does not state it.
func (p *page) practice(separator string) string {
	if p.Practice > 0 {
		return separator + duration(p.Practice) + " of exercises"
	}
	return ""
}

// Section is the address of the section with a title; that of the page if there is none.
func (p *page) Section(title template.HTML) string {
	for _, h := range p.prose.Headings {
		if plainText(h.Title) == plainText(title) {
			return p.Slug + ".html#" + h.ID
		}
	}
	return p.Slug + ".html"
}

var titleLine = regexp.MustCompile(`^#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n+|$)`)

func newPage(ctx context.Context, s Source, out *folder) (*page, error) {
	front := s.Notebook.FrontMatter()
	p := &page{Number: s.Number, Slug: s.Slug, Reading: front.Reading, Practice: front.Exercises, out: out, run: s.Run, prose: newProse(),
		named: map[string]cellFacts{}, tagged: map[string][]cellFacts{}}
	p.Summary = line(front.Summary)
	for _, claim := range front.Proves {
		p.Proves = append(p.Proves, line(claim))
	}
	cells := s.Notebook.ForReaders().Cells
	// The text's own first heading is the page's heading; it is not set twice.
	own := ""
	for i := range cells {
		if cells[i].Kind != notebook.Markdown {
			continue
		}
		if m := titleLine.FindStringSubmatch(strings.TrimLeft(cells[i].Source, "\n")); m != nil {
			own = m[1]
			cells[i].Source = strings.TrimLeft(cells[i].Source, "\n")[len(m[0]):]
		}
		break
	}
	heading := cmp.Or(s.Title, front.Title, own, s.Slug)
	p.Title = plainText(line(heading))
	p.Heading = line(cmp.Or(own, heading))

	cells = figureFirst(cells)
	language := s.Notebook.Language()
	words := 0
	folded := false // in an optional section, or in the section about the notes
	var body strings.Builder
	for i := range cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &cells[i]
		if folded && c.Kind == notebook.Markdown && sectionLine.MatchString(c.Source) {
			body.WriteString(endFold)
			folded = false
		}
		if optional := c.Optional(); optional > 0 || c.Kind == notebook.Markdown && c.HasTag(notebook.TagNotes) {
			class := "section"
			if optional > 0 {
				class = "section deeper"
				p.Deeper += optional
			}
			title, rest, _ := strings.Cut(c.Source, "\n")
			body.WriteString(`<details class="` + class + `"><summary>` + anchorLink.ReplaceAllString(string(p.prose.html(title)), "") + "</summary>\n")
			c = &notebook.Cell{Kind: notebook.Markdown, Source: rest}
			folded = true
		}
		switch c.Kind {
		case notebook.Markdown:
			words += len(strings.Fields(c.Source))
			body.WriteString(p.markdownCell(c))
		case notebook.Code:
			if strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0 {
				continue
			}
			p.Cells++
			facts := p.describe(c)
			if name, ok := c.Metadata["name"].(string); ok {
				p.named[name] = facts
			}
			for _, t := range c.Tags {
				p.tagged[t] = append(p.tagged[t], facts)
			}
			cell, err := p.codeCell(c, language)
			if err != nil {
				return nil, err
			}
			body.WriteString(cell)
		}
		// Raw cells are for other converters; nbconvert leaves them out of pages as well.
	}
	if folded {
		body.WriteString(endFold)
	}
	p.Body = template.HTML(body.String())
	for _, h := range p.prose.Headings {
		if h.Level <= 3 {
			p.Contents = append(p.Contents, h)
		}
	}
	if p.Reading == 0 {
		p.Reading = minutes(words, p.Cells)
	}
	return p, nil
}

// figureFirst puts a cell with something to move before the folded code without outputs right above it.
func figureFirst(cells []notebook.Cell) []notebook.Cell {
	cells = slices.Clone(cells)
	for i, c := range cells {
		if !c.HasTag(notebook.TagExplorable) {
			continue
		}
		first := i
		for first > 0 && cells[first-1].Kind == notebook.Code && cells[first-1].Folded() && len(cells[first-1].Outputs) == 0 {
			first--
		}
		copy(cells[first+1:i+1], cells[first:i])
		cells[first] = c
	}
	return cells
}

// anchorLink matches the link that a heading has to itself. A heading that opens a fold has none: a link in what can be
// pressed is out of reach of a keyboard.
var anchorLink = regexp.MustCompile(` <a class="anchor".*?</a>`)

const endFold = "</details>\n"

// sectionLine matches the beginning of a cell that begins a section, and so ends the one before.
var sectionLine = regexp.MustCompile(`^##?[ \t]`)

var tag = regexp.MustCompile(`<[^>]*>`)

func plainText(h template.HTML) string {
	return html.UnescapeString(tag.ReplaceAllString(string(h), ""))
}

func (p *page) markdownCell(c *notebook.Cell) string {
	s := string(p.prose.html(c.Source))
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return `<div class="prose">` + s + "</div>\n"
}

// buttons are those of a cell that can be run in the page. They are part of the page, so that nothing moves when the script
// comes. An exercise has a row of them. Any other cell has one in its corner, until the reader uses it.
func (p *page) buttons(row bool) string {
	class := "run corner"
	if row {
		class = "run"
	}
	button := func(name string, hidden string) string {
		return fmt.Sprintf(`<button type="button" aria-label="%s cell %d"%s>%s</button>`, name, p.Cells, hidden, name)
	}
	return `<div class="` + class + `">` + button("Run", "") + button("Edit", "") + button("Stop", " hidden") + button("Reset", " hidden") +
		`<span class="status" role="status"></span></div>`
}

// codeCell sets a cell. Its tags fold all of a solution, the code of a fold, the outputs of a guess.
func (p *page) codeCell(c *notebook.Cell, language string) (string, error) {
	p.number = ""
	figure := ""
	if name := html.EscapeString(c.Number()); name != "" {
		p.number, figure = ` data-number="`+name+`"`, ` data-figure="`+name+`"`
	}
	outputs, err := p.outputs(c)
	if err != nil {
		return "", err
	}
	source := ""
	if code := c.SourceWithoutSummary(); strings.TrimSpace(code) != "" {
		source = string(highlight(language, code))
		if p.run {
			source = strings.TrimSuffix(source, "</div>\n") + p.buttons(c.HasTag(notebook.TagExercise)) + "</div>\n"
		}
	}
	if c.Folded() && !c.HasTag(notebook.TagSolution) {
		source = `<details class="plumbing"><summary>` + string(line(cmp.Or(c.Summary(), "Code"))) + "</summary>" + source + "</details>\n"
	}
	if c.HasTag(notebook.TagGuess) && !c.HasTag(notebook.TagSolution) && outputs != "" {
		outputs = `<details class="guess"><summary>Show the answer</summary>` + outputs + "</details>\n"
	}
	tag, class, badge, content := "div", "cell", "", source+outputs
	switch {
	case c.HasTag(notebook.TagSolution):
		tag, class, badge = "details", "cell solution", "<summary>Solution</summary>"
	case c.HasTag(notebook.TagExercise):
		p.Exercises++
		class, badge = "cell exercise", `<p class="badge">Exercise: your turn</p>`
	case c.HasTag(notebook.TagBreak):
		class, badge = "cell break", `<p class="badge">Break it</p>`
	case c.HasTag(notebook.TagExplorable) && outputs != "":
		class, content = "cell moving", outputs+source
	}
	return "<" + tag + ` class="` + class + `" id="` + html.EscapeString(anchor(c)) + `"` + figure + `>` + badge + content + "</" + tag + ">\n", nil
}
