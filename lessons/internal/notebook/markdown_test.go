package notebook

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const header = `---
title: "Why it stops"
summary: >-
  A bound on mistakes
  that does not grow with n.
proves:
  - k ≤ R²/γ²
  - "‖w‖² ≤ kR²"
time: 40 min
jupyter:
  kernelspec:
    display_name: Go (gonb)
    language: go
    name: gonb
---
`

// canonical holds one of everything that a lesson may hold, as Jupytext lays it out.
const canonical = header + "\n" + `# Why it stops

A *question* with $a_1 \le b_2$.


A second Markdown cell, after two blank lines.

` + "```text" + `
a fence of another language stays here,


with its blank lines
` + "```" + `

    an indented block


    too

Still the same cell.

` + "```go" + `
x := 1


y := 2
` + "```" + `

` + "```go name=\"bound\" tags=[\"exercise\", \"slow\"]" + `
%%
fmt.Println("é")
` + "```" + `

` + "````go tags=[\"solution\"]" + `
s := ` + "`\n```\n`" + `
` + "````" + `

<!-- #region A title tags=["aside"] -->
Two paragraphs,


one cell.

` + "```go" + `
not a cell
` + "```" + `
<!-- #endregion -->

<!-- #raw raw_mimetype="text/html" -->
<b>raw</b>
<!-- #endraw -->

` + "```go active=\"md\"" + `
only in the text
` + "```" + `

` + "```go .noeval" + `
only to be read
` + "```" + `
`

