// Package core holds what the solvers of package svm share: the task with its table of losses
// ([Loss]), certificates, the best bias, feasible dual points, and the frame of a fit with its
// limits, its incumbent and its trace ([Run]).
package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// Task is a Problem in the form that all solvers read:
//
//	minimise  ½‖w‖² + Σᵢ φᵢ(f(xᵢ)),    maximise  D(β) = −½ Σᵢⱼ βᵢβⱼKᵢⱼ + Σᵢ dᵢ(βᵢ)
//
// where [Loss] defines φᵢ, dᵢ and the box of βᵢ, and w = Σ βᵢφ(xᵢ). In classification βᵢ = αᵢyᵢ; in
// regression βᵢ = αᵢ⁻ − αᵢ⁺, pull up minus pull down. A free bias b requires Σβᵢ = Sum, and a
// penalized bias adds 1 to each Kᵢⱼ. Sum is 0 except for a one-class problem, whose primal
// objective has the term Sum·b and the losses φᵢ(s) = max(0, −s) times a weight.
type Task struct {
	Form
	X    []svmkit.Row
	Loss []Loss  // one per row
	Sum  float64 // νn for a one-class problem, where n is the sum of its weights; otherwise 0

	Rows *KernelRows // the kernel prepared for X; KernelRows makes it when it is first needed

	floor *float64 // Certificate.Floor; nil until it is first needed

	Workers *parallel.Workers // for passes over the rows; nil if the caller alone makes them
	Memory  *Workspace
}

// NewTask returns the task of a valid problem without rows of weight 0. It has no workers.
func NewTask(p *Problem) *Task { return NewTaskIn(new(Workspace), nil, p) }

// NewTaskIn is NewTask for a task that uses a workspace and workers. It must not be used after
// either of them.
func NewTaskIn(memory *Workspace, workers *parallel.Workers, p *Problem) *Task {
	t := &Task{Form: p.Form(), X: p.Data.X, Loss: memory.losses(p.Data.Len()),
		Workers: workers, Memory: memory}
	if p.Nu > 0 {
		for i := range t.Loss {
			t.Loss[i] = Loss{High: math.Inf(1), Under: p.Data.RowWeight(i)}
			t.Sum += p.Data.RowWeight(i)
		}
		t.Sum *= p.Nu
		return t
	}
	t.DoRows(func(from, to int) { t.setLosses(p, from, to) })
	return t
}

// setLosses sets the losses of rows from ≤ i < to.
func (t *Task) setLosses(p *Problem, from, to int) {
	eps, regression, inf := p.epsilon(), p.Regression(), math.Inf(1)
	var cost [2]float64
	var negative, positive Loss
	for i := from; i < to; i++ {
		y := p.Data.Y[i]
		if i == from || p.Data.Weight != nil {
			cost = p.Sides(i)
			positive = Loss{Low: 1, High: inf, Under: cost[0], Kind: t.Kind}
			negative = Loss{Low: -inf, High: -1, Over: cost[1], Kind: t.Kind}
		}
		switch l := &t.Loss[i]; {
		case regression:
			*l = Loss{Low: y - eps, High: y + eps, Under: cost[1], Over: cost[0], Kind: t.Kind}
		case y > 0:
			*l = positive
		default:
			*l = negative
		}
	}
}

// Part returns the task of n rows. Its k-th row is row i of t, with its costs times factor, for (i,
// factor) = row(k).
func (t *Task) Part(n int, row func(k int) (i int, factor float64)) *Task {
	part := *t
	part.X, part.Loss, part.Rows = make([]svmkit.Row, n), t.Memory.losses(n), nil
	part.floor = nil
	for k := range n {
		i, factor := row(k)
		part.X[k], part.Loss[k] = t.X[i], t.Loss[i]
		part.Loss[k].Under *= factor
		part.Loss[k].Over *= factor
	}
	return &part
}

// Len returns the number of rows.
func (t *Task) Len() int { return len(t.Loss) }
