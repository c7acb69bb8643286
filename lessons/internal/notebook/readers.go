package notebook

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ForReaders returns the notebook as it is handed out and set as a page, and leaves n alone:
//
//   - A folded cell begins with its summary as a comment, the one line of it that JupyterLab and Notebook 7
//     show; where nothing folds (GitHub, nbviewer), it says what the cell does.
//   - A hint, an answer, and the solution of a task on paper, is a Markdown cell that folds itself (<details>).
//   - A section tagged "notes" is folded under its heading. So is an optional one, which also says that it is optional.
//   - The text above the first visible line %% explains it.
//   - The caption of a figure begins with its number, if the cell has one.
//   - A link to another lesson's Markdown leads to its notebook, and a link to a section leads to the anchor that
//     JupyterLab gives to the section's heading.
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
		case c.Kind == Code && c.Folded():
			c.Source = summaryLine(c) + c.SourceWithoutSummary()
		case c.Kind == Markdown && c.HasTag(TagSolution):
			c.Source = details("Solution", c.Source)
		case c.Kind == Markdown && c.HasTag(TagAnswer):
			c.Source = details("Show the answer", c.Source)
		case c.Kind == Markdown && (c.HasTag(TagNotes) || c.Optional() > 0):
			c.Metadata = orEmpty(maps.Clone(c.Metadata))
			c.Metadata["jp-MarkdownHeadingCollapsed"] = true
		}
		if heading, text, _ := strings.Cut(c.Source, "\n"); c.Optional() > 0 && !strings.Contains(text, optional) {
			c.Source = heading + "\n\n" + optional + "\n\n" + strings.TrimLeft(text, "\n")
		}
		numberCaptions(c)
	}
	explainSplit(r.Cells)
	headings := jupyterAnchors(r.Cells)
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Kind != Markdown {
			continue
		}
		c.Source = lessonLink.ReplaceAllString(c.Source, "]($1.ipynb")
		c.Source = sectionLink.ReplaceAllStringFunc(c.Source, func(link string) string {
			if to, ok := headings[strings.TrimSuffix(strings.TrimPrefix(link, "](#"), ")")]; ok {
				return "](#" + to + ")"
			}
			return link
		})
	}
	return &r
}

// optionalHeading matches the heading of an optional section, which says how long it takes.
var optionalHeading = regexp.MustCompile(`^## Going deeper: .+ \((\d+) minutes\)[ \t]*(?:\n|$)`)

const optional = "*This section is optional. The rest of the lesson does not need it.*"

// Optional returns the minutes that an optional section takes if the cell begins one; else 0.
func (c *Cell) Optional() int {
	m := optionalHeading.FindStringSubmatch(c.Source)
	if c.Kind != Markdown || m == nil {
		return 0
	}
	minutes, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return minutes
}

var (
	figureNumber  = regexp.MustCompile(`^\*\*Figure [0-9.]+\*\* `)
	splitLine     = regexp.MustCompile(`(?m)^%%[ \t]*$`)
	sectionLink   = regexp.MustCompile(`\]\(#[^)\s]+\)`)
	headingLine   = regexp.MustCompile(`(?m)^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$`)
	sectionStarts = regexp.MustCompile(`(?m)^## `)
	anyFence      = regexp.MustCompile("(?ms)^```.*?^```")
)

// Blanks returns as many blanks as s has bytes. Text that they replace keeps the places of what follows it.
func Blanks(s string) string { return strings.Repeat(" ", len(s)) }

// Number is what the figure of the cell is called, such as "Figure 3.2"; "" if it has no number.
func (c *Cell) Number() string { return text(c.Metadata[FigureKey]) }

// numberCaptions puts the figure's number before the caption that follows the figure in the cell's outputs.
func numberCaptions(c *Cell) {
	if c.Number() == "" {
		return
	}
	c.Outputs = slices.Clone(c.Outputs)
	for i := range c.Outputs {
		o := &c.Outputs[i]
		said, _ := o.Metadata["svmkit"].(map[string]any)
		if caption, ok := o.Data["text/markdown"].(string); ok && said["role"] == "caption" {
			o.Data = maps.Clone(o.Data)
			o.Data["text/markdown"] = "**" + c.Number() + ".** " + figureNumber.ReplaceAllString(caption, "")
		}
	}
}

