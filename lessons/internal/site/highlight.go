package site

import (
	"bytes"
	"html"
	"html/template"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// Classes, not colours: the style sheet has one set for light pages and one for dark ones.
var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true), chromahtml.TabWidth(4))

// highlight sets source code in a box that scrolls by itself, also from the keyboard.
// An unknown language is set without colours.
func highlight(language, source string) template.HTML {
	code := html.EscapeString(source)
	if lexer := lexers.Get(language); language != "" && lexer != nil {
		var b bytes.Buffer
		tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
		if err == nil && formatter.Format(&b, styles.Fallback, tokens) == nil {
			code = b.String()
		}
	}
	return template.HTML(`<div class="source"><pre class="chroma" tabindex="0"><code>` + code + "</code></pre></div>\n")
}
