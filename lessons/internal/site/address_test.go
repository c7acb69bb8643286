package site

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"https://example.org/a/b/": {"https://example.org", "/a/b/"}, "http://localhost:80": {"http://localhost:80", "/"}, "/any/prefix": {"", "/any/prefix/"}, "/": {"", "/"},
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "prefix", "example.org/a", "//example.org", "ftp://example.org/", "https://u:p@example.org/", "/a?b", "/a#b", "https://", "%"} {
		if a, err := ParseAddress(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, a)
		}
	}
}

// A site whose address is known has the page for what is not there, with whole paths; with its host, too, it names its pages' addresses, and has a card.
func TestPublishedSite(t *testing.T) {
	read := func(address Address) func(string) string {
		dir := t.TempDir()
		if err := Build(context.Background(), address, sampleGuide, []Source{{Slug: "a-page", Title: "A page", Notebook: notebook.New()}}, dir); err != nil {
			t.Fatal(err)
		}
		return func(name string) string { b, _ := os.ReadFile(filepath.Join(dir, name)); return string(b) }
	}
	whole := read(Address{"https://example.org", "/a&b/"})
	want(t, whole("a-page.html"), `<link rel="canonical" href="https://example.org/a&amp;b/a-page.html">`, `property="og:title" content="A page"`, `property="og:image" content="https://example.org/a&amp;b/assets/card.png"`)
	want(t, whole("sitemap.xml"), "<loc>https://example.org/a&amp;b/a-page.html</loc>", "<loc>https://example.org/a&amp;b/</loc>", "<loc>https://example.org/a&amp;b/search.html</loc>")
	reject(t, whole("sitemap.xml"), "404", "index.html")
	want(t, whole("404.html"), `href="/a&amp;b/assets/site.css"`, `src="/a&amp;b/assets/site.js"`, `href="/a&amp;b/index.html"`)
	card, err := png.DecodeConfig(strings.NewReader(whole("assets/card.png")))
	if err != nil || card.Width != 1200 || card.Height != 630 {
		t.Errorf("the card is %d by %d: %v", card.Width, card.Height, err)
	}
	path := read(Address{"", "/p/"})
	want(t, path("404.html"), `href="/p/index.html"`)
	reject(t, path("a-page.html"), "canonical", "og:")
	if none := read(Address{}); none("404.html") != "" || path("sitemap.xml") != "" || path("assets/card.png") != "" {
		t.Error("without an address there are files that need one")
	}
}

// The texts for the search are the page's sections with the addresses of their headings, without code, and formulas as lines of text.
func TestPlacesOfSearch(t *testing.T) {
	nb := notebook.New(
		notebook.Cell{Kind: notebook.Markdown, Source: "# 1 · First\n\nBefore & *all*."},
		notebook.Cell{Kind: notebook.Markdown, Source: `## A bound on $\gamma$` + "\n\n" + `If $\langle w,x\rangle\le\|w\|$, done.` + "\n\n$$\n\\frac{a}{b}<\\tfrac12\n$$\n\nEnd.\n\n### Deeper\n\n</script>"},
		notebook.Cell{Kind: notebook.Code, Source: "var hidden int", Outputs: []notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "✓ it holds — always\n"}}},
	)
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, sampleGuide, []Source{{Slug: "one", Notebook: nb}}, dir); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(dir, "assets", "places.js"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(script, []byte("const places = "))
	var got []searchEntry
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte(";\n")), &got); err != nil {
		t.Fatalf("%v\n%s", err, script)
	}
	wanted := []searchEntry{
		{"one.html", "1 · First", "", "Before & all."},
		{"one.html#a-bound-on-gamma", "1 · First", "A bound on γ", "If ⟨w,x⟩≤‖w‖, done. a/b<1/2 End."},
		{"one.html#deeper", "1 · First", "Deeper", "✓ it holds — always"},
	}
	if len(got) != len(wanted) {
		t.Fatalf("%d places, want %d\n%s", len(got), len(wanted), script)
	}
	for i, w := range wanted {
		if got[i] != w {
			t.Errorf("place %d is\n%+v\nwant\n%+v", i, got[i], w)
		}
	}
}
