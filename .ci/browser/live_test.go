package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lessonPage opens a page of the built site on a screen of the given width.
func lessonPage(t *testing.T, browser context.Context, page string, width int64, headers func(http.ResponseWriter, *http.Request) bool) (context.Context, *watcher) {
	t.Helper()
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if headers == nil || headers(w, r) {
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	tab, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	w := watch(t, tab, server.URL)
	tab, cancel = context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 900), chromedp.Navigate(server.URL+"/"+page)); err != nil {
		t.Fatal(err)
	}
	return tab, w
}

// What a test asks a page: its first live figure, and the words of a picture that was stored when the lesson ran natively.
const (
	liveFigure = `document.querySelector("figure[data-live=yes]")`
	shownWords = `(f => [f.querySelector("img").alt, f.querySelector("figcaption").textContent])(` + liveFigure + `)`
	verdict    = liveFigure + `.querySelector(".verdict").textContent`
)

// touch asks for the live figures of a page, as a reader does who touches one.
func touch(t *testing.T, tab context.Context) {
	t.Helper()
	until(t, tab, `document.querySelector("figure.moves .states button") !== null`)
	value[bool](t, tab, `(document.querySelector("figure.moves .states button").click(), true)`)
}

func storedWords(name string) string {
	quoted, _ := json.Marshal(name)
	return `(i => [i.alt, i.dataset.caption])(document.getElementById(` + liveFigure + `.dataset.explorable).querySelector('img[data-value=' + JSON.stringify(` + string(quoted) + `) + ']'))`
}

// equalWords waits until the live figure says what the stored one says.
func equalWords(t *testing.T, tab context.Context, name string) {
	t.Helper()
	if !within(tab, 20*time.Second, `JSON.stringify(`+shownWords+`) === JSON.stringify(`+storedWords(name)+`)`) {
		t.Errorf("state %q: the live figure says\n%q, the stored one\n%q", name, value[[]string](t, tab, shownWords), value[[]string](t, tab, storedWords(name)))
	}
	if s := value[string](t, tab, verdict); !strings.HasPrefix(s, "✓ ") {
		t.Errorf("state %q: the verdict is %q", name, s)
	}
}

// A reader turns the line of lesson 1 by keyboard, and drags a flower, by mouse, by touch and by keyboard: what is drawn has the
// words that Go wrote when the lesson ran, so all of its numbers.
func TestLiveFigure(t *testing.T) {
	browser := start(t)
	for _, c := range []struct {
		name  string
		width int64
		touch bool
	}{{"desk", 1280, false}, {"phone", 390, true}} {
		t.Run(c.name, func(t *testing.T) {
			tab, w := lessonPage(t, browser, "01-hyperplane.html", c.width, nil)
			touch(t, tab)
			until(t, tab, liveFigure+` !== null`)
			equalWords(t, tab, "90°")
			keep(t, tab, "live")

			value[bool](t, tab, `(`+liveFigure+`.querySelector("input[type=range]").focus(), true)`)
			press := func(key string, times int) {
				t.Helper()
				for range times {
					if err := chromedp.Do(tab, chromedp.KeyEvent(key)); err != nil {
						t.Fatal(err)
					}
				}
			}
			press(kb.ArrowLeft, 30)
			equalWords(t, tab, "60°")
			press(kb.ArrowRight, 30)
			equalWords(t, tab, "90°")

			// Both coordinates are rounded to steps of 0.05, more than two pixels.
			const handle = liveFigure + `.querySelectorAll(".handle")[0]`
			if size := value[[]float64](t, tab, `(r => [r.width, r.height])(`+handle+`.getBoundingClientRect())`); size[0] < 44 || size[1] < 44 {
				t.Errorf("a handle is %v pixels large, at least 44 × 44 for a finger", size)
			}
			value[bool](t, tab, `(`+liveFigure+`.scrollIntoView({ block: "center" }), true)`)
			unit := value[[]float64](t, tab, `(h => { const c = h => { const r = h.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] };
				const [a, b] = h.map(c); return [a[0], a[1], (b[0] - a[0]) / 1.1, (b[1] - a[1]) / 0.7] })([...`+liveFigure+`.querySelectorAll(".handle")])`)
			x, y := unit[0], unit[1]
			drag(t, tab, c.touch, x, y, x+0.6*unit[2], y+0.4*unit[3])
			equalWords(t, tab, "90°, a setosa in the street")
			if s := value[string](t, tab, handle+`.getAttribute("aria-valuetext")`); s != "(2.5, 0.8)" {
				t.Errorf("the handle says %q", s)
			}
			keep(t, tab, "dragged")

			value[bool](t, tab, `(`+handle+`.focus(), true)`)
			press(kb.ArrowLeft, 12)
			press(kb.ArrowDown, 8)
			equalWords(t, tab, "90°")
			for _, f := range w.faults() {
				t.Error(f)
			}
		})
	}
}

