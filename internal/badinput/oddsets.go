package badinput

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// OddSets are odd but valid: no error, and a certificate that is no nonsense.
var OddSets = []struct {
	Name string
	Set  func() *svmkit.Dataset
}{
	{"denormals", func() *svmkit.Dataset { return scaled(math.SmallestNonzeroFloat64) }},
	{"1e-300", func() *svmkit.Dataset { return scaled(1e-300) }},
	{"1e300", func() *svmkit.Dataset { return scaled(1e300) }},
	{"1e154", func() *svmkit.Dataset { return scaled(1e154) }},   // the squared norm of some rows overflows
	{"3e153", func() *svmkit.Dataset { return scaled(3e153) }},   // that of none, but their sum
	{"1e-162", func() *svmkit.Dataset { return scaled(1e-162) }}, // squares of few digits
	{"MaxFloat64", func() *svmkit.Dataset { return With(3, 0, math.MaxFloat64) }},
	{"1e-300 beside 1e300", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			for _, x := range s.X {
				x.Value[0] *= 1e-300
				x.Value[1] *= 1e300
			}
		})
	}},
	{"a constant column", func() *svmkit.Dataset { return column(func(int) float64 { return 7 }) }},
	{"a column of zeros", func() *svmkit.Dataset { return column(func(int) float64 { return 0 }) }},
	{"a column of -0", func() *svmkit.Dataset { return column(func(int) float64 { return math.Copysign(0, -1) }) }},
	{"all rows zero", func() *svmkit.Dataset { return scaled(0) }},
	{"all rows equal", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			for i := range s.X {
				s.X[i] = svmkit.Dense(1, 2)
			}
		})
	}},
	{"rows twice, labels opposite", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			for i := range s.X[:6] {
				s.X[i+6], s.Y[i+6] = s.X[i], -s.Y[i]
			}
		})
	}},
	{"empty sparse rows", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			for i := range s.X {
				s.X[i] = svmkit.Row{Index: []int32{}}
			}
		})
	}},
	{"dense and sparse rows", func() *svmkit.Dataset { return SparseRow([]int32{1}, 3) }},
	{"explicit zeros in sparse rows", func() *svmkit.Dataset { return SparseRow([]int32{0, 1}, 0, 0) }},
	{"two rows", func() *svmkit.Dataset { return Good().Subset([]int{0, 1}) }},
	{"two equal rows", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) { s.X[1] = s.X[0] }).Subset([]int{0, 1})
	}},
	{"one row of a class", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			for i := range s.Y {
				s.Y[i] = 1
			}
			s.Y[6] = -1
		})
	}},
	{"many empty columns", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) {
			s.Dim = 400
			for i, x := range s.X {
				s.X[i] = svmkit.Row{Index: []int32{int32(i), 399}, Value: x.Value}
			}
		})
	}},
}

func scaled(c float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) {
		for _, x := range s.X {
			for j := range x.Value {
				x.Value[j] *= c
			}
		}
	})
}

func column(v func(i int) float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) {
		for i, x := range s.X {
			x.Value[1] = v(i)
		}
	})
}

// OverflowOr also takes the error for numbers that outgrow float64.
func OverflowOr(otherwise Verdict) Verdict {
	return func(o Outcome) string {
		if o.Panic == nil && o.Err != nil {
			return Is(svmkit.ErrNotFinite)(Outcome{Err: o.Err})
		}
		return otherwise(o)
	}
}
