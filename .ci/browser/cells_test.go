package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Expressions for whether the cells of a page can be run, and for the first cell that only checks, that draws a figure, and that asks for an answer.
const (
	canRun       = `document.documentElement.dataset.cells === "ready" && document.querySelectorAll(".cell .run").length > 10`
	checkedCell  = `[...document.querySelectorAll(".cell:not(.exercise, .solution, .moving, .break)")].find((c) => c.querySelector(":scope > .output > .checks") && !c.querySelector("figure") && !c.closest("details"))`
	figureCell   = `[...document.querySelectorAll(".cell:not(.exercise, .solution, .moving)")].find((c) => c.querySelector(":scope > .output figure") && !c.closest("details"))`
	exerciseCell = `document.querySelector(".cell.exercise")`
)

// cellsRun skips a test of a site that was built without what runs cells.
func cellsRun(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(os.Getenv("SITE"), "run", "run.json")); err != nil {
		missing(t, "SITE has no folder run: go run ./lessons build -run-in-browser")
	}
}

// runnable is a cell of a page, by an expression for its element.
type runnable struct {
	tab     context.Context
	element string
}

func (r runnable) press(t *testing.T, name string) {
	t.Helper()
	if !value[bool](t, r.tab, fmt.Sprintf(`(b => { b?.click(); return !!b })([...%s.querySelectorAll(".run button")].find((b) => !b.hidden && b.textContent === %q))`, r.element, name)) {
		t.Fatalf("no button %q at %s", name, r.element)
	}
}

// write puts a text into the cell, as the reader does by Edit.
func (r runnable) write(t *testing.T, text string) {
	t.Helper()
	r.press(t, "Edit")
	until(t, r.tab, r.element+`.querySelector("textarea") !== null`)
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	value[bool](t, r.tab, fmt.Sprintf(`((a, text) => { a.value = text; a.dispatchEvent(new Event("input")); return true })(%s.querySelector("textarea"), %s)`, r.element, quoted))
}

// run runs the cell and returns how it ended, what it shows, and how long it took.
func (r runnable) run(t *testing.T) (end, shown string, took time.Duration) {
	t.Helper()
	began := time.Now()
	value[bool](t, r.tab, `(delete `+r.element+`.dataset.ran, true)`)
	r.press(t, "Run")
	until(t, r.tab, r.element+`.dataset.ran !== undefined`)
	return value[string](t, r.tab, r.element+`.dataset.ran`), value[string](t, r.tab, r.element+`.querySelector(".ran").textContent`), time.Since(began)
}

// keep keeps the screen with the cell in the middle as a picture.
func (r runnable) keep(t *testing.T, name string) {
	t.Helper()
	value[bool](t, r.tab, `(`+r.element+`.querySelector(".run").scrollIntoView({ block: "center" }), true)`)
	keepScreen(t, r.tab, name)
}

