// Package svm states, solves and certifies the support vector machines of the course.
//
// A [Problem] says what is to be minimised: data, loss, kernel, cost and bias. [Fit] solves it
// with a [Solver], one of its own choice if none is given, and returns a [Result]: the [Model]
// and the [Proof] of how good it is. [Fitter] turns a problem into what packages tune and multiclass take.
//
//	r, err := svm.Fit(ctx, &svm.Problem{Data: data, C: svm.PerSum(1)}, nil, nil)
//
// # The problem
//
//	minimise  ½‖w‖² + Σᵢ cᵢ·ℓ(f(xᵢ), yᵢ),    f(x) = ⟨w,φ(x)⟩ + b
//
//	ℓ    Hinge, SquaredHinge, Logistic; EpsInsensitive, SquaredEpsInsensitive (package loss)
//	cᵢ   C, times a factor of the class or the side of the tube, times the weight of the row
//	     (svmkit.Dataset.Weight, also by classes: svmkit.Balanced); +Inf is the hard margin
//	b    svmkit.FreeBias (the default), PenalizedBias (½b² is added) or NoBias
//	φ    linear, or that of a kernel (package kernel)
//
// C multiplies the sum of the losses ([PerSum]); [PerMean] and [Lambda] translate the other two
// scalings of the notes. One class, to tell rows like those of training from outliers: [OneClass]. More than two classes: package multiclass. Choosing C and γ: package
// tune. Whether a plane separates the classes at all, with a proof either way: package separate.
//
// # The dual, and the sign of β
//
// Every fit works on, and returns, one number βᵢ a row with w = Σ βᵢφ(xᵢ), and maximises
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
// In classification βᵢ = αᵢyᵢ. In regression βᵢ = αᵢ⁻ − αᵢ⁺: positive where the score lies below
// the tube and is pulled up; c⁺ and c⁻ are the costs of a score above and below it. [Result.Alpha]
// gives αᵢ = |βᵢ|. A support vector has βᵢ ≠ 0; a free one is strictly within its box. With the
// hinge and ε-insensitive losses its score is exactly on the margin or the tube's edge. With
// the others all support vectors are free, and their scores are not.
//
// # Certificates
//
// No solver grades itself. [Problem.Certify] rebuilds both objectives, their gap and the
// violation of the optimality conditions from the data and β alone, and the status
// [svmkit.Optimal] means that this gap is small: the best possible objective lies between Dual and Primal. So
// whatever the solver did, a result with a gap of zero is a solution. An indefinite kernel
// (sigmoid) has no such bound: its fits end as [svmkit.Stationary].
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
// [ProximalNewton] is the fastest for up to about a thousand columns, [DualCoordinate] for more, [Newton]
// for the logistic loss. [SMO] takes every kernel; [Decomposition] is faster for the RBF kernel and
// many rows. [SDCA] and [Pegasos] are the algorithms of note E as they are printed, to learn from;
// [PegasosStream] learns from examples that are not kept. A solver that cannot work on a problem says so
// with a [*svmkit.ParamError].
//
// Some solvers have a successor, which goes on from the best β where they can do no more: [Newton]'s
// conjugate gradients the Cholesky factors, [Decomposition] SMO, and where [Fit] chose coordinate descent
// for up to 2,000 columns, ProximalNewton; for up to 2,000 rows of more columns, the same in the span of the rows.
// [Result.Trace] holds one [Stage] for each solver that worked;
// its String is their names.
//
// # Where the steps stand
//
// This package holds what a user sees. The solvers are below svm/internal; the comment of each one's type
// derives its step.
//
//	                type with the derivation    the step in code
//	DualCoordinate  coordinate.DualCoordinate   coordinate/sweep.go with Loss.Step of core/loss.go; a free bias: coordinate/bias.go
//	SDCA            coordinate.SDCA             coordinate/sdca.go with Loss.Step of core/loss.go
//	Newton          newton.Cholesky             newton/factors.go, newton/gradients.go: directions; newton/newton.go
//	ProximalNewton  newton.ProximalNewton       newton/proximal.go
//	SMO             workingset.SMO              workingset/smo_step.go
//	Decomposition   workingset.Decomposition    workingset/decomposition.go; within a working set workingset/block.go
//	Pegasos         pegasos.Pegasos             pegasos/pegasos.go, pegasos/point.go
//
//	losses, conjugates, boxes   core/loss.go
//	certificate, best bias      core/certify.go, core/bias.go
//	β made feasible             core/feasible.go
//	limits, trace, successors   core/run.go
//	choice of a solver          solvers.go of this package
//
// # For those who know LIBLINEAR and LIBSVM
//
//	LIBLINEAR -s 1, -s 2     SquaredHinge        -c C      Cost.C: times the sum of the losses, as here
//	LIBLINEAR -s 3           Hinge               -wi       Cost.Positive, Cost.Negative
//	LIBLINEAR -s 0, -s 7     Logistic            -p        Epsilon of the loss
//	LIBLINEAR -s 11, -s 12   SquaredEpsInsensitive
//	LIBLINEAR -s 13          EpsInsensitive      -B 1      PenalizedBias; -B -1 (its default): NoBias
//	LIBSVM -s 0, -s 3        Hinge, EpsInsensitive with FreeBias; its ρ is −b
//	LIBSVM -s 2              OneClass            -n        Nu
//	scikit-learn             sample_weight: svmkit.Dataset.Weight; class_weight: svmkit.ClassWeights, svmkit.Balanced
//
// The squares have no factor ½, as there. Tol is not their -e: it bounds the relative
// duality gap, which is how far the objective can be from the best. Package modelfile reads and
// writes the models of both.
//
// # Models
//
// A [Model] scores, predicts and is saved (package modelfile) without the data that it was
// trained on. Probabilities: [FitPlatt] on scores of rows that the model was not trained on,
// kept in Model.Platt, read by [Model.Probability].
package svm
