package svmkit_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	dense := func(d int, flat ...float64) []svmkit.Row { return svmkit.DenseRows(flat, d) }
	row := func(index []int32, value ...float64) []svmkit.Row {
		return []svmkit.Row{{Index: []int32{0}, Value: []float64{7}}, {Index: index, Value: value}}
	}
	two := []float64{1, -1}
	const no = svmkit.NoPlace
	for _, c := range []struct {
		name     string
		set      *svmkit.Dataset
		want     error
		row, col int
		value    float64
	}{
		{"nil", nil, svmkit.ErrEmpty, no, no, 0},
		{"no rows", &svmkit.Dataset{Dim: 2}, svmkit.ErrEmpty, no, no, 0},
		{"no columns", &svmkit.Dataset{X: row([]int32{}), Y: two}, svmkit.ErrNoColumns, no, no, 0},
		{"negative Dim", &svmkit.Dataset{X: row([]int32{}), Y: two, Dim: -1}, svmkit.ErrNoColumns, no, no, 0},
		{"a label too few", &svmkit.Dataset{X: dense(1, 1, 2), Y: two[:1], Dim: 1}, svmkit.ErrMismatch, no, no, 0},
		{"a feature name too many", &svmkit.Dataset{X: dense(1, 1, 2), Y: two, Dim: 1, Features: []string{"a", "b"}}, svmkit.ErrMismatch, no, no, 0},
		{"NaN", &svmkit.Dataset{X: dense(2, 1, 2, 3, nan), Y: two, Dim: 2}, svmkit.ErrNotFinite, 1, 1, nan},
		{"+Inf", &svmkit.Dataset{X: dense(2, inf, 2, 3, 4), Y: two, Dim: 2}, svmkit.ErrNotFinite, 0, 0, inf},
		{"-Inf, sparse", &svmkit.Dataset{X: row([]int32{1, 4}, 1, -inf), Y: two, Dim: 5}, svmkit.ErrNotFinite, 1, 4, -inf},
		{"NaN label", &svmkit.Dataset{X: dense(1, 1, 2), Y: []float64{1, nan}, Dim: 1}, svmkit.ErrNotFinite, 1, no, nan},
		{"infinite label", &svmkit.Dataset{X: dense(1, 1, 2), Y: []float64{inf, 1}, Dim: 1}, svmkit.ErrNotFinite, 0, no, inf},
		{"ragged", &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(1)}, Y: two, Dim: 2}, svmkit.ErrRagged, 1, no, 1},
		{"index and value differ", &svmkit.Dataset{X: row([]int32{0}, 1, 2), Y: two, Dim: 5}, svmkit.ErrMismatch, 1, no, 2},
		{"unsorted", &svmkit.Dataset{X: row([]int32{3, 1}, 1, 2), Y: two, Dim: 5}, svmkit.ErrIndex, 1, 1, 2},
		{"duplicate", &svmkit.Dataset{X: row([]int32{3, 3}, 1, 2), Y: two, Dim: 5}, svmkit.ErrIndex, 1, 3, 2},
		{"negative index", &svmkit.Dataset{X: row([]int32{-1}, 1), Y: two, Dim: 5}, svmkit.ErrIndex, 1, -1, 1},
		{"index = Dim", &svmkit.Dataset{X: row([]int32{5}, 1), Y: two, Dim: 5}, svmkit.ErrIndex, 1, 5, 1},
	} {
		for name, err := range map[string]error{"Validate": c.set.Validate(), "ValidateBinary": c.set.ValidateBinary()} {
			var e *svmkit.DataError
			if !errors.Is(err, c.want) || !errors.As(err, &e) {
				t.Errorf("%s: %s = %v, want %v", c.name, name, err, c.want)
				continue
			}
			sameValue := e.Value == c.value || math.IsNaN(e.Value) && math.IsNaN(c.value)
			if e.Row != c.row || e.Col != c.col || !sameValue {
				t.Errorf("%s: %s at row %d, column %d, value %g; want %d, %d, %g", c.name, name, e.Row, e.Col, e.Value, c.row, c.col, c.value)
			}
		}
	}
}

