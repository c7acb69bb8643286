package main

import (
	"math"
	"slices"
)

// A sample is what interleaved runs of one engine took, in seconds.
type sample []float64

func (s sample) median() float64 { return s.quantile(0.5) }

// spread is half the distance of the quartiles, relative to the median.
func (s sample) spread() float64 { return (s.quantile(0.75) - s.quantile(0.25)) / 2 / s.median() }

// quantile interpolates between the sorted values; NaN of none.
func (s sample) quantile(p float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	at := p * float64(len(s)-1)
	k := min(int(at), len(s)-1)
	v := sorted[k]
	if k+1 < len(s) {
		v += (at - float64(k)) * (sorted[k+1] - v)
	}
	return v
}

// ratios divides round by round: a disturbance of a round affects both.
func ratios(a, b sample) sample {
	r := make(sample, min(len(a), len(b)))
	for i := range r {
		r[i] = a[i] / b[i]
	}
	return r
}

// logSlope returns the slope of log y against log x by least squares, and its standard error. It
// takes three points or more for an error; NaN otherwise.
func logSlope(x, y []float64) (slope, stdErr float64) {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx += math.Log(x[i]) / n
		my += math.Log(y[i]) / n
	}
	var sxx, sxy float64
	for i := range x {
		dx := math.Log(x[i]) - mx
		sxx += dx * dx
		sxy += dx * (math.Log(y[i]) - my)
	}
	slope = sxy / sxx
	var squares float64
	for i := range x {
		e := math.Log(y[i]) - my - slope*(math.Log(x[i])-mx)
		squares += e * e
	}
	return slope, math.Sqrt(squares / (n - 2) / sxx)
}
