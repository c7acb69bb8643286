package bound_test

import (
	"fmt"

	"github.com/svmkit/course/svmkit/bound"
)

func Example() {
	radius, gamma := 1.0, 0.1
	fmt.Printf("%.0f\n", bound.Novikoff(radius, gamma))           // mistakes of a perceptron
	fmt.Printf("%.2f\n", bound.MarginRisk(radius, 10, 1e5, 0.05)) // risk above the mean ramp loss
	// Output:
	// 100
	// 0.07
}

// The points 99 (class −1) and 101 (class +1) on a line: w* = 1, b* = −100, R = 101, γ = 1.
// The perceptron with bias makes 20,002 mistakes on them: more than the bound that was
// proved for b = 0, fewer than the one that counts the bias.
func ExampleNovikoffBias() {
	fmt.Printf("R²/γ²              %.0f\n", bound.Novikoff(101, 1))
	fmt.Printf("(R²+1)(‖w‖²+b²)    %.0f\n", bound.NovikoffBias(101, 1, -100, 1))
	// Output:
	// R²/γ²              10201
	// (R²+1)(‖w‖²+b²)    102030202
}

// A plane with ‖w*‖·R = 10 and hinge losses that add up to 50.
func ExampleHingeRoot() {
	fmt.Printf("root           %.2f\n", bound.HingeRoot(2, 5, 50))
	fmt.Printf("half-loosened  %.2f\n", bound.HingeHalfLoosened(2, 5, 50))
	fmt.Printf("loosened       %.2f\n", bound.HingeLoosened(2, 5, 50))
	// Output:
	// root           186.60
	// half-loosened  186.60
	// loosened       220.71
}

// What a margin buys when the dimension is a million.
func ExampleMarginVC() {
	for _, rho := range []float64{0, 0.03, 0.3} {
		fmt.Println(rho, bound.MarginVC(1e6, 1, rho))
	}
	// Output:
	// 0 1.000001e+06
	// 0.03 1113
	// 0.3 13
}
