package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A committed notebook as nbviewer shows it: converted by nbconvert, in a browser that runs no
// script. What is stored must be there: pictures with their words, captions in italics, printed
// lines, and formulas untouched by Markdown (whoever sets them does so from this text).
func TestStatic(t *testing.T) {
	course := os.Getenv("COURSE")
	if course == "" {
		missing(t, "COURSE does not name the checkout")
	}
	if _, err := exec.LookPath("jupyter-nbconvert"); err != nil {
		missing(t, "no nbconvert (Debian: apt-get install jupyter-nbconvert)")
	}
	notebooks, err := filepath.Glob(filepath.Join(course, "notebooks", "*.ipynb"))
	if err != nil || len(notebooks) == 0 {
		t.Fatalf("no notebooks in %s: %v", course, err)
	}
	browser := start(t)
	for _, path := range notebooks {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := stored(t, path)
			page := filepath.Join(t.TempDir(), "page.html")
			// The classic template takes a picture's words along; the one of JupyterLab does not (6.5).
			if out, err := exec.Command("jupyter", "nbconvert", "--to", "html", "--template", "classic", "--output", page, path).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			tab, cancel := chromedp.NewContext(browser)
			defer cancel()
			if err := chromedp.Do(tab); err != nil {
				t.Fatal(err)
			}
			tab, cancel = context.WithTimeout(tab, 60*time.Second)
			defer cancel()
			if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 1000), withoutScripts(), chromedp.Navigate("file://"+page)); err != nil {
				t.Fatal(err)
			}
			alts := value[[]string](t, tab, `[...document.querySelectorAll(".output img")].filter(p => p.naturalWidth > 100 && p.style.display !== "none" && !p.hidden).map(p => p.alt)`)
			captions := value[[]string](t, tab, `[...document.querySelectorAll(".output em")].map(e => e.textContent)`)
			text := value[string](t, tab, `document.body.textContent`)
			for _, alt := range want.alts {
				if !oneOf(alts, alt) {
					t.Errorf("no picture with the words %q", alt)
				}
			}
			for i, alt := range alts {
				if alt == "" {
					t.Errorf("picture %d has no words", i+1)
				}
			}
			for _, c := range want.captions {
				if !oneOf(captions, c) {
					t.Errorf("no caption %q", c)
				}
			}
			for _, s := range append(want.formulas, want.printed...) {
				if !strings.Contains(flat(text), flat(s)) {
					t.Errorf("not in the page: %q", s)
				}
			}
			if len(want.alts) < 6 || len(want.captions) < 6 || len(want.formulas) < 20 || len(want.printed) < 20 {
				t.Errorf("%d pictures, %d captions, %d formulas, %d printed outputs: the test reads less than there is", len(want.alts), len(want.captions), len(want.formulas), len(want.printed))
			}
			keep(t, tab, "page")
		})
	}
}

func withoutScripts() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
}

func oneOf(list []string, s string) bool {
	for _, l := range list {
		if flat(l) == flat(s) {
			return true
		}
	}
	return false
}

// flat takes line breaks for spaces, as HTML does.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// contents are the words of a notebook file that a reader without scripts must find.
type contents struct{ alts, captions, formulas, printed []string }

var (
	codeInProse = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	formula     = regexp.MustCompile(`(?s)\$\$.+?\$\$|\$[^$]+\$`)
	ansi        = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

func stored(t *testing.T, path string) (c contents) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  any
			Outputs []struct {
				Text     any
				Data     map[string]any
				Metadata map[string]map[string]any
			}
		}
	}
	if err := json.Unmarshal(text, &nb); err != nil {
		t.Fatal(err)
	}
	for _, cell := range nb.Cells {
		if cell.Type == "markdown" {
			c.formulas = append(c.formulas, formula.FindAllString(codeInProse.ReplaceAllString(joined(cell.Source), ""), -1)...)
		}
		for _, o := range cell.Outputs {
			if alt, _ := o.Metadata["svmkit"]["alt"].(string); alt != "" {
				c.alts = append(c.alts, alt)
			}
			if caption := joined(o.Data["text/plain"]); o.Metadata["svmkit"]["role"] == "caption" {
				c.captions = append(c.captions, caption)
			}
			if o.Text != nil {
				c.printed = append(c.printed, ansi.ReplaceAllString(joined(o.Text), ""))
			}
		}
	}
	return c
}

// joined is text that a notebook stores as one string or as a list of lines.
func joined(text any) string {
	switch text := text.(type) {
	case string:
		return text
	case []any:
		var b strings.Builder
		for _, line := range text {
			fmt.Fprint(&b, line)
		}
		return b.String()
	}
	return ""
}
