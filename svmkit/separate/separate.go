// Package separate decides whether a plane separates the two classes of a data set, with a proof:
//
//	proof, err := separate.Decide(context.Background(), samples.XOR(), svmkit.FreeBias)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(proof.Answer, len(proof.Common))
//
// The [Proof] of [Decide] is either a plane with every row on its right side, its margin, and a
// bound that the margin of no plane exceeds; or it is a point common to the hulls of both classes,
// as exact fractions. [Proof.Verify] checks either of them without rounding.
//
// The third answer is [Undecided]: the margin is too small for float64 compared with the rows. The
// Plane, Margin and Upper of the proof are then the best ones found. Scale the columns, for example
// with feature.Scaler, and ask again, because scaling does not change whether a plane separates.
// With NoBias do not shift the columns: use feature.MaxAbs or feature.UnitVariance.
//
// The method is based on one geometric fact. Let Z be the set of all differences of a point of the
// positive hull and a point of the negative hull (for planes through the origin, the hull of the
// yᵢxᵢ), and let z be its point nearest to the origin. If z = 0, the hulls share a point and no
// plane separates. Otherwise z is the normal of the plane with the largest margin, and this margin
// is ‖z‖/2 (through the origin, ‖z‖). See lessons/07-dual.md.
//
// The search is the method of Wolfe ("Finding the nearest point in a polytope", Math. Programming
// 11, 1976): a corral of at most d+1 vertices, and finitely many steps of cost O(n·d). It suits up
// to a few hundred columns.
package separate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/svmkit/course/svmkit"
)

// Proof holds the answer whether a plane separates a data set, and proves it.
type Proof struct {
	Answer Answer
	Bias   svmkit.Bias // FreeBias or NoBias: the planes that the question is about

	// If Answer is Separable: the plane found with ‖w‖ = 1, its margin, and the bound that the
	// margin of no plane exceeds, so Margin ≤ maximum ≤ Upper. If it is Undecided: the best plane
	// found, as computed, about which nothing is proved.
	Plane         svmkit.Hyperplane
	Margin, Upper float64

	// If Answer is Inseparable: rows and exact weights of a point common to both hulls. The weights
	// of each class are positive and sum to 1 (with NoBias, the weights of both classes together
	// do, and Σ λᵢyᵢxᵢ = 0). At most d+2 rows have a weight.
	Common []Weight

	Steps int // vertices taken into the corral
}

// Answer is the result that [Decide] has proved.
type Answer int

const (
	// Undecided means that the margin is too small for float64, and neither answer is proved. Scale
	// the columns, for example with feature.Scaler (with NoBias by one that does not shift), and
	// ask again: separability does not depend on their scale.
	Undecided   Answer = iota
	Separable          // there is a plane with every row on its right side
	Inseparable        // there is a point common to both hulls
)

// String returns the answer in words, such as "undecided".
func (a Answer) String() string {
	names := [...]string{"undecided", "separable", "inseparable"}
	if a < 0 || int(a) >= len(names) {
		return "unknown answer"
	}
	return names[a]
}

// Accuracy of the search. The relative gap (Upper−Margin)/Upper is well above the rounding errors
// of the affine solves, which are about 1e-16 times their condition number.
const (
	gapTol  = 1e-10 // stop when the margin is within this fraction of its bound
	zeroTol = 1e-11 // a nearest point closer than zeroTol times R is tried as common point
)

// Decide decides whether a plane separates the set s with labels ±1, and finds the plane with the
// largest margin.
//
// With [svmkit.NoBias] only planes through the origin count, and with any other bias all planes;
// the zero value means [svmkit.FreeBias]. Decide checks its answer in exact arithmetic before it
// returns. Rows of weight 0 are ignored.
//
// The error is a [svmkit.DataError] for invalid data or a row x with an infinite (2‖x‖)², and a
// [svmkit.ParamError] for a nil ctx, an unknown bias, or a Dim that is too large for a plane. If
// ctx ends, it is ctx.Err(), together with the best plane so far.
func Decide(ctx context.Context, s *svmkit.Dataset, bias svmkit.Bias) (*Proof, error) {
	return Watch(ctx, s, bias, nil)
}

