package notebook

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

const layered = "# 1\n\nSee [lesson 7](07-dual.md#gap) and [a page](https://example.org/07-dual.md).\n\n" +
	"```go tags=[\"fold\"] summary=\"two  numbers\"\nvar a, b int\n```\n\n" +
	"```go tags=[\"guess\"]\n%%\nfmt.Println(a)\n```\n\n" +
	"```go tags=[\"exercise\"]\nstub\n```\n\n" +
	"<!-- #region tags=[\"hint\"] -->\nTry $a$.\n<!-- #endregion -->\n\n" +
	"```go tags=[\"hint\"]\na + // ?\n```\n\n" +
	"```go tags=[\"solution\"]\nsolved\n```\n\n" +
	"<!-- #region tags=[\"paper\"] -->\nProve it.\n<!-- #endregion -->\n\n" +
	"<!-- #region tags=[\"hint\"] -->\nThink.\n<!-- #endregion -->\n\n" +
	"<!-- #region tags=[\"solution\"] -->\n$$1=1$$\n<!-- #endregion -->\n\n" +
	"<!-- #region tags=[\"notes\"] -->\n## What the notes print\n<!-- #endregion -->\n"

func layers(t *testing.T) *Notebook {
	t.Helper()
	n, err := ParseMarkdown("layers.md", []byte(layered))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestForReaders(t *testing.T) {
	n := layers(t)
	count := 0
	for i := range n.Cells {
		if n.Cells[i].Runs() {
			count++
			k := count
			n.Cells[i].ExecutionCount = &k
		}
	}
	before := layers(t)
	r := n.ForReaders()
	var got []string
	counts := []int{}
	for _, c := range r.Cells {
		got = append(got, c.Source)
		if c.Kind == Code {
			counts = append(counts, *c.ExecutionCount)
		}
	}
	want := []string{
		"# 1\n\nSee [lesson 7](07-dual.ipynb#gap) and [a page](https://example.org/07-dual.md).\n\n" + split,
		"// two numbers\nvar a, b int",
		"%%\nfmt.Println(a)",
		"stub",
		"<details>\n<summary>Hint 1</summary>\n\nTry $a$.\n\n</details>",
		"<details>\n<summary>Hint 2</summary>\n\n```go\na + // ?\n```\n\n</details>",
		"solved",
		"Prove it.",
		"<details>\n<summary>Hint 1</summary>\n\nThink.\n\n</details>",
		"<details>\n<summary>Solution</summary>\n\n$$1=1$$\n\n</details>",
		"## What the notes print",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if !reflect.DeepEqual(counts, []int{1, 2, 3, 4}) {
		t.Errorf("execution counts %v", counts)
	}
	for i, c := range n.Cells {
		if c.Source != before.Cells[i].Source || c.Metadata["jp-MarkdownHeadingCollapsed"] != nil {
			t.Errorf("cell %d of the lesson itself has changed", i+1)
		}
	}
	if again := r.ForReaders(); !reflect.DeepEqual(again.Cells, r.Cells) {
		t.Error("a second time is another notebook")
	}
	if f := r.Cells[1].SourceWithoutSummary(); f != "var a, b int" {
		t.Errorf("without its summary the cell is %q", f)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	folded := func(i int) any { return back.Cells[i].Metadata["jupyter"] }
	if !reflect.DeepEqual(folded(1), map[string]any{"source_hidden": true}) ||
		!reflect.DeepEqual(folded(2), map[string]any{"outputs_hidden": true}) || back.Cells[2].Metadata["collapsed"] != true ||
		back.Cells[10].Metadata["jp-MarkdownHeadingCollapsed"] != true || folded(3) != nil {
		t.Errorf("folds: %v, %v, %v", folded(1), folded(2), back.Cells[10].Metadata)
	}
}

// The text of a lesson with all its tags comes back as it was.
func TestLayersRoundTrip(t *testing.T) {
	first := layers(t).Markdown()
	n, err := ParseMarkdown("layers.md", first)
	if err != nil {
		t.Fatal(err)
	}
	if second := n.Markdown(); !bytes.Equal(first, second) || !reflect.DeepEqual(len(n.Cells), len(layers(t).Cells)) {
		t.Errorf("got\n%s\nafter\n%s", second, first)
	}
}

func TestTagFaults(t *testing.T) {
	if faults := layers(t).TagFaults("layers.md"); faults != nil {
		t.Error(faults)
	}
	for text, want := range map[string]string{
		"```go tags=[\"fold\"]\nx\n```":                                          "summary=",
		"```go tags=[\"fold\"] summary=\" \"\nx\n```":                            "summary=",
		"```go tags=[\"hide\"]\nx\n```":                                          `no tag "hide"`,
		"```go tags=[\"erratum-x\"]\nx\n```":                                     `no tag "erratum-x"`,
		"<!-- #region tags=[\"fold\"] summary=\"x\" -->\nx\n<!-- #endregion -->": "code cell",
		"<!-- #region tags=[\"notes\"] -->\nNotes\n<!-- #endregion -->":          "begins with its heading",
		"```go tags=[\"notes\"]\n## x\n```":                                      "begins with its heading",
		"```go tags=[\"paper\"]\nx\n```":                                         "is Markdown",
		"<!-- #region tags=[\"guess\"] -->\nx\n<!-- #endregion -->":              "is code",
	} {
		n, err := ParseMarkdown("x.md", []byte("prose\n\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		faults := errors.Join(n.TagFaults("x.md")...)
		var at *ParseError
		if !errors.As(faults, &at) || !errors.Is(faults, ErrTagUse) || at.Line != 4 || !strings.Contains(faults.Error(), want) {
			t.Errorf("%s: %v, want %q in line 4", text, faults, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for header, want := range map[string][2]int{
		"time: {reading: 25 min, exercises: 1 h 10 min}": {25, 70},
		"time: 1 h":        {60, 0},
		"time: 40":         {40, 0},
		"time: long":       {0, 0},
		"time: [1]":        {0, 0},
		"time: {read: 25}": {0, 0},
	} {
		n, err := ParseMarkdown("x.md", []byte("---\n"+header+"\n---\n"))
		if err != nil {
			t.Fatal(err)
		}
		if f := n.FrontMatter(); f.Reading != want[0] || f.Exercises != want[1] {
			t.Errorf("%s: %d, %d", header, f.Reading, f.Exercises)
		}
	}
}

// What students get holds no solution, neither in code nor on paper, and all other cells as they are.
func TestWithoutSolutions(t *testing.T) {
	const exercise = "# One\n\n```go tags=[\"exercise\"]\nstub()\n```\n\n<!-- #region tags=[\"hint\"] -->\nTry.\n<!-- #endregion -->\n"
	n, err := ParseMarkdown("a.md", []byte(exercise+"\n```go tags=[\"solution\"]\nanswer()\n```\n\n<!-- #region tags=[\"solution\"] -->\nBecause.\n<!-- #endregion -->\n\nThe end.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := ParseMarkdown("a.md", []byte(exercise+"\nThe end.\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := n.WithoutSolutions()
	if string(got.Markdown()) != string(want.Markdown()) || len(n.Cells) != len(want.Cells)+2 {
		t.Errorf("got\n%s\nwant\n%s", got.Markdown(), want.Markdown())
	}
	if read := n.ForReaders().WithoutSolutions(); len(read.Cells) != len(want.Cells) || read.Cells[1].ID != got.Cells[1].ID {
		t.Errorf("of the notebook for readers %d cells are left, want %d", len(read.Cells), len(want.Cells))
	}
}

func TestForReadersOptionalSections(t *testing.T) {
	n, err := ParseMarkdown("deeper.md", []byte("# 1\n\nSee [below](#going-deeper-why-not-30-minutes) and [this](#cell-x).\n\n\n"+
		"## Going deeper: why not? (30 minutes)\n\nBecause.\n\n<!-- #region tags=[\"answer\"] -->\nNo.\n<!-- #endregion -->\n\n"+
		"```go tags=[\"check\"] summary=\"the check\"\nfunc check() {}\n\n%%\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	if faults := n.TagFaults("deeper.md"); faults != nil {
		t.Error(faults)
	}
	r := n.ForReaders()
	want := []string{
		"# 1\n\nSee [below](#Going-deeper:-why-not%3F-%2830-minutes%29) and [this](#cell-x).",
		"## Going deeper: why not? (30 minutes)\n\n*This section is optional. The rest of the lesson does not need it.*\n\nBecause.",
		"<details>\n<summary>Show the answer</summary>\n\nNo.\n\n</details>",
		"// the check\nfunc check() {}\n\n%%",
	}
	for i, c := range r.Cells {
		if c.Source != want[i] {
			t.Errorf("cell %d: got\n%q\nwant\n%q", i+1, c.Source, want[i])
		}
	}
	if r.Cells[1].Metadata["jp-MarkdownHeadingCollapsed"] != true || r.Cells[1].Optional() != 30 || r.Cells[0].Optional() != 0 {
		t.Errorf("%v, %d", r.Cells[1].Metadata, r.Cells[1].Optional())
	}
	if again := r.ForReaders(); !reflect.DeepEqual(again.Cells, r.Cells) {
		t.Error("a second time is another notebook")
	}
}

func TestForReadersNumbersCaptions(t *testing.T) {
	caption := func() *Notebook {
		return New(Cell{Kind: Code, Source: "lab.Show(f)", Metadata: map[string]any{FigureKey: "Figure 3.2"}, Outputs: []Output{{Type: DisplayData,
			Data: map[string]any{"text/markdown": "*A line.*", "text/plain": "A line."}, Metadata: map[string]any{"svmkit": map[string]any{"role": "caption"}}}}})
	}
	n := caption()
	r := n.ForReaders().ForReaders()
	if got := r.Cells[0].Outputs[0].Data["text/markdown"]; got != "**Figure 3.2.** *A line.*" {
		t.Errorf("the caption is %q", got)
	}
	if !reflect.DeepEqual(n.Cells[0].Outputs, caption().Cells[0].Outputs) {
		t.Error("the notebook itself has changed")
	}
	r.Cells[0].Metadata = map[string]any{FigureKey: "Figure 3.10"}
	if got := r.ForReaders().Cells[0].Outputs[0].Data["text/markdown"]; got != "**Figure 3.10.** *A line.*" {
		t.Errorf("with another number the caption is %q", got)
	}
}

func TestOptionalSectionsBeginCells(t *testing.T) {
	const good = "# 1\n\nText.\n\n\n## Going deeper: x (5 minutes)\n\nText.\n\n\n## Next\n\nText.\n"
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"Text.\n\n\n## Going", "Text.\n\n## Going", "begins a cell"},
		{" (5 minutes)", "", "begins a cell"},
		{"Text.\n\n\n## Next", "Text.\n\n## Next", "two blank lines"},
	} {
		n, err := ParseMarkdown("deeper.md", []byte(strings.Replace(good, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		faults := errors.Join(n.TagFaults("deeper.md")...)
		if c.want == "" && faults != nil || c.want != "" && (faults == nil || !strings.Contains(faults.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.new, faults, c.want)
		}
	}
}
