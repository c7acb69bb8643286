package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

var (
	optionKey  = regexp.MustCompile(`^[a-zA-Z0-9_.@/-]+`)
	optionWord = regexp.MustCompile(`^[a-zA-Z_.]+[a-zA-Z0-9_.]*$`)
)

// parseOptions reads what follows the language on a fence line, or the title on a region line:
//
//	tags=["exercise"] name="bound" limit=60 word      or      {"tags": ["exercise"]}
//
// Values are JSON; a word alone has the value nil. In an error, column is counted in bytes from 0.
func parseOptions(s string) (meta map[string]any, column int, err error) {
	meta = map[string]any{}
	tail := strings.TrimLeft(s, " \t")
	for tail != "" {
		at := len(s) - len(tail)
		if strings.HasPrefix(tail, "{") && len(meta) == 0 {
			v, n, err := jsonPrefix(tail)
			if err != nil {
				return nil, at, err
			}
			maps.Copy(meta, v.(map[string]any))
			tail = strings.TrimLeft(tail[n:], " \t")
			continue
		}
		key := optionKey.FindString(tail)
		if key == "" {
			return nil, at, fmt.Errorf("unexpected %.40q", tail)
		}
		if _, twice := meta[key]; twice {
			return nil, at, fmt.Errorf("%s is given twice", key)
		}
		tail = tail[len(key):]
		after := strings.TrimLeft(tail, " \t")
		if !strings.HasPrefix(after, "=") {
			if !optionWord.MatchString(key) || after == tail && tail != "" {
				return nil, at, fmt.Errorf("%s has no value", key)
			}
			meta[key] = nil
			tail = after
			continue
		}
		tail = strings.TrimLeft(after[1:], " \t")
		v, n, err := jsonPrefix(tail)
		if err != nil {
			return nil, len(s) - len(tail), fmt.Errorf("value of %s: %w", key, err)
		}
		meta[key] = v
		tail = strings.TrimLeft(tail[n:], " \t")
	}
	return meta, 0, nil
}

// jsonPrefix reads the JSON value at the beginning of s and says how long it is.
func jsonPrefix(s string) (v any, n int, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		if s == "" {
			return nil, 0, fmt.Errorf("missing")
		}
		return nil, 0, fmt.Errorf("%.40q is not JSON (a text needs double quotes)", s)
	}
	n = int(dec.InputOffset())
	if tooDeep([]byte(s[:n]), aroundCellOptions) >= 0 {
		return nil, 0, errTooDeep()
	}
	return v, n, nil
}

// takeTags moves metadata.tags out of meta. Tags that nbformat forbids are an error with ok false;
// what could be used of them is returned all the same.
func takeTags(meta map[string]any) (tags []string, ok bool) {
	v, there := meta["tags"]
	if !there {
		return nil, true
	}
	delete(meta, "tags")
	list, ok := v.([]any)
	seen := map[string]bool{}
	for _, x := range list {
		t, text := x.(string)
		if !text || t == "" || strings.Contains(t, ",") || seen[t] {
			ok = false
			continue
		}
		seen[t] = true
		tags = append(tags, t)
	}
	return tags, ok
}

// FigureKey is the key of a cell's metadata that holds what its figure is called, such as "Figure 3.2".
const FigureKey = "figure"

// keysNotInMarkdown are the metadata that Jupytext's default filter leaves out of a text. They record how
// a notebook was displayed and run. The number of a figure is left out because the build counts it.
var keysNotInMarkdown = []string{
	FigureKey,
	"autoscroll", "collapsed", "scrolled", "trusted", "execution", "ExecuteTime",
	"skipline", "noskipline", "cell_marker", "lines_to_next_cell", "lines_to_end_of_cell_marker",
}

// formatOptions is the inverse of parseOptions, in the form that Jupytext writes. Keys are sorted, as
// they are in a notebook that Jupyter saved; a key that Jupytext could not read back is left out.
func formatOptions(c *Cell) string {
	var words []string
	region := c.Kind == Markdown || c.Kind == Raw && active(c)
	for _, k := range optionKeys(c) {
		v := c.Metadata[k]
		title, isText := v.(string)
		switch {
		case k == "tags":
			words = append(words, k+"="+pythonJSON(c.Tags))
		case region && k == "region_name":
		case region && k == "title" && isText && bareTitle(title):
			words = append([]string{title}, words...)
		case v == nil && !region && optionWord.MatchString(k):
			words = append(words, k) // on a region line a word alone would be read as its title
		default:
			words = append(words, k+"="+pythonJSON(v))
		}
	}
	return strings.Join(words, " ")
}

// bareTitle reports whether a region's title can stand before its options without quotes.
func bareTitle(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, "={\n\r\t") && !strings.Contains(s, "-->")
}

func optionKeys(c *Cell) []string {
	var keys []string
	for k, v := range c.Metadata {
		switch {
		case optionKey.FindString(k) != k, slices.Contains(keysNotInMarkdown, k), k == "tags":
		case k == "jupyter" && impliedFolding(c, v):
		default:
			keys = append(keys, k)
		}
	}
	if len(c.Tags) > 0 {
		keys = append(keys, "tags")
	}
	slices.Sort(keys)
	return keys
}

// pythonJSON writes a value as Python's json.dumps does: a space after comma and colon, ASCII only.
// Jupytext writes options so, and a different layout would be a diff at its next save.
func pythonJSON(v any) string {
	var compact bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "null"
	}
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(strings.TrimSuffix(compact.String(), "\n"))) {
		if unit > 0x7e {
			fmt.Fprintf(&b, `\u%04x`, unit)
		} else {
			b.WriteByte(byte(unit))
		}
	}
	return jsonToken.ReplaceAllStringFunc(b.String(), func(token string) string {
		if token == "," || token == ":" {
			return token + " "
		}
		return token
	})
}

// jsonToken matches a text, a comma or a colon of JSON.
var jsonToken = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[,:]`)
