package svm

// epsilon is the relative rounding error of one float64 operation, 2⁻⁵³.
const epsilon = 0x1p-53
