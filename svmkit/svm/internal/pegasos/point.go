package pegasos

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Point is w after t steps. It is kept as a number times a vector, so that a step costs O(stored
// values of the batch):
//
//	w = ρ/(λt)·v
//
// The factor (1 − 1/t) of a step turns 1/(λ(t−1)) into 1/(λt), so v changes only by the rows that
// violate. Without projection ρ = 1 and v = Σ κᵢyᵢxᵢ/k over all violations so far. A projection by
// the factor p multiplies ρ by p, and a row that is added later is divided by ρ.
//
// The weighted mean is kept in the same way. Step s > from has the weight s − from, and
//
//	Σ (s−from)·w_s = (1/λ)·Σ ρ_s·(s−from)/s·v_s = (1/λ)·(R·v − Σ R_before·added)
//
// where R = Σ ρ_s·(s−from)/s, and R_before is the value of R when a row was added. The caller of
// [Point.Add] keeps the second sum. The difference loses as many digits as ρ has lost, so the mean
// starts again when ρ falls below leastRho.
type Point struct {
	lambda  float64
	project bool      // onto the ball of radius 1/√λ
	early   int       // the first steps, which are longer than the radius; the mean omits them
	from    int       // the mean is taken over the steps after this one
	V       []float64 // of length d; it grows if rows of a stream have new columns
	bias    bool      // a constant feature 1
	B       float64   // its entry of v
	T       int       // steps made
	Rho     float64   // 0 < ρ ≤ 1
	Sum     float64   // R ≥ 0
	square  float64   // ‖v‖² including the bias, for project only
}

const (
	leastRho = 1e-4 // of 16 digits the mean keeps 12
	// leastRhoEarly is the bound before the mean begins. ‖v‖², of the size of 1/ρ², stays far below
	// overflow.
	leastRhoEarly = 1e-60
)

// NewPoint returns w = 0 before the first step.
func NewPoint(lambda float64, dim int, bias bool) Point {
	return Point{lambda: lambda, V: make([]float64, dim), bias: bias, Rho: 1}
}

// Score returns f(x) at w.
func (w *Point) Score(x svmkit.Row) float64 {
	if w.T == 0 {
		return 0
	}
	return w.Rho / (w.lambda * float64(w.T)) * (x.Dot(w.V) + w.B)
}

// Add adds g·x/(λt) to w within the step that [Point.Finish] ends. It returns the multiple of x
// that it has added to v.
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

// Finish ends a step: it counts the step, projects, and adds w to the mean. It returns 1 or, if the
// mean starts again, the factor by which v was rescaled. The caller must then rescale its
// coefficients and set the second sum to 0.
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

// restart multiplies v by ρ, sets ρ to 1 and starts a new mean.
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

// Model returns the entry of the mean that belongs to an entry v of the vector and an entry since
// of the second sum. If last is set or the mean has not begun, it returns the entry of w.
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
