package course

import (
	"errors"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

func numbered(t *testing.T, texts ...string) ([]*Lesson, error) {
	t.Helper()
	var lessons []*Lesson
	for i, text := range texts {
		slug := []string{"01-one", "02-two"}[i]
		n, err := notebook.ParseMarkdown(slug+".md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		lessons = append(lessons, &Lesson{Number: slug[:2], Form: 3, Slug: slug, Parsed: n})
	}
	return lessons, number(lessons)
}

func TestNumbers(t *testing.T) {
	lessons, err := numbered(t, `# 1

**Theorem {#theorem-a} (first).** By [Lemma](#lemma-b) and [definition](02-two.md#definition-c), see [figure](#cell-two).

**Theorem {#theorem-d}.** As [theorem](#theorem-a) says. **Lemma {#lemma-b}.** So.

`+"```go tags=[\"figure\"] name=\"one\"\nlab.Show(f)\n```\n\n```go tags=[\"explorable\"] name=\"two\"\nlab.Explore(f)\n```\n"+`
## Going deeper: more (5 minutes)

**Theorem {#theorem-d}.** Again.
`, "# 2\n\n**Definition {#definition-c}.** It is. See [theorem](01-one.md#theorem-d), and [below](#a-section).\n\n## A section\n\nText.\n")
	if err != nil {
		t.Fatal(err)
	}
	one, two := lessons[0].Parsed.Cells, lessons[1].Parsed.Cells
	for _, c := range []struct {
		cell notebook.Cell
		want []string
	}{
		{one[0], []string{`<a id="theorem-a"></a>**Theorem 1.1 (first).** By [Lemma 1.1](#lemma-b) and [Definition 2.1](02-two.md#definition-c), see [Figure 1.2](#cell-two).`,
			`<a id="theorem-d"></a>**Theorem 1.2.** As [Theorem 1.1](#theorem-a) says. <a id="lemma-b"></a>**Lemma 1.1.** So.`}},
		{one[3], []string{"\n\n**Theorem 1.2.** Again."}},
		{two[0], []string{"**Definition 2.1.** It is. See [Theorem 1.2](01-one.md#theorem-d), and [below](#a-section)."}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.cell.Source, want) {
				t.Errorf("%q does not contain %q", c.cell.Source, want)
			}
		}
	}
	if one[1].Number() != "Figure 1.1" || one[2].Number() != "Figure 1.2" {
		t.Errorf("the figures are %q and %q", one[1].Number(), one[2].Number())
	}
}

func TestNumberFaults(t *testing.T) {
	for _, c := range []struct {
		text, at string
		cause    error
	}{
		{"# 1\n\nBy Theorem 1.2 it is.\n", "lessons/01-one.md:3: ", ErrNumberTyped},
		{"# 1\n\n\nFigures 1 and 2 show it.\n", "lessons/01-one.md:4: ", ErrNumberTyped},
		{"# 1\n\n**Theorem (no label).** So.\n", "lessons/01-one.md:3: ", ErrLabelMissing},
		{"# 1\n\n**Theorem {#theorem-a}.** So.\n\n**Theorem {#theorem-a}.** And so.\n", "lessons/01-one.md:5: ", ErrLabelTwice},
		{"# 1\n\nBy [theorem](#theorem-a).\n", "lessons/01-one.md:3: ", ErrReference},
		{"# 1\n\nBy [theorem](02-two.md#theorem-a).\n", "lessons/01-one.md:3: ", ErrReference},
		{"# 1\n\nSee [below](#no-such-section).\n", "lessons/01-one.md:3: ", ErrReference},
		{"# 1\n\n**Lemma {#theorem-a}.** So.\n\n\n## Going deeper: x (5 minutes)\n\n**Theorem {#theorem-a}.** So.\n", "lessons/01-one.md:8: ", ErrLabelTwice},
	} {
		if _, err := numbered(t, c.text); !errors.Is(err, c.cause) || !strings.HasPrefix(err.Error(), c.at) {
			t.Errorf("%q: got %v, want %v at %s", c.text, err, c.cause, c.at)
		}
	}
	ok := "# 1\n\nSee [Theorem 4.1 of the book](https://example.org).\n\n<!-- #region tags=[\"notes\"] -->\n## What the notes print\n\nFigure 2 of note A.\n<!-- #endregion -->\n"
	if _, err := numbered(t, ok); err != nil {
		t.Error(err)
	}
}
