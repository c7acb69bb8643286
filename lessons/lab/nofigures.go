//go:build nofigures

package lab

// With the tag nofigures the package states claims and poses exercises alone, without plots and
// GoNB: the program of a cell that shows nothing is linked in half of the time. A cell gets it
// without asking.

// flush has nothing to wait for: nothing is displayed.
func flush() {}

// collected is nil: there is nothing to collect.
var collected *[]struct{}
