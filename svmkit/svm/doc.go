// Package svm states, solves and certifies support vector machines.
//
//	p := &svm.Problem{Data: data, C: svm.PerSum(1)}
//	r, err := svm.Fit(ctx, p, nil, nil)
//	if err != nil {
//		return err
//	}
//	fmt.Println(r.Status, r.Gap, r.Predict(row))
//
// A [Problem] states what is to be minimised: data, loss, kernel, cost and bias. [Fit] solves it
// with a [Solver], or with one of its own choice, and returns a [Result]: the [Model] and the
// [Proof] of how good it is. [Fitter] turns a problem into what packages tune and multiclass take.
//
// # The problem
//
//	minimise  ½‖w‖² + Σᵢ cᵢ·ℓ(f(xᵢ), yᵢ),    f(x) = ⟨w,φ(x)⟩ + b
//
//	ℓ    Hinge, SquaredHinge, Logistic; EpsInsensitive, SquaredEpsInsensitive (package loss)
//	cᵢ   C, times a factor of the class or the side of the tube, times the weight of the row
//	     (svmkit.Dataset.Weight, also by classes: svmkit.Balanced); +Inf is the hard margin
//	b    svmkit.FreeBias (the default), PenalizedBias (½b² is added) or NoBias
//	φ    the identity (linear), or the feature map of a kernel (package kernel)
//
// C multiplies the sum of the losses ([PerSum]); [PerMean] and [Lambda] translate the two other
// common scalings. [OneClass] learns from rows of one class to tell similar rows from outliers.
// Package multiclass is for more than two classes, package tune chooses C, γ and the kernel, and package
// separate decides whether a plane separates the classes at all, with a proof either way.
//
// # The dual, and the sign of β
//
// Every fit works on, and returns, one number βᵢ per row, with w = Σ βᵢφ(xᵢ), and maximises
//
//	D(β) = −½‖Σ βᵢφ(xᵢ)‖² + Σ dᵢ(βᵢ)        Σβᵢ = 0 if b is free; −½(Σβᵢ)² if it is penalized
//
//	loss                    dᵢ(β)                                   the box of βᵢ
//	Hinge                   βy                                      0 ≤ βy ≤ c
//	SquaredHinge            βy − β²/(4c)                            0 ≤ βy
//	Logistic                −c(a·log a + (1−a)·log(1−a)), a = βy/c  0 < βy < c
//	EpsInsensitive          βy − ε|β|                               −c⁺ ≤ β ≤ c⁻
//	SquaredEpsInsensitive   βy − ε|β| − β²/(4c)                     none
//
// In classification βᵢ = αᵢyᵢ. In regression βᵢ = αᵢ⁻ − αᵢ⁺: it is positive if the score lies below
// the tube and is pulled up; c⁺ and c⁻ are the costs of a score above and below the tube.
// [Result.Alpha] returns αᵢ = |βᵢ|. A support vector has βᵢ ≠ 0, and a free support vector is
// strictly inside its box. With the hinge and ε-insensitive losses, the score of a free support
// vector is exactly on the margin or on the edge of the tube. With the other losses all support
// vectors are free, and their scores are not.
//
// # Certificates
//
// No solver grades itself. [Problem.Certify] computes both objectives, their gap and the violation
// of the optimality conditions from the data and β alone. The status [svmkit.Optimal] means that
// this gap is small: the best possible objective lies between Dual and Primal. Whatever the solver
// did, a result with a gap of zero is a solution. An indefinite kernel (sigmoid) has no such bound,
// so its fits end as [svmkit.Stationary].
//
// # Solvers
//
//	                 kernels   losses                    bias             hard margin
//	DualCoordinate   linear    all but Logistic          any              yes
//	ProximalNewton   linear    all but Logistic          any              no
//	Newton           linear    the squares and Logistic  any              no
//	SMO              any       all but Logistic          any              yes
//	Decomposition    definite  all but Logistic          any              no
//	SDCA             definite  all but Logistic          penalized, none  yes
//	Pegasos          linear    Hinge                     penalized, none  no
//
// [ProximalNewton] is the fastest solver for up to about a thousand columns, [DualCoordinate] for
// more columns, and [Newton] for the logistic loss. [SMO] takes every kernel; [Decomposition] is
// faster for the RBF kernel and many rows. [SDCA] and [Pegasos] are the algorithms of the papers,
// to learn from; [PegasosStream] learns from examples that are not kept. [Problem.Check] tells
// whether a solver can solve a problem.
//
// Some solvers have a successor, which continues from the best β when they can do no more. The
// conjugate gradients of [Newton] hand over to Cholesky factors, and [Decomposition] hands over to
// SMO. If [Fit] chose coordinate descent, ProximalNewton follows for up to 2,000 columns, and
// Newton's method in the span of the rows for up to 2,000 rows with more columns. [Result.Trace]
// holds one [Stage] for each solver that worked, and its String lists their names.
//
// # Where the steps are
//
// This package holds what a user sees. The solvers are in packages below svm/internal. The comment
// of each solver's type derives its step.
//
//	                type with the derivation   the step in code
//	DualCoordinate  coordinate.DualCoordinate  coordinate/sweep.go, core/loss.go;
//	                                           a free bias: coordinate/bias.go
//	SDCA            coordinate.SDCA            coordinate/sdca.go, core/loss.go
//	Newton          newton.Cholesky            newton/newton.go, newton/factors.go,
//	                                           newton/gradients.go
//	ProximalNewton  newton.ProximalNewton      newton/proximal.go
//	SMO             workingset.SMO             workingset/smo_step.go
//	Decomposition   workingset.Decomposition   workingset/decomposition.go, workingset/block.go
//	Pegasos         pegasos.Pegasos            pegasos/pegasos.go, pegasos/point.go
//
//	losses, conjugates, boxes   core/loss.go
//	certificate, best bias      core/certify.go, core/bias.go
//	β made feasible             core/feasible.go
//	limits, trace, successors   core/run.go
//	choice of a solver          solvers.go of this package
//
// # For those who know LIBLINEAR and LIBSVM
//
//	LIBLINEAR -s 1, -s 2     SquaredHinge      -c C    Cost.C: times the sum of the losses
//	LIBLINEAR -s 3           Hinge             -wi     Cost.Positive, Cost.Negative
//	LIBLINEAR -s 0, -s 7     Logistic          -p      Epsilon of the loss
//	LIBLINEAR -s 11, -s 12   SquaredEpsInsensitive
//	LIBLINEAR -s 13          EpsInsensitive    -B 1    PenalizedBias; -B -1 (default): NoBias
//	LIBSVM -s 0, -s 3        Hinge, EpsInsensitive with FreeBias; its ρ is −b
//	LIBSVM -s 2              OneClass          -n      Nu
//
//	scikit-learn sample_weight   svmkit.Dataset.Weight
//	scikit-learn class_weight    svmkit.ClassWeights, svmkit.Balanced
//
// As in these programs, the squared losses have no factor ½. Tol is not their -e: it bounds the
// relative duality gap, which bounds how far the objective is from the best. Package modelfile
// reads and writes the models of both programs.
//
// # Models
//
// A [Model] scores and predicts without the data that it was trained on. It implements
// [svmkit.Model], like the models of packages multiclass, tune and pipeline. Package modelfile saves
// it to a file and loads it again.
//
// A model has probabilities if its field Platt is set: then [Model.ProbabilitiesAll] returns them.
// tune.Probabilities wraps a Fitter so that its models have them. It calls [FitPlatt] with scores
// of rows that the model was not trained on.
package svm
