package coordinate

import "github.com/svmkit/course/svmkit/svm/internal/core"

// mean is the mean of β and b at the ends of the epochs of a stretch of passes.
type mean struct {
	beta   []float64 // nil before the pass firstMean
	b      float64
	epochs int
	from   int   // the pass at which the stretch begins
	visits int64 // of rows, at the last epoch that was added
}

// average adds the epoch that has ended to the mean, unless few rows have been visited since the
// last one. At the end of a stretch it certifies the mean if its gap is likely to be at the
// tolerance. Like each β, the mean is in the box, and it is at a bound if each β is. The order of
// the last visits adds something to the gap of a single β that goes up and down from epoch to
// epoch, and it mostly cancels in a mean. The iterate does not change.
func (d *descent) average() (done bool) {
	m, passes := &d.mean, d.r.Iterations
	if passes < firstMean {
		return false
	}
	if m.beta == nil {
		m.beta, m.from = make([]float64, len(d.beta)), passes
	}
	if d.visits-m.visits >= int64(len(d.beta)/meanShare) {
		m.epochs++
		part := 1 / float64(m.epochs)
		for i, v := range d.beta {
			m.beta[i] += part * (v - m.beta[i])
		}
		m.b += part * (d.epochBias - m.b)
		m.visits = d.visits
	}
	if float64(passes) < meanGrowth*float64(m.from) {
		return false
	}
	if d.estimate() <= meanRatio*d.target() {
		d.balance(m.beta, core.SumOf(m.beta), m.b)
		done = d.r.CheckBeta(m.beta)
	}
	clear(m.beta)
	m.b, m.epochs, m.from = 0, 0, passes
	return done
}

// On an eighth of WordNet, hinge to 1e-6, eight seeds take 388 passes without means. A meanGrowth
// of 1.2 takes 317 passes, 1.25 takes 330 and 1.3 takes 339. A meanRatio of 2.5 takes 351; 8 takes
// 320 and ten certificates more. To 1e-5, a firstMean of 20 takes 163 passes, 16 and 13 take 147,
// and 13 takes five certificates more. A meanShare of 4 or 64 also takes 317, and 1 takes 338.
// Without a meanShare, epochs of few active rows can take 30 times as long because of their means
// alone. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
const (
	firstMean  = 16  // passes; before, β moves too far
	meanGrowth = 1.2 // passes at the end of a stretch over passes at its beginning
	meanRatio  = 4   // times the estimate at which β is certified
	meanShare  = 8   // the mean takes an epoch after every 1/meanShare of a pass
)
