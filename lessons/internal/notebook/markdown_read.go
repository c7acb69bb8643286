package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	fenceLine   = regexp.MustCompile("^(```+)[ \t]*(.*)$")
	regionLine  = regexp.MustCompile(`^<!--\s*#(region|markdown|md|raw)\b(.*)-->\s*$`)
	noEvalWord  = regexp.MustCompile(`(^|\s)\.noeval(\s|$)`)
	indentBlock = "    "
)

// LineEnds replaces every line ending of CommonMark (2.1) by \n.
var LineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// ParseMarkdown reads a lesson in Jupytext's Markdown format; the package comment gives the rules. Name is
// the file's name for errors, which are [*ParseError] with line and, where it helps, column. Lines may end
// in \n, \r\n or \r. A text of more than [MaxMarkdown] bytes, or a header of more than [MaxHeader], is
// refused with ErrSize; metadata of more than 100 levels with ErrNested.
func ParseMarkdown(name string, src []byte) (*Notebook, error) {
	if len(src) > MaxMarkdown {
		e := tooLarge(name, MaxMarkdown)
		e.Line = 1
		return nil, e
	}
	if line := notUTF8(src); line > 0 {
		return nil, &ParseError{Name: name, Line: line, Err: ErrEncoding}
	}
	s := strings.TrimPrefix(string(src), "\ufeff")
	lines := strings.Split(LineEnds.Replace(s), "\n")
	size, from, to := splitHeader(lines)
	if size < 0 {
		return nil, &ParseError{Name: name, Line: from, Err: ErrUnclosed, Detail: "a header needs a line --- at its end, and --> if it begins with <!--"}
	}
	meta, err := parseHeader(name, strings.Join(lines[from:to], "\n"), from+1)
	if err != nil {
		return nil, err
	}
	n := &Notebook{Metadata: meta, header: strings.Join(lines[:size], "\n"), parsed: true}
	p := &cellReader{name: name, language: language(meta), lines: lines, at: size}
	for p.skipBlank() {
		cell, err := p.next()
		if err != nil {
			return nil, err
		}
		n.Cells = append(n.Cells, cell)
	}
	n.setIDs()
	return n, nil
}

// notUTF8 returns the first line that is not UTF-8, from 1; 0 if there is none.
func notUTF8(src []byte) (line int) {
	for text := range bytes.Lines(src) {
		if line++; !utf8.Valid(text) {
			return line
		}
	}
	return 0
}

// cellReader cuts lines[at:] into cells.
type cellReader struct {
	name, language string
	lines          []string
	at             int // of the next line to read, from 0
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// skipBlank goes to the next line that is not blank, and reports whether there is one.
func (p *cellReader) skipBlank() bool {
	for p.at < len(p.lines) && blank(p.lines[p.at]) {
		p.at++
	}
	return p.at < len(p.lines)
}

func (p *cellReader) errorAt(line, column int, cause error, detail string) *ParseError {
	return &ParseError{Name: p.name, Line: line + 1, Column: column, Err: cause, Detail: detail}
}

// next reads the cell that begins at lines[at], which is not blank.
func (p *cellReader) next() (Cell, error) {
	line := p.lines[p.at]
	if m := regionLine.FindStringSubmatch(line); m != nil {
		return p.region(m[1], m[2])
	}
	if ticks, options, ok := p.codeFence(line); ok {
		return p.code(ticks, options)
	}
	return p.prose()
}

// codeFence reports whether the line opens a code cell: a fence in the notebook's language that does not
// carry Jupytext's ".noeval", which says that the code is only to be read.
func (p *cellReader) codeFence(line string) (ticks int, options string, ok bool) {
	m := fenceLine.FindStringSubmatch(line)
	if m == nil {
		return 0, "", false
	}
	word, options, _ := strings.Cut(strings.ReplaceAll(m[2], "\t", " "), " ")
	if strings.ToLower(word) != p.language || noEvalWord.MatchString(options) {
		return 0, "", false
	}
	return len(m[1]), options, true
}

// closes reports whether the line ends a fenced block that was opened with so many backticks.
func closes(line string, ticks int) bool {
	t := strings.TrimRight(line, " \t")
	return len(t) >= ticks && strings.Trim(t, "`") == ""
}

func (p *cellReader) code(ticks int, options string) (Cell, error) {
	open := p.at
	c := Cell{Kind: Code, Line: open + 2}
	if err := p.options(&c, options); err != nil {
		return c, err
	}
	end := open + 1
	for end < len(p.lines) && !closes(p.lines[end], ticks) {
		end++
	}
	if end == len(p.lines) {
		return c, p.errorAt(open, 0, ErrUnclosed, fmt.Sprintf("code cell %.60q", p.lines[open]))
	}
	c.Source = strings.Join(p.lines[open+1:end], "\n")
	if !active(&c) {
		c.Kind = Raw
	}
	p.at = end + 1
	return c, nil
}

// active reports whether Jupytext would run a fenced cell in the notebook: it can be limited to
// other formats by active="md" or by a tag like active-md.
func active(c *Cell) bool {
	for _, t := range c.Tags {
		if strings.HasPrefix(t, "active-") {
			return strings.Contains(t+"-", "-ipynb-")
		}
	}
	if list, ok := c.Metadata["active"].(string); ok {
		return strings.Contains(","+strings.ReplaceAll(list, ".", ",")+",", ",ipynb,")
	}
	return true
}

func (p *cellReader) region(name, options string) (Cell, error) {
	open := p.at
	c := Cell{Kind: Markdown, Line: open + 2}
	if name == "raw" {
		c.Kind = Raw
	}
	title, options := cutTitle(options)
	if err := p.options(&c, options); err != nil {
		return c, err
	}
	if title != "" {
		c.set("title", title)
	}
	if name == "md" || name == "markdown" {
		c.set("region_name", name)
	}
	end := open + 1
	for end < len(p.lines) && !closesRegion(p.lines[end], name) {
		end++
	}
	if end == len(p.lines) {
		return c, p.errorAt(open, 0, ErrUnclosed, "<!-- #"+name+" --> needs a line <!-- #end"+name+" -->")
	}
	c.Source = strings.Join(p.lines[open+1:end], "\n")
	p.at = end + 1
	return c, nil
}

func closesRegion(line, name string) bool {
	s, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), "<!--")
	if !ok {
		return false
	}
	s, ok = strings.CutSuffix(s, "-->")
	return ok && strings.TrimSpace(s) == "#end"+name
}

