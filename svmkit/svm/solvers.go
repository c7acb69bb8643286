package svm

import (
	"reflect"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/coordinate"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/newton"
	"github.com/svmkit/course/svmkit/svm/internal/pegasos"
	"github.com/svmkit/course/svmkit/svm/internal/workingset"
)

// Solver selects an algorithm. The solvers are the structs of this package.
//
// The exported fields of a solver are its parameters, and their zero values mean the documented
// defaults. A pointer to a solver is a Solver as well. A fit does not change its solver, so one
// solver may serve several fits concurrently.
type Solver interface {
	solver() // only the structs of this package are solvers
}

func (DualCoordinate) solver() {}
func (SDCA) solver()           {}
func (Newton) solver()         {}
func (ProximalNewton) solver() {}
func (SMO) solver()            {}
func (Decomposition) solver()  {}
func (Pegasos) solver()        {}

// valueOf returns the solver that s is or points to; nil if s is nil.
func valueOf(s Solver) (Solver, error) {
	v := reflect.ValueOf(s)
	if v.Kind() != reflect.Pointer {
		return s, nil
	}
	if v.IsNil() {
		return nil, &svmkit.ParamError{Name: "Solver", Value: nil,
			Need: "must not be a nil pointer (nil itself chooses one)"}
	}
	return v.Elem().Interface().(Solver), nil
}

// plan returns the steps of a fit by s: the solver and, for some solvers, another one that
// continues when the first can do no more. It is a function rather than a method of Solver, because
// every program that imports svm would otherwise compile the generic types that core.Task uses
// (TestCheapToImport).
func plan(s Solver, f core.Form) []core.Step {
	switch s := s.(type) {
	case DualCoordinate:
		return only(coordinate.DualCoordinate(s))
	case SDCA:
		return only(coordinate.SDCA(s))
	case Newton:
		return newtonSteps(s, f.Unknowns())
	case ProximalNewton:
		return only(newton.ProximalNewton(s))
	case SMO:
		return only(workingset.SMO(s))
	case Decomposition:
		return decompositionSteps(s)
	}
	return only(pegasosSolver(s.(Pegasos)))
}

func only(s core.Solver) []core.Step { return []core.Step{{Solver: s}} }

func pegasosSolver(s Pegasos) pegasos.Pegasos {
	k := pegasos.Pegasos{Batch: s.Batch, Project: s.Project, Last: s.Last,
		Independent: s.Independent}
	if s.Each != nil {
		k.Each = func(step pegasos.Step) { s.Each(PegasosStep(step)) }
	}
	return k
}

func newtonSteps(s Newton, unknowns int) []core.Step {
	atOnce, atLast := s.Dense, s.Dense
	if s.Dense == 0 {
		atOnce, atLast = denseAtOnce, denseAtLast
	}
	switch {
	case unknowns <= atOnce:
		return only(newton.Cholesky{})
	case unknowns <= atLast:
		return []core.Step{{Solver: newton.ConjugateGradients{HandOver: true}},
			{Solver: newton.Cholesky{}}}
	}
	return only(newton.ConjugateGradients{})
}

func decompositionSteps(s Decomposition) []core.Step {
	return []core.Step{{Solver: workingset.Decomposition(s)},
		{Solver: workingset.SMO{CacheBytes: s.MemoryBytes}}}
}

// Check returns nil if s can solve p, and otherwise the error that [Fit] would return.
//
// The error is a [*svmkit.ParamError] about the loss, the kernel, the cost, the bias or the
// parameters of the solver. A nil s is the automatic choice of Fit, which solves every valid
// problem.
//
// Check does not look at the rows; [Problem.Validate] and Fit do. p.Data may be nil. If it is not,
// its number of columns counts as well, because [ProximalNewton] has a limit.
func (p *Problem) Check(s Solver) error {
	if p == nil {
		return &svmkit.ParamError{Name: "Problem", Value: nil, Need: "must not be nil"}
	}
	problem := p.core()
	if err := problem.ValidateParameters(); err != nil {
		return err
	}
	s, err := valueOf(s)
	if err != nil || s == nil {
		return err
	}
	form := problem.Form()
	return plan(s, form)[0].Accepts(form)
}

