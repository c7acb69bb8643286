package strictjson_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/internal/strictjson"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

type holder struct {
	name   string
	values []float64
	count  int
	on     bool
}

func (h *holder) read(text string) (int, error) {
	return strictjson.Object([]byte(text), map[string]any{"name": &h.name, "values": &h.values, "count": &h.count, "on": &h.on})
}

func TestObject(t *testing.T) {
	var h holder
	if _, err := h.read(` {"values": [1, -0.5], "name": "null", "on": true, "count": 3} `); err != nil || h.name != "null" || !slices.Equal(h.values, []float64{1, -0.5}) || h.count != 3 || !h.on {
		t.Errorf("%+v, %v", h, err)
	}
	for text, want := range map[string]string{
		`{"values": [1], "extra": 1}`:   `no key "extra" is known`,
		`{"Name": "a"}`:                 `no key "Name" is known`,
		`{"name": "a", "name": "b"}`:    `the key "name" stands twice`,
		`{"name": null}`:                "name: null is no value",
		`{"values": [1, null]}`:         "values: null is no value",
		`{"values": ["1"]}`:             "values: must be a finite number, not a text",
		`{"values": 1}`:                 "values: must be a list, not a number",
		`{"values": [1e999]}`:           "values: must be a finite number, not 1e999",
		`{"count": 1.5}`:                "count: must be a whole number, not 1.5",
		`{"name": {"a": 1}}`:            "name: must be a text, not an object",
		`{"on": "yes"}`:                 "on: must be true or false, not a text",
		`[]`:                            "not an object in braces",
		`null`:                          "not an object in braces",
		`{"count": 1} {}`:               "it should end here",
		`{"count": 1`:                   io.ErrUnexpectedEOF.Error(),
		``:                              io.ErrUnexpectedEOF.Error(),
		`{"count": x}`:                  "invalid character 'x'",
		`{"count": 1, "values": [true]`: "values: must be a finite number, not true or false",
	} {
		at, err := new(holder).read(text)
		if err == nil || !strings.Contains(err.Error(), want) || at < 0 || at > len(text) {
			t.Errorf("%s: place %d, %v", text, at, err)
		}
	}
	if at, _ := new(holder).read(`{"name": "a", "extra": 1}`); at != len(`{"name": "a", "extra"`) {
		t.Errorf("place %d", at)
	}
}
