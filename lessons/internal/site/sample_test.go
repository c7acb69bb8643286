package site

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// sampleGuide has a path of two lessons.
var sampleGuide = &course.Guide{Path: []course.PathEntry{{Number: 1, Title: "One", Why: "First."}, {Number: 2, Title: "Two", Why: "Second."}}}

// sample is a small lesson with one of everything that a page can show, good and hostile.
func sample(t testing.TB) []Source {
	t.Helper()
	md := "---\n" + `title: "Why it stops"
summary: "The perceptron makes at most $R^2/\\gamma^2$ mistakes."
proves:
  - "$k \\le R^2/\\gamma^2$ at every mistake"
  - the bound is tight
jupyter:
  kernelspec: {display_name: Go (gonb), language: go, name: gonb}
` + "---\n\n" + `# 3 · Why it stops: $R^2/\gamma^2$

A formula with traps: $a_1 < b_2 \& c_{*}$, and *emphasis* around $x_i^* y_i^*$ and \(w_t\). A price is \$5, another \$6.

$$
\begin{aligned}
\langle w_k, w^*\rangle
  &= \langle w_{k-1}, w^*\rangle + y_i \langle x_i, w^*\rangle \\
- 1 &< 2 & \text{a line that begins with a minus}
\end{aligned}
$$

In a paragraph $$\sum_{i=1}^n \alpha_i y_i x_i$$ and \[ \lVert w\rVert^2 \le kR^2 \] displayed.

\begin{align}
a &= b \\

c &= d
\end{align}

A very wide one:

$$\lVert w_k\rVert^2 = \lVert w_{k-1}\rVert^2 + 2 y_i\langle w_{k-1}, x_i\rangle + \lVert x_i\rVert^2 \le \lVert w_{k-1}\rVert^2 + R^2 \le (k-1)R^2 + R^2 = kR^2 \quad\text{for every mistake } k = 1, 2, 3, \dots, K$$

## A table and a list

| set | $n$ | bound on the number of mistakes | mistakes made | margin $\gamma$ | a column that is wide |
|:----|----:|:--:|---:|---:|:---|
| banknotes | 1372 | none | – | – | not separable, so that the theorem is silent here |
| random | 100 | 412 | 37 | 0.11 | separable by construction |

1. first, with ` + "`code_with_underscores`" + `
2. second: [a link](https://example.org/), <kbd>Ctrl</kbd>, <script>alert("prose")</script><b onclick="alert(1)">bold</b><object data="x">kept</object>

` + "```text\n<not a tag> & plain\n```" + `

### The same heading

### The same heading

` + "```go\n" + `// update moves the plane towards the mistake: w += y·x.
func (p *Perceptron) Update(x []float64, y float64) (mistake bool) {
	if y*p.Score(x) > 0 {
		return false // "<script>" stays text
	}
	for i := range x {
		p.W[i] += y * x[i] * 1.0 // a rather long comment that makes this line wider than any phone, to see that it scrolls
	}
	return true
}
` + "```\n\n```go\n%%\nlab.Show(figure)\n```\n\n```go tags=[\"break\"]\n%%\nlab.Check(\"w = 0 is no plane\", ok)\n```\n\n" +
		"## Exercise 3.1\n\nWrite the bound.\n\n```go tags=[\"exercise\"]\nfunc bound(R, gamma float64) float64 { return 0 } // your turn\n```\n\n" +
		"```go tags=[\"solution\"]\nfunc bound(R, gamma float64) float64 { return R * R / (gamma * gamma) }\n```\n\n" +
		"```go tags=[\"fold\"] summary=\"what it imports\"\nimport \"fmt\"\n```\n\n```go\nfmt.Println(hostile)\n```\n\n```go\ndisplay(html)\n```\n\n```go\nlab.Explore(slider)\n```\n"
	n, err := notebook.ParseMarkdown("sample.md", []byte(md))
	if err != nil {
		t.Fatal(err)
	}
	var codes []*notebook.Cell
	for i := range n.Cells {
		if c := &n.Cells[i]; c.Kind == notebook.Code {
			codes = append(codes, c)
		}
	}
	about := map[string]any{"svmkit": map[string]any{
		"alt": "A blue line between red squares and blue dots.", "caption": "The plane after $k=5$ mistakes; **no** point is on the wrong side.",
	}, "image/png": map[string]any{"width": 480, "height": 300, "alt": "for other programs"}}
	codes[1].Outputs = []notebook.Output{
		{Type: notebook.DisplayData, Data: map[string]any{"image/png": picture(t, 960, 600), "text/plain": "figure"}, Metadata: about},
		{Type: notebook.DisplayData, Data: map[string]any{"text/markdown": "*A repeated caption*"},
			Metadata: map[string]any{"svmkit": map[string]any{"role": "caption"}}},
		{Type: notebook.Stream, Name: "stdout", Text: "✓ ⟨w,w*⟩ ≥ kγ‖w*‖ at each of 37 mistakes (smallest slack 0.021)\n✓ ‖w‖² ≤ kR² at each of 37 mistakes\n"},
		{Type: notebook.Stream, Name: "stdout", Text: "✓ k ≤ R²/γ²\n37 mistakes, bound 412.3\n"},
	}
	codes[2].Outputs = []notebook.Output{
		{Type: notebook.Stream, Name: "stdout", Text: "✗ w = 0 is no plane\n"},
	}
	codes[3].Outputs = []notebook.Output{{Type: notebook.Error, EName: "exit status 1", EValue: "exit status 1",
		Traceback: []string{"\x1b[31m✗ exercise 3.1\x1b[0m: bound(1, 0.5) = 0, want 4", "main.go:12 +0x1d"}}}
	codes[4].Outputs = []notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "✓ 3.1\n"}}
	codes[6].Outputs = []notebook.Output{
		{Type: notebook.Stream, Name: "stdout", Text: "<script>alert(1)</script> & \x1b[1;32mgreen\x1b[0m \x1b]0;title\x07end\n 10%\r 50%\r100%\n"},
		{Type: notebook.Stream, Name: "stderr", Text: "a warning\n"},
	}
	codes[7].Outputs = []notebook.Output{
		{Type: notebook.DisplayData, Data: map[string]any{"text/html": `<script>alert(2)</script></div></main><table><tr><td onclick="alert(3)">in a <b>table</b></td></tr></table><img src="https://example.org/x.png" alt="x"><a href="javascript:alert(6)">x</a>`}},
		{Type: notebook.DisplayData, Data: map[string]any{"application/x-unknown": "?"}},
	}
	codes[8].Outputs = []notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}, Metadata: about}, {Type: notebook.DisplayData, Data: map[string]any{
		"text/html": `<details class="explorable" id="e1"><summary>Move the slider: γ</summary><label>γ <input type="range" min="0" max="1" value="1" step="1" onfocus="alert(4)"> <output>0.5</output></label>` +
			`<img src="data:image/png;base64,` + picture(t, 200, 100) + `" alt="small &gt; margin" data-value="0.1" style="max-width:100%">` +
			`<img src="data:image/png;base64,` + picture(t, 300, 100) + `" alt="large margin" data-value="0.5"></details><script>alert(5)</script><form action="https://example.org"></form>`},
		Metadata: map[string]any{"svmkit": map[string]any{"role": "explorable"}}}}
	second := notebook.New(
		notebook.Cell{Kind: notebook.Markdown, Source: "## No title of its own\n\nText with <details><summary>more</summary>inside</details>."},
		notebook.Cell{Kind: notebook.Raw, Source: "<raw>"},
		notebook.Cell{Kind: notebook.Code, Source: ""},
	)
	return []Source{{Number: 1, Slug: "03-novikoff", Notebook: n}, {Number: 2, Slug: "04-second", Title: "When no plane separates", Notebook: second}}
}

func encode(b *bytes.Buffer) string { return base64.StdEncoding.EncodeToString(b.Bytes()) }

func picture(t testing.TB, w, h int) string {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	for x := range w {
		m.Set(x, h-1-x*h/w, color.RGBA{0, 114, 178, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return encode(&b)
}

func dot(t testing.TB) string { return picture(t, 8, 8) }
