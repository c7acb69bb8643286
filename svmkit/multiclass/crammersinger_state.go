package multiclass

import (
	"cmp"
	"errors"
	"math"

	"github.com/svmkit/course/svmkit"
)

// iterate is the state of a Crammer–Singer fit. Invariant between steps, up to the rounding
// that certify removes: w holds wₖ = Σᵢ αᵢₖxᵢ, and α is feasible.
type iterate struct {
	classes  Classes
	features int            // d without the constant feature
	named    svmkit.Columns // their names
	biased   bool           // there is a constant feature
	x        []svmkit.Row   // n rows, with the constant feature 1 as their last column
	y        []int          // their classes, 0 … k−1
	square   []float64      // ‖xᵢ‖²
	k        int            // K, the number of classes
	c        []float64      // Cᵢ ≥ 0

	alpha []float64 // n×K, row by row
	w     []float64 // d×K: the K weights of a feature lie together, as every step needs them all

	g       []float64 // K: gradient at one row
	next    []float64 // K: its new α
	sorted  []float64 // K: scratch of the small problem
	active  []int32   // the rows with Cᵢ > 0, those that the current round visits first
	visits  int       // rows visited; as many as are active make a pass
	updates int       // rows changed

	interrupted func() bool // whether to end early
}

func (p CrammerSinger) prepare() (*iterate, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	set := p.Data
	classes, class, _, err := readClasses(set)
	if err != nil {
		return nil, err
	}
	s := &iterate{classes: classes, features: set.Dim, named: svmkit.Columns{Features: set.Features, Label: set.Label}, biased: p.Bias == svmkit.PenalizedBias, y: class, k: classes.Count, c: make([]float64, set.Len())}
	if s.biased {
		set = set.Augment(1)
	}
	s.x = set.X
	s.alpha, s.w = make([]float64, set.Len()*s.k), make([]float64, set.Dim*s.k)
	s.g, s.next, s.sorted = make([]float64, s.k), make([]float64, s.k), make([]float64, s.k)
	s.square = make([]float64, set.Len())
	for i, x := range s.x {
		if set.RowWeight(i) == 0 {
			continue
		}
		s.square[i], s.c[i] = x.SquaredNorm(), cmp.Or(p.C, 1)*set.RowWeight(i)
		if s.c[i] == 0 || math.IsInf(s.c[i], 1) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: s.c[i], Err: errCost}
		}
		s.active = append(s.active, int32(i))
		if s.square[i] == 0 { // changes no w and its loss is 1: its best α does not depend on w
			other := (s.y[i] + 1) % s.k
			s.row(i)[s.y[i]], s.row(i)[other] = s.c[i], -s.c[i]
		}
	}
	return s, nil
}

var errCost = errors.New("the cost of a row, C times its weight, must be positive and finite")

// row returns αᵢ, K numbers.
func (s *iterate) row(i int) []float64 { return s.alpha[i*s.k : (i+1)*s.k] }

func (s *iterate) passes() int { return (s.visits + len(s.active) - 1) / len(s.active) }

// certify makes α feasible, rebuilds w from it, and returns the model with its certificate.
func (s *iterate) certify() *Solution {
	clear(s.w)
	out := &Solution{Alpha: make([][]float64, len(s.x))}
	for i, x := range s.x {
		s.repair(i)
		s.addTo(x, s.row(i))
		out.Alpha[i] = append([]float64(nil), s.row(i)...)
		out.Dual += s.row(i)[s.y[i]]
	}
	square := 0.0
	for _, v := range s.w {
		square += v * v
	}
	out.Dual -= square / 2
	out.Primal = square / 2
	for i, x := range s.x {
		if s.c[i] == 0 {
			continue
		}
		s.gradient(i, x)
		most := math.Inf(-1)
		for _, v := range s.g {
			most = max(most, v)
		}
		out.Primal += s.c[i] * (most - s.g[s.y[i]])
		out.KKT = max(out.KKT, s.violation(i))
	}
	out.Gap = out.Primal - out.Dual
	out.Linear = s.linear()
	return out
}

// repair makes αᵢ feasible: see [CrammerSinger.Certify].
func (s *iterate) repair(i int) {
	alpha, y := s.row(i), s.y[i]
	sum := 0.0
	for k, v := range alpha {
		if k != y {
			alpha[k] = min(v, 0)
			sum -= alpha[k]
		}
	}
	if sum > s.c[i] {
		for k := range alpha {
			alpha[k] *= s.c[i] / sum
		}
		sum = s.c[i]
	}
	alpha[y] = sum
}

// linear copies w into K planes; the weight of the constant feature 1 is the bias.
func (s *iterate) linear() Linear {
	l := Linear{Classes: s.classes, Trained: s.named, W: make([][]float64, s.k), B: make([]float64, s.k)}
	for k := range l.W {
		l.W[k] = make([]float64, s.features)
		for j := range l.W[k] {
			l.W[k][j] = s.w[j*s.k+k]
		}
		if s.biased {
			l.B[k] = s.w[s.features*s.k+k]
		}
	}
	return l
}

// addTo adds aₖ·x to every wₖ.
func (s *iterate) addTo(x svmkit.Row, a []float64) {
	for j, v := range x.Value {
		if x.Index != nil {
			j = int(x.Index[j])
		}
		w := s.w[j*s.k : (j+1)*s.k]
		for k, u := range a {
			w[k] += v * u
		}
	}
}

// gradient sets g to the gradient of −D in αᵢ: gₖ = ⟨wₖ,xᵢ⟩ + eᵢₖ.
func (s *iterate) gradient(i int, x svmkit.Row) {
	for k := range s.g {
		s.g[k] = 1
	}
	s.g[s.y[i]] = 0
	for j, v := range x.Value {
		if x.Index != nil {
			j = int(x.Index[j])
		}
		w := s.w[j*s.k : (j+1)*s.k]
		for k, u := range w {
			s.g[k] += v * u
		}
	}
}
