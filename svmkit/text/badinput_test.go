package text_test

import (
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/text"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 27, badinput.Join(badParameters(), textCases()))
}

// shared is a set that no call may change.
var shared = badinput.Good()

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("FitTFIDF", "MinDocs", badinput.NegativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MinDocs: int(v)}) }),
		badinput.NewKnob("FitTFIDF", "MaxTerms", badinput.NegativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxTerms: int(v)}) }),
		badinput.NewKnob("FitTFIDF", "MaxDocs", badinput.NegativeInt, func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxDocs: int(v)}) }),
		badinput.NewKnob("FitTFIDF", "MinGram", append(badinput.NegativeInt, 33, 1<<60), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MinGram: int(v)}) }),
		badinput.NewKnob("FitTFIDF", "MaxGram", append(badinput.NegativeInt, 33, 1<<60), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{MaxGram: int(v)}) }),
		badinput.NewKnob("FitTFIDF", "Unit", append(badinput.NegativeInt, 3), func(v float64) (any, error) { return text.FitTFIDF([]string{"a"}, text.Options{Unit: text.Unit(v)}) }),
	)
}

func textCases() []badinput.Case {
	fit := func(name string, docs []string, o text.Options, want badinput.Verdict) badinput.Case {
		return badinput.New("FitTFIDF: "+name, docs, func() (any, error) { return text.FitTFIDF(docs, o) }, want)
	}
	v, err := text.FitTFIDF([]string{"a b"}, text.Options{})
	if err != nil {
		panic(err)
	}
	row := func(name, doc string) badinput.Case {
		return badinput.New("Transform: "+name, v, func() (any, error) {
			x := v.Transform(doc)
			s := &svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{1}, Dim: v.Dim()}
			return nil, s.Validate()
		}, badinput.Fine)
	}
	return []badinput.Case{
		fit("nil", nil, text.Options{}, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		fit("empty documents", []string{"", ""}, text.Options{}, badinput.Data(svmkit.ErrNoColumns, badinput.None, badinput.None)),
		fit("signs only", []string{"!?", "\x00\xff"}, text.Options{}, badinput.Data(svmkit.ErrNoColumns, badinput.None, badinput.None)),
		fit("MinDocs beyond all", []string{"a", "b"}, text.Options{MinDocs: 3}, badinput.Data(svmkit.ErrNoColumns, badinput.None, badinput.None)),
		row("empty", ""), row("unknown words", "c d"), row("bytes that are no UTF-8", "\xff\xfea\x80"), row("NUL", "a\x00b"),
		badinput.New("IDF beyond", v, func() (any, error) { return v.IDF(2), nil }, badinput.Panics("index out of range")),
		badinput.New("IDF -1", v, func() (any, error) { return v.IDF(-1), nil }, badinput.Panics("index out of range")),
	}
}