// cutTitle parts the words before the first option of a region line from the options.
func cutTitle(s string) (title, options string) {
	s = strings.TrimSpace(s)
	eq, brace := strings.IndexByte(s, '='), strings.IndexByte(s, '{')
	switch {
	case brace >= 0 && (eq < 0 || brace < eq):
		return strings.TrimSpace(s[:brace]), s[brace:]
	case eq < 0:
		return s, ""
	}
	key := strings.LastIndexAny(strings.TrimRight(s[:eq], " \t"), " \t") + 1
	return strings.TrimSpace(s[:key]), s[key:]
}

// options sets the cell's tags and metadata. Options stand at the end of the line p.at, before "-->" at most.
func (p *cellReader) options(c *Cell, s string) error {
	meta, column, err := parseOptions(s)
	if err != nil {
		cause, detail := ErrOptions, err.Error()
		if deep := (*ParseError)(nil); errors.As(err, &deep) {
			cause, detail = deep.Err, deep.Detail
		}
		return p.errorAt(p.at, strings.LastIndex(p.lines[p.at], s)+column+1, cause, detail)
	}
	tags, ok := takeTags(meta)
	if !ok {
		return p.errorAt(p.at, strings.Index(p.lines[p.at], "tags")+1, ErrTags, "")
	}
	if name, there := meta["name"]; there && text(name) == "" {
		return p.errorAt(p.at, strings.Index(p.lines[p.at], "name")+1, ErrOptions, "name must be a text")
	}
	c.Tags = tags
	if len(meta) > 0 {
		c.Metadata = meta
	}
	return nil
}

func (c *Cell) set(key string, v any) {
	c.Metadata = orEmpty(c.Metadata)
	c.Metadata[key] = v
}

// prose reads a Markdown cell without markers: up to two blank lines, a code cell, a region or the end.
func (p *cellReader) prose() (Cell, error) {
	start := p.at
	end := start // after the last line that is not blank
	blanks := 0  // blank lines just before lines[i]; none are counted in blocks
	indented := false
	for i := start; i < len(p.lines); i++ {
		line := p.lines[i]
		if blank(line) {
			if !indented {
				blanks++
			}
			continue
		}
		if strings.HasPrefix(line, indentBlock) && (indented || blanks > 0) {
			// An indented code block goes on over any number of blank lines.
			indented, blanks, end = true, 0, i+1
			continue
		}
		indented = false
		if _, _, code := p.codeFence(line); code || regionLine.MatchString(line) || blanks >= 2 {
			break
		}
		blanks = 0
		if m := fenceLine.FindStringSubmatch(line); m != nil && !strings.Contains(m[2], "`") {
			open := i
			for i++; i < len(p.lines) && !closes(p.lines[i], len(m[1])); {
				i++
			}
			if i == len(p.lines) {
				return Cell{}, p.errorAt(open, 0, ErrUnclosed, fmt.Sprintf("block %.60q", line))
			}
		}
		end = i + 1
	}
	p.at = end
	return Cell{Kind: Markdown, Line: start + 1, Source: strings.Join(p.lines[start:end], "\n")}, nil
}
