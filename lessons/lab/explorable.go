//go:build !nofigures

package lab

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"

	"github.com/svmkit/course/plots"
)

// Explorable is a figure with something to move: a function from a [State] to a figure, with a
// claim.
//
// The claim is checked in every state that is shown. Three functions use an Explorable:
//
//   - [Explore] in a running cell draws and checks some states and stores them as pictures,
//   - the live page calls Draw and Check in the reader's browser for any state,
//   - [Live] draws and checks for a reader at a running kernel.
//
// Draw and Check must not print, must keep nothing between two calls, and must answer every valid
// state within a few hundredths of a second. Draw returns an error for a state that cannot be
// drawn. Set the ranges of the axes in Draw, so that they stay in place while the state moves.
type Explorable struct {
	Sliders []Slider
	Choices []Choice
	// Points are the points to drag. Their coordinates are in the first plot of the figure,
	// whose axes must be linear.
	Points []Point

	Draw  func(s State) (*plots.Figure, error)
	Check func(s State) error // nil if the claim holds
	Claim string              // words of the claim

	// States are stored and checked in this order, after the state at the start unless it is among
	// them. If one slider is the only thing to move, States may be empty: all its values are
	// stored.
	States []Named
}

// Slider moves a number.
type Slider struct {
	Label   string    // name of the number: "half-margin γ"
	Values  []float64 // positions, rising; whole numbers 1, 2, 3, … make a stepper
	Default int       // position at the start, as an index of Values
}

// Choice takes one of several options.
type Choice struct {
	Label   string   `json:"label"`
	Options []string `json:"options"`
	Default int      `json:"-"` // option at the start
}

// Point is a point of a plane that a reader drags, or moves with the arrow keys.
type Point struct {
	Label string     `json:"label"` // name, such as "first point, class +1"
	At    [2]float64 `json:"-"`     // place at the start
	// Min and Max bound its place; with Min[1] = Max[1] it moves along x only.
	Min [2]float64 `json:"min"`
	Max [2]float64 `json:"max"`
	// Step is the distance that an arrow key moves it, and a drag is rounded to its multiples;
	// default a fortieth of the longer side of its range.
	Step float64 `json:"step"`
}

// State holds the values that a reader has set: one entry for each slider, choice and point.
type State struct {
	// Sliders are between the first and the last of the slider's values; whole if all values are.
	Sliders []float64   `json:"sliders,omitempty"`
	Choices []int       `json:"choices,omitempty"` // an index of the choice's options
	Points  [][]float64 `json:"points,omitempty"`  // x and y, as rows of a data set
}

// Named is a state with a name, such as "one point on the wrong side".
type Named struct {
	Name  string `json:"name"`
	State `json:"state"`
}

// Start returns the state at the start.
func (e *Explorable) Start() (s State) {
	for _, c := range e.Sliders {
		s.Sliders = append(s.Sliders, c.Values[c.Default])
	}
	for _, c := range e.Choices {
		s.Choices = append(s.Choices, c.Default)
	}
	for _, p := range e.Points {
		s.Points = append(s.Points, slices.Clone(p.At[:]))
	}
	return s
}

// Valid returns nil if s is a state of e, else an error that describes the fault.
func (e *Explorable) Valid(s State) error {
	if len(s.Sliders) != len(e.Sliders) || len(s.Choices) != len(e.Choices) || len(s.Points) != len(e.Points) {
		return fmt.Errorf("a state of %d sliders, %d choices and %d points; there are %d, %d and %d",
			len(s.Sliders), len(s.Choices), len(s.Points), len(e.Sliders), len(e.Choices), len(e.Points))
	}
	for i, c := range e.Sliders {
		if v := s.Sliders[i]; !(c.Values[0] <= v && v <= c.Values[len(c.Values)-1]) || c.whole() && v != math.Round(v) {
			return fmt.Errorf("%s: %g is not one of its positions", c.Label, v)
		}
	}
	for i, c := range e.Choices {
		if k := s.Choices[i]; k < 0 || k >= len(c.Options) {
			return fmt.Errorf("%s: %d is not one of its %d options", c.Label, k, len(c.Options))
		}
	}
	for i, p := range e.Points {
		at := s.Points[i]
		if len(at) != 2 {
			return fmt.Errorf("%s: %d coordinates, not 2", p.Label, len(at))
		}
		for j, v := range at {
			if !(p.Min[j] <= v && v <= p.Max[j]) {
				return fmt.Errorf("%s: (%g, %g) is outside of its range", p.Label, at[0], at[1])
			}
		}
	}
	return nil
}

