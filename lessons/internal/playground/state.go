// Package playground computes what the playground page of the website shows.
//
// A reader places points in the plane and chooses a kernel, a loss and other settings. The package solves
// the resulting problem of package svm, or runs some steps of a training algorithm. It returns a figure,
// a link, a table and a Go program. Everything is computed from a [State], without random numbers or the
// clock, so the same state gives the same answer.
package playground

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// Bounds of a state.
const (
	MaxPoints  = 300
	MaxClasses = 5
	MaxSteps   = 2000
	MaxLink    = 16 << 10 // bytes
	maxFormula = 200      // bytes
)

// The plane: |x₁| ≤ Width/2 and |x₂| ≤ Height/2. In a regression the second axis is the target.
const (
	Width  = 8.0
	Height = 6.0
)

// State is all that a reader can set.
type State struct {
	Task    string  `json:"task"`    // one of Tasks
	Kernel  string  `json:"kernel"`  // one of Kernels
	Formula string  `json:"formula"` // of the kernel "formula": see Formula
	Gamma   float64 `json:"gamma"`   // γ of the kernels rbf and polynomial
	Degree  int     `json:"degree"`  // p of the kernel polynomial
	Coef0   float64 `json:"coef0"`   // c₀ of the kernel polynomial
	Loss    string  `json:"loss"`    // one of Losses
	C       float64 `json:"c"`
	Epsilon float64 `json:"epsilon"` // ε, half-width of the tube of a regression
	Bias    string  `json:"bias"`    // one of Biases
	Train   string  `json:"train"`   // one of Trainings
	Step    int     `json:"step"`    // how many steps a training has gone
	Points  []Point `json:"points"`
}

// Point is an example: a row of two columns and its class, or in a regression of one column and its target.
type Point struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Class int     `json:"class"` // two classes: 0 is y = −1, 1 is y = +1
}

// What the fields of a state can be.
var (
	Tasks     = []string{"two", "several", "regression"}
	Kernels   = []string{"linear", "polynomial", "rbf", "formula"}
	Losses    = []string{"hinge", "squared", "logistic"} // in a regression beyond the tube: "hinge" is the distance, "squared" its square
	Biases    = []string{"free", "penalized", "none"}
	Trainings = []string{"solved", "perceptron", "coordinate", "pairs"}
)

// Error says which field of a state cannot be used, and what it needs.
type Error struct{ Field, Need string }

func (e *Error) Error() string { return e.Field + ": " + e.Need }

// Start is the state that the page opens with.
func Start() State {
	return State{Task: "two", Kernel: "rbf", Formula: "(1 + dot)^2", Gamma: 0.2, Degree: 3, Coef0: 1, Loss: "hinge", C: 10, Epsilon: 0.3,
		Bias: "free", Train: "solved", Points: []Point{
			{-2.4, 0.6, 0}, {-1.8, -1, 0}, {-1.2, 1.4, 0}, {-0.6, -0.4, 0}, {0.2, 1.1, 0}, {-2.8, -0.6, 0},
			{0.4, -1.6, 1}, {1.2, -0.2, 1}, {1.6, 1.6, 1}, {2.4, 0.4, 1}, {2.2, -1.2, 1}, {-0.4, -1.8, 1}}}
}

