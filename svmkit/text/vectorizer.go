package text

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/strictjson"
)

// Options selects the terms that become columns, and the weight of their counts. The zero value
// keeps every word and uses plain counts.
type Options struct {
	// MinDocs is the least number of training documents that contain a term, ≥ 0; default 1.
	MinDocs int
	// MaxDocs is the greatest number of training documents that contain a term, ≥ MinDocs; default
	// no limit.
	MaxDocs int

	// MaxTerms is the greatest number of terms, ≥ 0; default no limit. The terms with most
	// occurrences in all training documents together are kept; ties go to the first in the
	// order of their bytes.
	MaxTerms int

	// Sublinear uses 1 + ln tf in place of tf (Manning, Raghavan and Schütze, Introduction to
	// Information Retrieval, section 6.4.1).
	Sublinear bool

	// Unit is the unit of terms. MinGram and MaxGram are the least and the greatest number of units
	// in a term, at most 32. For example, Words with 1 and 2 gives single words and pairs of
	// neighbours. MinGram has the default 1, and MaxGram has the default MinGram.
	Unit             Unit
	MinGram, MaxGram int
}

// Vectorizer maps documents to rows by tf-idf, with the terms that [FitTFIDF] found in the training
// documents.
//
// It is safe for concurrent use. [Vectorizer.MarshalJSON] stores it.
type Vectorizer struct {
	terms     []string       // sorted by bytes; column j is terms[j]
	column    map[string]int // the inverse of terms
	idf       []float64      // one per column, each ≥ 1
	sublinear bool
	grams     grams
}

// FitTFIDF learns terms and their idf (formula in the package's comment) from training documents.
//
// Columns are the terms in the order of their bytes, so the order of docs does not matter.
//
// The error is a [*svmkit.DataError] with svmkit.ErrEmpty for no documents and with
// svmkit.ErrNoColumns if no term is left, and a [*svmkit.ParamError] for an option out of its
// range.
func FitTFIDF(docs []string, opt Options) (*Vectorizer, error) {
	switch {
	case opt.MinDocs < 0:
		return nil, &svmkit.ParamError{Name: "MinDocs", Value: opt.MinDocs, Need: "must not be negative"}
	case opt.MaxTerms < 0:
		return nil, &svmkit.ParamError{Name: "MaxTerms", Value: opt.MaxTerms, Need: "must not be negative"}
	case opt.MaxDocs < 0:
		return nil, &svmkit.ParamError{Name: "MaxDocs", Value: opt.MaxDocs, Need: "must not be negative"}
	case opt.MaxDocs > 0 && opt.MaxDocs < opt.MinDocs:
		return nil, &svmkit.ParamError{Name: "MaxDocs", Value: opt.MaxDocs, Need: "must not be less than MinDocs"}
	case len(docs) == 0:
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	}
	grams, err := opt.grams()
	if err != nil {
		return nil, err
	}
	counts := countTerms(docs, grams)
	terms := opt.choose(counts)
	if len(terms) == 0 {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrNoColumns}
	}
	idf := make([]float64, len(terms))
	for j, term := range terms {
		idf[j] = math.Log(float64(1+len(docs))/float64(1+counts[term].docs)) + 1
	}
	return newVectorizer(terms, idf, opt.Sublinear, grams), nil
}

func newVectorizer(terms []string, idf []float64, sublinear bool, g grams) *Vectorizer {
	v := &Vectorizer{terms: terms, column: make(map[string]int, len(terms)), idf: idf,
		sublinear: sublinear, grams: g}
	for j, term := range terms {
		v.column[term] = j
	}
	return v
}

// termCount is how often one term occurs in the training documents.
type termCount struct {
	docs  int // documents that hold it, 1 … n
	total int // occurrences in all of them, ≥ docs
	// number of the last document that held it: a second occurrence there adds to total only
	last int
}

func countTerms(docs []string, g grams) map[string]*termCount {
	counts := make(map[string]*termCount)
	for i, doc := range docs {
		for term := range g.terms(doc) {
			c := counts[term]
			if c == nil {
				c = &termCount{last: -1}
				counts[term] = c
			}
			c.total++
			if c.last != i {
				c.docs, c.last = c.docs+1, i
			}
		}
	}
	return counts
}

// choose returns the terms that become columns, sorted.
func (o Options) choose(counts map[string]*termCount) []string {
	terms := slices.Sorted(maps.Keys(counts))
	terms = slices.DeleteFunc(terms, func(t string) bool {
		n := counts[t].docs
		return n < o.MinDocs || o.MaxDocs > 0 && n > o.MaxDocs
	})
	if o.MaxTerms > 0 && len(terms) > o.MaxTerms {
		// Stable: equals stay in the order of their bytes.
		slices.SortStableFunc(terms, func(a, b string) int {
			return cmp.Compare(counts[b].total, counts[a].total)
		})
		terms = terms[:o.MaxTerms]
		slices.Sort(terms)
	}
	return slices.Clip(terms)
}

// Dim returns the number of columns, which is the number of terms.
func (v *Vectorizer) Dim() int { return len(v.terms) }

// Terms returns a copy of the terms, column by column. Use them as the Features of a data set.
func (v *Vectorizer) Terms() []string { return slices.Clone(v.terms) }

// Column returns the column of a term. Spell the term as in [Vectorizer.Terms], in lower case.
func (v *Vectorizer) Column(term string) (j int, known bool) {
	j, known = v.column[term]
	return j, known
}

