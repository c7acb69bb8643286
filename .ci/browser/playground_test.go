package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// native is the program of the live figures, built for this machine: it answers what the page's own program is asked.
type native struct {
	in  *bufio.Writer
	out *bufio.Reader
}

func startNative(t *testing.T) *native {
	t.Helper()
	course := os.Getenv("COURSE")
	if course == "" {
		missing(t, "COURSE does not name the checkout")
	}
	dir := t.TempDir()
	source, overlay, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(course, "lessons/internal/live/native/main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{source: "package main\n\nimport \"github.com/svmkit/course/lessons/internal/live\"\n\nfunc main() { live.Lessons(nil).Main() }\n", overlay: string(text)} {
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./lessons/internal/live/native")
	build.Dir, build.Env = course, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(program)
	in, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); run.Wait() })
	return &native{bufio.NewWriter(in), bufio.NewReaderSize(out, 1<<20)}
}

// call asks the program; the reply is decoded into v.
func (n *native) call(t *testing.T, name string, request, v any) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(n.in, "%s %s\n", name, text)
	if err := n.in.Flush(); err != nil {
		t.Fatal(err)
	}
	line, err := n.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, v); err != nil {
		t.Fatal(err)
	}
}

const play = `document.getElementById("play")`

// sameAsNative compares the figure of the page with the one that the native program draws of the same link: its text is equal and
// its numbers to a tenth of a point, since exp and its kin can differ in their last bits.
func sameAsNative(t *testing.T, n *native, tab context.Context, narrow bool) {
	t.Helper()
	shown := value[[]string](t, tab, `(f => [f.dataset.link, decodeURIComponent(f.querySelector("img").src.slice(`+strconv.Itoa(len("data:image/svg+xml,"))+`)), f.querySelector("figcaption").textContent, `+
		`f.querySelector("img").alt, f.querySelector(".verdict").textContent])(`+play+`)`)
	link, got := shown[0], shown[1:]
	var state json.RawMessage
	n.call(t, "play-start", map[string]string{"link": link}, &state)
	var want struct{ SVG, Caption, Alt, Mark, Verdict, Error string }
	n.call(t, "play", map[string]any{"state": state, "narrow": narrow}, &want)
	if want.Error != "" {
		t.Fatalf("%s: %s", link, want.Error)
	}
	for i, w := range []string{want.SVG, want.Caption, want.Alt, want.Mark + " " + want.Verdict} {
		tolerance := 1e-3
		if i == 0 {
			tolerance = 0.1
		}
		if difference := apart(got[i], w, tolerance); difference != "" {
			t.Errorf("%s: %s", link, difference)
		}
	}
}

var figures = regexp.MustCompile(`\d+(\.\d+)?(e[+−-]?\d+)?`)

// identity is the name of a figure in its SVG, which is a hash of all of it.
var identity = regexp.MustCompile(`fig-[0-9a-f]+`)

// apart says where two texts differ in more than their numbers, or in a number by more than the tolerance.
func apart(a, b string, tolerance float64) string {
	a, b = identity.ReplaceAllString(a, "fig"), identity.ReplaceAllString(b, "fig")
	if x, y := figures.ReplaceAllString(a, "#"), figures.ReplaceAllString(b, "#"); x != y {
		i := 0
		for i < min(len(x), len(y)) && x[i] == y[i] {
			i++
		}
		return fmt.Sprintf("%.80q instead of %.80q", x[i:], y[i:])
	}
	x, y := figures.FindAllString(a, -1), figures.FindAllString(b, -1)
	for i := range x {
		v, err1 := strconv.ParseFloat(strings.ReplaceAll(x[i], "−", "-"), 64)
		w, err2 := strconv.ParseFloat(strings.ReplaceAll(y[i], "−", "-"), 64)
		if err1 != nil || err2 != nil || !(math.Abs(v-w) <= tolerance*max(1, math.Abs(w)) || max(v, w) < 1e-3) {
			return fmt.Sprintf("%s instead of %s", x[i], y[i])
		}
	}
	return ""
}

