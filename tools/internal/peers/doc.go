//go:build peers

// Package peers calls LIBLINEAR and LIBSVM, as Debian's liblinear-dev and libsvm-dev install
// them, so that tests and benchmarks can compare their answers and times with ours. It exists
// only under the build tag peers and needs cgo; nothing of the library imports it.
//
// A LinearData or KernelData holds a data set in the peer's own structures, so that a clock around
// Train measures training and nothing else. Settings are taken as they are: bad ones end in the
// peer's own error message as an error.
package peers