// IDF returns the inverse document frequency of column j, at least 1 and at most
// ln((1 + n)/2) + 1. It panics if there is no such column.
func (v *Vectorizer) IDF(j int) float64 { return v.idf[j] }

// Transform returns doc as a sparse row with v.Dim() columns and Euclidean norm 1. Terms that were
// not in the training documents are ignored. A document without any known term is the zero row.
func (v *Vectorizer) Transform(doc string) svmkit.Row {
	count := make(map[int32]float64)
	for term := range v.grams.terms(doc) {
		if j, known := v.column[term]; known {
			count[int32(j)]++
		}
	}
	// A nil Index would mean a dense row, so it is never nil, not even for the zero row.
	index := slices.AppendSeq(make([]int32, 0, len(count)), maps.Keys(count))
	slices.Sort(index)
	row := svmkit.Row{Index: index, Value: make([]float64, len(index))}
	for k, j := range index {
		tf := count[j]
		if v.sublinear {
			tf = 1 + math.Log(tf)
		}
		row.Value[k] = tf * v.idf[j]
	}
	if norm := row.Norm(); norm > 0 {
		for k := range row.Value {
			row.Value[k] /= norm
		}
	}
	return row
}

// Rows returns one row per document, as [Vectorizer.Transform] does. All rows share one backing
// array.
func (v *Vectorizer) Rows(docs []string) []svmkit.Row {
	rows := make([]svmkit.Row, len(docs))
	nnz := 0
	for i, doc := range docs {
		rows[i] = v.Transform(doc)
		nnz += len(rows[i].Value)
	}
	index, value := make([]int32, 0, nnz), make([]float64, 0, nnz)
	for i, x := range rows {
		from := len(index)
		index, value = append(index, x.Index...), append(value, x.Value...)
		to := len(index)
		rows[i] = svmkit.Row{Index: index[from:to:to], Value: value[from:to:to]}
	}
	return rows
}

// ErrNotVectorizer means that a text holds no vectorizer, or a vectorizer that no fit returns.
var ErrNotVectorizer = errors.New("not a vectorizer")

// vectorizerFile is a Vectorizer as JSON, which is read back bit for bit.
type vectorizerFile struct {
	Version   int       `json:"version,omitempty"` // 0: 1
	Terms     []string  `json:"terms"`
	IDF       []float64 `json:"idf"`
	Sublinear bool      `json:"sublinear,omitempty"`
	Grams     *grams    `json:"grams,omitempty"` // from version 2 on; nil: single words
}

// vectorizerVersion is the version of a file with grams. A file without them has version 1.
const vectorizerVersion = 2

// MarshalJSON returns v as JSON. The zero Vectorizer is [ErrNotVectorizer].
//
// [Vectorizer.UnmarshalJSON] makes a vectorizer of it that maps any document to a bit-identical
// row.
func (v *Vectorizer) MarshalJSON() ([]byte, error) {
	f := vectorizerFile{Terms: v.terms, IDF: v.idf, Sublinear: v.sublinear}
	if v.grams != plain && len(v.terms) > 0 {
		f.Version, f.Grams = vectorizerVersion, &v.grams
	}
	if err := f.validate(); err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads the JSON of [Vectorizer.MarshalJSON]. For anything else the error is
// [ErrNotVectorizer], and v is unchanged.
func (v *Vectorizer) UnmarshalJSON(data []byte) error {
	var f vectorizerFile
	if _, err := strictjson.Object(data, map[string]any{"version": &f.Version, "terms": &f.Terms,
		"idf": &f.IDF, "sublinear": &f.Sublinear, "grams": &f.Grams}); err != nil {
		return fmt.Errorf("%w: %w", ErrNotVectorizer, err)
	}
	if err := f.validate(); err != nil {
		return err
	}
	g := plain
	if f.Grams != nil {
		g = *f.Grams
	}
	*v = *newVectorizer(f.Terms, f.IDF, f.Sublinear, g)
	return nil
}

// UnmarshalJSON reads the terms of a file.
func (g *grams) UnmarshalJSON(data []byte) error {
	_, err := strictjson.Object(data, map[string]any{"unit": &g.Unit, "min": &g.Min, "max": &g.Max})
	return err
}

func (f *vectorizerFile) validate() error {
	switch g := f.Grams; {
	case f.Version < 0 || f.Version > vectorizerVersion:
		return fmt.Errorf("%w: version %d, and this program reads up to %d",
			ErrNotVectorizer, f.Version, vectorizerVersion)
	case g != nil && (f.Version < 2 || g.Min < 1 || g.Max < g.Min || g.Max > mostGram):
		return fmt.Errorf("%w: grams from %d to %d in version %d",
			ErrNotVectorizer, g.Min, g.Max, f.Version)
	}
	if len(f.Terms) == 0 || len(f.IDF) != len(f.Terms) {
		return fmt.Errorf("%w: %d terms and %d idf", ErrNotVectorizer, len(f.Terms), len(f.IDF))
	}
	for j, term := range f.Terms {
		switch {
		case term == "" || j > 0 && term <= f.Terms[j-1]:
			return fmt.Errorf("%w: the terms do not rise strictly at %q", ErrNotVectorizer, term)
		case !(f.IDF[j] >= 1 && f.IDF[j] <= math.MaxFloat64):
			return fmt.Errorf("%w: idf %g of %q", ErrNotVectorizer, f.IDF[j], term)
		}
	}
	return nil
}
