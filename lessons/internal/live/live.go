// Package live redraws the figures of the website while a reader moves their controls.
//
// It is compiled to WebAssembly and runs in a Worker of the reader's browser. A page calls its handlers,
// which draw the explorables of the lessons and the playground; requests and replies are JSON. Package
// program generates the main package and builds it.
package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/svmkit/course/lessons/lab"
	"github.com/svmkit/course/plots"
)

// Handlers are the functions that a page can call, by name. Requests and replies are values for encoding/json.
type Handlers map[string]func(request json.RawMessage) (reply any, err error)

// Answer calls the handler of that name. It returns JSON of the reply, or of {"error": "…"} if the call
// fails or panics.
func (h Handlers) Answer(name string, request []byte) (reply []byte) {
	failed := func(err error) []byte {
		text, _ := json.Marshal(map[string]string{"error": err.Error()}) // strings do not fail
		return text
	}
	defer func() {
		if r := recover(); r != nil {
			reply = failed(fmt.Errorf("live: %s: %v", name, r))
		}
	}()
	call, ok := h[name]
	if !ok {
		return failed(fmt.Errorf("live: there is no function %q", name))
	}
	value, err := call(request)
	if err != nil {
		return failed(err)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // six bytes for each < of a figure
	if err := e.Encode(value); err != nil {
		return failed(err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// decoded is a function of what a request holds.
func decoded[R any](f func(R) (any, error)) func(json.RawMessage) (any, error) {
	return func(request json.RawMessage) (any, error) {
		var r R
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, err
		}
		return f(r)
	}
}

// Lessons returns the handlers of the playground, see [PlayRequest], and those of explorables: "open", with
// [OpenRequest] and [OpenReply], and "draw", with [DrawRequest] and [Drawing]. A lesson, by its slug, is the
// code of its explorable cells.
func Lessons(lessons map[string]func()) Handlers {
	opened := map[string]map[string]lab.Explorable{}
	open := func(slug string) ([]lab.Explorable, error) {
		cells, ok := lessons[slug]
		if !ok {
			return nil, fmt.Errorf("live: there is no lesson %q", slug)
		}
		found, err := lab.Collect(cells)
		if err != nil {
			return nil, err
		}
		opened[slug] = map[string]lab.Explorable{}
		for _, e := range found {
			opened[slug][e.ID()] = e
		}
		return found, nil
	}
	handlers := Handlers{
		"open": decoded(func(r OpenRequest) (any, error) {
			found, err := open(r.Lesson)
			if err != nil {
				return nil, err
			}
			reply := OpenReply{}
			for _, e := range found {
				reply.Explorables = append(reply.Explorables, describe(e))
			}
			return reply, nil
		}),
		"draw": decoded(func(r DrawRequest) (any, error) {
			if opened[r.Lesson] == nil {
				if _, err := open(r.Lesson); err != nil {
					return nil, err
				}
			}
			e, ok := opened[r.Lesson][r.ID]
			if !ok {
				return nil, fmt.Errorf("live: %s has no explorable %q", r.Lesson, r.ID)
			}
			return draw(e, r.State)
		}),
	}
	maps.Copy(handlers, playHandlers)
	return handlers
}

// OpenRequest asks for a lesson's explorables.
type OpenRequest struct {
	Lesson string `json:"lesson"`
}

// OpenReply describes them, in the order of their cells.
type OpenReply struct {
	Explorables []Description `json:"explorables"`
}

// Description is what a page has to know to put controls to a figure.
type Description struct {
	ID      string       `json:"id"`
	Claim   string       `json:"claim"`
	Sliders []slider     `json:"sliders"`
	Choices []lab.Choice `json:"choices"`
	Points  []lab.Point  `json:"points"` // with a step each
	Stored  []lab.Named  `json:"stored"` // in the order of the pictures in the page
	First   int          `json:"first"`  // the one at the start
	Named   bool         `json:"named"`  // whether the stored states have names of their own
}

type slider struct {
	Label     string    `json:"label"`
	Positions []float64 `json:"positions"`
	Stepper   bool      `json:"stepper"` // whether the positions are whole numbers in a row
}

func describe(e lab.Explorable) Description {
	d := Description{ID: e.ID(), Claim: e.Claim, Named: e.States != nil,
		Sliders: []slider{}, Choices: append([]lab.Choice{}, e.Choices...), Points: append([]lab.Point{}, e.Points...)} // no null in JSON
	d.Stored, d.First = e.Stored()
	for _, s := range e.Sliders {
		positions := s.Positions()
		first, last := positions[0], positions[len(positions)-1]
		d.Sliders = append(d.Sliders, slider{s.Label, positions, last-first == float64(len(positions)-1)})
	}
	for i, p := range d.Points {
		if p.Step == 0 {
			d.Points[i].Step = max(p.Max[0]-p.Min[0], p.Max[1]-p.Min[1]) / 40
		}
	}
	return d
}

// DrawRequest asks for an explorable in a state.
type DrawRequest struct {
	Lesson string    `json:"lesson"`
	ID     string    `json:"id"`
	State  lab.State `json:"state"`
}

// Drawing is a figure with its words.
type Drawing struct {
	SVG     string  `json:"svg"`
	Caption string  `json:"caption"`
	Alt     string  `json:"alt"`
	Claim   string  `json:"claim"`
	Fails   string  `json:"fails"`  // why the claim fails in this state; empty if it holds
	Width   float64 `json:"width"`  // of the drawing, in points
	Height  float64 `json:"height"` // too

	// Window is the part of the drawing in which points are dragged; nil where there are none.
	Window *plots.Window `json:"window,omitempty"`
}

func draw(e lab.Explorable, s lab.State) (*Drawing, error) {
	f, fails, err := e.At(s)
	if err != nil {
		return nil, err
	}
	d, err := drawing(f, len(e.Points) > 0)
	if err != nil {
		return nil, err
	}
	d.Claim = e.Claim
	if fails != nil {
		d.Fails = fails.Error()
	}
	return d, nil
}

// drawing writes a figure, with its window if points are dragged in it.
func drawing(f *plots.Figure, dragged bool) (*Drawing, error) {
	svg, err := f.SVG()
	if err != nil {
		return nil, err
	}
	width, height := f.Size()
	d := &Drawing{SVG: string(svg), Caption: f.Caption, Alt: f.Alt, Width: width.Points(), Height: height.Points()}
	if dragged {
		w, err := f.Window()
		if err != nil {
			return nil, err
		}
		d.Window = &w
	}
	return d, nil
}
