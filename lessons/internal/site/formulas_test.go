package site

import (
	"context"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// unset turns set formulas back into TeX, as function formula writes it, so that a test can read a page.
func unset(t testing.TB, page string) string {
	t.Helper()
	page = replaceSpans(t, page, `<span class="joined">`, func(inner string) string { return inner })
	return replaceSpans(t, page, `<span class="katex`, func(set string) string {
		tex := regexp.MustCompile(`(?s)<annotation encoding="application/x-tex">(.*?)</annotation>`).FindStringSubmatch(set)
		if tex == nil {
			t.Fatalf("a formula without TeX: %.300s", set)
		}
		return tex[1]
	})
}

// replaceSpans replaces each span that begins with a tag, and all in it.
func replaceSpans(t testing.TB, page, begin string, by func(inner string) string) string {
	t.Helper()
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(page, begin)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		depth := 1
		for _, m := range spanTag.FindAllStringIndex(rest, -1) {
			if depth++; rest[m[0]+1] == '/' {
				depth -= 2
			}
			if depth == 0 {
				b.WriteString(by(rest[:m[0]]))
				page = rest[m[1]:]
				break
			}
		}
		if depth != 0 {
			t.Fatalf("a span without end: %.300s", rest)
		}
	}
}

var spanTag = regexp.MustCompile(`</?span\b[^>]*>`)

func setter(t *testing.T) *typesetter {
	t.Helper()
	s, err := newTypesetter()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A formula is set without JavaScript in the page: visible letters, and MathML for screen readers.
func TestFormulasAreSet(t *testing.T) {
	page := setter(t).set("<p>" + formula(`\lVert w\rVert_2 \le k`, false) + "</p>" + formula(`\sum_{i=1}^n a_i < 1`, true))
	want(t, page, `<p><span class="math"><span class="katex">`, `<mo stretchy="false">∥</mo>`, `<span class="mrel">≤</span>`,
		`<div class="math display"><span class="katex-display">`, `<annotation encoding="application/x-tex">\sum_{i=1}^n a_i &lt; 1</annotation>`)
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, sampleGuide, sample(t), dir); err != nil {
		t.Fatal(err)
	}
	lesson, err := os.ReadFile(filepath.Join(dir, "03-novikoff.html"))
	if err != nil {
		t.Fatal(err)
	}
	want(t, string(lesson), `<annotation encoding="application/x-tex">k=5</annotation>`)
	reject(t, string(lesson), "katex.min.js", `class="math">\`)
	if _, there := sampleFiles(t)[katexProgram]; there {
		t.Error("the site holds KaTeX's program, which no page needs")
	}
}

// No line begins with the full stop after a formula, or ends with the bracket before it. A long formula may break.
func TestFormulasKeepTheirPunctuation(t *testing.T) {
	s := setter(t)
	n := s.set(formula("n", false))
	for in, want := range map[string]string{
		"a (" + formula("n", false) + "), b": `a <span class="joined">(` + n + "),</span> b",
		formula("n", false) + "-th row":      `<span class="joined">` + n + "-th</span> row",
		formula("n", false) + "’s":           `<span class="joined">` + n + "’s</span>",
		formula("n", false) + " rows.":       n + " rows.",
		formula("n", true) + ".":             s.set(formula("n", true)) + ".",
	} {
		if got := s.set(in); got != want {
			t.Errorf("%s\nbecomes %s\nand not %s", in, got, want)
		}
	}
	long := s.set("(" + formula("a+b+c=d+e+f+g+h+i+j", false) + "), then")
	for _, part := range []string{firstPiece + "(<span", "),</span></span></span></span> then"} {
		if !strings.Contains(long, part) {
			t.Errorf("the marks can be parted from a long formula: no %s in %s", part, long)
		}
	}
	reject(t, long, "joined")
}

// A mistake in a formula is shown in red, with its reason.
func TestFormulaWithAMistake(t *testing.T) {
	want(t, setter(t).set(formula(`\frac{`, false)), `<span class="katex-error" title="ParseError: KaTeX parse error:`)
}

// What KaTeX cannot read is shown, whatever it is, and harms neither the page nor the formulas after it.
func TestFormulasThatCannotBeSet(t *testing.T) {
	began := time.Now()
	for _, tex := range []string{
		`\frac{`, `\nonsense`, `\def\a{\a}\a`, `\def\a{\b\b}\def\b{\a\a}\a`, `\href{javascript:alert(1)}{x}`, `\htmlClass{joined}{x}`,
		`\includegraphics{http://example.org/x.png}`, `</span><script>alert(1)</script>`, strings.Repeat("{", 20_000), strings.Repeat(`\sqrt{`, 5_000) + "x",
		`\rule{100000em}{100000em}`, "", "\x00",
	} {
		s := setter(t)
		page := s.set("<p>" + formula(tex, false) + " and " + formula("n", false) + "</p>")
		if !strings.HasSuffix(page, " and "+s.set(formula("n", false))+"</p>") {
			t.Errorf("after %.40q the next formula is not set: %.300s", tex, page)
		}
		if strings.Contains(page, "<script") || strings.Contains(page, "href=") || strings.Contains(page, "src=") || strings.Contains(page, ":100000em") {
			t.Errorf("%.40q becomes %.300s", tex, page)
		}
		if seen := html.UnescapeString(tag.ReplaceAllString(page, "")); len(tex) > 1 && len(tex) < 100 && !strings.Contains(seen, strings.Trim(tex, "\\{}")[:1]) {
			t.Errorf("%.40q is not seen: %.300s", tex, page)
		}
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}