// Watch decides as [Decide] does, and calls a progress function, which may be nil.
//
// It calls progress every [svmkit.ProgressEvery] with the number of vertices so far as Updates and
// without a certificate. If progress returns false, Watch returns the best plane so far as
// Undecided, with a nil error.
func Watch(ctx context.Context, s *svmkit.Dataset, bias svmkit.Bias,
	progress func(svmkit.Progress) bool) (*Proof, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	w := &watched{Context: ctx, progress: progress, last: time.Now()}
	if err := s.ValidateBinary(); err != nil {
		return nil, err
	}
	counted, rows := s.WithoutZeroWeights()
	proof, err := w.decide(counted, bias)
	if rows != nil && proof != nil {
		for k := range proof.Common {
			proof.Common[k].Row = rows[proof.Common[k].Row]
		}
	}
	if err == errStopped {
		err = nil
	}
	return proof, err
}

// watched is a context that calls a progress function when it is asked whether it has ended, and
// that ends if the function returns false. Only one goroutine may ask it.
type watched struct {
	context.Context
	progress func(svmkit.Progress) bool // may be nil
	last     time.Time
	steps    int // vertices taken
	stopped  bool
}

var errStopped = errors.New("the progress function returned false")

func (w *watched) Err() error {
	if w.progress != nil && !w.stopped && time.Since(w.last) >= svmkit.ProgressEvery {
		w.stopped = !w.progress(svmkit.Progress{Updates: w.steps, Certificate: svmkit.Unproved()})
		w.last = time.Now()
	}
	if w.stopped {
		return errStopped
	}
	return w.Context.Err()
}

func (ctx *watched) decide(s *svmkit.Dataset, bias svmkit.Bias) (*Proof, error) {
	if err := s.ValidateDim(); err != nil {
		return nil, err
	}
	if err := validateSize(s); err != nil {
		return nil, err
	}
	if bias < 0 || bias > svmkit.NoBias {
		return nil, &svmkit.ParamError{Name: "Bias", Value: int(bias),
			Need: "must be FreeBias, PenalizedBias or NoBias"}
	}
	if bias != svmkit.NoBias {
		bias = svmkit.FreeBias
	}
	proof := &Proof{Bias: bias}
	poly := &polytope{set: s, bias: bias}
	c := newCorral(s.Dim, s.Radius())
	vertex := poly.vertex(nil, c.z)
	for {
		before := c.squaredNorm()
		c.add(vertex)
		// in exact arithmetic ‖z‖ falls at every step
		stalled := proof.Steps > 0 && c.squaredNorm() >= before
		proof.Steps++
		ctx.steps = proof.Steps
		vertex = poly.vertex(c.z, vertex.point)
		proof.set(c.z, vertex, poly)
		zero := math.Sqrt(c.squaredNorm()) <= zeroTol*s.Radius()
		switch {
		case zero, stalled, proof.Margin >= (1-gapTol)*proof.Upper:
			if zero {
				if proof.Common = commonPoint(ctx, s, bias, poly.marginals(c)); ctx.Err() != nil {
					return proof, ctx.Err()
				}
			}
			proof.decide(s)
			return proof, nil
		case ctx.Err() != nil:
			return proof, ctx.Err()
		}
	}
}

// validateSize refuses rows if the squared norm of their differences, which are up to 2R long,
// overflows.
func validateSize(s *svmkit.Dataset) error {
	for i, x := range s.X {
		if 4*x.SquaredNorm() > math.MaxFloat64 {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: x.Norm(), Err: errLength}
		}
	}
	return nil
}

var errLength = fmt.Errorf("the square of twice the row's norm would overflow: %w",
	svmkit.ErrNotFinite)

// decide sets the answer that the proof supports.
func (p *Proof) decide(s *svmkit.Dataset) {
	switch {
	case p.Verify(s) != nil:
		p.Answer = Undecided
	case p.Common != nil:
		p.Answer = Inseparable
	default:
		p.Answer = Separable
	}
}

