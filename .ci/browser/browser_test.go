// Package browser opens a built site in headless Chromium and looks at it, notebooks as nbconvert shows them, and one in Jupyter. Layout and
// links are looked at in Firefox and WebKit, too (others_test.go). It is a module of its own, so that neither the library nor the lessons depend on a browser's protocol.
//
//	go run ./lessons build && SITE=$PWD/site COURSE=$PWD go test -C .ci/browser .
//
// SITE is the folder with the pages, COURSE the checkout; CHROMIUM names the browser if it is not on PATH under a usual name.
// Without SITE or COURSE, and without a browser, a test is skipped; with CI=true it fails instead.
package browser

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed page.js
var lookAtPage string

// views are the screens of a phone and of a desk, by day and by night.
var views = []view{
	{"phone light", 390, 844, "light"},
	{"phone dark", 390, 844, "dark"},
	{"desk light", 1280, 900, "light"},
	{"desk dark", 1280, 900, "dark"},
}

type view struct {
	name          string
	width, height int64
	scheme        string
}

// set gives a tab this screen.
func (v view) set(t *testing.T, tab context.Context) {
	t.Helper()
	screen := []chromedp.EmulateViewportOption{}
	if v.width < 600 {
		screen = append(screen, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(v.width, v.height, screen...), colours(v.scheme)); err != nil {
		t.Fatal(err)
	}
}

func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

func TestPages(t *testing.T) {
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("%s holds no index and no lesson: %v %v", dir, pages, err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	browser := start(t)
	for _, view := range views {
		t.Run(view.name, func(t *testing.T) {
			for _, page := range pages {
				if lesson := filepath.Base(page)[0] <= '9'; lesson && (view.name == "phone dark" || view.name == "desk light") {
					continue // the style is the same for all pages: of a lesson both widths and both schemes are seen, but not all four pairs
				}
				t.Run(filepath.Base(page), func(t *testing.T) {
					tab, cancel := chromedp.NewContext(browser)
					defer cancel()
					w := watch(t, tab, server.URL)
					tab, cancel = context.WithTimeout(tab, 60*time.Second)
					defer cancel()
					view.set(t, tab)
					if err := chromedp.Do(tab, chromedp.Navigate(server.URL+"/"+filepath.Base(page))); err != nil {
						t.Fatal(err)
					}
					for _, f := range append(promised[[]string](t, tab, lookAtPage), w.faults()...) {
						t.Error(f)
					}
					if folder := os.Getenv("SCREENSHOTS"); folder != "" {
						screenshot(t, tab, filepath.Join(folder, strings.ReplaceAll(view.name, " ", "-")+"-"+filepath.Base(page)+".png"))
					}
				})
			}
		})
	}
}

// The reader's own choice of colours wins over the system's, and is remembered.
func TestThemeButton(t *testing.T) {
	dir := os.Getenv("SITE")
	if dir == "" {
		missing(t, "SITE does not name the folder with the pages")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	tab, cancel := chromedp.NewContext(start(t))
	defer cancel()
	if err := chromedp.Do(tab); err != nil {
		t.Fatal(err)
	}
	tab, cancel = context.WithTimeout(tab, 60*time.Second)
	defer cancel()
	ground := func(steps ...chromedp.Action[chromedp.Void]) string {
		t.Helper()
		if err := chromedp.Do(tab, steps...); err != nil {
			t.Fatal(err)
		}
		colour, err := chromedp.Run(tab, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`))
		if err != nil {
			t.Fatal(err)
		}
		return colour
	}
	before := ground(colours("light"), chromedp.Navigate(server.URL+"/index.html"))
	after := ground(chromedp.Click(chromedp.CSS("#theme")))
	again := ground(chromedp.Reload())
	if before == after || again != after {
		t.Errorf("ground %s, after a click %s, after a reload %s", before, after, again)
	}
}

// colours makes the browser say that the reader's system is light or dark.
func colours(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

func start(t *testing.T) context.Context {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		missing(t, "no Chromium on PATH; CHROMIUM can name one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // the pages are our own, and CI runs as root
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() { chromedp.Cancel(browser); cancel() })
	if err := chromedp.Do(browser); err != nil {
		missing(t, fmt.Sprintf("%s does not start: %v", path, err))
	}
	return browser
}

// watcher collects what a page says to the console and asks of the network.
type watcher struct {
	mu   sync.Mutex
	list []string
}

func watch(t *testing.T, tab context.Context, home string) *watcher {
	t.Helper()
	w := &watcher{}
	own, _ := url.Parse(home)
	urls := map[network.RequestID]string{}
	err := chromedp.Listen(tab, func(event any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			w.list = append(w.list, "exception: "+(&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
		case *runtime.EventConsoleAPICalled:
			if (e.Type == "error" || e.Type == "warning") && len(e.Args) > 0 {
				w.list = append(w.list, fmt.Sprintf("console %s: %s", e.Type, e.Args[0].Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				w.list = append(w.list, "log: "+e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			urls[e.RequestID] = e.Request.URL
			u, err := url.Parse(e.Request.URL)
			if err != nil || u.Scheme != "data" && u.Scheme != "about" && u.Host != own.Host {
				w.list = append(w.list, "request to elsewhere: "+e.Request.URL)
			}
		case *network.EventResponseReceived:
			if e.Response.Status >= 400 {
				w.list = append(w.list, fmt.Sprintf("status %d: %s", e.Response.Status, e.Response.URL))
			}
		case *network.EventLoadingFailed:
			if !e.Canceled {
				w.list = append(w.list, "failed: "+urls[e.RequestID]+" "+e.ErrorText)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *watcher) faults() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.list...)
}

// screenshot keeps the whole page as a picture, for eyes.
func screenshot(t *testing.T, tab context.Context, path string) {
	t.Helper()
	png, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o666); err != nil {
		t.Fatal(err)
	}
}