const split = "*(In a cell, the line `%%` separates declarations from the statements that run.)*"

// explainSplit adds to the text above the first visible line %% what that line does.
func explainSplit(cells []Cell) {
	text := -1 // the last cell of prose
	for i := range cells {
		c := &cells[i]
		switch {
		case c.Kind == Markdown && !strings.HasPrefix(c.Source, "<details>"):
			text = i
		case c.Kind == Code && !c.Folded() && !c.HasTag(TagSolution) && splitLine.MatchString(c.Source):
			if text >= 0 && !strings.Contains(cells[text].Source, split) {
				cells[text].Source += "\n\n" + split
			}
			return
		}
	}
}

// Anchor returns the id that pages give to a heading: its words in lower case, joined by "-".
func Anchor(heading string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

// Headings returns the text of each heading of the cell.
func (c *Cell) Headings() (headings []string) {
	if c.Kind != Markdown {
		return nil
	}
	for _, m := range headingLine.FindAllStringSubmatch(anyFence.ReplaceAllString(c.Source, ""), -1) {
		headings = append(headings, m[1])
	}
	return headings
}

// jupyterAnchors returns what JupyterLab makes of each heading, by its [Anchor].
func jupyterAnchors(cells []Cell) map[string]string {
	anchors := map[string]string{}
	for i := range cells {
		for _, h := range cells[i].Headings() {
			if !strings.ContainsAny(h, "$`*[") {
				anchors[Anchor(h)] = url.PathEscape(strings.ReplaceAll(h, " ", "-"))
			}
		}
	}
	return anchors
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

// Summary is the line under which a [Cell.Folded] cell is folded; "" if it has none.
func (c *Cell) Summary() string { return text(c.Metadata["summary"]) }

// SourceWithoutSummary returns the source of a folded cell without the summary that
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
	deeper := false // in an optional section
	for i := range n.Cells {
		c := &n.Cells[i]
		fault := func(detail string, args ...any) {
			faults = append(faults, &ParseError{Name: name, Line: c.Line, Cell: i + 1, Err: ErrTagUse, Detail: fmt.Sprintf(detail, args...)})
		}
		if at := sectionStarts.FindAllStringIndex(anyFence.ReplaceAllStringFunc(c.Source, Blanks), -1); c.Kind == Markdown && len(at) > 0 {
			optional := strings.Contains(c.Source, "\n## Going deeper: ") || strings.HasPrefix(c.Source, "## Going deeper: ")
			switch {
			case optional && c.Optional() == 0:
				fault(`an optional section begins a cell, and its heading is "## Going deeper: … (30 minutes)"`)
			case (optional || deeper) && (len(at) > 1 || at[0][0] > 0):
				fault("a section begins inside a cell that belongs to an optional one; two blank lines make it a cell of its own")
			}
			deeper = optional
		}
		for _, tag := range c.Tags {
			if !slices.Contains(known, tag) && !erratumTag.MatchString(tag) {
				fault("there is no tag %q; lessons/README.md lists them", tag)
			}
		}
		switch {
		case c.Folded() && (c.Kind != Code || c.Summary() == ""):
			fault(`a code cell with tags=["fold"] or ["check"] has summary="one line that says what it does"`)
		case c.HasTag(TagNotes) && (c.Kind != Markdown || !strings.HasPrefix(c.Source, "## ")):
			fault(`the section with tags=["notes"] is Markdown and begins with its heading "## …"`)
		case c.HasTag(TagPaper) && c.Kind != Markdown:
			fault(`a task on paper, tags=["paper"], is Markdown`)
		case c.HasTag(TagGuess) && c.Kind != Code:
			fault(`a guess is code`)
		case c.HasTag(TagAnswer) && c.Kind != Markdown:
			fault(`an answer, tags=["answer"], is Markdown`)
		}
	}
	return faults
}

var (
	known = []string{TagExercise, TagSolution, TagBreak, TagFigure, TagFold, TagGuess, TagHint, TagPaper, TagNotes,
		TagCheck, TagAnswer, TagExplorable, "worked-example", "raises-exception"}
	erratumTag = regexp.MustCompile(`^erratum-[1-9][0-9]*$`)
)
