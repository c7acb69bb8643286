package lab

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
)

// movable has one thing of each kind to move.
func movable() Explorable {
	return Explorable{
		Sliders: []Slider{{Label: "b", Values: []float64{-1, 0.5, 1}, Default: 1}, {Label: "step", Values: []float64{1, 2, 5}}},
		Choices: []Choice{{Label: "normal", Options: []string{"(1, 0)", "(0, 1)"}, Default: 1}},
		Points: []Point{{Label: "first", At: [2]float64{0, 0}, Min: [2]float64{-1, -1}, Max: [2]float64{1, 1}},
			{Label: "second", At: [2]float64{2, 0}, Min: [2]float64{1, 0}, Max: [2]float64{3, 0}}},
		Claim: "b is no more than ½",
		Check: func(s State) error { return AtMost("b", s.Sliders[0], 0.5, 0) },
		Draw: func(s State) (*plots.Figure, error) {
			set, err := svmkit.NewDataset(s.Points, []float64{1, -1})
			if err != nil {
				return nil, err
			}
			w := []float64{0, 0}
			w[s.Choices[0]] = 1
			return figures.SignedMargins(set, svmkit.Hyperplane{W: w, B: s.Sliders[0]})
		},
		States: []Named{{"moved", State{Sliders: []float64{-0.25, 3}, Choices: []int{0}, Points: [][]float64{{1, -1}, {3, 0}}}}},
	}
}

func TestStates(t *testing.T) {
	e := movable()
	if err := e.validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*State){
		"no slider":                 func(s *State) { s.Sliders = nil },
		"a slider too many":         func(s *State) { s.Sliders = append(s.Sliders, 1) },
		"NaN":                       func(s *State) { s.Sliders[0] = math.NaN() },
		"an infinity":               func(s *State) { s.Sliders[0] = math.Inf(1) },
		"below the first value":     func(s *State) { s.Sliders[0] = -1.01 },
		"above the last value":      func(s *State) { s.Sliders[0] = 1.01 },
		"half a step":               func(s *State) { s.Sliders[1] = 1.5 },
		"no choice":                 func(s *State) { s.Choices = []int{} },
		"an option below the first": func(s *State) { s.Choices[0] = -1 },
		"an option after the last":  func(s *State) { s.Choices[0] = 2 },
		"no point":                  func(s *State) { s.Points = nil },
		"a point too few":           func(s *State) { s.Points = s.Points[:1] },
		"a point without height":    func(s *State) { s.Points[0] = []float64{0} },
		"a point of three numbers":  func(s *State) { s.Points[0] = []float64{0, 0, 0} },
		"a point at NaN":            func(s *State) { s.Points[0][1] = math.NaN() },
		"a point out of range":      func(s *State) { s.Points[0][0] = 1.5 },
		"a point off its line":      func(s *State) { s.Points[1][1] = 0.1 },
	} {
		s := e.Start()
		if err := e.Valid(s); err != nil {
			t.Fatal(err)
		}
		spoil(&s)
		if f, verdict, err := e.At(s); err == nil || f != nil || verdict != nil {
			t.Errorf("%s: %v, %v, %v; want an error only", name, f, verdict, err)
		}
	}
	if p := e.Points[0].At; p != [2]float64{0, 0} {
		t.Errorf("a state that was changed moved the definition to %v", p)
	}
}

// What is wrong with a definition is said before anything is drawn.
func TestDefinitions(t *testing.T) {
	for says, spoil := range map[string]func(*Explorable){
		"a figure to draw":          func(e *Explorable) { e.Draw = nil },
		"a check of it":             func(e *Explorable) { e.Check = nil },
		"a claim":                   func(e *Explorable) { e.Claim = "" },
		"values, which rise":        func(e *Explorable) { e.Sliders[0].Values = []float64{1} },
		"two or more values":        func(e *Explorable) { e.Sliders[0].Values = []float64{1, 0, 2} },
		"which rise":                func(e *Explorable) { e.Sliders[0].Values = []float64{0, 1, math.NaN()} },
		"got 3 of 3":                func(e *Explorable) { e.Sliders[0].Default = 3 },
		"normal: 2 is not one":      func(e *Explorable) { e.Choices[0].Default = 2 },
		"step of a point":           func(e *Explorable) { e.Points[0].Max[0] = math.Inf(1) },
		"are finite":                func(e *Explorable) { e.Points[0].Step = -1 },
		"outside of its range":      func(e *Explorable) { e.Points[0].At[0] = 2 },
		`state "moved": a state of`: func(e *Explorable) { e.States[0].State = State{} },
		"stores states beside":      func(e *Explorable) { e.States = nil },
	} {
		e := movable()
		spoil(&e)
		printed, ended := watch(t, func() { Explore(e) })
		if !ended || !strings.Contains(printed, says) || strings.Count(printed, "\n") != 1 {
			t.Errorf("%q: printed %q", says, printed)
		}
		if found, err := Collect(func() { Explore(e) }); err == nil || found != nil {
			t.Errorf("%q: collected %v, %v", says, found, err)
		}
	}
}

// Draw and Check may use Must; what fails in them ends nothing where the page draws.
func TestAt(t *testing.T) {
	e := movable()
	s := e.Start()
	s.Sliders[0] = 1
	printed, ended := watch(t, func() {
		f, verdict, err := e.At(s)
		if f == nil || err != nil || verdict == nil || !strings.Contains(verdict.Error(), "b: got 1, want at most 0.5") {
			t.Errorf("a claim that falls: %v, %v, %v", f, verdict, err)
		}
		draw := e.Draw
		for says, fails := range map[string]func(State) (*plots.Figure, error){
			"no data": func(State) (*plots.Figure, error) { return nil, errors.New("no data") },
			"no file": func(s State) (*plots.Figure, error) { return Must(draw(s)), Must(error(nil), errors.New("no file")) },
			"no luck": func(s State) (*plots.Figure, error) { panic("no luck") },
		} {
			e.Draw = fails
			if _, _, err := e.At(s); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", says, err)
			}
		}
	})
	if printed != "" || ended {
		t.Errorf("printed %q, ended %v", printed, ended)
	}
}

// The page collects what a lesson's cells explore, without the rest of what they do.
func TestCollect(t *testing.T) {
	printed, ended := watch(t, func() {
		found, err := Collect(func() {
			Check("falls", false, "")
			Holds("falls", errors.New(""))
			Each("", []int{1}, func(int, int) error { t.Error("a claim was checked"); return nil })
			Exercise("1", func(int) error { t.Error("an exercise was checked"); return nil }, 1)
			Show(nil)
			Explore(movable())
			Explore(movable())
		})
		if err != nil || len(found) != 2 || found[0].ID() != found[1].ID() || found[0].Claim != movable().Claim {
			t.Errorf("%d explorables, %v", len(found), err)
		}
		if _, err := Collect(func() { Must(0, errors.New("no file")) }); err == nil || !strings.Contains(err.Error(), "no file") {
			t.Errorf("a cell that fails: %v", err)
		}
	})
	if printed != "" || ended {
		t.Errorf("printed %q, ended %v", printed, ended)
	}
	if printed, _ := watch(t, func() { Explore(movable()) }); !strings.Contains(printed, "✓ b is no more than ½\n") ||
		!strings.Contains(printed, "To move: b; step; normal; first; second. Stored states: start; moved.") {
		t.Errorf("afterwards: %s", printed)
	}
}
