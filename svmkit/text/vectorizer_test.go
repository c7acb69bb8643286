package text

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// tol allows a few roundings of numbers near 1; the formulas have no cancellation.
const tol = 1e-14

var threeDocs = []string{"sun rain", "Sun wind, wind!", "sun frost"}

func mustFit(t testing.TB, docs []string, opt Options) *Vectorizer {
	t.Helper()
	v, err := FitTFIDF(docs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// By hand: n = 3, df(sun) = 3, df of the others = 1.
func TestIDFByHand(t *testing.T) {
	v := mustFit(t, threeDocs, Options{})
	if want := []string{"frost", "rain", "sun", "wind"}; !slices.Equal(v.Terms(), want) {
		t.Fatalf("terms %q, want %q", v.Terms(), want)
	}
	rare := math.Ln2 + 1 // ln((1+3)/(1+1)) + 1; "wind" twice in one document counts once
	for j, want := range []float64{rare, rare, 1, rare} {
		if math.Abs(v.IDF(j)-want) > tol {
			t.Errorf("idf of %q = %v, want %v", v.Terms()[j], v.IDF(j), want)
		}
	}
}

func TestTransformByHand(t *testing.T) {
	rare := math.Ln2 + 1
	for _, c := range []struct {
		name  string
		opt   Options
		doc   string
		index []int32
		x     []float64 // before the division by its norm
	}{
		{"counts", Options{}, "sun wind wind", []int32{2, 3}, []float64{1, 2 * rare}},
		{"sublinear", Options{Sublinear: true}, "sun wind wind", []int32{2, 3}, []float64{1, (1 + math.Ln2) * rare}},
		{"order and case do not matter", Options{}, "WIND sun Wind", []int32{2, 3}, []float64{1, 2 * rare}},
		{"unknown terms are ignored", Options{}, "sun snow snow", []int32{2}, []float64{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustFit(t, threeDocs, c.opt).Transform(c.doc)
			if !slices.Equal(got.Index, c.index) {
				t.Fatalf("columns %v, want %v", got.Index, c.index)
			}
			norm := svmkit.Dense(c.x...).Norm()
			for k, x := range c.x {
				if math.Abs(got.Value[k]-x/norm) > tol {
					t.Errorf("column %d: %v, want %v", c.index[k], got.Value[k], x/norm)
				}
			}
		})
	}
}

func TestZeroRow(t *testing.T) {
	v := mustFit(t, threeDocs, Options{})
	rows := append(v.Rows([]string{"", "snow?", "sun"}), v.Transform(""), v.Transform("..."))
	for i, x := range rows {
		if want := float64(0); i != 2 && (x.Norm() != want || x.Index == nil) {
			t.Errorf("row %d = %+v, want the sparse zero row", i, x)
		}
	}
	set := &svmkit.Dataset{X: rows, Y: make([]float64, len(rows)), Dim: v.Dim(), Features: v.Terms()}
	if err := set.Validate(); err != nil {
		t.Errorf("a dataset with zero rows: %v", err)
	}
}

// Rows of random documents: unit norm, valid, the same by Rows as by Transform, and not
// changed by the order of the training documents.
func TestRandomDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	docs := make([]string, 200)
	for i := range docs {
		words := make([]string, 1+rng.IntN(30))
		for k := range words {
			words[k] = fmt.Sprint("w", int(60*math.Pow(rng.Float64(), 3))) // few words are frequent, as in a language
		}
		docs[i] = strings.Join(words, " ")
	}
	shuffled := slices.Clone(docs)
	rng.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })

	for _, opt := range []Options{{}, {Sublinear: true}, {MinDocs: 5}, {MaxTerms: 10}, {MinDocs: 3, MaxTerms: 20}} {
		v := mustFit(t, docs, opt)
		if other := mustFit(t, shuffled, opt); !reflect.DeepEqual(v, other) {
			t.Errorf("%+v: another order of the documents gives another vectoriser", opt)
		}
		rows := v.Rows(docs)
		for i, x := range rows {
			if len(x.Index) > 0 && math.Abs(x.Norm()-1) > tol {
				t.Errorf("%+v: ‖x‖ = %v of %q", opt, x.Norm(), docs[i])
			}
			if !reflect.DeepEqual(x, v.Transform(docs[i])) {
				t.Errorf("%+v: Rows and Transform differ on %q", opt, docs[i])
			}
		}
		set := &svmkit.Dataset{X: rows, Y: make([]float64, len(rows)), Dim: v.Dim(), Features: v.Terms()}
		if err := set.Validate(); err != nil {
			t.Errorf("%+v: %v", opt, err)
		}
		for j, term := range v.Terms() {
			if k, known := v.Column(term); k != j || !known {
				t.Errorf("%+v: Column(%q) = %d, %v, want %d", opt, term, k, known, j)
			}
		}
	}
}

