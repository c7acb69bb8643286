package lab

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The random planes have the sizes that the lessons rely on, and points of a plane have the score 0.
func TestRandomPlanes(t *testing.T) {
	dims := map[int]int{}
	short, long, far := math.Inf(1), 0.0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(3, seed))
		h := RandomPlane(r)
		d, norm := len(h.W), Norm(h.W)
		dims[d]++
		short, long = min(short, norm), max(long, norm)
		if math.Abs(h.B) > norm {
			far++
		}
		x := RandomPoint(r, d)
		z := PointOn(h, x)
		if f := Dot(h.W, z) + h.B; !(math.Abs(f) <= 1e-9) {
			t.Errorf("a point of the plane has the score %g", f)
		}
		changed := 0
		for j := range x {
			if x[j] != z[j] {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("%d coordinates have changed, want 1", changed)
		}
	}
	if len(dims) != 20 || dims[1] == 0 || dims[20] == 0 || short < 0.1 || short > 0.11 || long > 10 || long < 9 || far < 1000 {
		t.Errorf("dimensions %v, ‖w‖ from %g to %g, %d of 2000 planes farther than 1 from the origin", dims, short, long, far)
	}
}
