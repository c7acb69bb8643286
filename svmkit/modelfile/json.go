package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/strictjson"
	"github.com/svmkit/course/svmkit/modelfile/internal/scikitlearn"
)

// An object receives the contents of a file of one JSON object.
type object interface {
	// Keys returns where to store the value of each key of the file except "format".
	Keys() map[string]any
	// Model returns the model of the stored values. An error about one key is a
	// [*strictjson.KeyError].
	Model() (svmkit.Model, error)
}

// jsonFormats is the table of the formats that are one JSON object. The value of its first key,
// "format", is the name and the version.
var jsonFormats = []struct {
	owner, name, version string
	new                  func() object
}{
	{"save_for_go.py", "svmkit scikit-learn", "1", func() object { return &scikitlearn.Object{} }},
}

// readJSON reads a model of one of the jsonFormats.
func readJSON(r io.Reader) (svmkit.Model, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	m, at, err := modelOf(data)
	if err == nil {
		return m, nil
	}
	before := data[:at]
	return nil, &ParseError{Line: bytes.Count(before, []byte("\n")) + 1,
		Column: at - bytes.LastIndexByte(before, '\n'), Err: err}
}

// modelOf returns the model that data holds. With an error it also returns the place of the error.
func modelOf(data []byte) (m svmkit.Model, at int, err error) {
	o, format, at, err := objectOf(data)
	if err != nil {
		return nil, at, err
	}
	keys := o.Keys()
	keys["format"] = &format
	if at, err := strictjson.Object(data, keys); err != nil {
		return nil, at, wrongJSON(err)
	}
	if m, err = o.Model(); err == nil {
		m, err = withSortedClasses(m)
	}
	if wrong := (*strictjson.KeyError)(nil); errors.As(err, &wrong) {
		at = max(0, bytes.Index(data, []byte(`"`+wrong.Key+`"`)))
	}
	return m, at, err
}

// objectOf returns an empty object of the format that the first key of data names.
func objectOf(data []byte) (o object, format string, at int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.Token() // the brace; strictjson reports errors in it and everything below
	if key, err := dec.Token(); err == nil && key != "format" {
		return nil, "", 0, ErrNotModel
	}
	if err := dec.Decode(&format); err != nil {
		if at, err := strictjson.Object(data, map[string]any{"format": &format}); err != nil {
			return nil, "", at, wrongJSON(err)
		}
	}
	at = int(dec.InputOffset())
	for _, f := range jsonFormats {
		switch version, is := strings.CutPrefix(format, f.name+" "); {
		case !is:
		case version != f.version:
			return nil, "", at, ErrVersion
		default:
			return f.new(), format, 0, nil
		}
	}
	return nil, "", at, ErrNotModel
}

// wrongJSON returns the error for a text that strictjson refuses.
func wrongJSON(err error) error {
	if err == io.ErrUnexpectedEOF {
		return ErrTruncated
	}
	return fmt.Errorf("%w, %w", ErrMalformed, err)
}
