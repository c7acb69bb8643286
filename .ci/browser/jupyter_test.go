package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A student's hour in Jupyter Notebook, as `go run ./lessons jupyter` opens it, in a browser:
// COURSE is the checkout. Nothing is written into it.

// notebookServer starts the server on a folder with the given notebooks and returns a function
// from a notebook's name to its address.
func notebookServer(t *testing.T, notebooks map[string]string) func(name string) string {
	t.Helper()
	course := os.Getenv("COURSE")
	if course == "" {
		missing(t, "COURSE does not name the checkout")
	}
	if _, err := exec.LookPath("jupyter-notebook"); err != nil {
		missing(t, "no Jupyter Notebook (Debian: apt-get install jupyter-notebook)")
	}
	folder := t.TempDir()
	for name, text := range notebooks {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "./lessons", "jupyter", "-no-browser", folder)
	cmd.Dir = course
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // Notebook asks a question after the first
		cmd.Wait()
	})
	address := regexp.MustCompile(`(http://127\.0\.0\.1:\d+/)\?(token=\w+)`)
	var said strings.Builder
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, log)
			return func(name string) string { return m[1] + "notebooks/" + name + "?" + m[2] }
		}
	}
	t.Fatalf("the server ended without saying where it listens:\n%s", said.String())
	return nil
}

// patience is the time for all cells of a lesson on a slow machine, where each of them is compiled.
const patience = 8 * time.Minute

// open shows a notebook in a new tab and waits for its kernel.
func open(t *testing.T, address string) context.Context {
	t.Helper()
	tab, cancel := chromedp.NewContext(start(t))
	t.Cleanup(cancel)
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	tab, cancel = context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 1000), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `Jupyter?.notebook?.kernel?.is_connected?.() === true`)
	return tab
}

