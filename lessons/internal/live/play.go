package live

import (
	"context"
	"encoding/json"

	"github.com/svmkit/course/lessons/internal/playground"
)

// playHandlers are those of the playground: "play", with [PlayRequest] and [PlayReply]; "play-start", with
// [StartRequest] and a playground.State; "play-export", with a playground.State and [ExportReply].
var playHandlers = Handlers{
	"play": decoded(func(r PlayRequest) (any, error) {
		s, err := playground.Decode(r.State)
		if err != nil {
			return nil, err
		}
		return play(s, r.Narrow)
	}),
	"play-start": decoded(func(r StartRequest) (any, error) {
		switch {
		case r.Link != "":
			return playground.ParseLink(r.Link)
		case r.Sample != "":
			return r.State.Load(r.Sample)
		}
		return playground.Start(), nil
	}),
	"play-export": func(request json.RawMessage) (any, error) {
		s, err := playground.Decode(request)
		if err != nil {
			return nil, err
		}
		f, err := playground.NewFit(context.Background(), s)
		if err != nil {
			return nil, err
		}
		table, err := f.CSV()
		if err != nil {
			return nil, err
		}
		reply := ExportReply{CSV: string(table)}
		if reply.Program, err = f.Program(); err != nil {
			reply.Program = "// " + err.Error()
		}
		return reply, nil
	},
}

// PlayRequest asks for a state of the playground, drawn wide, or narrow for a phone.
type PlayRequest struct {
	State  json.RawMessage `json:"state"` // a playground.State, decoded strictly
	Narrow bool            `json:"narrow"`
}

// PlayReply is its figure, with what is known of the model.
type PlayReply struct {
	Drawing
	Mark    string      `json:"mark"` // ✓, ✗ or …
	Verdict string      `json:"verdict"`
	Steps   int         `json:"steps"` // that the training has gone
	Ended   bool        `json:"ended"` // it has no further step
	Link    string      `json:"link"`
	Points  [][]float64 `json:"points"` // α and score of each; with several classes those of the model of its own class; nil without a model
}

// StartRequest asks for the state of a link, or State with the points of a sample, or the state at first.
type StartRequest struct {
	Link   string           `json:"link"`
	Sample string           `json:"sample"`
	State  playground.State `json:"state"`
}

// ExportReply is what a state is copied as.
type ExportReply struct {
	CSV     string `json:"csv"`
	Program string `json:"program"`
}

// play draws a state.
func play(s playground.State, narrow bool) (*PlayReply, error) {
	f, err := playground.NewFit(context.Background(), s)
	if err != nil {
		return nil, err
	}
	figure, err := f.Draw(narrow)
	if err != nil {
		return nil, err
	}
	d, err := drawing(figure, true)
	if err != nil {
		return nil, err
	}
	reply := &PlayReply{Drawing: *d, Mark: f.Mark, Verdict: f.Verdict, Steps: f.Steps, Ended: f.Ended, Link: s.Link()}
	for i, p := range s.Points {
		for _, part := range f.Parts {
			if len(f.Parts) == 1 || part.Class == p.Class {
				reply.Points = append(reply.Points, []float64{part.Alpha[i], part.Scores[i]})
			}
		}
	}
	return reply, nil
}
