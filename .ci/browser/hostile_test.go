package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// provoke opens and focuses what can be, and returns how often a script of the notebook ran; less than 0 if the browser has
// read something that could run one.
const provoke = `(async () => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	const wait = (ms) => new Promise((done) => setTimeout(done, ms));
	for (const el of document.querySelectorAll("[tabindex], a, button, input, summary")) el.focus?.();
	await wait(300);
	if (top.pwned) return top.pwned;
	for (const el of document.querySelectorAll("*")) {
		for (const a of el.attributes) {
			if (/^on/i.test(a.name)) return -1;
			if (/^(href|src|action|formaction|data|xlink:href|to)$/i.test(a.name) && /^[\s\x00-\x1f]*(javascript|vbscript|data:text)/i.test(a.value)) return -2;
		}
	}
	if ([...document.scripts].some((s) => !/^assets\/[a-z/.]+\.js$/.test(s.getAttribute("src")))) return -3;
	if ([...document.querySelectorAll("iframe")].some((f) => f.getAttribute("sandbox") !== "allow-same-origin")) return -4;
	return 0;
})()`

// The pages of a notebook that attacks with every field, in a browser that is told to ignore the pages' policy: what
// holds is what is written into them. The last page shows that an attack would be seen.
func TestReliabilityHostilePages(t *testing.T) {
	course := os.Getenv("COURSE")
	if course == "" {
		missing(t, "COURSE does not name the checkout")
	}
	dir := t.TempDir()
	build := exec.Command("go", "test", "-count=1", "-run", "^TestReliabilityHostileNotebook$", "./lessons/internal/site", "-args", "-hostile-site", dir)
	build.Dir = course
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "caught.html"), []byte(`<!doctype html><title>x</title><main><img src=x onerror="top.pwned=1"></main>`), 0o666); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	browser := start(t)
	names, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(names) != 6 { // two lessons, the front page, the playground, the search, and the page above
		t.Fatal(names, err)
	}
	pictures, _ := filepath.Glob(filepath.Join(dir, "figures", "*.svg"))
	if len(pictures) == 0 {
		t.Fatal("no SVG to open")
	}
	for _, name := range append(names, pictures...) {
		name, _ := filepath.Rel(dir, name)
		t.Run(name, func(t *testing.T) {
			tab, cancel := chromedp.NewContext(browser)
			defer cancel()
			if err := chromedp.Do(tab); err != nil {
				t.Fatal(err)
			}
			tab, cancel = context.WithTimeout(tab, 5*time.Minute)
			defer cancel()
			withoutPolicy := chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
				_, err := cdp.Call(ctx, tab, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
				return err
			})
			if err := chromedp.Do(tab, withoutPolicy, chromedp.Navigate(server.URL+"/"+filepath.ToSlash(name))); err != nil {
				t.Fatal(err)
			}
			ran, err := chromedp.Run(tab, chromedp.Evaluate[int](provoke, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			if name == "caught.html" {
				if ran != 1 {
					t.Errorf("%d: the attack was not seen", ran)
				}
			} else if ran != 0 {
				t.Errorf("%d: scripts of the notebook ran, or could have", ran)
			}
		})
	}
}
