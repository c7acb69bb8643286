package bound

import "math"

// The hinge mistake bound (lessons/04-inseparable.md). Fix any w*, whether it separates or not. Let
// a perceptron without bias make M mistakes, let H be the sum of the hinge losses of w* over those
// rounds (over all rounds it is larger, and therefore valid as well), and B = ‖w*‖·R. Then
//
//	M − H ≤ ⟨w*, w⟩ ≤ ‖w*‖·‖w‖ ≤ B√M,   that is   (√M)² − B√M − H ≤ 0,
//
// and √M is at most the larger root of the quadratic, (B + √(B²+4H))/2.
//
// Fix w* *before* the run. Minimising over w* with H taken over the mistake rounds is vacuous: w* =
// 0 has B = 0 and loses exactly 1 on each of them, so the "bound" is M itself. For a canonical
// separator H = 0, and all forms give R²‖w*‖² = R²/γ².
//
// The three functions take ‖w*‖ ≥ 0, R ≥ 0 and H ≥ 0.

// HingeRoot returns ((B + √(B²+4H))/2)², B = normW·radius. It is the square of the root, and the
// best of the three forms.
func HingeRoot(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return square((b + discriminant(b, hinge)) / 2)
}

// HingeHalfLoosened returns ½B² + ½B√(B²+4H) + H. It is [HingeRoot] multiplied out, (B² +
// 2B√(B²+4H) + B² + 4H)/4, and differs from it by rounding only.
func HingeHalfLoosened(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return b*b/2 + b*discriminant(b, hinge)/2 + hinge
}

// HingeLoosened returns B² + B√H + H. It follows from √(B²+4H) ≤ B + 2√H, with equality only for B
// = 0 or H = 0. It is at most 1.21 times [HingeRoot]; the worst case is near H = 0.21·B².
func HingeLoosened(normW, radius, hinge float64) float64 {
	if !lengths(normW, radius, hinge) {
		return math.NaN()
	}
	b := normW * radius
	return b*b + b*math.Sqrt(hinge) + hinge
}

// discriminant is √(b²+4h) without overflow of b².
func discriminant(b, h float64) float64 { return math.Hypot(b, 2*math.Sqrt(h)) }
