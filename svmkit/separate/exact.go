package separate

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// roundoff is the unit roundoff of float64, the largest relative error of one operation.
const roundoff = 0x1p-53

// surelyPositive reports that y·f(x) > 0 beyond doubt: the computed value exceeds the bound
// (d+2)·u/(1−(d+2)u)·(Σ|wⱼxⱼ| + |b|) of its rounding error (Higham, Accuracy and Stability of
// Numerical Algorithms, §3.1). It saves the exact evaluation for all but close rows.
func surelyPositive(h svmkit.Hyperplane, x svmkit.Row, y float64) bool {
	size := math.Abs(h.B)
	for k, v := range x.Value {
		j := k
		if x.Index != nil {
			j = int(x.Index[k])
		}
		size += math.Abs(v * h.W[j])
	}
	n := float64(len(x.Value)+2) * roundoff
	return y*h.Score(x) > 2*n/(1-n)*size // 2, because size itself is rounded
}

// exactFunctional returns y·f(x) without rounding.
func exactFunctional(h svmkit.Hyperplane, x svmkit.Row, y float64) *big.Rat {
	sum := rat(h.B)
	for k, v := range x.Value {
		j := k
		if x.Index != nil {
			j = int(x.Index[k])
		}
		sum.Add(sum, new(big.Rat).Mul(rat(v), rat(h.W[j])))
	}
	return sum.Mul(sum, rat(y))
}

// commonPoint turns approximate weights of a common point into exact ones. It returns nil if this
// is impossible: the rows then have no common point, only a very near pair.
//
// The unknown weights solve a linear system with one equation per column and one per class (with
// NoBias one for all). While there are more rows than its rank, some change of the weights keeps
// the point. Following this change until a weight is zero removes a row (Carathéodory). The
// remaining system has one solution, found in fractions. The fractions grow with the number of
// columns, so that dozens of columns take minutes. commonPoint also returns nil if ctx ends.
func commonPoint(ctx context.Context, s *svmkit.Dataset, bias svmkit.Bias,
	approx map[int]float64) []Weight {
	rows := slices.Sorted(maps.Keys(approx))
	for {
		sys := combination(s, bias, rows)
		if !sys.eliminate(ctx) {
			return nil
		}
		change := sys.null()
		if change == nil {
			return exactWeights(s, bias, rows, sys)
		}
		// The step t ≥ 0 along ±change at which the first weight vanishes.
		step, leaving := math.Inf(1), -1
		for _, sign := range []float64{1, -1} {
			for k, v := range change {
				if f, _ := v.Float64(); sign*f > 0 && approx[rows[k]]/(sign*f) < math.Abs(step) {
					step, leaving = sign*approx[rows[k]]/(sign*f), k
				}
			}
		}
		if leaving < 0 { // no weight in approx is a finite number
			return nil
		}
		for k, v := range change {
			f, _ := v.Float64()
			approx[rows[k]] = max(0, approx[rows[k]]-step*f)
		}
		delete(approx, rows[leaving])
		rows = slices.Delete(rows, leaving, leaving+1)
	}
}

// exactWeights reads the weights from an eliminated system. It returns nil unless they are a proof.
func exactWeights(s *svmkit.Dataset, bias svmkit.Bias, rows []int, sys *system) []Weight {
	var common []Weight
	for k, w := range sys.solution() {
		if w.Sign() != 0 {
			common = append(common, Weight{Row: rows[k], Weight: w})
		}
	}
	if len(common) == 0 || verifyCommon(s, bias, common) != nil {
		return nil
	}
	return common
}

// combination returns the equations that the weights of a common point satisfy.
func combination(s *svmkit.Dataset, bias svmkit.Bias, rows []int) *system {
	sys := &system{unknowns: len(rows)}
	equation := func(coefficient func(i int) float64, rhs float64) {
		eq := make([]*big.Rat, 0, len(rows)+1)
		for _, i := range rows {
			eq = append(eq, rat(coefficient(i)))
		}
		sys.rows = append(sys.rows, append(eq, rat(rhs)))
	}
	for j := range s.Dim {
		equation(func(i int) float64 { return s.Y[i] * s.X[i].At(j) }, 0)
	}
	if bias == svmkit.NoBias {
		equation(func(int) float64 { return 1 }, 1)
		return sys
	}
	for _, class := range []float64{-1, 1} {
		equation(func(i int) float64 {
			if s.Y[i] == class {
				return 1
			}
			return 0
		}, 1)
	}
	return sys
}

// verifyCommon checks, without rounding, that the weights are positive, sum to 1 in each class (or
// together, with NoBias) and give a common point.
func verifyCommon(s *svmkit.Dataset, bias svmkit.Bias, common []Weight) error {
	total := map[float64]*big.Rat{-1: new(big.Rat), 1: new(big.Rat)}
	for _, c := range common {
		if c.Row < 0 || c.Row >= len(s.X) {
			return &svmkit.DataError{Row: c.Row, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
		}
		if s.RowWeight(c.Row) == 0 {
			return fmt.Errorf("separate: row %d has weight 0 in the data", c.Row)
		}
		if c.Weight == nil || c.Weight.Sign() <= 0 {
			return fmt.Errorf("separate: the weight of row %d is not positive", c.Row)
		}
		total[s.Y[c.Row]].Add(total[s.Y[c.Row]], c.Weight)
	}
	one := rat(1)
	if bias == svmkit.NoBias {
		total[1].Add(total[1], total[-1])
		total[-1].Set(one)
	}
	for _, class := range []float64{1, -1} {
		if sum := total[class]; sum.Cmp(one) != 0 {
			return fmt.Errorf("separate: the weights of class %+g sum to %v, not 1", class,
				sum.RatString())
		}
	}
	for j := range s.Dim {
		sum := new(big.Rat)
		for _, c := range common {
			sum.Add(sum, new(big.Rat).Mul(c.Weight, rat(s.Y[c.Row]*s.X[c.Row].At(j))))
		}
		if sum.Sign() != 0 {
			return fmt.Errorf("separate: the two points differ in column %d", j)
		}
	}
	return nil
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Weight is one row's share of a convex combination, as an exact fraction.
type Weight struct {
	Row    int
	Weight *big.Rat
}
