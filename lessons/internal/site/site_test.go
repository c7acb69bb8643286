package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// The clock of the syntax highlighter's regular expressions runs on for some time after the last match, and ends by itself.
func TestMain(m *testing.M) { leaktest.Main(m, "github.com/dlclark/regexp2/v2.runClock") }

// build returns the sample's files by name, formulas as TeX.
func build(t *testing.T, sources []Source) map[string]string {
	t.Helper()
	return buildIn(t, sources, t.TempDir())
}

func buildIn(t *testing.T, sources []Source, dir string) map[string]string {
	t.Helper()
	if err := Build(context.Background(), Address{}, sampleGuide, sources, dir); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		if strings.HasSuffix(name, ".html") {
			files[filepath.ToSlash(name)] = unset(t, string(b))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var sampleSite map[string]string

// sampleFiles are the files of the sample's site, built once for all tests.
func sampleFiles(t *testing.T) map[string]string {
	t.Helper()
	if sampleSite == nil {
		sampleSite = build(t, sample(t))
	}
	return sampleSite
}

func lesson(t *testing.T) string { t.Helper(); return sampleFiles(t)["03-novikoff.html"] }

func want(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(page, p) {
			t.Errorf("page has no %q", p)
		}
	}
}

func reject(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(page, p) {
			t.Errorf("page has %q", p)
		}
	}
}

// Between Markdown, HTML and KaTeX a formula arrives as it was written.
func TestFormulasArriveIntact(t *testing.T) {
	page := lesson(t)
	var formulas []string
	for _, m := range regexp.MustCompile(`(?s)<(span|div) class="math( display)?">(.*?)</(span|div)>`).FindAllStringSubmatch(page, -1) {
		formulas = append(formulas, html.UnescapeString(m[3]))
	}
	all := strings.Join(formulas, "\n@\n")
	for _, tex := range []string{
		`R^2/\gamma^2`,
		`a_1 < b_2 \& c_{*}`,
		`x_i^* y_i^*`,
		`w_t`,
		"\\begin{aligned}\n\\langle w_k, w^*\\rangle\n  &= \\langle w_{k-1}, w^*\\rangle + y_i \\langle x_i, w^*\\rangle \\\\\n- 1 &< 2 & \\text{a line that begins with a minus}\n\\end{aligned}",
		`\sum_{i=1}^n \alpha_i y_i x_i`,
		`\lVert w\rVert^2 \le kR^2`,
		"\\begin{align}\na &= b \\\\\n\nc &= d\n\\end{align}",
		`k=5`,
	} {
		if !strings.Contains("\n@\n"+all+"\n@\n", "\n@\n"+tex+"\n@\n") {
			t.Errorf("no formula %q among\n%s", tex, all)
		}
	}
	want(t, page, `a_1 &lt; b_2 \&amp; c_{*}`, `- 1 &amp;&lt; 2 &amp;`) // as text: no formula can become a tag
	want(t, page, "A price is $5, another $6.", "<em>emphasis</em>", "<code>code_with_underscores</code>")
}

func TestNothingIsLoadedFromElsewhere(t *testing.T) {
	for name, content := range sampleFiles(t) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range regexp.MustCompile(`\b(?:src|srcset|data|poster|action)="([^"]*)"|<link[^>]*href="([^"]*)"`).FindAllStringSubmatch(content, -1) {
			url := m[1] + m[2]
			if !strings.HasPrefix(url, "data:") && strings.Contains(url, "//") || strings.HasPrefix(url, "/") {
				t.Errorf("%s loads %s", name, url)
			}
		}
		script := "&#39;self&#39;"
		if strings.Contains(content, `class="explorable"`) || name == "playground.html" {
			script += " &#39;wasm-unsafe-eval&#39;"
			want(t, content, `<script defer src="assets/explorable.js">`, "connect-src &#39;self&#39;; worker-src &#39;self&#39;;")
			if name != "playground.html" {
				want(t, content, "data-lesson=")
			}
		} else {
			reject(t, content, "explorable.js", "connect-src")
		}
		want(t, content, `http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src `+script+`;`)
		if regexp.MustCompile(`<script(?: defer)?>|\son[a-z]+=`).MatchString(content) {
			t.Errorf("%s has a script of its own", name)
		}
	}
	css := sampleFiles(t)["assets/site.css"]
	reject(t, css, "url(", "@import")
}

