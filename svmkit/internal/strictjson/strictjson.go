// Package strictjson reads JSON in which everything has a meaning. Unknown keys, keys in another
// spelling, repeated keys and null are errors.
package strictjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// A KeyError says which key of an object is wrong.
type KeyError struct {
	Key string
	Err error
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// Object reads one JSON object from data and stores the value of each key where known points to. A
// key may be missing. With an error it also returns the place of the error in data, or a place near
// it. An object that ends too early is [io.ErrUnexpectedEOF].
func Object(data []byte, known map[string]any) (at int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	wrong := func(err error) (int, error) {
		at := int(dec.InputOffset())
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = max(at, int(syntax.Offset)-1)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return len(data), io.ErrUnexpectedEOF
		}
		return min(at, len(data)), err
	}
	if brace, err := dec.Token(); err != nil {
		return wrong(err)
	} else if brace != json.Delim('{') {
		return wrong(errors.New("not an object in braces"))
	}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return wrong(err)
		}
		key := token.(string) // the decoder accepts nothing else
		target, is := known[key]
		switch {
		case !is:
			return wrong(fmt.Errorf("no key %q is known", key))
		case seen[key]:
			return wrong(fmt.Errorf("the key %q stands twice", key))
		}
		seen[key] = true
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return wrong(err)
		}
		if hasNull(value) {
			return wrong(&KeyError{Key: key, Err: errors.New("null is no value")})
		}
		if err := json.Unmarshal(value, target); err != nil {
			return wrong(&KeyError{Key: key, Err: inWords(err)})
		}
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		return wrong(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return wrong(errors.New("it should end here"))
	}
	return 0, nil
}

// hasNull reports whether a value contains null.
func hasNull(value []byte) bool {
	if !bytes.Contains(value, []byte("null")) {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	for {
		token, err := dec.Token()
		if err != nil || token == nil {
			return err == nil
		}
	}
}

// inWords says what a value should be, without the names of Go's types.
func inWords(err error) error {
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) {
		return err
	}
	want := map[reflect.Kind]string{reflect.Bool: "true or false",
		reflect.Float64: "a finite number", reflect.Int: "a whole number",
		reflect.String: "a text", reflect.Slice: "a list"}[wrong.Type.Kind()]
	if reflect.PointerTo(wrong.Type).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		want = "a text"
	}
	is, known := map[string]string{"bool": "true or false", "number": "a number",
		"string": "a text", "array": "a list", "object": "an object"}[wrong.Value]
	if !known {
		is = strings.TrimPrefix(wrong.Value, "number ")
	}
	return fmt.Errorf("must be %s, not %s", want, is)
}
