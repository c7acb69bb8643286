package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// driven is a browser that opens an address, evaluates an expression in the page, and sets the size of what the page sees.
type driven interface {
	open(address string) error
	evaluate(expression string) (json.RawMessage, error)
	resize(width, height int) error
}

// TestOtherBrowsers looks at layout and links in Firefox and in WebKit, and in Chromium, where other tests look at more.
func TestOtherBrowsers(t *testing.T) {
	for name, begin := range map[string]func(*testing.T) driven{"Chromium": chromium, "Firefox": firefox, "WebKit": webkit} {
		t.Run(name, func(t *testing.T) {
			browser := begin(t)
			for _, c := range checks {
				t.Run(c.name, func(t *testing.T) { c.in(t, browser) })
			}
		})
	}
}

// check opens a page, does something there, and asks for a list of faults until there are none, or patience ends.
type check struct {
	name, page string // a page that ends in #late is opened at its fourth heading from the end
	width      int
	do, ask    string
	scripts    string // "blocked", or empty
}

// Parts of the expressions: what a reader sees, and rules for other media made rules for all.
const (
	sees     = `const sees = (el) => el.getClientRects().length > 0 && getComputedStyle(el).visibility !== "hidden"; `
	applied  = `((what) => { for (const s of document.styleSheets) for (const r of s.cssRules) if (r.media?.mediaText.includes(what)) r.media.mediaText = "all"; })`
	sideways = `(document.documentElement.scrollWidth > innerWidth ? ["the page is " + document.documentElement.scrollWidth + " px wide"] : [])`
	named    = `((el) => (el.outerHTML.slice(0, 120) + " " + Math.round(el.getBoundingClientRect().width) + " × " + Math.round(el.getBoundingClientRect().height)))`
)

