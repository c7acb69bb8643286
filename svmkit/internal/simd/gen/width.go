package main

import . "github.com/mmcloughlin/avo/reg"

// A width is an instruction set, by the length of its registers.
type width struct {
	name    string // the end of the names of its functions
	doubles int    // in a register
}

var (
	avx2   = width{"AVX2", 4}
	avx512 = width{"AVX512", 8}
)

// bytes is the length of a register.
func (w width) bytes() int { return 8 * w.doubles }

// register returns a new register with any contents.
func (w width) register(a *asm) VecVirtual {
	if w == avx2 {
		return a.YMM()
	}
	return a.ZMM()
}

// registers returns n new registers.
func (w width) registers(a *asm, n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for i := range v {
		v[i] = w.register(a)
	}
	return v
}

// zeros returns n new registers of zeros.
func (w width) zeros(a *asm, n int) []VecVirtual {
	v := w.registers(a, n)
	for _, r := range v {
		a.VXORPD(r, r, r)
	}
	return v
}