// drag moves a mouse or a finger in ten steps.
func drag(t *testing.T, tab context.Context, touch bool, x0, y0, x1, y1 float64) {
	t.Helper()
	var steps []chromedp.Action[chromedp.Void]
	event := func(mouse input.DispatchMouseEventType, finger input.DispatchTouchEventType, x, y float64) {
		if !touch {
			steps = append(steps, chromedp.MouseEvent(mouse, x, y, chromedp.ButtonLeft))
			return
		}
		p := input.DispatchTouchEventParams{Type: finger, TouchPoints: []*input.TouchPoint{}}
		if finger != input.DispatchTouchEventTypeTouchEnd {
			p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: x, Y: y})
		}
		steps = append(steps, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, input.DispatchTouchEvent, p)
			return err
		}))
	}
	event(input.DispatchMouseEventTypeMousePressed, input.DispatchTouchEventTypeTouchStart, x0, y0)
	for k := 1.0; k <= 10; k++ {
		event(input.DispatchMouseEventTypeMouseMoved, input.DispatchTouchEventTypeTouchMove, x0+k/10*(x1-x0), y0+k/10*(y1-y0))
	}
	event(input.DispatchMouseEventTypeMouseReleased, input.DispatchTouchEventTypeTouchEnd, x1, y1)
	if err := chromedp.Do(tab, steps...); err != nil {
		t.Fatal(err)
	}
}

