package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const outerTile = 8 // Tile of package simd

// addOuter keeps the tile in registers while it goes through the rows of the panels. AVX-512 has
// room for all 8 rows of 8, AVX2 takes the upper 4 rows and then the lower ones.
func (a *asm) addOuter(w width) {
	a.function("addOuter"+w.name, "func(alpha float64, a, b, c []float64, stride int)", "adds alpha·aᵀb to the tile at c.")
	left := a.Load(a.Param("a").Base(), a.GP64()).(GPVirtual)
	right := a.Load(a.Param("b").Base(), a.GP64()).(GPVirtual)
	tile := a.Load(a.Param("c").Base(), a.GP64()).(GPVirtual)
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)
	stride := a.Load(a.Param("stride"), a.GP64()).(GPVirtual)
	a.SHLQ(Imm(3), stride)
	end := a.GP64()
	a.LEAQ(Mem{Base: right, Index: n, Scale: 8}, end)

	perRow := outerTile / w.doubles // registers of a row of the tile
	rows := 8 / perRow              // so that a part has 8 sums
	for first := 0; first < outerTile; first += rows {
		part := string(rune('0' + first))
		sums := w.zeros(a, 8)
		p, q := a.GP64(), a.GP64()
		a.MOVQ(left, p)
		a.MOVQ(right, q)
		a.CMPQ(q, end)
		a.JGE(LabelRef("add" + part))
		a.Label("row" + part)
		b := w.registers(a, perRow)
		for j, v := range b {
			a.VMOVUPD(Mem{Base: q, Disp: j * w.bytes()}, v)
		}
		for i := range rows {
			x := w.register(a)
			a.VBROADCASTSD(Mem{Base: p, Disp: 8 * (first + i)}, x)
			for j, v := range b {
				a.VFMADD231PD(x, v, sums[i*perRow+j])
			}
		}
		a.ADDQ(Imm(8*outerTile), p)
		a.ADDQ(Imm(8*outerTile), q)
		a.CMPQ(q, end)
		a.JLT(LabelRef("row" + part))
		a.Label("add" + part)
		alpha := w.register(a)
		a.VBROADCASTSD(a.argument("alpha"), alpha)
		for i := range rows {
			for j := range perRow {
				at, v := Mem{Base: tile, Disp: j * w.bytes()}, w.register(a)
				a.VMOVUPD(at, v)
				a.VFMADD231PD(sums[i*perRow+j], alpha, v)
				a.VMOVUPD(v, at)
			}
			a.ADDQ(stride, tile)
		}
	}
	a.VZEROUPPER()
	a.RET()
}
