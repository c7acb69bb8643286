package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// FuzzParseMessage cuts the input into frames at zero bytes. Whatever they are, there is no panic and
// the frames stay as they were; what is accepted survives being written and read again, and is
// accepted whatever stands before the delimiter and behind the five parts; a single changed bit of
// what is signed is noticed.
func FuzzParseMessage(f *testing.F) {
	f.Add(bytes.Join(testFrames(f), []byte{0}), true, uint(0))
	f.Add([]byte("<IDS|MSG>\x00\x00{}\x00{}\x00{}\x00{}"), true, uint(3))
	f.Add([]byte("<IDS|MSG>\x00\x00null\x00[]\x00\x001"), true, uint(0))
	f.Add([]byte("id\x00<IDS|MSG>\x00\x00{\"msg_id\":\"é\\ud800\"}\x00null\x00{\"a\": 1 }\x00[1e999]\x00buffer"), true, uint(70))
	f.Add([]byte{}, false, uint(0))
	f.Fuzz(func(t *testing.T, data []byte, resign bool, bit uint) {
		frames := bytes.Split(bytes.Clone(data), []byte{0})
		at := slices.IndexFunc(frames, func(f []byte) bool { return string(f) == delimiter })
		whole := at >= 0 && len(frames) >= at+6
		if resign && whole { // or else nothing gets past the signature
			frames[at+1] = sign(testKey, frames[at+2:at+6]...)
		}
		sent := bytes.Join(frames, []byte{0})
		m, err := parseMessage(testKey, frames)
		if !bytes.Equal(bytes.Join(frames, []byte{0}), sent) {
			t.Fatal("the frames were changed")
		}
		switch {
		case at < 0 && !errors.Is(err, errNoDelimiter), at >= 0 && !whole && !errors.Is(err, errFewFrames),
			resign && whole && errors.Is(err, errSignature):
			t.Fatalf("error %v", err)
		case err != nil && m != nil:
			t.Fatalf("a message beside the error %v", err)
		}
		if resign && whole {
			checkSigned(t, frames, at, bit)
		}
		if err != nil {
			return
		}
		again := append(append([][]byte{[]byte("topic"), nil}, m.frames(testKey)...), []byte("buffer"), []byte(delimiter))
		m2, err := parseMessage(testKey, again)
		if err != nil {
			t.Fatalf("an accepted message cannot be read again: %v", err)
		}
		if m.Parent.MsgID == "" { // an answer to nothing; what else its parent says is not written
			m.Parent = header{}
		}
		if !reflect.DeepEqual(m2, m) {
			t.Errorf("%+v became %+v", m, m2)
		}
		// No shape of content may hurt what reads it either.
		if err := new(Result).read(m); err == nil && !json.Valid(m.Content) {
			t.Errorf("a reply was read from %q", m.Content)
		}
		isWidgetInstall(m)
	})
}

// checkSigned changes one bit of the signed parts or of the signature itself.
func checkSigned(t *testing.T, frames [][]byte, at int, bit uint) {
	changed := slices.Clone(frames)
	signed := bytes.Join(frames[at+1:at+6], nil)
	bit %= uint(8 * len(signed))
	for i := at + 1; i < at+6; i++ {
		if size := uint(8 * len(frames[i])); bit >= size {
			bit -= size
			continue
		}
		changed[i] = bytes.Clone(frames[i])
		changed[i][bit/8] ^= 1 << (bit % 8)
		if i == at+1 && bytes.EqualFold(changed[i], frames[i]) {
			return // hexadecimal digits in the other case are the same signature
		}
		if _, err := parseMessage(testKey, changed); !errors.Is(err, errSignature) {
			t.Fatalf("frame %d, bit %d changed: error %v", i, bit, err)
		}
		return
	}
}

// FuzzCollect feeds a collector with messages, one a line: type, blank, content. Whatever they are,
// there is no panic, what is kept stays below the limits, the outputs are of the kinds that a
// notebook has, and text of one stream stands together.
func FuzzCollect(f *testing.F) {
	for _, lines := range []string{
		`stream {"name":"stdout","text":"a\nü"}` + "\n" + `stream {"name":"stdout","text":"b"}` + "\n" + `stream {"name":"stderr","text":"c"}`,
		`display_data {"data":{"text/html":"<b>"},"transient":{"display_id":"1"}}` + "\n" + `update_display_data {"data":{},"transient":{"display_id":"1"}}`,
		`update_display_data {"data":{"a":1},"transient":{"display_id":"old"}}` + "\n" + `clear_output {"wait":true}` + "\n" + `error {"ename":"E","evalue":"v","traceback":["x"]}`,
		`execute_result {"data":null,"metadata":[]}` + "\n" + `status {}` + "\n" + `stream 1` + "\n" + `clear_output {}`,
		`stream {"name":"stdout","text":"x` + strings.Repeat("é", 600) + `"}`,
		`stream {"name":"stdout","text":"x` + strings.Repeat("é", 600) + `"}` + "\n" + `clear_output {}` + "\n" + `stream {"name":"stdout","text":"x"}`,
	} {
		f.Add(lines)
	}
	const limit = 1000 // bytes, so that a fuzzer gets past it
	f.Fuzz(func(t *testing.T, lines string) {
		c := newCollector()
		c.maxStream, c.maxRich = limit, limit
		largest, cleared, printed := 0, false, map[string]string{} // by stream
		for line := range strings.Lines(lines) {
			kind, content, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			before := c.list()
			known, err := c.add(kind, json.RawMessage(content))
			if largest = max(largest, len(content)); err != nil && (!known || !reflect.DeepEqual(before, c.list())) {
				t.Fatalf("%s: known %v, error %v, outputs %v became %v", line, known, err, before, c.list())
			}
			var text struct{ Name, Text string }
			if kind == "stream" && json.Unmarshal([]byte(content), &text) == nil {
				printed[text.Name] += text.Text
			}
			cleared = cleared || kind == "clear_output"
		}
		text, last := 0, notebook.Output{}
		for _, o := range c.list() {
			if !slices.Contains([]notebook.OutputType{notebook.Stream, notebook.DisplayData, notebook.ExecuteResult, notebook.Error}, o.Type) {
				t.Fatalf("an output of type %q", o.Type)
			}
			if o.Type == notebook.Stream && last.Type == notebook.Stream && o.Name == last.Name {
				t.Fatalf("the stream %q is in two outputs", o.Name)
			}
			if o.Type == notebook.Stream && (o.Text == "" || !utf8.ValidString(o.Text)) {
				t.Fatalf("stream text %q", o.Text)
			}
			if o.Type == notebook.Stream {
				text += len(o.Text)
			}
			last = o
		}
		for name, want := range printed {
			if got := (&Result{Outputs: c.list()}).Stream(name); !cleared && !c.streamCut && got != want {
				t.Fatalf("the stream %q is %q, want %q", name, got, want)
			}
		}
		const note = 100
		if text > limit+note {
			t.Fatalf("%d bytes of text kept", text)
		}
		if c.streamBytes < 0 || c.richBytes < 0 || c.richBytes > limit+largest+outputOverhead {
			t.Fatalf("%d and %d bytes kept", c.streamBytes, c.richBytes)
		}
	})
}
