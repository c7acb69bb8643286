package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const outerTile = 8 // Tile of package simd

// addOuter keeps half of the tile in registers during its pass over the rows of the panels, first
// the upper 4 rows and then the lower ones. AVX-512 has registers for all 8 rows. On processors
// that load one register per cycle it is slower, because it needs 9 loads for 8 products.
func (a *asm) addOuter() {
	a.function("addOuterAVX2", "func(alpha float64, a, b, c []float64, stride int)",
		"adds alpha·aᵀb to the tile at c.")
	left, right, tile := a.base("a"), a.base("b"), a.base("c")
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)
	stride := a.Load(a.Param("stride"), a.GP64()).(GPVirtual)
	a.SHLQ(Imm(3), stride)
	end, second := a.GP64(), a.GP64()
	a.LEAQ(Mem{Base: right, Index: n, Scale: 8}, end)
	a.XORQ(second, second) // half

	const rows = 4
	a.Label("half")
	sums := avx2.zeros(a, 2*rows)
	p, q := a.GP64(), a.GP64()
	a.MOVQ(left, p)
	a.MOVQ(right, q)
	a.CMPQ(q, end)
	a.JGE(LabelRef("add"))
	a.Label("row")
	b, x := avx2.registers(a, 2), a.YMM()
	a.VMOVUPD(Mem{Base: q}, b[0])
	a.VMOVUPD(Mem{Base: q, Disp: 32}, b[1])
	for i := range rows {
		a.VBROADCASTSD(Mem{Base: p, Disp: 8 * i}, x)
		a.VFMADD231PD(x, b[0], sums[2*i])
		a.VFMADD231PD(x, b[1], sums[2*i+1])
	}
	a.ADDQ(Imm(8*outerTile), p)
	a.ADDQ(Imm(8*outerTile), q)
	a.CMPQ(q, end)
	a.JLT(LabelRef("row"))
	a.Label("add")
	alpha := a.YMM()
	a.VBROADCASTSD(a.argument("alpha"), alpha)
	for i := range rows {
		for j := range 2 {
			at, v := Mem{Base: tile, Disp: 32 * j}, a.YMM()
			a.VMOVUPD(at, v)
			a.VFMADD231PD(sums[2*i+j], alpha, v)
			a.VMOVUPD(v, at)
		}
		a.ADDQ(stride, tile)
	}
	a.ADDQ(Imm(8*rows), left)
	a.XORQ(Imm(1), second)
	a.JNZ(LabelRef("half"))
	a.VZEROUPPER()
	a.RET()
}
