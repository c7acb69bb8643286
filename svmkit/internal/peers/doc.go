//go:build peers

// Package peers calls LIBLINEAR and LIBSVM, as Debian's liblinear-dev and libsvm-dev install
// them, so that a test can compare their answers with ours. It exists only under the build tag
// peers and needs cgo; nothing of the library imports it.
//
// Settings are taken as they are: this package is for tests, and bad ones end in the peer's own
// error message as an error.
package peers