// until waits for an expression to become true in the page.
func until(t *testing.T, tab context.Context, expression string) {
	t.Helper()
	if _, err := chromedp.Run(tab, chromedp.Poll[bool](`(() => { try { return `+expression+` } catch { return false } })()`,
		chromedp.WithPollingInterval(200*time.Millisecond), chromedp.WithPollingTimeout(patience))); err != nil {
		keep(t, tab, "until")
		t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// within is until with a limit, and without a failure.
func within(tab context.Context, limit time.Duration, expression string) bool {
	_, err := chromedp.Run(tab, chromedp.Poll[bool](`(() => { try { return `+expression+` } catch { return false } })()`,
		chromedp.WithPollingInterval(500*time.Millisecond), chromedp.WithPollingTimeout(limit)))
	return err == nil
}

func value[T any](t *testing.T, tab context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func keep(t *testing.T, tab context.Context, name string) {
	t.Helper()
	if folder := os.Getenv("SCREENSHOTS"); folder != "" {
		screenshot(t, tab, filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+"-"+name+".png"))
	}
}

// liveCode is an explorable that is moved by GoNB's own slider.
const liveCode = `import (
	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/lessons/lab"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

%%
lab.Live(lab.Explorable{
	Sliders: []lab.Slider{{Label: "bias b", Values: []float64{-2, 0, 2}, Default: 1}}, Claim: "the plane moves",
	Check: func(s lab.State) error { return lab.AtMost("b", s.Sliders[0], 2, 0) },
	Draw: func(s lab.State) (*plots.Figure, error) {
		return figures.SignedMargins(samples.XOR(), svmkit.Hyperplane{W: []float64{1, 1}, B: s.Sliders[0]})
	},
})`

// Where a live slider is shown, and what is asked of the element that holds its cell's output.
const (
	liveDrawn = `(o => /bias b = 0\b/.test(o.innerText) && o.querySelector("img").naturalWidth > 100)`
	liveMoved = `(o => { const s = o.querySelector("input[type=range]"); s.value = 3; s.dispatchEvent(new Event("input"))
		return /bias b = 1\b/.test(o.innerText) })` // between two positions, where no picture was stored
)

// The live form of an explorable: a slider of GoNB draws values that no picture was stored for. GoNB's
// connection to the browser is lost in a third of its openings, and lab.Live opens it again. A browser
// that takes more than the half second which GoNB's script allows, on a machine full of other work,
// is lost each time; then Live shows the stored pictures, and a reader runs the cell again. So does this test, twice.
func TestLiveSlider(t *testing.T) {
	notebook, err := json.Marshal(map[string]any{
		"cells": []any{map[string]any{"cell_type": "code", "id": "live", "execution_count": nil,
			"metadata": map[string]any{}, "outputs": []any{}, "source": liveCode}},
		"metadata": map[string]any{"kernelspec": map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
		"nbformat": 4, "nbformat_minor": 5,
	})
	if err != nil {
		t.Fatal(err)
	}
	tab := open(t, notebookServer(t, map[string]string{"live.ipynb": string(notebook)})("live.ipynb"))
	const output = `(document.querySelector(".output"))`
	for i := range 4 {
		value[bool](t, tab, `(window.again = false, Jupyter.notebook.clear_all_output(), Jupyter.notebook.kernel.restart(() => { window.again = true }), true)`)
		until(t, tab, `window.again && Jupyter.notebook.kernel.is_connected()`)
		runs, drawn := 0, false
		for ; runs < 3 && !drawn; runs++ {
			value[bool](t, tab, `(Jupyter.notebook.clear_all_output(), Jupyter.notebook.execute_all_cells(), true)`)
			drawn = within(tab, time.Minute, liveDrawn+output)
		}
		t.Logf("kernel %d: a live slider in run %d", i+1, runs)
		if !drawn {
			keep(t, tab, "undrawn")
			t.Fatalf("kernel %d: the live slider is not there; the cell shows %q", i+1, value[string](t, tab, output+`.innerText`))
		}
		before := value[string](t, tab, output+`.querySelector("img").src`)
		keep(t, tab, "before")
		if !within(tab, time.Minute, liveMoved+output) {
			t.Fatalf("kernel %d: the slider moves nothing", i+1)
		}
		if after := value[string](t, tab, output+`.querySelector("img").src`); after == before {
			t.Error("the slider moved and the figure did not change")
		}
		keep(t, tab, "after")
		value[bool](t, tab, `(Jupyter.notebook.kernel.interrupt(), true)`)
	}
}

// slidersOtherEnd is a function that says where a slider's end is, of the two the one where it does not stand.
const slidersOtherEnd = `(input => {
	const r = input.getBoundingClientRect();
	return [input.value === input.max ? r.left + 8 : r.right - 8, (r.top + r.bottom) / 2];
})`

// A student's hour with lesson 1: every cell runs, every figure is there, a stored slider moves
// its picture, a wrong solution and a slip of the pen are answered, the right one is accepted.
func TestStudent(t *testing.T) {
	course := os.Getenv("COURSE")
	if course == "" {
		missing(t, "COURSE does not name the checkout")
	}
	lesson, err := os.ReadFile(filepath.Join(course, "notebooks", "01-hyperplane.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	tab := open(t, notebookServer(t, map[string]string{"lesson.ipynb": string(lesson)})("lesson.ipynb"))
	value[bool](t, tab, `(Jupyter.notebook.clear_all_output(), Jupyter.notebook.execute_all_cells(), true)`)
	until(t, tab, `Jupyter.notebook.get_cells().every(c => c.cell_type !== "code" || Number.isInteger(c.input_prompt_number))`)
	until(t, tab, `!Jupyter.notebook.kernel_busy`)
	if failed := value[[]string](t, tab, `Jupyter.notebook.get_cells().filter(c => c.cell_type === "code" &&
		c.output_area.outputs.some(o => o.output_type === "error" || o.name === "stderr")).map(c => c.element[0].innerText)`); len(failed) > 0 {
		t.Errorf("%d cells failed:\n%s", len(failed), strings.Join(failed, "\n"))
	}
	const tagged = `Jupyter.notebook.get_cells().filter(c => (c.metadata.tags || []).includes("figure"))`
	until(t, tab, tagged+`.every(c => [...c.element[0].querySelectorAll(".output img")].some(p => p.complete && p.naturalWidth > 100))`)
	if n := value[int](t, tab, tagged+`.length`); n < 6 {
		t.Errorf("%d figures; a lesson has at least 6", n)
	}

	// The slider is moved with the mouse, to the end where it is not.
	value[bool](t, tab, `(box => { box.open = true; box.scrollIntoView(); return true })(document.querySelector("details.explorable"))`)
	const shown = `[...document.querySelector("details.explorable").querySelectorAll("img")].filter(p => p.getClientRects().length > 0).map(p => p.src).join(" ")`
	before := value[string](t, tab, shown)
	keep(t, tab, "slider-before")
	end := value[[]float64](t, tab, slidersOtherEnd+`(document.querySelector("details.explorable input"))`)
	if err := chromedp.Do(tab, chromedp.MouseClickXY(end[0], end[1])); err != nil {
		t.Fatal(err)
	}
	until(t, tab, shown+` !== "`+before+`"`)
	if after := value[string](t, tab, shown); strings.Contains(after, " ") || after == "" {
		t.Error("not one picture is shown where the slider stands")
	}
	keep(t, tab, "slider-after")

	const cell = `Jupyter.notebook.get_cells().find(c => (c.metadata.tags || []).includes("exercise"))`
	solution := value[string](t, tab, `Jupyter.notebook.get_cells().find(c => (c.metadata.tags || []).includes("solution")).get_text()`)
	stub := value[string](t, tab, cell+`.get_text()`)
	for _, try := range attempts(t, stub, solution) {
		var quoted = fmt.Sprintf("%q", try.code)
		value[bool](t, tab, `(c => { c.clear_output(); c.set_text(`+quoted+`); c.element[0].scrollIntoView(); c.execute(); return true })(`+cell+`)`)
		until(t, tab, `Number.isInteger(`+cell+`.input_prompt_number) && !Jupyter.notebook.kernel_busy && `+cell+`.element[0].querySelector(".output").innerText.includes("`+try.answer+`")`)
		keep(t, tab, "exercise-"+try.name)
	}
}