// Every figure to move becomes live, and is drawn as it was when its lesson ran, at the start and at the ends of its slider.
func TestLiveFiguresOfAllLessons(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(os.Getenv("SITE"), "[0-9]*.html"))
	if err != nil || len(pages) == 0 {
		missing(t, "SITE does not name the folder with the pages")
	}
	browser := start(t)
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			tab, w := lessonPage(t, browser, filepath.Base(page), 1280, nil)
			if value[int](t, tab, `document.querySelectorAll("details.explorable").length`) == 0 {
				t.Skip("nothing to move")
			}
			touch(t, tab)
			until(t, tab, `[...document.querySelectorAll("figure.moves")].every(f => f.dataset.live === "yes")`)
			faults := value[[]string](t, tab, `[...document.querySelectorAll("figure.moves")].flatMap(f => {
				const frames = [...document.getElementById(f.dataset.explorable).querySelectorAll("img")], alt = f.querySelector("img").alt;
				const wrong = [];
				if (!frames.some((i) => i.alt === alt && i.dataset.caption === f.querySelector("figcaption").textContent)) wrong.push("no stored picture says: " + alt);
				if (!f.querySelector(".verdict").textContent.startsWith("✓")) wrong.push(f.querySelector(".verdict").textContent);
				for (const i of f.querySelectorAll("input, button")) { const r = i.getBoundingClientRect(); if (i.type !== "radio" && (r.height < 44 || r.width < 44)) wrong.push("smaller than a finger: " + i.outerHTML); }
				return wrong })`)
			for _, f := range append(faults, w.faults()...) {
				t.Error(f)
			}
			for i := range value[int](t, tab, `document.querySelectorAll("figure.moves").length`) {
				moved := promised[[]float64](t, tab, fmt.Sprintf(`(async () => {
					const f = document.querySelectorAll("figure.moves")[%d], input = f.querySelector("input[type=range]"), times = [];
					for (let k = 0; k < 12; k++) { // the slider to and fro, or a point where there is none
						const began = performance.now(), drawn = new Promise((done) => f.addEventListener("drawn", done, { once: true }));
						if (input) {
							input.value = k %% 2 ? input.min : Number(input.max) - k / 2;
							input.dispatchEvent(new Event("input"));
						} else f.querySelector(".handle").dispatchEvent(new KeyboardEvent("keydown", { key: k %% 2 ? "ArrowRight" : "ArrowLeft" }));
						await drawn;
						times.push(performance.now() - began);
					}
					return times })()`, i))
				slices.Sort(moved)
				t.Logf("figure %d: redrawn in %.0f ms (median of %d, from %.0f to %.0f)", i+1, moved[len(moved)/2], len(moved), moved[0], moved[len(moved)-1])
				last := value[[]string](t, tab, fmt.Sprintf(`(f => { const i = [...document.getElementById(f.dataset.explorable).querySelectorAll("img")]; return [f.querySelector("img").alt, ...i.map(i => i.alt)] })(document.querySelectorAll("figure.moves")[%d])`, i))
				if !slices.Contains(last[1:], last[0]) {
					t.Errorf("figure %d at the least value of its slider, or where its point was: no stored picture says %q", i+1, last[0])
				}
			}
			keep(t, tab, "live")
		})
	}
}

// How long the program takes to start once it has been downloaded, until it answers.
func TestStart(t *testing.T) {
	tab, w := lessonPage(t, start(t), "01-hyperplane.html", 1280, nil)
	touch(t, tab)
	until(t, tab, `[...document.querySelectorAll("figure.moves")].every(f => f.dataset.live === "yes")`)
	times := promised[[]float64](t, tab, `(async () => {
		const base = new URL("live/", document.baseURI), url = (name) => new URL(name, base).href, times = [];
		const manifest = await (await fetch(url("live.json"))).json();
		for (let k = 0; k < 5; k++) {
			const began = performance.now(), worker = new Worker(new URL("assets/worker.js", document.baseURI));
			const answer = new Promise((heard) => worker.addEventListener("message", heard, { once: true }));
			worker.postMessage({ start: url(manifest.start), program: url(manifest.program) });
			worker.postMessage({ id: 1, name: "open", request: { lesson: "01-hyperplane" } });
			const { data } = await answer;
			worker.terminate();
			if (!data.reply.explorables?.length) throw new Error(JSON.stringify(data));
			times.push(performance.now() - began);
		}
		return times })()`)
	slices.Sort(times)
	t.Logf("the first answer after %.0f ms (median of %d, from %.0f to %.0f)", times[len(times)/2], len(times), times[0], times[len(times)-1])
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// Where the program cannot be had, the stored pictures stay and the slider goes through them: it is not built, it
// is still being built, or it breaks.
func TestStoredPicturesStay(t *testing.T) {
	browser := start(t)
	for name, answer := range map[string]string{"not built": `{}`, "being built": `{"building":true}`, "broken": `{"program":"live.json","start":"live.json"}`} {
		t.Run(name, func(t *testing.T) {
			tab, _ := lessonPage(t, browser, "02-perceptron.html", 390, func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/live.json") {
					w.Write([]byte(answer))
				}
				return !strings.HasSuffix(r.URL.Path, "/live.json")
			})
			const figure = `document.querySelector("figure.moves")`
			until(t, tab, figure+` !== null && document.readyState === "complete"`)
			value[bool](t, tab, `(`+figure+`.querySelector("input").focus(), true)`)
			if err := chromedp.Do(tab, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
				t.Fatal(err)
			}
			until(t, tab, figure+`.querySelector("img").alt === document.querySelector('details.explorable img[data-value="2"]').alt`)
			if live := value[bool](t, tab, liveFigure+` !== null`); live {
				t.Error("the figure is live without a program")
			}
			keep(t, tab, "stored")
		})
	}
}

