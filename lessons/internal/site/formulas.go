package site

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// typesetter sets formulas by KaTeX, which runs in an interpreter of JavaScript written in Go. A page
// with set formulas needs no script: the reader's browser has nothing to compute, nothing moves after
// loading, and the page is the same without JavaScript.
type typesetter struct {
	vm     *goja.Runtime
	render goja.Callable
	done   map[string]string // the formulas that were set, by their HTML before
}

// katexProgram is the program of KaTeX, below assets.
const katexProgram = "assets/katex/katex.min.js"

// katex is that program, compiled once.
var katex = sync.OnceValues(func() (*goja.Program, error) {
	source, err := assets.ReadFile(katexProgram)
	if err != nil {
		return nil, err
	}
	return goja.Compile(katexProgram, string(source), true)
})

func newTypesetter() (*typesetter, error) {
	compiled, err := katex()
	if err != nil {
		return nil, fmt.Errorf("site: KaTeX: %w", err)
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(2000) // a formula that is nested deeper stays TeX
	if _, err := vm.RunProgram(compiled); err != nil {
		return nil, fmt.Errorf("site: KaTeX: %w", err)
	}
	render, ok := goja.AssertFunction(vm.Get("katex").ToObject(vm).Get("renderToString"))
	if !ok {
		return nil, fmt.Errorf("site: KaTeX has no function renderToString")
	}
	return &typesetter{vm: vm, render: render, done: map[string]string{}}, nil
}

// aFormula matches a formula as function formula writes it, with the marks around it that must stay on
// its line: brackets before it, and punctuation, an apostrophe or a hyphenated word after it.
var aFormula = regexp.MustCompile(`(?s)([(\[“‘]*)<(span|div) class="math( display)?">(.*?)</(?:span|div)>((?:['’]|&#39;)s\b|[.,;:!?)\]”’…]+|-\p{L}+)?`)

// longest is how many letters a formula may have that is kept on one line with the marks around it. A
// longer one may be wider than a phone.
const longest = 16

// What KaTeX writes before the first and after the last piece of a formula that may break between pieces.
const (
	firstPiece = `<span class="katex-html" aria-hidden="true"><span class="katex-base">`
	lastPiece  = "</span></span></span>"
)

// set returns the page with its formulas set.
func (t *typesetter) set(page string) string {
	return aFormula.ReplaceAllStringFunc(page, func(found string) string {
		m := aFormula.FindStringSubmatch(found)
		before, tag, display, tex, after := m[1], m[2], m[3], m[4], m[5]
		set, joined := t.formula(tex, display != ""), ""
		switch {
		case display != "" || before+after == "":
		case letters(set) <= longest:
			joined = `<span class="joined">`
		default: // a line may break within the formula, so the marks go into its first and its last piece
			if open, rest, ok := strings.Cut(set, firstPiece); ok && strings.HasSuffix(rest, lastPiece) {
				set, before, after = open+firstPiece+before+strings.TrimSuffix(rest, lastPiece)+after+lastPiece, "", ""
			}
		}
		out := joined + before + "<" + tag + ` class="math` + display + `">` + set + "</" + tag + ">" + after
		if joined != "" {
			out += "</span>"
		}
		return out
	})
}

// formula returns the HTML of one formula. The part for screen readers, MathML, holds the TeX source. A formula that
// KaTeX cannot read is shown in red by KaTeX, and one that is nested too deeply stays as it is.
func (t *typesetter) formula(escaped string, display bool) string {
	key := fmt.Sprint(display, escaped)
	if set, ok := t.done[key]; ok {
		return set
	}
	options := t.vm.NewObject()
	for name, value := range map[string]any{"displayMode": display, "throwOnError": false, "output": "htmlAndMathml", "maxSize": 100} {
		options.Set(name, value)
	}
	set := escaped
	if value, err := t.render(goja.Undefined(), t.vm.ToValue(html.UnescapeString(escaped)), options); err == nil {
		set = value.String()
	}
	t.done[key] = set
	return set
}

// letters counts the letters of a formula that are seen.
func letters(set string) int {
	_, seen, _ := strings.Cut(set, `<span class="katex-html"`)
	return utf8.RuneCountInString(tag.ReplaceAllString("<"+seen, ""))
}
