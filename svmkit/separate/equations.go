package separate

import (
	"context"
	"math/big"
)

// system is a set of linear equations in fractions. Each row holds the coefficients of the
// unknowns, followed by the right-hand side.
type system struct {
	rows     [][]*big.Rat
	unknowns int
	pivot    []int // after eliminate: row r determines unknown pivot[r]
}

// eliminate brings the system to reduced row echelon form (Gauss and Jordan). Fractions do not
// round, so any pivot other than zero is good. It returns false if ctx ended first.
func (s *system) eliminate(ctx context.Context) bool {
	for col := 0; col < s.unknowns && len(s.pivot) < len(s.rows); col++ {
		r := len(s.pivot)
		p := r
		for p < len(s.rows) && s.rows[p][col].Sign() == 0 {
			p++
		}
		if p == len(s.rows) {
			continue
		}
		s.rows[r], s.rows[p] = s.rows[p], s.rows[r]
		inverse := new(big.Rat).Inv(s.rows[r][col])
		for _, v := range s.rows[r] {
			v.Mul(v, inverse)
		}
		for i, row := range s.rows {
			if ctx.Err() != nil {
				return false
			}
			if i == r || row[col].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Set(row[col])
			for k, v := range row {
				v.Sub(v, new(big.Rat).Mul(factor, s.rows[r][k]))
			}
		}
		s.pivot = append(s.pivot, col)
	}
	return true
}

// null returns a nonzero solution of the homogeneous equations, or nil if there is none.
func (s *system) null() []*big.Rat {
	free := 0
	for free < len(s.pivot) && s.pivot[free] == free {
		free++
	}
	if free == s.unknowns {
		return nil
	}
	change := zeros(s.unknowns)
	change[free].SetInt64(-1)
	for r, col := range s.pivot {
		change[col].Set(s.rows[r][free])
	}
	return change
}

// solution returns the unknowns, or nil if the equations contradict each other.
func (s *system) solution() []*big.Rat {
	for _, row := range s.rows[len(s.pivot):] {
		if row[s.unknowns].Sign() != 0 {
			return nil
		}
	}
	x := zeros(s.unknowns)
	for r, col := range s.pivot {
		x[col] = s.rows[r][s.unknowns]
	}
	return x
}

func zeros(n int) []*big.Rat {
	v := make([]*big.Rat, n)
	for k := range v {
		v[k] = new(big.Rat)
	}
	return v
}