var checks = []check{
	{name: "the front page fits", page: "index.html", width: 390, ask: sideways},
	{name: "lesson 1 fits", page: "01-hyperplane.html", width: 390, ask: sideways},
	{name: "lesson 6 fits", page: "06-widest-street.html", width: 390, ask: sideways},
	{name: "lesson 12 fits", page: "12-svr.html", width: 390, ask: sideways},
	{name: "a link leads to its heading, on a phone", page: "06-widest-street.html#late", width: 390, ask: atHeading},
	{name: "a link leads to its heading, on a desk", page: "12-svr.html#late", width: 1280, ask: atHeading},
	{name: "a link into a fold opens it", page: "06-widest-street.html", width: 390,
		do: `(() => { const el = document.querySelector("main details:not([open], .explorable) [id]"); el.dataset.meant = "yes"; location.hash = encodeURIComponent(el.id); })()`,
		ask: `(() => { const el = document.querySelector("[data-meant]"), top = el.getBoundingClientRect().top;
			return el.closest("details").open && top >= 0 && top < innerHeight ? [] : ["open: " + el.closest("details").open + ", at " + top]; })()`},
	{name: "formulas are set in their fonts", page: "06-widest-street.html", width: 390,
		ask: `document.fonts.ready.then(() => ["KaTeX_Main", "KaTeX_Math"].filter((f) => ![...document.fonts].some((x) => x.family.replaceAll('"', "") === f && x.status === "loaded"))
			.concat([...document.querySelectorAll(".math")].filter((m) => !m.querySelector(".katex") || m.getClientRects().length > 0 && m.getBoundingClientRect().height < 8).map((m) => m.outerHTML.slice(0, 120))))`},
	{name: "the buttons of cells are in the HTML", page: "06-widest-street.html", width: 390,
		ask: `(async () => { ` + sees + `const stored = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
			const cells = [...document.querySelectorAll(".cell .source")], shown = cells.filter(sees);
			return shown.filter((c) => ![...c.querySelectorAll(".run button")].some((b) => b.textContent === "Run" && sees(b))).map(` + named + `)
				.concat(shown.length > 5 && stored.querySelectorAll(".cell .source .run").length === cells.length ? [] : [shown.length + " cells"]); })()`},
	{name: "the menu opens", page: "01-hyperplane.html", width: 390,
		do: `document.querySelector(".menu").click()`,
		ask: `(() => { ` + sees + `const m = document.querySelector(".menu"), links = [...document.querySelectorAll("#tools a")];
			return m.getAttribute("aria-expanded") === "true" && links.length > 4 && links.every(sees) ? [] : [m.outerHTML + " " + links.filter(sees).length]; })()`},
	{name: "the next lesson", page: "06-widest-street.html", width: 390,
		do: `document.querySelector("a[rel=next]").click()`, ask: at("07-dual.html")},
	{name: "the lesson before", page: "06-widest-street.html", width: 1280,
		do: `document.querySelector("a[rel=prev]").click()`, ask: at("05-losses.html")},
	{name: "the line that stays names the section", page: "06-widest-street.html", width: 390,
		do: `[...document.querySelectorAll("main h2")].at(2).scrollIntoView()`,
		ask: `(() => { const line = document.querySelector(".where"), h = [...document.querySelectorAll("main h2")].at(2).firstChild.textContent.trim();
			return line.getBoundingClientRect().top === 0 && line.textContent.includes(h.slice(0, 12)) ? [] : [line.textContent + " at " + line.getBoundingClientRect().top + ", not " + h]; })()`},
	{name: "figures are dark in the dark", page: "01-hyperplane.html", width: 390, do: dark,
		ask: `[...document.querySelectorAll("main figure img")].filter((i) => !getComputedStyle(i).filter.includes("invert")).map(` + named + `)
			.concat(getComputedStyle(document.body).backgroundColor === "rgb(22, 24, 28)" ? [] : [getComputedStyle(document.body).backgroundColor])`},
	{name: "print has no buttons, and its figures are light", page: "06-widest-street.html", width: 1280, do: dark + `, ` + applied + `("print")`,
		ask: `(() => { ` + sees + `return [...document.querySelectorAll("button, input, nav, header")].filter(sees).concat([...document.querySelectorAll("main figure img")]
			.filter((i) => getComputedStyle(i).filter !== "none" || getComputedStyle(i).mixBlendMode !== "normal")).map(` + named + `); })()`},
	{name: "a finger can hit what is to be pressed in a lesson", page: "06-widest-street.html", width: 390, do: finger, ask: pressable},
	{name: "a finger can hit what is to be pressed on the front page", page: "index.html", width: 390, do: finger, ask: pressable},
	{name: "without scripts", page: "06-widest-street.html", width: 390, scripts: "blocked",
		ask: `(() => { ` + sees + `return [...document.querySelectorAll("main button, .menu, .where")].filter(sees).map(` + named + `)
			.concat([...document.querySelectorAll(".math")].filter((m) => !m.querySelector(".katex")).map((m) => m.textContent), ` + sideways + `,
			[...document.querySelectorAll("#tools a")].every(sees) ? [] : ["no links in the header"]); })()`},
	{name: "a keyboard stops at nothing that does nothing, and stays in the figure that it has made alive", page: "06-widest-street.html", width: 390,
		do: `(() => { const b = document.querySelector("figure.moves .states button"); b.focus(); b.click(); })()`,
		ask: `(() => { const figure = document.querySelector("figure.moves"), at = document.activeElement;
			return [...document.querySelectorAll("[tabindex='0']")].filter((e) => e.matches("pre.chroma, .math, .scroll") && e.scrollWidth <= e.clientWidth).map(` + named + `)
				.concat(figure.dataset.live === "yes" && at !== document.body && figure.contains(at) ? [] : ["live: " + figure.dataset.live + ", focus: " + at.outerHTML.slice(0, 80)]); })()`},
	{name: "a figure to move is alive, and fills its stage", page: "01-hyperplane.html", width: 390,
		do: `document.querySelector("figure.moves .states button").click()`,
		// What lies under a point is asked for, because WebKit measures an element with a zoom in its own pixels.
		ask: `(() => { const stage = document.querySelector("figure.moves .stage"), live = stage.closest("figure").dataset.live; stage.scrollIntoView({ block: "center" });
			const { left, right, top, bottom } = stage.getBoundingClientRect(), picture = (x, y) => document.elementFromPoint(x, y)?.matches(".stage img") === true;
			const under = [picture(left + 3, top + 3), picture(right - 3, bottom - 3), picture(right + 3, (top + bottom) / 2), picture((left + right) / 2, bottom + 3)];
			return live === "yes" && under.join() === "true,true,false,false" ? [] : ["live: " + live + ", the picture is under the corners, and outside: " + under]; })()`},
}

// The heading of the address is at the top of the screen, below the line that stays, and is there a second later.
const atHeading = `(async () => { const h = document.getElementById(decodeURIComponent(location.hash.slice(1))), top = () => Math.round(h.getBoundingClientRect().top), before = top();
	await new Promise((later) => setTimeout(later, 1000));
	return scrollY > 1000 && before === top() && before >= 20 && before < 120 ? [] : [h.id + " at " + before + ", then at " + top()]; })()`

const dark = `(() => { if (document.getElementById("theme").textContent === "Dark") document.getElementById("theme").click(); })()`

const finger = applied + `("coarse"), ` + applied + `("hover: none")`

const pressable = `(() => { ` + sees + `return [...document.querySelectorAll("button, input, select, summary, .top a, .turn a, .start a")].filter(sees)
	.filter((el) => el.getBoundingClientRect().height < 43.5).map(` + named + `); })()`

func at(page string) string {
	return `location.pathname.endsWith("/` + page + `") && document.querySelector("h1") ? [] : [location.href]`
}