// ID returns the name of the explorable in its page. It is the same in every run, and differs
// between definitions.
func (e *Explorable) ID() string {
	h := fnv.New32a()
	fmt.Fprint(h, e.Claim, e.Sliders, e.Choices, e.Points, e.States)
	return fmt.Sprintf("explorable-%08x", h.Sum32())
}

// validate returns the fault of the definition, or nil.
func (e *Explorable) validate() error {
	if e.Draw == nil || e.Check == nil || e.Claim == "" {
		return errors.New("an explorable has a figure to draw, a claim, and a check of it")
	}
	for _, c := range e.Sliders {
		rises := len(c.Values) > 1
		for i, v := range c.Values {
			rises = rises && finite(v) && (i == 0 || v > c.Values[i-1])
		}
		if !rises {
			return fmt.Errorf("%q: a slider has two or more values, which rise", c.Label)
		}
		if c.Default < 0 || c.Default >= len(c.Values) {
			return fmt.Errorf("%q: a slider has a default position: got %d of %d", c.Label, c.Default, len(c.Values))
		}
	}
	for _, p := range e.Points {
		if err := Finite(p.Label, p.Min[0], p.Min[1], p.Max[0], p.Max[1], p.Step); err != nil || p.Step < 0 {
			return fmt.Errorf("%q: the range and the step of a point are finite", p.Label)
		}
	}
	states, _ := e.Stored()
	for _, s := range states {
		if err := e.Valid(s.State); err != nil {
			return fmt.Errorf("state %q: %w", s.Name, err)
		}
	}
	if len(states) < 2 {
		return errors.New("an explorable stores states beside the one at the start")
	}
	return nil
}

// single returns the only slider if there is nothing else to move, or nil.
func (e *Explorable) single() *Slider {
	if len(e.Sliders) == 1 && len(e.Choices)+len(e.Points) == 0 {
		return &e.Sliders[0]
	}
	return nil
}

// Stored returns the states that are drawn when the cell runs, and the index of the state at the
// start.
func (e *Explorable) Stored() (states []Named, first int) {
	if c := e.single(); c != nil && e.States == nil {
		for _, v := range c.Values {
			states = append(states, Named{fmt.Sprintf("%.3g", v), State{Sliders: []float64{v}}})
		}
		return states, c.Default
	}
	start := e.Start()
	if k := slices.IndexFunc(e.States, func(s Named) bool { return reflect.DeepEqual(s.State, start) }); k >= 0 {
		return e.States, k
	}
	return append([]Named{{"start", start}}, e.States...), 0
}

func (c *Slider) whole() bool {
	return !slices.ContainsFunc(c.Values, func(v float64) bool { return v != math.Round(v) })
}

// between is the number of steps of a slider from one value to the next, if it draws each position.
const between = 8

// Positions returns the positions of a slider that draws each of them: its values, and steps evenly
// between them.
//
// Between whole numbers there are whole numbers only.
func (c *Slider) Positions() []float64 {
	positions, whole := c.Values[:1:1], c.whole()
	for k, v := range c.Values[1:] {
		last, steps := c.Values[k], float64(between)
		if whole && v-last <= 10 {
			steps = v - last
		}
		for i := 1.0; i < steps; i++ {
			p := last + i/steps*(v-last)
			if whole {
				p = math.Round(p)
			}
			positions = append(positions, p)
		}
		positions = append(positions, v)
	}
	return positions
}
