package pipeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/internal/strictjson"
	"github.com/svmkit/course/svmkit/modelfile"
)

// ErrNotPipeline says that a file is no pipeline.
var ErrNotPipeline = errors.New("not a pipeline file of svmkit: package modelfile reads models alone")

const (
	head    = "svmkit pipeline "
	version = "1"
)

// Save writes m so that [Load] gets every number back bit for bit. The model must be one that [modelfile.Save] takes,
// scaled or not; anything else is a [*svmkit.ParamError], and then nothing is written.
func Save(w io.Writer, m *Model) error {
	switch {
	case w == nil:
		return &svmkit.ParamError{Name: "w", Value: nil, Need: "must not be nil"}
	case m == nil || m.encoding == nil:
		return &svmkit.ParamError{Name: "Model", Value: nil, Need: "must come from Fit or Load"}
	}
	scaling, inner := unscaled(m.predictor)
	model, ok := inner.(modelfile.Model)
	if !ok {
		return &svmkit.ParamError{Name: "Model", Value: fmt.Sprintf("%T", inner), Need: "must be a model of package svm or a classifier of package multiclass"}
	}
	var out bytes.Buffer
	out.WriteString(head + version + "\n")
	columns, err := json.Marshal(m.encoding)
	if err != nil {
		return err
	}
	out.Write(append(columns, '\n'))
	if scaling == nil {
		out.WriteString("null\n")
	} else if err := feature.Save(&out, scaling); err != nil {
		return err
	}
	if err := modelfile.Save(&out, model); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// SaveFile is [Save] to a file that appears whole or, after an error, not at all.
func SaveFile(name string, m *Model) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Save(w, m) })
}

// Load reads what [Save] wrote, or a model of scikit-learn in the JSON of the package comment. What is wrong in a file is a [*modelfile.ParseError], with the cause
// [ErrNotPipeline], or one that [modelfile.Load] names; memory stays in proportion to the length of the file.
func Load(r io.Reader) (*Model, error) {
	if r == nil {
		return nil, &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	}
	in := bufio.NewReader(r)
	first, err := in.Peek(len(head))
	if len(first) > 0 && first[0] == '{' {
		return loadScikitLearn(in)
	}
	if string(first) != head {
		if err == nil || err == io.EOF {
			err = ErrNotPipeline
		}
		return nil, parseError(1, string(first), err)
	}
	var lines [3]string
	for k := range lines {
		if lines[k], err = in.ReadString('\n'); err == io.EOF {
			err = modelfile.ErrTruncated
		}
		if err != nil {
			return nil, parseError(k+1, "", err)
		}
		lines[k] = strings.TrimRight(lines[k], "\r\n")
	}
	if v := strings.TrimPrefix(lines[0], head); v != version {
		return nil, parseError(1, v, modelfile.ErrVersion)
	}
	e, err := readEncoding(lines[1])
	if err != nil {
		return nil, parseError(2, "", fmt.Errorf("%w: %w", modelfile.ErrMalformed, err))
	}
	var scaling *feature.Scaling
	if lines[2] != "null" {
		if scaling, err = feature.Load(strings.NewReader(lines[2])); err != nil {
			return nil, parseError(3, "", fmt.Errorf("%w: %w", modelfile.ErrMalformed, err))
		}
		if !e.sameColumns(scaling.Columns()) {
			return nil, parseError(3, "", fmt.Errorf("%w: the scaling is of other columns", modelfile.ErrMalformed))
		}
	}
	model, err := modelfile.Load(in)
	if parse := (*modelfile.ParseError)(nil); errors.As(err, &parse) {
		parse.Line += len(lines)
	}
	if err != nil {
		return nil, err
	}
	if !e.sameColumns(model.Columns()) {
		return nil, parseError(len(lines)+1, "", fmt.Errorf("%w: the model is of other columns", modelfile.ErrMalformed))
	}
	var classes []string
	if named, ok := model.(interface{ ClassNames() []string }); ok {
		classes = named.ClassNames()
	}
	return newModel(e, scaled(scaling, model), classes), nil
}

// LoadFile is [Load] for the named file.
func LoadFile(name string) (*Model, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Load(file)
	if parse := (*modelfile.ParseError)(nil); errors.As(err, &parse) {
		parse.Name = name
	}
	return m, err
}

func parseError(line int, text string, err error) error {
	return &modelfile.ParseError{Line: line, Text: text, Err: err}
}

// sameColumns reports whether c are the columns of numbers that the encoding makes.
func (e *encoding) sameColumns(c svmkit.Columns) bool {
	if c.Dim != e.dim() || c.Open || c.Label != e.Label || len(c.Features) != c.Dim {
		return false
	}
	k := 0
	for name := range e.features() {
		if name != c.Features[k] {
			return false
		}
		k++
	}
	return true
}

// readEncoding reads the second line of a file.
func readEncoding(line string) (*encoding, error) {
	e := &encoding{}
	if _, err := strictjson.Object([]byte(line), map[string]any{"label": &e.Label, "columns": &e.Columns, "drop": &e.Drop, "refuseUnseen": &e.RefuseUnseen}); err != nil {
		return nil, err
	}
	if err := e.wrong(); err != nil {
		return nil, err
	}
	return e, nil
}

// UnmarshalJSON reads one column.
func (c *column) UnmarshalJSON(data []byte) error {
	_, err := strictjson.Object(data, map[string]any{"name": &c.Name, "kind": &c.Kind, "fill": &c.Fill, "indicator": &c.Indicator,
		"categories": &c.Categories, "vectorizer": &c.Vectorizer})
	return err
}

// wrong returns what no fit returns; nil if there is nothing.
func (e *encoding) wrong() error {
	if len(e.Columns) == 0 {
		return svmkit.ErrNoColumns
	}
	seen := map[string]bool{e.Label: true}
	for _, name := range append(e.names(), e.Drop...) {
		if name == "" || seen[name] {
			return fmt.Errorf("the column %q stands twice or has no name", name)
		}
		seen[name] = true
	}
	for _, c := range e.Columns {
		if why := c.wrong(); why != "" {
			return fmt.Errorf("column %q: %s", c.Name, why)
		}
		if c.Kind == document && len(e.Columns) > 1 {
			return fmt.Errorf("column %q: a text stands alone", c.Name)
		}
	}
	return nil
}

// wrong says what no fit returns; "" if there is nothing.
func (c *column) wrong() string {
	switch {
	case c.Kind != number && c.Kind != category && c.Kind != document:
		return fmt.Sprintf("no kind %q", c.Kind)
	case (c.Kind == category) != (len(c.Categories) > 0), (c.Kind == document) != (c.Vectorizer != nil),
		c.Fill != nil && c.Kind != number, c.Indicator && c.Fill == nil:
		return "what was fitted is not of its kind"
	}
	for k, name := range c.Categories[min(1, len(c.Categories)):] {
		if name <= c.Categories[k] {
			return "the categories do not rise"
		}
	}
	return ""
}
