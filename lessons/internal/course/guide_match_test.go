package course

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// mismatches compares the guide with the lessons that are written, and returns all that one of them says and the
// other does not: titles, what a lesson needs, errata without a cell and cells without an erratum, items
// of the notes without a cell, names of cells that lead nowhere, sections on a route that are none, and words of the
// glossary that their lesson does not introduce.
func mismatches(g *Guide, lessons []*Lesson) []string {
	m := &matcher{written: map[int]*Lesson{}}
	for _, l := range lessons {
		number, _ := strconv.Atoi(l.Number)
		m.written[number] = l
		m.names(l)
		if number < 1 || number > len(g.Path) {
			m.fault("lessons/%s.md has no entry in course.yaml", l.Slug)
			continue
		}
		m.pathEntry(g.Path[number-1], l)
	}
	for _, s := range g.Path {
		if m.written[s.Number] == nil && s.Topic == "" {
			m.fault("course.yaml: lesson %d is not written and has no topic", s.Number)
		}
	}
	m.errata(g.Errata)
	for _, n := range g.Notes {
		for _, it := range n.Items {
			m.item(it)
		}
	}
	for _, r := range g.Routes {
		for _, p := range r.Parts {
			m.sections(r, p)
		}
	}
	for _, e := range g.Glossary {
		if l := m.written[e.Lesson]; l != nil {
			m.entry(e, l)
		}
	}
	return m.faults
}

type matcher struct {
	written map[int]*Lesson
	faults  []string
}

func (m *matcher) fault(format string, args ...any) {
	m.faults = append(m.faults, fmt.Sprintf(format, args...))
}

// names holds the names of cells to what a link needs: unique, and kept as the cell's id.
func (m *matcher) names(l *Lesson) {
	seen := map[string]bool{}
	for _, c := range l.Parsed.Cells {
		name, ok := c.Metadata["name"].(string)
		if !ok {
			continue
		}
		if seen[name] || c.ID != name {
			m.fault("lessons/%s.md:%d: the name %q is taken, or is no id", l.Slug, c.Line, name)
		}
		seen[name] = true
	}
}

var (
	youNeed  = regexp.MustCompile(`(?s)\*\*You need\*\*(.*?)(?:\n\n|$)`)
	aLesson  = regexp.MustCompile(`lessons? \d+(?:(?:, | and |, and )\d+)*`)
	aNumber  = regexp.MustCompile(`\d+`)
	tagNamed = regexp.MustCompile(`^erratum-(.*)$`)
)

// pathEntry compares a lesson with its place on the path.
func (m *matcher) pathEntry(s PathEntry, l *Lesson) {
	if title := l.Parsed.FrontMatter().Title; title != s.Title {
		m.fault("course.yaml calls lesson %d %q, its header %q", s.Number, s.Title, title)
	}
	var named []int
	found := false
	for _, c := range l.Parsed.Cells {
		text := youNeed.FindStringSubmatch(c.Source)
		if c.Kind != notebook.Markdown || text == nil {
			continue
		}
		found = true
		for _, words := range aLesson.FindAllString(text[1], -1) {
			for _, digits := range aNumber.FindAllString(words, -1) {
				k, _ := strconv.Atoi(digits)
				named = append(named, k)
			}
		}
	}
	slices.Sort(named)
	if named = slices.Compact(named); !found || !slices.Equal(named, s.Needs) {
		m.fault("lesson %d says **You need** of %v, course.yaml of %v", s.Number, named, s.Needs)
	}
}

// errata compares the rows with the tags, both ways.
func (m *matcher) errata(rows []Erratum) {
	shown := map[string][]int{} // tag → lessons
	for number, l := range m.written {
		for _, c := range l.Parsed.Cells {
			for _, tag := range c.Tags {
				if !tagNamed.MatchString(tag) {
					continue
				}
				if c.Kind != notebook.Code {
					m.fault("lessons/%s.md:%d: %s shows nothing: it is no code cell", l.Slug, c.Line, tag)
				}
				if !slices.Contains(shown[tag], number) {
					shown[tag] = append(shown[tag], number)
				}
			}
		}
	}
	for _, e := range rows {
		in := shown[e.Tag()]
		delete(shown, e.Tag())
		for _, number := range e.Lessons {
			if m.written[number] != nil && !slices.Contains(in, number) {
				m.fault("no cell of lesson %d is tagged %s", number, e.Tag())
			}
		}
		for _, number := range in {
			if !slices.Contains(e.Lessons, number) {
				m.fault("lesson %d has a cell tagged %s; errata.yaml names %v for it", number, e.Tag(), e.Lessons)
			}
		}
	}
	for tag := range shown {
		m.fault("errata.yaml has no row for the tag %s", tag)
	}
}

