package site

import (
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

var hostileSite = flag.String("hostile-site", "", "keep the pages of the hostile notebook in this folder, for a browser")

// pwned is what every attack tries to do: a browser's test checks the mark.
const pwned = `top.pwned=(top.pwned||0)+1`

// attacks are ways to get a script into a page, as text that can stand in any field.
var attacks = []string{
	`<script>` + pwned + `</script>`,
	`<ScRiPt src="https://evil.example/x.js"></sCrIpT>`,
	`<script><!--</script>` + pwned + `//--></script>`,
	`<img src=x onerror=` + pwned + `>`,
	`<img src="x" alt="a>b" onerror="` + pwned + `">`,
	`<svg onload=` + pwned + `>`,
	`<svg/onload=` + pwned + `>`,
	`<details open ontoggle=` + pwned + `>x</details>`,
	`<b onmouseover="` + pwned + `" style="position:fixed;inset:0">x</b>`,
	`<iframe srcdoc="<script>` + pwned + `</script>"></iframe>`,
	`<iframe src="javascript:` + pwned + `"></iframe>`,
	`<object data="data:text/html,<script>` + pwned + `</script>"></object>`,
	`<embed src="javascript:` + pwned + `">`,
	`<a href="javascript:` + pwned + `">x</a>`,
	`<a href="java&#115;cript:` + pwned + `">x</a>`,
	`<form action="javascript:` + pwned + `"><button>x</button></form>`,
	`<meta http-equiv="refresh" content="0;url=javascript:` + pwned + `">`,
	`<base href="https://evil.example/">`,
	`<link rel="stylesheet" href="https://evil.example/x.css">`,
	`<style>@import "https://evil.example/x.css";</style>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=` + pwned + `></style></mglyph></table></mtext></math>`,
	`<noscript><p title="</noscript><img src=x onerror=` + pwned + `>">`,
	`<template><script>` + pwned + `</script></template>`,
	`<textarea></textarea><script>` + pwned + `</script>`,
	`"><script>` + pwned + `</script>`,
	`'><img src=x onerror=` + pwned + `>`,
	`" onmouseover="` + pwned + `" autofocus onfocus="` + pwned + `" x="`,
	`</title></p></main></details></code></pre><script>` + pwned + `</script>`,
	"\x00<\x00script>" + pwned + "</script>",
	"\x1b]8;;javascript:" + pwned + "\x07x\x1b]8;;\x07",
	`[x](javascript:` + pwned + `)`,
	`[x](JaVaScRiPt&colon;` + pwned + `)`,
	`[x](java&#x0A;script:` + pwned + `)`,
	`[x](<data:text/html,<script>` + pwned + `</script>>)`,
	`[x](vbscript:x) [y](file:///etc/passwd) <javascript:` + pwned + `>`,
	`[x](https://example.org "a\" onmouseover=\"` + pwned + `")`,
	`![x](javascript:` + pwned + `) ![y" onerror="` + pwned + `](data:image/png;base64,AAAA)`,
	`![x](data:image/svg+xml;base64,` + "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0idG9wLnB3bmVkPTEiLz4=" + `)`,
	`![x](data:text/html;base64,PHNjcmlwdD50b3AucHduZWQ9MTwvc2NyaXB0Pg==)`,
	`$\href{javascript:` + pwned + `}{x}$ $\url{javascript:` + pwned + `}$ $\htmlData{a=b}{x}$ $\includegraphics{https://evil.example/x.png}$`,
	`$<img src=x onerror=` + pwned + `>$`,
	"`<script>" + pwned + "</script>`",
	"```\"><script>" + pwned + "</script>\n<script>" + pwned + "</script>\n```",
	"| <script>" + pwned + "</script> | b |\n|:--|--:|\n| <img src=x onerror=" + pwned + "> | [x](javascript:" + pwned + ") |",
	"### <img src=x onerror=" + pwned + "> [x](javascript:" + pwned + ") {onclick=" + pwned + "}",
	"[ref]\n\n[ref]: javascript:" + pwned,
	"- [x] <input onfocus=" + pwned + " autofocus>",
}

// hostile is a notebook whose every field attacks.
func hostile() []Source {
	all := strings.Join(attacks, "\n\n")
	var cells []notebook.Cell
	for _, a := range attacks { // alone, so that none hides in another one's quotes
		cells = append(cells, notebook.Cell{Kind: notebook.Markdown, Source: a})
	}
	cells = append(cells,
		notebook.Cell{Kind: notebook.Markdown, Source: all},
		notebook.Cell{Kind: notebook.Markdown, Source: "# " + attacks[0] + "\n\n![x](attachment:a.png) ![y](attachment:b.svg) ![z](attachment:c)", Attachments: map[string]any{
			"a.png": map[string]any{"image/png": `AAAA" onerror="` + pwned},
			"b.svg": map[string]any{"image/svg+xml": `<svg onload="` + pwned + `"/>`},
			"c":     map[string]any{"text/html": attacks[0]},
		}},
		notebook.Cell{Kind: notebook.Markdown, Source: all, Tags: []string{notebook.TagSolution}},
		notebook.Cell{Kind: notebook.Raw, Source: all},
		notebook.Cell{Kind: notebook.Raw, Source: attacks[0], Metadata: map[string]any{"raw_mimetype": "text/html"}},
	)
	svg := `<svg xmlns="http://www.w3.org/2000/svg" onload="` + pwned + `" width="10" height="10"><script>` + pwned + `</script>` +
		`<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="x"/></foreignObject><a href="javascript:` + pwned + `"><rect width="9" height="9"/></a></svg>`
	encoded := base64.StdEncoding.EncodeToString([]byte(svg))
	for i, a := range attacks {
		about := map[string]any{
			"svmkit":    map[string]any{"alt": a, "caption": a},
			"image/png": map[string]any{"width": `9" onerror="` + pwned, "height": a, "alt": a},
		}
		explorable := map[string]any{"svmkit": map[string]any{"role": "explorable", "alt": a, "caption": a}}
		cells = append(cells, notebook.Cell{Kind: notebook.Code, Source: a,
			Tags:     []string{[]string{notebook.TagFold, notebook.TagExercise, notebook.TagSolution, notebook.TagBreak, a}[i%5]},
			Metadata: map[string]any{"name": a},
			Outputs: []notebook.Output{
				{Type: notebook.Stream, Name: "stdout", Text: "✓ " + a + " — " + a + "\n" + a + "\n"},
				{Type: notebook.Stream, Name: a, Text: a},
				{Type: notebook.Error, EName: a, EValue: a, Traceback: []string{a, a}},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": a}},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": a}, Metadata: explorable},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": `<details class="explorable">` + a + `<input type="image" src="x" onerror=` + pwned + `></details>`}, Metadata: explorable},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": `<img src="data:image/svg+xml;base64,` + encoded + `" alt="x" onerror="` + pwned + `">`}, Metadata: explorable},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": svg}, Metadata: about},
				{Type: notebook.DisplayData, Data: map[string]any{"text/html": `<img src="data:image/svg+xml;base64,` + encoded + `">`}, Metadata: about},
				{Type: notebook.DisplayData, Data: map[string]any{"image/svg+xml": svg}, Metadata: about},
				{Type: notebook.DisplayData, Data: map[string]any{"image/png": a}, Metadata: about},
				{Type: notebook.DisplayData, Data: map[string]any{"text/markdown": a}},
				{Type: notebook.DisplayData, Data: map[string]any{"text/latex": a}},
				{Type: notebook.DisplayData, Data: map[string]any{"text/plain": a}},
				{Type: notebook.DisplayData, Data: map[string]any{"application/json": map[string]any{a: a}}},
				{Type: notebook.DisplayData, Data: map[string]any{"application/javascript": pwned, "text/javascript": pwned}},
				{Type: notebook.DisplayData, Data: map[string]any{a: a}},
			}})
	}
	n := notebook.New(cells...)
	for i := range n.Cells {
		n.Cells[i].ID = fmt.Sprint(i, `"><script>`)
	}
	n.Metadata = map[string]any{
		"kernelspec":    map[string]any{"language": attacks[0], "name": attacks[0]},
		"language_info": map[string]any{"name": attacks[0]},
		"jupytext": map[string]any{"root_level_metadata": map[string]any{
			"title": all, "summary": all, "time": attacks[0], "proves": []any{attacks[0], all}}},
	}
	empty := notebook.New()
	empty.Metadata = n.Metadata
	return []Source{{Slug: "01-hostile", Notebook: n}, {Slug: "02-hostile", Title: all, Notebook: empty}}
}