func TestHostileOutputsAreHarmless(t *testing.T) {
	page := lesson(t)
	reject(t, page, "<script>alert", "alert(2)", "alert(3)", "alert(5)", "alert(6)", "onfocus", "onclick", "<form", "<object", "</main><table>")
	want(t, page,
		"&lt;script&gt;alert(1)&lt;/script&gt; &amp; <span class=\"ansi-green ansi-bold\">green</span> end\n100%",
		`<div class="html"><table><tbody><tr><td>in a <b>table</b></td></tr></tbody></table>`,
		"<b>bold</b>", "<kbd>Ctrl</kbd>")
	if n := strings.Count(page, "</main>"); n != 1 {
		t.Errorf("%d ends of main", n)
	}
}

func TestFiguresHaveDescriptionsAndCaptions(t *testing.T) {
	files := sampleFiles(t)
	page := files["03-novikoff.html"]
	for _, img := range regexp.MustCompile(`<img\b[^>]*>`).FindAllString(page, -1) {
		if !regexp.MustCompile(`\balt="[^"]+"`).MatchString(img) {
			t.Errorf("no alt: %s", img)
		}
		if m := regexp.MustCompile(`src="(figures/[^"]*)"`).FindStringSubmatch(img); m != nil && len(files[m[1]]) == 0 {
			t.Errorf("no file %s", m[1])
		}
	}
	want(t, page,
		`alt="A blue line between red squares and blue dots." width="480" height="300"`,
		`<figcaption>The plane after <span class="math">k=5</span> mistakes; <strong>no</strong> point`,
		`<div class="controls"><div class="control"><span class="label">γ </span><output style="min-width:3ch">0.5</output><div class="track"></div></div><div class="states"></div></div><figcaption>`,
		`alt="small &gt; margin"`, `data-value="0.1"`)
	reject(t, page, "A repeated caption", "base64,iVBOR\" data-value")
	kinds := map[string]int{}
	for name, content := range files {
		if strings.HasPrefix(name, "figures/") {
			kinds[filepath.Ext(name)]++
			sum := sha256.Sum256([]byte(content))
			if !strings.Contains(name, hex.EncodeToString(sum[:10])) {
				t.Errorf("%s is not named after its content", name)
			}
		}
	}
	if kinds[".svg"] != 1 || kinds[".png"] != 4 {
		t.Errorf("figures %v", kinds)
	}
}

func TestPictureWithoutDescriptionGetsOne(t *testing.T) {
	n := notebook.New(notebook.Cell{Kind: notebook.Code, Source: "x", Outputs: []notebook.Output{
		{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}},
		{Type: notebook.DisplayData, Data: map[string]any{"image/png": picture(t, 2, 2)}},
	}})
	page := build(t, []Source{{Slug: "a", Notebook: n}})["a.html"]
	want(t, page, `alt="Picture 1 of this page, for which its author gave no description"`, `alt="Picture 2`)
}

// A reader, also one who listens, gets to a figure before the claim about it, although the cell checks the claim first.
func TestFigureToMoveStandsAboveItsChecks(t *testing.T) {
	n := notebook.New(notebook.Cell{Kind: notebook.Code, Source: "x", Tags: []string{notebook.TagExplorable}, Outputs: []notebook.Output{
		{Type: notebook.Stream, Name: "stdout", Text: "✓ the street gives way\n"},
		{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}},
	}})
	page := build(t, []Source{{Slug: "a", Notebook: n}})["a.html"]
	if figure, claim := strings.Index(page, "<figure>"), strings.Index(page, "the street gives way"); figure < 0 || claim < figure {
		t.Errorf("figure at %d, claim at %d", figure, claim)
	}
}