// A reader adds a point, drags it by mouse and by touch, moves it by keyboard, changes C, undoes, steps, and opens a link; each
// figure is that of the native program.
func TestPlayground(t *testing.T) {
	n, browser := startNative(t), start(t)
	for _, c := range []struct {
		name  string
		width int64
		touch bool
	}{{"desk", 1280, false}, {"phone", 390, true}} {
		t.Run(c.name, func(t *testing.T) {
			tab, w := lessonPage(t, browser, "playground.html", c.width, nil)
			until(t, tab, play+`.dataset.live === "yes" && `+play+`.dataset.link !== undefined`)
			sameAsNative(t, n, tab, c.touch)
			keep(t, tab, "start")

			const link = play + `.dataset.link`
			// after waits until an action has led to another figure, and compares it.
			after := func(what string, action func(), check string) {
				t.Helper()
				before := value[string](t, tab, play+`.dataset.link`)
				action()
				quoted, _ := json.Marshal(before)
				if !within(tab, time.Minute, play+`.dataset.link !== `+string(quoted)+` && (`+check+`)`) {
					keep(t, tab, "waiting")
					t.Fatalf("%s: the link was %s and is %s, the verdict %s", what, before, value[string](t, tab, link), value[string](t, tab, play+`.querySelector(".verdict").textContent`))
				}
				sameAsNative(t, n, tab, c.touch)
				if t.Failed() {
					t.Fatalf("after this: %s", what)
				}
			}
			js := func(code string) func() { return func() { t.Helper(); value[bool](t, tab, `(`+code+`, true)`) } }
			choose := func(id, option string) func() {
				return js(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("change")) })(document.getElementById("play-%s"))`, option, id))
			}
			press := func(key string, times int) func() {
				return func() {
					for range times {
						if err := chromedp.Do(tab, chromedp.KeyEvent(key)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			value[bool](t, tab, `(`+play+`.scrollIntoView({ block: "start" }), true)`)
			at := func(x, y float64) (float64, float64) { // from where the first and the tenth point are now, at (−2.4, 0.6) and (2.4, 0.4)
				p := value[[]float64](t, tab, `(r => [0, 9].map(i => document.querySelectorAll("#play .handle")[i].style).flatMap(s => [r.x + r.width * parseFloat(s.left) / 100, r.y + r.height * parseFloat(s.top) / 100]))`+
					`(document.querySelector("#play .stage").getBoundingClientRect())`)
				unit := (p[2] - p[0]) / 4.8
				return p[0] + (x+2.4)*unit, p[1] - (y-0.6)*unit
			}

			value[bool](t, tab, `(document.querySelector("input[name=tool][value=add]").click(), true)`)
			after("add", func() {
				x, y := at(1, -2.5)
				if err := chromedp.Do(tab, chromedp.MouseClickXY(x, y)); err != nil {
					t.Fatal(err)
				}
			}, `document.querySelectorAll("#play .handle").length === 13`)
			added := value[string](t, tab, link)
			value[bool](t, tab, `(document.querySelector("input[name=tool][value=move]").click(), true)`)
			after("drag", func() {
				x, y := at(1, -2.5)
				to, up := at(-1, 2)
				drag(t, tab, c.touch, x, y, to, up)
			}, `(([x, y]) => Math.abs(x + 1) < 0.1 && Math.abs(y - 2) < 0.1)(new URLSearchParams(`+link+`).get("points").split("~").at(-1).split("_").map(Number))`)
			keep(t, tab, "dragged")
			after("keyboard", press(kb.ArrowLeft, 3), `true`)
			after("undo", js(`document.getElementById("play-undo").click()`), `true`)
			after("undo", js(`document.getElementById("play-undo").click()`), link+` === `+strconv.Quote(added))
			after("redo", js(`document.getElementById("play-redo").click()`), `true`)
			after("cost", func() {
				js(`document.querySelector("#play-sliders input").focus()`)()
				press(kb.ArrowLeft, 4)()
			}, link+`.includes("c=0.5&")`)
			after("kernel", choose("kernel", "linear"), link+`.includes("kernel=linear")`)
			after("pairs", choose("train", "pairs"), link+`.includes("train=pairs")`)
			for range 3 {
				after("step", js(`document.querySelector("#play-steps [data-by='1']").click()`), `true`)
			}
			keep(t, tab, "step")
			after("coordinate", choose("train", "coordinate"), link+`.includes("bias=penalized")`)
			after("ten steps", js(`document.querySelector("#play-steps [data-by='10']").click()`), link+`.includes("step=10")`)
			for _, sample := range []string{"moons", "iris", "flippers"} {
				after(sample, choose("sample", sample), `true`)
				after("RBF", choose("kernel", "rbf"), link+`.includes("kernel=") === false`)
				keep(t, tab, sample)
				if sample != "flippers" {
					after("linear", choose("kernel", "linear"), `true`)
				}
			}
			after("a link", js(`location.hash = "kernel=formula&formula=-dist2&points=0_0_0~1_1_1~2_0_0"`), link+`.includes("formula=-dist2")`)
			if s := value[string](t, tab, play+`.querySelector(".verdict").textContent`); !strings.HasPrefix(s, "✗ ") || !strings.Contains(s, "not positive semidefinite") {
				t.Errorf("no kernel: %q", s)
			}
			value[bool](t, tab, `(location.hash = "c=1e99&points=0_0_0", true)`)
			until(t, tab, `document.getElementById("play-status").textContent.startsWith("Refused")`)
			if small := value[[]string](t, tab, `[...document.querySelectorAll(".playground :is(button, select, input:not([type=radio]), summary)")].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.height < 43.9 || r.width < 43.9) }).map(e => e.outerHTML.slice(0, 90))`); len(small) > 0 {
				t.Errorf("smaller than a finger: %q", small)
			}
			for _, f := range w.faults() {
				t.Error(f)
			}
		})
	}
}

// Without its program the page shows the stored figure, and says what is missing.
func TestPlaygroundWithoutProgram(t *testing.T) {
	tab, _ := lessonPage(t, start(t), "playground.html", 390, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/live.json") {
			w.Write([]byte("{}"))
			return false
		}
		return true
	})
	until(t, tab, `document.documentElement.dataset.live === "none"`)
	if s := value[string](t, tab, `document.getElementById("play-status").textContent`); !strings.Contains(s, "needs Workers and WebAssembly") {
		t.Errorf("the page says %q", s)
	}
	if !value[bool](t, tab, play+`.querySelector("img").naturalWidth > 100 && document.querySelector(".settings").hidden`) {
		t.Error("no figure, or controls that do nothing")
	}
}

// 300 points: how long a fit and its figure take, from a change to the picture.
func TestPlaygroundTimes(t *testing.T) {
	tab, w := lessonPage(t, start(t), "playground.html", 1280, nil)
	until(t, tab, play+`.dataset.live === "yes"`)
	for _, sample := range []string{"xor", "penguins", "flippers"} {
		for _, kernel := range []string{"linear", "rbf", "polynomial", "formula"} {
			times := promised[[]float64](t, tab, fmt.Sprintf(`(async () => {
				const drawn = () => new Promise((done) => %[1]s.addEventListener("drawn", done, { once: true }));
				const set = async (id, v) => { const e = document.getElementById("play-" + id), d = drawn(); e.value = v; e.dispatchEvent(new Event("change")); await d; };
				if (document.querySelectorAll("#play .handle").length < 200 || !document.getElementById("play-sample").dataset.last?.startsWith(%[2]q)) await set("sample", %[2]q);
				document.getElementById("play-sample").dataset.last = %[2]q;
				if (document.getElementById("play-kernel").value !== %[3]q) await set("kernel", %[3]q);
				const h = document.querySelectorAll("#play .handle")[7], times = [];
				h.focus();
				for (let k = 0; k < 12; k++) {
					const began = performance.now(), d = drawn();
					h.dispatchEvent(new KeyboardEvent("keydown", { key: k %% 2 ? "ArrowUp" : "ArrowDown", bubbles: true }));
					await d;
					times.push(performance.now() - began);
				}
				return times })()`, play, sample, kernel))
			slices.Sort(times)
			points := value[int](t, tab, `document.querySelectorAll("#play .handle").length`)
			t.Logf("%s, %s, %d points: fitted and drawn in %.0f ms (median of %d, from %.0f to %.0f)", sample, kernel, points, times[len(times)/2], len(times), times[0], times[len(times)-1])
		}
	}
	for _, f := range w.faults() {
		t.Error(f)
	}
}
