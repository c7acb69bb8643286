// Package svm trains support vector machines and certifies how close each model is to the best one:
//
//	p := &svm.Problem{Data: samples.Banknotes(), C: svm.PerSum(1)}
//	model, err := svm.Fit(ctx, p, nil, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.Status, model.RelativeGap() < 1e-3, model.Predict(p.Data.X[0]).Name)
//
// A [Problem] describes what to minimise: data, loss, kernel, cost and bias. [Fit] solves it with a
// [Solver]; with a nil Solver it picks one. The [Result] holds the [Model] and a [Proof] of how
// good the model is. [Fitter] turns a Problem into the argument that packages tune and multiclass
// take.
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
// C multiplies the sum of the losses ([PerSum]); [PerMean] and [Lambda] convert the two other
// common scalings. [OneClass] learns from rows of one class to tell similar rows from outliers.
// Package multiclass handles more than two classes, package tune chooses C, γ and the kernel, and
// package separate decides whether any plane separates the classes, with a proof for either answer.
//
// # The dual problem and the sign of β
//
// Every fit works on one number βᵢ per row, with w = Σ βᵢφ(xᵢ), and returns these numbers. It
// maximises
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
// In classification βᵢ = αᵢyᵢ. In regression βᵢ = αᵢ⁻ − αᵢ⁺, which is positive if the score lies
// below the tube and is pulled up; c⁺ and c⁻ are the costs of a score above and below the tube.
// [Result.Alpha] returns αᵢ = |βᵢ|.
//
// A support vector has βᵢ ≠ 0, and a free support vector is strictly inside its box. With the hinge
// and ε-insensitive losses, the score of a free support vector is exactly on the margin or on the
// edge of the tube. With the other losses all support vectors are free, and their scores are not on
// the margin.
//
// # Certificates
//
// No solver grades itself. [Problem.Certify] computes both objectives, their gap and the violation
// of the optimality conditions from the data and β alone. The best possible objective lies between
// Dual and Primal. The status [svmkit.Optimal] means that the gap between them is small, whatever
// the solver did. An indefinite kernel (sigmoid) has no such bound, so its fits end as
// [svmkit.Stationary].
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
// faster for the RBF kernel and many rows. [SDCA] and [Pegasos] follow the published algorithms and
// are meant for learning; [PegasosStream] learns from examples that are not kept. [Problem.Check]
// reports whether a solver can solve a problem.
//
// If a solver can do no more, another one may continue from the best β. [Newton] switches from
// conjugate gradients to Cholesky factors, and [Decomposition] switches to SMO. If [Fit] chose
// coordinate descent, ProximalNewton follows for up to 2,000 columns. For more columns and up to
// 2,000 rows, Newton's method in the span of the rows follows. [Result.Trace] holds one [Stage] for
// each solver that ran, and its String method lists their names.
//
// # Where to find the code
//
// This package holds the public types. The solvers are in packages below svm/internal. The comment
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
// # For users of LIBLINEAR, LIBSVM and scikit-learn
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
// As in these programs, the squared losses have no factor ½. Settings.Tol differs from their -e: it
// limits the relative duality gap, which bounds how far the objective is from the best one. Package
// modelfile reads and writes the models of these programs.
//
// # Models
//
// A [Model] scores and predicts without the training data. It implements [svmkit.Model], like the
// models of packages multiclass, tune and pipeline. Package modelfile saves and loads it.
//
// A model has probabilities if its field Platt is set; [Model.ProbabilitiesAll] then returns them.
// tune.Probabilities wraps a Fitter so that its models have them. It calls [FitPlatt] with scores
// of rows that the model was not trained on.
package svm
