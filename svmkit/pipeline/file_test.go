package pipeline_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
)

// A file with one thing wrong is refused, with the line and the cause.
func TestLoadRefuses(t *testing.T) {
	good := string(saved(t, fit(t, models()["kernel"], three())))
	texts := string(saved(t, fit(t, models()["text"], three())))
	for _, c := range []struct {
		name, file, old, new string
		line                 int
		is                   error
	}{
		{"a model alone", "svmkit model 1\n", "", "", 2, modelfile.ErrTruncated},
		{"nothing", "", "", "", 1, modelfile.ErrNotModel},
		{"version", good, "pipeline 1", "pipeline 2", 1, modelfile.ErrVersion},
		{"no JSON", good, `{"label"`, `{label`, 2, modelfile.ErrMalformed},
		{"no columns", "svmkit pipeline 1\n{\"label\":\"y\"}\nnull\n", "", "", 2, svmkit.ErrNoColumns},
		{"another key", good, `"columns":[`, `"rows":[`, 2, modelfile.ErrMalformed},
		{"a key that is not known", good, `{"label":`, `{"extra":1,"label":`, 2, modelfile.ErrMalformed},
		{"a key twice", good, `{"label":`, `{"label":"species","label":`, 2, modelfile.ErrMalformed},
		{"another spelling", good, `{"label":`, `{"Label":`, 2, modelfile.ErrMalformed},
		{"null for a kind", good, `"kind":"number"`, `"kind":null`, 2, modelfile.ErrMalformed},
		{"a null column", good, `"columns":[`, `"columns":[null,`, 2, modelfile.ErrMalformed},
		{"a column's key twice", good, `"kind":"number"`, `"kind":"category","kind":"number"`, 2, modelfile.ErrMalformed},
		{"a key of the terms", texts, `"idf":[`, `"unit":1,"idf":[`, 2, modelfile.ErrMalformed},
		{"idf twice", texts, `"idf":[`, `"idf":[1],"idf":[`, 2, modelfile.ErrMalformed},
		{"a scaling's key twice", good, `{"kind":"minmax"`, `{"kind":"minmax","kind":"minmax"`, 3, modelfile.ErrMalformed},
		{"kind", good, `"kind":"number"`, `"kind":"numbre"`, 2, modelfile.ErrMalformed},
		{"a number with categories", good, `"kind":"number"`, `"kind":"number","categories":["a"]`, 2, modelfile.ErrMalformed},
		{"an indicator of nothing", good, `"kind":"number"`, `"kind":"number","indicator":true`, 2, modelfile.ErrMalformed},
		{"a category filled", good, `"kind":"category"`, `"kind":"category","fill":1`, 2, modelfile.ErrMalformed},
		{"categories fall", good, `["","a","b"]`, `["","b","a"]`, 2, modelfile.ErrMalformed},
		{"a category twice", good, `["","a","b"]`, `["","a","a"]`, 2, modelfile.ErrMalformed},
		{"a name twice", good, `"name":"length"`, `"name":"kind"`, 2, modelfile.ErrMalformed},
		{"the label's name", good, `"name":"length"`, `"name":"species"`, 2, modelfile.ErrMalformed},
		{"dropped and used", good, `"drop":["weight"]`, `"drop":["length"]`, 2, modelfile.ErrMalformed},
		{"terms fall", texts, `"terms":["setosa","versicolor"`, `"terms":["versicolor","setosa"`, 2, modelfile.ErrMalformed},
		{"a text and more", texts, `"columns":[`, `"columns":[{"name":"a","kind":"number"},`, 2, modelfile.ErrMalformed},
		{"fewer columns", good, `["","a","b"]`, `["a","b"]`, 3, modelfile.ErrMalformed},
		{"another label", good, `{"label":"species"`, `{"label":"specimen"`, 3, modelfile.ErrMalformed},
		{"no scaling", good, `{"kind":"minmax"`, `{"kind":"minimax"`, 3, modelfile.ErrMalformed},
		{"a scaling of others", good, `"features":["length"`, `"features":["width"`, 3, modelfile.ErrMalformed},
		{"a model of others", good, "\nfeature \"length\"", "\nfeature \"width\"", 4, modelfile.ErrMalformed},
		{"a model of others, not scaled", texts, "\nfeature \"setosa\"", "\nfeature \"setae\"", 4, modelfile.ErrMalformed},
		{"a bad model", good, "\ntask classification", "\ntask classified", 5, modelfile.ErrMalformed},
		{"more text", good + "end\n", "", "", strings.Count(good, "\n") + 1, modelfile.ErrMalformed},
	} {
		bad := strings.Replace(c.file, c.old, c.new, 1)
		if c.old != "" && bad == c.file {
			t.Errorf("%s: the file has no %q:\n%s", c.name, c.old, c.file)
		}
		m, err := load(strings.NewReader(bad))
		var parse *modelfile.ParseError
		if m != nil || !errors.As(err, &parse) || parse.Line != c.line || !errors.Is(err, c.is) {
			t.Errorf("%s: %v, not line %d: %v", c.name, err, c.line, c.is)
		}
	}
	fault := errors.New("fault")
	if _, err := load(iotest.ErrReader(fault)); !errors.Is(err, fault) {
		t.Errorf("a reader's fault: %v", err)
	}
}

