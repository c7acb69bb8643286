package core

// Roundoff is the relative error of one float64 operation, 2⁻⁵³.
const Roundoff = 0x1p-53
