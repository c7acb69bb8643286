package coordinate

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// descent is the state of dual coordinate descent on a linear task.
type descent struct {
	t   *core.Task
	r   *core.Run
	rng *rand.Rand

	sweep
	centre        float64   // share·b₀, see bias.go; 0 without bias
	scratch       []float64 // of meanInnerProduct, of length dim; nil at first
	epochBias     float64   // b at the end of the last epoch, before the centre moved
	share         float64   // in (0, 1]
	relaxation    float64   // of the step from b₀ to b, 1 … maxRelaxation
	maxRelaxation float64   // firstMaxRelaxation, halved after overshoots, ≥ safeRelaxation

	visits      int64   // of rows, in all epochs
	active      int     // number of active rows
	blockLength int     // of neighbours that are visited one after the other, ≥ 1
	blockOrder  []int32 // scratch
	prefetch    bool    // the rows of the next block are prefetched: the data exceed a cache

	wasFull   bool    // the last epoch visited all rows
	gapRatio  float64 // the gap that the last epoch has estimated over the one before
	imbalance float64 // Σβᵢ − rb
	edge      float64 // the largest |edge| of a loss
	longest   float64 // the largest ‖xᵢ‖
	size      float64 // of scores without bias and of their edges, at the last rebuild

	keepAll       bool    // never shrink
	restoreAt     float64 // all rows become active when the violation of the active ones is as low
	restored      bool    // the next epoch is the first after that
	lastViolation float64 // of the epoch after the last restore
	noShrink      int     // epochs left in which no row is shrunk
	nextNoShrink  int     // noShrink after the next restore without progress

	mean mean // of β over the last epochs

	ratio   float64 // estimate/gap at which a certificate is due, in units of the tolerance
	checked float64 // the estimate at the last certificate
}

// rebuild computes w, b and the dual objective from β, so that rounding errors do not accumulate.
func (d *descent) rebuild() {
	clear(d.w)
	d.dual, d.sum = 0, 0
	for i, v := range d.beta {
		if v != 0 {
			rowAdd(&d.t.X[i], d.w, v)
			d.dual += d.t.Loss[i].Dual(v)
			d.sum += v
		}
	}
	d.b = d.centre + d.rho*d.sum
	square := svmkit.Dense(d.w...).SquaredNorm()
	d.dual -= square / 2
	d.size = d.edge + d.longest*math.Sqrt(square)
	d.dual -= d.rho * d.sum * d.sum / 2
}

// exhausted reports whether the last epoch's largest violation is as small as the rounding error of
// a score.
func (d *descent) exhausted() bool {
	return d.violation+d.rho*math.Abs(d.imbalance) <= core.Roundoff*(d.size+math.Abs(d.b))
}