// The pages are written in a form that leaves a parser no choice: each "<" begins a tag whose attributes
// stand in double quotes, in which there is neither "<" nor ">" as itself. So this grammar reads what a browser
// reads (which another test asks), and what it does not read is a fault.
var (
	strictTag  = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?: [a-z:-]+(?:="[^"<>]*")?)*) ?/?>`)
	strictAttr = regexp.MustCompile(` ([a-z:-]+)(?:="([^"<>]*)")?`)
	comment    = regexp.MustCompile(`^<!(doctype html)>`)

	pageTags = regexp.MustCompile(`^(html|head|meta|title|link|script|body|a|abbr|header|footer|main|nav|section|article|span|button|div|p|h[1-6]|` +
		`details|summary|ol|ul|li|figure|figcaption|picture|source|img|iframe|pre|code|table|caption|thead|tbody|tr|th|td|` +
		`em|strong|b|i|u|s|del|sub|sup|kbd|mark|br|hr|blockquote|center|label|input|output)$`)
	pageAttrs = regexp.MustCompile(`^(lang|charset|http-equiv|content|name|rel|href|src|srcset|media|defer|id|class|type|hidden|aria-[a-z]+|role|tabindex|` +
		`scope|data-[a-z-]+|alt|width|height|loading|sandbox|title|srcdoc|download|open|align|for|min|max|step|value|checked|disabled|start)$`)
	ownFile   = regexp.MustCompile(`^(assets/[a-z/.]+|data:,)$`)
	ownScript = regexp.MustCompile(`^assets/(theme|site|slides|explorable|katex/katex\.min)\.js$`)
	goodLink  = regexp.MustCompile(`^(https?://|mailto:|[^:]*$|[^:]*[/?#]|data:,$)`)
	goodPic   = regexp.MustCompile(`^(figures/[0-9a-f]+\.(png|svg|gif|jpg|webp)|data:image/(png|gif|jpeg|webp);base64,[A-Za-z0-9+/=]*)$`)
)