func parse(t *testing.T, src string) *Notebook {
	t.Helper()
	n, err := ParseMarkdown("lesson.md", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestParseMarkdown(t *testing.T) {
	n := parse(t, canonical)
	type cell struct {
		kind  CellType
		start string // of the source
		end   string
		tags  []string
		meta  map[string]any
	}
	want := []cell{
		{Markdown, "# Why it stops", "b_2$.", nil, nil},
		{Markdown, "A second Markdown", "Still the same cell.", nil, nil},
		{Code, "x := 1\n\n\ny", "y := 2", nil, nil},
		{Code, "%%\n", `("é")`, []string{"exercise", "slow"}, map[string]any{"name": "bound"}},
		{Code, "s := `", "\n```\n`", []string{"solution"}, nil},
		{Markdown, "Two paragraphs,\n\n\none", "not a cell\n```", []string{"aside"}, map[string]any{"title": "A title"}},
		{Raw, "<b>raw</b>", "<b>raw</b>", nil, map[string]any{"raw_mimetype": "text/html"}},
		{Raw, "only in the text", "only in the text", nil, map[string]any{"active": "md"}},
		{Markdown, "```go .noeval", "only to be read\n```", nil, nil},
	}
	if len(n.Cells) != len(want) {
		t.Fatalf("%d cells, want %d: %+v", len(n.Cells), len(want), n.Cells)
	}
	text := strings.Split(canonical, "\n")
	for i, w := range want {
		c := n.Cells[i]
		if c.Kind != w.kind || !strings.HasPrefix(c.Source, w.start) || !strings.HasSuffix(c.Source, w.end) {
			t.Errorf("cell %d: %s %q", i, c.Kind, c.Source)
		}
		if !reflect.DeepEqual(c.Tags, w.tags) || !reflect.DeepEqual(c.Metadata, w.meta) {
			t.Errorf("cell %d: tags %v metadata %v", i, c.Tags, c.Metadata)
		}
		if first, _, _ := strings.Cut(c.Source, "\n"); text[c.Line-1] != first {
			t.Errorf("cell %d: line %d is %q, the cell begins with %q", i, c.Line, text[c.Line-1], first)
		}
	}
	f := n.FrontMatter()
	if f.Title != "Why it stops" || f.Summary != "A bound on mistakes that does not grow with n." ||
		f.Reading != 40 || f.Exercises != 0 || !reflect.DeepEqual(f.Proves, []string{"k ≤ R²/γ²", "‖w‖² ≤ kR²"}) {
		t.Errorf("front matter %+v", f)
	}
	if n.Language() != "go" {
		t.Errorf("language %q", n.Language())
	}
}

func TestCanonicalMarkdownIsUnchanged(t *testing.T) {
	for _, src := range []string{canonical, "", "only prose\n", header, "<!--\n\n" + header + "\n-->\n\nprose\n"} {
		if got := string(parse(t, src).Markdown()); got != src {
			t.Errorf("got\n%s\nwant\n%s", got, src)
		}
	}
}

// What is not canonical means the same after it was made so.
func TestLayoutIsNormalised(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"no blank lines", "a\n```go\nx\n```\nb\n", "a\n\n```go\nx\n```\n\nb\n"},
		{"many blank lines", "\n\na\n\n\n\n\nb\n\n\n\n```go\nx\n```\n\n\n\n", "a\n\n\nb\n\n```go\nx\n```\n"},
		{"windows", "a\r\n\r\n```go\r\nx\r\n```\r\n", "a\n\n```go\nx\n```\n"},
		{"upper case, space", "``` GO\nx\n```\n", "```go\nx\n```\n"},
		{"long fence", "`````go\nx\n`````\n", "```go\nx\n```\n"},
		{"longer closing", "```go\nx\n````\n", "```go\nx\n```\n"},
		{"empty cell", "```go\n```\n", "```go\n\n```\n"},
		{"options as JSON", "```go {\"tags\": [\"b\",\"a\"], \"z\": 1.0}\nx\n```\n", "```go tags=[\"b\", \"a\"] z=1.0\nx\n```\n"},
		{"option order", "```go tags=[\"a\"]  name = \"n\" word\nx\n```\n", "```go name=\"n\" tags=[\"a\"] word\nx\n```\n"},
		{"ASCII only, as Jupytext", "```go tags=[\"é😀\"]\nx\n```\n", "```go tags=[\"\\u00e9\\ud83d\\ude00\"]\nx\n```\n"},
		{"byte order mark", "\ufeffa\n", "a\n"},
		{"useless region", "<!-- #region -->\na\n<!-- #endregion -->\n", "a\n"},
		{"needed region", "<!-- #md -->\na\n\n\nb\n<!-- #endmd -->\n", "<!-- #md -->\na\n\n\nb\n<!-- #endmd -->\n"},
		{"state of the display", "```go collapsed=true scrolled=false\nx\n```\n", "```go\nx\n```\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := parse(t, c.src)
			got := string(n.Markdown())
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Two blank lines after or before an indented block do not part cells; Jupytext reads it so.
func TestIndentedBlockKeepsBlankLines(t *testing.T) {
	for _, src := range []string{"a\n\n    code\n\n\nb\n", "a\n\n\n    code\n"} {
		n := parse(t, src)
		if len(n.Cells) > 2 {
			t.Errorf("%q: %d cells", src, len(n.Cells))
		}
	}
	if n := parse(t, "a\n\n\n    code\n"); len(n.Cells) != 1 {
		t.Errorf("%d cells, want 1", len(n.Cells))
	}
	two := New(Cell{Kind: Markdown, Source: "a\n\n    code"}, Cell{Kind: Markdown, Source: "b"})
	if n := parse(t, string(two.Markdown())); len(n.Cells) != 2 {
		t.Errorf("cells joined:\n%s", two.Markdown())
	}
}

func TestMarkdownErrors(t *testing.T) {
	for _, c := range []struct {
		name, src string
		cause     error
		line, col int
	}{
		{"code never closed", "a\n\n```go\nx\n", ErrUnclosed, 3, 0},
		{"closed too short", "````go\nx\n```\n", ErrUnclosed, 1, 0},
		{"block never closed", "a\n```text\n\n```go\nx\n", ErrUnclosed, 2, 0},
		{"region never closed", "a\n\n<!-- #region -->\nx\n<!-- #endmd -->\n", ErrUnclosed, 3, 0},
		{"header never closed", "---\ntitle: x\n", ErrUnclosed, 1, 0},
		{"hidden header never closed", "<!--\n---\ntitle: x\n---\n\na\n", ErrUnclosed, 2, 0},
		{"bare value", "a\n\n```go tags=exercise\nx\n```\n", ErrOptions, 3, 12},
		{"single quotes", "```go tags=['exercise']\nx\n```\n", ErrOptions, 1, 12},
		{"junk", "```go name=\"x\" !\nx\n```\n", ErrOptions, 1, 16},
		{"twice", "```go a=1 a=2\nx\n```\n", ErrOptions, 1, 11},
		{"tag is no list", "```go tags=\"exercise\"\nx\n```\n", ErrTags, 1, 7},
		{"tag with comma", "```go tags=[\"a,b\"]\nx\n```\n", ErrTags, 1, 7},
		{"same tag twice", "```go tags=[\"a\", \"a\"]\nx\n```\n", ErrTags, 1, 7},
		{"tag is a number", "```go tags=[1]\nx\n```\n", ErrTags, 1, 7},
		{"region option", "<!-- #region a title x=y -->\n<!-- #endregion -->\n", ErrOptions, 1, 24},
		{"YAML syntax", "---\ntitle: ok\nsummary: [\n---\n", ErrHeader, 3, 0},
		{"YAML's own line ends", "---\ntitle: \"a\u0085b\u2028c\u2029\"\nsummary: [\n---\n", ErrHeader, 3, 0},
		{"YAML tab", "---\na: 1\nb:\n\t- x\n---\n", ErrHeader, 4, 0},
		{"jupyter is a list", "---\njupyter: [1]\n---\n", ErrHeader, 2, 0},
		{"kernel without a name", "---\njupyter:\n  kernelspec:\n    display_name: Go\n---\n", ErrHeader, 2, 0},
		{"not for JSON", "---\ntitle: .nan\n---\n", ErrHeader, 2, 0},
		{"not UTF-8", "a\nb\xff\n", ErrEncoding, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseMarkdown("lessons/03.md", []byte(c.src))
			var e *ParseError
			if !errors.As(err, &e) || !errors.Is(err, c.cause) {
				t.Fatalf("error %v, want %v", err, c.cause)
			}
			if e.Line != c.line || e.Column != c.col {
				t.Errorf("at %d:%d, want %d:%d (%v)", e.Line, e.Column, c.line, c.col, err)
			}
			if !strings.HasPrefix(err.Error(), "lessons/03.md:") {
				t.Errorf("error does not name the file: %v", err)
			}
		})
	}
}

// randomNotebook draws cells from a small alphabet that is rich in everything with a meaning.
func randomNotebook(t *rapid.T) *Notebook {
	line := rapid.SampledFrom([]string{
		"", "", " ", "a", "# b", "    indented", "```", "```go", "```go tags=[\"x\"]", "```text", "````", "``` x ```", "---",
		"<!-- #region -->", "<!-- #md -->", "<!-- #raw -->", "<!-- #endraw -->", "<!-- #endmd -->", "$x_1$", "- item", "%%", "~~~", "é\u2028",
	})
	key := rapid.SampledFrom([]string{"name", "title", "a.b", "k-2", "w/x", "jupyter"})
	value := rapid.SampledFrom([]any{nil, true, "a title", "x=y", "é\"\\<b>😀", map[string]any{"b": "1, 2: 3", "a": []any{"x", nil}}})
	cell := rapid.Custom(func(t *rapid.T) Cell {
		c := Cell{
			Kind:   rapid.SampledFrom([]CellType{Markdown, Markdown, Code, Raw}).Draw(t, "kind"),
			Source: strings.Join(rapid.SliceOfN(line, 1, 7).Draw(t, "lines"), "\n"),
			Tags:   rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"exercise", "solution", "fold", "é x"}), 0, 2, rapid.ID).Draw(t, "tags"),
		}
		for k, v := range rapid.MapOfN(key, value, 0, 2).Draw(t, "metadata") {
			if k == "name" && v != "a title" {
				continue // a name must be a text
			}
			if _, isMap := v.(map[string]any); k == "jupyter" && !isMap {
				continue // nbformat demands a map
			}
			c.set(k, v)
		}
		if len(c.Tags) == 0 {
			c.Tags = nil
		}
		if c.Kind == Raw { // the one thing that cannot be escaped: the mark that ends a raw cell
			c.Source = strings.ReplaceAll(c.Source, "#endraw", "#end")
		}
		return c
	})
	return New(rapid.SliceOfN(cell, 0, 6).Draw(t, "cells")...)
}

