package site

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// faulty are texts with which a cell or a lesson could break a page or run something in it.
var faulty = []string{
	`<script>run()</script>`, `<ScRiPt src="https://elsewhere.example/x.js"></sCrIpT>`, `<img src=x onerror=run()>`, `<img src="x" alt="a>b" onerror="run()">`,
	`<svg onload=run()>`, `<details open ontoggle=run()>x</details>`, `<b onmouseover="run()" style="position:fixed;inset:0">x</b>`,
	`<iframe srcdoc="<script>run()</script>"></iframe>`, `<object data="x"></object>`, `<a href="javascript:run()">x</a>`, `<a href="java&#115;cript:run()">x</a>`,
	`<form action="javascript:run()"><button>x</button></form>`, `<meta http-equiv="refresh" content="0;url=https://elsewhere.example">`, `<base href="https://elsewhere.example/">`,
	`<link rel="stylesheet" href="https://elsewhere.example/x.css">`, `<style>@import "https://elsewhere.example/x.css";</style>`, `<textarea></textarea><script>run()</script>`,
	`"><script>run()</script>`, `" onmouseover="run()" x="`, `</title></main></details></code></pre><script>run()</script>`, `a < b & c > d`,
	`[x](javascript:run())`, `[x](<data:text/html,<script>run()</script>>)`, `[x](https://example.org "a\" onmouseover=\"run()")`,
	"`<script>run()</script>`", "| <script>run()</script> | b |\n|:--|--:|\n| <img src=x onerror=run()> | x |", "### <img src=x onerror=run()> x", `$<img src=x onerror=run()>$`,
}

var (
	noPlace     = regexp.MustCompile(`^(script|style|iframe|frame|object|embed|form|meta|base|link|textarea|svg|math)$`)
	ownAddress  = regexp.MustCompile(`^(https?://|mailto:|[^:]*$|figures/)`)
	fromCells   = regexp.MustCompile(`(?s)<h1>.*</main>`)
	ownPictures = regexp.MustCompile(`^(figures/|data:image/png;base64,)`)
)

// faultsOf returns the tags and attributes of a fragment that could run, load, or send something.
func faultsOf(fragment string) (faults []string) {
	for z := html.NewTokenizer(strings.NewReader(fragment)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		if noPlace.MatchString(token.Data) {
			faults = append(faults, token.String())
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "href" && !ownAddress.MatchString(a.Val) || a.Key == "src" && !ownPictures.MatchString(a.Val) {
				faults = append(faults, token.String())
			}
		}
	}
	return faults
}

// Whatever the texts of a lesson and the outputs of its cells are, they stay within their place on the
// page, and run and load nothing.
func TestReliabilityOutputsStayInTheirPlace(t *testing.T) {
	for _, text := range faulty {
		explorable := map[string]any{"svmkit": map[string]any{"role": "explorable"}}
		about := map[string]any{"svmkit": map[string]any{"alt": text, "caption": text}}
		display := func(kind string, metadata map[string]any) notebook.Output {
			return notebook.Output{Type: notebook.DisplayData, Data: map[string]any{kind: text}, Metadata: metadata}
		}
		n := notebook.New(
			notebook.Cell{Kind: notebook.Markdown, Source: text},
			notebook.Cell{Kind: notebook.Code, Source: text, Tags: []string{notebook.TagFold}, Metadata: map[string]any{"summary": text}, Outputs: []notebook.Output{
				{Type: notebook.Stream, Name: "stdout", Text: "✓ " + text + "\n" + text + "\n"},
				{Type: notebook.Error, EName: text, EValue: text, Traceback: []string{text}},
				display("text/html", nil), display("text/html", explorable), display("text/markdown", nil), display("text/plain", nil),
				{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot(t)}, Metadata: about},
			}})
		page := build(t, []Source{{Number: 1, Slug: "a", Title: text, Notebook: n}})["a.html"]
		for _, fault := range faultsOf(fromCells.FindString(page)) {
			t.Errorf("%s: %s", text, fault)
		}
		if strings.Count(page, "</main>") != 1 || strings.Count(page, "</title>") != 1 {
			t.Errorf("%s: the page is broken open", text)
		}
	}
}

func TestFaultsOf(t *testing.T) {
	for _, text := range faulty[:16] {
		if len(faultsOf("<p>"+text+"</p>")) == 0 {
			t.Errorf("no fault of %s", text)
		}
	}
	if faults := faultsOf(`<p class="a">x <a href="b.html#c">y</a> <img src="figures/1.png" alt=""></p>`); len(faults) > 0 {
		t.Error(faults)
	}
}
