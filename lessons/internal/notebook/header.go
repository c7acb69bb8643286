package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FrontMatter is what a lesson's YAML header says about it beside the section "jupyter".
// All of it is optional, and further keys are allowed.
type FrontMatter struct {
	Title   string   // of the lesson
	Summary string   // two sentences for the index
	Proves  []string // the claims that the cells assert

	// How long a reader needs, in minutes; 0 where the header does not say. "time: 40 min" is that of reading.
	Reading, Exercises int
}

// FrontMatter returns what the header says; what it does not say is empty.
func (n *Notebook) FrontMatter() FrontMatter {
	root := rootLevel(n.Metadata)
	f := FrontMatter{Title: text(root["title"]), Summary: text(root["summary"])}
	if parts, ok := root["time"].(map[string]any); ok {
		f.Reading, f.Exercises = minutes(parts["reading"]), minutes(parts["exercises"])
	} else {
		f.Reading = minutes(root["time"])
	}
	switch p := root["proves"].(type) {
	case nil:
	case []any:
		for _, v := range p {
			f.Proves = append(f.Proves, text(v))
		}
	default:
		f.Proves = []string{text(p)}
	}
	return f
}

var duration = regexp.MustCompile(`^(?:(\d{1,3}) h)? ?(?:(\d{1,4})(?: min)?)?$`)

// minutes reads "45 min", "1 h 10 min" or a number of minutes; 0 is none of them.
func minutes(v any) int {
	m := duration.FindStringSubmatch(text(v))
	if m == nil {
		return 0
	}
	hours, _ := strconv.Atoi(m[1])
	rest, _ := strconv.Atoi(m[2])
	return 60*hours + rest
}

// text is a YAML or JSON scalar as a person would write it, so that "time: 40" works too.
func text(v any) string {
	if v == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(v))
}

// rootLevel returns the front matter where Jupytext keeps it when its option
// root_level_metadata_as_raw_cell is off: in a notebook, a raw cell of YAML at the top helps no reader.
func rootLevel(meta map[string]any) map[string]any {
	jupytext, _ := meta["jupytext"].(map[string]any)
	root, _ := jupytext["root_level_metadata"].(map[string]any)
	return root
}

func language(meta map[string]any) string {
	spec, _ := meta["kernelspec"].(map[string]any)
	if l, ok := spec["language"].(string); ok && l != "" {
		return strings.ToLower(l)
	}
	info, _ := meta["language_info"].(map[string]any)
	if l, ok := info["name"].(string); ok && l != "" {
		return strings.ToLower(l)
	}
	return "go"
}

// splitHeader returns how many lines the YAML header takes, with its "---", 0 without a header, −1 if it is
// never closed, and the part that is YAML. Jupytext can hide the header in an HTML comment.
func splitHeader(lines []string) (size, from, to int) {
	at := 0
	hidden := len(lines) > 0 && strings.TrimSpace(lines[0]) == "<!--"
	if hidden {
		for at = 1; at < len(lines) && blank(lines[at]); {
			at++
		}
	}
	if at >= len(lines) || !headerMark(lines[at]) {
		return 0, 0, 0
	}
	from = at + 1
	for to = from; to < len(lines) && !headerMark(lines[to]); {
		to++
	}
	if to == len(lines) {
		return -1, from, to // never closed
	}
	size = to + 1
	if hidden {
		for size < len(lines) && !strings.Contains(lines[size], "-->") {
			size++
		}
		if size++; size > len(lines) {
			return -1, from, to // the comment would swallow the lesson
		}
	}
	return size, from, to
}

func headerMark(line string) bool { return strings.TrimRight(line, " \t") == "---" }

var yamlLine = regexp.MustCompile(`line (\d+): `)

