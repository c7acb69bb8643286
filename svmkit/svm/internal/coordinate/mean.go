package coordinate

import "github.com/svmkit/course/svmkit/svm/internal/core"

// mean is the mean of β and b at the ends of epochs of a stretch of passes.
type mean struct {
	beta   []float64 // nil before firstMean
	b      float64
	epochs int
	from   int   // the pass at which the stretch begins
	visits int64 // of rows at the last of the epochs
}

// average adds the epoch that has ended to the mean, unless few rows have been visited since the last one, and, at
// the end of a stretch, certifies the mean where its gap is likely to be the tolerance. The mean is in the box as each
// β is, and at a bound where each β is. What the order of the last visits adds to the gap of a β goes up and down from
// epoch to epoch, and mostly cancels in a mean. The iterate does not change.
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

// On the eighth of WordNet, hinge to 1e-6, eight seeds take 388 passes without means. A meanGrowth of 1.2 takes 317,
// 1.25 takes 330, 1.3 takes 339; a meanRatio of 2.5 takes 351, 8 takes 320 and ten certificates more. A firstMean
// of 20 takes 163 passes to 1e-5 where 16 and 13 take 147, 13 with five certificates more. A meanShare of 4 and 64
// take 317, too, 1 takes 338; without one, epochs of few active rows can take 30 times as long for their means alone.
const (
	firstMean  = 16  // passes: before, β moves too far
	meanGrowth = 1.2 // from the passes at the beginning of a stretch to those at its end
	meanRatio  = 4   // of the estimates at which the mean and β are certified
	meanShare  = 8   // the part of a pass between two epochs of the mean
)