func TestChecksAndErrors(t *testing.T) {
	page := lesson(t)
	want(t, page,
		`<ul class="checks"><li class="holds"><span class="mark">✓</span> ⟨w,w*⟩ ≥`,
		`k ≤ R²/γ²</li></ul>`, ">37 mistakes, bound 412.3</pre>",
		`<li class="fails"><span class="mark">✗</span> w = 0 is no plane</li>`,
		`<strong>This cell ended with an error.</strong> exit status 1`,
		`<span class="ansi-red">✗ exercise 3.1</span>: bound(1, 0.5) = 0, want 4`,
		`<pre class="text stderr" tabindex="0">a warning</pre>`)
	if n := strings.Count(page, `<ul class="checks">`); n != 3 {
		t.Errorf("%d lists of checks, want 3: pieces of one stream belong together", n)
	}
}

func TestTagsFoldAndMark(t *testing.T) {
	page := lesson(t)
	solution := regexp.MustCompile(`(?s)<details class="cell solution"[^>]*>(.*?)</details>`).FindString(page)
	want(t, solution, "<summary>Solution</summary>", "gamma", "3.1</li>")
	if regexp.MustCompile(`<details class="cell solution"[^>]* open`).MatchString(page) {
		t.Error("a solution stands open")
	}
	plumbing := regexp.MustCompile(`(?s)<details class="plumbing">(.*?)</details>`).FindString(page)
	want(t, plumbing, "fmt")
	want(t, page, `<div class="cell exercise"`, "Exercise: your turn", `<div class="cell break"`)
	if n := strings.Count(page, `class="cell exercise"`); n != 1 {
		t.Errorf("%d exercises", n)
	}
}

func TestStructure(t *testing.T) {
	files := sampleFiles(t)
	page := files["03-novikoff.html"]
	want(t, page, `<html lang="en">`, `<a class="skip" href="#main">`, `<main id="main"`, `<nav class="contents" aria-label="On this page">`,
		`<a href="#the-same-heading">`, `<a href="#the-same-heading-2">`, `id="the-same-heading-2"`,
		`rel="next" href="04-second.html"`, `href="downloads/03-novikoff.ipynb" download`, `<title>Why it stops</title>`)
	want(t, files["04-second.html"], `rel="prev" href="03-novikoff.html"`, "<h1>When no plane separates</h1>", "<details>", "<summary>more</summary>inside</details>")
	reject(t, files["04-second.html"], `rel="next"`, "&lt;raw&gt;")
	for name, content := range files {
		if strings.HasSuffix(name, ".html") && strings.Count(content, "<h1>") != 1 {
			t.Errorf("%s has %d h1", name, strings.Count(content, "<h1>"))
		}
	}
	index := files["index.html"]
	want(t, index, `<a href="03-novikoff.html">3 · Why it stops: <span class="math">R^2/\gamma^2</span></a>`,
		`The perceptron makes at most <span class="math">R^2/\gamma^2</span> mistakes.`, "the bound is tight", "1 exercise ·", "9 cells")
	if !strings.HasPrefix(files["downloads/03-novikoff.md"], "---\ntitle:") {
		t.Error("no Markdown to download")
	}
	if n, err := notebook.ReadJSON(strings.NewReader(files["downloads/03-novikoff.ipynb"])); err != nil || len(n.Cells) == 0 {
		t.Errorf("no notebook to download: %v", err)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("id %s twice", m[1])
		}
		ids[m[1]] = true
	}
}

func TestReadingTime(t *testing.T) {
	// 400 words are 2 minutes, 6 cells are 3.
	if got := minutes(400, 6); got != 5 {
		t.Errorf("%d", got)
	}
	if got := minutes(0, 0); got != 1 {
		t.Errorf("%d", got)
	}
}

