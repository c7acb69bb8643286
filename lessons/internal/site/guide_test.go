package site

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// guided is a course of three lessons, of which the third is to come.
func guided(t *testing.T) (*course.Guide, []Source) {
	t.Helper()
	said := func(lines ...string) []notebook.Output {
		return []notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: strings.Join(lines, "\n") + "\n"}}
	}
	one := notebook.New(
		notebook.Cell{Kind: notebook.Markdown, Source: "# 1 · The first"},
		notebook.Cell{Kind: notebook.Markdown, Source: "## Above & beyond"},
		notebook.Cell{Kind: notebook.Code, Source: "a", Metadata: map[string]any{"name": "the-foot"}, Tags: []string{"erratum-1"},
			Outputs: said("a number", "✓ f < <b>1</b> — 3 random cases", "✓ f < <b>1</b> — 4", "✗ it fell — so")},
		notebook.Cell{Kind: notebook.Code, Source: "b", Tags: []string{"erratum-1"}},
		notebook.Cell{Kind: notebook.Markdown, Source: "## Later"},
		notebook.Cell{Kind: notebook.Code, Source: "c", Tags: []string{"erratum-1"}},
	)
	two := notebook.New(notebook.Cell{Kind: notebook.Markdown, Source: "# 2 · The second\n\nWords."})
	for nb, time := range map[*notebook.Notebook]string{one: "45 min", two: "1 h 20 min"} {
		nb.Metadata["jupytext"] = map[string]any{"root_level_metadata": map[string]any{"time": time}}
	}
	g := &course.Guide{
		Path: []course.PathEntry{
			{Number: 1, Title: "The first", Why: "It has <no> reason."},
			{Number: 2, Title: "The second", Why: "So there are two.", Needs: []int{1}},
			{Number: 3, Title: "The third", Why: "To come.", Topic: "all the rest", Needs: []int{1, 2}},
		},
		Errata: []course.Erratum{
			{Number: 1, At: "A §1", Says: "<script>x</script>", Holds: "f < 1", Lessons: []int{1, 3}},
			{Number: 2, At: "A §2", Says: "no", Holds: "yes", Lessons: []int{3}},
			{Number: 3, At: "A §3", Says: "no", Holds: "yes", Lessons: []int{2}},
		},
		Notes: []course.Note{{Name: "A", About: "a note", Holds: map[course.Kind]int{"theorem": 1, "proof": 2}, Items: []course.Item{
			{ID: "A1", Kind: "theorem", At: "§1", What: "w < x", Lesson: 1, Cells: []string{"the-foot", "lost"}},
			{ID: "A2", Kind: "proof", At: "§1", What: "why", Lesson: 3, Cells: []string{"the-foot"}},
			{ID: "A3", Kind: "proof", At: "§2", What: "why not", Lesson: 2, Cells: []string{"lost"}},
		}}},
	}
	return g, []Source{{Number: 1, Slug: "01-first", Notebook: one}, {Number: 2, Slug: "02-second", Notebook: two}}
}

func buildGuided(t *testing.T, g *course.Guide, sources []Source) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, g, sources, dir); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = unset(t, string(text))
	}
	return files
}

func TestFrontPage(t *testing.T) {
	files := buildGuided(guidedOf(t))
	index := files["index.html"]
	want(t, index, "2 of the 3 lessons are here, about 2 h 5 min of reading", `<li id="lesson-3"><article>`,
		`<h3><a href="01-first.html">1 · The first</a></h3>`, "It has &lt;no&gt; reason.", "Needs no other lesson · 45 min · 3 cells",
		`<h3>3 · The third <span class="come">to come</span></h3>`, "It will be about all the rest.",
		`Needs lessons <a href="#lesson-1">1</a>, <a href="#lesson-2">2</a>`, `Needs lesson <a href="#lesson-1">1</a> · 1 h 20 min`,
		"3 slips, 1 of them shown", "3 definitions, theorems,", "1 of them with their cells", `<section aria-labelledby="order">`)
	reject(t, index, `href="03`, "downloads/03")
	want(t, files["01-first.html"], "From the notes: 1 of their", "1 of <a href=\"errata.html\">their slips</a>")
	reject(t, files["02-second.html"], "From the notes")

	g, sources := guided(t)
	g.Path = g.Path[:2]
	for i := range g.Errata {
		g.Errata[i].Lessons = []int{1}
	}
	g.Notes[0].Items[1].Lesson = 2
	index = buildGuided(t, g, sources)["index.html"]
	want(t, index, "All 2 lessons are here")
	reject(t, index, "to come")
}

