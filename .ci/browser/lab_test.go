package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The same hour in JupyterLab, as the image opens it: LAB_URL is the address of lesson 1 there,
// with its token. binder/verify starts this test; the server shows its app to scripts.
func TestLab(t *testing.T) {
	address := os.Getenv("LAB_URL")
	if address == "" {
		t.Skip("LAB_URL names no JupyterLab; binder/verify starts one")
	}
	tab, cancel := chromedp.NewContext(start(t))
	t.Cleanup(cancel)
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	tab, cancel = context.WithTimeout(tab, 2*patience)
	t.Cleanup(cancel)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 1000), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	const panel = `jupyterapp.shell.currentWidget`
	const cells = panel + `.content.widgets`
	until(t, tab, panel+`.context.isReady && `+panel+`.sessionContext.session.kernel.connectionStatus === "connected" && `+cells+`.length > 30`)
	keep(t, tab, "opened")
	if name := value[string](t, tab, panel+`.sessionContext.kernelDisplayName`); name != "Go (gonb)" {
		t.Errorf("the kernel is %q", name)
	}
	command := func(name string) {
		t.Helper()
		value[bool](t, tab, `(jupyterapp.commands.execute("notebook:`+name+`"), true)`)
	}
	command("clear-all-cell-outputs")
	until(t, tab, cells+`.every(c => c.model.type !== "code" || c.model.executionCount === null)`)
	command("run-all-cells")
	until(t, tab, cells+`.every(c => c.model.type !== "code" || c.model.executionCount !== null)`)
	if failed := value[[]string](t, tab, cells+`.filter(c => c.model.type === "code" &&
		c.model.outputs.toJSON().some(o => o.output_type === "error" || o.name === "stderr")).map(c => c.model.sharedModel.source)`); len(failed) > 0 {
		t.Errorf("%d cells failed:\n%s", len(failed), strings.Join(failed, "\n"))
	}
	tagged := func(tag string) string {
		return cells + `.find(c => (c.model.getMetadata("tags") || []).includes("` + tag + `"))`
	}
	// show scrolls to a cell: JupyterLab keeps what is far away out of the page.
	show := func(cell string) {
		t.Helper()
		value[bool](t, tab, `(n => { n.activeCellIndex = n.widgets.indexOf(`+cell+`); n.scrollToItem(n.activeCellIndex, "start"); return true })(`+panel+`.content)`)
		until(t, tab, cell+`.node.isConnected`)
	}
	show(tagged("figure"))
	until(t, tab, `[...`+tagged("figure")+`.node.querySelectorAll("img")].some(p => p.complete && p.naturalWidth > 100)`)
	keep(t, tab, "figure")

	slider := tagged("explorable")
	show(slider)
	value[bool](t, tab, `(box => { box.open = true; box.scrollIntoView(); return true })(`+slider+`.node.querySelector("details.explorable"))`)
	shown := `[...` + slider + `.node.querySelectorAll("details.explorable img")].filter(p => p.getClientRects().length > 0).map(p => p.src).join(" ")`
	before := value[string](t, tab, shown)
	keep(t, tab, "slider-before")
	end := value[[]float64](t, tab, slidersOtherEnd+`(`+slider+`.node.querySelector("details.explorable input"))`)
	if err := chromedp.Do(tab, chromedp.MouseClickXY(end[0], end[1])); err != nil {
		t.Fatal(err)
	}
	until(t, tab, shown+` !== "`+before+`"`)
	if after := value[string](t, tab, shown); strings.Contains(after, " ") || after == "" {
		t.Error("not one picture is shown where the slider stands")
	}
	keep(t, tab, "slider-after")

	exercise := tagged("exercise")
	solution := value[string](t, tab, tagged("solution")+`.model.sharedModel.source`)
	stub := value[string](t, tab, exercise+`.model.sharedModel.source`)
	for _, try := range attempts(t, stub, solution) {
		show(exercise)
		value[bool](t, tab, `(c => { c.model.sharedModel.setSource(`+fmt.Sprintf("%q", try.code)+`); return true })(`+exercise+`)`)
		command("run-cell")
		until(t, tab, `JSON.stringify(`+exercise+`.model.outputs.toJSON()).includes("`+try.answer+`")`)
		keep(t, tab, "exercise-"+try.name)
	}

	// The live form of a slider, in the same cell.
	output := `(` + exercise + `.node.querySelector(".jp-OutputArea"))`
	show(exercise)
	value[bool](t, tab, `(c => { c.model.sharedModel.setSource(`+fmt.Sprintf("%q", liveCode)+`); return true })(`+exercise+`)`)
	command("run-cell")
	until(t, tab, liveDrawn+output)
	keep(t, tab, "live-before")
	until(t, tab, liveMoved+output)
	keep(t, tab, "live-after")
}

// attempt is what a student writes in exercise 1.1, and what it is answered.
type attempt struct{ name, code, answer string }

func attempts(t *testing.T, stub, solution string) []attempt {
	t.Helper()
	const turn = "slices.Clone(x) // your turn"
	if !strings.Contains(stub, turn) {
		t.Fatalf("the stub of exercise 1.1 has changed: %s", stub)
	}
	return []attempt{
		{"wrong", strings.Replace(stub, turn, "foot(h, x)", 1), "Exercise 1.1: not yet — the line and (6, 3)"},
		{"slip", strings.Replace(stub, turn, "foot(h, y)", 1), "undefined: y"},
		{"right", solution, "Exercise 1.1: solved"},
	}
}
