package svm

import (
	"math"
	"runtime"

	"github.com/svmkit/course/svmkit/internal/parallel"
)

// tally holds what a block of rows adds to a certificate.
type tally struct{ loss, excess, dual, kkt float64 }

// tallyRows is the length of a block. Blocks are added in their order, so the bits do not depend on
// who computes which.
const tallyRows = 2048

// doParts calls part for 0 … n−1, on several threads if there is enough to do.
func (t *task) doParts(n int, part func(int)) {
	crew := t.crew
	if crew == nil && n > 1 {
		crew = parallel.NewCrew(min(n, runtime.GOMAXPROCS(0)))
		defer crew.Close()
	}
	crew.Do(n, part)
}

// doRows calls rows for each block of tallyRows rows.
func (t *task) doRows(rows func(from, to int)) {
	n := t.len()
	t.doParts((n+tallyRows-1)/tallyRows, func(part int) {
		rows(part*tallyRows, min((part+1)*tallyRows, n))
	})
}

// sumOf is the function of that name, by several threads.
func (t *task) sumOf(v []float64) float64 {
	parts := make([]float64, (len(v)+tallyRows-1)/tallyRows)
	t.doRows(func(from, to int) { parts[from/tallyRows] = sumOf(v[from:to]) })
	return sumOf(parts)
}

// tally adds up rows from ≤ i < to; charge is the task whose prices count.
func (t *task) tally(charge *task, beta, scores []float64, from, to int) (sum tally) {
	for i := from; i < to; i++ {
		if t.logistic || charge != t {
			sum.add(t.judge(charge, i, beta[i], scores[i]))
		} else {
			sum.add(t.judgeEdges(i, beta[i], scores[i]))
		}
	}
	return sum
}

func (sum *tally) add(row tally) {
	sum.kkt = max(sum.kkt, row.kkt)
	sum.dual += row.dual
	sum.loss += row.loss
	sum.excess += row.excess
}

// judge returns what row i, its β and its score f add to a certificate.
func (t *task) judge(charge *task, i int, beta, f float64) tally {
	low, high := t.optimal(i, beta)
	if t.logistic { // its loss and dual are what takes the time
		loss, dual := t.logisticLoss(i, f), t.logisticDual(i, beta)
		return tally{kkt: max(low-f, f-high), dual: dual, loss: loss, excess: max(0, loss-dual+beta*f)}
	}
	return tally{kkt: max(low-f, f-high), dual: t.dual(i, beta), loss: charge.loss(i, f), excess: charge.excess(i, beta, f)}
}

// judgeEdges is judge for all losses but the logistic one, at their own prices, and faster: a look at
// the row's edges is enough for all four. The formulas are those of loss, dual, excess and optimal.
func (t *task) judgeEdges(i int, beta, f float64) (row tally) {
	// Seen from the side that β is on: x is how far f lies inside of that edge, other how far it is
	// outside of the other one.
	edge, x, price := t.low[i], f-t.low[i], t.under[i]
	other, otherPrice := f-t.high[i], t.over[i]
	row.dual = beta * edge
	if beta < 0 || beta == 0 && price == 0 {
		edge = t.high[i]
		row.dual = beta * edge
		beta, x, price, other, otherPrice = -beta, -other, otherPrice, -x, price
	}
	if beta == 0 {
		row.dual, row.kkt = 0, max(-x, other) // its edge may be infinite
	}
	switch out := -x; {
	case t.squared && out > 0:
		d := out - beta/(2*price)
		row.loss, row.excess = price*out*out, price*d*d
	case t.squared && beta > 0:
		row.excess = beta*x + beta*beta/(4*price)
	case out > 0:
		row.loss, row.excess = price*out, (price-beta)*out
	case beta > 0:
		row.excess = beta * x
	}
	if beta > 0 {
		switch {
		case t.squared:
			row.dual -= beta * beta / (4 * price)
			row.kkt = math.Abs(x + beta/(2*price))
		case beta >= price:
			row.kkt = x
		default:
			row.kkt = math.Abs(x)
		}
	}
	if !(other <= 0) { // NaN, too
		if t.squared {
			other *= other
		}
		row.loss += otherPrice * other
		row.excess += otherPrice * other
	}
	return row
}
