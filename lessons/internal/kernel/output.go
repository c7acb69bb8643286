package kernel

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// Limits of what is kept of one cell. Past a limit the output is cut with a note; past floodFactor times
// the limit the cell is stopped. Variables of the collector, so that tests can be small.
const (
	maxStreamBytes = 16 << 20
	maxRichBytes   = 64 << 20
	floodFactor    = 4
	// outputOverhead is what an output costs beside its text: without it, a
	// loop of empty outputs would be free.
	outputOverhead = 256
)

// collector gathers the outputs of a cell as a Jupyter front end stores them.
type collector struct {
	outputs []slot

	streamBytes, richBytes int // kept, overhead included
	maxStream, maxRich     int
	streamLost, richLost   int // dropped, since the cell began
	streamCut, richCut     bool
	clearNext              bool // clear_output(wait=true) waits for the next output

	html func(string) // sees the HTML of each display; may be nil
}

// slot is an output under construction. Stream text grows in a builder: added
// to a string it would take quadratic time.
type slot struct {
	notebook.Output
	displayID string // is no part of a notebook
	text      *strings.Builder
	size      int
}

func newCollector() *collector {
	return &collector{maxStream: maxStreamBytes, maxRich: maxRichBytes}
}

// flooded reports that the cell writes on, far past its limit.
func (c *collector) flooded() bool {
	return c.streamLost > (floodFactor-1)*c.maxStream || c.richLost > (floodFactor-1)*c.maxRich
}

// add takes a message of the iopub channel. It reports whether the type is one
// of output, and an error if the content does not have the type's shape.
func (c *collector) add(msgType string, content json.RawMessage) (bool, error) {
	switch msgType {
	case "stream":
		if c.streamCut { // decoding what is thrown away costs most of a flood's time
			c.streamLost += len(content)
			return true, nil
		}
		var s struct{ Name, Text string }
		if err := json.Unmarshal(content, &s); err != nil {
			return true, err
		}
		c.addStream(s.Name, s.Text)
	case "display_data", "execute_result", "update_display_data":
		if c.richCut {
			c.richLost += len(content)
			return true, nil
		}
		var d struct {
			Data, Metadata map[string]any
			Transient      struct {
				DisplayID string `json:"display_id"`
			}
		}
		if err := json.Unmarshal(content, &d); err != nil {
			return true, err
		}
		if text, ok := d.Data["text/html"].(string); ok && c.html != nil {
			c.html(text)
		}
		if d.Data == nil {
			d.Data = map[string]any{}
		}
		if d.Metadata == nil {
			d.Metadata = map[string]any{}
		}
		out := notebook.Output{Type: notebook.OutputType(msgType), Data: d.Data, Metadata: d.Metadata}
		c.addRich(slot{Output: out, displayID: d.Transient.DisplayID, size: len(content) + outputOverhead})
	case "error":
		var e struct {
			EName, EValue string
			Traceback     []string
		}
		if err := json.Unmarshal(content, &e); err != nil {
			return true, err
		}
		c.applyClear()
		c.outputs = append(c.outputs, slot{Output: notebook.Output{
			Type: notebook.Error, EName: e.EName, EValue: e.EValue, Traceback: e.Traceback,
		}})
	case "clear_output":
		var w struct{ Wait bool }
		if err := json.Unmarshal(content, &w); err != nil {
			return true, err
		}
		c.clearNext = true
		if !w.Wait {
			c.applyClear()
		}
	default:
		return false, nil
	}
	return true, nil
}

func (c *collector) applyClear() {
	if c.clearNext {
		c.outputs, c.streamBytes, c.richBytes = nil, 0, 0
		c.streamCut, c.richCut, c.clearNext = false, false, false
	}
}

// addStream appends text to the last output if that is the same stream, as
// Jupyter does: a cell that prints line by line has one output.
func (c *collector) addStream(name, text string) {
	c.applyClear()
	if text == "" {
		return
	}
	n := len(c.outputs)
	if n == 0 || c.outputs[n-1].Type != notebook.Stream || c.outputs[n-1].Name != name {
		c.outputs = append(c.outputs, slot{Output: notebook.Output{Type: notebook.Stream, Name: name}, text: &strings.Builder{}})
		c.streamBytes += outputOverhead
		n++
	}
	last := c.outputs[n-1].text
	if free := c.maxStream - c.streamBytes; len(text) > free {
		free = max(free, 0)
		c.streamLost += len(text) - free
		c.streamBytes += free
		c.streamCut = true
		last.WriteString(strings.ToValidUTF8(text[:free], ""))
		fmt.Fprintf(last, "\n[output cut here: a cell keeps %d MB of text]\n", c.maxStream>>20)
		return
	}
	c.streamBytes += len(text)
	last.WriteString(text)
}

// addRich appends a display or result. An update replaces the ones with its display id, and is
// dropped if these are an earlier cell's.
func (c *collector) addRich(out slot) {
	update := out.Type == "update_display_data"
	if !update {
		c.applyClear()
	}
	if c.richBytes+out.size > c.maxRich {
		c.richLost += out.size
		if !c.richCut {
			c.richCut = true
			note := fmt.Sprintf("[displays cut here: a cell keeps %d MB of them]", c.maxRich>>20)
			c.outputs = append(c.outputs, slot{Output: notebook.Output{
				Type: notebook.DisplayData, Data: map[string]any{"text/plain": note}, Metadata: map[string]any{},
			}})
		}
		return
	}
	if !update {
		c.richBytes += out.size
		c.outputs = append(c.outputs, out)
		return
	}
	for i := range c.outputs {
		s := &c.outputs[i]
		if s.displayID != "" && s.displayID == out.displayID {
			s.Data, s.Metadata = out.Data, out.Metadata
			c.richBytes += out.size - s.size
			s.size = out.size
		}
	}
}

// list returns the outputs in order.
func (c *collector) list() []notebook.Output {
	outs := make([]notebook.Output, len(c.outputs))
	for i, s := range c.outputs {
		outs[i] = s.Output
		if s.text != nil {
			outs[i].Text = s.text.String()
		}
	}
	return outs
}
