//go:build !unix

package proctest

// Measure does nothing: the tests that measure a process are for Unix.
func Measure() {}
