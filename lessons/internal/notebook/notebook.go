// Package notebook reads and writes lessons: Jupytext's Markdown format, in which they are
// written, and Jupyter's nbformat 4.5, in which they are executed and published.
//
// The two directions are
//
//	ParseMarkdown → *Notebook → WriteJSON, WriteFile     (a lesson becomes a notebook)
//	ReadJSON      → *Notebook → Markdown                 (any notebook becomes text)
//
// # What the Markdown means
//
// The rules are those of Jupytext's format "markdown", version 1.3
// (https://jupytext.readthedocs.io/en/latest/formats-markdown.html):
//
//   - A YAML header between two lines "---". Its section "jupyter" is the notebook's metadata;
//     all other keys are the front matter, kept under jupytext.root_level_metadata.
//   - A fence in the notebook's language (```go) at the beginning of a line is a code cell.
//     Options follow on the fence line: tags=["exercise"] name="bound" key={"any": "JSON"}.
//     A longer fence closes with one at least as long, so that a cell can hold ```.
//   - Prose is a Markdown cell. Two blank lines split it into two, unless they stand in a
//     fenced or an indented block.
//   - <!-- #region key=value --> … <!-- #endregion --> is one Markdown cell, whatever it holds;
//     <!-- #raw --> … <!-- #endraw --> is a raw cell.
//
// There are two deliberate differences. A fence in another language stays in the prose, where
// Jupytext would make a cell with a magic like %%bash, which GoNB does not stop at when it
// fails. And a fence or region that is never closed is an error, since all that follows,
// with its assertions, would silently become one cell.
package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
)

// CellType says what a cell holds. Its value is the cell_type of nbformat.
type CellType string

const (
	Markdown CellType = "markdown" // prose and mathematics
	Code     CellType = "code"     // source for the kernel
	Raw      CellType = "raw"      // text that a front end passes on as it is
)

// Tags with a meaning of their own. Any other tag is kept and means nothing here.
const (
	TagExercise   = "exercise"   // a stub for the reader; its check must fail
	TagSolution   = "solution"   // folded in the notebook, together with its output
	TagBreak      = "break"      // removes a hypothesis on purpose
	TagFigure     = "figure"     // must display a figure
	TagExplorable = "explorable" // shows something to move
	TagFold       = "fold"       // the source is folded under the cell's summary, the output is not
	TagGuess      = "guess"      // the output is folded until the reader asks for it
	TagHint       = "hint"       // folded, to the exercise or task above; code of a hint is not run
	TagPaper      = "paper"      // a task on paper; its solution is Markdown
	TagNotes      = "notes"      // the heading of the section about the notes, which is folded
	TagCheck      = "check"      // the check of an exercise; folded like "fold", and not counted
	TagAnswer     = "answer"     // Markdown that answers the question above it, folded
)

// Notebook is a lesson as a list of cells.
type Notebook struct {
	// Metadata is nbformat's notebook metadata: kernelspec, language_info, jupytext, ….
	// Values are what encoding/json can write; numbers read from JSON are json.Number.
	Metadata map[string]any
	Cells    []Cell

	header string // the YAML header as its author wrote it, to give it back unchanged
	parsed bool   // from Markdown, so that an empty header means that there was none
}

// Cell is one cell with its outputs.
type Cell struct {
	ID       string // nbformat's cell id: 1 to 64 of a–z, A–Z, 0–9, -, _; unique in its notebook
	Kind     CellType
	Source   string         // lines separated by \n, without a last one
	Tags     []string       // metadata.tags, unique and without commas
	Metadata map[string]any // all other metadata; may be nil
	Line     int            // of Source's first line in the Markdown file, from 1; 0 if not from one

	ExecutionCount *int     // nil: never run. Code cells only
	Outputs        []Output // code cells only

	Attachments map[string]any // images that a Markdown or raw cell carries: name → MIME type → data
}

// HasTag reports whether the cell carries the tag.
func (c *Cell) HasTag(tag string) bool { return slices.Contains(c.Tags, tag) }

// Folded reports whether the cell's source, and not its output, is folded under its summary.
func (c *Cell) Folded() bool { return c.HasTag(TagFold) || c.HasTag(TagCheck) }

// Runs reports whether the cell is for the kernel: it is code, and not a hint.
func (c *Cell) Runs() bool { return c.Kind == Code && !c.HasTag(TagHint) }

// OutputType is nbformat's output_type.
type OutputType string

const (
	Stream        OutputType = "stream"         // Name, Text
	DisplayData   OutputType = "display_data"   // Data, Metadata
	ExecuteResult OutputType = "execute_result" // Data, Metadata, ExecutionCount
	Error         OutputType = "error"          // EName, EValue, Traceback
)

// Output is one output of a code cell. Which fields are used depends on Type.
type Output struct {
	Type OutputType

	Name string // stdout or stderr
	Text string

	Data           map[string]any // MIME type → a string (base64 for pictures), or any JSON value for JSON types
	Metadata       map[string]any
	ExecutionCount *int

	EName, EValue string
	Traceback     []string // with ANSI colours, one entry a line or a block
}

// New returns a notebook for the Go kernel that holds the cells.
func New(cells ...Cell) *Notebook {
	n := &Notebook{Metadata: map[string]any{}, Cells: cells}
	setKernel(n.Metadata)
	n.setIDs()
	return n
}

// Language is the kernel's language in lower case, "go" where the notebook names none.
func (n *Notebook) Language() string { return language(n.Metadata) }

// setKernel names GoNB as the kernel where the metadata name none.
func setKernel(meta map[string]any) {
	if _, ok := meta["kernelspec"]; !ok {
		meta["kernelspec"] = map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}
	}
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// setIDs gives an id to each cell that has none, or none that nbformat allows. See ids.
func (n *Notebook) setIDs() {
	for i, id := range n.ids() {
		n.Cells[i].ID = id
	}
}

// ids returns a valid, unique id for each cell: its own if it is valid and no earlier cell has it, else its
// name (name="foot-in-plane" on the fence line), else a hash of kind and source, numbered where a text
// repeats. So an id survives when other cells change, a named one also when its cell does; generating a
// notebook twice gives the same bytes, and nothing has to be stored in the Markdown.
func (n *Notebook) ids() []string {
	ids := make([]string, len(n.Cells))
	used := make(map[string]bool, len(n.Cells))
	for i, c := range n.Cells {
		if validID.MatchString(c.ID) && !used[c.ID] {
			ids[i] = c.ID
			used[c.ID] = true
		}
	}
	for i, c := range n.Cells {
		if name, _ := c.Metadata["name"].(string); ids[i] == "" && validID.MatchString(name) && !used[name] {
			ids[i] = name
			used[name] = true
		}
	}
	next := map[string]int{} // the smallest number that may be free, by hash: smaller ones are used
	for i, c := range n.Cells {
		if ids[i] != "" {
			continue
		}
		sum := sha256.Sum256([]byte(string(c.Kind) + "\n" + c.Source))
		base := hex.EncodeToString(sum[:6])
		id := base
		k := max(next[base], 2)
		for ; used[id]; k++ {
			id = fmt.Sprintf("%s-%d", base, k)
		}
		ids[i], next[base] = id, k
		used[id] = true
	}
	return ids
}
