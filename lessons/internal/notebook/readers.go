package notebook

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ForReaders returns the notebook as it is handed out and set as a page, and leaves n alone:
//
//   - A folded cell begins with its summary as a comment, the one line of it that JupyterLab and Notebook 7
//     show; where nothing folds (GitHub, nbviewer), it says what the cell does.
//   - A hint, and the solution of a task on paper, is a Markdown cell that folds itself (<details>).
//   - A section tagged "notes" is folded under its heading.
//   - A link to another lesson's Markdown leads to its notebook.
//
// The result of ForReaders is not changed by ForReaders.
func (n *Notebook) ForReaders() *Notebook {
	r := *n
	r.Cells = slices.Clone(n.Cells)
	r.setIDs()
	hints := 0
	for i := range r.Cells {
		c := &r.Cells[i]
		switch {
		case c.HasTag(TagHint):
			hints++
			if c.Kind == Code {
				c.Kind, c.Outputs, c.ExecutionCount = Markdown, nil, nil
				fence := fenceFor(c.Source)
				c.Source = fence + n.Language() + "\n" + c.Source + "\n" + fence
			}
			c.Source = details(fmt.Sprintf("Hint %d", hints), c.Source)
		case c.HasTag(TagExercise), c.HasTag(TagPaper):
			hints = 0
		}
		switch {
		case c.Kind == Code && c.HasTag(TagFold):
			c.Source = summaryLine(c) + c.SourceWithoutSummary()
		case c.Kind == Markdown && c.HasTag(TagSolution):
			c.Source = details("Solution", c.Source)
		case c.Kind == Markdown && c.HasTag(TagNotes):
			c.Metadata = orEmpty(maps.Clone(c.Metadata))
			c.Metadata["jp-MarkdownHeadingCollapsed"] = true
		}
		if c.Kind == Markdown {
			c.Source = lessonLink.ReplaceAllString(c.Source, "]($1.ipynb")
		}
	}
	return &r
}

// WithoutSolutions returns the notebook without the cells that are tagged as solutions, and leaves n alone.
func (n *Notebook) WithoutSolutions() *Notebook {
	r := *n
	r.Cells = slices.Clone(n.Cells)
	r.setIDs()
	r.Cells = slices.DeleteFunc(r.Cells, func(c Cell) bool { return c.HasTag(TagSolution) })
	return &r
}

// lessonLink matches the beginning of a Markdown link to the text of another lesson.
var lessonLink = regexp.MustCompile(`\]\((?:\./)?(\d\d-[a-z0-9-]+)\.md\b`)

// details folds Markdown under a summary. The blank lines are what makes it Markdown again inside the tags.
func details(summary, source string) string {
	if strings.HasPrefix(source, "<details>") {
		return source
	}
	return "<details>\n<summary>" + summary + "</summary>\n\n" + source + "\n\n</details>"
}

// Summary is the line under which a cell tagged "fold" is folded; "" if it has none.
func (c *Cell) Summary() string { return text(c.Metadata["summary"]) }

// SourceWithoutSummary returns the source of a cell tagged "fold" without the summary that
// [Notebook.ForReaders] puts before it.
func (c *Cell) SourceWithoutSummary() string { return strings.TrimPrefix(c.Source, summaryLine(c)) }

func summaryLine(c *Cell) string {
	if c.Summary() == "" {
		return ""
	}
	return "// " + strings.Join(strings.Fields(c.Summary()), " ") + "\n"
}

// TagFaults lists, as [*ParseError] with the line, what the cells' tags ask for and the cells do not give:
// a tag that has no meaning, a fold without a summary, a closing section without its heading.
func (n *Notebook) TagFaults(name string) (faults []error) {
	for i := range n.Cells {
		c := &n.Cells[i]
		fault := func(detail string, args ...any) {
			faults = append(faults, &ParseError{Name: name, Line: c.Line, Cell: i + 1, Err: ErrTagUse, Detail: fmt.Sprintf(detail, args...)})
		}
		for _, tag := range c.Tags {
			if !slices.Contains(known, tag) && !erratumTag.MatchString(tag) {
				fault("there is no tag %q; lessons/README.md lists them", tag)
			}
		}
		switch {
		case c.HasTag(TagFold) && (c.Kind != Code || c.Summary() == ""):
			fault(`a code cell with tags=["fold"] has summary="one line that says what it does"`)
		case c.HasTag(TagNotes) && (c.Kind != Markdown || !strings.HasPrefix(c.Source, "## ")):
			fault(`the section with tags=["notes"] is Markdown and begins with its heading "## …"`)
		case c.HasTag(TagPaper) && c.Kind != Markdown:
			fault(`a task on paper, tags=["paper"], is Markdown`)
		case c.HasTag(TagGuess) && c.Kind != Code:
			fault(`a guess is code`)
		}
	}
	return faults
}

var (
	known = []string{TagExercise, TagSolution, TagBreak, TagFigure, TagFold, TagGuess, TagHint, TagPaper, TagNotes,
		TagExplorable, "worked-example", "raises-exception"}
	erratumTag = regexp.MustCompile(`^erratum-[1-9][0-9]*$`)
)
