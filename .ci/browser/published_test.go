package browser

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

const prefix = "/any/prefix/"

// publish serves the pages below a prefix as a web host does, with compression.
func publish(t *testing.T) *httptest.Server {
	t.Helper()
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.StripPrefix(strings.TrimSuffix(prefix, "/"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch filepath.Ext(r.URL.Path) {
		case ".html", ".css", ".js", ".json", ".svg", ".wasm", ".ipynb":
			r.Header.Del("Range")
			w.Header().Set("Content-Encoding", "gzip")
			if packed := filepath.Join(dir, r.URL.Path) + ".gz"; filepath.Ext(r.URL.Path) == ".wasm" {
				w.Header().Set("Content-Type", "application/wasm")
				http.ServeFile(w, r, packed)
				return
			}
			z := gzip.NewWriter(w)
			defer z.Close()
			w = &zipped{w, z}
		}
		files.ServeHTTP(w, r)
	})))
	t.Cleanup(server.Close)
	return server
}

type zipped struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z *zipped) WriteHeader(status int) {
	z.Header().Del("Content-Length")
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipped) Write(b []byte) (int, error) { return z.z.Write(b) }

// visit opens a page of the server.
func visit(t *testing.T, server *httptest.Server, browser context.Context, page string, width int64) (context.Context, *watcher) {
	t.Helper()
	tab, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	w := watch(t, tab, server.URL)
	tab, cancel = context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	uncached := chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		return err
	})
	if err := chromedp.Do(tab, uncached, chromedp.EmulateViewport(width, 900), chromedp.Navigate(server.URL+prefix+page)); err != nil {
		t.Fatal(err)
	}
	return tab, w
}

