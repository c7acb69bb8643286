package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"unicode/utf8"
)

// WriteJSON writes nbformat 4.5 byte for byte as Jupyter does, so that saving a notebook there is no diff:
// indented by 1, keys sorted, texts as lists of lines, only what JSON demands escaped, a line break at the
// end. The same notebook always gives the same bytes: when a cell ran and how long it took is left out.
//
// Solutions are folded with their output, of cells tagged "fold" the source and of cells tagged "guess" the
// output, as JupyterLab and Notebook 7 understand it. A notebook that names no kernel gets GoNB. More than
// 100 levels of nesting, which could not be read again, are refused with ErrNested.
func (n *Notebook) WriteJSON(w io.Writer) error {
	meta := orEmpty(maps.Clone(n.Metadata))
	setKernel(meta)
	if _, ok := meta["language_info"]; !ok && language(meta) == "go" {
		meta["language_info"] = map[string]any{
			"name": "go", "file_extension": ".go", "mimetype": "text/x-go", "pygments_lexer": "go", "codemirror_mode": "go",
		}
	}
	cells := make([]any, len(n.Cells))
	ids := n.ids()
	for i := range n.Cells {
		c, err := n.Cells[i].json(ids[i])
		if err != nil {
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
		cells[i] = c
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(map[string]any{"cells": cells, "metadata": meta, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		return err
	}
	if tooDeep(b.Bytes(), 0) >= 0 {
		return errTooDeep()
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b.Bytes(), "", " "); err != nil {
		return err
	}
	_, err = io.WriteString(w, lessEscapes.Replace(indented.String()))
	return err
}

func (c *Cell) json(id string) (map[string]any, error) {
	m := map[string]any{
		"id": id, "cell_type": c.Kind, "source": splitLines(c.Source), "metadata": c.metadataJSON(),
	}
	switch c.Kind {
	case Markdown, Raw:
		if len(c.Attachments) > 0 {
			attachments := map[string]any{}
			for name, v := range c.Attachments {
				if b, ok := v.(map[string]any); ok {
					v = bundleJSON(b)
				}
				attachments[name] = v
			}
			m["attachments"] = attachments
		}
		return m, nil
	case Code:
	default:
		return nil, fmt.Errorf("kind %q: must be Code, Markdown or Raw", c.Kind)
	}
	m["execution_count"] = c.ExecutionCount
	outputs := make([]any, len(c.Outputs))
	for i, o := range c.Outputs {
		v := map[string]any{"output_type": o.Type}
		switch o.Type {
		case Stream:
			v["name"], v["text"] = o.Name, splitLines(o.Text)
		case ExecuteResult, DisplayData:
			v["data"], v["metadata"] = bundleJSON(o.Data), orEmpty(o.Metadata)
			if o.Type == ExecuteResult {
				v["execution_count"] = o.ExecutionCount
			}
		case Error:
			v["ename"], v["evalue"], v["traceback"] = o.EName, o.EValue, append([]string{}, o.Traceback...)
		default:
			return nil, fmt.Errorf("output %d: unknown type %q", i+1, o.Type)
		}
		outputs[i] = v
	}
	m["outputs"] = outputs
	return m, nil
}

func (c *Cell) metadataJSON() map[string]any {
	meta := orEmpty(maps.Clone(c.Metadata))
	// The times of a run would differ in every run.
	delete(meta, "execution")
	delete(meta, "ExecuteTime")
	delete(meta, "trusted")
	if len(c.Tags) > 0 {
		meta["tags"] = c.Tags
	}
	if f := folding(c); f != nil {
		jupyter := maps.Clone(f)
		if own, ok := meta["jupyter"].(map[string]any); ok {
			maps.Copy(jupyter, own) // the author's own choice wins
		}
		meta["jupyter"] = jupyter
		if f["outputs_hidden"] == true {
			if _, chosen := meta["collapsed"]; !chosen {
				meta["collapsed"] = true // the older name of outputs_hidden, which JupyterLab keeps in step
			}
		}
	}
	return meta
}

// folding returns metadata.jupyter as the cell's tags imply it.
func folding(c *Cell) map[string]any {
	f := map[string]any{}
	if c.HasTag(TagSolution) || c.Folded() {
		f["source_hidden"] = true
	}
	if c.HasTag(TagSolution) || c.HasTag(TagGuess) {
		f["outputs_hidden"] = true
	}
	if c.Kind != Code || len(f) == 0 {
		return nil
	}
	return f
}

// impliedFolding reports whether a value of metadata.jupyter says no more than the tags do.
func impliedFolding(c *Cell, v any) bool {
	f := folding(c)
	return f != nil && reflect.DeepEqual(any(f), v)
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// bundleJSON splits the MIME types that Jupyter splits; pictures in base64 stay one string.
func bundleJSON(data map[string]any) map[string]any {
	m := make(map[string]any, len(data))
	for mime, v := range data {
		if s, ok := v.(string); ok &&
			(strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml") {
			v = splitLines(s)
		}
		m[mime] = v
	}
	return m
}

// splitLines cuts a text after each line break, as Python's str.splitlines(True): Jupyter's server writes
// notebooks with it, and it breaks at more than \n.
func splitLines(s string) []string {
	parts := []string{}
	start := 0
	for i, r := range s {
		switch r {
		case '\n', '\v', '\f', '\r', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
			if !strings.HasPrefix(s[i:], "\r\n") {
				end := i + utf8.RuneLen(r)
				parts = append(parts, s[start:end])
				start = end
			}
		}
	}
	if start < len(s) {
		parts = append(parts, s[start:])
	}
	return parts
}

// lessEscapes writes as they are the three characters that encoding/json always escapes, like Jupyter. An
// escaped backslash stays: a text about \u2028 (written \\u2028) is not touched.
var lessEscapes = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\ufffd")
