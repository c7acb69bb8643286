package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit/internal/strictjson"
)

// ErrNotVectorizer says that a text holds no vectorizer, or a vectorizer that no fit returns.
var ErrNotVectorizer = errors.New("not a vectorizer")

// vectorizerFile is a Vectorizer as JSON; every number is read back bit for bit.
type vectorizerFile struct {
	Version   int       `json:"version,omitempty"` // 0: 1
	Terms     []string  `json:"terms"`
	IDF       []float64 `json:"idf"`
	Sublinear bool      `json:"sublinear,omitempty"`
	Grams     *grams    `json:"grams,omitempty"` // from version 2 on; nil: single words
}

// vectorizerVersion is the version of a file with grams. A file without them has version 1.
const vectorizerVersion = 2

// MarshalJSON returns v as JSON, from which [Vectorizer.UnmarshalJSON] makes a vectorizer that maps
// any document to the same bits. The zero Vectorizer is [ErrNotVectorizer].
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

// UnmarshalJSON reads the JSON of [Vectorizer.MarshalJSON]. Anything else is [ErrNotVectorizer],
// and v then stays as it is.
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
