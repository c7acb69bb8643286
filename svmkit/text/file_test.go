package text_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/svmkit/course/svmkit/text"
)

// A vectorizer that was stored maps documents to the same bits.
func TestVectorizerAsJSON(t *testing.T) {
	for _, opt := range []text.Options{{}, {Sublinear: true}} {
		v, err := text.FitTFIDF([]string{"the cat sat", "the <b>café</b> cat", "don't"}, opt)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		loaded := new(text.Vectorizer)
		if err := json.Unmarshal(stored, loaded); err != nil {
			t.Fatalf("%v: %s", err, stored)
		}
		const doc = "the the the cat don't café dog"
		if got, want := loaded.Transform(doc), v.Transform(doc); len(want.Index) != 4 || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, loaded %v", want, got)
		}
		if !reflect.DeepEqual(loaded, v) {
			t.Errorf("%+v, loaded %+v", v, loaded)
		}
	}
}

func TestVectorizerRefusesOtherJSON(t *testing.T) {
	if _, err := json.Marshal(new(text.Vectorizer)); !errors.Is(err, text.ErrNotVectorizer) {
		t.Errorf("a vectorizer that was not fitted: %v", err)
	}
	v, err := text.FitTFIDF([]string{"a b"}, text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{`{}`, `[]`, `{"terms":["a"],"idf":[]}`, `{"terms":["a","a"],"idf":[1,1]}`, `{"terms":["b","a"],"idf":[1,1]}`,
		`{"terms":[""],"idf":[1]}`, `{"terms":["a"],"idf":[0.5]}`, `{"terms":["a"],"idf":["x"]}`,
		`{"terms":["a"],"terms":["a"],"idf":[1]}`, `{"terms":["a"],"IDF":[1]}`, `{"version":2,"terms":["a"],"idf":[1],"grams":{"unit":"words","min":1,"most":2}}`} {
		if err := json.Unmarshal([]byte(bad), v); !errors.Is(err, text.ErrNotVectorizer) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if v.Dim() != 2 {
		t.Error("what was refused has changed the vectorizer")
	}
}
