package loss

import "github.com/svmkit/course/svmkit"

// Named returns the loss of a name: hinge, squared-hinge, logistic, eps-insensitive or
// squared-eps-insensitive. Only the last two use epsilon. Any other name is a [*svmkit.ParamError].
func Named(name string, epsilon float64) (Trainable, error) {
	switch name {
	case "hinge":
		return Hinge{}, nil
	case "squared-hinge":
		return SquaredHinge{}, nil
	case "logistic":
		return Logistic{}, nil
	case "eps-insensitive":
		return EpsInsensitive{Epsilon: epsilon}, nil
	case "squared-eps-insensitive":
		return SquaredEpsInsensitive{Epsilon: epsilon}, nil
	}
	return nil, &svmkit.ParamError{Name: "Loss", Value: name,
		Need: "must be hinge, squared-hinge, logistic, eps-insensitive or squared-eps-insensitive"}
}