// DualCoordinate is dual coordinate descent with shrinking. It solves linear problems with any bias
// and any loss except the logistic one.
//
// An iteration is as many visits to rows as there are rows. Sources: Hsieh, Chang, Lin, Keerthi and
// Sundararajan (2008), Algorithm 3; for regression Ho and Lin (2012), Algorithm 3. The step is
// derived in svm/internal/coordinate.
type DualCoordinate struct {
	KeepAll bool // whether each epoch visits all rows, without shrinking
}

// SDCA is stochastic dual coordinate ascent in its published form, for learning. [DualCoordinate]
// takes the same step and is faster.
//
// It draws a row with replacement, sets its αᵢ to the maximiser of the dual objective, and repeats.
// It solves linear problems and problems with a positive semidefinite kernel, with any loss except
// the logistic one, and a penalized bias or none.
//
// An iteration is n draws. Source: Shalev-Shwartz and Zhang (2013), Procedure SDCA;
// lessons/11-sdca.md. The step is derived in svm/internal/coordinate.
type SDCA struct{}

// Newton minimises the primal objective of a linear problem by Newton steps with a line search.
//
// It needs a differentiable loss (squared hinge, squared ε-insensitive, logistic) and takes any
// bias. Up to Dense unknowns the directions come from Cholesky factors, and for more unknowns from
// preconditioned conjugate gradients. If conjugate gradients need too many products and there are
// at most 2,000 unknowns, Newton switches to Cholesky factors, and Result.Trace reports it.
//
// An iteration is a pass over the data, and an update is a Newton step. Newton uses no random
// numbers. Sources: Keerthi and DeCoste (2005); Lin, Weng and Keerthi (2008), Algorithm 2. The
// problem, its dual and the update are in svm/internal/newton/newton.go.
type Newton struct {
	// Dense is the largest number of unknowns for which Cholesky factors are used from the start;
	// default 300. There are d unknowns, or d + 1 with a bias. A negative number means never. A
	// larger number pays if rows are sparse, or if columns differ so much in scale that conjugate
	// gradients converge slowly. At 300 a dense row of m values costs as much in the Hessian, m²/2
	// multiplications, as in 75 products of 2m multiplications.
	Dense int
}

// The numbers of unknowns up to which the Hessian is factorised: from the start, and when Newton
// switches from conjugate gradients.
const (
	denseAtOnce = 300
	denseAtLast = 2000 // the matrix takes 32 MB, and its factors take as much
)

// ProximalNewton is the proximal point method on the dual, with Newton's method inside. It is the
// fastest solver here up to about a thousand columns.
//
// It solves linear problems of up to 5,000 columns with any loss except the logistic one, any bias,
// and finite C. Columns that differ in scale do not slow it down.
//
// An iteration is a pass over the data, and an update is a Newton step. It costs O(nnz), d³/3, and
// the square of the stored values of each row that enters or leaves the Hessian. The result does
// not depend on the number of threads. Sources: Rockafellar (1976); Li, Sun and Toh (2018). The
// problem, its dual and the update are in svm/internal/newton/proximal.go.
type ProximalNewton struct{}

// SMO is sequential minimal optimisation with working sets of two rows. It takes any kernel, any
// bias and the hard margin.
//
// It solves problems with any loss except the logistic one. With an indefinite kernel it ends at a
// stationary point. It chooses working sets by second-order information, keeps kernel rows in a
// cache, and shrinks.
//
// An iteration is as many steps as there are rows, at least 1,000. An incomplete last iteration
// counts. Source: Fan, Chen and Lin (2005), Algorithm 2 (WSS 2), with LIBSVM's shrinking. The
// update is derived in svm/internal/workingset.
type SMO struct {
	// CacheBytes limits the cache of kernel rows of n float64 each; default 256 MiB, at least two
	// rows.
	CacheBytes int64
	// NoShrinking keeps all rows active. This is simpler to follow and usually slower.
	NoShrinking bool
}