// The first visit to a page loads at most 600 kB, compressed, before a figure is moved or a cell is run.
func TestFirstLoad(t *testing.T) {
	const limit = 600_000
	server, browser := publish(t), start(t)
	pages, err := filepath.Glob(filepath.Join(os.Getenv("SITE"), "[0-9]*-*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no lesson", err)
	}
	for _, file := range pages {
		page := filepath.Base(file)
		tab, w := visit(t, server, browser, page, 1280)
		until(t, tab, `document.readyState === "complete" && document.querySelector(".katex") !== null`)
		time.Sleep(time.Second) // what scripts ask for
		bytes := value[float64](t, tab, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].filter((e) => !e.name.includes("/live/")).reduce((sum, e) => sum + e.transferSize, 0)`)
		t.Logf("%s: %.0f kB", page, bytes/1000)
		if !(bytes > 0 && bytes <= limit) {
			t.Errorf("%s: %.0f bytes, at most %d", page, bytes, limit)
		}
		for _, f := range w.faults() {
			t.Error(f)
		}
	}
}

// A reader finds a section by the beginnings of its words, and the link leads to it.
func TestSearch(t *testing.T) {
	server, browser := publish(t), start(t)
	tab, w := visit(t, server, browser, "search.html?q=hing+convex", 390)
	until(t, tab, `document.querySelectorAll("#found li").length > 0`)
	if !value[bool](t, tab, `document.activeElement.id === "search" && /^\d+ section/.test(document.getElementById("count").textContent) && [...document.querySelectorAll("#found li")].every((li) => li.querySelector("a") && li.querySelector("mark"))`) {
		t.Error("what was found is not what was asked for: " + value[string](t, tab, `document.querySelector("main").textContent`))
	}
	keepScreen(t, tab, "found")
	if err := chromedp.Do(tab, chromedp.Navigate(value[string](t, tab, `document.querySelector("#found a").href`))); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null`)
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// All cells run in their order until they are stopped; what was loaded is there when the host is not.
func TestWithoutNetwork(t *testing.T) {
	cellsRun(t)
	server, browser := publish(t), start(t)
	tab, w := visit(t, server, browser, "05-losses.html", 1280)
	until(t, tab, canRun)
	page := runnable{tab, `document.querySelector("main")`}
	page.press(t, "Run all")
	page.press(t, "Load and run")
	until(t, tab, `document.querySelectorAll('.cell[data-ran="ok"]').length === 3`)
	page.press(t, "Stop")
	until(t, tab, `document.querySelector("main > .run .status").textContent.startsWith("Stopped at cell 4")`)
	until(t, tab, `navigator.serviceWorker.controller !== null`)
	for _, f := range w.faults() {
		t.Error(f)
	}
	server.Close()
	if err := chromedp.Do(tab, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	until(t, tab, canRun+` && document.querySelector(".katex") !== null`)
	cell := runnable{tab, `[...document.querySelectorAll(".cell")].find((c) => c.querySelector(".run"))`}
	cell.press(t, "Run")
	cell.press(t, "Load and run")
	until(t, tab, cell.element+`.dataset.ran === "ok"`)
}

// How long a reader waits for a cell: the first of a visit after the click, and a small one after that, beside the same cell in the kernel at the same
// time. The limits are those of a machine with two cores and nothing else to do. There a cell takes at most its processor time, on which other work has
// less influence, so the lesser of both is compared with the limit, and the kernel tells how slow the machine is.
func TestCellTimes(t *testing.T) {
	const (
		coldLimit, warmLimit = 15 * time.Second, 3 * time.Second
		idle                 = 200 * time.Millisecond // of the kernel for this cell, on that machine
		runs                 = 5
		name                 = "01-hyperplane"
	)
	cellsRun(t)
	server := publish(t)
	tab, w := visit(t, server, start(t), name+".html", 1280)
	until(t, tab, canRun)
	cell := runnable{tab, checkedCell}
	notebook := upTo(t, filepath.Join(os.Getenv("SITE"), "downloads", name+".ipynb"), strings.TrimPrefix(value[string](t, tab, cell.element+`.id`), "cell-"))
	kernel := open(t, notebookServer(t, map[string]string{"cells.ipynb": notebook})("cells.ipynb"))
	value[bool](t, kernel, `(Jupyter.notebook.execute_all_cells(), true)`)
	until(t, kernel, `Jupyter.notebook.get_cells().every((c) => Number.isInteger(c.input_prompt_number)) && !Jupyter.notebook.kernel_busy`)
	inKernel := func() float64 {
		t.Helper()
		return promised[float64](t, kernel, `(async () => {
			const began = performance.now(), ended = new Promise((heard) => Jupyter.notebook.events.one("finished_execute.CodeCell", heard));
			Jupyter.notebook.get_cells().at(-1).execute();
			await ended;
			return (performance.now() - began) / 1000 })()`)
	}
	check := func(what string, wait, processor, inKernel float64, limit time.Duration) {
		t.Helper()
		slow := max(1, inKernel/idle.Seconds())
		t.Logf("%s: %.1f s, %.1f s of processor time; in the kernel %.2f s, so this machine is %.1f times as slow as an idle one", what, wait, processor, inKernel, slow)
		if !(min(wait, processor) <= limit.Seconds()*slow) {
			t.Errorf("%s: more than %v on an idle machine", what, limit)
		}
	}

	before := inKernel()
	cell.press(t, "Run")
	wait, processor := inPage(t, cell, "Load and run")
	check("the first cell", wait, processor, (before+inKernel())/2, coldLimit)

	var waits, processors, kernels, ratios []float64
	for range runs {
		wait, processor := inPage(t, cell, "Run")
		there := inKernel()
		waits, processors, kernels, ratios = append(waits, wait), append(processors, processor), append(kernels, there), append(ratios, wait/there)
	}
	median := func(list []float64) float64 { return slices.Sorted(slices.Values(list))[runs/2] }
	check("a small cell, each the median", median(waits), median(processors), median(kernels), warmLimit)
	t.Logf("each, in seconds: %.1f; of processor time: %.1f; in the kernel: %.2f; ratio to the kernel: %.1f, its median %.1f", waits, processors, kernels, ratios, median(ratios))
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// inPage presses a button that runs a cell, and returns the seconds until the cell has ended, and those of processor time of the browser.
func inPage(t *testing.T, cell runnable, name string) (wait, processor float64) {
	t.Helper()
	spent := func() (sum float64) {
		t.Helper()
		info, err := cdp.Call(cell.tab, chromedp.FromContext(cell.tab).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range info.ProcessInfo {
			sum += p.CPUTime
		}
		return sum
	}
	before := spent()
	value[bool](t, cell.tab, `(c => {
		delete c.dataset.ran;
		window.ended = new Promise((heard) => new MutationObserver(() => { if (c.dataset.ran) heard(performance.now()); }).observe(c, { attributes: true }));
		window.began = performance.now();
		return true })(`+cell.element+`)`)
	cell.press(t, name)
	wait = promised[float64](t, cell.tab, `window.ended.then((at) => (at - window.began) / 1000)`)
	processor = spent() - before
	if end := value[string](t, cell.tab, cell.element+`.dataset.ran`); end != "ok" {
		t.Fatalf("the cell ended by %q", end)
	}
	return wait, processor
}

// upTo is a notebook of the code cells of another, up to that with an id.
func upTo(t *testing.T, path, id string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook map[string]any
	if err := json.Unmarshal(text, &notebook); err != nil {
		t.Fatal(err)
	}
	var cells []any
	for _, c := range notebook["cells"].([]any) {
		c := c.(map[string]any)
		if c["cell_type"] == "code" {
			cells = append(cells, c)
		}
		if c["id"] == id {
			notebook["cells"] = cells
			text, err := json.Marshal(notebook)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
	t.Fatalf("%s has no cell %q", path, id)
	return ""
}
