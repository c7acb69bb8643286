package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadJSON reads a notebook of nbformat 4.0 to 4.5, from Jupyter or any other program. It takes what such
// files hold in practice: texts as one string or a list of lines, cells without id or metadata, unknown
// metadata (kept), minor versions newer than 4.5 (nbformat promises that they can be read). Version 3 or
// older is ErrVersion with the way to convert it, more than [MaxNotebook] bytes are ErrSize, more than
// 100 levels of nesting ErrNested. Errors are [*ParseError].
func ReadJSON(r io.Reader) (*Notebook, error) {
	src, err := readAtMost(r, MaxNotebook)
	if err != nil {
		return nil, err
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if at := tooDeep(src, 0); at >= 0 {
		e := errTooDeep()
		e.place(src, at)
		return nil, e
	}
	var file struct {
		Major      *int           `json:"nbformat"`
		Cells      []rawCell      `json:"cells"`
		Metadata   map[string]any `json:"metadata"`
		Worksheets any            `json:"worksheets"` // nbformat 3 and older
	}
	if err := decodeJSON(src, &file); err != nil {
		return nil, jsonError(src, err)
	}
	switch {
	case file.Major == nil && file.Worksheets == nil:
		return nil, &ParseError{Err: ErrFormat, Detail: "it has no nbformat"}
	case file.Major == nil || *file.Major < 4:
		return nil, &ParseError{Err: ErrVersion,
			Detail: "it is older; convert it by jupyter nbconvert --to notebook --nbformat 4 FILE"}
	case *file.Major > 4:
		return nil, &ParseError{Err: ErrVersion, Detail: fmt.Sprintf("it says nbformat %d", *file.Major)}
	case file.Cells == nil:
		return nil, &ParseError{Err: ErrFormat, Detail: "it has no cells"}
	}
	n := &Notebook{Metadata: orEmpty(file.Metadata)}
	// nbformat says that these never belong into a file; some files hold them all the same.
	for _, k := range []string{"orig_nbformat", "orig_nbformat_minor", "signature"} {
		delete(n.Metadata, k)
	}
	for i, raw := range file.Cells {
		c, err := raw.cell()
		if err != nil {
			return nil, &ParseError{Cell: i + 1, Err: ErrFormat, Detail: err.Error()}
		}
		n.Cells = append(n.Cells, c)
	}
	n.setIDs()
	return n, nil
}

// decodeJSON keeps numbers as they are written, so that 1.0 does not become 1 on the way through.
func decodeJSON(src []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more text after the notebook's end")
	}
	return nil
}

func jsonError(src []byte, err error) *ParseError {
	e := &ParseError{Err: ErrFormat, Detail: err.Error()}
	offset := int64(-1)
	var syntax *json.SyntaxError
	var types *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset - 1
	case errors.As(err, &types):
		offset = types.Offset - 1
		e.Detail = fmt.Sprintf("%s must not be a %s", types.Field, types.Value)
		if types.Field == "" {
			e.Detail = "a notebook is a JSON object, and this is another value (" + types.Value + ")"
		}
	case errors.Is(err, io.EOF):
		e.Detail = "the file is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Detail = "the file ends in the middle"
		offset = int64(len(src))
	}
	if offset >= 0 && offset <= int64(len(src)) {
		e.place(src, int(offset))
	}
	return e
}

// place sets line and column to those of the byte src[offset].
func (e *ParseError) place(src []byte, offset int) {
	before := src[:offset]
	e.Line = 1 + bytes.Count(before, []byte("\n"))
	e.Column = offset - bytes.LastIndexByte(before, '\n')
}

// lines is nbformat's multiline_string: a text, or a list of texts to be joined.
type lines string

func (l *lines) UnmarshalJSON(src []byte) error {
	var list []string
	if len(src) > 0 && src[0] == '[' {
		if err := json.Unmarshal(src, &list); err != nil {
			return errLines
		}
		*l = lines(strings.Join(list, ""))
		return nil
	}
	var s string
	if err := json.Unmarshal(src, &s); err != nil {
		return errLines
	}
	*l = lines(s)
	return nil
}

var errLines = errors.New("source and text must be a text or a list of texts")

type rawCell struct {
	ID             any            `json:"id"`
	Type           string         `json:"cell_type"`
	Source         lines          `json:"source"`
	Metadata       map[string]any `json:"metadata"`
	Attachments    map[string]any `json:"attachments"`
	ExecutionCount *int           `json:"execution_count"`
	Outputs        []rawOutput    `json:"outputs"`
}

type rawOutput struct {
	Type           OutputType     `json:"output_type"`
	Name           string         `json:"name"`
	Text           lines          `json:"text"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
	ExecutionCount *int           `json:"execution_count"`
	EName          string         `json:"ename"`
	EValue         string         `json:"evalue"`
	Traceback      []string       `json:"traceback"`
}

func (r rawCell) cell() (Cell, error) {
	c := Cell{Kind: CellType(r.Type), Source: string(r.Source), Metadata: r.Metadata, Attachments: r.Attachments}
	c.ID, _ = r.ID.(string)
	switch c.Kind {
	case Code:
		c.ExecutionCount = r.ExecutionCount
		c.Attachments = nil
	case Markdown, Raw:
		r.Outputs = nil
	default:
		return c, fmt.Errorf("cell_type %q: must be code, markdown or raw", r.Type)
	}
	for _, bundle := range c.Attachments {
		if b, ok := bundle.(map[string]any); ok {
			joinLines(b)
		}
	}
	c.Tags, _ = takeTags(c.Metadata) // a notebook with an invalid tag is read without it
	delete(c.Metadata, "trusted")
	if len(c.Metadata) == 0 {
		c.Metadata = nil
	}
	for i, o := range r.Outputs {
		switch o.Type {
		case Stream:
			c.Outputs = append(c.Outputs, Output{Type: Stream, Name: o.Name, Text: string(o.Text)})
		case DisplayData, ExecuteResult:
			joinLines(o.Data)
			out := Output{Type: o.Type, Data: o.Data, Metadata: o.Metadata}
			if o.Type == ExecuteResult {
				out.ExecutionCount = o.ExecutionCount
			}
			c.Outputs = append(c.Outputs, out)
		case Error:
			c.Outputs = append(c.Outputs, Output{Type: Error, EName: o.EName, EValue: o.EValue, Traceback: o.Traceback})
		default:
			return c, fmt.Errorf("output %d: output_type %q: must be stream, display_data, execute_result or error", i+1, o.Type)
		}
	}
	return c, nil
}

// joinLines joins the lists of lines in a MIME bundle; JSON types may be lists in their own right.
func joinLines(bundle map[string]any) {
	for mime, v := range bundle {
		list, ok := v.([]any)
		if !ok || jsonType(mime) {
			continue
		}
		var b strings.Builder
		for _, x := range list {
			s, isText := x.(string)
			ok = ok && isText
			b.WriteString(s)
		}
		if ok {
			bundle[mime] = b.String()
		}
	}
}

func jsonType(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}