// A server that is still building says so, and the page asks again until the program is there.
func TestLiveOnceBuilt(t *testing.T) {
	var asked atomic.Int32
	tab, w := lessonPage(t, start(t), "02-perceptron.html", 1280, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/live.json") && asked.Add(1) == 1 {
			w.Write([]byte(`{"building":true}`))
			return false
		}
		return true
	})
	touch(t, tab)
	until(t, tab, liveFigure+` !== null`)
	if asked.Load() < 2 {
		t.Error("live before the program was built")
	}
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// pretended stands for the program: the claim fails at every step but the third, and the fifth cannot be drawn.
const pretended = `WebAssembly.instantiateStreaming = async () => ({ instance: {} });
class Go { run() { globalThis.svmkit = (name, request) => {
	const step = JSON.parse(request).state?.sliders[0];
	if (name === "open") return JSON.stringify({ explorables: [{ id: ID, claim: "c", named: false, first: 0, points: [], choices: [],
		sliders: [{ label: "step", positions: [1, 2, 3, 4, 5], stepper: true }], stored: [1, 2].map((v) => ({ name: String(v), state: { sliders: [v] } })) }] });
	if (step === 5) return JSON.stringify({ error: "this cannot be drawn" });
	return JSON.stringify({ svg: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", caption: "step " + step, alt: "a", claim: "each step is the third", fails: step === 3 ? "" : step + " is not 3", width: 300, height: 300 });
}; } }`

// A state in which the claim fails says so and why; one that cannot be drawn, too, and keeps the last picture.
func TestClaimThatFails(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(os.Getenv("SITE"), "02-perceptron.html"))
	if err != nil {
		missing(t, "SITE does not name the folder with the pages")
	}
	id := regexp.MustCompile(`id="(explorable-[0-9a-f]+)"`).FindSubmatch(page)
	if id == nil {
		t.Fatal("nothing to move in lesson 2")
	}
	tab, w := lessonPage(t, start(t), "02-perceptron.html", 390, func(w http.ResponseWriter, r *http.Request) bool {
		switch filepath.Base(r.URL.Path) {
		case "live.json":
			w.Write([]byte(`{"program":"pretended.wasm","start":"pretended.js"}`))
		case "pretended.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(strings.Replace(pretended, "ID", strconv.Quote(string(id[1])), 1)))
		case "pretended.wasm":
		default:
			return true
		}
		return false
	})
	touch(t, tab)
	until(t, tab, liveFigure+` !== null`)
	for _, c := range []struct{ says, caption string }{{"✗ each step is the third: 1 is not 3", "step 1"}, {"✗ each step is the third: 2 is not 3", "step 2"},
		{"✓ each step is the third", "step 3"}, {"✗ each step is the third: 4 is not 3", "step 4"}, {"✗ this cannot be drawn", "step 4"}} {
		if !within(tab, 20*time.Second, verdict+` === `+strconv.Quote(c.says)+` && `+liveFigure+`.querySelector("figcaption").textContent === `+strconv.Quote(c.caption)) {
			t.Errorf("%q: the page says %q", c.says, value[string](t, tab, verdict))
		}
		value[bool](t, tab, `(`+liveFigure+`.querySelectorAll("button.step")[1].click(), true)`)
	}
	keep(t, tab, "fails")
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// promised is value of a promise.
func promised[T any](t *testing.T, tab context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}
