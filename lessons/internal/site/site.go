// Package site turns executed notebooks into the website of the course, and serves it on the reader's
// own machine.
//
// Build writes a folder of plain files, which needs no server (it works from a file system or any web host)
// and no network: nothing is loaded from elsewhere.
//
// # Decisions
//
// Formulas are set while the site is built, by KaTeX (vendored in assets/katex) in an interpreter of
// JavaScript written in Go. So a page shows them without JavaScript, and the reader's browser has nothing to compute.
// KaTeX also writes MathML, which screen readers read. Until a page is written, a formula is its TeX source
// as the text of an element, so Markdown or HTML cannot change it.
//
// Text that a cell displays is escaped, and HTML that it displays, or that stands in prose, goes through
// a sanitiser (bluemonday), so that a mistake of an author or a library cannot break a page. Each page's
// content security policy allows scripts, styles, fonts and pictures from the site's own folder only.
package site

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/playground"
	"github.com/svmkit/course/plots"
)

// Source is one notebook to show.
type Source struct {
	Number   int    // of the lesson on the guide's path
	Slug     string // file name of its page without ".html": a–z, 0–9 and -
	Title    string // empty: the front matter's, else the first heading, else the slug
	Notebook *notebook.Notebook
	Markdown []byte // the lesson's source text, to download; nil: the notebook as Markdown
	Run      bool   // cells can be run in the page: the site has, or gets, the folder program.CellsFolder
	Handout  bool   // the solutions are left out, so no link may lead to them
}

//go:embed assets
var assets embed.FS

//go:embed sw.js
var serviceWorker []byte

//go:embed head.html page.html index.html errata.html notes.html glossary.html lecturers.html book.html playground.html search.html 404.html
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"line": line, "duration": duration,
	"formula": func(tex string) template.HTML { return template.HTML(formula(tex, false)) }}).ParseFS(templateFiles, "*.html"))

// serviceWorkerFile stands beside the pages: a service worker serves what is below its own address.
const serviceWorkerFile = "sw.js"

// policy is the content security policy of every page. Inline styles are allowed, since HTML that cells
// display (a table, say) carries them and they can do no harm where nothing can be loaded.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"

// livePolicy is that of pages with an explorable or cells to run, by a Worker with the site's WebAssembly.
const livePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

var validSlug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Build writes the site to outDir, which is made if need be. Every file is replaced whole, so a server of
// the folder never shows half a page, and the same notebooks give the same bytes. Files that no notebook
// needs are left alone. The context is checked between cells. The zero address stands for anywhere.
func Build(ctx context.Context, address Address, guide *course.Guide, notebooks []Source, outDir string) error {
	seen := map[string]bool{"index": true, "errata": true, "notes": true, "glossary": true, "lecturers": true, "playground": true, "search": true}
	for _, s := range notebooks {
		if !validSlug.MatchString(s.Slug) || seen[s.Slug] {
			return fmt.Errorf("site: slug %q: must be of a–z, 0–9 and -, not a page of the site itself, and used once", s.Slug)
		}
		if s.Notebook == nil {
			return fmt.Errorf("site: %s has no notebook", s.Slug)
		}
		seen[s.Slug] = true
	}
	formulas, err := newTypesetter()
	if err != nil {
		return err
	}
	out := &folder{dir: outDir, address: address, formulas: formulas}
	if out.copyAssets(); out.err != nil {
		return out.err
	}
	pages := make([]*page, len(notebooks))
	for i, s := range notebooks {
		p, err := newPage(ctx, s, out)
		if err != nil {
			return fmt.Errorf("site: %s: %w", s.Slug, err)
		}
		pages[i] = p
		if i > 0 {
			p.Previous = pages[i-1]
			p.Previous.Next = p
		}
	}
	front := map[string]any{"Title": "Perceptrons and support vector machines: the lessons",
		"Description": "A course whose proofs are executed, from the first line between two kinds of points to the last kernel.",
		"Run":         slices.ContainsFunc(notebooks, func(s Source) bool { return s.Run }),
		"Handout":     slices.ContainsFunc(notebooks, func(s Source) bool { return s.Handout })}
	out.guide(newGuidePages(guide, pages), front)
	for i, p := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		data := map[string]any{"Title": p.Title, "Page": p, "Lessons": pages, "Description": plainText(p.Summary), "Handout": notebooks[i].Handout}
		if p.live || notebooks[i].Run {
			data["Policy"], data["Live"], data["Run"] = livePolicy, p.live, notebooks[i].Run
		}
		out.layOut(p.Slug+".html", "page.html", data)
		out.put("downloads/"+p.Slug+".ipynb", notebooks[i].Notebook.WriteJSON)
		text := notebooks[i].Markdown
		if text == nil {
			text = notebooks[i].Notebook.Markdown()
		}
		out.putBytes("downloads/"+p.Slug+".md", text)
	}
	if front["Run"] == true {
		out.putBytes(serviceWorkerFile, serviceWorker)
	}
	if front["Figure"], err = out.playground(ctx); err != nil {
		return err
	}
	if err := out.search(pages); err != nil {
		return err
	}
	out.render("index.html", front)
	if err := out.published(ctx); err != nil {
		return err
	}
	return out.err
}