// guidedOf is guided as the arguments of buildGuided.
func guidedOf(t *testing.T) (*testing.T, *course.Guide, []Source) { g, s := guided(t); return t, g, s }

// The table of the errata takes the claims from what the cells said when they ran.
func TestErrataPage(t *testing.T) {
	files := buildGuided(guidedOf(t))
	page := files["errata.html"]
	want(t, page, `<caption>`, `<th scope="row"`, `id="erratum-1"`, "&lt;script&gt;x&lt;/script&gt;", "f &lt; 1", "A\u00a0§1",
		`<a href="01-first.html#cell-the-foot">1 · Above &amp; beyond</a><span class="claim"><span class="mark" aria-hidden="true">✓</span> f &lt; &lt;b&gt;1&lt;/b&gt;</span></li>`,
		"1 · Above &amp; beyond (2)</a></li>", "1 · Later</a></li>",
		"to come: lesson 3, The third", "no cell yet", "1 of 3 slips")
	reject(t, page, "it fell", "a number", "random cases")
	if n := strings.Count(page, "to come: lesson 3"); n != 2 {
		t.Errorf("%d rows wait for lesson 3; the first is shown in part only", n)
	}
}

func TestNotesPage(t *testing.T) {
	page := buildGuided(guidedOf(t))["notes.html"]
	want(t, page, "1 theorem, 2 steps of proofs", `1 of 3</td>`, `id="A1"`, "w &lt; x", `<a href="01-first.html#cell-the-foot">1 · the foot</a>`,
		`to come: <a href="index.html#lesson-3">lesson 3</a>`, "no cell yet", "<caption>Note A: a note</caption>")
	reject(t, page, "lost")
}

// The glossary holds the terms of written lessons in the order of the alphabet, and leads to where they are defined.
func TestGlossaryPage(t *testing.T) {
	g, sources := guided(t)
	sources[0].Notebook.Cells[1].Source += "\n\nThe *Foot* is at $\\mu$. The **foot** again. **To wander** is *Slater's & mine*."
	g.Glossary = []course.Entry{
		{Term: "to wander", Lesson: 1, Means: "To walk $\\mu$ <steps>."}, {Term: "foot", Lesson: 1, Means: "The nearest point."},
		{Term: "rule", As: "slater's & mine", Lesson: 1, Means: "A rule."}, {Term: "lost", Lesson: 2, Means: "Nowhere."}, {Term: "later", Lesson: 3, Means: "To come."},
		{Symbol: "\\mu", Lesson: 1, Section: "Above & beyond", Means: "A letter."},
	}
	files := buildGuided(t, g, sources)
	page, lesson := files["glossary.html"], files["01-first.html"]
	want(t, page, `<a href="01-first.html#term-foot">foot</a>`, `<a href="01-first.html#term-rule">rule</a>`, `<a href="01-first.html#term-to-wander">to wander</a>`, `<a href="02-second.html">lost</a>`,
		`To walk <span class="math">\mu</span> `, `<th scope="row" role="rowheader"><span class="math">\mu</span></th>`, `<a href="01-first.html#above-beyond">1 · Above &amp; beyond</a>`)
	reject(t, page, "later", "<steps>")
	want(t, lesson, `<dfn id="term-foot"><em>Foot</em></dfn>`, `The <strong>foot</strong> again`, `<dfn id="term-rule"><em>Slater's &amp; mine</em></dfn>`, `href="glossary.html"`)
	if foot, rule, wander := strings.Index(page, ">foot<"), strings.Index(page, ">rule<"), strings.Index(page, ">to wander<"); !(foot < rule && rule < wander) {
		t.Errorf("the order is not that of the alphabet: %d, %d, %d", foot, rule, wander)
	}
}

