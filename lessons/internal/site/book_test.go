package site

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

const bookLesson = `# 3 · It stops

**Theorem 1 (a bound).** Let $a<b$. See [the first](01-first.ipynb#cell-the-foot) and [lesson 1](01-first.ipynb).

## Proof

By theorem 1, by theorems 1 and 2, by lesson 1's theorem 2, by Theorem 2 of lesson 1: $$\Bigl(\sum_i x_i\Bigr)^2.$$ The **foot** is near.

**Theorem 2.** More.

` + "```go tags=[\"fold\"] summary=\"what it imports\" name=\"shown\"\nvar folded = 1\n```\n\n```go tags=[\"guess\"]\n%%\nfmt.Println(1)\n```\n\n" + `
## Exercises

### Exercise 3.1 (five minutes): a bound

Write it.

` + "```go tags=[\"exercise\"]\nfunc stub() {}\n```\n\n<!-- #region tags=[\"hint\"] -->\nThink of $R$.\n<!-- #endregion -->\n\n```go tags=[\"solution\"]\nfunc solved() {}\n```\n\n" + `
<!-- #region tags=["paper"] -->
### On paper 3.2 (ten minutes): another

Prove it.
<!-- #endregion -->

<!-- #region tags=["solution"] -->
Easily.
<!-- #endregion -->

<!-- #region tags=["notes"] -->
## What the notes print

Nothing.
<!-- #endregion -->
`

var pictureSource = regexp.MustCompile(`<img[^>]* src="([^"]*)"`)

// The book is made of the pages: numbered theorems and figures, alternative texts, no folded code, solutions at the end, links
// that stay within it.
func TestBook(t *testing.T) {
	g, sources := guided(t)
	g.Glossary = []course.Entry{{Term: "foot", Lesson: 3, Means: "The nearest $p$."}, {Symbol: "R", Lesson: 3, Section: "Proof", Means: "A length."}}
	g.Routes = []course.Route{{Name: "half", Title: "Half a day", About: "The start.", Parts: []course.RoutePart{{Lesson: 1}}}}
	n, err := notebook.ParseMarkdown("03-stops.md", []byte(bookLesson))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n.Cells {
		if c := &n.Cells[i]; c.HasTag(notebook.TagGuess) {
			c.Outputs = []notebook.Output{
				{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}, Metadata: map[string]any{"svmkit": map[string]any{"alt": "A dot & a line.", "caption": "One dot."}}},
				{Type: notebook.Stream, Name: "stdout", Text: "✓ it holds\n"},
			}
		}
	}
	dir := t.TempDir()
	if err := Book(context.Background(), g, append(sources, Source{Number: 3, Slug: "03-stops", Notebook: n}), dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "book.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	want(t, page, `<h1 id="03-stops">`, `<span id="03-stops-theorem-1"><strong>Theorem 3.1 (a bound).</strong></span>`, `<strong>Theorem 3.2.</strong>`, `\(a&lt;b\)`, `\[\Big(\sum_i x_i\Bigr)^2.\]`,
		"By theorem 3.1, by theorems 3.1 and 3.2, by lesson 1&#39;s theorem 2, by Theorem 2 of lesson 1", `<a href="#01-first-cell-the-foot">the first</a>`, `<a href="#01-first">lesson 1</a>`,
		`alt="A dot &amp; a line."`, `<strong>Figure 3.1.</strong> One dot.`, `<pre class="go"><code>func stub() {}</code></pre>`, `<h2 id="03-stops-what-the-notes-print">`, "<strong>The answer:</strong>",
		`<a href="#03-stops-theorem-1">Theorem 3.1</a> (a bound)`, `<span id="03-stops-term-foot"><strong>foot</strong></span>`, `<a href="#03-stops-term-foot">foot</a>`, `<a href="#03-stops-proof">3 · Proof</a>`,
		"<strong>Half a day</strong>: lesson 1. The start.", "needs 1, 2")
	reject(t, page, "folded", "plumbing", "<details", `class="math`, `href="03`, "tabindex")
	end := page[strings.Index(page, `<h2 id="03-stops-hints-and-solutions">`):]
	want(t, end, `<h3 id="03-stops-exercise-3-1-five-minutes-a-bound-solved">Exercise 3.1`, "<strong>Hint 1.</strong>", `Think of \(R\).`, "<strong>Solution.</strong>", "func solved() {}", "On paper 3.2", "Easily.")
	reject(t, end, "What the notes print")
	if n := strings.Count(end, `-solved">`); n != 2 {
		t.Errorf("%d headings for two tasks", n)
	}
	if src := pictureSource.FindStringSubmatch(page); src == nil {
		t.Error("no picture")
	} else if _, err := os.Stat(filepath.Join(dir, src[1])); err != nil {
		t.Error(err)
	}
}