// A short file promises columns whose names are far longer than itself: loading takes memory for the file, not for them.
func TestLoadMemory(t *testing.T) {
	name, categories := strings.Repeat("n", 1<<15), make([]string, 1<<12)
	for k := range categories {
		categories[k] = fmt.Sprintf("%q", fmt.Sprintf("%04d", k))
	}
	file := fmt.Sprintf("svmkit pipeline 1\n{\"label\":\"y\",\"columns\":[{\"name\":%q,\"kind\":\"category\",\"categories\":[%s]}]}\nnull\n"+
		"svmkit model 1\ntask classification\ndim %d\nlabel \"y\"\nkernel linear\nbias 0\nweights\n%send\n",
		name, strings.Join(categories, ","), len(categories), strings.Repeat("0\n", len(categories)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := load(strings.NewReader(file))
	runtime.ReadMemStats(&after)
	const perByte = 100
	if used := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, modelfile.ErrMalformed) || used > perByte*uint64(len(file)) {
		t.Errorf("%d bytes for a file of %d: %v", used, len(file), err)
	}
}

func TestSaveFile(t *testing.T) {
	m := fit(t, models()["linear"], three())
	name := filepath.Join(t.TempDir(), "m")
	if err := modelfile.SaveFile(name, m); err != nil {
		t.Fatal(err)
	}
	if loaded, err := loadFile(name); err != nil || !bytes.Equal(saved(t, loaded), saved(t, m)) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(name, []byte("svmkit pipeline 3\n\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var parse *modelfile.ParseError
	if _, err := loadFile(name); !errors.As(err, &parse) || parse.Name != name {
		t.Errorf("%v", err)
	}
}

// FuzzLoad asserts of any text: a *modelfile.ParseError, or a pipeline that is written and read back to the same
// bytes, and that predicts a row of any fields or refuses it by a typed error.
func FuzzLoad(f *testing.F) {
	table := three()
	for _, p := range models() {
		m, err := p.Fit(f.Context(), table)
		if err != nil {
			f.Fatal(err)
		}
		var file bytes.Buffer
		if err := modelfile.Save(&file, m); err != nil {
			f.Fatal(err)
		}
		part := strings.SplitN(file.String(), "\n", 4)
		f.Add(part[0], part[1], part[2], part[3], "1.5")
	}
	f.Fuzz(func(t *testing.T, head, columns, scaling, model, field string) {
		m, err := load(strings.NewReader(strings.Join([]string{head, columns, scaling, model}, "\n")))
		if err != nil {
			var parse *modelfile.ParseError
			if m != nil || !errors.As(err, &parse) || parse.Line < 1 {
				t.Fatalf("%v, model %v", err, m)
			}
			return
		}
		once := saved(t, m)
		again, err := load(bytes.NewReader(once))
		if err != nil || !bytes.Equal(saved(t, again), once) {
			t.Fatalf("%v\n%s", err, once)
		}
		row := map[string]string{}
		for _, name := range m.TableColumns().Features {
			row[name] = field
		}
		_, err = m.PredictFields(row)
		var wrong *dataset.FieldError
		if err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
	})
}