// The page for lecturers has the lessons with their tasks, and the shorter ways with their sections.
func TestLecturersPage(t *testing.T) {
	g, sources := guided(t)
	sources[0].Notebook.Cells = append(sources[0].Notebook.Cells, notebook.Cell{Kind: notebook.Markdown, Source: "### Exercise 1.1 (five minutes): a $\\mu$\n\n### On paper 1.6 (ten minutes): why\n\n### More"})
	g.Routes = []course.Route{
		{Name: "short", Title: "An hour", About: "The <start>.", Parts: []course.RoutePart{{Lesson: 1, Minutes: 70, Sections: []string{"Above & beyond", "Gone"}}}},
		{Name: "long", Title: "A day", About: "All.", Parts: []course.RoutePart{{When: "Monday", Lesson: 2}, {Lesson: 3}}},
	}
	files := buildGuided(t, g, sources)
	page := files["lecturers.html"]
	want(t, files["index.html"], `href="lecturers.html"`)
	inOrder(t, page, `<h3 id="way-short">An hour</h3>`, "The &lt;start&gt;.", `<a href="01-first.html">1 · The first</a> <span class="takes">1 h 10 min</span>`,
		`<li><a href="01-first.html#above-beyond">Above &amp; beyond</a></li>`, `<a href="01-first.html">Gone</a>`,
		`<span class="when">Monday</span> <a href="02-second.html">2 · The second</a> <span class="takes">1 h 20 min</span>`, `3 · The third <span class="come">to come</span>`,
		"lessons grade FOLDER", `<h3><a href="01-first.html">1 · The first</a></h3>`, "It has &lt;no&gt; reason.", "Needs no other lesson · 45 min", `<a href="01-first.html?slides"`,
		`<a href="01-first.html#exercise-1-1-five-minutes-a-mu">Exercise 1.1 (five minutes): a <span class="math">\mu</span></a>`, "On paper 1.6", "It will be about all the rest.", "Needs lessons 1, 2")
	reject(t, page, "More<", "03")
}

var linkTo = regexp.MustCompile(`href="([^"#:]*)(?:#([^"]*))?"`)

// No link between the pages of the real course leads nowhere.
func TestLinksOfTheCourse(t *testing.T) {
	const root = "../../.."
	guide, err := course.ReadGuide(root)
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	var sources []Source
	for _, l := range lessons {
		number := 0
		if _, err := fmt.Sscan(strings.TrimPrefix(l.Number, "0"), &number); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, Source{Number: number, Slug: l.Slug, Notebook: l.Parsed})
	}
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, guide, sources, dir); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	read := func(name string) string {
		if _, ok := pages[name]; !ok {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				t.Error(err)
			}
			pages[name] = string(text)
		}
		return pages[name]
	}
	links := 0
	all := []string{"index.html", "errata.html", "notes.html", "glossary.html", "playground.html"}
	for _, l := range lessons {
		all = append(all, l.Slug+".html")
	}
	for _, from := range all {
		for _, m := range linkTo.FindAllStringSubmatch(read(from), -1) {
			to := m[1]
			if to == "" {
				to = from
			}
			id, err := url.PathUnescape(m[2])
			if text := read(to); err != nil || id != "" && !strings.Contains(text, `id="`+id+`"`) {
				t.Errorf("%s: %s leads nowhere", from, m[0])
			}
			links++
		}
	}
	if links < 200 {
		t.Errorf("only %d links were found", links)
	}
	for _, e := range guide.Glossary { // to the place itself, not to the top of its page
		if e.Term != "" && e.Lesson <= len(lessons) && !regexp.MustCompile(`href="[^"#]*#term-[^"]*">`+regexp.QuoteMeta(html.EscapeString(e.Term))+"<").MatchString(read("glossary.html")) {
			t.Errorf("the glossary's %q leads to no definition", e.Term)
		}
	}
}
