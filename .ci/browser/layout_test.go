package browser

import (
	"bytes"
	"compress/gzip"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
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

// Nothing on these pages moves after it has been drawn. On lesson 9 the controls of the first figure still push the text (0.11).
func TestNothingMoves(t *testing.T) {
	browser := start(t)
	for _, page := range []string{"01-hyperplane.html", "06-widest-street.html", "12-svr.html"} {
		tab, _ := lessonPage(t, browser, page, 390, nil)
		until(t, tab, `document.readyState === "complete"`)
		time.Sleep(time.Second)
		moved := promised[float64](t, tab, `new Promise((done) => {
			let sum = 0;
			new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe({ type: "layout-shift", buffered: true });
			setTimeout(() => done(sum), 500);
		})`)
		if !(moved < 0.05) {
			t.Errorf("%s: a layout shift of %.3f", page, moved)
		}
	}
}