// executable returns what in a page could run, load, or send something, or is not written in the strict form.
func executable(page string) (faults []string) {
	fault := func(what, where string) { faults = append(faults, what+": "+where[:min(len(where), 120)]) }
	for {
		at := strings.IndexByte(page, '<')
		if at < 0 {
			return faults
		}
		page = page[at:]
		if m := comment.FindString(page); m != "" {
			page = page[len(m):]
			continue
		}
		m := strictTag.FindStringSubmatch(page)
		if m == nil {
			fault("no strict form", page)
			page = page[1:]
			continue
		}
		page = page[len(m[0]):]
		tag := m[2]
		if !pageTags.MatchString(tag) {
			fault("tag", m[0])
		}
		has := map[string]string{}
		for _, a := range strictAttr.FindAllStringSubmatch(m[3], -1) {
			name, value := a[1], html.UnescapeString(a[2])
			has[name] = value
			switch {
			case !pageAttrs.MatchString(name):
				fault("attribute "+name, m[0])
			case tag == "script" && name == "src":
				if !ownScript.MatchString(value) {
					fault("script", m[0])
				}
			case name == "href" && !goodLink.MatchString(value), (name == "src" || name == "srcset") && !goodPic.MatchString(value):
				fault("address", m[0])
			case tag == "link" && name == "href" && !ownFile.MatchString(value):
				fault("link", m[0])
			case tag == "meta" && name == "http-equiv" && value != "Content-Security-Policy":
				fault("meta", m[0])
			}
		}
		switch sandbox, boxed := has["sandbox"]; {
		case tag == "script" && m[1] == "" && has["src"] == "":
			fault("script in the page", m[0])
		case tag == "iframe" && m[1] == "" && (!boxed || sandbox != "allow-same-origin" || has["src"] != ""):
			fault("frame", m[0])
		}
	}
}

