package modelfile_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// What loading may allocate: the reader's buffer; for each byte of text its share of numbers,
// rows and the slices that they grow through; and the w of a linear model of LIBSVM's, which is
// short or in proportion to the numbers in the file.
const (
	loadFixed   = 64 << 10
	loadPerByte = 400
	loadSummed  = 9 << 20
)

// checkLoad asserts what holds for any text: a *ParseError that names a place inside of it, or a
// model that Save writes and Load reads back to the same text; the same for other ends of lines;
// no model for a text that is cut off; memory in proportion to the text. It returns the model, nil
// if there is none or a very long one.
func checkLoad(t *testing.T, text []byte, cut uint) svmkit.Model {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	loaded, err := modelfile.Load(bytes.NewReader(text))
	runtime.ReadMemStats(&after)
	most := uint64(loadFixed + loadPerByte*len(text))
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("svm_type")) {
		most += loadSummed + 64*loadPerByte*uint64(bytes.Count(text, []byte(":")))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > most {
		t.Fatalf("%d bytes allocated for a text of %d", used, len(text))
	}
	if err != nil {
		if loaded != nil {
			t.Fatalf("a model beside the error %v", err)
		}
		checkLoadPlace(t, text, err)
		return nil
	}
	if c := loaded.Columns(); c.Dim > 1<<14 && bytes.Count(text, []byte("\n")) < c.Dim {
		return nil // to write a million weights again and again takes the fuzzer's time
	}
	once := savedBy(t, loaded)
	again, err := modelfile.Load(bytes.NewReader(once))
	if err != nil {
		t.Fatalf("%v\n%s", err, once)
	}
	if twice := savedBy(t, again); !bytes.Equal(once, twice) {
		t.Fatalf("%s\nthen\n%s", once, twice)
	}
	if !bytes.Contains(text, []byte("\r")) {
		other, err := modelfile.Load(bytes.NewReader(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))))
		if err != nil || !bytes.Equal(savedBy(t, other), once) {
			t.Fatalf("with CRLF: %v", err)
		}
	}
	// What is cut off within the last line that is not blank is no model.
	end := uint(len(bytes.TrimRight(text, " \t\r\n")))
	for _, n := range []uint{end, cut % (end + 1)} {
		if other, err := modelfile.Load(bytes.NewReader(text[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes are a model: %v", n, len(text), other)
		}
	}
	x := svmkit.Row{Index: []int32{0}, Value: []float64{1}}
	if m, single := loaded.(*svm.Model); single {
		m.Score(x)
	} else {
		loaded.(multiclass.Classifier).ClassScores(x)
	}
	return loaded
}

func checkLoadPlace(t *testing.T, text []byte, err error) {
	var e *modelfile.ParseError
	if !errors.As(err, &e) || e.Err == nil || len(e.Text) > 50 {
		t.Fatalf("error %#v", err)
	}
	lines := bytes.Split(text, []byte("\n"))
	if e.Line < 1 || e.Line > len(lines) || e.Column < 0 || e.Column > len(lines[e.Line-1])+1 {
		t.Fatalf("%v is no place in %d lines", err, len(lines))
	}
}

func savedBy(t testing.TB, m svmkit.Model) []byte {
	var b bytes.Buffer
	if err := modelfile.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checkForeign asserts that a model that the format can hold comes back from it as it was: the same
// text again, the same classes and the same score.
func checkForeign(t *testing.T, m svmkit.Model, save func(svmkit.Model, io.Writer) error) {
	var once bytes.Buffer
	var parameter *svmkit.ParamError
	if err := save(m, &once); errors.As(err, &parameter) {
		return // another kernel, or names that are no integers
	} else if err != nil {
		t.Fatal(err)
	}
	load := func(text []byte) svmkit.Model {
		m, err := modelfile.Load(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return m
	}
	back := load(once.Bytes())
	// A linear model without vectors comes back with w = 0, which is written as a vector; from then on
	// nothing changes any more. The vectors of several classes find their order.
	var twice, thrice bytes.Buffer
	if err := save(back, &twice); err != nil {
		t.Fatal(err)
	}
	one, single := m.(*svm.Model)
	if err := save(load(twice.Bytes()), &thrice); err != nil || !bytes.Equal(twice.Bytes(), thrice.Bytes()) ||
		single && len(one.SV) > 0 && !bytes.Equal(once.Bytes(), twice.Bytes()) {
		t.Fatalf("%v: %s\nthen\n%s\nthen\n%s", err, once.String(), twice.String(), thrice.String())
	}
	if again, _ := back.(*svm.Model); single && (one.Regression != again.Regression || one.Bias != again.Bias) {
		t.Fatalf("%v became %v", one, again)
	}
}

func saveLIBSVM(m svmkit.Model, w io.Writer) error { return modelfile.SaveLIBSVM(w, m) }

func saveLIBLINEAR(m svmkit.Model, w io.Writer) error {
	switch m := m.(type) {
	case *svm.Model:
		if m.Regression {
			return modelfile.SaveLIBLINEAR(w, m, loss.EpsInsensitive{})
		}
		if m.Platt != nil { // what the loader has made of a logistic regression
			return modelfile.SaveLIBLINEAR(w, m, loss.Logistic{})
		}
	}
	return modelfile.SaveLIBLINEAR(w, m, loss.Hinge{})
}

// loadWords are what the formats are made of, and what they do not hold.
var loadWords = strings.Fields(`svmkit model 1 2 task classification regression dim kernel linear polynomial rbf sigmoid laplacian degree gamma coef0
	bias platt weights vectors end class "a" "b\"" - free bound 1:1 3:-0.5 0:1 2147483647:1 2147483648:1 1:nan 0 -0 3 0.1 -7 1e-320 1e308 1e999 nan inf
	0x1p3 2147483647 -1 svm_type c_svc nu_svc epsilon_svr one_class kernel_type precomputed nr_class total_sv rho label probA probB nr_sv SV
	prob_density_marks solver_type L2R_LR MCSVM_CS L2R_L2LOSS_SVR L1R_LR nr_feature w`)

// edited changes lines and words of a text as the edits say, three bytes each. A fuzzer that changes
// single bytes hardly ever gets past the first lines of a strict format; the format's own words do.
func edited(text, edits []byte) []byte {
	const most = 12 // more make nonsense
	for edits = edits[:min(len(edits), 3*most)]; len(edits) >= 3; edits = edits[3:] {
		lines := bytes.SplitAfter(text, []byte("\n"))
		i, word := int(edits[1])%len(lines), loadWords[int(edits[2])%len(loadWords)]
		switch edits[0] % 6 {
		case 0:
			lines = slices.Delete(lines, i, i+1)
		case 1:
			lines = slices.Insert(lines, i, lines[i])
		case 2:
			j := int(edits[2]) % len(lines)
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			lines = slices.Insert(lines, i, []byte(word+" "))
		default: // one of the line's words
			words := bytes.SplitAfter(lines[i], []byte(" "))
			k := int(edits[0]/6) % len(words)
			end := words[k][len(bytes.TrimRight(words[k], " \r\n")):]
			words[k] = append([]byte(word), end...)
			lines[i] = bytes.Join(words, nil)
		}
		text = bytes.Join(lines, nil)
	}
	return text
}

// FuzzLoad begins with our own files of every kernel, with and without names, probabilities and
// support vectors.
func FuzzLoad(f *testing.F) {
	for _, m := range savedModels() {
		text := savedBy(f, m)
		f.Add(text, []byte(nil), uint(len(text)/2))
	}
	for _, c := range classifiers() {
		text := savedBy(f, c)
		f.Add(text, []byte(nil), uint(len(text)/2))
	}
	f.Add([]byte(ownLinear), []byte(nil), uint(40))
	f.Add([]byte(strings.ReplaceAll(ownRBF, "\n", "\r\n")), []byte(nil), uint(90))
	f.Fuzz(func(t *testing.T, text, edits []byte, cut uint) {
		if m := checkLoad(t, edited(text, edits), cut); m != nil {
			checkForeign(t, m, saveLIBSVM)
			checkForeign(t, m, saveLIBLINEAR)
		}
	})
}

// FuzzLoadLIBSVM puts the head that makes a text one of LIBSVM's before it.
func FuzzLoadLIBSVM(f *testing.F) {
	f.Add([]byte(strings.TrimPrefix(libsvmSVC, "svm_type ")), []byte(nil), uint(60))
	f.Add([]byte(strings.TrimPrefix(libsvmThree, "svm_type ")), []byte(nil), uint(60))
	f.Add([]byte("one_class\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0.5\nSV\n1 1:1 \n0.5 2:1 \n"), []byte(nil), uint(60))
	f.Add([]byte(strings.TrimPrefix(strings.Replace(libsvmThree, "rbf\ngamma 0.5", "linear", 1), "svm_type ")), []byte(nil), uint(60))
	for _, m := range savedModels() {
		var b bytes.Buffer
		if saveLIBSVM(m, &b) == nil {
			f.Add(bytes.TrimPrefix(b.Bytes(), []byte("svm_type ")), []byte(nil), uint(b.Len()/2))
		}
	}
	f.Add([]byte("nu_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 0 1\nprobA 1\nprobB -2\nnr_sv 1 0\nSV\n1 1048577:1\n"), []byte(nil), uint(9))
	f.Fuzz(func(t *testing.T, text, edits []byte, cut uint) {
		if m := checkLoad(t, append([]byte("svm_type "), edited(text, edits)...), cut); m != nil {
			checkForeign(t, m, saveLIBSVM)
			checkForeign(t, m, saveLIBLINEAR)
		}
	})
}

// FuzzLoadLIBLINEAR puts the head that makes a text one of LIBLINEAR's before it.
func FuzzLoadLIBLINEAR(f *testing.F) {
	f.Add([]byte(strings.TrimPrefix(liblinear, "solver_type ")), []byte(nil), uint(60))
	f.Add([]byte("MCSVM_CS\nnr_class 3\nlabel 3 1 2\nnr_feature 1\nbias 1\nw\n1 2 3 \n-1 0 1 \n"), []byte(nil), uint(60))
	f.Add([]byte("L2R_LR\nnr_class 3\nlabel 3 1 2\nnr_feature 2\nbias -1\nw\n1 2 3 \n-1 0 1 \n"), []byte(nil), uint(60))
	for _, m := range savedModels() {
		var b bytes.Buffer
		if saveLIBLINEAR(m, &b) == nil {
			f.Add(bytes.TrimPrefix(b.Bytes(), []byte("solver_type ")), []byte(nil), uint(b.Len()/2))
		}
	}
	f.Add([]byte("L2R_LR\nnr_class 2\nlabel 5 -7\nnr_feature 1\nbias 0.5\nw\n1 \n2 \n"), []byte(nil), uint(9))
	f.Fuzz(func(t *testing.T, text, edits []byte, cut uint) {
		if m := checkLoad(t, append([]byte("solver_type "), edited(text, edits)...), cut); m != nil {
			checkForeign(t, m, saveLIBSVM)
			checkForeign(t, m, saveLIBLINEAR)
		}
	})
}
