package badinput

import (
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// The numbers that are none.
var NaN, Inf = math.NaN(), math.Inf(1)

// Good is a set that everything here takes: 12 rows of two columns that no plane separates.
func Good() *svmkit.Dataset {
	x := [][]float64{{1, 2}, {-1, 0.5}, {2, 0}, {0.5, -1}, {3, 1}, {-2, -2}, {1, 1}, {0, -0.5}, {-0.5, 1}, {2, 2}, {1, -3}, {0.25, 1.5}}
	y := []float64{1, -1, 1, -1, 1, -1, -1, 1, -1, 1, -1, 1}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// Spoiled is good with something done to it.
func Spoiled(spoil func(s *svmkit.Dataset)) *svmkit.Dataset {
	s := Good()
	spoil(s)
	return s
}

// set puts one number into good.
func With(row, col int, v float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) { s.X[row].Value[col] = v })
}

// SparseRow puts a sparse row in the place of row 2.
func SparseRow(index []int32, value ...float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) { s.X[2] = svmkit.Row{Index: index, Value: value} })
}

func Label(row int, y float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) { s.Y[row] = y })
}

func Weight(row int, w float64) *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) {
		s.Weight = make([]float64, s.Len())
		s.Weight[row] = w
	})
}

// What can be wrong with a set, and what every function that takes a set has to say to it.
var badSets = []struct {
	name   string
	set    func() *svmkit.Dataset
	want   Verdict
	labels bool // only wrong for two classes
}{
	{"nil set", func() *svmkit.Dataset { return nil }, Data(svmkit.ErrEmpty, None, None), false},
	{"no rows", func() *svmkit.Dataset { return &svmkit.Dataset{Dim: 2} }, Data(svmkit.ErrEmpty, None, None), false},
	{"no columns", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.Dim = 0 }) }, Data(svmkit.ErrNoColumns, None, None), false},
	{"fewer than no columns", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.Dim = -1 }) }, Data(svmkit.ErrNoColumns, None, None), false},
	{"a label too few", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.Y = s.Y[:11] }) }, Data(svmkit.ErrMismatch, None, None), false},
	{"a name too many", func() *svmkit.Dataset {
		return Spoiled(func(s *svmkit.Dataset) { s.Features = []string{"a", "b", "c"} })
	}, Data(svmkit.ErrMismatch, None, None), false},
	{"NaN", func() *svmkit.Dataset { return With(2, 1, NaN) }, Data(svmkit.ErrNotFinite, 2, 1), false},
	{"+Inf", func() *svmkit.Dataset { return With(0, 0, Inf) }, Data(svmkit.ErrNotFinite, 0, 0), false},
	{"-Inf", func() *svmkit.Dataset { return With(11, 1, -Inf) }, Data(svmkit.ErrNotFinite, 11, 1), false},
	{"NaN in a sparse row", func() *svmkit.Dataset { return SparseRow([]int32{1}, NaN) }, Data(svmkit.ErrNotFinite, 2, 1), false},
	{"NaN as label", func() *svmkit.Dataset { return Label(1, NaN) }, Data(svmkit.ErrNotFinite, 1, None), false},
	{"Inf as label", func() *svmkit.Dataset { return Label(3, Inf) }, Data(svmkit.ErrNotFinite, 3, None), false},
	{"a short row", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Dense(1) }) }, Data(svmkit.ErrRagged, 4, None), false},
	{"a long row", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Dense(1, 2, 3) }) }, Data(svmkit.ErrRagged, 4, None), false},
	{"a row of nothing", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.X[4] = svmkit.Row{} }) }, Data(svmkit.ErrRagged, 4, None), false},
	{"unsorted indices", func() *svmkit.Dataset { return SparseRow([]int32{1, 0}, 1, 2) }, Data(svmkit.ErrIndex, 2, 0), false},
	{"an index twice", func() *svmkit.Dataset { return SparseRow([]int32{1, 1}, 1, 2) }, Data(svmkit.ErrIndex, 2, 1), false},
	{"a negative index", func() *svmkit.Dataset { return SparseRow([]int32{-1, 1}, 1, 2) }, Data(svmkit.ErrIndex, 2, -1), false},
	{"an index of Dim", func() *svmkit.Dataset { return SparseRow([]int32{0, 2}, 1, 2) }, Data(svmkit.ErrIndex, 2, 2), false},
	{"a huge index", func() *svmkit.Dataset { return SparseRow([]int32{math.MaxInt32}, 1) }, Data(svmkit.ErrIndex, 2, math.MaxInt32), false},
	{"more values than indices", func() *svmkit.Dataset { return SparseRow([]int32{0}, 1, 2) }, Data(svmkit.ErrMismatch, 2, None), false},
	{"more indices than values", func() *svmkit.Dataset { return SparseRow([]int32{0, 1}, 1) }, Data(svmkit.ErrMismatch, 2, None), false},
	{"a weight too few", func() *svmkit.Dataset { return Spoiled(func(s *svmkit.Dataset) { s.Weight = make([]float64, 11) }) }, Data(svmkit.ErrMismatch, None, None), false},
	{"a negative weight", func() *svmkit.Dataset { return Weight(4, -1) }, Data(svmkit.ErrWeight, 4, None), false},
	{"NaN as weight", func() *svmkit.Dataset { return Weight(11, NaN) }, Data(svmkit.ErrWeight, 11, None), false},
	{"label 0", func() *svmkit.Dataset { return Label(5, 0) }, Data(svmkit.ErrLabel, 5, None), true},
	{"label 2", func() *svmkit.Dataset { return Label(0, 2) }, Data(svmkit.ErrLabel, 0, None), true},
	{"label 1+ulp", func() *svmkit.Dataset { return Label(0, math.Nextafter(1, 2)) }, Data(svmkit.ErrLabel, 0, None), true},
}

