package pegasos

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// pegasosPoint is w after t steps, as a number times a vector:
//
//	w = ρ/(λt)·v
//
// The factor (1 − 1/t) of a step turns 1/(λ(t−1)) into 1/(λt), so that v only ever grows by
// the rows that violate: without projection ρ = 1 and v = Σ κᵢyᵢxᵢ/k over all violations so far. A
// projection by the factor p multiplies ρ by p; a row added later is divided by ρ.
//
// The mean of the iterates is as cheap. Step s > from has the weight s − from, and
//
//	Σ (s−from)·w_s = (1/λ)·Σ ρ_s·(s−from)/s·v_s = (1/λ)·(R·v − Σ R_before·added)
//
// with R = Σ ρ_s·(s−from)/s and R_before what R was when a row was added: whoever adds keeps the
// second sum. It loses digits if ρ falls far, and so the mean starts anew when ρ has
// fallen to leastRho.
type Point struct {
	lambda  float64
	project bool      // onto the ball of radius 1/√λ
	early   int       // the first steps, longer than the radius and left out of the mean
	from    int       // the mean is taken over the steps after this one
	V       []float64 // length d; it grows if rows of a stream bring new columns
	bias    bool      // a constant feature 1
	B       float64   // its entry of v
	T       int       // steps made
	Rho     float64   // 0 < ρ ≤ 1
	Sum     float64   // R ≥ 0
	square  float64   // ‖v‖², bias included; kept for project only
}

const (
	leastRho      = 1e-4  // so the mean keeps 12 digits
	leastRhoEarly = 1e-60 // no mean to spoil; ‖v‖² stays far below overflow
)

func NewPoint(lambda float64, dim int, bias bool) Point {
	return Point{lambda: lambda, V: make([]float64, dim), bias: bias, Rho: 1}
}

// score returns f(x) at w. At t = 0, w = 0.
func (w *Point) Score(x svmkit.Row) float64 {
	if w.T == 0 {
		return 0
	}
	return w.Rho / (w.lambda * float64(w.T)) * (x.Dot(w.V) + w.B)
}

// add adds g·x/(λt) to the w of the step that finish will end, and returns the multiple
// of x that v has grown by.
func (w *Point) Add(x svmkit.Row, g float64) float64 {
	a := g / w.Rho
	if w.project {
		dot, square := x.Dot(w.V), x.SquaredNorm()
		if w.bias {
			dot, square = dot+w.B, square+1
		}
		w.square += 2*a*dot + a*a*square
	}
	x.AddTo(w.V, a)
	if w.bias {
		w.B += a
	}
	return a
}

// finish ends a step: it counts it, projects, and takes w into the mean. It returns 1, or, if
// the mean starts anew, the factor by which v was rescaled; then what the caller keeps has to
// be rescaled too, and the second sum is 0.
func (w *Point) Finish() (rescale float64) {
	w.T++
	if w.project {
		// ‖w‖ = ρ‖v‖/(λt) ≤ 1/√λ
		if limit := math.Sqrt(w.lambda) * float64(w.T); w.Rho*math.Sqrt(max(0, w.square)) > limit {
			w.Rho = limit / math.Sqrt(w.square)
		}
		if w.Rho < leastRhoEarly || w.T > w.early && w.Rho < leastRho {
			return w.restart()
		}
		if w.T <= w.early {
			w.from = w.T
			return 1
		}
	}
	w.Sum += w.Rho * float64(w.T-w.from) / float64(w.T)
	return 1
}

// restart moves ρ into v and begins a new mean.
func (w *Point) restart() (rescale float64) {
	rescale = w.Rho
	for j := range w.V {
		w.V[j] *= rescale
	}
	w.B *= rescale
	w.square *= rescale * rescale
	w.Rho, w.from, w.Sum = 1, w.T, 0
	return rescale
}

// model turns one entry of v, and of the sum over R_before·added, into the entry of the mean,
// or of w itself if last is set or the mean has not begun.
func (w *Point) Model(v, since float64, last bool) float64 {
	if w.T == 0 {
		return 0
	}
	if last || w.T <= w.from {
		return w.Rho / (w.lambda * float64(w.T)) * v
	}
	steps := float64(w.T - w.from)
	return (w.Sum*v - since) / (w.lambda * steps * (steps + 1) / 2)
}
