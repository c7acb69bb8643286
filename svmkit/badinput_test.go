package svmkit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 110, badinput.Join(badSets(), primitives(), makers(), planes(), classCases()))
}

// shared is a set that no call may change.
var shared = badinput.Good()

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "Validate", Call: func(s *svmkit.Dataset) (any, error) { return nil, s.Validate() }},
		badinput.Door{Name: "ValidateBinary", Call: func(s *svmkit.Dataset) (any, error) { return nil, s.ValidateBinary() }, Binary: true, Both: true},
	)
}

// Rows of different lengths are a bug of the calling code: the primitives panic, and say the lengths.
func primitives() []badinput.Case {
	two, three := svmkit.Dense(1, 2), svmkit.Dense(1, 2, 3)
	beyond := svmkit.Row{Index: []int32{5}, Value: []float64{1}}
	plane := svmkit.Hyperplane{W: []float64{1, 2}}
	p := func(name string, want string, keep any, call func()) badinput.Case {
		return badinput.New(name, keep, func() (any, error) { call(); return nil, nil }, badinput.Panics(want))
	}
	return []badinput.Case{
		p("Dot of other length", "a dense row of 3 columns meets a vector of 2", three, func() { three.Dot([]float64{1, 2}) }),
		p("Dot with nil", "a dense row of 3 columns meets a vector of 0", three, func() { three.Dot(nil) }),
		p("Dot of a sparse row beyond", "index out of range", beyond, func() { beyond.Dot([]float64{1, 2}) }),
		p("AddTo of other length", "a dense row of 3 columns meets a vector of 2", three, func() { three.AddTo([]float64{1, 2}, 1) }),
		p("AddTo of a sparse row beyond", "index out of range", beyond, func() { beyond.AddTo([]float64{1, 2}, 1) }),
		p("DotRow of other length", "of 2 columns meets a vector of 3", []svmkit.Row{two, three}, func() { two.DotRow(three) }),
		p("ToDense too short", "a dense row of 3 columns meets a vector of 2", three, func() { three.ToDense(2) }),
		p("At beyond a dense row", "index out of range", two, func() { two.At(2) }),
		p("At -1 of a dense row", "index out of range", two, func() { two.At(-1) }),
		p("DenseRows of no columns", "d does not divide", nil, func() { svmkit.DenseRows([]float64{1}, 0) }),
		p("DenseRows that do not fit", "d does not divide", nil, func() { svmkit.DenseRows([]float64{1, 2, 3}, 2) }),
		p("Columns of none", "d does not divide", shared, func() { shared.Columns() }),
		p("Columns beyond", "column 2 of 2", shared, func() { shared.Columns(0, 2) }),
		p("Columns -1", "column -1 of 2", shared, func() { shared.Columns(-1) }),
		p("Subset beyond", "index out of range", shared, func() { shared.Subset([]int{12}) }),
		p("Score of other length", "a dense row of 3 columns meets a vector of 2", plane, func() { plane.Score(three) }),
		p("SetMargin of no rows", "margin of an empty set", plane, func() { plane.SetMargin(&svmkit.Dataset{Dim: 2}) }),
		badinput.New("At beyond a sparse row", beyond, func() (any, error) { return beyond.At(9), nil }, badinput.Number(0)),
		badinput.New("At -1 of a sparse row", beyond, func() (any, error) { return beyond.At(-1), nil }, badinput.Number(0)),
		badinput.New("Norm of 1e300", nil, func() (any, error) { return svmkit.Dense(3e300, 4e300).Norm(), nil }, badinput.Number(5e300)),
		badinput.New("Norm of 1e-300", nil, func() (any, error) { return svmkit.Dense(3e-300, 4e-300).Norm() / 1e-300, nil }, badinput.Near(5)),
		badinput.New("Norm of denormals", nil, func() (any, error) { return svmkit.Dense(3*5e-324, 4*5e-324).Norm(), nil }, badinput.Number(5*5e-324)),
		badinput.New("Norm with Inf", nil, func() (any, error) { return svmkit.Dense(1, badinput.Inf, 2).Norm(), nil }, badinput.Number(badinput.Inf)),
		badinput.New("Norm with NaN", nil, func() (any, error) { return svmkit.Dense(1, badinput.NaN).Norm(), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Norm with NaN and Inf", nil, func() (any, error) { return svmkit.Dense(badinput.Inf, badinput.NaN).Norm(), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Norm of nothing", nil, func() (any, error) { return svmkit.Row{}.Norm(), nil }, badinput.Number(0)),
		badinput.New("Radius of no rows", nil, func() (any, error) { return new(svmkit.Dataset).Radius(), nil }, badinput.Number(0)),
		badinput.New("NNZ of no rows", nil, func() (any, error) { return float64(new(svmkit.Dataset).NNZ()), nil }, badinput.Number(0)),
		badinput.New("All of no rows", nil, func() (any, error) {
			for range new(svmkit.Dataset).All() {
				return nil, fmt.Errorf("a row")
			}
			return nil, nil
		}, badinput.Fine),
		badinput.New("Augment by NaN", shared, func() (any, error) { return nil, shared.Augment(badinput.NaN).Validate() }, badinput.Data(svmkit.ErrNotFinite, 0, 2)),
		badinput.New("Augment of no rows", nil, func() (any, error) { return nil, (&svmkit.Dataset{Dim: 2}).Augment(1).Validate() }, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
	}
}

func makers() []badinput.Case {
	made := func(name string, x [][]float64, y []float64, want badinput.Verdict) badinput.Case {
		return badinput.New("NewDataset: "+name, []any{x, y}, func() (any, error) {
			s, err := svmkit.NewDataset(x, y)
			if err != nil {
				return nil, err // the set comes along, as its comment does not forbid
			}
			return s, nil
		}, want)
	}
	return []badinput.Case{
		made("nil", nil, nil, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		made("empty", [][]float64{}, []float64{}, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		made("no columns", [][]float64{{}, {}}, []float64{1, -1}, badinput.Data(svmkit.ErrNoColumns, badinput.None, badinput.None)),
		made("nil row", [][]float64{{1}, nil}, []float64{1, -1}, badinput.Data(svmkit.ErrRagged, 1, badinput.None)),
		made("ragged", [][]float64{{1, 2}, {1, 2, 3}}, []float64{1, -1}, badinput.Data(svmkit.ErrRagged, 1, badinput.None)),
		made("no labels", [][]float64{{1}}, nil, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)),
		made("NaN", [][]float64{{1, 2}, {badinput.NaN, 2}}, []float64{1, -1}, badinput.Data(svmkit.ErrNotFinite, 1, 0)),
		made("NaN label", [][]float64{{1, 2}, {1, 2}}, []float64{1, badinput.NaN}, badinput.Data(svmkit.ErrNotFinite, 1, badinput.None)),
	}
}

func planes() []badinput.Case {
	plane := func(name string, w []float64, b float64, want badinput.Verdict) badinput.Case {
		return badinput.New("NewHyperplane: "+name, w, func() (any, error) {
			_, err := svmkit.NewHyperplane(w, b)
			return nil, err
		}, want)
	}
	canonical := func(name string, s *svmkit.Dataset, w []float64, want badinput.Verdict) badinput.Case {
		return badinput.New("Canonical: "+name, []any{s, w}, func() (any, error) {
			_, err := svmkit.Hyperplane{W: w}.Canonical(s)
			return nil, err
		}, want)
	}
	zero := svmkit.Hyperplane{W: []float64{0, 0}, B: 1}
	x := svmkit.Dense(1, 2)
	return []badinput.Case{
		plane("nil", nil, 0, badinput.Data(svmkit.ErrNoColumns, badinput.None, badinput.None)),
		plane("zero", []float64{0, 0}, 1, badinput.Data(svmkit.ErrNoNormal, badinput.None, badinput.None)),
		plane("-0", []float64{math.Copysign(0, -1)}, 1, badinput.Data(svmkit.ErrNoNormal, badinput.None, badinput.None)),
		plane("NaN", []float64{1, badinput.NaN}, 0, badinput.Data(svmkit.ErrNotFinite, 0, 1)),
		plane("Inf", []float64{badinput.Inf, 1}, 0, badinput.Data(svmkit.ErrNotFinite, 0, 0)),
		plane("b NaN", []float64{1}, badinput.NaN, badinput.Param("b")),
		plane("b Inf", []float64{1}, -badinput.Inf, badinput.Param("b")),
		plane("denormal", []float64{5e-324}, 0, badinput.Fine),
		plane("1e300", []float64{1e300, 1e300}, 0, badinput.Fine),
		canonical("nil set", nil, []float64{1, 1}, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		canonical("no rows", &svmkit.Dataset{Dim: 2}, []float64{1, 1}, badinput.Data(svmkit.ErrEmpty, badinput.None, badinput.None)),
		canonical("w = 0", badinput.Good(), []float64{0, 0}, badinput.Data(svmkit.ErrNoNormal, badinput.None, badinput.None)),
		canonical("no plane separates", badinput.Good(), []float64{1, 1}, badinput.Data(svmkit.ErrNotSeparated, 6, badinput.None)),
		canonical("NaN row", badinput.With(4, 0, badinput.NaN), []float64{1, 1}, badinput.Data(svmkit.ErrNotSeparated, 4, badinput.None)),
		badinput.New("SignedDistance of w = 0", zero, func() (any, error) { return zero.SignedDistance(x), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Distance of w = 0", zero, func() (any, error) { return zero.Distance(x), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Margin of w = 0", zero, func() (any, error) { return zero.Margin(x, 1), nil }, badinput.Number(badinput.NaN)),
		badinput.New("Project onto w = 0", zero, func() (any, error) { return zero.Project(x)[0], nil }, badinput.Number(badinput.NaN)),
		badinput.New("SetMargin of w = 0", zero, func() (any, error) { g, _ := zero.SetMargin(shared); return g, nil }, badinput.Number(badinput.NaN)),
		badinput.New("Distance of w = 1e300", nil, func() (any, error) {
			return svmkit.Hyperplane{W: []float64{3e300, 4e300}}.Distance(svmkit.Dense(1e-300, 1e-300)), nil
		}, badinput.Near(1.4e-300)),
	}
}

func classCases() []badinput.Case {
	s := badinput.Spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a", "b"} })
	return []badinput.Case{
		badinput.New("OneVsRest of no such class", s, func() (any, error) { return s.OneVsRest("c") }, badinput.Data(svmkit.ErrNoClass, badinput.None, badinput.None)),
		badinput.New("OneVsRest of a set without names", shared, func() (any, error) { return shared.OneVsRest("1") }, badinput.Data(svmkit.ErrNoClass, badinput.None, badinput.None)),
		badinput.New("Pair of no such class", s, func() (any, error) { return s.Pair("a", "") }, badinput.Data(svmkit.ErrNoClass, badinput.None, badinput.None)),
		badinput.New("Pair of no such class, first", s, func() (any, error) { return s.Pair("x", "a") }, badinput.Data(svmkit.ErrNoClass, badinput.None, badinput.None)),
	}
}