// only one class: the perceptron takes it, a model of the largest margin cannot.
func OneClass() *svmkit.Dataset {
	return Spoiled(func(s *svmkit.Dataset) {
		for i := range s.Y {
			s.Y[i] = 1
		}
	})
}

func OneRow() *svmkit.Dataset { return Good().Subset([]int{0}) }

// A Door is a function that takes a set.
type Door struct {
	Name   string
	Call   func(s *svmkit.Dataset) (any, error)
	Binary bool // labels must be −1 and +1
	Both   bool // and both must occur
}

// Doors is every bad set at every door.
func Doors(doors ...Door) (cases []Case) {
	for _, d := range doors {
		add := func(name string, s *svmkit.Dataset, want Verdict) {
			cases = append(cases, New(d.Name+": "+name, s, func() (any, error) { return d.Call(s) }, want))
		}
		for _, b := range badSets {
			if !b.labels || d.Binary {
				add(b.name, b.set(), b.want)
			}
		}
		if d.Both {
			add("one class", OneClass(), Data(svmkit.ErrOneClass, None, None))
			add("one row", OneRow(), Data(svmkit.ErrOneClass, None, None))
		}
	}
	return cases
}

// A Knob is a parameter, with what puts a value into it and makes the call, and the values that it
// does not take.
type Knob struct {
	name, param string // of the function, and of the parameter as the error names it
	bad         []float64
	call        func(v float64) (any, error)
}

// NewKnob returns a knob.
func NewKnob(name, param string, bad []float64, call func(v float64) (any, error)) Knob {
	return Knob{name, param, bad, call}
}

// Values that many parameters do not take.
var (
	NotPositive   = []float64{-1, -math.SmallestNonzeroFloat64, NaN, Inf, -Inf} // zero means the default
	NotFinite     = []float64{NaN, Inf, -Inf}
	NotNumbers    = []float64{-1, NaN, -Inf} // +Inf is taken: the hard margin
	NegativeInt   = []float64{-1, math.MinInt32}
	ZeroTooIsBad  = append([]float64{0}, NotPositive...)
	OutsideOfUnit = []float64{0, 1, -0.5, 1.5, NaN, Inf}
)

// Knobs is every parameter with every kind of value that it does not take. The calls may not change what keep holds.
func Knobs(keep any, knobs ...Knob) (cases []Case) {
	for _, k := range knobs {
		for _, v := range k.bad {
			cases = append(cases, New(fmt.Sprintf("%s, %s = %g", k.name, k.param, v), keep, func() (any, error) { return k.call(v) }, Param(k.param)))
		}
	}
	return cases
}

// ErrDisk is the error of a full disk.
var ErrDisk = errors.New("the disk is gone")

// Full is a disk without room: each write fails with ErrDisk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, ErrDisk }

// Scorer is a model that scores each row by a function.
type Scorer func() float64

func (s Scorer) Score(svmkit.Row) float64             { return s() }
func (s Scorer) Predict(svmkit.Row) svmkit.Prediction { return svmkit.SignPrediction(s(), nil) }
