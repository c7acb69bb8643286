package kernel

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// say feeds the collector lines of "type json".
func say(t *testing.T, c *collector, lines ...string) {
	t.Helper()
	for _, line := range lines {
		msgType, content, _ := strings.Cut(line, " ")
		if known, err := c.add(msgType, json.RawMessage(content)); err != nil || !known {
			t.Fatalf("%s: known %v, error %v", line, known, err)
		}
	}
}

// show writes outputs as short words, which tables can compare.
func show(outs []notebook.Output) string {
	var words []string
	for _, o := range outs {
		switch o.Type {
		case notebook.Stream:
			words = append(words, o.Name+"="+o.Text)
		case notebook.Error:
			words = append(words, "error="+o.EValue)
		default:
			words = append(words, fmt.Sprintf("%s=%v", o.Type, o.Data["text/plain"]))
		}
	}
	return strings.Join(words, " ")
}

func TestCollectorStoresAsJupyter(t *testing.T) {
	out := func(text string) string { return `stream {"name":"stdout","text":"` + text + `"}` }
	err := func(text string) string { return `stream {"name":"stderr","text":"` + text + `"}` }
	display := func(id, text string) string {
		return `display_data {"data":{"text/plain":"` + text + `"},"transient":{"display_id":"` + id + `"}}`
	}
	update := func(id, text string) string { return "update_" + display(id, text) }
	for _, test := range []struct{ name, in, want string }{
		{"streams of one name merge", out("a") + "\n" + out("b"), "stdout=ab"},
		{"streams of two names do not", out("a") + "\n" + err("b") + "\n" + out("c"), "stdout=a stderr=b stdout=c"},
		{"a display parts a stream", out("a") + "\n" + display("", "d") + "\n" + out("b"), "stdout=a display_data=d stdout=b"},
		{"an update replaces in place", display("1", "x") + "\n" + out("a") + "\n" + update("1", "y"), "display_data=y stdout=a"},
		{"all displays of an id", display("1", "x") + "\n" + display("1", "z") + "\n" + update("1", "y"), "display_data=y display_data=y"},
		{"no id matches no id", display("", "x") + "\n" + update("", "y"), "display_data=x"},
		{"clear", out("a") + "\nclear_output {\"wait\":false}\n" + out("b"), "stdout=b"},
		{"clear at the end", out("a") + "\nclear_output {\"wait\":false}", ""},
		{"clear waits", out("a") + "\nclear_output {\"wait\":true}\n" + out("b"), "stdout=b"},
		{"clear waits for ever", out("a") + "\nclear_output {\"wait\":true}", "stdout=a"},
		{"error", out("a") + "\nerror {\"ename\":\"E\",\"evalue\":\"boom\",\"traceback\":[\"t\"]}", "stdout=a error=boom"},
		{"result", `execute_result {"data":{"text/plain":"4"},"metadata":{},"execution_count":1}`, "execute_result=4"},
		{"empty text is no output", out(""), ""},
	} {
		c := newCollector()
		say(t, c, strings.Split(test.in, "\n")...)
		if got := show(c.list()); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCollectorDropsUpdatesOfEarlierCells(t *testing.T) {
	c := newCollector()
	say(t, c, `update_display_data {"data":{"text/plain":"1"},"transient":{"display_id":"old"}}`)
	if len(c.list()) != 0 || c.richBytes != 0 {
		t.Errorf("outputs %q, %d bytes; want none", show(c.list()), c.richBytes)
	}
}

func TestCollectorKeepsMetadataAndCustomTypes(t *testing.T) {
	c := newCollector()
	say(t, c, `display_data {"data":{"application/x.svm+json":{"a":[1,"b"]}},"metadata":{"image/png":{"alt":"words"}},"transient":{}}`)
	want := notebook.Output{
		Type:     notebook.DisplayData,
		Data:     map[string]any{"application/x.svm+json": map[string]any{"a": []any{1.0, "b"}}},
		Metadata: map[string]any{"image/png": map[string]any{"alt": "words"}},
	}
	if got := c.list()[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestCollectorIsBounded writes for ever, in three ways: what is kept stays
// within the limit and its note, and the flood is reported in the end.
func TestCollectorIsBounded(t *testing.T) {
	const limit = 10_000
	for name, line := range map[string]func(i int) string{
		"one stream":  func(int) string { return `stream {"name":"stdout","text":"ääääääääää"}` },
		"two streams": func(i int) string { return fmt.Sprintf(`stream {"name":"s%d","text":"x"}`, i%2) },
		"displays": func(int) string {
			return `display_data {"data":{"text/plain":"x"}}`
		},
	} {
		c := newCollector()
		c.maxStream, c.maxRich = limit, limit
		n := 0
		for ; !c.flooded(); n++ {
			if n == 1_000_000 {
				t.Fatalf("%s: no flood seen", name)
			}
			say(t, c, line(n))
		}
		const noteSize = 200
		size := 0
		for _, o := range c.list() {
			size += len(o.Text)
			if strings.Contains(o.Text, "\uFFFD") || !json.Valid([]byte(`"`+strings.ReplaceAll(o.Text, "\n", "")+`"`)) {
				t.Errorf("%s: a character was cut", name)
			}
		}
		if size > limit+noteSize || len(c.list()) > limit/outputOverhead+2 {
			t.Errorf("%s: kept %d bytes in %d outputs, limit %d", name, size, len(c.list()), limit)
		}
		last := c.list()[len(c.list())-1]
		if !strings.Contains(last.Text+fmt.Sprint(last.Data["text/plain"]), "cut here") {
			t.Errorf("%s: no note at the end: %+v", name, last)
		}
	}
}

func TestCollectorRejectsWrongShapes(t *testing.T) {
	for _, msgType := range []string{"stream", "display_data", "execute_result", "update_display_data", "error", "clear_output"} {
		if _, err := newCollector().add(msgType, json.RawMessage(`[1]`)); err == nil {
			t.Errorf("%s: a list was accepted", msgType)
		}
	}
	if known, _ := newCollector().add("debug_event", json.RawMessage(`{}`)); known {
		t.Error("debug_event is no output")
	}
}

func TestFailure(t *testing.T) {
	failed := func(value, stderr string) *Result {
		return &Result{
			Status: StatusError, Error: value,
			Outputs: []notebook.Output{{Type: notebook.Stream, Name: "stderr", Text: stderr}},
		}
	}
	for _, test := range []struct {
		value, stderr, want string
	}{
		{"exit status 3", "exit status 3\n", "exit status 3"},
		{"exit status 1", "a\nb\nc\nclaim broken\nexit status 1\n", "b\nc\nclaim broken (exit status 1)"},
		{"exit status 2", "log\npanic: boom [recovered]\n\tpanic: again\n\ngoroutine 1 [running]:\nmain.f()\n\t \x1b[7m[[ Cell [2] Line 9 ]]\x1b[0m /t/main.go:9\n\t \x1b[7m[[ Cell [7] Line 4 ]]\x1b[0m /t/main.go:12 +0x65\nexit status 2\n",
			"panic: boom [recovered]\n\tpanic: again (exit status 2)"},
		{"# gonb_12ab34cd\n./main.go:10:5: declared and not used: x\n", "", "main.go:10:5: declared and not used: x"},
		{"/tmp/a/gonb_12ab34cd/main.go:3:11: expected ')'", "", "main.go:3:11: expected ')'"},
	} {
		r := failed(test.value, test.stderr)
		if got := r.Failure(); got != test.want {
			t.Errorf("Failure of %q, %q\n got %q\nwant %q", test.value, test.stderr, got, test.want)
		}
		if got := r.Ran(); got != strings.HasPrefix(test.value, "exit status ") {
			t.Errorf("Ran after %q: %v", test.value, got)
		}
	}
	if got := (&Result{Status: StatusOK}).Failure(); got != "" {
		t.Errorf("Failure of a good cell = %q", got)
	}
}