// Validate returns nil, or a [*Error] for the first field that is out of its range.
func (s State) Validate() error {
	for _, f := range []struct {
		name, value string
		of          []string
	}{{"task", s.Task, Tasks}, {"kernel", s.Kernel, Kernels}, {"loss", s.Loss, Losses}, {"bias", s.Bias, Biases}, {"train", s.Train, Trainings}} {
		if !slices.Contains(f.of, f.value) {
			return &Error{f.name, fmt.Sprintf("%.20q is not one of %s", f.value, strings.Join(f.of, ", "))}
		}
	}
	for _, f := range []struct {
		name          string
		value, lo, hi float64
	}{{"C", s.C, 1e-3, 1e4}, {"γ", s.Gamma, 1e-2, 10}, {"degree", float64(s.Degree), 1, 5}, {"c₀", s.Coef0, 0, 10}, {"ε", s.Epsilon, 0, 2}, {"step", float64(s.Step), 0, MaxSteps}} {
		if !(f.lo <= f.value && f.value <= f.hi) {
			return &Error{f.name, fmt.Sprintf("%g is not a number from %g to %g", f.value, f.lo, f.hi)}
		}
	}
	if len(s.Points) > MaxPoints {
		return &Error{"points", fmt.Sprintf("there are %d, and at most %d are drawn while one is dragged", len(s.Points), MaxPoints)}
	}
	for i, p := range s.Points {
		if !(math.Abs(p.X) <= Width/2 && math.Abs(p.Y) <= Height/2) {
			return &Error{"points", fmt.Sprintf("point %d, (%g, %g), is not in the plane: |x| ≤ %g, |y| ≤ %g", i+1, p.X, p.Y, Width/2, Height/2)}
		}
		if most := s.classes(); p.Class < 0 || p.Class >= most {
			return &Error{"points", fmt.Sprintf("point %d has the class %d of 0 … %d", i+1, p.Class, most-1)}
		}
	}
	if s.Kernel == "formula" {
		if _, err := ParseFormula(s.Formula, s.columns()); err != nil {
			return err
		}
	} else if len(s.Formula) > maxFormula {
		return &Error{"formula", fmt.Sprintf("longer than %d characters", maxFormula)}
	}
	switch {
	case s.Loss == "logistic" && s.Task == "regression":
		return &Error{"loss", "the logistic loss is for classes; take hinge or squared"}
	case s.Loss == "logistic" && s.Kernel != "linear":
		return &Error{"loss", "the logistic loss is solved with the linear kernel only; take hinge or squared"}
	case s.Train == "solved":
	case s.Task == "several":
		return &Error{"training", "one model a class is trained by itself: take two classes to go step by step"}
	case s.Loss == "logistic":
		return &Error{"training", "no step here is for the logistic loss; take hinge or squared"}
	case s.Train == "perceptron" && s.Task == "regression":
		return &Error{"training", "the perceptron is for two classes"}
	case s.Train == "pairs" && s.Bias != "free":
		return &Error{"training", "pairs keep Σβ = 0, which a free bias asks for: take the bias free, or coordinate ascent"}
	case s.Train != "pairs" && s.Bias == "free":
		return &Error{"training", "a free bias ties the coordinates by Σβ = 0, and one cannot change alone: take the bias penalized or none, or pairs"}
	}
	return nil
}

// classes is how many classes the points of the task can have. A regression keeps their classes for later.
func (s State) classes() int {
	if s.Task == "two" {
		return 2
	}
	return MaxClasses
}

// columns is how many coordinates a row has.
func (s State) columns() int {
	if s.Task == "regression" {
		return 1
	}
	return 2
}

// data returns the points as a data set.
func (s State) data() *svmkit.Dataset {
	d := &svmkit.Dataset{Dim: s.columns()}
	names := 0
	for _, p := range s.Points {
		switch s.Task {
		case "two":
			d.X, d.Y = append(d.X, svmkit.Dense(p.X, p.Y)), append(d.Y, float64(2*p.Class-1))
		case "several":
			d.X, d.Y = append(d.X, svmkit.Dense(p.X, p.Y)), append(d.Y, float64(p.Class))
			names = max(3, names, p.Class+1) // with two names the labels would be ±1
		case "regression":
			d.X, d.Y = append(d.X, svmkit.Dense(p.X)), append(d.Y, p.Y)
		}
	}
	for k := range names {
		d.Classes = append(d.Classes, string(rune('A'+k)))
	}
	return d
}

// kernel returns the kernel of the problem; nil is the linear one.
func (s State) kernel() (kernel.Kernel, error) {
	switch s.Kernel {
	case "polynomial":
		return kernel.Polynomial{Degree: s.Degree, Gamma: s.Gamma, Coef0: s.Coef0}, nil
	case "rbf":
		return kernel.RBF{Gamma: s.Gamma}, nil
	case "formula":
		return ParseFormula(s.Formula, s.columns())
	}
	return nil, nil
}