func TestSameNotebooksSameBytes(t *testing.T) {
	a, b := sampleFiles(t), build(t, sample(t))
	if len(a) != len(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	n := notebook.New()
	for name, sources := range map[string][]Source{
		"a path":      {{Slug: "../x", Notebook: n}},
		"the index":   {{Slug: "index", Notebook: n}},
		"twice":       {{Slug: "a", Notebook: n}, {Slug: "a", Notebook: n}},
		"no notebook": {{Slug: "a"}},
		"no picture": {{Slug: "a", Notebook: notebook.New(notebook.Cell{Kind: notebook.Code, Source: "x",
			Outputs: []notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"image/png": "no base64!"}}}})}},
	} {
		if err := Build(context.Background(), Address{}, sampleGuide, sources, t.TempDir()); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Build(ctx, Address{}, sampleGuide, sample(t), t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

// The sums in KaTeX's README are those of the files, so that an update cannot be half done.
func TestVendoredFilesAreAsStated(t *testing.T) {
	readme, err := assets.ReadFile("assets/katex/README.md")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([0-9a-f]{64})  (\S+)$`).FindAllStringSubmatch(string(readme), -1) {
		stated[m[2]] = m[1]
	}
	fs.WalkDir(assets, "assets/katex", func(name string, d fs.DirEntry, err error) error {
		file := strings.TrimPrefix(name, "assets/katex/")
		if d.IsDir() || file == "README.md" {
			return nil
		}
		content, _ := assets.ReadFile(name)
		if sum := fmt.Sprintf("%x", sha256.Sum256(content)); stated[file] != sum {
			t.Errorf("%s has %s, README says %q", file, sum, stated[file])
		}
		delete(stated, file)
		return nil
	})
	for file := range stated {
		t.Errorf("README names %s, which is not there", file)
	}
}

// Contrast of each text colour with each ground it stands on, by the formula of WCAG 2, in both themes.
func TestContrast(t *testing.T) {
	const needed = 4.5 // WCAG AA for text of normal size
	css, err := assets.ReadFile("assets/site.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][2]float64{}
	for _, m := range regexp.MustCompile(`--([a-z]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(string(css), -1) {
		colours[m[1]] = [2]float64{luminance(m[2]), luminance(m[3])}
	}
	if len(colours) < 14 {
		t.Fatalf("only %d colours found", len(colours))
	}
	for name, text := range colours {
		if name == "ground" || name == "panel" || name == "line" {
			continue
		}
		for _, ground := range []string{"ground", "panel"} {
			for theme, label := range []string{"light", "dark"} {
				a, b := text[theme], colours[ground][theme]
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < needed {
					t.Errorf("%s on %s, %s: contrast %.2f", name, ground, label, ratio)
				}
			}
		}
	}
}

func luminance(hexColour string) float64 {
	v, _ := strconv.ParseUint(hexColour, 16, 32)
	part := func(shift uint, weight float64) float64 {
		c := float64(v>>shift&0xff) / 255
		if c <= 0.04045 {
			return weight * c / 12.92
		}
		return weight * math.Pow((c+0.055)/1.055, 2.4)
	}
	return part(16, 0.2126) + part(8, 0.7152) + part(0, 0.0722)
}

// What a lesson folds is folded: the code of a fold, the output of a guess, hints, solutions, the section about the notes.
// Links between lessons lead to pages.
func TestLayers(t *testing.T) {
	md := "# 1\n\nSee [lesson 7](07-dual.md#gap).\n\n" +
		"```go tags=[\"fold\", \"figure\"] summary=\"the set, by $x$\"\nvar plumbing int\n```\n\n" +
		"```go tags=[\"guess\"]\nask()\n```\n\n" +
		"```go tags=[\"exercise\"]\nstub()\n```\n\n" +
		"<!-- #region tags=[\"hint\"] -->\nTry $a$.\n<!-- #endregion -->\n\n" +
		"<!-- #region tags=[\"notes\"] -->\n## What the notes print\n\nA slip.\n<!-- #endregion -->\n\n```go\nslip()\n```\n\n## Next\n\nOn.\n"
	nb, err := notebook.ParseMarkdown("01-one.md", []byte("---\ntime: {reading: 25 min, exercises: 1 h}\n---\n"+md))
	if err != nil {
		t.Fatal(err)
	}
	for i := range nb.Cells {
		if nb.Cells[i].Kind == notebook.Code {
			nb.Cells[i].Outputs = []notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: fmt.Sprintf("said %d\n", i)}}
		}
	}
	page := build(t, []Source{{Number: 1, Slug: "01-one", Notebook: nb}})["01-one.html"]
	inOrder(t, page,
		"25 min of reading · 1 h of exercises · 4 cells · 1 exercise", "urlpath=lab/tree/course/notebooks/01-one.ipynb",
		`href="07-dual.html#gap"`,
		`<details class="plumbing"><summary>the set, by <span class="math">x</span></summary>`, "plumbing", "</details>", "said 1",
		"ask", `<details class="guess"><summary>Show the answer</summary>`, "said 2", "</details>",
		"stub", "<details>", "<summary>Hint 1</summary>", `Try <span class="math">a</span>.`, "</details>",
		`<details class="section"><summary><h2 id="what-the-notes-print">`, "</summary>", "A slip.", "slip", "said 6", "</details>",
		`<h2 id="next">`)
	reject(t, page, "// the set")
}

// inOrder checks that the page holds the parts, each after the one before.
func inOrder(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		_, rest, found := strings.Cut(page, part)
		if !found {
			t.Errorf("no %q after the parts before it in\n%s", part, page)
			return
		}
		page = rest
	}
}