func sameText(a, b *Notebook) string {
	if len(a.Cells) != len(b.Cells) {
		return "number of cells"
	}
	for i := range a.Cells {
		x, y := a.Cells[i], b.Cells[i]
		delete(x.Metadata, "region_name")
		delete(y.Metadata, "region_name")
		if len(x.Metadata)+len(y.Metadata) > 0 && !reflect.DeepEqual(x.Metadata, y.Metadata) {
			return "metadata"
		}
		if x.Kind != y.Kind || x.Source != y.Source || !reflect.DeepEqual(x.Tags, y.Tags) {
			return "a cell"
		}
	}
	return ""
}

func TestMarkdownRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := randomNotebook(t)
		md := n.Markdown()
		back, err := ParseMarkdown("x.md", md)
		if err != nil {
			t.Fatalf("%v in\n%s", err, md)
		}
		if again := back.Markdown(); !bytes.Equal(md, again) {
			t.Fatalf("not canonical:\n%s\nbecame\n%s", md, again)
		}
		if diff := sameText(n, back); diff != "" {
			t.Fatalf("%s differs:\n%+v\nwas read from\n%s\nas\n%+v", diff, n.Cells, md, back.Cells)
		}
	})
}

// A carriage return is a line ending of Markdown: it can be part of no cell's text.
func TestLineEnds(t *testing.T) {
	for _, src := range []string{"a\n\n```go\nx\ny\n```\n\nb\n", "a\r\n\r\n```go\r\nx\r\ny\r\n```\r\n\r\nb\r\n", "a\r\r```go\rx\ry\r```\r\rb\r"} {
		n := parse(t, src)
		if len(n.Cells) != 3 || n.Cells[0].Source != "a" || n.Cells[1].Source != "x\ny" || n.Cells[2].Source != "b" {
			t.Errorf("%q was read as %+v", src, n.Cells)
		}
	}
	n := New(Cell{Kind: Code, Source: "x\r\ny\rz", Tags: []string{"fold"}}, Cell{Kind: Markdown, Source: "a\r", Metadata: map[string]any{"title": "b\rc"}})
	md := n.Markdown()
	if back := parse(t, string(md)); bytes.ContainsRune(md, '\r') || back.Cells[0].Source != "x\ny\nz" || back.Cells[1].Metadata["title"] != "b\rc" {
		t.Errorf("written as %q, read as %+v", md, back.Cells)
	}
}

// A notebook that Jupytext made keeps the front matter in a raw cell; as text both have the same header.
func TestFrontMatterInRawCell(t *testing.T) {
	n := New(Cell{Kind: Raw, Source: "---\ntitle: T\nb: 1\n---"}, Cell{Kind: Markdown, Source: "a"})
	md := string(n.Markdown())
	if !strings.HasPrefix(md, "---\ntitle: T\nb: 1\njupyter:\n") {
		t.Errorf("header\n%s", md)
	}
	back := parse(t, md)
	if len(back.Cells) != 1 || back.FrontMatter().Title != "T" {
		t.Errorf("read back as %+v", back)
	}
}