// Decomposition solves the dual by working sets of about a thousand rows. It is the fastest solver
// here for the RBF kernel from about 500 rows on.
//
// It takes positive semidefinite kernels, any loss except the logistic one, any bias, and finite C.
// If it makes no more progress, SMO continues, and Result.Trace reports it.
//
// An iteration is one solved working set. Sources: Joachims (1999); Wen et al. (2018). The update
// is derived in svm/internal/workingset.
type Decomposition struct {
	// WorkingSet is the number of rows of a working set; default 1024. It is doubled if progress is
	// slow.
	WorkingSet int
	// MemoryBytes limits the square of kernel values, 4·WorkingSet²; default 256 MiB, at least 64
	// rows.
	MemoryBytes int64
}

// Pegasos is stochastic subgradient descent on the soft margin with steps 1/(λt), λ = 1/Σcᵢ, for
// learning.
//
// It solves linear problems with the hinge loss and a penalized bias or none. The model is the mean
// of the iterates, in which iterate t has weight t. The dual point that its violations make up
// certifies it, which is a loose bound. Expect thousands of epochs where DualCoordinate needs ten.
// Settings.Start has no effect.
//
// An iteration is an epoch of n rows. Sources: Shalev-Shwartz, Singer, Srebro and Cotter (2011),
// Fig. 1 and 2; Lacoste-Julien, Schmidt and Bach (2012) for the mean; lessons/09-pegasos.md. The
// step and the dual point are derived in svm/internal/pegasos.
type Pegasos struct {
	Batch int // rows per step, k ≥ 1; default 1
	// Project projects onto the ball of radius 1/√λ after each step. The mean then skips the first
	// steps, which are longer than this radius.
	Project bool
	Last    bool // whether the model is the last iterate instead of the mean
	// Independent draws rows independently, as in the paper's analysis, instead of each row once
	// per epoch.
	Independent bool

	// Each is called after every step; it may be nil. Every call costs a copy of w.
	Each func(PegasosStep)
}

// PegasosStep describes a completed step of [Pegasos]. Its slices belong to the caller.
type PegasosStep struct {
	T    int   // t, from 1
	Rows []int // the batch; a row may occur twice if rows are drawn independently
	// Violated lists the rows of the batch with y·f(x) < 1 before the step. Only they add to w; the
	// step shrinks w.
	Violated []int
	Plane    svmkit.Hyperplane // the iterate after the step, not the mean
}

const (
	// primalMaxColumns is the number of columns up to which both Newton methods are much faster
	// than coordinate descent. Benchmark:
	//
	//	go run -C tools ./bench -rows linear
	//	go run -C tools ./bench -rows linear -solver "dual coordinate descent"
	primalMaxColumns = 1000
	// decompositionMinRows is the number of rows from which Decomposition is faster than SMO for
	// the RBF kernel, because it computes hundreds of kernel values at a time. Benchmark:
	//
	//	go run -C tools ./bench -rows kernel
	//	go run -C tools ./bench -rows kernel -solver smo
	decompositionMinRows = 500
)

// choose returns the steps of a fit without a Solver, by the rules in the documentation of Fit.
//
// Coordinate descent is the fastest solver for most wide problems of few rows, but it may stay far
// from the optimum if the columns differ in scale. Up to denseAtLast columns it therefore gets half
// of the iterations. For more columns it gets as much work as Newton's method in the span of the
// rows costs: if it has not ended by then, it is unlikely to end soon.
func choose(t *core.Task) []core.Step {
	switch {
	case t.Gaussian() && !t.Hard && t.Len() >= decompositionMinRows:
		return decompositionSteps(Decomposition{})
	case !t.Linear():
		return only(workingset.SMO{})
	case t.Kind == core.Logistic:
		return newtonSteps(Newton{}, t.Unknowns())
	case t.Hard:
		return only(workingset.SMO{})
	case t.Dim <= primalMaxColumns && t.Dim <= t.Len():
		return []core.Step{{Solver: newton.ProximalNewton{}}, {Solver: coordinate.DualCoordinate{}}}
	case t.Dim <= denseAtLast:
		return []core.Step{{Solver: coordinate.DualCoordinate{}, Half: true},
			{Solver: newton.ProximalNewton{}}}
	case t.Len() <= denseAtLast:
		return []core.Step{{Solver: coordinate.DualCoordinate{}, Most: newton.SpanCost(t)},
			{Solver: newton.Span{}}, {Solver: coordinate.DualCoordinate{}}}
	}
	return only(coordinate.DualCoordinate{})
}