// A notebook of a stranger becomes a page, and nothing in it runs: not a script, a handler, a link, a
// picture, a frame.
func TestReliabilityHostileNotebook(t *testing.T) {
	dir := *hostileSite
	if dir == "" {
		dir = t.TempDir()
	}
	files := buildIn(t, hostile(), dir)
	pages, pictures := 0, 0
	for name, content := range files {
		switch filepath.Ext(name) {
		case ".html":
			if name == "playground.html" || name == "search.html" { // hold nothing of a notebook
				continue
			}
			pages++
			for _, f := range executable(content) {
				t.Errorf("%s: %s", name, f)
			}
			if strings.Count(content, "</main>") != 1 || strings.Count(content, "</title>") != 1 {
				t.Errorf("%s: broken open", name)
			}
		case ".svg":
			pictures++
			if strings.Contains(content, "pwned") || strings.Contains(content, "iframe") {
				t.Errorf("%s: %s", name, content)
			}
		}
	}
	if pages != 3 || pictures == 0 {
		t.Errorf("%d pages and %d SVGs: is the notebook there?", pages, pictures)
	}
	t.Attr("attacks", strconv.Itoa(len(attacks)))
	t.Attr("fields-attacked", "24") // of a notebook, a cell and its outputs; see hostile
}

// The grammar finds what it is there to find.
func TestExecutable(t *testing.T) {
	for _, a := range attacks[:26] { // those that are tags
		if len(executable("<p>"+a+"</p>")) == 0 {
			t.Errorf("harmless: %s", a)
		}
	}
	for _, a := range []string{`<a href="javascript:x">x</a>`, `<a href="data:text/html,x">`, `<iframe sandbox="allow-same-origin allow-scripts" srcdoc="x"></iframe>`, `<img src="//evil.example/x">`, `<p onclick="x">`, `<script src="https://x"></script>`, `a < b`} {
		if len(executable(a)) != 1 {
			t.Errorf("%d faults: %s", len(executable(a)), a)
		}
	}
	for name, page := range sampleFiles(t) {
		if strings.HasSuffix(name, ".html") && name != "playground.html" && name != "search.html" { // whose forms are the site's own
			for _, f := range executable(page) {
				t.Errorf("%s of the sample: %s", name, f)
			}
		}
	}
}

// Whatever the text, what is set of it, as prose, as a terminal's text and as an explorable, holds nothing that could run, and
// its size is in proportion to that of the text.
func FuzzProse(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Add("> - 1. a\n\n$$\nx\n$$ $y$ \\(z\\) \\[w\\]\n\n|a|b|\n|-|-|\n|c|\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := &page{out: &folder{dir: t.TempDir()}}
		explorable, err := p.explorable(text)
		if err != nil {
			t.Skip(err) // no folder
		}
		for kind, out := range map[string]string{"prose": string(newProse().html(text, nil)), "terminal": stream("stdout", text), "explorable": explorable} {
			for _, fault := range executable(out) {
				t.Errorf("%s: %s", kind, fault)
			}
			const tableCell = len("<td></td>\n")
			if limit := 1000 + 200*len(text) + min(maxCells, len(text)*len(text))*tableCell; len(out) > limit {
				t.Errorf("%s: %d bytes became %d", kind, len(text), len(out))
			}
		}
	})
}
