package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mulRows takes four rows at a time, so that each part of u is loaded once for four products and
// the four sums are added up together. The sum of a row is formed in the same order in a group of
// four and alone.
func (a *asm) mulRows() {
	a.function("mulRowsAVX2", "func(x, u, out []float64)",
		"sets out[i] to ⟨xᵢ,u⟩, where len(x) is len(out)·len(u).")
	x := a.base("x")
	u := a.base("u")
	out := a.base("out")
	d := a.Load(a.Param("u").Len(), a.GP64()).(GPVirtual)
	n := a.Load(a.Param("out").Len(), a.GP64()).(GPVirtual)

	left := a.GP64()
	a.MOVQ(d, left)
	a.ANDQ(Imm(3), left)
	mask := a.mask4(left) // of the columns after the last full four; left is now 0 or negative

	row, row3 := a.GP64(), a.GP64()
	a.MOVQ(d, row)
	a.SHLQ(Imm(3), row) // bytes of a row
	a.LEAQ(Mem{Base: row, Index: row, Scale: 2}, row3)
	a.ANDQ(I32(-4), d)

	group := func(rows int) []VecVirtual {
		label := func(s string) string { return fmt.Sprintf("%s%d", s, rows) }
		sums := avx2.zeros(a, rows)
		p, k := a.GP64(), a.GP64()
		at := []Mem{{Base: p}, {Base: p, Index: row, Scale: 1}, {Base: p, Index: row, Scale: 2},
			{Base: p, Index: row3, Scale: 1}}
		v := a.YMM()
		a.MOVQ(x, p)
		a.XORQ(k, k)
		a.CMPQ(k, d)
		a.JGE(LabelRef(label("tail")))
		a.Label(label("columns"))
		a.VMOVUPD(Mem{Base: u, Index: k, Scale: 8}, v)
		for i, s := range sums {
			a.VFMADD231PD(at[i], v, s)
		}
		a.ADDQ(Imm(32), p)
		a.ADDQ(Imm(4), k)
		a.CMPQ(k, d)
		a.JLT(LabelRef(label("columns")))
		a.Label(label("tail"))
		a.TESTQ(left, left)
		a.JZ(LabelRef(label("add")))
		a.VMASKMOVPD(Mem{Base: u, Index: k, Scale: 8}, mask, v)
		for i, s := range sums {
			z := a.YMM()
			a.VMASKMOVPD(at[i], mask, z)
			a.VFMADD231PD(z, v, s)
		}
		a.Label(label("add"))
		return sums
	}

	a.SUBQ(Imm(4), n)
	a.JL(LabelRef("few"))
	a.Label("rows")
	s := group(4)
	a.VHADDPD(s[1], s[0], s[0]) // of rows 0 and 1: lanes 0+1, then 2+3
	a.VHADDPD(s[3], s[2], s[2])
	low, high := a.YMM(), a.YMM()
	a.VPERM2F128(Imm(0x20), s[2], s[0], low)
	a.VPERM2F128(Imm(0x31), s[2], s[0], high)
	a.VADDPD(high, low, low)
	a.VMOVUPD(low, Mem{Base: out})
	a.ADDQ(Imm(32), out)
	a.LEAQ(Mem{Base: x, Index: row, Scale: 4}, x)
	a.SUBQ(Imm(4), n)
	a.JGE(LabelRef("rows"))

	a.Label("few")
	a.ADDQ(Imm(4), n)
	a.JZ(LabelRef("done"))
	a.Label("row")
	s = group(1)
	a.VHADDPD(s[0], s[0], s[0])
	a.VEXTRACTF128(Imm(1), s[0], high.AsX())
	a.VADDSD(high.AsX(), s[0].AsX(), s[0].AsX())
	a.VMOVSD(s[0].AsX(), Mem{Base: out})
	a.ADDQ(Imm(8), out)
	a.ADDQ(row, x)
	a.SUBQ(Imm(1), n)
	a.JNZ(LabelRef("row"))
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}
