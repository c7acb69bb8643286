package text

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// countsOf returns the terms of a document and how often each occurs: of one document all idf are
// 1, so the numbers of its row are proportional to the counts, of which the least is 1.
func countsOf(t *testing.T, doc string, o Options) map[string]float64 {
	t.Helper()
	v := mustFit(t, []string{doc}, o)
	x, counts := v.Transform(doc), map[string]float64{}
	for k, j := range x.Index {
		counts[v.Terms()[j]] = x.Value[k] / slices.Min(x.Value)
	}
	return counts
}

// By hand; the two of [fox] and [words] stand in scikit-learn's user guide.
func TestGramsByHand(t *testing.T) {
	for _, c := range []struct {
		doc  string
		opt  Options
		want map[string]float64
	}{
		{"To be or not to be!", Options{MaxGram: 2}, map[string]float64{"to": 2, "be": 2, "or": 1, "not": 1, "to be": 2, "be or": 1, "or not": 1, "not to": 1}},
		{"to be or not", Options{MinGram: 3}, map[string]float64{"to be or": 1, "be or not": 1}},
		{"jumpy fox", Options{Unit: CharactersInWords, MinGram: 5, MaxGram: 5}, map[string]float64{" fox ": 1, " jump": 1, "jumpy": 1, "umpy ": 1}},
		{"jumpy fox", Options{Unit: Characters, MinGram: 5, MaxGram: 5}, map[string]float64{"jumpy": 1, "umpy ": 1, "mpy f": 1, "py fo": 1, "y fox": 1}},
		{"words", Options{Unit: CharactersInWords, MinGram: 2, MaxGram: 2}, map[string]float64{" w": 1, "wo": 1, "or": 1, "rd": 1, "ds": 1, "s ": 1}},
		{"A a b", Options{Unit: CharactersInWords, MinGram: 2, MaxGram: 4}, map[string]float64{" a": 2, "a ": 2, " a ": 2, " b": 1, "b ": 1, " b ": 1}},
		{"I saw", Options{Unit: CharactersInWords, MinGram: 4, MaxGram: 6}, map[string]float64{" i ": 1, " saw": 1, "saw ": 1, " saw ": 1}}, // a short word once
		{" Ää,\t\n ä ", Options{Unit: Characters, MaxGram: 2}, map[string]float64{"ä": 3, ",": 1, " ": 1, "ää": 1, "ä,": 1, ", ": 1, " ä": 1}},
	} {
		got := countsOf(t, c.doc, c.opt)
		if len(got) != len(c.want) {
			t.Errorf("%q, %+v: %v, want %v", c.doc, c.opt, got, c.want)
		}
		for term, n := range c.want {
			if !(math.Abs(got[term]-n) <= tol) {
				t.Errorf("%q, %+v: %q %g times, want %g", c.doc, c.opt, term, got[term], n)
			}
		}
	}
}

// MaxDocs leaves out what is in too many documents.
func TestMaxDocs(t *testing.T) {
	if got, want := mustFit(t, threeDocs, Options{MaxDocs: 2}).Terms(), []string{"frost", "rain", "wind"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGramsRefused(t *testing.T) {
	for name, o := range map[string]Options{"MinGram": {MinGram: -1}, "MaxGram": {MinGram: 3, MaxGram: 2}, "Unit": {Unit: 3}, "MaxDocs": {MinDocs: 3, MaxDocs: 2}} {
		var wrong *svmkit.ParamError
		if v, err := FitTFIDF(threeDocs, o); !errors.As(err, &wrong) || wrong.Name != name || v != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"MinGram", "MaxGram"} {
		o := Options{MinGram: mostGram + 1}
		if name == "MaxGram" {
			o = Options{MaxGram: mostGram + 1}
		}
		var wrong *svmkit.ParamError
		if _, err := FitTFIDF(threeDocs, o); !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A vectorizer of n-grams is read back with the same bits; one of words is written as ever; what no
// fit returns is refused.
func TestGramsAsJSON(t *testing.T) {
	const doc = "frost, and wind in the rain"
	for _, o := range []Options{{MaxGram: 2}, {Unit: Characters, MinGram: 1, MaxGram: 3, Sublinear: true}, {Unit: CharactersInWords, MinGram: 2, MaxGram: 4}, {MinGram: 1, MaxGram: 1}} {
		v, back := mustFit(t, threeDocs, o), &Vectorizer{}
		data, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(data, back)
		}
		if err != nil {
			t.Fatal(err)
		}
		a, b := v.Transform(doc), back.Transform(doc)
		if !slices.Equal(a.Index, b.Index) || !slices.Equal(a.Value, b.Value) || len(a.Index) == 0 {
			t.Errorf("%+v: %v, read back %v", o, a, b)
		}
	}
	const terms = `"terms":["a"],"idf":[1]`
	for _, bad := range []string{`{"version":3,` + terms + `}`, `{"version":-1,` + terms + `}`, `{` + terms + `,"grams":{"unit":"words","min":1,"max":2}}`,
		`{"version":2,` + terms + `,"grams":{"unit":"syllables","min":1,"max":2}}`, `{"version":2,` + terms + `,"grams":{"unit":"words","min":0,"max":2}}`,
		`{"version":2,` + terms + `,"grams":{"unit":"words","min":2,"max":1}}`, `{"version":2,` + terms + `,"grams":{"unit":"words","min":1,"max":33}}`} {
		if err := new(Vectorizer).UnmarshalJSON([]byte(bad)); !errors.Is(err, ErrNotVectorizer) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	old := &Vectorizer{}
	if err := json.Unmarshal([]byte(`{`+terms+`}`), old); err != nil || old.Transform("A b").Norm() != 1 {
		t.Errorf("a file of version 1: %v", err)
	}
}

// Reading on after a first term is up to the caller.
func TestGramsStop(t *testing.T) {
	for _, g := range []grams{{Words, 1, 2}, {Characters, 1, 2}, {CharactersInWords, 1, 2}, {CharactersInWords, 9, 9}} {
		n := 0
		for range g.terms("a b c") {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%+v: %d terms", g, n)
		}
	}
}