// item finds the cells of an item of the notes.
func (m *matcher) item(it Item) {
	l := m.written[it.Lesson]
	switch {
	case l == nil && len(it.Cells) > 0:
		m.fault("notes.yaml: %s names cells of lesson %d, which is not written", it.ID, it.Lesson)
	case l != nil && len(it.Cells) == 0:
		m.fault("notes.yaml: %s (%s, %s) names no cell of lesson %d, which is written", it.ID, it.Kind, it.At, it.Lesson)
	}
	if l == nil {
		return
	}
	fits := false
	for _, name := range it.Cells {
		c := l.Cell(name)
		if c == nil {
			m.fault("notes.yaml: %s leads to %q; no cell of lesson %d has that name", it.ID, name, it.Lesson)
			return
		}
		switch it.Kind {
		case "figure":
			fits = fits || c.HasTag(notebook.TagFigure)
		case "exercise":
			fits = fits || c.HasTag(notebook.TagExercise)
		default:
			fits = true
		}
		if c.Kind != notebook.Code || !strings.Contains(c.Source, "%%") {
			m.fault("notes.yaml: %s leads to %q, which runs nothing", it.ID, name)
		}
	}
	switch {
	case it.Shows == "" && l.Form >= 3:
		m.fault("notes.yaml: %s does not say what the cells of lesson %d show", it.ID, it.Lesson)
	case it.Shows != "" && !slices.ContainsFunc(it.Cells, func(name string) bool { return strings.Contains(l.around(name), oneLine(it.Shows)) }):
		m.fault("notes.yaml: %s: neither the cells %v of lesson %d nor their sections hold %q", it.ID, it.Cells, it.Lesson, it.Shows)
	}
	if len(it.Cells) > 0 && !fits {
		m.fault("notes.yaml: %s, a place for the kind %q, leads to no cell that is tagged so", it.ID, it.Kind)
	}
}

// around is the text of the section in which the named cell stands.
func (l *Lesson) around(name string) string {
	var text strings.Builder
	inside := false
	for _, c := range l.Parsed.Cells {
		if section.MatchString(c.Source) && c.Kind == notebook.Markdown {
			at := section.FindAllStringIndex(c.Source, -1)
			if inside {
				text.WriteString(c.Source[:at[0][0]])
				break
			}
			text.Reset()
			c.Source = c.Source[at[len(at)-1][0]:] // the last heading's section
		}
		inside = inside || c.Metadata["name"] == name
		text.WriteString(c.Source + "\n")
	}
	return oneLine(text.String())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sections finds the headings that a part of a route names, in their order.
func (m *matcher) sections(r Route, p RoutePart) {
	l := m.written[p.Lesson]
	if l == nil {
		return
	}
	all := l.Sections()
	for _, name := range p.Sections {
		i := slices.Index(all, name)
		if i < 0 {
			m.fault("paths.yaml: %s takes the section %q of lesson %d, which has none, or has it earlier", r.Name, name, p.Lesson)
			return
		}
		all = all[i+1:]
	}
}

// entry finds the place where a term or a symbol is introduced.
func (m *matcher) entry(e Entry, l *Lesson) {
	if e.Symbol == "" {
		if !regexp.MustCompile(`(?i)(^|[^*])\*{1,2}` + regexp.QuoteMeta(e.Words()) + `\*{1,2}([^*]|$)`).MatchString(l.text()) {
			m.fault("glossary.yaml: %q is not emphasised in lesson %d, which should define it", e.Words(), e.Lesson)
		}
		return
	}
	text, ok := l.section(e.Section)
	if !ok {
		m.fault("glossary.yaml: %s stands in the section %q of lesson %d, which has none", e.Symbol, e.Section, e.Lesson)
		return
	}
	pattern := regexp.QuoteMeta(e.Symbol) + `([^a-zA-Z]|$)`
	if e.Symbol[0] != '\\' {
		pattern = `(^|[^a-zA-Z\\])` + pattern
	}
	if !regexp.MustCompile(pattern).MatchString(strings.Join(formulas.FindAllString(text, -1), "\n")) {
		m.fault("glossary.yaml: no formula of the section %q of lesson %d has %s", e.Section, e.Lesson, e.Symbol)
	}
}

var (
	sectionHeading = regexp.MustCompile(`(?m)^##[ \t]+(.+?)[ \t]*$`)
	formulas       = regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$]*\$`)
)

// text is the prose of a lesson.
func (l *Lesson) text() string {
	var b strings.Builder
	for _, c := range l.Parsed.Cells {
		if c.Kind == notebook.Markdown {
			b.WriteString(c.Source + "\n\n")
		}
	}
	return b.String()
}

// Sections returns the headings of the lesson's sections, as they are written.
func (l *Lesson) Sections() (headings []string) {
	for _, m := range sectionHeading.FindAllStringSubmatch(l.text(), -1) {
		headings = append(headings, m[1])
	}
	return headings
}

// section returns the prose of the first section with that heading.
func (l *Lesson) section(heading string) (text string, ok bool) {
	all := l.text()
	for _, m := range sectionHeading.FindAllStringSubmatchIndex(all, -1) {
		if all[m[2]:m[3]] != heading {
			continue
		}
		text = all[m[1]:]
		if next := sectionHeading.FindStringIndex(text); next != nil {
			text = text[:next[0]]
		}
		return text, true
	}
	return "", false
}

// Cell returns the lesson's cell of that name, or nil.
func (l *Lesson) Cell(name string) *notebook.Cell {
	for i := range l.Parsed.Cells {
		if c := &l.Parsed.Cells[i]; c.Metadata["name"] == name {
			return c
		}
	}
	return nil
}
