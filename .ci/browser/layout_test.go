package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// lessonsOf returns the names of the lessons' pages.
func lessonsOf(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(os.Getenv("SITE"), "[0-9]*.html"))
	if err != nil || len(paths) == 0 {
		missing(t, "SITE does not name the folder with the pages")
	}
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

// A link into a page leads to its target, and the target stays there, in a browser that does not anchor what it scrolls, as
// Safari.
func TestDeepLinksStay(t *testing.T) {
	browser := start(t)
	unanchored := func(w http.ResponseWriter, r *http.Request) bool {
		if filepath.Base(r.URL.Path) != "site.css" {
			return true
		}
		css, err := os.ReadFile(filepath.Join(os.Getenv("SITE"), "assets", "site.css"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/css")
		w.Write(append(css, "* { overflow-anchor: none; }"...))
		return false
	}
	for _, page := range []string{"06-widest-street.html", "12-svr.html"} {
		for _, width := range []int64{390, 1280} {
			tab, _ := lessonPage(t, browser, page, width, unanchored)
			// The last heading, and the last exercise, which is far below everything that could move.
			ids := value[[]string](t, tab, `[...document.querySelectorAll("main h2[id], main h3[id]")].map((h) => h.id).slice(-3)`)
			for _, id := range ids {
				if err := chromedp.Do(tab, chromedp.Navigate(value[string](t, tab, `location.href.replace(/[?#].*/, "")`)+"?"+url.QueryEscape(id)+"#"+url.PathEscape(id))); err != nil {
					t.Fatal(err)
				}
				const top = `document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top`
				until(t, tab, `document.readyState === "complete"`)
				at := value[float64](t, tab, top)
				time.Sleep(time.Second)
				if later := value[float64](t, tab, top); math.Abs(later-at) > 2 || later < 0 || later > 900 {
					t.Errorf("%s#%s at %d px: the target is at %.0f, and a second later at %.0f", page, id, width, at, later)
				}
			}
		}
	}
}

// On a phone the picture of each figure to move fills its stage, so that the handles are over their points.
func TestStagesFitTheirPictures(t *testing.T) {
	browser := start(t)
	for _, page := range lessonsOf(t) {
		tab, _ := lessonPage(t, browser, page, 390, nil)
		if value[int](t, tab, `document.querySelectorAll("figure.moves").length`) == 0 {
			continue
		}
		touch(t, tab)
		until(t, tab, `[...document.querySelectorAll("figure.moves")].every((f) => f.dataset.live === "yes")`)
		for _, off := range value[[]string](t, tab, `[...document.querySelectorAll(".stage")].flatMap((s) => {
			const a = s.getBoundingClientRect(), b = s.querySelector("img").getBoundingClientRect();
			const off = Math.max(...["left", "right", "top", "bottom"].map((side) => Math.abs(a[side] - b[side])));
			return off < 1 ? [] : ["stage " + Math.round(a.width) + " × " + Math.round(a.height) + ", picture " + Math.round(b.width) + " × " + Math.round(b.height)];
		})`) {
			t.Errorf("%s: %s", page, off)
		}
	}
}

// A lesson transfers at most 300 kB, compressed, before the reader touches a figure or runs a cell.
func TestWeight(t *testing.T) {
	const most = 300_000
	heaviest := 0.0
	browser := start(t)
	for _, page := range lessonsOf(t) {
		tab, _ := lessonPage(t, browser, page, 390, nil)
		until(t, tab, `document.readyState === "complete"`)
		time.Sleep(2 * time.Second) // for what would be loaded when the page is idle
		sum := 0
		for _, address := range value[[]string](t, tab, `[location.href, ...performance.getEntriesByType("resource").map((e) => e.name)].filter((a) => a.startsWith("http"))`) {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(filepath.Join(os.Getenv("SITE"), filepath.FromSlash(u.Path)))
			if err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(content)
			z.Close()
			sum += min(packed.Len(), len(content))
		}
		t.Logf("%s: %d kB", page, sum/1000)
		if sum > most {
			t.Errorf("%s transfers %d kB, at most %d", page, sum/1000, most/1000)
		}
		heaviest = max(heaviest, float64(sum)/1e6)
	}
	weighTable(t, heaviest)
}

// The table of docs/how-to/publish.md has the weights of this site, to a twentieth.
func weighTable(t *testing.T, heaviest float64) {
	site := os.Getenv("SITE")
	size := func(pattern string) float64 {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(site, pattern))
		if err != nil || len(paths) != 1 {
			missing(t, "SITE was built without -run-in-browser: "+pattern)
		}
		about, err := os.Stat(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		return float64(about.Size()) / 1e6
	}
	packages, unpacked := packed(t, site)
	compiler, linker, assembler, archives := size("run/compile-*.wasm.gz"), size("run/link-*.wasm.gz"), size("run/assemble-*.wasm.gz"), size("run/archives-*.pack")
	table := [][3]string{}
	row := func(name string, raw, compressed float64) {
		words := func(megabytes float64, digits int) string {
			if megabytes == 0 {
				return ""
			}
			return strconv.FormatFloat(megabytes, 'f', digits, 64) + " MB"
		}
		digits := 1
		if compressed < 1 {
			digits = 2
		}
		table = append(table, [3]string{name, words(raw, digits), words(compressed, digits)})
	}
	row("the heaviest lesson, before a figure is moved", 0, heaviest)
	row("movable figures, once", size("live/live-*.wasm"), size("live/live-*.wasm.gz"))
	row("cells, once", 0, compiler+linker+assembler+archives)
	row("of these: the compiler", size("run/compile-*.wasm"), compiler)
	row("of these: the linker", size("run/link-*.wasm"), linker)
	row("of these: the assembler of cells", size("run/assemble-*.wasm"), assembler)
	row(fmt.Sprintf("of these: %d packages", packages), unpacked, archives)

	text, err := os.ReadFile(filepath.Join(os.Getenv("COURSE"), "docs", "how-to", "publish.md"))
	if err != nil {
		missing(t, "COURSE does not name the checkout")
	}
	_, told, _ := strings.Cut(string(text), "| a reader loads | raw | compressed |\n|---|--:|--:|\n")
	told, _, _ = strings.Cut(told, "\n\n")
	rows := strings.Split(told, "\n")
	if len(rows) != len(table) {
		t.Fatalf("docs/how-to/publish.md has %d weights, not %d", len(rows), len(table))
	}
	near := func(told, measured string) bool {
		a, _ := strconv.ParseFloat(strings.TrimSuffix(told, " MB"), 64)
		b, _ := strconv.ParseFloat(strings.TrimSuffix(measured, " MB"), 64)
		return (told == "") == (measured == "") && math.Abs(a-b) <= b/20
	}
	for i, measured := range table {
		cells := strings.Split(strings.Trim(rows[i], "| "), "|")
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		if len(cells) != 3 || cells[0] != measured[0] || !near(cells[1], measured[1]) || !near(cells[2], measured[2]) {
			t.Errorf("docs/how-to/publish.md says %q, measured is: | %s |", rows[i], strings.Join(measured[:], " | "))
		}
	}
}

// packed returns how many packages the site has for cells, and their megabytes.
func packed(t *testing.T, site string) (packages int, megabytes float64) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(site, "run", "archives-*.pack"))
	if len(paths) != 1 {
		missing(t, "SITE was built without -run-in-browser")
	}
	file, err := os.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return packages, megabytes
		}
		if err != nil {
			t.Fatal(err)
		}
		megabytes += float64(h.Size) / 1e6
		if name := path.Base(h.Name); name != "importcfg" && name != "known" {
			packages++
		}
	}
}

