package site

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/util"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// The pages that lead through the course: front page, errata, map of the notes, glossary. What they say of a
// cell is taken from it: where it stands, and the claims that held when it ran.

// cellFacts is what the tables say of a cell.
type cellFacts struct {
	Lesson  int
	Href    string        // page and anchor
	Name    string        // the cell's name, in words
	Section template.HTML // the heading above it
	Claims  []string      // of lab.Check and its relatives, those that held
}

// describe returns the facts of a cell below the last heading so far.
func (p *page) describe(c *notebook.Cell) cellFacts {
	f := cellFacts{Lesson: p.Number, Href: p.Slug + ".html#" + anchor(c), Section: p.Heading, Claims: claims(c)}
	name, _ := c.Metadata["name"].(string)
	f.Name = strings.ReplaceAll(name, "-", " ")
	if n := len(p.prose.Headings); n > 0 {
		f.Section = p.prose.Headings[n-1].Title
	}
	return f
}

// anchor is the id of a cell on its page.
func anchor(c *notebook.Cell) string { return "cell-" + c.ID }

// claims are the words before the dash of the lines that say that a claim holds, each once.
func claims(c *notebook.Cell) []string {
	text := ""
	for _, o := range c.Outputs {
		if o.Type == notebook.Stream && o.Name == "stdout" {
			text += o.Text
		}
	}
	var words []string
	for _, l := range strings.Split(escape.ReplaceAllString(text, ""), "\n") {
		claim, ok := strings.CutPrefix(l, "✓ ")
		claim, _, _ = strings.Cut(claim, " — ")
		if ok && !slices.Contains(words, claim) {
			words = append(words, claim)
		}
	}
	return words
}

// lessonRow is a lesson in the lists of the site. Without a Page it is to come.
type lessonRow struct {
	course.PathEntry
	Page *page
}

type erratumRow struct {
	course.Erratum
	Cells  []cellFacts
	ToCome []course.PathEntry // lessons that will show it, and are not written
}

type noteTable struct {
	course.Note
	Rows   []itemRow
	Placed int // items that have cells
}

type itemRow struct {
	course.Item
	Links  []cellFacts
	ToCome bool // its lesson is not written
}

// Kinds counts the items in words: "14 definitions, 1 theorem".
func (n noteTable) Kinds() string {
	var parts []string
	for _, k := range course.Kinds {
		one, many := string(k), string(k)+"s"
		if k == "proof" {
			one, many = "step of a proof", "steps of proofs"
		}
		if number := counted(n.Holds[k], one, many); number != "" {
			parts = append(parts, number)
		}
	}
	return strings.Join(parts, ", ")
}

// guidePages matches the guide with the pages that there are.
type guidePages struct {
	guide *course.Guide
	pages map[int]*page // by number
}

func newGuidePages(g *course.Guide, pages []*page) *guidePages {
	gp := &guidePages{guide: g, pages: map[int]*page{}}
	for _, p := range pages {
		if p.Number > 0 {
			gp.pages[p.Number] = p
		}
	}
	return gp
}

// Row is the row of the lesson with that number.
func (gp *guidePages) Row(number int) lessonRow {
	return lessonRow{gp.guide.Path[number-1], gp.pages[number]}
}

func (gp *guidePages) rows() (rows []lessonRow, written, reading, practice int) {
	for _, s := range gp.guide.Path {
		if p := gp.pages[s.Number]; p != nil {
			written++
			reading += p.Reading
			practice += p.Practice
		}
		rows = append(rows, gp.Row(s.Number))
	}
	return rows, written, reading, practice
}

// errata collects the cells that carry each row's tag, in the order of the lessons.
func (gp *guidePages) errata() (rows []erratumRow, shown int) {
	for _, e := range gp.guide.Errata {
		row := erratumRow{Erratum: e}
		row.At = strings.ReplaceAll(e.At, " §", "\u00a0§") // A §1 stays on one line
		for _, s := range gp.guide.Path {
			p := gp.pages[s.Number]
			if p == nil {
				if slices.Contains(e.Lessons, s.Number) {
					row.ToCome = append(row.ToCome, s)
				}
				continue
			}
			for i, c := range p.tagged[e.Tag()] {
				if i > 0 && row.Cells[len(row.Cells)-i].Section == c.Section {
					c.Section += template.HTML(fmt.Sprintf(" (%d)", i+1)) // no two links with the same words
				}
				row.Cells = append(row.Cells, c)
			}
			if len(p.tagged[e.Tag()]) > 0 {
				p.Slips++
			}
		}
		if len(row.Cells) > 0 {
			shown++
		}
		rows = append(rows, row)
	}
	return rows, shown
}

// notes finds the cells that the map names. A name that no cell has is left out; a test reports it.
func (gp *guidePages) notes() (tables []noteTable, items, placed int) {
	for _, n := range gp.guide.Notes {
		table := noteTable{Note: n}
		for _, it := range n.Items {
			row := itemRow{Item: it, ToCome: gp.pages[it.Lesson] == nil}
			if p := gp.pages[it.Lesson]; p != nil {
				for _, name := range it.Cells {
					if c, ok := p.named[name]; ok {
						row.Links = append(row.Links, c)
					}
				}
				if len(row.Links) > 0 {
					p.Items++
					table.Placed++
				}
			}
			table.Rows = append(table.Rows, row)
		}
		items += len(table.Rows)
		placed += table.Placed
		tables = append(tables, table)
	}
	return tables, items, placed
}

// duration writes minutes as hours and minutes.
func duration(minutes int) string {
	switch h, m := minutes/60, minutes%60; {
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	default:
		return fmt.Sprintf("%d h %d min", h, m)
	}
}

// glossaryRow is a term or a symbol with the place where its lesson introduces it.
type glossaryRow struct {
	course.Entry
	Href  string
	Title template.HTML // of a symbol's section
}

// glossary returns the terms in alphabetical order and the symbols in their own, those of written lessons,
// and marks the places on the pages to which they lead.
func (gp *guidePages) glossary() (terms, symbols []glossaryRow) {
	for _, e := range gp.guide.Glossary {
		p := gp.pages[e.Lesson]
		if p == nil {
			continue
		}
		row := glossaryRow{Entry: e, Href: p.Slug + ".html"}
		if e.Symbol != "" {
			row.Title = line(e.Section)
			row.Href = p.Section(row.Title)
			symbols = append(symbols, row)
			continue
		}
		if id := p.define(e); id != "" {
			row.Href += "#" + id
		}
		terms = append(terms, row)
	}
	slices.SortStableFunc(terms, func(a, b glossaryRow) int { return cmp.Compare(sortKey(a.Term), sortKey(b.Term)) })
	return terms, symbols
}

// sortKey is what a term is found by: a verb without its "to".
func sortKey(term string) string { return strings.TrimPrefix(strings.ToLower(term), "to ") }

// define marks where the page first emphasises a term, and returns the id of the place; "" if there is none.
func (p *page) define(e course.Entry) (id string) {
	words := regexp.QuoteMeta(string(util.EscapeHTML([]byte(e.Words()))))
	at := regexp.MustCompile(`(?i)<em>` + words + `</em>|<strong>` + words + `</strong>`).FindStringIndex(string(p.Body))
	if at == nil {
		return ""
	}
	id = string(p.prose.ids.Generate([]byte("term "+e.Term), 0))
	p.Body = p.Body[:at[0]] + template.HTML(`<dfn id="`+id+`">`) + p.Body[at[0]:at[1]] + "</dfn>" + p.Body[at[1]:]
	return id
}
