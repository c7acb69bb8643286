package separate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit"
)

// corral is the state of Wolfe's method: affinely independent vertices with positive weights.
// Invariant after add: z = Σ weightₖ·pointₖ is the point of the affine hull of the vertices that is
// nearest to the origin, and it lies in their convex hull.
type corral struct {
	vertices []vertex
	weight   []float64 // > 0, sum 1
	z        []float64 // length d
	scale    float64   // 1/(2R)²: makes inner products comparable with the 1s added to them
}

func newCorral(d int, radius float64) *corral {
	if radius == 0 {
		radius = 1
	}
	return &corral{z: make([]float64, d), scale: 1 / (4 * radius * radius)}
}

func (c *corral) squaredNorm() float64 { return svmkit.Dense(c.z...).SquaredNorm() }

// add adds v and moves z to the nearest point of the new hull. It drops vertices that are no longer
// needed (Wolfe's minor cycle). ‖z‖ never grows, except by rounding.
func (c *corral) add(v vertex) {
	c.vertices = append(c.vertices, v)
	c.weight = append(c.weight, 0)
	for len(c.vertices) > 1 {
		affine, ok := c.affineMinimizer()
		if !ok { // v depends on the other vertices and adds nothing
			c.drop(len(c.vertices) - 1)
			break
		}
		step, leaving := 1.0, -1
		for k, a := range affine {
			if a <= 0 {
				if t := c.weight[k] / (c.weight[k] - a); t < step {
					step, leaving = t, k
				}
			}
		}
		for k, a := range affine {
			c.weight[k] += step * (a - c.weight[k])
		}
		if leaving < 0 {
			break
		}
		c.drop(leaving)
	}
	if len(c.vertices) == 1 {
		c.weight[0] = 1
	}
	clear(c.z)
	for k, v := range c.vertices {
		for j, p := range v.point {
			c.z[j] += c.weight[k] * p
		}
	}
}

func (c *corral) drop(k int) {
	c.vertices = append(c.vertices[:k], c.vertices[k+1:]...)
	c.weight = append(c.weight[:k], c.weight[k+1:]...)
	total := 0.0
	for _, w := range c.weight {
		total += w
	}
	for i := range c.weight {
		c.weight[i] /= total
	}
}

// affineMinimizer returns the weights (sum 1, any sign) of the point of the vertices' affine hull
// that is nearest to the origin. With G the vertices' inner products, (G + 11ᵀ)u = 1 and weight =
// u/Σu solve it: the matrix is positive definite if and only if the vertices are affinely
// independent. ok is false if they are not, to working precision.
func (c *corral) affineMinimizer() (weight []float64, ok bool) {
	m := len(c.vertices)
	g := mat.NewSymDense(m, nil)
	for i, v := range c.vertices {
		for k := i; k < m; k++ {
			g.SetSym(i, k, 1+c.scale*svmkit.Dense(v.point...).Dot(c.vertices[k].point))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(g) || chol.Cond() > 1/roundoff {
		return nil, false
	}
	one := mat.NewVecDense(m, nil)
	for i := range m {
		one.SetVec(i, 1)
	}
	var u mat.VecDense
	if chol.SolveVecTo(&u, one) != nil {
		return nil, false
	}
	total := mat.Sum(&u)
	if !(math.Abs(total) > 0) || math.IsInf(total, 0) {
		return nil, false
	}
	weight = make([]float64, m)
	for i := range weight {
		weight[i] = u.AtVec(i) / total
	}
	return weight, true
}

// vertex is a vertex of Z: x₊ − x₋, or yᵢxᵢ without bias (then minus = −1).
type vertex struct {
	plus, minus int
	point       []float64
	along       float64 // ⟨z,point⟩ for the z with which it was found
}
