package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/tune"
)

// savePipeline writes a pipeline: its encoder, its scaling or null, and its model.
func savePipeline(w io.Writer, m *pipeline.Model) error {
	if m == nil || m.Encoder() == nil {
		return &svmkit.ParamError{Name: "Model", Value: nil, Need: "must come from Fit or Load"}
	}
	scaling, model := tune.Unscaled(m.Model)
	var out bytes.Buffer
	out.WriteString("svmkit pipeline 1\n")
	columns, err := json.Marshal(m.Encoder())
	if err != nil {
		return err
	}
	out.Write(append(columns, '\n'))
	if scaling == nil {
		out.WriteString("null\n")
	} else if err := feature.Save(&out, scaling); err != nil {
		return err
	}
	if err := saveModel(&out, model); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// readPipeline reads a pipeline from the rest of its first line, after "svmkit pipeline", to its end.
func readPipeline(t *text) (*pipeline.Model, error) {
	if err := t.version(); err != nil {
		return nil, err
	}
	malformed := func(err error) error { return t.errorAt(0, "", fmt.Errorf("%w: %w", ErrMalformed, err)) }
	if err := t.nextLine(); err != nil {
		return nil, err
	}
	e := &pipeline.Encoder{}
	if err := e.UnmarshalJSON([]byte(t.current)); err != nil {
		return nil, malformed(err)
	}
	if err := t.nextLine(); err != nil {
		return nil, err
	}
	var scaling *feature.Scaling
	if t.current != "null" {
		var err error
		if scaling, err = feature.Load(strings.NewReader(t.current)); err != nil {
			return nil, malformed(err)
		}
		if !e.Makes(scaling.Columns()) {
			return nil, malformed(errors.New("the scaling is of other columns"))
		}
	}
	if err := t.nextLine(); err != nil {
		return nil, err
	}
	first := t.line
	m, err := t.model(true)
	if err != nil {
		return nil, err
	}
	if !e.Makes(m.Columns()) {
		return nil, &ParseError{Line: first, Err: fmt.Errorf("%w, the model is of other columns", ErrMalformed)}
	}
	return pipeline.NewModel(e, tune.NewScaled(scaling, m)), nil
}
