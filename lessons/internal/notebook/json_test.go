package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func intp(i int) *int { return &i }

// executed has each kind of output, and texts that a careless writer would change.
func executed() *Notebook {
	n := New(
		Cell{Kind: Markdown, Source: "# A & B <i>\n\n$\\alpha$ é 😀 \u2028 \\u2028\n",
			Attachments: map[string]any{"p.png": map[string]any{"image/png": "aGk="}}},
		Cell{Kind: Code, Source: "%%\nfmt.Println(1)", Tags: []string{"exercise"}, ExecutionCount: intp(3),
			Metadata: map[string]any{"name": "one", "execution": map[string]any{"iopub.status.busy": "2024-01-01T00:00:00Z"}},
			Outputs: []Output{
				{Type: Stream, Name: "stdout", Text: "1\r\n\v2\u0085\f\x1c3\rend"},
				{Type: DisplayData, Data: map[string]any{
					"image/png": "iVBORw0KGgo=\n", "text/html": "<b>\n</b>", "image/svg+xml": "<svg>\n</svg>",
					"application/vnd.x+json": []any{"1\n", "2"},
				}, Metadata: map[string]any{"svmkit": map[string]any{"alt": "a"}}},
				{Type: ExecuteResult, Data: map[string]any{"text/plain": "2"}, ExecutionCount: intp(3)},
				{Type: Error, EName: "E", EValue: "v", Traceback: []string{"\x1b[31mE\x1b[0m: v", "at x"}},
			}},
		Cell{Kind: Code, Source: "", Tags: []string{"solution"}},
		Cell{Kind: Code, Source: "", Tags: []string{"fold"}},
		Cell{Kind: Raw, Source: "raw"},
	)
	n.Metadata["strange"] = map[string]any{"kept": json.Number("1.0"), "empty": []any{}, "none": map[string]any{}}
	return n
}

func write(t testing.TB, n *Notebook) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := n.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t testing.TB, src []byte) *Notebook {
	t.Helper()
	n, err := ReadJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatalf("%v in %s", err, src)
	}
	return n
}

func TestJSONRoundTrip(t *testing.T) {
	src := write(t, executed())
	back := read(t, src)
	if again := write(t, back); !bytes.Equal(src, again) {
		t.Errorf("got\n%s\nwant\n%s", again, src)
	}
	want := executed()
	for i := range want.Cells {
		w, g := want.Cells[i], back.Cells[i]
		if w.Source != g.Source || w.Kind != g.Kind || w.ID != g.ID || !reflect.DeepEqual(w.Tags, g.Tags) ||
			!reflect.DeepEqual(w.Attachments, g.Attachments) || len(w.Outputs) != len(g.Outputs) {
			t.Errorf("cell %d: got %+v, want %+v", i, g, w)
		}
	}
	out := back.Cells[1].Outputs
	if out[0].Text != want.Cells[1].Outputs[0].Text || out[1].Data["text/html"] != "<b>\n</b>" {
		t.Errorf("outputs %+v", out)
	}
	if list, ok := out[1].Data["application/vnd.x+json"].([]any); !ok || len(list) != 2 {
		t.Errorf("a list of a JSON type was joined: %v", list)
	}
	if _, there := back.Cells[1].Metadata["execution"]; there {
		t.Error("the time of the run was written")
	}
	if back.Metadata["strange"].(map[string]any)["kept"] != json.Number("1.0") {
		t.Error("unknown metadata changed")
	}
}

func TestFolding(t *testing.T) {
	back := read(t, write(t, executed()))
	for i, want := range map[int]map[string]any{
		1: nil,
		2: {"source_hidden": true, "outputs_hidden": true},
		3: {"source_hidden": true},
	} {
		got, _ := back.Cells[i].Metadata["jupyter"].(map[string]any)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("cell %d: metadata.jupyter %v, want %v", i, got, want)
		}
		if md := string((&Notebook{Cells: back.Cells[i : i+1]}).Markdown()); strings.Contains(md, "hidden") {
			t.Errorf("what the tag implies is repeated in the text:\n%s", md)
		}
	}
	own := New(Cell{Kind: Code, Tags: []string{"solution"}, Metadata: map[string]any{"jupyter": map[string]any{"source_hidden": false}}})
	if got := read(t, write(t, own)).Cells[0].Metadata["jupyter"].(map[string]any)["source_hidden"]; got != false {
		t.Error("an author's own choice was overwritten")
	}
}

