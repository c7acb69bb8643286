package site

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"regexp"
	"slices"
	"strings"
)

// searchEntry is a section of a page, as the search page finds it.
type searchEntry struct {
	Href   string `json:"href"`
	Lesson string `json:"lesson"`
	Title  string `json:"title"` // of the section; empty above the first
	Text   string `json:"text"`
}

// search writes the search page and what it looks through: a script, to be there without a server, too.
func (f *folder) search(pages []*page) error {
	entries := []searchEntry{}
	for _, p := range pages {
		entries = append(entries, p.searchEntries()...)
	}
	text, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	f.putBytes("assets/places.js", slices.Concat([]byte(`"use strict";`+"\nconst places = "), text, []byte(";\n")))
	f.render("search.html", map[string]any{"Title": "Search", "Guide": true, "Search": true})
	return nil
}

var (
	sectionHeading = regexp.MustCompile(`(?s)<h[2-6] id="([^"]*)">(.*?)</h[2-6]>`)
	notSearched    = regexp.MustCompile(`(?s)<pre.*?</pre>|<a class="anchor".*?</a>|<p class="badge">.*?</p>|<summary>(?:Code|Solution|Show the answer)</summary>`)
	endOfBlock     = regexp.MustCompile(`</(?:p|li|h[1-6]|div|td|th|dt|dd|summary|figcaption|blockquote)>|<br>`)
	setFormula     = regexp.MustCompile(`(?s)<(span|div) class="math(?: display)?">(.*?)</(?:span|div)>`)
)

// searchEntries are the sections of a lesson, without its code.
func (p *page) searchEntries() []searchEntry {
	body := notSearched.ReplaceAllString(string(p.Body), " ")
	body = setFormula.ReplaceAllStringFunc(body, func(s string) string { return template.HTMLEscapeString(readable(plainText(template.HTML(s)))) })
	text := func(h string) string {
		return strings.Join(strings.Fields(plainText(template.HTML(endOfBlock.ReplaceAllString(h, " ")))), " ")
	}
	lesson := text(string(p.Heading))
	at := searchEntry{Href: p.Slug + ".html", Lesson: lesson}
	begin := 0
	var all []searchEntry
	for _, m := range sectionHeading.FindAllStringSubmatchIndex(body, -1) {
		at.Text = text(body[begin:m[0]])
		all = append(all, at)
		at = searchEntry{Href: p.Slug + ".html#" + body[m[2]:m[3]], Lesson: lesson, Title: text(body[m[4]:m[5]])}
		begin = m[1]
	}
	at.Text = text(body[begin:])
	return append(all, at)
}

//go:embed signs.json
var signsFile []byte

// signs are the commands of TeX that stand for one sign in a line of text.
var signs = func() (signs map[string]string) {
	if err := json.Unmarshal(signsFile, &signs); err != nil {
		panic(err)
	}
	return signs
}()

var shortFraction = regexp.MustCompile(`\\[dt]?frac(\w)(\w)`)

var command = regexp.MustCompile(`\\([a-zA-Z]+|.)[ \t]*|\}\{|[{}]`)

// readable is a formula as a line of text: signs for commands, without what only sets it.
func readable(tex string) string {
	return command.ReplaceAllStringFunc(shortFraction.ReplaceAllString(tex, "$1/$2"), func(c string) string {
		name := strings.TrimRight(c, " \t")
		if sign, ok := signs[name]; ok {
			return sign
		}
		return signs[strings.TrimPrefix(name, `\`)]
	})
}
