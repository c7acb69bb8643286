//go:build !wasip1

package wire

import "time"

// Only programs under WebAssembly have a host.
func exchange([]byte) []byte { panic("no host") }
func begin(time.Duration)    { panic("no host") }
func verdict(int, string)    { panic("no host") }