// The layout that Jupyter writes, by hand.
func TestJSONLayout(t *testing.T) {
	n := &Notebook{Metadata: map[string]any{"kernelspec": map[string]any{"name": "x", "display_name": "X", "language": "x"}},
		Cells: []Cell{{ID: "a", Kind: Code, Source: "é<\nb"}}}
	want := `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "a",
   "metadata": {},
   "outputs": [],
   "source": [
    "é<\n",
    "b"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "X",
   "language": "x",
   "name": "x"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`
	if got := string(write(t, n)); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestReadStrangersNotebooks(t *testing.T) {
	for _, c := range []struct{ name, src, source, id string }{
		{"4.0 without metadata", `{"nbformat":4,"nbformat_minor":0,"cells":[{"cell_type":"code","source":["a\n","b"]}]}`, "a\nb", ""},
		{"source as a text", `{"nbformat":4,"nbformat_minor":4,"metadata":{},"cells":[{"cell_type":"markdown","metadata":{},"source":"a\nb"}]}`, "a\nb", ""},
		{"own id", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"id":"x-1","cell_type":"raw","metadata":{},"source":[]}]}`, "", "x-1"},
		{"id with a dot", `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"id":"x.1","cell_type":"raw","metadata":{},"source":[]}]}`, "", ""},
		{"newer minor version", `{"nbformat":4,"nbformat_minor":9,"new":1,"metadata":{},"cells":[{"cell_type":"raw","new":2,"source":"a"}]}`, "a", ""},
		{"odd tags", `{"nbformat":4,"nbformat_minor":4,"cells":[{"cell_type":"code","metadata":{"tags":["a","a",1,"b,c"]},"source":"a"}]}`, "a", ""},
		{"byte order mark", "\ufeff" + `{"nbformat":4,"cells":[{"cell_type":"raw","source":"a"}]}`, "a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := read(t, []byte(c.src))
			if len(n.Cells) != 1 || n.Cells[0].Source != c.source {
				t.Fatalf("cells %+v", n.Cells)
			}
			id := n.Cells[0].ID
			if c.id != "" && id != c.id || !validID.MatchString(id) {
				t.Errorf("id %q, want %q", id, c.id)
			}
			checkSchema(t, write(t, n))
		})
	}
}

func TestReadJSONErrors(t *testing.T) {
	for _, c := range []struct {
		name, src string
		cause     error
		line      int
		says      string
	}{
		{"version 3", `{"nbformat":3,"worksheets":[{"cells":[]}]}`, ErrVersion, 0, "jupyter nbconvert"},
		{"version 5", `{"nbformat":5,"cells":[]}`, ErrVersion, 0, "nbformat 5"},
		{"no version", `{"a":1}`, ErrFormat, 0, "nbformat"},
		{"no cells", `{"nbformat":4}`, ErrFormat, 0, "cells"},
		{"a list", `[1]`, ErrFormat, 1, "array"},
		{"empty", ``, ErrFormat, 0, "empty"},
		{"cut off", "{\n\"nbformat\":4,\n\"cells\":[", ErrFormat, 3, "ends"},
		{"syntax", "{\n\"nbformat\":4,\n]", ErrFormat, 3, "invalid character"},
		{"two notebooks", `{"nbformat":4,"cells":[]} {}`, ErrFormat, 0, "more text"},
		{"cell type", `{"nbformat":4,"cells":[{"cell_type":"heading","source":""}]}`, ErrFormat, 0, "cell 1"},
		{"output type", `{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[{"output_type":"pyout"}]}]}`, ErrFormat, 0, "output 1"},
		{"source", `{"nbformat":4,"cells":[{"cell_type":"code","source":3}]}`, ErrFormat, 0, "list of texts"},
		{"type", "{\"nbformat\":4,\n\"cells\":[{\"cell_type\":7}]}", ErrFormat, 2, "cell_type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadJSON(strings.NewReader(c.src))
			var e *ParseError
			if !errors.As(err, &e) || !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error %v, want %v with %q", err, c.cause, c.says)
			}
			if e.Line != c.line {
				t.Errorf("line %d, want %d", e.Line, c.line)
			}
		})
	}
}

// An id belongs to a text, not to a place: cells that move or get new neighbours keep theirs.
func TestCellIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom([]string{"a", "b", "c", ""})
		draw := rapid.SliceOfN(source, 0, 8).Draw(t, "sources")
		var cells []Cell
		for _, s := range draw {
			cells = append(cells, Cell{Kind: Code, Source: s})
		}
		n := New(cells...)
		seen := map[string]bool{}
		for _, c := range n.Cells {
			if !validID.MatchString(c.ID) || seen[c.ID] {
				t.Fatalf("id %q invalid or twice", c.ID)
			}
			seen[c.ID] = true
		}
		more := New(append([]Cell{{Kind: Markdown, Source: "a"}, {Kind: Code, Source: "new"}}, cells...)...)
		for i, c := range n.Cells {
			if more.Cells[i+2].ID != c.ID {
				t.Fatalf("cell %d: id %s became %s", i, c.ID, more.Cells[i+2].ID)
			}
		}
	})
	n := &Notebook{Cells: []Cell{{ID: "same", Kind: Code}, {ID: "same", Kind: Code}, {ID: "bad id", Kind: Code}}}
	if ids := n.ids(); ids[0] != "same" || ids[1] == "same" || ids[1] == ids[2] {
		t.Errorf("ids %v", ids)
	}
}

// A name on the fence line is the cell's id, so that a link to it outlives an edit of the cell, on the
// way through JSON as well. A name that is no id, or taken, is only a name.
func TestNamedCells(t *testing.T) {
	lesson := func(code string) string {
		return "```go name=\"foot\"\n" + code + "\n```\n\n```go name=\"no id\"\nb\n```\n\n```go name=\"foot\"\nc\n```\n"
	}
	for _, code := range []string{"a", "edited"} {
		n := parse(t, lesson(code))
		if again := read(t, write(t, n)); again.Cells[0].ID != "foot" || !strings.HasSuffix(string(again.Markdown()), string(n.Markdown())) {
			t.Errorf("%s: id %q, %s", code, again.Cells[0].ID, again.Markdown())
		}
		for _, c := range n.Cells[1:] {
			if !validID.MatchString(c.ID) || c.ID == "foot" || c.Metadata["name"] == nil {
				t.Errorf("%s: id %q, metadata %v", code, c.ID, c.Metadata)
			}
		}
	}
}