// parseHeader turns the header's YAML into notebook metadata. firstLine is the file's line of src's first.
func parseHeader(name, src string, firstLine int) (map[string]any, error) {
	fail := func(err error) error {
		e := &ParseError{Name: name, Line: firstLine, Err: ErrHeader}
		e.Detail = strings.TrimPrefix(err.Error(), "yaml: ")
		var types *yaml.TypeError
		if errors.As(err, &types) && len(types.Errors) > 0 {
			e.Detail = types.Errors[0]
		}
		// yaml counts lines from the header's first; the reader's editor counts from the file's.
		if m := yamlLine.FindStringSubmatchIndex(e.Detail); m != nil {
			k, _ := strconv.Atoi(e.Detail[m[2]:m[3]])
			e.Line = firstLine + beforeYAMLLine(src, k)
			e.Detail = e.Detail[:m[0]] + e.Detail[m[1]:]
		}
		return e
	}
	if len(src) > MaxHeader {
		e := tooLarge(name, MaxHeader)
		e.Line, e.Detail = firstLine, "YAML header: "+e.Detail
		return nil, e
	}
	var tree yaml.Node
	var top map[string]any
	err := yaml.Unmarshal([]byte(src), &tree)
	if err == nil {
		err = keyTwice(&tree)
	}
	if err == nil {
		err = tree.Decode(&top)
	}
	if err != nil {
		return nil, fail(err)
	}
	meta := map[string]any{}
	switch j := top["jupyter"].(type) {
	case nil:
	case map[string]any:
		meta = j
	default:
		return nil, fail(errors.New("jupyter: must be a map"))
	}
	delete(top, "jupyter")
	if len(top) > 0 {
		jupytext, ok := meta["jupytext"].(map[string]any)
		if !ok {
			jupytext = map[string]any{}
			meta["jupytext"] = jupytext
		}
		jupytext["root_level_metadata"] = top
	}
	if spec, ok := meta["kernelspec"]; ok {
		m, ok := spec.(map[string]any)
		if !ok {
			return nil, fail(errors.New("jupyter.kernelspec: must be a map"))
		}
		for _, k := range []string{"name", "display_name"} { // Jupyter refuses a notebook without them
			if _, ok := m[k].(string); !ok {
				return nil, fail(errors.New("jupyter.kernelspec: must have a " + k + " that is a text"))
			}
		}
	}
	setKernel(meta)
	// The notebook is JSON: what JSON cannot say (a key that is no text, .nan) must not come in.
	asJSON, err := json.Marshal(meta)
	if err != nil {
		return nil, fail(err)
	}
	if tooDeep(asJSON, aroundMetadata) >= 0 {
		e := errTooDeep()
		e.Name, e.Line = name, firstLine
		return nil, e
	}
	return meta, nil
}

// keyTwice returns an error for the first key that a map has twice. The decoder's own search is quadratic.
func keyTwice(n *yaml.Node) error {
	type key struct {
		kind  yaml.Kind
		value string
	}
	lines := map[key]int{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			k := key{c.Kind, c.Value}
			if line := lines[k]; line > 0 {
				return fmt.Errorf("line %d: mapping key %#v already defined at line %d", c.Line, c.Value, line)
			}
			lines[k] = c.Line
		}
		if err := keyTwice(c); err != nil {
			return err
		}
	}
	return nil
}

// beforeYAMLLine returns how many lines of src end before YAML's line k, from 1. YAML 1.1 ends lines at three
// more characters than editors do.
func beforeYAMLLine(src string, k int) int {
	parts := yamlLineEnd.Split(src, max(k, 1)) // the last one begins with line k
	return strings.Count(strings.TrimSuffix(src, parts[len(parts)-1]), "\n")
}

var yamlLineEnd = regexp.MustCompile("[\n\u0085\u2028\u2029]")

// headerText returns the header for the Markdown file: the author's own lines as long as they still say
// what Metadata says, since YAML has many layouts for one meaning; newly written ones otherwise.
func (n *Notebook) headerText() string {
	lines := strings.Split(n.header, "\n")
	if size, from, to := splitHeader(lines); size >= 0 && n.parsed {
		meta, err := parseHeader("", strings.Join(lines[from:to], "\n"), 1)
		if err == nil && reflect.DeepEqual(meta, n.Metadata) {
			return n.header
		}
	}
	top := map[string]any{}
	maps.Copy(top, rootLevel(n.Metadata))
	jupyter := map[string]any{}
	// Jupytext keeps these in the text, and all others (language_info, widgets, …) in the notebook only.
	for _, k := range []string{"jupytext", "kernelspec", "kernel_info", "orphan", "tocdepth"} {
		if v, ok := n.Metadata[k]; ok {
			jupyter[k] = v
		}
	}
	if j, ok := jupyter["jupytext"].(map[string]any); ok {
		j = maps.Clone(j)
		delete(j, "root_level_metadata")
		if jupyter["jupytext"] = j; len(j) == 0 {
			delete(jupyter, "jupytext")
		}
	}
	setKernel(jupyter)
	top["jupyter"] = jupyter
	var b strings.Builder
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(plain(top)); err != nil {
		return "" // plain leaves nothing that YAML cannot say
	}
	return "---\n" + b.String() + "---"
}

// plain replaces json.Number, which YAML would quote as a text, by the number it stands for.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = plain(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = plain(x)
		}
		return l
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	}
	return v
}
