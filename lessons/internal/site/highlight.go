package site

import (
	"bytes"
	"go/scanner"
	"go/token"
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

// highlight sets source code in a box that scrolls by itself, also from the keyboard. Go has colours. Other languages
// have none: Chroma's expressions backtrack, and a text made for it keeps them busy for minutes.
func highlight(language, source string) template.HTML {
	code := html.EscapeString(source)
	if strings.EqualFold(language, "go") && scans(source) {
		var b bytes.Buffer
		tokens, err := tokenise(lexers.Get("go"), source)
		if err == nil && formatter.Format(&b, styles.Fallback, chroma.Literator(tokens...)) == nil {
			code = b.String()
		}
	}
	return template.HTML(`<div class="source"><pre class="chroma" tabindex="0"><code>` + code + "</code></pre></div>\n")
}

// scans says whether Go's own scanner finds the end of all comments and texts in source, and no text in backquotes holds a
// template. Where an end is missing, in Go or in a template, Chroma looks for it from each beginning to the end of the source.
func scans(source string) bool {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	open := false
	s.Init(file, []byte(source), func(_ token.Position, message string) {
		open = open || strings.Contains(message, "not terminated") || strings.Contains(message, "rune literal")
	}, scanner.ScanComments)
	for {
		_, tok, text := s.Scan()
		if open || tok == token.STRING && text[0] == '`' && strings.Contains(text, "{{") {
			return false
		}
		if tok == token.EOF {
			return true
		}
	}
}

// tokenise splits source as lexer does. Chroma gives each of its regular expressions a quarter of a
// second, which on a busy computer may pass before one has run, and then takes it as not matching. So text with
// an error is split again: a page must not depend on the load.
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
