//go:build !amd64 || purego

package simd

import "testing"

// eachPath runs a test on the only path of this build: plain Go.
func eachPath(t *testing.T, f func(t *testing.T)) { f(t) }
