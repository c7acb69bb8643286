package svm

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/svmkit/course/svmkit"
)

// Separation answers whether a plane separates a dataset, with the proof of the answer.
//
// The answer rests on one geometric fact. Let Z be the set of all differences "point of the
// positive hull minus point of the negative hull" (with [NoBias]: the hull of the yᵢxᵢ) and
// z its point nearest to the origin. If z = 0 the hulls share a point and no plane
// separates; otherwise z is the normal of the plane with the largest margin, and no plane
// has a larger one than ‖z‖/2 (with NoBias: ‖z‖). See the duality of hard margin and
// nearest hull points, lesson 7.
type Separation struct {
	Answer Answer
	Bias   svmkit.Bias

	// If Answer is Separable: the plane found, ‖w‖ = 1, its margin, and the bound that no
	// plane exceeds. Margin ≤ maximum ≤ Upper.
	Plane         svmkit.Hyperplane
	Margin, Upper float64

	// If Answer is Inseparable: rows and exact weights of a point common to both hulls.
	// The weights of each class are positive and sum to 1 (with NoBias: all of them
	// together, and Σ λᵢyᵢxᵢ = 0). At most d+2 rows have one.
	Common []Weight

	Steps int // vertices taken into the corral
}

// Weight is one row's share of a convex combination, as an exact fraction.
type Weight struct {
	Row    int
	Weight *big.Rat
}

// Answer is what Separate has proved.
type Answer int

const (
	Undecided   Answer = iota // margin below what float64 resolves; neither proof stands
	Separable                 // a plane with every row on its right side
	Inseparable               // a point common to both hulls
)

func (a Answer) String() string {
	return [...]string{"undecided", "separable", "inseparable"}[a]
}

// Accuracy of the search. The relative gap (Upper−Margin)/Upper is well above the rounding
// of the affine solves, which is about 1e-16 times their condition.
const (
	separateGap  = 1e-10 // stop when the margin is within this fraction of its bound
	separateZero = 1e-11 // a nearest point closer than this times R is tried as common point
)

// Separate decides whether a plane, with free bias or through the origin ([NoBias];
// [PenalizedBias] poses the same question as FreeBias), separates the ±1 labelled set s,
// and finds the one with the largest margin. Both answers are checked in exact arithmetic
// before they are given.
//
// The method is Wolfe's (Finding the nearest point in a polytope, Math. Programming 11,
// 1976): an active set of at most d+1 vertices, finite, cost O(n·d) a step. It suits up to
// a few hundred columns.
//
// Errors: invalid data ([svmkit.DataError]); a Dim that is absurd for a plane, as for [Fit]
// ([svmkit.ParamError]); ctx.Err() together with the best plane so far if ctx ends.
func Separate(ctx context.Context, s *svmkit.Dataset, bias svmkit.Bias) (*Separation, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if err := s.ValidateBinary(); err != nil {
		return nil, err
	}
	if err := validateDim(s); err != nil {
		return nil, err
	}
	if bias < 0 || bias > svmkit.NoBias {
		return nil, &svmkit.ParamError{Name: "Bias", Value: int(bias), Need: "must be FreeBias, PenalizedBias or NoBias"}
	}
	if bias != svmkit.NoBias {
		bias = svmkit.FreeBias
	}
	sep := &Separation{Bias: bias}
	poly := &polytope{set: s, bias: bias}
	c := newCorral(s.Dim, s.Radius())
	vertex := poly.vertex(nil, c.z)
	for {
		before := c.squaredNorm()
		c.add(vertex)
		stalled := sep.Steps > 0 && c.squaredNorm() >= before // exactly, ‖z‖ falls at every step
		sep.Steps++
		vertex = poly.vertex(c.z, vertex.point)
		sep.set(c.z, vertex, poly)
		zero := math.Sqrt(c.squaredNorm()) <= separateZero*s.Radius()
		switch {
		case zero, stalled, sep.Margin >= (1-separateGap)*sep.Upper:
			if zero {
				if sep.Common = commonPoint(ctx, s, bias, poly.marginals(c)); ctx.Err() != nil {
					return sep, ctx.Err()
				}
			}
			sep.decide(s)
			return sep, nil
		case ctx.Err() != nil:
			return sep, ctx.Err()
		}
	}
}

// decide gives the answer that the proof at hand supports.
func (sep *Separation) decide(s *svmkit.Dataset) {
	switch {
	case sep.Verify(s) != nil:
		sep.Answer = Undecided
	case sep.Common != nil:
		sep.Answer = Inseparable
	default:
		sep.Answer = Separable
	}
}

// set takes z as normal and puts the bias in the middle of the gap between the classes.
func (sep *Separation) set(z []float64, nearest vertex, poly *polytope) {
	norm := svmkit.Dense(z...).Norm()
	sep.Upper = norm
	sep.Plane = svmkit.Hyperplane{W: make([]float64, len(z))}
	for j, v := range z {
		sep.Plane.W[j] = v / norm // 1/norm may be infinite
	}
	sep.Margin = nearest.along / norm
	if poly.bias == svmkit.FreeBias {
		sep.Upper /= 2
		sep.Margin /= 2
		plus, minus := poly.set.X[nearest.plus], poly.set.X[nearest.minus]
		sep.Plane.B = -(plus.Dot(sep.Plane.W) + minus.Dot(sep.Plane.W)) / 2
	}
}

// vertex is a vertex of Z: x₊ − x₋, or yᵢxᵢ with NoBias (then minus = -1).
type vertex struct {
	plus, minus int
	point       []float64
	along       float64 // ⟨z,point⟩ for the z it was searched with
}

// polytope is Z, given by its linear minimisation.
type polytope struct {
	set  *svmkit.Dataset
	bias svmkit.Bias
}

// vertex returns the vertex of Z with the smallest inner product with z. With z nil it
// returns any vertex.
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

func dot(x svmkit.Row, z []float64) float64 {
	if z == nil {
		return 0
	}
	return x.Dot(z)
}

// marginals adds up the corral's weights row by row.
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

// Verify checks the proof against s in exact arithmetic and returns nil if it stands. It
// does not trust anything that Separate computed on the way: a plane must have every row
// strictly on its right side, a common point must be one.
func (sep *Separation) Verify(s *svmkit.Dataset) error {
	if sep.Common != nil {
		return verifyCommon(s, sep.Bias, sep.Common)
	}
	for _, v := range append(sep.Plane.W[:len(sep.Plane.W):len(sep.Plane.W)], sep.Plane.B) {
		if v-v != 0 {
			return fmt.Errorf("svm: a number of the plane is %g: %w", v, svmkit.ErrNotFinite)
		}
	}
	for i, x := range s.X {
		if !surelyPositive(sep.Plane, x, s.Y[i]) && exactFunctional(sep.Plane, x, s.Y[i]).Sign() <= 0 {
			return fmt.Errorf("svm: row %d is not on its right side: %w", i, svmkit.ErrNotSeparated)
		}
	}
	return nil
}
