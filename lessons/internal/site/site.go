// Package site makes web pages of executed notebooks and serves them to the reader's own browser.
//
// Build writes a folder of plain files, which needs no server (it works from a file system or any web host)
// and no network: nothing is loaded from elsewhere.
//
// # Decisions
//
// Mathematics is set by KaTeX, vendored in assets/katex: it is maintained, needs no build step, is ten
// times smaller than MathJax, and writes MathML, which screen readers read. The TeX source is the text of
// an element, so Markdown or HTML cannot change a formula, and a page without JavaScript still shows the
// source.
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
	out := &folder{dir: outDir, address: address}
	if err := out.copyAssets(); err != nil {
		return err
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
		"Run":         slices.ContainsFunc(notebooks, func(s Source) bool { return s.Run })}
	if err := out.guide(newGuidePages(guide, pages), front); err != nil {
		return err
	}
	for i, p := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		data := map[string]any{"Title": p.Title, "Page": p, "Description": plainText(p.Summary)}
		if p.live || notebooks[i].Run {
			data["Policy"], data["Live"], data["Run"] = livePolicy, p.live, notebooks[i].Run
		}
		if err := out.layOut(p.Slug+".html", "page.html", data); err != nil {
			return err
		}
		if err := out.put("downloads/"+p.Slug+".ipynb", notebooks[i].Notebook.WriteJSON); err != nil {
			return err
		}
		text := notebooks[i].Markdown
		if text == nil {
			text = notebooks[i].Notebook.Markdown()
		}
		if err := out.putBytes("downloads/"+p.Slug+".md", text); err != nil {
			return err
		}
	}
	if front["Run"] == true {
		if err := out.putBytes(serviceWorkerFile, serviceWorker); err != nil {
			return err
		}
	}
	if err := out.playground(ctx); err != nil {
		return err
	}
	if err := out.search(pages); err != nil {
		return err
	}
	if err := out.render("index.html", front); err != nil {
		return err
	}
	return out.published(ctx)
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

// playground writes the page of the playground, with the figure of the state that it opens with.
func (f *folder) playground(ctx context.Context) error {
	fit, figure, err := startFigure(ctx)
	if err != nil {
		return err
	}
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	file, err := f.figure(svg, ".svg")
	if err != nil {
		return err
	}
	width, height := figure.Size()
	return f.render("playground.html", map[string]any{"Title": "Playground", "Policy": livePolicy, "Guide": true, "Live": true, "Playground": true, "Samples": playground.Samples,
		"Figure": map[string]any{"File": file, "Alt": figure.Alt, "Caption": figure.Caption, "Mark": fit.Mark, "Verdict": fit.Verdict,
			"Width": math.Round(width.Points() * 96 / 72), "Height": math.Round(height.Points() * 96 / 72)}})
}

// guide writes the pages about the course, and adds to the front page what it says of them.
func (f *folder) guide(gp *guidePages, front map[string]any) error {
	stops, written, reading, practice := gp.stops()
	rows, shown := gp.errata()
	tables, items, placed := gp.notes()
	front["Stops"], front["Written"], front["Total"] = stops, written, duration(reading)
	if practice > 0 {
		front["Practice"] = duration(practice)
	}
	front["Map"], front["Routes"] = gp.courseMap(), marks(gp.guide)
	front["Errata"], front["Shown"], front["Items"], front["Placed"] = len(rows), shown, items, placed
	terms, symbols := gp.glossary()
	return cmp.Or(
		f.render("errata.html", map[string]any{"Title": "What the notes got wrong, and the cell that shows it", "Guide": true, "Rows": rows, "Shown": shown}),
		f.render("glossary.html", map[string]any{"Title": "Glossary and notation", "Terms": terms, "Symbols": symbols}),
		f.render("lecturers.html", map[string]any{"Title": "For lecturers", "Guide": true, "Stops": stops, "Course": gp, "Routes": gp.guide.Routes}),
		f.render("notes.html", map[string]any{"Title": "From the notes to the cells", "Guide": true, "Notes": tables}))
}

// folder writes the site's files.
type folder struct {
	dir     string
	address Address
	pages   []string // that were written
}

func (f *folder) put(name string, write func(io.Writer) error) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, write)
}

// putBytes leaves a file alone that has the content already, as most do between two builds.
func (f *folder) putBytes(name string, content []byte) error {
	if old, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name))); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return f.put(name, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// render writes the page of the template of that name.
func (f *folder) render(name string, data map[string]any) error { return f.layOut(name, name, data) }

// layOut writes a page. Its policy is the usual one unless data names another.
func (f *folder) layOut(name, layout string, data map[string]any) error {
	if name != "404.html" {
		f.pages = append(f.pages, name)
	}
	if data["Policy"] == nil {
		data["Policy"] = policy
	}
	data["URL"], data["Card"] = f.url(name), f.url(cardFile)
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, layout, data); err != nil {
		return err
	}
	return f.putBytes(name, b.Bytes())
}

func (f *folder) copyAssets() error {
	return fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		return f.putBytes(name, content)
	})
}