// Of many rows, which several threads look at, the first that is wrong is named.
func TestValidateNamesTheFirst(t *testing.T) {
	const n = 50_000
	set := &svmkit.Dataset{X: svmkit.DenseRows(make([]float64, 2*n), 2), Y: make([]float64, n), Dim: 2}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	for row := n - 1; row > 0; row -= 1234 {
		set.X[row].Value[1] = math.Inf(-1)
		var e *svmkit.DataError
		if err := set.Validate(); !errors.As(err, &e) || e.Row != row || e.Col != 1 {
			t.Fatalf("%v, want row %d", err, row)
		}
	}
}

func TestValidateAccepts(t *testing.T) {
	for name, set := range map[string]*svmkit.Dataset{
		"dense":        {X: svmkit.DenseRows([]float64{1, 2, 3, 4}, 2), Y: []float64{1, -1}, Dim: 2, Features: []string{"a", "b"}},
		"a row of 0":   {X: []svmkit.Row{sparse([]float64{0, 0}), sparse([]float64{0, 1})}, Y: []float64{1, -1}, Dim: 2},
		"mixed":        {X: []svmkit.Row{sparse([]float64{0, 3}), svmkit.Dense(0, 1)}, Y: []float64{1, -1}, Dim: 2},
		"huge numbers": {X: svmkit.DenseRows([]float64{math.MaxFloat64, -5e-324}, 1), Y: []float64{1, -1}, Dim: 1},
	} {
		if err := set.ValidateBinary(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidateBinary(t *testing.T) {
	rows := svmkit.DenseRows([]float64{1, 2, 3}, 1)
	for _, c := range []struct {
		y    []float64
		want error
		row  int
	}{
		{[]float64{1, -1, 1}, nil, 0},
		{[]float64{1, -1, 0}, svmkit.ErrLabel, 2},
		{[]float64{1, 2, -1}, svmkit.ErrLabel, 1},
		{[]float64{1, 1, 1}, svmkit.ErrOneClass, svmkit.NoPlace},
		{[]float64{-1, -1, -1}, svmkit.ErrOneClass, svmkit.NoPlace},
	} {
		set := &svmkit.Dataset{X: rows, Y: c.y, Dim: 1}
		if err := set.Validate(); err != nil {
			t.Errorf("labels %v: Validate = %v; any finite label is a target", c.y, err)
		}
		err := set.ValidateBinary()
		var e *svmkit.DataError
		if !errors.Is(err, c.want) || errors.As(err, &e) && e.Row != c.row {
			t.Errorf("labels %v: %v, want %v at row %d", c.y, err, c.want, c.row)
		}
	}
}

func TestNewDataset(t *testing.T) {
	x, y := [][]float64{{1, 2}, {3, 4}}, []float64{1, -1}
	set, err := svmkit.NewDataset(x, y)
	if err != nil || set.Len() != 2 || set.Dim != 2 || set.NNZ() != 4 {
		t.Fatalf("%+v, %v", set, err)
	}
	x[0][0], y[0] = 99, 99
	if set.X[0].At(0) != 1 || set.Y[0] != 1 {
		t.Error("the data set shares memory with its arguments")
	}
	for name, c := range map[string]struct {
		x    [][]float64
		y    []float64
		want error
	}{
		"no rows":      {nil, nil, svmkit.ErrEmpty},
		"no columns":   {[][]float64{{}, {}}, []float64{1, -1}, svmkit.ErrNoColumns},
		"nil row":      {[][]float64{nil}, []float64{1}, svmkit.ErrNoColumns},
		"ragged":       {[][]float64{{1, 2}, {3}}, []float64{1, -1}, svmkit.ErrRagged},
		"few labels":   {[][]float64{{1, 2}}, nil, svmkit.ErrMismatch},
		"not a number": {[][]float64{{1, math.NaN()}}, []float64{1}, svmkit.ErrNotFinite},
	} {
		if _, err := svmkit.NewDataset(c.x, c.y); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// R = max ‖xᵢ‖ about the origin: scaling scales it, moving the data changes it.
func TestRadius(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{3, 4, 0, 1, -1, 0}, 2), Dim: 2}
	if got := set.Radius(); got != 5 {
		t.Errorf("R = %g, want 5", got)
	}
	moved := &svmkit.Dataset{X: svmkit.DenseRows([]float64{0, 0, -3, -3, -4, -4}, 2), Dim: 2}
	if got := moved.Radius(); got == 5 {
		t.Error("moved by (−3,−4) the radius is still 5")
	}
	for _, scale := range []float64{1e-200, 1e200} {
		big := &svmkit.Dataset{X: svmkit.DenseRows([]float64{3 * scale, 4 * scale, 0, scale}, 2), Dim: 2}
		if got := big.Radius() / scale; !near(got, 5, 1) {
			t.Errorf("scaled by %g: R/scale = %g, want 5", scale, got)
		}
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 3}, 1), Y: []float64{4, 5, 6}, Dim: 1}
	var xs, ys []float64
	for x, y := range set.All() {
		xs, ys = append(xs, x.At(0)), append(ys, y)
		if y == 5 {
			break
		}
	}
	if !slices.Equal(xs, []float64{1, 2}) || !slices.Equal(ys, []float64{4, 5}) {
		t.Errorf("rows %v, labels %v", xs, ys)
	}
}

func TestSubset(t *testing.T) {
	set := threeClasses()
	got := set.Subset([]int{3, 0, 3})
	if !slices.Equal(got.Y, []float64{2, 0, 2}) || got.X[0].At(1) != 40 || got.X[1].At(1) != 10 || got.Dim != set.Dim {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.Classes, set.Classes) || !slices.Equal(got.Features, set.Features) {
		t.Error("names are lost")
	}
	if &got.X[1].Value[0] != &set.X[0].Value[0] {
		t.Error("the rows were copied")
	}
	if set.Subset(nil).Len() != 0 {
		t.Error("no rows asked, some given")
	}
}

func TestRelativeGap(t *testing.T) {
	for _, c := range []struct {
		cert svmkit.Certificate
		want float64
	}{
		{svmkit.Certificate{Primal: 0.5, Dual: 0.25, Gap: 0.25}, 0.5},
		{svmkit.Certificate{Primal: 200, Dual: 100, Gap: 100}, 0.5},
		{svmkit.Certificate{Primal: -100, Dual: -200, Gap: 100}, 1},
		{svmkit.Certificate{Primal: 1e-9, Dual: 0, Gap: 1e-9, Floor: 1e-6}, 1e-3},
		{svmkit.Certificate{}, 0},
		{svmkit.Certificate{Gap: 1e-300}, math.Inf(1)},
		{svmkit.Unproved(), math.Inf(1)},
	} {
		if got := c.cert.RelativeGap(); got != c.want {
			t.Errorf("%+v: relative gap %g, want %g", c.cert, got, c.want)
		}
	}
}

// Whatever is wrong with a data set, Validate says so and does not panic.
func TestValidateNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := &svmkit.Dataset{Dim: rapid.IntRange(-1, 4).Draw(t, "Dim"), Y: rapid.SliceOfN(rapid.Float64(), 0, 3).Draw(t, "Y")}
		if rapid.Bool().Draw(t, "weighted") {
			set.Weight = rapid.SliceOfN(rapid.Float64(), 0, 3).Draw(t, "weight")
		}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			x := svmkit.Row{Value: rapid.SliceOfN(rapid.Float64(), 0, 4).Draw(t, "value")}
			if rapid.Bool().Draw(t, "sparse") {
				x.Index = rapid.SliceOfN(rapid.Int32Range(-1, 4), 0, 4).Draw(t, "index")
			}
			set.X = append(set.X, x)
		}
		if set.Validate() != nil {
			return
		}
		set.WithoutZeroWeights()
		svmkit.Balanced(set)
		set.ValidateBinary()
		// What passes can be used: every primitive works and gives finite norms or overflows.
		w := make([]float64, set.Dim)
		for i, x := range set.X {
			x.Dot(w)
			x.AddTo(w, set.Y[i])
			x.DotRow(set.X[0])
			x.At(set.Dim - 1)
		}
		set.Augment(1)
		set.Columns(0)
	})
}
