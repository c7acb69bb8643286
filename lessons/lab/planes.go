package lab

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Random planes, on which lessons try what a theorem says about all planes.

// RandomPoint returns a point whose d coordinates are drawn from the standard normal distribution.
func RandomPoint(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

// RandomPlane returns a plane in 1 to 20 dimensions, some units from the origin, with ‖w‖ from 0.1
// to 10.
func RandomPlane(r *rand.Rand) svmkit.Hyperplane {
	w := RandomPoint(r, 1+r.IntN(20))
	length := Norm(w)
	return svmkit.Hyperplane{W: w, B: 3 * r.NormFloat64() * length}.Scale(math.Pow(10, 2*r.Float64()-1) / length)
}

// PointOn returns a point of the plane h: z with one coordinate changed, the one of the largest
// |wⱼ|. It solves f(z) = 0 for that coordinate, so it uses no formula for the distance.
func PointOn(h svmkit.Hyperplane, z []float64) []float64 {
	z, j := slices.Clone(z), 0
	for k := range h.W {
		if math.Abs(h.W[k]) > math.Abs(h.W[j]) {
			j = k
		}
	}
	z[j] = 0
	z[j] = -(Dot(h.W, z) + h.B) / h.W[j]
	return z
}

// ForPlanes checks a statement on a thousand random planes, with a random point x for each.
func ForPlanes(claim string, holds func(r *rand.Rand, h svmkit.Hyperplane, x []float64) error) {
	ForAll(claim, 1000, func(r *rand.Rand) error {
		h := RandomPlane(r)
		return holds(r, h, RandomPoint(r, len(h.W)))
	})
}