var headingID = regexp.MustCompile(`<h[23] id="([^"]+)"`)

func (c check) in(t *testing.T, browser driven) {
	dir := os.Getenv("SITE")
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch ext := filepath.Ext(r.URL.Path); {
		case ext == ".js" && c.scripts == "blocked":
			w.Header().Set("Content-Type", "text/javascript")
		case filepath.Base(r.URL.Path) == "site.css": // no browser corrects its place while something is added above, as Safari does not
			css, err := os.ReadFile(filepath.Join(dir, "assets", "site.css"))
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "text/css")
			w.Write(append(css, "* { overflow-anchor: none; }"...))
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	page, late, _ := strings.Cut(c.page, "#")
	if late != "" {
		text, err := os.ReadFile(filepath.Join(dir, page))
		ids := headingID.FindAllSubmatch(text, -1)
		if err != nil || len(ids) < 4 {
			t.Fatalf("%s has %d headings: %v", page, len(ids), err)
		}
		page += "#" + string(ids[len(ids)-4][1])
	}
	if err := errors.Join(browser.open("about:blank"), browser.resize(c.width, 844), browser.open(server.URL+"/"+page)); err != nil {
		t.Fatal(err)
	}
	if c.do != "" {
		if _, err := browser.evaluate("(" + c.do + ", null)"); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		var faults []string
		answer, err := browser.evaluate(c.ask)
		if err == nil {
			err = json.Unmarshal(answer, &faults)
		}
		if err == nil && faults == nil {
			err = errors.New("no answer")
		}
		if err != nil {
			faults = []string{err.Error()} // the page may just be changing
		}
		if len(faults) == 0 {
			return
		}
		if time.Now().After(end) {
			for _, f := range faults[:min(5, len(faults))] {
				t.Error(f)
			}
			return
		}
	}
}

// narrowed sets a window's size until the page sees the one that is asked for, without the window's frame.
func narrowed(d driven, width, height int, set func(width, height int) error) error {
	var sees [2]int
	for w, h, tries := width, height, 0; ; tries++ {
		if err := set(w, h); err != nil {
			return err
		}
		for range 10 {
			answer, err := d.evaluate(`[innerWidth, innerHeight]`)
			if err == nil {
				err = json.Unmarshal(answer, &sees)
			}
			if err != nil {
				return err
			}
			if sees == [2]int{width, height} {
				return nil
			}
			time.Sleep(50 * time.Millisecond)
		}
		if tries == 3 {
			return fmt.Errorf("the page sees %v px, not %d × %d", sees, width, height)
		}
		w, h = w+width-sees[0], h+height-sees[1]
	}
}

// WebDriver, as WebKit's driver speaks it over HTTP, and Firefox over its own socket with other names of the commands.
type webdriver struct {
	send func(command string, parameters map[string]any) (json.RawMessage, error)
	size func(w *webdriver, width, height int) error
}

func (w *webdriver) open(address string) error {
	_, err := w.send("url", map[string]any{"url": address})
	return err
}

func (w *webdriver) evaluate(expression string) (json.RawMessage, error) {
	return w.send("execute/sync", map[string]any{"script": "return (" + expression + ")", "args": []any{}})
}

func (w *webdriver) resize(width, height int) error { return w.size(w, width, height) }

// program starts a program that ends with the test.
func program(t *testing.T, name string, prepare func(*exec.Cmd), args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, "no "+name+" on PATH")
	}
	c := exec.Command(path, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if prepare != nil {
		prepare(c)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // with the processes that it has started
		c.Wait()
	})
}

