package svm

// thinnedTask is a part of a task's rows, with their scores: what it says of the best bias is a good start for
// the search among all rows, whose every look costs a pass over them.
type thinnedTask struct {
	task
	scores []float64
}

const (
	thinnedFrom = 4096 // rows: fewer are as quick by themselves
	thinnedStep = 16
)

// thinned returns every sixteenth row, nil where rows are few.
func (t *task) thinned(scores []float64) *thinnedTask {
	if len(scores) < thinnedFrom {
		return nil
	}
	n := (len(scores) + thinnedStep - 1) / thinnedStep
	numbers := make([]float64, 5*n)
	part := &thinnedTask{task: task{squared: t.squared, logistic: t.logistic, crew: t.crew}}
	for k, to := range []*[]float64{&part.low, &part.high, &part.under, &part.over, &part.scores} {
		*to = numbers[k*n : (k+1)*n]
	}
	for k := range n {
		i := k * thinnedStep
		part.low[k], part.high[k], part.under[k], part.over[k], part.scores[k] = t.low[i], t.high[i], t.under[i], t.over[i], scores[i]
	}
	return part
}

// squaredPrices returns the sum of all squared prices.
func (t *thinnedTask) squaredPrices() (sum float64) {
	for i, v := range t.under {
		sum += v*v + t.over[i]*t.over[i]
	}
	return sum
}

// bothSides reports whether some row pulls the bias up and another one down.
func (t *thinnedTask) bothSides() bool {
	up, down := false, false
	for i, v := range t.under {
		up, down = up || v > 0, down || t.over[i] > 0
	}
	return up && down
}
