package site

import (
	"cmp"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/util"

	"github.com/svmkit/course/lessons/internal/course"
)

// glossaryRow is a term or a symbol with the place where its lesson introduces it.
type glossaryRow struct {
	course.Entry
	Href  string
	Title template.HTML // of a symbol's section
}

// glossary returns the terms in the order of the alphabet and the symbols in their own, those of written lessons, and marks the
// places on the pages to which they lead.
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

// define marks the first place on the page where a term is emphasised as its definition, and returns the id of the place; it is
// empty if there is none.
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