// Without JavaScript a lesson shows its formulas, its figures and its text, and no button that does nothing.
func TestWithoutScripts(t *testing.T) {
	browser := start(t)
	blocked := func(w http.ResponseWriter, r *http.Request) bool {
		if filepath.Ext(r.URL.Path) == ".js" {
			w.Header().Set("Content-Type", "text/javascript")
			return false
		}
		return true
	}
	for _, page := range lessonsOf(t) {
		tab, _ := lessonPage(t, browser, page, 390, blocked)
		until(t, tab, `document.readyState === "complete"`)
		for _, fault := range value[[]string](t, tab, `[...document.querySelectorAll(".math")].filter((m) => !m.querySelector(".katex")).map((m) => "not set: " + m.textContent)
			.concat([...document.querySelectorAll("button")].filter((b) => b.checkVisibility()).map((b) => "a button: " + b.textContent))
			.concat(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [])`) {
			t.Errorf("%s: %s", page, fault)
		}
	}
}

// Nothing moves after it has been drawn, also if the scripts come late, as over a slow network.
func TestNothingMoves(t *testing.T) {
	browser := start(t)
	late := func(w http.ResponseWriter, r *http.Request) bool {
		if filepath.Ext(r.URL.Path) == ".js" && filepath.Base(r.URL.Path) != "theme.js" { // which the page waits for
			time.Sleep(500 * time.Millisecond)
		}
		return true
	}
	for _, page := range lessonsOf(t) {
		for _, screen := range [][2]int64{{390, 844}, {412, 823}} { // of an iPhone, and of Lighthouse's phone
			tab, _ := lessonPage(t, browser, "404.html", screen[0], late)
			view{"", screen[0], screen[1], "light"}.set(t, tab)
			if err := chromedp.Do(tab, chromedp.Navigate(value[string](t, tab, `new URL("`+page+`", location.href).href`))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			moved := promised[struct {
				Sum, Scripts float64
				What         []string
			}](t, tab, `new Promise((done) => {
				const all = { Sum: 0, Scripts: 0, What: [] }, come = performance.getEntriesByType("resource").find((e) => e.name.endsWith("/site.js")).responseEnd;
				new PerformanceObserver((list) => { for (const e of list.getEntries()) {
					all.Sum += e.value;
					if (e.startTime > come) all.Scripts += e.value;
					for (const s of e.sources) all.What.push((s.node?.outerHTML ?? s.node?.textContent ?? "").slice(0, 80) + ": " + s.previousRect.y + " to " + s.currentRect.y);
				} }).observe({ type: "layout-shift", buffered: true });
				setTimeout(() => done(all), 500);
			})`)
			t.Logf("%s at %d px: a layout shift of %.3f", page, screen[0], moved.Sum)
			if !(moved.Sum < 0.05 && moved.Scripts < 0.01) {
				t.Errorf("%s at %d px: a layout shift of %.3f, of which %.3f by scripts: %.900q", page, screen[0], moved.Sum, moved.Scripts, moved.What)
			}
		}
	}
}