func (s State) loss() loss.Trainable {
	switch {
	case s.Task == "regression" && s.Loss == "squared":
		return loss.SquaredEpsInsensitive{Epsilon: s.Epsilon}
	case s.Task == "regression":
		return loss.EpsInsensitive{Epsilon: s.Epsilon}
	case s.Loss == "squared":
		return loss.SquaredHinge{}
	case s.Loss == "logistic":
		return loss.Logistic{}
	}
	return loss.Hinge{}
}

func (s State) bias() svmkit.Bias {
	return []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias}[slices.Index(Biases, s.Bias)]
}

// fields are the entries of a link but the points: a name, how it is written, and how it is read.
func (s *State) fields() []field {
	return []field{text("task", &s.Task), text("kernel", &s.Kernel), text("formula", &s.Formula), number("gamma", &s.Gamma), whole("degree", &s.Degree),
		number("coef0", &s.Coef0), text("loss", &s.Loss), number("c", &s.C), number("epsilon", &s.Epsilon), text("bias", &s.Bias),
		text("train", &s.Train), whole("step", &s.Step)}
}

type field struct {
	name  string
	write func() string
	read  func(string) error
}

func text(name string, at *string) field {
	return field{name, func() string { return *at }, func(v string) error { *at = v; return nil }}
}

func number(name string, at *float64) field {
	return field{name, func() string { return short(*at) }, func(v string) (err error) { *at, err = strconv.ParseFloat(v, 64); return err }}
}

func whole(name string, at *int) field {
	return field{name, func() string { return strconv.Itoa(*at) }, func(v string) (err error) { *at, err = strconv.Atoi(v); return err }}
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Link writes the state as the fragment of an address, without its #. What is as at the start is left out.
func (s State) Link() string {
	start := Start()
	values := url.Values{}
	usual := start.fields()
	for i, f := range s.fields() {
		if v := f.write(); v != usual[i].write() {
			values.Set(f.name, v)
		}
	}
	var points strings.Builder
	for i, p := range s.Points {
		if i > 0 {
			points.WriteByte('~')
		}
		points.WriteString(short(p.X) + "_" + short(p.Y) + "_" + strconv.Itoa(p.Class))
	}
	values.Set("points", points.String())
	return values.Encode()
}

// ParseLink reads what Link has written. Anything else is a [*Error]: it is refused, not guessed.
func ParseLink(link string) (State, error) {
	s := Start()
	s.Points = nil
	if len(link) > MaxLink {
		return State{}, &Error{"link", fmt.Sprintf("it is %d bytes long, and no state needs more than %d", len(link), MaxLink)}
	}
	values, err := url.ParseQuery(link)
	if err != nil {
		return State{}, &Error{"link", "it is damaged: copy the whole address"}
	}
	fields := append(s.fields(), field{name: "points", read: func(v string) error {
		s.Points, err = parsePoints(v)
		return err
	}})
	for name, v := range values {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 || len(v) != 1 {
			return State{}, &Error{"link", fmt.Sprintf("the entry %.20q is unknown or stands twice: copy the whole address", name)}
		}
		if err := fields[i].read(v[0]); err != nil {
			return State{}, &Error{"link", fmt.Sprintf("the entry %.20q is damaged: copy the whole address", name)}
		}
	}
	if err := s.Validate(); err != nil {
		return State{}, err
	}
	return s, nil
}

func parsePoints(v string) (points []Point, err error) {
	if v == "" {
		return nil, nil
	}
	for _, entry := range strings.Split(v, "~") {
		parts := strings.Split(entry, "_")
		if len(parts) != 3 || len(points) == MaxPoints {
			return nil, strconv.ErrSyntax
		}
		var p Point
		for i, read := range []func(string) error{number("", &p.X).read, number("", &p.Y).read, whole("", &p.Class).read} {
			if err := read(parts[i]); err != nil {
				return nil, err
			}
		}
		points = append(points, p)
	}
	return points, nil
}

// Decode reads a state from JSON, and refuses fields that no state has.
func Decode(text []byte) (State, error) {
	var s State
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return State{}, &Error{"state", err.Error()}
	}
	if err := s.Validate(); err != nil {
		return State{}, err
	}
	return s, nil
}
