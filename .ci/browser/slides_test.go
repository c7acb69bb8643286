package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A lesson as slides, opened as a file: every slide fits on the screen, keys turn them, a slider keeps its keys, and Escape leaves the
// page as it was.
func TestSlides(t *testing.T) {
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	browser := start(t)
	for _, width := range []int64{390, 1280} {
		tab, cancel := chromedp.NewContext(browser)
		defer cancel()
		w := watch(t, tab, "file://")
		tab, cancel = context.WithTimeout(tab, 120*time.Second)
		defer cancel()
		press := func(key string) {
			t.Helper()
			if err := chromedp.Do(tab, chromedp.KeyEvent(key)); err != nil {
				t.Fatal(err)
			}
		}
		const count = `document.querySelector(".slides .count").textContent.split(" ").map(Number)`
		at := func(want float64) float64 {
			t.Helper()
			is := value[[]*float64](t, tab, count)
			if is[0] == nil || is[2] == nil || *is[0] != want {
				t.Fatalf("at %d pixels: slide %v, want %v", width, value[string](t, tab, `document.querySelector(".slides .count").textContent`), want)
			}
			return *is[2]
		}
		if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+dir+"/03-novikoff.html")); err != nil {
			t.Fatal(err)
		}
		const content = `document.querySelector("main").innerHTML.replaceAll(/ loading="(lazy|eager)"| open=""/g, "")`
		before := value[string](t, tab, content)
		if width == 390 { // the button is in the menu
			if err := chromedp.Do(tab, chromedp.Click(chromedp.CSS(".menu"))); err != nil {
				t.Fatal(err)
			}
		}
		if err := chromedp.Do(tab, chromedp.Click(chromedp.CSS("#slides"))); err != nil {
			t.Fatal(err)
		}
		until(t, tab, `document.querySelector(".slides").open`)
		n := at(1)
		press(kb.ArrowRight)
		at(2)
		until(t, tab, `document.querySelector(".slides .sheet img")?.naturalWidth > 0`)
		chromedp.Do(tab, chromedp.Focus(chromedp.CSS(".slides input[type=range]")))
		press(kb.ArrowRight)
		at(2)
		chromedp.Do(tab, chromedp.Focus(chromedp.CSS(".slides")))
		press(kb.ArrowLeft)
		at(1)
		for i := 2.0; i <= n; i++ {
			press(kb.ArrowDown)
			at(i)
			if fault := value[string](t, tab, `(() => {
				const screen = document.querySelector(".slides .screen"), sheet = document.querySelector(".slides .sheet");
				if (!sheet.textContent.trim()) return "is empty";
				return screen.scrollHeight > screen.clientHeight + 1 || screen.scrollWidth > screen.clientWidth + 1 ? "does not fit: " + sheet.textContent.slice(0, 80) : "";
			})()`); fault != "" {
				t.Errorf("at %d pixels: slide %v %s", width, i, fault)
			}
		}
		press(kb.ArrowDown)
		at(n)
		press(kb.Home)
		at(1)
		press(kb.Escape)
		until(t, tab, `!document.querySelector(".slides").open`)
		// What the slider's second state has changed is set back by hand.
		if after := value[string](t, tab, content); len(after) < len(before)*9/10 || value[float64](t, tab, `document.querySelectorAll("main figure").length`) < 6 || value[bool](t, tab, `!!document.querySelector(".slides .sheet > *")`) {
			t.Errorf("at %d pixels the page is another one afterwards", width)
		}
		if n < 20 {
			t.Errorf("%v slides", n)
		}
		for _, f := range w.faults() {
			t.Error(f)
		}
	}
}

// The switch opens all solutions, folds them again, and the next page knows it.
func TestSolutionsSwitch(t *testing.T) {
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	tab, w := lessonPage(t, start(t), "03-novikoff.html", 1280, nil)
	const states = `[...document.querySelectorAll("main details")].filter((d) => d.firstElementChild.textContent === "Solution").map((d) => d.open)`
	all := func(want bool) {
		t.Helper()
		open := value[[]bool](t, tab, states)
		for _, is := range open {
			if is != want {
				t.Fatalf("solutions open: %v, want all %v", open, want)
			}
		}
		if len(open) != 7 {
			t.Errorf("%d solutions", len(open))
		}
	}
	all(false)
	for _, want := range []bool{true, false, true} {
		if err := chromedp.Do(tab, chromedp.Click(chromedp.CSS("#solutions"))); err != nil {
			t.Fatal(err)
		}
		all(want)
	}
	if err := chromedp.Do(tab, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	all(true)
	for _, f := range w.faults() {
		t.Error(f)
	}
}
