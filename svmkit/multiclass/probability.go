package multiclass

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// Probabilities returns the probability of each class; nil if some model has no [svm.Platt].
//
// tune.Probabilities fits the models' Platt. Let rᵢⱼ be the probability of class i by the model of
// (i, j), moved to at least 1e-7 and at most 1 − 1e-7. The probabilities pᵢ minimise
//
//	Σᵢ Σⱼ≠ᵢ (rⱼᵢpᵢ − rᵢⱼpⱼ)²  with  Σᵢ pᵢ = 1
//
// For two classes they are the probabilities of the only model. A class without a model has
// probability 0. All probabilities are NaN if a score is NaN. The most probable class may differ
// from the class of [PairClassifier.Predict], which counts votes. With FirstWins the iteration
// stops where svm-predict stops, at changes of about 0.005/K, and otherwise at rounding.
//
// Source: T.-F. Wu, C.-J. Lin, R. C. Weng, Probability estimates for multi-class classification by
// pairwise coupling, 2004, second method.
func (p *PairClassifier) Probabilities(x svmkit.Row) []float64 {
	models := p.scorers()
	if !havePlatt(models) {
		return nil
	}
	return p.couple(scoresOf(models, x))
}

// ProbabilitiesAll returns [PairClassifier.Probabilities] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model; nil if some model has none.
func (p *PairClassifier) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	_, all := p.ensemble().predictAll(rows, true)
	return all
}

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll, at the cost of
// one call of [svmkit.ScoreAll] per model.
func (p *PairClassifier) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	return p.ensemble().predictAll(rows, true)
}

// leastPair is the least probability of a class in a pair.
const leastPair = 1e-7

// couple returns the probabilities of the classes from the score of each model.
func (p *PairClassifier) couple(scores []float64) []float64 {
	if p.Count == 2 && len(p.Models) == 1 {
		return plattOf(p.Models[0].Scorer).Probabilities(scores[0])
	}
	absent, place := p.newCount().absent, make([]int, p.Count)
	var present []int // classes with a model, in Order; place holds where each is
	for i := range p.Count {
		if k := p.nth(i); absent[k] == 0 {
			place[k] = len(present)
			present = append(present, k)
		}
	}
	r := make([][]float64, len(present))
	for i := range r {
		r[i] = make([]float64, len(present))
	}
	for k, m := range p.Models {
		v := min(max(plattOf(m.Scorer).Probability(scores[k]), leastPair), 1-leastPair)
		a, b := place[m.Negative], place[m.Positive]
		r[a][b], r[b][a] = 1-v, v
		if math.IsNaN(v) {
			return slices.Repeat([]float64{math.NaN()}, p.Count)
		}
	}
	tol, most := 1e-13, 10_000
	if p.FirstWins {
		tol, most = 0.005/float64(len(r)), max(100, len(r))
	}
	probabilities := make([]float64, p.Count)
	for i, v := range coupled(r, tol, most) {
		probabilities[present[i]] = v
	}
	return probabilities
}

// coupled minimises pᵀQp over Σp = 1, where Qᵢᵢ = Σⱼ≠ᵢ rⱼᵢ² and Qᵢⱼ =
// −rⱼᵢrᵢⱼ, by Algorithm 2 of Wu, Lin and Weng: one pᵢ after the other is set to its optimum, and
// all are divided by their sum. At the solution (Qp)ᵢ = pᵀQp for all i; it stops when none is
// further away than tol, or after so many passes.
func coupled(r [][]float64, tol float64, passes int) []float64 {
	n := len(r)
	q, p, qp := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range q {
		q[i], p[i] = make([]float64, n), 1/float64(n)
		for j := range q[i] {
			if j != i {
				q[i][i] += r[j][i] * r[j][i]
				q[i][j] = -r[j][i] * r[i][j]
			}
		}
	}
	for range passes {
		pqp, worst := 0.0, 0.0
		for i, row := range q {
			qp[i] = 0
			for j, v := range row {
				qp[i] += v * p[j]
			}
			pqp += p[i] * qp[i]
		}
		for _, v := range qp {
			worst = max(worst, math.Abs(v-pqp))
		}
		if !(worst >= tol) {
			break
		}
		for i, row := range q {
			step := (pqp - qp[i]) / row[i]
			sum := 1 + step
			pqp = (pqp + step*(step*row[i]+2*qp[i])) / sum / sum
			p[i] += step
			for j, v := range row {
				qp[j] = (qp[j] + step*v) / sum
				p[j] /= sum
			}
		}
	}
	return p
}

// Probabilities returns the probability of each class; nil if some model has no [svm.Platt].
//
// It is the probability by the model of the class, divided by the sum over the classes. For two
// classes these are the probabilities of the only model. A class without a model has probability 0.
// All are NaN if a score is NaN, or if all models give 0.
//
// Source: B. Zadrozny, C. Elkan, Transforming classifier scores into accurate multiclass
// probability estimates, 2002.
func (r *RestClassifier) Probabilities(x svmkit.Row) []float64 {
	if !havePlatt(r.Models) {
		return nil
	}
	return r.shares(r.ClassScores(x))
}

// ProbabilitiesAll returns [RestClassifier.Probabilities] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model; nil if some model has none.
func (r *RestClassifier) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	_, all := r.ensemble().predictAll(rows, true)
	return all
}

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll, at the cost of
// one call of [svmkit.ScoreAll] per model.
func (r *RestClassifier) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	return r.ensemble().predictAll(rows, true)
}

// shares returns the probabilities of the classes from the score of each model.
func (r *RestClassifier) shares(scores []float64) []float64 {
	p, sum := make([]float64, len(scores)), 0.0
	for k, m := range r.Models {
		if _, two := m.(negated); two { // the model of both classes belongs to class 1
			return plattOf(m).Probabilities(scores[1])
		}
		if m != nil {
			p[k] = plattOf(m).Probability(scores[k])
		}
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// havePlatt reports whether all models have probabilities; nil is the model of a class without
// rows.
func havePlatt(models []svmkit.Scorer) bool {
	return !slices.ContainsFunc(models, func(m svmkit.Scorer) bool { return m != nil && plattOf(m) == nil })
}

// plattOf returns the sigmoid that turns the scores of a model into probabilities; nil if it has
// none.
func plattOf(s svmkit.Scorer) *svm.Platt {
	if n, ok := s.(negated); ok {
		s = n.Scorer
	}
	if m := svm.ModelOf(s); m != nil {
		return m.Platt
	}
	return nil
}