// Transforming must not teach the vectoriser anything.
func TestVocabularyFromTrainingOnly(t *testing.T) {
	v, fresh := mustFit(t, threeDocs, Options{}), mustFit(t, threeDocs, Options{})
	v.Transform("snow sun snow")
	v.Rows([]string{"hail", "rain rain"})
	v.Terms()[0] = "spoilt" // a copy
	if !reflect.DeepEqual(v, fresh) {
		t.Errorf("vectoriser changed: %q", v.Terms())
	}
	if j, known := v.Column("snow"); known {
		t.Errorf("snow is in no training document and has column %d", j)
	}
}

func TestOptionsChooseTerms(t *testing.T) {
	// Occurrences (documents): a 1 (1), b 3 (1), c 2 (2), d 2 (2), e 3 (3).
	docs := []string{"b b b c d e", "a c d e", "e"}
	for _, c := range []struct {
		opt  Options
		want []string
	}{
		{Options{}, []string{"a", "b", "c", "d", "e"}},
		{Options{MinDocs: 1}, []string{"a", "b", "c", "d", "e"}},
		{Options{MinDocs: 2}, []string{"c", "d", "e"}}, // b is frequent, but in one document
		{Options{MinDocs: 3}, []string{"e"}},
		{Options{MaxTerms: 2}, []string{"b", "e"}},
		{Options{MaxTerms: 3}, []string{"b", "c", "e"}}, // c and d are equal: the alphabet
		{Options{MaxTerms: 9}, []string{"a", "b", "c", "d", "e"}},
		{Options{MinDocs: 2, MaxTerms: 2}, []string{"c", "e"}},
		{Options{MaxDocs: 1}, []string{"a", "b"}},
		{Options{MaxDocs: 2}, []string{"a", "b", "c", "d"}},
		{Options{MinDocs: 2, MaxDocs: 2}, []string{"c", "d"}}, // both limits are kept
	} {
		if got := mustFit(t, docs, c.opt).Terms(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.opt, got, c.want)
		}
	}
}

func TestFitErrors(t *testing.T) {
	var param *svmkit.ParamError
	for _, c := range []struct {
		docs []string
		opt  Options
		want error
		name string // of the parameter, if that is at fault
	}{
		{nil, Options{}, svmkit.ErrEmpty, ""},
		{[]string{"", "?!"}, Options{}, svmkit.ErrNoColumns, ""},
		{threeDocs, Options{MinDocs: 4}, svmkit.ErrNoColumns, ""},
		{threeDocs, Options{MinDocs: -1}, nil, "MinDocs"},
		{threeDocs, Options{MaxTerms: -1}, nil, "MaxTerms"},
	} {
		v, err := FitTFIDF(c.docs, c.opt)
		if v != nil || err == nil {
			t.Errorf("%q, %+v: no error", c.docs, c.opt)
		} else if c.name != "" && (!errors.As(err, &param) || param.Name != c.name) {
			t.Errorf("%+v: %v, want a ParamError for %s", c.opt, err, c.name)
		} else if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%q, %+v: %v, want %v", c.docs, c.opt, err, c.want)
		}
	}
}

// Rows share an array, but a row that is made longer leaves the next as it was.
func TestRowsGrowAlone(t *testing.T) {
	docs := []string{"rain", "rain wind"}
	rows := mustFit(t, docs, Options{}).Rows(docs)
	want := slices.Clone(rows[1].Value)
	if _, _ = append(rows[0].Value, 7), append(rows[0].Index, 7); !slices.Equal(rows[1].Value, want) || !slices.Equal(rows[1].Index, []int32{0, 1}) {
		t.Errorf("%v, want %g", rows[1], want)
	}
}
