package site

import (
	"bytes"
	"html"
	"html/template"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// Classes, not colours: the style sheet has one set for light pages and one for dark ones.
var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true), chromahtml.TabWidth(4))

// highlight sets source code in a box that scrolls by itself, also from the keyboard. Go has colours;
// other languages, which are few lines of a shell, have none.
func highlight(language, source string) template.HTML {
	code := html.EscapeString(source)
	if strings.EqualFold(language, "go") {
		var b bytes.Buffer
		tokens, err := tokenise(lexers.Get("go"), source)
		if err == nil && formatter.Format(&b, styles.Fallback, chroma.Literator(tokens...)) == nil {
			code = b.String()
		}
	}
	return template.HTML(`<div class="source"><pre class="chroma" tabindex="0"><code>` + code + "</code></pre></div>\n")
}

// tokenise splits source as lexer does. On a busy computer the quarter of a second that Chroma gives a
// regular expression may pass before it has run. So text with an error is split again.
func tokenise(lexer chroma.Lexer, source string) (tokens []chroma.Token, err error) {
	const tries = 3
	for range tries {
		all, err := chroma.Coalesce(lexer).Tokenise(nil, source)
		if err != nil {
			return nil, err
		}
		tokens = all.Tokens()
		if !slices.ContainsFunc(tokens, func(t chroma.Token) bool { return t.Type == chroma.Error }) {
			break
		}
	}
	return tokens, nil
}
