package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// drawn is a set drawn at random, of any size, density and conditioning.
//
// Dense sets (density 1) have normal columns whose scales fall from 1 to 1/condition, and labels
// from a plane in the scaled columns, with noise: a tenth is wrong.
//
// Sparse sets resemble text: the number of terms of a row varies by a factor of about two around
// density·d, columns are drawn by Zipf's law, values are tf-idf weights of rows of length 1, and
// the labels come from the weights of a random topic vector, with noise. condition is not used.
type drawn struct {
	n, d       int
	density    float64 // part of the values that is stored, in (0, 1]
	condition  float64 // ≥ 1; 0 means 1
	regression bool
}

func (g drawn) String() string {
	s := fmt.Sprintf("drawn,n=%d,d=%d", g.n, g.d)
	if g.density < 1 {
		s += fmt.Sprintf(",density=%g", g.density)
	}
	if g.condition > 1 {
		s += fmt.Sprintf(",condition=%g", g.condition)
	}
	if g.regression {
		s += ",regression"
	}
	return s
}

// parseDrawn reads what String writes.
func parseDrawn(text string) (drawn, error) {
	g := drawn{n: 10_000, d: 100, density: 1}
	for _, field := range strings.Split(text, ",")[1:] {
		name, value, _ := strings.Cut(field, "=")
		v, err := strconv.ParseFloat(value, 64)
		switch {
		case name == "regression" && value == "":
			g.regression, err = true, nil
		case name == "n" && v >= 2:
			g.n = int(v)
		case name == "d" && v >= 1:
			g.d = int(v)
		case name == "density" && v > 0 && v <= 1:
			g.density = v
		case name == "condition" && v >= 1:
			g.condition = v
		default:
			return g, fmt.Errorf("%q: want drawn,n=10000,d=100,density=0.1,condition=1000,regression", field)
		}
		if err != nil {
			return g, fmt.Errorf("%q: %w", field, err)
		}
	}
	return g, nil
}

func (g drawn) draw(seed uint64) (*svmkit.Dataset, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	set := &svmkit.Dataset{Y: make([]float64, g.n), Dim: g.d}
	var scores []float64
	if g.density < 1 {
		set.X, scores = g.text(rng)
	} else {
		set.X, scores = g.dense(rng)
	}
	middle := slices.Sorted(slices.Values(scores))[g.n/2]
	for i, s := range scores {
		set.Y[i] = s
		if g.regression {
			set.Y[i] += 0.3 * rng.NormFloat64()
			continue
		}
		set.Y[i] = math.Copysign(1, s-middle)
		if rng.IntN(10) == 0 {
			set.Y[i] = -set.Y[i]
		}
	}
	return set, set.Validate()
}

// dense returns rows and the scores of a random plane, of about unit size.
func (g drawn) dense(rng *rand.Rand) ([]svmkit.Row, []float64) {
	scale, plane := make([]float64, g.d), make([]float64, g.d)
	for j := range scale {
		scale[j] = math.Pow(max(1, g.condition), -float64(j)/float64(max(1, g.d-1)))
		plane[j] = rng.NormFloat64() / math.Sqrt(float64(g.d))
	}
	flat, scores := make([]float64, g.n*g.d), make([]float64, g.n)
	for i := range scores {
		row := flat[i*g.d : (i+1)*g.d]
		for j := range row {
			v := rng.NormFloat64()
			scores[i] += v * plane[j]
			row[j] = v * scale[j]
		}
	}
	return svmkit.DenseRows(flat, g.d), scores
}

// zipfExponent and zipfOffset make the most frequent column stand in about every second row of a
// set with fifty values a row, as stop words do.
const (
	zipfExponent = 1.1
	zipfOffset   = 5
)

func (g drawn) text(rng *rand.Rand) ([]svmkit.Row, []float64) {
	zipf := rand.NewZipf(rng, zipfExponent, zipfOffset, uint64(g.d-1))
	topic, frequency := make([]float64, g.d), make([]int, g.d)
	for j := range topic {
		topic[j] = rng.NormFloat64()
	}
	rows := make([]svmkit.Row, g.n)
	seen := make([]int, g.d) // i+1 if row i has the column
	for i := range rows {
		m := max(1, min(g.d/2, int(g.density*float64(g.d)*math.Exp(0.5*rng.NormFloat64()-0.125))))
		index := make([]int32, 0, m)
		for tries := 0; len(index) < m && tries < 20*m; tries++ {
			if j := int(zipf.Uint64()); seen[j] != i+1 {
				seen[j] = i + 1
				frequency[j]++
				index = append(index, int32(j))
			}
		}
		slices.Sort(index)
		rows[i] = svmkit.Row{Index: index, Value: make([]float64, len(index))}
	}
	scores := make([]float64, g.n)
	for i, x := range rows {
		for k, j := range x.Index {
			x.Value[k] = float64(1+rng.IntN(2)) * math.Log(float64(g.n+1)/float64(frequency[j]))
		}
		norm := x.Norm()
		for k, j := range x.Index {
			x.Value[k] /= norm
			scores[i] += x.Value[k] * topic[j]
		}
	}
	return rows, scores
}

// permutation is the order in which part takes rows.
func permutation(n int) []int { return rand.New(rand.NewPCG(1, 0)).Perm(n) }

// load draws the set with seed 1.
func (g drawn) load() (*svmkit.Dataset, error) { return g.draw(1) }