// set takes z as normal and puts the bias in the middle of the gap between the classes.
func (p *Proof) set(z []float64, nearest vertex, poly *polytope) {
	norm := svmkit.Dense(z...).Norm()
	p.Upper = norm
	p.Plane = svmkit.Hyperplane{W: make([]float64, len(z))}
	for j, v := range z {
		p.Plane.W[j] = v / norm // 1/norm may be infinite
	}
	p.Margin = nearest.along / norm
	if poly.bias == svmkit.FreeBias {
		p.Upper /= 2
		p.Margin /= 2
		plus, minus := poly.set.X[nearest.plus], poly.set.X[nearest.minus]
		p.Plane.B = -(plus.Dot(p.Plane.W) + minus.Dot(p.Plane.W)) / 2
	}
}

// polytope is Z, given by its linear minimisation.
type polytope struct {
	set  *svmkit.Dataset
	bias svmkit.Bias
}

func dot(x svmkit.Row, z []float64) float64 {
	if z == nil {
		return 0
	}
	return x.Dot(z)
}

// marginals adds up the weights of the corral row by row.
func (p *polytope) marginals(c *corral) map[int]float64 {
	rows := map[int]float64{}
	for k, v := range c.vertices {
		rows[v.plus] += c.weight[k]
		if v.minus >= 0 {
			rows[v.minus] += c.weight[k]
		}
	}
	return rows
}

// Verify checks the proof against s in exact arithmetic and returns nil if it is valid.
//
// It trusts no result of [Decide]. If Common is not nil, it must be a common point; otherwise Plane
// must have every row of positive weight strictly on its right side and, with NoBias, no B. Verify
// does not check Answer, Margin, Upper and Steps.
//
// Data that [svmkit.Dataset.ValidateBinary] refuses and a plane with another number of columns
// ([svmkit.ErrMismatch]) are a [svmkit.DataError].
func (p *Proof) Verify(s *svmkit.Dataset) error {
	if err := s.ValidateBinary(); err != nil {
		return err
	}
	if p.Common != nil {
		return verifyCommon(s, p.Bias, p.Common)
	}
	if len(p.Plane.W) != s.Dim {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	if p.Bias == svmkit.NoBias && p.Plane.B != 0 {
		return fmt.Errorf("separate: the plane has b = %g with NoBias", p.Plane.B)
	}
	for _, v := range append(p.Plane.W[:len(p.Plane.W):len(p.Plane.W)], p.Plane.B) {
		if v-v != 0 {
			return fmt.Errorf("separate: a number of the plane is %g: %w", v, svmkit.ErrNotFinite)
		}
	}
	for i, x := range s.X {
		if s.RowWeight(i) > 0 && !surelyPositive(p.Plane, x, s.Y[i]) &&
			exactFunctional(p.Plane, x, s.Y[i]).Sign() <= 0 {
			return fmt.Errorf("separate: row %d is not on its right side: %w", i,
				svmkit.ErrNotSeparated)
		}
	}
	return nil
}

// vertex returns the vertex of Z with the smallest inner product with z. If z is nil, it returns
// any vertex.
func (p *polytope) vertex(z, like []float64) vertex {
	v := vertex{plus: -1, minus: -1, point: make([]float64, len(like))}
	if p.bias == svmkit.NoBias {
		v.along = math.Inf(1)
		for i, x := range p.set.X {
			if m := p.set.Y[i] * dot(x, z); m < v.along {
				v.along, v.plus = m, i
			}
		}
		p.set.X[v.plus].AddTo(v.point, p.set.Y[v.plus])
		return v
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i, x := range p.set.X {
		f := dot(x, z)
		if p.set.Y[i] > 0 && f < least {
			least, v.plus = f, i
		}
		if p.set.Y[i] < 0 && f > most {
			most, v.minus = f, i
		}
	}
	v.along = least - most
	p.set.X[v.plus].AddTo(v.point, 1)
	p.set.X[v.minus].AddTo(v.point, -1)
	return v
}
