package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/lessons/lab"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// cells has two explorables: a line with a point to drag, whose claim fails where the line turns by more than 45°, and a stepper.
func cells() {
	lab.Check("claims outside are not checked", false, "")
	lab.Explore(lab.Explorable{
		Sliders: []lab.Slider{{Label: "turn", Values: []float64{0, 90}}},
		Points:  []lab.Point{{Label: "point", At: [2]float64{1, 1}, Min: [2]float64{-2, -2}, Max: [2]float64{2, 2}}},
		Claim:   "at most 45°",
		Check:   func(s lab.State) error { return lab.AtMost("turn", s.Sliders[0], 45, 0) },
		Draw: func(s lab.State) (*plots.Figure, error) {
			set, err := svmkit.NewDataset([][]float64{s.Points[0], {-1, -1}}, []float64{1, -1})
			if err != nil {
				return nil, err
			}
			if s.Points[0][0] == s.Points[0][1] && s.Points[0][0] < 0 {
				panic("a point without a picture")
			}
			return figures.SignedMargins(set, svmkit.Hyperplane{W: []float64{90 - s.Sliders[0], s.Sliders[0]}})
		},
		States: []lab.Named{{Name: "moved", State: lab.State{Sliders: []float64{0}, Points: [][]float64{{2, 0}}}}},
	})
	lab.Explore(lab.Explorable{
		Sliders: []lab.Slider{{Label: "step", Values: []float64{1, 2, 3}, Default: 1}},
		Claim:   "nothing",
		Check:   func(lab.State) error { return nil },
		Draw:    func(s lab.State) (*plots.Figure, error) { return figures.BiasShift([]float64{1, 0}, s.Sliders) },
	})
}

// ask calls a function and decodes its reply.
func ask[T any](t *testing.T, f Handlers, name, request string) (reply T, failed string) {
	t.Helper()
	text := f.Answer(name, []byte(request))
	var e struct{ Error string }
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatalf("%s %s: %v in %q", name, request, err, text)
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatal(err)
	}
	return reply, e.Error
}

func TestOpenAndDraw(t *testing.T) {
	f := Lessons(map[string]func(){"03-why": cells})
	opened, failed := ask[OpenReply](t, f, "open", `{"lesson":"03-why"}`)
	if failed != "" || len(opened.Explorables) != 2 {
		t.Fatalf("%s: %+v", failed, opened)
	}
	turn, step := opened.Explorables[0], opened.Explorables[1]
	if len(turn.Points) != 1 || turn.Points[0].Step != 0.1 || !turn.Named || turn.First != 0 || len(turn.Stored) != 2 || turn.Sliders[0].Stepper {
		t.Errorf("%+v", turn)
	}
	if step.First != 1 || step.Named || !step.Sliders[0].Stepper || len(step.Sliders[0].Positions) != 3 || step.Points == nil || step.Choices == nil {
		t.Errorf("%+v", step)
	}
	draw := func(state string) (Drawing, string) {
		return ask[Drawing](t, f, "draw", fmt.Sprintf(`{"lesson":"03-why","id":%q,"state":%s}`, turn.ID, state))
	}
	d, failed := draw(`{"sliders":[30],"points":[[1,0.5]]}`)
	if failed != "" || !strings.HasPrefix(d.SVG, "<?xml") || !strings.Contains(d.SVG, "</svg>") || d.Caption == "" || d.Alt == "" || d.Fails != "" || d.Claim != "at most 45°" {
		t.Errorf("%s: %+v", failed, d)
	}
	if w := d.Window; w == nil || !(0 < w.Left && w.Left < w.Right && w.Right < d.Width && 0 < w.Top && w.Top < w.Bottom && w.Bottom < d.Height && w.XMin < w.XMax && w.YMin < w.YMax) {
		t.Errorf("the window %+v in %g × %g", w, d.Width, d.Height)
	}
	if d, failed := draw(`{"sliders":[60],"points":[[1,0.5]]}`); failed != "" || !strings.Contains(d.Fails, "turn: got 60, want at most 45") || d.SVG == "" {
		t.Errorf("a state in which the claim fails: %s, %q", failed, d.Fails)
	}
	plain, failed := ask[Drawing](t, f, "draw", fmt.Sprintf(`{"lesson":"03-why","id":%q,"state":{"sliders":[3]}}`, step.ID))
	if failed != "" || plain.Window != nil {
		t.Errorf("%s: a window without points, %+v", failed, plain.Window)
	}

	for state, says := range map[string]string{
		`{}`:                                     "a state of 0 sliders",
		`null`:                                   "a state of 0 sliders",
		`{"sliders":[91],"points":[[1,1]]}`:      "turn: 91 is not one of its positions",
		`{"sliders":[45.5],"points":[[1,1]]}`:    "not one of its positions",
		`{"sliders":[1e999],"points":[[1,1]]}`:   "cannot unmarshal",
		`{"sliders":["NaN"],"points":[[1,1]]}`:   "cannot unmarshal",
		`{"sliders":[0],"points":[[1]]}`:         "1 coordinates",
		`{"sliders":[0],"points":[[1,1],[1,1]]}`: "2 points",
		`{"sliders":[0],"points":[[3,1]]}`:       "outside of its range",
		`{"sliders":[0],"points":[[-1,-1]]}`:     "a point without a picture",
		`[`:                                      "looking for beginning of value",
	} {
		if d, failed := draw(state); !strings.Contains(failed, says) || d.SVG != "" {
			t.Errorf("%s: %q, want %q", state, failed, says)
		}
	}
	for _, c := range [][3]string{
		{"open", `{"lesson":"99-none"}`, `no lesson "99-none"`}, {"draw", `{"lesson":"99-none"}`, `no lesson`}, {"draw", `{"lesson":"03-why","id":"x"}`, `no explorable "x"`},
		{"open", ``, "unexpected end"}, {"shut", `{}`, `no function "shut"`},
	} {
		if _, failed := ask[OpenReply](t, f, c[0], c[1]); !strings.Contains(failed, c[2]) {
			t.Errorf("%s %s: %q, want %q", c[0], c[1], failed, c[2])
		}
	}
}

// A state is read as it was written.
func TestStateAsJSON(t *testing.T) {
	for _, s := range []lab.State{{}, {Sliders: []float64{-0.1, 1e-300}}, {Choices: []int{2}, Points: [][]float64{{0.1, -3}, {1, 2}}}} {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again lab.State
		if err := json.Unmarshal(text, &again); err != nil || fmt.Sprint(again) != fmt.Sprint(s) {
			t.Errorf("%v as %s is %v, %v", s, text, again, err)
		}
	}
}

func TestFunctionsThatFail(t *testing.T) {
	f := Handlers{
		"panics":  func(json.RawMessage) (any, error) { panic("no more") },
		"channel": func(json.RawMessage) (any, error) { return make(chan int), nil },
	}
	for name, says := range map[string]string{"panics": "live: panics: no more", "channel": "unsupported type"} {
		if _, failed := ask[OpenReply](t, f, name, `{}`); !strings.Contains(failed, says) {
			t.Errorf("%s: %q", name, failed)
		}
	}
}
