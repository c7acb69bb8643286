package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mask4 returns a mask that selects the first n of four doubles, 0 ≤ n < 4. It reads the mask from
// a table of three words of ones and three of zeros, starting at word 3−n. It uses up n.
func (a *asm) mask4(n GPVirtual) VecVirtual {
	ones := math.Float64frombits(^uint64(0))
	table := a.table("mask4", []float64{ones, ones, ones, 0, 0, 0, 0}, false)
	address, mask := a.GP64(), a.YMM()
	a.LEAQ(table.Offset(3*8), address)
	a.NEGQ(n)
	a.VMOVUPD(Mem{Base: address, Index: n, Scale: 8}, mask)
	return mask
}

// sum adds the sums of four lanes each into one register and then its lanes: (lane 0 + lane 2) +
// (lane 1 + lane 3).
func (a *asm) sum(sums ...VecVirtual) Register {
	for n := len(sums); n > 1; n /= 2 {
		for i := range n / 2 {
			a.VADDPD(sums[i+n/2], sums[i], sums[i])
		}
	}
	low, high := sums[0].AsX(), a.XMM()
	a.VEXTRACTF128(U8(1), sums[0], high)
	a.VADDPD(high, low, low)
	a.VUNPCKHPD(low, low, high)
	a.VADDSD(high, low, low)
	return low
}

// dot adds products in four sums of four lanes. Four fused multiply-adds are in progress at any
// time, as many as the two loads of each allow.
func (a *asm) dot() {
	a.function("dotAVX2", "func(a, b []float64) float64",
		"returns ⟨a,b⟩ of two slices of the same length.")
	x := Mem{Base: a.base("a")}
	y := Mem{Base: a.base("b")}
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)

	sums := avx2.zeros(a, 4)
	a.SUBQ(Imm(16), n)
	a.JL(LabelRef("fours"))
	a.Label("sixteens")
	for i, s := range sums {
		v := a.YMM()
		a.VMOVUPD(x.Offset(32*i), v)
		a.VFMADD231PD(y.Offset(32*i), v, s)
	}
	a.ADDQ(Imm(128), x.Base)
	a.ADDQ(Imm(128), y.Base)
	a.SUBQ(Imm(16), n)
	a.JGE(LabelRef("sixteens"))

	a.Label("fours")
	a.ADDQ(Imm(12), n) // n is the rest, minus 4
	a.JL(LabelRef("tail"))
	a.Label("four")
	v := a.YMM()
	a.VMOVUPD(x, v)
	a.VFMADD231PD(y, v, sums[0])
	a.ADDQ(Imm(32), x.Base)
	a.ADDQ(Imm(32), y.Base)
	a.SUBQ(Imm(4), n)
	a.JGE(LabelRef("four"))

	a.Label("tail")
	a.ADDQ(Imm(4), n)
	a.JZ(LabelRef("sum"))
	mask, u := a.mask4(n), a.YMM()
	a.VMASKMOVPD(x, mask, u)
	a.VMASKMOVPD(y, mask, v)
	a.VFMADD231PD(u, v, sums[1])
	a.Label("sum")
	s := a.sum(sums...)
	a.VZEROUPPER()
	a.Store(s, a.ReturnIndex(0))
	a.RET()
}

func (a *asm) axpy() {
	a.function("axpyAVX2", "func(c float64, x, y []float64)",
		"adds c·x to y, slices of the same length.")
	c := a.YMM()
	a.VBROADCASTSD(a.argument("c"), c)
	x := Mem{Base: a.base("x")}
	y := Mem{Base: a.base("y")}
	n := a.Load(a.Param("x").Len(), a.GP64()).(GPVirtual)

	step := func(vectors int) {
		for i := range vectors {
			v := a.YMM()
			a.VMOVUPD(y.Offset(32*i), v)
			a.VFMADD231PD(x.Offset(32*i), c, v)
			a.VMOVUPD(v, y.Offset(32*i))
		}
		a.ADDQ(Imm(uint64(32*vectors)), x.Base)
		a.ADDQ(Imm(uint64(32*vectors)), y.Base)
		a.SUBQ(Imm(uint64(4*vectors)), n)
	}
	a.SUBQ(Imm(16), n)
	a.JL(LabelRef("fours"))
	a.Label("sixteens")
	step(4)
	a.JGE(LabelRef("sixteens"))

	a.Label("fours")
	a.ADDQ(Imm(12), n)
	a.JL(LabelRef("tail"))
	a.Label("four")
	step(1)
	a.JGE(LabelRef("four"))

	a.Label("tail")
	a.ADDQ(Imm(4), n)
	a.JZ(LabelRef("done"))
	mask, u, v := a.mask4(n), a.YMM(), a.YMM()
	a.VMASKMOVPD(x, mask, u)
	a.VMASKMOVPD(y, mask, v)
	a.VFMADD231PD(u, c, v)
	a.VMASKMOVPD(v, mask, y)
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}