// startFigure draws the state that the playground opens with.
func startFigure(ctx context.Context) (*playground.Fit, *plots.Figure, error) {
	fit, err := playground.NewFit(ctx, playground.Start())
	if err != nil {
		return nil, nil, err
	}
	figure, err := fit.Draw(false)
	return fit, figure, err
}

// playground writes the page of the playground, and returns the figure of the state that it opens with.
func (f *folder) playground(ctx context.Context) (shown map[string]any, err error) {
	fit, figure, err := startFigure(ctx)
	if err != nil {
		return nil, err
	}
	svg, err := figure.SVG()
	if err != nil {
		return nil, err
	}
	width, height := figure.Size()
	shown = map[string]any{"File": f.figure(svg, ".svg"), "Alt": figure.Alt, "Caption": figure.Caption, "Mark": fit.Mark, "Verdict": fit.Verdict,
		"Width": math.Round(width.Points() * 96 / 72), "Height": math.Round(height.Points() * 96 / 72)}
	f.render("playground.html", map[string]any{"Title": "Playground", "Policy": livePolicy, "Guide": true, "Live": true, "Playground": true, "Samples": playground.Samples, "Figure": shown})
	return shown, nil
}

// guide writes the pages about the course, and adds to the front page what it says of them.
func (f *folder) guide(gp *guidePages, front map[string]any) {
	lessons, written, reading, practice := gp.rows()
	rows, shown := gp.errata()
	tables, items, placed := gp.notes()
	front["Lessons"], front["Written"], front["Total"] = lessons, written, duration(reading)
	if practice > 0 {
		front["Practice"] = duration(practice)
	}
	if i := slices.IndexFunc(lessons, func(l lessonRow) bool { return l.Page != nil }); i >= 0 {
		front["First"] = lessons[i].Page
	}
	front["Map"], front["Routes"] = gp.courseMap(), routeMarks(gp.guide)
	front["Errata"], front["Shown"], front["Items"], front["Placed"] = len(rows), shown, items, placed
	terms, symbols := gp.glossary()
	f.render("errata.html", map[string]any{"Title": "What the notes got wrong, and the cell that shows it", "Guide": true, "Rows": rows, "Shown": shown})
	f.render("glossary.html", map[string]any{"Title": "Glossary and notation", "Terms": terms, "Symbols": symbols})
	f.render("lecturers.html", map[string]any{"Title": "For lecturers", "Guide": true, "Lessons": lessons, "Course": gp, "Routes": gp.guide.Routes})
	f.render("notes.html", map[string]any{"Title": "From the notes to the cells", "Guide": true, "Notes": tables})
}

// folder writes the site's files, up to the first error.
type folder struct {
	dir      string
	address  Address
	formulas *typesetter
	pages    []string // that were written
	err      error
}

func (f *folder) put(name string, write func(io.Writer) error) {
	if f.err != nil {
		return
	}
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if f.err = os.MkdirAll(filepath.Dir(path), 0o777); f.err == nil {
		f.err = atomicfile.Write(path, write)
	}
}

// putBytes leaves a file alone that has the content already, as most do between two builds.
func (f *folder) putBytes(name string, content []byte) {
	if old, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name))); err != nil || !bytes.Equal(old, content) {
		f.put(name, func(w io.Writer) error { _, err := w.Write(content); return err })
	}
}

// render writes the page of the template of that name.
func (f *folder) render(name string, data map[string]any) { f.layOut(name, name, data) }

// layOut writes a page. Its policy is the usual one unless data names another.
func (f *folder) layOut(name, layout string, data map[string]any) {
	if name != "404.html" {
		f.pages = append(f.pages, name)
	}
	if data["Policy"] == nil {
		data["Policy"] = policy
	}
	data["URL"], data["Card"] = f.url(name), f.url(cardFile)
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, layout, data); err != nil {
		f.err = cmp.Or(f.err, err)
		return
	}
	f.putBytes(name, []byte(f.formulas.set(b.String())))
}

// copyAssets copies the scripts, styles and fonts. Pages do not need the program of KaTeX.
func (f *folder) copyAssets() {
	err := fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == katexProgram {
			return err
		}
		content, err := assets.ReadFile(name)
		f.putBytes(name, content)
		return err
	})
	f.err = cmp.Or(f.err, err)
}