// eventually asks until there is an answer.
func eventually[T any](t *testing.T, ask func() (T, error)) T {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		answer, err := ask()
		if err == nil {
			return answer
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// firefox speaks Marionette, the protocol below geckodriver: lines of JSON behind their lengths.
func firefox(t *testing.T) driven {
	profile := t.TempDir()
	const preferences = `user_pref("marionette.port", 0); user_pref("ui.useOverlayScrollbars", 1); user_pref("browser.shell.checkDefaultBrowser", false); user_pref("datareporting.policy.dataSubmissionEnabled", false); user_pref("app.normandy.enabled", false);`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o666); err != nil {
		t.Fatal(err)
	}
	program(t, "firefox-esr", func(c *exec.Cmd) { c.Env = append(os.Environ(), "HOME="+profile) },
		"--marionette", "--remote-allow-system-access", "--headless", "--no-remote", "--profile", profile, "about:blank")
	socket := eventually(t, func() (net.Conn, error) {
		port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if err != nil {
			return nil, err
		}
		return net.Dial("tcp", "127.0.0.1:"+string(port))
	})
	t.Cleanup(func() { socket.Close() })
	r := bufio.NewReader(socket)
	receive := func(into any) error {
		socket.SetReadDeadline(time.Now().Add(time.Minute))
		length, err := r.ReadString(':')
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
		if err != nil {
			return err
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r, text); err != nil {
			return err
		}
		return json.Unmarshal(text, into)
	}
	var greeting any
	if err := receive(&greeting); err != nil {
		t.Fatal(err)
	}
	id := 0
	send := func(command string, parameters map[string]any) (json.RawMessage, error) {
		id++
		if name := map[string]string{"url": "WebDriver:Navigate", "execute/sync": "WebDriver:ExecuteScript"}[command]; name != "" {
			command = name
		}
		text, err := json.Marshal([]any{0, id, command, parameters})
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(socket, "%d:%s", len(text), text); err != nil {
			return nil, err
		}
		var reply [4]json.RawMessage // 1, the number, the error, the result
		if err := receive(&reply); err != nil {
			return nil, err
		}
		if string(reply[2]) != "null" {
			return nil, fmt.Errorf("Firefox: %s: %.500s", command, reply[2])
		}
		var result struct{ Value json.RawMessage }
		err = json.Unmarshal(reply[3], &result)
		return result.Value, err
	}
	if _, err := send("WebDriver:NewSession", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	// Firefox has no windows as narrow as a phone: its page is made narrower than the window.
	size := func(w *webdriver, width, height int) error {
		return narrowed(w, width, height, func(width, height int) error {
			_, err1 := send("Marionette:SetContext", map[string]any{"value": "chrome"})
			_, err2 := w.evaluate(fmt.Sprintf(`(() => { const s = gBrowser.selectedBrowser.style; s.minWidth = s.maxWidth = "%dpx"; s.minHeight = s.maxHeight = "%dpx"; })()`, width, height))
			_, err3 := send("Marionette:SetContext", map[string]any{"value": "content"})
			return errors.Join(err1, err2, err3)
		})
	}
	return &webdriver{send, size}
}

// webkit is WebKitGTK's small browser, in a window on a screen that nobody sees.
func webkit(t *testing.T) driven {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	program(t, "Xvfb", func(c *exec.Cmd) { c.ExtraFiles = []*os.File{write} }, "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
	write.Close()
	display, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().(*net.TCPAddr)
	free.Close()
	home := t.TempDir()
	// Its window is as narrow as a phone only if the buttons beside its address are.
	style := filepath.Join(home, ".config", "gtk-3.0", "gtk.css")
	if err := errors.Join(os.MkdirAll(filepath.Dir(style), 0o777), os.WriteFile(style, []byte("* { min-width: 0; padding: 0; margin: 0; border-width: 0; } toolbar { font-size: 1px; }"), 0o666)); err != nil {
		t.Fatal(err)
	}
	program(t, "WebKitWebDriver", func(c *exec.Cmd) {
		c.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(display), "GDK_BACKEND=x11", "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_RUNTIME_DIR="+home, "WEBKIT_DISABLE_DMABUF_RENDERER=1", "LIBGL_ALWAYS_SOFTWARE=1")
	}, "--port="+strconv.Itoa(address.Port))
	session := ""
	send := func(command string, parameters map[string]any) (json.RawMessage, error) {
		body, err := json.Marshal(parameters)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, "POST", "http://"+address.String()+"/session"+session+"/"+command, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.URL.Path = strings.TrimSuffix(request.URL.Path, "/")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		if err != nil {
			return nil, err
		}
		if reply.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("WebKit: %s: %.500s", command, text)
		}
		var result struct{ Value json.RawMessage }
		err = json.Unmarshal(text, &result)
		return result.Value, err
	}
	begun := eventually(t, func() (begun struct{ SessionID string }, err error) {
		answer, err := send("", map[string]any{"capabilities": map[string]any{}})
		if err == nil {
			err = json.Unmarshal(answer, &begun)
		}
		return begun, err
	})
	session = "/" + begun.SessionID
	return &webdriver{send, func(w *webdriver, width, height int) error {
		return narrowed(w, width, height, func(width, height int) error {
			_, err := send("window/rect", map[string]any{"x": 0, "y": 0, "width": width, "height": height})
			return err
		})
	}}
}

// tab is Chromium's.
type tab struct{ context.Context }

func chromium(t *testing.T) driven {
	ctx, cancel := chromedp.NewContext(start(t))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	return tab{ctx}
}

func (c tab) open(address string) error { return chromedp.Do(c, chromedp.Navigate(address)) }

func (c tab) evaluate(expression string) (json.RawMessage, error) {
	return chromedp.Run(c, chromedp.Evaluate[json.RawMessage](expression, chromedp.EvalAwaitPromise))
}

func (c tab) resize(width, height int) error {
	return chromedp.Do(c, chromedp.EmulateViewport(int64(width), int64(height)))
}
