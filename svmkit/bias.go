package svmkit

// Bias says how the constant b of f(x) = ⟨w,x⟩ + b enters a problem.
//
// The zero value means the usual bias of each algorithm, which its documentation names. It is free
// for svm.Problem, and there is none for a perceptron, svm.PegasosStream and
// multiclass.CrammerSinger.
type Bias int

const (
	FreeBias      Bias = iota + 1 // b is free and costs nothing: the textbook's soft margin
	PenalizedBias                 // b is the weight of a constant feature 1, so ‖w‖² includes b²
	NoBias                        // b = 0: planes through the origin
)

// String returns the bias in words, such as "free bias".
func (b Bias) String() string {
	switch b {
	case 0:
		return "default bias"
	case FreeBias:
		return "free bias"
	case PenalizedBias:
		return "penalized bias"
	case NoBias:
		return "no bias"
	}
	return "unknown bias"
}

// Or returns b, or the given default if b is zero.
func (b Bias) Or(usual Bias) Bias {
	if b == 0 {
		return usual
	}
	return b
}