// Where cells run, a page has the script and the policy for it, and its cells have the ids that they have in the notebook that the script reads.
func TestPagesThatRunCells(t *testing.T) {
	for _, run := range []bool{true, false} {
		sources := sample(t)
		for i := range sources {
			sources[i].Run = run
		}
		dir := t.TempDir()
		if err := Build(context.Background(), Address{}, sampleGuide, sources, dir); err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			text, err := os.ReadFile(filepath.Join(dir, s.Slug+".html"))
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			if !run {
				reject(t, page, "cells.js", `class="run`)
				continue
			}
			if cells, bars := strings.Count(page, `<div class="source">`), strings.Count(page, `<div class="run`); bars < cells/2 || bars > cells {
				t.Errorf("%d cells with code, and %d with buttons", cells, bars)
			}
			want(t, page, `<script defer src="assets/cells.js">`, "&#39;wasm-unsafe-eval&#39;", "worker-src &#39;self&#39;", `data-lesson="`+s.Slug+`"`)
			notebook, err := os.ReadFile(filepath.Join(dir, "downloads", s.Slug+".ipynb"))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`id="cell-([^"]+)"`).FindAllStringSubmatch(page, -1) {
				want(t, string(notebook), `"id": "`+m[1]+`"`)
			}
		}
	}
}

// A lesson in the third form: optional sections are folded, and theorems and figures can be linked.
func TestThirdForm(t *testing.T) {
	n, err := notebook.ParseMarkdown("03-stops.md", []byte("---\ntime: {reading: 20 min, exercises: 10 min}\n---\n\n# 3 · It stops\n\n"+
		"<a id=\"theorem-bound\"></a>**Theorem 3.1 (a bound).** See [Figure 3.1](#cell-squeeze) and [below](#going-deeper-why-not-30-minutes).\n\n"+
		"```go tags=[\"figure\"] name=\"squeeze\"\n%%\nlab.Show(f)\n```\n\n## Going deeper: why not? (30 minutes)\n\nBy [Theorem 3.1](#theorem-bound).\n\n"+
		"<!-- #region tags=[\"answer\"] -->\nNo: $a$.\n<!-- #endregion -->\n\n## Where next\n\nOn.\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n.Cells {
		if c := &n.Cells[i]; c.HasTag(notebook.TagFigure) {
			c.Metadata[notebook.FigureKey] = "Figure 3.1"
			c.Outputs = []notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}, Metadata: map[string]any{"svmkit": map[string]any{"alt": "A dot.", "caption": "One dot."}}}}
		}
	}
	page := build(t, []Source{{Number: 3, Slug: "03-stops", Notebook: n}})["03-stops.html"]
	want(t, page, `<a id="theorem-bound"></a><strong>Theorem 3.1 (a bound).</strong>`, `<a href="#cell-squeeze">Figure 3.1</a>`, `<figcaption data-number="Figure 3.1">One dot.`,
		`<a href="#going-deeper-why-not-30-minutes">below</a>`, `<details class="section deeper"><summary><h2 id="going-deeper-why-not-30-minutes">`,
		"20 min of reading · 10 min of exercises · optional: 30 min", "<summary>Show the answer</summary>", `data-figure="Figure 3.1"`)
	inOrder(t, page, `class="section deeper"`, "This section is optional", "Show the answer", "</details>", `id="where-next"`)
}