// keepScreen keeps what is on the screen as a picture.
func keepScreen(t *testing.T, tab context.Context, name string) {
	t.Helper()
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+"-"+name+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A reader runs cells of a lesson in the page: the question that names the size, the outputs of the notebook, a figure, an exercise answered wrong and
// right, a text that does not compile, an endless loop; what was written is there after a reload.
func TestCells(t *testing.T) {
	cellsRun(t)
	browser := start(t)
	for _, c := range []struct {
		page  string
		width int64
	}{{"01-hyperplane", 1280}, {"03-novikoff", 390}, {"05-losses", 1280}} {
		t.Run(c.page, func(t *testing.T) {
			tab, w := lessonPage(t, browser, c.page+".html", c.width, nil)
			until(t, tab, canRun)
			checked, figure, exercise := runnable{tab, checkedCell}, runnable{tab, figureCell}, runnable{tab, exerciseCell}

			checked.press(t, "Run")
			if s := value[string](t, tab, checked.element+`.querySelector(".ask").textContent`); !strings.Contains(s, " MB") {
				t.Errorf("the question names no size: %q", s)
			}
			checked.keep(t, "ask")
			cold := time.Now()
			checked.press(t, "Load and run")
			until(t, tab, checked.element+`.dataset.ran !== undefined`)
			t.Logf("the first cell %v after the click", time.Since(cold).Round(100*time.Millisecond))
			const words = `.querySelector(":scope > .output%s").textContent`
			if got, want := value[string](t, tab, checked.element+fmt.Sprintf(words, ".ran")), value[string](t, tab, checked.element+fmt.Sprintf(words, ":not(.ran)")); got != strings.TrimSuffix(want, "\n") || !strings.Contains(got, "✓") {
				t.Errorf("the cell shows\n%q\nwant\n%q", got, want)
			}
			_, _, took := checked.run(t)
			t.Logf("and again in %v", took.Round(100*time.Millisecond))

			if end, shown, _ := figure.run(t); end != "ok" {
				t.Errorf("a figure's cell ended by %q:\n%s", end, shown)
			}
			if !value[bool](t, tab, `(c => c.querySelector(".ran figure img").naturalWidth > 0 && c.querySelector(".ran figure img").alt === c.querySelector(":scope > .output:not(.ran) figure img").alt)(`+figure.element+`)`) {
				t.Error("the cell's figure is not that of the page")
			}
			figure.keep(t, "figure")

			if end, shown, _ := exercise.run(t); end != "ok" || !strings.Contains(shown, "✎") {
				t.Errorf("the stub of the exercise ended by %q and shows\n%s", end, shown)
			}
			exercise.keep(t, "wrong")
			solution := value[string](t, tab, `document.querySelector(".cell.solution code").textContent`)
			exercise.write(t, solution)
			if end, shown, _ := exercise.run(t); end != "ok" || !strings.Contains(shown, "solved") {
				t.Errorf("the solution of the exercise ended by %q and shows\n%s", end, shown)
			}

			checked.write(t, "%%\nfmt.Println(\"α\")\nvar x int = \"a\"")
			if end, shown, _ := checked.run(t); end != "compile" || !strings.Contains(shown, "line 3: cannot use \"a\"") {
				t.Errorf("a fault of the text ended by %q and shows\n%s", end, shown)
			}
			checked.keep(t, "fault")
			checked.write(t, "%%\nfor {}")
			checked.press(t, "Run")
			until(t, tab, checked.element+`.querySelector(".status").textContent.startsWith("Running")`)
			time.Sleep(5 * time.Second)
			checked.press(t, "Stop")
			until(t, tab, checked.element+`.dataset.ran === "stopped"`)
			checked.write(t, "%%\nvar all [][]byte\nfor {\n\tall = append(all, make([]byte, 1<<26))\n}")
			if end, shown, _ := checked.run(t); end != "run" || !strings.Contains(shown, "more memory than a page gives it") {
				t.Errorf("a cell that takes all memory ended by %q and shows\n%s", end, shown)
			}
			checked.keep(t, "memory")
			checked.write(t, "%%\nfmt.Println(\"on again\")")
			if end, shown, _ := checked.run(t); end != "ok" || !strings.Contains(shown, "on again") {
				t.Errorf("after a stop a cell ended by %q and shows\n%s", end, shown)
			}
			for _, f := range w.faults() {
				t.Error(f)
			}

			if err := chromedp.Do(tab, chromedp.Reload()); err != nil {
				t.Fatal(err)
			}
			until(t, tab, canRun)
			if s := value[string](t, tab, checked.element+`.querySelector(".status").textContent`); !strings.Contains(s, "You have changed this cell") {
				t.Errorf("after a reload the cell says %q", s)
			}
			checked.press(t, "Reset")
		})
	}
}

// What a cell shows that has run contrasts with its ground on every screen; its buttons have names, what it says is told as it comes, and a
// reader with a keyboard stays where he is.
func TestCellsAccessible(t *testing.T) {
	cellsRun(t)
	tab, w := lessonPage(t, start(t), "01-hyperplane.html", 1280, nil)
	until(t, tab, canRun)
	checked, figure, exercise := runnable{tab, checkedCell}, runnable{tab, figureCell}, runnable{tab, exerciseCell}
	plain := func(n int) runnable { // a cell that is not folded and declares nothing
		return runnable{tab, fmt.Sprintf(`[...document.querySelectorAll(".cell:not(.exercise, .solution, .moving, .break)")].filter((c) => !c.querySelector("details, figure") && !c.closest("details") && c.querySelector("pre")?.textContent.startsWith("%%%%"))[%d]`, n)}
	}
	marks, faulty, panics, endless := plain(3), plain(4), plain(5), plain(6)
	look := func(shown map[string]runnable) {
		t.Helper()
		for _, view := range views {
			view.set(t, tab)
			for _, f := range promised[[]string](t, tab, lookAtPage) {
				t.Errorf("%s: %s", view.name, f)
			}
			for name, cell := range shown {
				cell.keep(t, strings.ReplaceAll(view.name, " ", "-")+"-"+name)
			}
		}
	}
	focused := func(cell runnable, name string) {
		t.Helper()
		if got := value[string](t, tab, `(b => b?.closest(".cell") === `+cell.element+` ? b.textContent : "outside")(document.activeElement)`); got != name {
			t.Errorf("the focus is at %q, want %q", got, name)
		}
	}

	value[bool](t, tab, `((c) => { for (const d of c.querySelectorAll("details")) d.open = true; c.querySelector(".run button").focus(); return true })(`+checked.element+`)`)
	press := func() {
		t.Helper()
		if err := chromedp.Do(tab, chromedp.KeyEvent(kb.Enter)); err != nil {
			t.Fatal(err)
		}
	}
	press()
	focused(checked, "Load and run")
	look(map[string]runnable{"ask": checked})
	value[bool](t, tab, `(`+checked.element+`.querySelector(".ask button").focus(), true)`)
	press()
	focused(checked, "Run")
	until(t, tab, checked.element+`.dataset.ran === "ok"`)
	focused(checked, "Run")

	marks.write(t, "%%\nfmt.Println(\"✓ holds\\n✗ fails\\n✎ is to do\\na text\")\nfmt.Fprintln(os.Stderr, \"a warning\")")
	faulty.write(t, "%%\nvar x int = \"a\"")
	panics.write(t, "%%\npanic(\"no way\")")
	for _, c := range []struct {
		name        string
		cell        runnable
		ends, shows string
	}{{"checked", checked, "ok", "✓"}, {"figure", figure, "ok", ""}, {"exercise", exercise, "ok", "not yet"}, {"marks", marks, "ok", "a warning"},
		{"faulty", faulty, "compile", "line 2"}, {"panics", panics, "run", "no way"}} {
		if end, shown, _ := c.cell.run(t); end != c.ends {
			t.Fatalf("%s ended by %q and shows\n%s", c.name, end, shown)
		}
		for part, want := range map[string]heard{".ran": {"log", "Output of this cell", "polite"}, ".status": {"status", "", "polite"}} {
			if got := hear(t, tab, c.cell.element+`.querySelector("`+part+`")`)[0]; got != want {
				t.Errorf("%s: %s is %q to assistive technology, want %q", c.name, part, got, want)
			}
		}
		words, pictures := "", 0
		for _, h := range hear(t, tab, c.cell.element+`.querySelector(".ran")`) {
			switch {
			case h.role == "StaticText":
				words += h.name
			case h.role == "image" && h.name != "":
				pictures++
			}
		}
		if !strings.Contains(words, c.shows) || (pictures > 0) != (c.cell == figure) {
			t.Errorf("%s: of its output %d pictures with words are heard, and %q", c.name, pictures, words)
		}
		var buttons []string
		for _, h := range hear(t, tab, c.cell.element+`.querySelector(".run")`) {
			if h.role == "button" {
				buttons = append(buttons, strings.TrimRight(h.name, "0123456789"))
			}
		}
		if want := []string{"Run cell ", "Edit cell ", "Reset cell "}; !slices.Equal(buttons, want) {
			t.Errorf("%s: the buttons are heard as %q, want %q", c.name, buttons, want)
		}
	}
	if got := hear(t, tab, marks.element+`.querySelector("textarea")`)[0]; got.role != "textbox" || got.name != "Code of this cell" {
		t.Errorf("the text of a cell is heard as %q", got)
	}

	endless.write(t, "%%\nfor {}")
	endless.press(t, "Run")
	until(t, tab, endless.element+`.querySelector(".status").textContent.startsWith("Running")`)
	look(map[string]runnable{"checked": checked, "figure": figure, "exercise": exercise, "marks": marks, "faulty": faulty, "panics": panics, "endless": endless})
	value[bool](t, tab, `([...`+endless.element+`.querySelectorAll(".run button")].find((b) => b.textContent === "Stop").focus(), true)`)
	press()
	until(t, tab, endless.element+`.dataset.ran === "stopped"`)
	focused(endless, "Run")
	for _, f := range w.faults() {
		t.Error(f)
	}
}

// heard is what assistive technology is told of an element: role, name, and how changes in it are told.
type heard struct{ role, name, live string }

// hear returns the accessibility tree of the element of an expression, from the element down.
func hear(t *testing.T, tab context.Context, element string) (tree []heard) {
	t.Helper()
	if err := chromedp.Do(tab, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		found, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: element})
		if err != nil {
			return err
		}
		told, err := cdp.Call(ctx, target, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: found.Result.ObjectID})
		if err != nil {
			return err
		}
		text := func(v *accessibility.Value) (s string) {
			if v != nil {
				json.Unmarshal(v.Value, &s)
			}
			return s
		}
		for _, n := range told.Nodes {
			h := heard{role: text(n.Role), name: text(n.Name)}
			for _, p := range n.Properties {
				if p.Name == accessibility.PropertyNameLive {
					h.live = text(p.Value)
				}
			}
			if !n.Ignored {
				tree = append(tree, h)
			}
		}
		return nil
	})); err != nil || len(tree) == 0 {
		t.Fatalf("%s is not heard at all: %v", element, err)
	}
	return tree
}
