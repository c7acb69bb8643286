package course

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// Faults in the numbers of a lesson. Errors that wrap them begin with the file and the line.
var (
	ErrNumberTyped  = errors.New("a number is typed by hand")
	ErrLabelTwice   = errors.New("a label stands here twice")
	ErrLabelMissing = errors.New("a label is missing")
	ErrReference    = errors.New("a reference leads nowhere")
)

var (
	// statement matches the beginning of what has a number: **Theorem {#theorem-bound} (mistake bound).**
	statement = regexp.MustCompile(`\*\*(Theorem|Proposition|Lemma|Corollary|Definition|Example)\b(?: \{#([a-z0-9-]+)\})?`)
	// mention matches a reference: [theorem](#theorem-bound), [figure](03-novikoff.md#cell-squeeze).
	mention = regexp.MustCompile(`\[(?i:theorem|proposition|lemma|corollary|definition|example|figure)\]\((?:(\d\d-[a-z0-9-]+)\.md)?#([A-Za-z0-9_-]+)\)`)
	// inside matches a link to a place in the same lesson.
	inside = regexp.MustCompile(`\]\(#([^)\s]+)\)`)
	// typed matches a number that its author typed.
	typed = regexp.MustCompile(`\b(?:Theorem|Proposition|Lemma|Corollary|Definition|Figure|Example)s? \d+(?:\.\d+)*\b`)
	// link matches a link as a whole: what another page calls its theorems may have a number.
	link = regexp.MustCompile(`\[[^\]]*\]\([^)]*\)`)
	// section matches the heading of a section.
	section = regexp.MustCompile(`(?m)^##? `)
)

// number gives numbers to the theorems, definitions, examples and figures of the lessons, each kind by itself,
// and replaces references to them by their names. An optional section may repeat a statement, with its number, in
// order to prove it.
func number(lessons []*Lesson) error {
	var faults []error
	labels := map[string]map[string]string{} // by lesson and label: "Theorem 3.1"
	for _, l := range lessons {
		labels[l.Slug] = l.numberOwn(&faults)
	}
	for _, l := range lessons {
		l.refer(labels, &faults)
	}
	return errors.Join(faults...)
}

// fault adds a fault at a place of a cell's source.
func (l *Lesson) fault(faults *[]error, c *notebook.Cell, at int, cause error, what string) {
	line := c.Line + strings.Count(c.Source[:at], "\n")
	*faults = append(*faults, fmt.Errorf("lessons/%s.md:%d: %w: %s", l.Slug, line, cause, what))
}

// numberOwn numbers what the lesson holds, and returns what each label is called.
func (l *Lesson) numberOwn(faults *[]error) (names map[string]string) {
	names = map[string]string{}
	count := map[string]int{}
	next := func(kind string) string {
		count[kind]++
		return fmt.Sprintf("%s %s.%d", kind, strings.TrimLeft(l.Number, "0"), count[kind])
	}
	noted, deeper := false, false // in the section about the notes, in an optional one
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		if c.Kind == notebook.Code {
			if shows := c.HasTag(notebook.TagFigure) || c.HasTag(notebook.TagExplorable); l.Form >= 3 && shows && !noted && !c.HasTag(notebook.TagSolution) {
				name := next("Figure")
				if c.Metadata == nil {
					c.Metadata = map[string]any{}
				}
				c.Metadata[notebook.FigureKey] = name
				names["cell-"+c.ID] = name
			}
			continue
		}
		if c.Kind != notebook.Markdown {
			continue
		}
		if section.MatchString(c.Source) {
			noted, deeper = c.HasTag(notebook.TagNotes), c.Optional() > 0
		}
		if l.Form < 3 {
			continue
		}
		if plain := link.ReplaceAllStringFunc(c.Source, notebook.Blanks); !noted {
			for _, m := range typed.FindAllStringIndex(plain, -1) {
				l.fault(faults, c, m[0], ErrNumberTyped, fmt.Sprintf("%q; write [theorem](#its-label), and the build counts", plain[m[0]:m[1]]))
			}
		}
		var b strings.Builder
		end := 0
		for _, m := range statement.FindAllStringSubmatchIndex(c.Source, -1) {
			kind := c.Source[m[2]:m[3]]
			if m[4] < 0 {
				l.fault(faults, c, m[0], ErrLabelMissing, fmt.Sprintf("**%s {#%s-its-name} …", kind, strings.ToLower(kind)))
				continue
			}
			label := c.Source[m[4]:m[5]]
			b.WriteString(c.Source[end:m[0]])
			end = m[1]
			name, again := names[label]
			if !again {
				name = next(kind)
				names[label] = name
				b.WriteString(`<a id="` + label + `"></a>`)
			} else if !deeper || !strings.HasPrefix(name, kind+" ") {
				l.fault(faults, c, m[0], ErrLabelTwice, label)
			}
			b.WriteString("**" + name)
		}
		c.Source = b.String() + c.Source[end:]
	}
	return names
}

// refer replaces the lesson's references by the names of what they refer to.
func (l *Lesson) refer(labels map[string]map[string]string, faults *[]error) {
	headings := map[string]bool{}
	for i := range l.Parsed.Cells {
		for _, h := range l.Parsed.Cells[i].Headings() {
			headings[notebook.Anchor(h)] = true
		}
	}
	cells := func(id string) bool {
		return slices.ContainsFunc(l.Parsed.Cells, func(c notebook.Cell) bool { return "cell-"+c.ID == id })
	}
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		if c.Kind != notebook.Markdown {
			continue
		}
		for _, m := range inside.FindAllStringSubmatchIndex(c.Source, -1) {
			if to := c.Source[m[2]:m[3]]; !headings[to] && labels[l.Slug][to] == "" && !cells(to) {
				l.fault(faults, c, m[0], ErrReference, "#"+to)
			}
		}
		for _, m := range mention.FindAllStringSubmatchIndex(c.Source, -1) {
			file, label := l.Slug, c.Source[m[4]:m[5]]
			if m[2] >= 0 {
				file = c.Source[m[2]:m[3]]
			}
			if labels[file][label] == "" {
				l.fault(faults, c, m[0], ErrReference, c.Source[m[0]:m[1]])
			}
		}
		c.Source = mention.ReplaceAllStringFunc(c.Source, func(s string) string {
			m := mention.FindStringSubmatch(s)
			file := m[1]
			if file == "" {
				file = l.Slug
			}
			_, to, _ := strings.Cut(s, "](")
			return "[" + labels[file][m[2]] + "](" + to
		})
	}
}
