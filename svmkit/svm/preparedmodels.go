package svm

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
)

// PreparedModels holds several models prepared to score one row at a time, as [Model.Prepare] does
// for one model.
//
// Models with the same kernel share it: it is evaluated once for each different support vector.
// Scoring allocates no memory. PreparedModels is safe for concurrent use.
type PreparedModels struct {
	models []*Model
	groups []*preparedGroup // of models with one kernel and one number of columns
	alone  []int            // the other models: the linear ones
}

// preparedGroup holds models that share their support vectors.
type preparedGroup struct {
	first  *Model
	models []int // their numbers
	// for each model: which vectors are its own, in the order of Coef
	terms  [][]int32
	rounds []*kernelsums.Rounding
	spare  sync.Pool // of *kernelsums.OneRow
}

// PrepareModels returns models prepared to score one row at a time. Do not change them afterwards.
func PrepareModels(models []*Model) *PreparedModels {
	p := &PreparedModels{models: models}
	for i, m := range models {
		if m.Weights != nil || m.Kernel == nil || len(m.SV) == 0 {
			p.alone = append(p.alone, i)
			continue
		}
		k := slices.IndexFunc(p.groups, func(g *preparedGroup) bool {
			return g.first.Dim == m.Dim && reflect.DeepEqual(g.first.Kernel, m.Kernel)
		})
		if k < 0 {
			k = len(p.groups)
			p.groups = append(p.groups, &preparedGroup{first: m})
		}
		p.groups[k].models = append(p.groups[k].models, i)
	}
	for _, g := range p.groups {
		place := map[string]int32{} // of a vector by its numbers
		var vectors []svmkit.Row
		for _, i := range g.models {
			terms := make([]int32, len(models[i].SV))
			for k, x := range models[i].SV {
				key := rowKey(x)
				at, known := place[key]
				if !known {
					at = int32(len(vectors))
					place[key], vectors = at, append(vectors, x)
				}
				terms[k] = at
			}
			g.terms = append(g.terms, terms)
			g.rounds = append(g.rounds, kernelsums.NewRounding(models[i].Kernel, models[i].Bias, models[i].SV, models[i].Coef))
		}
		rows := kernelsums.Prepare(g.first.Kernel, vectors, g.first.Dim, nil)
		g.spare.New = func() any { return rows.OneRow() }
	}
	return p
}

// rowKey returns a text that two rows share if they have the same bits.
func rowKey(x svmkit.Row) string {
	var b []byte
	for k, v := range x.Value {
		if x.Index != nil {
			b = binary.LittleEndian.AppendUint32(b, uint32(x.Index[k]))
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	if x.Index != nil {
		b = append(b, 's') // so that its length differs from that of any dense row
	}
	return string(b)
}

// Scores sets to[i] to the [Model.Score] of model i, up to rounding of at most within[i] that
// changes no sign. to and within need one element per model.
func (p *PreparedModels) Scores(to, within []float64, x svmkit.Row) {
	for _, i := range p.alone {
		to[i], within[i] = p.models[i].Score(x), 0
	}
	for _, g := range p.groups {
		if !g.scores(p.models, to, within, x) {
			for _, i := range g.models {
				to[i], within[i] = p.models[i].Score(x), 0
			}
		}
	}
}

// scores reports whether the kernel has a value for every vector of the group. If not, Score
// reports the failure itself.
func (g *preparedGroup) scores(models []*Model, to, within []float64, x svmkit.Row) bool {
	if x.Index == nil && len(x.Value) != g.first.Dim {
		return false
	}
	one := g.spare.Get().(*kernelsums.OneRow)
	values, err := one.Values(x)
	if err != nil {
		return false
	}
	norm := kernelsums.NormFor(g.first.Kernel, x)
	for n, i := range g.models {
		sum := models[i].Bias
		for k, at := range g.terms[n] {
			sum += float64(models[i].Coef[k] * values[at])
		}
		to[i], within[i] = sum, g.rounds[n].Of(x, norm)
		if math.Abs(sum) <= within[i] && !models[i].Regression {
			to[i], within[i] = models[i].Score(x), 0
		}
	}
	g.spare.Put(one)
	return true
}