func TestWrittenNotebooksFollowTheSchema(t *testing.T) {
	checkSchema(t, write(t, executed()))
	checkSchema(t, write(t, parse(t, canonical)))
	checkSchema(t, write(t, &Notebook{}))
	rapid.Check(t, func(t *rapid.T) { checkSchema(t, writeRandom(t)) })
}

func TestUnknownKindIsAnError(t *testing.T) {
	if err := (&Notebook{Cells: []Cell{{Source: "x"}}}).WriteJSON(&bytes.Buffer{}); err == nil {
		t.Error("a cell without a kind was written")
	}
}

// Jupyter's own reader and writer must agree with ours to the byte.
func TestJupyterAgrees(t *testing.T) {
	python := ""
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import nbformat").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI needs a Python with nbformat (Debian: python3-nbformat)")
		}
		t.Skip("no Python with nbformat here")
	}
	dir := t.TempDir()
	for name, n := range map[string]*Notebook{"executed": executed(), "lesson": parse(t, canonical)} {
		path := filepath.Join(dir, name+".ipynb")
		if err := WriteFile(path, n); err != nil {
			t.Fatal(err)
		}
		script := "import nbformat, sys\nn = nbformat.read(sys.argv[1], 4)\nnbformat.validate(n)\nnbformat.write(n, sys.argv[1] + '.new')"
		if out, err := exec.Command(python, "-W", "error", "-c", script, path).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		ours, _ := os.ReadFile(path)
		theirs, err := os.ReadFile(path + ".new")
		if err != nil || !bytes.Equal(ours, theirs) {
			t.Errorf("%s: Jupyter would write it differently:\n%s\nours:\n%s", name, theirs, ours)
		}
	}
}

func writeRandom(t *rapid.T) []byte {
	var b bytes.Buffer
	if err := randomNotebook(t).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
