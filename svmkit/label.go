package svmkit

import "math"

// LabelOf returns the label of a class, 0 … classes−1, as the Y of a [Dataset] holds it.
//
// With two classes the label is −1 for class 0 and +1 for class 1. With more it is the number of
// the class. For a class below 0 it is NaN.
func LabelOf(class, classes int) float64 {
	switch {
	case class < 0:
		return math.NaN()
	case classes == 2:
		return float64(2*class - 1)
	}
	return float64(class)
}

// ClassOf returns the class that a label means in a [Dataset] with so many classes. It is the
// inverse of [LabelOf]; ok is false if the label has no class.
func ClassOf(label float64, classes int) (class int, ok bool) {
	if !(math.Abs(label) <= float64(classes)) { // NaN, too: int of such a number means nothing
		return -1, false
	}
	class = int(label)
	if classes == 2 {
		class = int(label+1) / 2
	}
	if class >= classes || LabelOf(class, classes) != label {
		return -1, false
	}
	return class, true
}

// SignNames returns the names of the classes −1 and +1 of a data set that has no names for them.
func SignNames() []string { return []string{"-1", "1"} }

// RestName returns the name of the class that consists of all classes but one.
func RestName(class string) string { return "not " + class }
