package badinput

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// What a change of state looks like to dump: each of these differs from the one before.
func TestReliabilityStateIsSeen(t *testing.T) {
	type inner struct{ v []float64 }
	type outer struct {
		p *inner
		f func()
		i any
	}
	at := func(v float64, f func(), i any) any { return outer{&inner{[]float64{v}}, f, i} }
	for _, pair := range [][2]any{
		{at(0, nil, nil), at(math.Copysign(0, -1), nil, nil)}, {at(1, nil, nil), at(math.Nextafter(1, 2), nil, nil)},
		{at(1, nil, nil), at(1, func() {}, nil)}, {at(1, nil, 1), at(1, nil, int32(1))}, {[]float64(nil), []float64{}},
		{at(1, nil, "a"), at(1, nil, "b")}, {[]float64{1, 2}, []float64{1}}, {(*inner)(nil), &inner{}},
	} {
		if dump(pair[0]) == dump(pair[1]) {
			t.Errorf("%#v and %#v look the same", pair[0], pair[1])
		}
	}
	if one, other := dump(at(math.NaN(), nil, nil)), dump(at(math.NaN(), nil, nil)); one != other {
		t.Error("NaN differs from itself")
	}
}
