package notebook

import (
	"slices"
	"strings"
)

// Markdown writes the notebook as a lesson's source text, which ParseMarkdown reads back to the same cells:
// kinds, sources, tags and all metadata that concern the text. Outputs, attachments and the state of the
// display are left out; lines end in \n only. The form is canonical: one blank line between cells, two
// between two of prose, options in alphabetical order.
func (n *Notebook) Markdown() []byte {
	var b strings.Builder
	header := n.headerText()
	cells := slices.Clone(n.Cells)
	for i := range cells {
		cells[i].Source = LineEnds.Replace(cells[i].Source) // a notebook's text may have others
	}
	if len(cells) > 0 && rootLevel(n.Metadata) == nil && strings.HasPrefix(header, "---\n") {
		// Jupytext's default is to keep the front matter as a first raw cell. It belongs into the header.
		if front, ok := rawFrontMatter(&cells[0]); ok {
			header = "---\n" + front + strings.TrimPrefix(header, "---\n")
			cells = cells[1:]
		}
	}
	b.WriteString(header)
	before := ""
	if header != "" {
		b.WriteString("\n")
		before = "\n"
	}
	for i := range cells {
		block, marked := n.block(&cells[i], header == "" && i == 0)
		b.WriteString(before)
		b.WriteString(block)
		b.WriteString("\n")
		before = "\n"
		if !marked && i+1 < len(cells) {
			if _, nextMarked := n.block(&cells[i+1], false); !nextMarked {
				before = "\n\n"
			}
		}
	}
	return []byte(b.String())
}

// rawFrontMatter returns the YAML lines of a header that Jupytext put into a raw cell.
func rawFrontMatter(c *Cell) (yamlLines string, ok bool) {
	lines := strings.Split(strings.TrimSpace(c.Source), "\n")
	if size, _, _ := splitHeader(lines); c.Kind != Raw || size < 3 || size != len(lines) {
		return "", false
	}
	front := strings.Join(lines[1:len(lines)-1], "\n") + "\n"
	meta, err := parseHeader("", front, 1)
	return front, err == nil && len(rootLevel(meta)) > 0 && len(meta) == 2 // jupytext and the default kernel: no jupyter section
}

// block returns the cell's text without the line break at its end, and whether it has explicit marks.
func (n *Notebook) block(c *Cell, first bool) (text string, marked bool) {
	switch {
	case c.Kind == Code, c.Kind == Raw && !active(c):
		fence := fenceFor(c.Source)
		return fence + strings.TrimRight(n.Language()+" "+formatOptions(c), " ") + "\n" + c.Source + "\n" + fence, true
	case c.Kind == Raw:
		return mark("raw", formatOptions(c), c.Source), true
	case len(optionKeys(c)) > 0 || !n.readsAlone(c.Source) || first && likeHeader(c.Source):
		return mark(regionName(c), formatOptions(c), c.Source), true
	}
	return c.Source, false
}

// likeHeader reports whether a text at the top of a file would be read as the beginning of its header.
func likeHeader(source string) bool {
	line, _, _ := strings.Cut(source, "\n")
	return strings.HasPrefix(line, "---") || strings.TrimSpace(line) == "<!--"
}

func mark(name, options, source string) string {
	open := "<!-- #" + name
	if options != "" {
		open += " " + options
	}
	return open + " -->\n" + source + "\n<!-- #end" + name + " -->"
}

// regionName is the one the author used, unless the text itself holds the line that would end it.
func regionName(c *Cell) string {
	names := []string{"region", "md", "markdown"}
	if own, ok := c.Metadata["region_name"].(string); ok && slices.Contains(names, own) {
		names = append([]string{own}, names...)
	}
	for _, name := range names {
		if !slices.ContainsFunc(strings.Split(c.Source, "\n"), func(l string) bool { return closesRegion(l, name) }) {
			return name
		}
	}
	return names[0]
}

// readsAlone reports whether the text, written without marks between two others, is read back as one
// cell of its own. Reading it is the only sure test: an unclosed fence, an indented beginning or two
// blank lines would all join or part cells.
func (n *Notebook) readsAlone(source string) bool {
	lines := strings.Split("x\n\n\n"+source+"\n\n\nx", "\n")
	p := &cellReader{language: n.Language(), lines: lines}
	for _, want := range []string{"x", source, "x"} {
		if !p.skipBlank() {
			return false
		}
		c, err := p.next()
		if err != nil || c.Kind != Markdown || c.Source != want || len(c.Metadata)+len(c.Tags) > 0 {
			return false
		}
	}
	return !p.skipBlank()
}

// fenceFor returns the shortest fence, of three backticks at least, that no line of the source closes.
func fenceFor(source string) string {
	fence := "```"
	for _, line := range strings.Split(source, "\n") {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		if ticks >= len(fence) {
			fence = strings.Repeat("`", ticks+1)
		}
	}
	return fence
}
