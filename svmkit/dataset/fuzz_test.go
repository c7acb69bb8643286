package dataset_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// checkFuzzed asserts what holds for any text: an error that names a place, or a valid set
// that does not depend on how the text arrives and that survives being written.
func checkFuzzed(t *testing.T, f format, write func(*strings.Builder, *svmkit.Dataset) error, again func(string, *svmkit.Dataset) (*svmkit.Dataset, error)) {
	set, err := f.read(strings.NewReader(f.text))
	slow, slowErr := f.read(iotest.OneByteReader(strings.NewReader(f.text)))
	if (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
		t.Fatalf("%v, but byte by byte %v", err, slowErr)
	}
	if err != nil {
		var e *dataset.ParseError
		if !errors.As(err, &e) || e.Err == nil || e.Line < 0 || e.Column < 0 || e.Line > strings.Count(f.text, "\n")+1 {
			// gzip by accident fails in its own lines
			if !strings.HasPrefix(f.text, "\x1f\x8b") {
				t.Fatalf("error %#v", err)
			}
		}
		return
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	if !equal(set, slow) {
		t.Fatal("byte by byte gives another set")
	}
	var text strings.Builder
	if err := write(&text, set); errors.Is(err, dataset.ErrUnwritable) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	back, err := again(text.String(), set)
	if err != nil || !equal(set, back) {
		t.Fatalf("after a round trip: %v\n%q\n%+v\n%+v", err, text.String(), set, back)
	}
}

func FuzzReadLIBSVM(f *testing.F) {
	for _, c := range libsvmErrors {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	_, text := sample(3, 3)
	f.Add(text)
	f.Add(string(zipped(text)))
	f.Fuzz(func(t *testing.T, text string) {
		read := formats(0, 0)[1]
		read.text = text
		checkFuzzed(t, read, func(w *strings.Builder, s *svmkit.Dataset) error { return dataset.WriteLIBSVM(w, s) },
			func(text string, s *svmkit.Dataset) (*svmkit.Dataset, error) {
				return dataset.ReadLIBSVM(strings.NewReader(text), &dataset.LIBSVM{Dim: s.Dim, Labels: labelsOf(s)})
			})
	})
}

func FuzzReadCSV(f *testing.F) {
	for _, c := range csvErrors {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	text, _ := sample(3, 3)
	f.Add(text)
	f.Add(string(zipped(text)))
	f.Add("a;\"b\";c\n1;\"2\";x\n3;4;\"y\"\"\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		read := formats(0, 0)[0]
		read.text = text
		checkFuzzed(t, read, func(w *strings.Builder, s *svmkit.Dataset) error { return dataset.WriteCSV(w, s) },
			func(text string, s *svmkit.Dataset) (*svmkit.Dataset, error) {
				header := dataset.HeaderNo
				if s.Features != nil {
					header = dataset.HeaderYes
				}
				return dataset.ReadCSV(strings.NewReader(text), &dataset.CSV{Comma: ',', Header: header, Labels: labelsOf(s)})
			})
	})
}
