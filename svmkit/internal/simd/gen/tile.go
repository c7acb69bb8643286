package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	panelBytes = 128 // of a row of a panel, in both types: Panel32 and Panel64 of package simd
	tileGroup  = 12  // TileGroup of package simd
	partBytes  = 64  // of a row of z, in which gaussBoth adds up: Parts64 of package simd
)

// A tile is what is computed at a time: the products of two registers of rows of a panel with as
// many rows of z as there are registers for.
type tile struct {
	products [][2]VecVirtual // for each row of z, two registers
	along    GPVirtual       // start of the data that belong to these rows of z: see tiles
	lane     GPVirtual       // start of the rows in a line of the panel, in bytes
}

// columns is how many rows of z a tile takes: with AVX-512 a whole group, 24 registers of products,
// and with AVX2 half a group, 12 registers.
func (k kind) columns() int {
	if k.width == avx512 {
		return tileGroup
	}
	return tileGroup / 2
}

// tiles is the loop of all functions below: over the rows of a panel, two registers at a time, and
// then over all rows of z. along is a parameter that advances with z, by step bytes per row. tiles
// calls use for each tile, and begin and end before and after all tiles of two registers of rows.
func (a *asm) tiles(k kind, along string, step int, begin func(), use, end func(t tile)) {
	t := tile{make([][2]VecVirtual, k.columns()), a.GP64(), a.GP64()}
	panel, z, first := a.base("panel"), a.GP64(), a.GP64()
	panelEnd, last := a.Load(a.Param("panel").Len(), a.GP64()).(GPVirtual),
		a.Load(a.Param(along).Len(), a.GP64()).(GPVirtual)
	a.TESTQ(last, last)
	a.JZ(LabelRef("done"))
	a.LEAQ(Mem{Base: panel, Index: panelEnd, Scale: uint8(k.size())}, panelEnd)
	group := a.Load(a.Param("d"), a.GP64()).(GPVirtual)
	a.IMUL3Q(Imm(uint64(tileGroup*k.size())), group, group) // bytes of a group
	a.XORQ(t.lane, t.lane)

	a.Label("lane")
	begin()
	a.Load(a.Param("z").Base(), z)
	a.Load(a.Param(along).Base(), t.along)
	a.Load(a.Param(along).Len(), last)
	a.LEAQ(Mem{Base: t.along, Index: last, Scale: uint8(k.size())}, last)
	a.Label("group")
	a.XORQ(first, first) // row of the group, in bytes of a line
	a.Label("tile")
	for j := range t.products {
		t.products[j] = [2]VecVirtual(k.zeros(a, 2))
	}
	p, q := a.GP64(), a.GP64()
	a.LEAQ(Mem{Base: panel, Index: t.lane, Scale: 1}, p)
	a.LEAQ(Mem{Base: z, Index: first, Scale: 1}, q)
	a.Label("column")
	x := k.registers(a, 2)
	for h, r := range x {
		k.move(a, Mem{Base: p, Disp: h * k.bytes()}, r)
	}
	for j, s := range t.products {
		v := k.register(a)
		k.spread(a, Mem{Base: q, Disp: j * k.size()}, v)
		k.multiplyAdd(a, x[0], v, s[0])
		k.multiplyAdd(a, x[1], v, s[1])
	}
	a.ADDQ(Imm(panelBytes), p)
	a.ADDQ(Imm(uint64(tileGroup*k.size())), q)
	a.CMPQ(p, panelEnd)
	a.JLT(LabelRef("column"))
	use(t)
	a.ADDQ(I32(int32(step*k.columns())), t.along)
	a.ADDQ(Imm(uint64(k.columns()*k.size())), first)
	a.CMPQ(first, Imm(uint64(tileGroup*k.size())))
	a.JLT(LabelRef("tile"))
	a.ADDQ(group, z)
	a.CMPQ(t.along, last)
	a.JLT(LabelRef("group"))
	end(t)
	a.ADDQ(Imm(uint64(2*k.bytes())), t.lane)
	a.CMPQ(t.lane, Imm(panelBytes))
	a.JLT(LabelRef("lane"))
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}

// gaussSums is GaussSums32 and GaussSums64.
func (a *asm) gaussSums(k kind) {
	number := "float" + k.bits()
	a.function("gaussSums"+k.bits()+k.name,
		fmt.Sprintf("func(sum []float64, panel, z, weight []%s, d int)", number))
	a.tileSums(k, false)
}

// gaussBoth is GaussBoth64.
func (a *asm) gaussBoth(k kind) {
	a.function("gaussBoth64"+k.name,
		"func(sum, panel, z, weight []float64, d int, own, parts []float64)")
	a.tileSums(k, true)
}

// tileSums is the body of both. For gaussBoth it also multiplies every value by the weight of its
// row of the panel and adds it to the parts of its row of z.
func (a *asm) tileSums(k kind, both bool) {
	var own, parts GPVirtual
	if both {
		own, parts = a.base("own"), a.GP64()
	}
	totals := a.AllocLocal(2 * k.bytes()) // not in registers: AVX2 has none left
	a.tiles(k, "weight", k.size(), func() {
		zero := k.zeros(a, 1)[0]
		for h := range 2 {
			k.move(a, zero, totals.Offset(h*k.bytes()))
		}
		if both {
			a.Load(a.Param("parts").Base(), parts)
		}
	}, func(t tile) {
		var table []VecVirtual
		if k.width == avx512 && !k.single {
			table = a.sixteenths()
		}
		for h := range 2 {
			total := k.register(a)
			k.move(a, totals.Offset(h*k.bytes()), total)
			for j, s := range t.products {
				a.power(k, s[h], table)
				w := k.register(a)
				k.spread(a, Mem{Base: t.along, Disp: j * k.size()}, w)
				k.multiplyAdd(a, w, s[h], total)
				if both {
					k.multiply(a, Mem{Base: own, Index: t.lane, Scale: 1, Disp: h * k.bytes()},
						s[h], s[h])
				}
			}
			k.move(a, total, totals.Offset(h*k.bytes()))
		}
		if !both {
			return
		}
		for j, s := range t.products {
			at := Mem{Base: parts, Disp: j * partBytes}
			k.add(a, s[0], s[1], s[1])
			k.add(a, at, s[1], s[1])
			k.move(a, s[1], at)
		}
		a.ADDQ(I32(int32(len(t.products)*partBytes)), parts)
	}, func(t tile) {
		sum := a.base("sum")
		for h := range 2 {
			total := k.register(a)
			k.move(a, totals.Offset(h*k.bytes()), total)
			a.addTo(k, total, Mem{Base: sum, Index: t.lane, Scale: uint8(8 / k.size()),
				Disp: h * k.lanes() * 8})
		}
	})
}

// addTo adds a register of numbers to as many float64 in memory.
func (a *asm) addTo(k kind, s VecVirtual, at Mem) {
	double := k
	double.single = false
	if !k.single {
		k.add(a, at, s, s)
		k.move(a, s, at)
		return
	}
	high, wide := k.register(a), k.register(a)
	half := func(v VecVirtual) VecVirtual { // the lower half of a register
		if k.width == avx512 {
			return v.AsY().(VecVirtual)
		}
		return v.AsX().(VecVirtual)
	}
	if k.width == avx512 {
		a.VEXTRACTF64X4(Imm(1), s, half(high))
	} else {
		a.VEXTRACTF128(Imm(1), s, half(high))
	}
	for i, part := range []VecVirtual{s, high} {
		a.VCVTPS2PD(half(part), wide)
		to := at.Offset(i * k.bytes())
		double.add(a, to, wide, wide)
		double.move(a, wide, to)
	}
}

// gaussBlock is GaussBlock32.
func (a *asm) gaussBlock(k kind) {
	a.function("gaussBlock"+k.bits()+k.name, "func(to, panel, z []float32, d int)")
	a.tiles(k, "to", panelBytes, func() {}, func(t tile) {
		for j, s := range t.products {
			for h := range 2 {
				a.power(k, s[h], nil)
				k.move(a, s[h], Mem{Base: t.along, Index: t.lane, Scale: 1, Disp: j*panelBytes +
					h*k.bytes()})
			}
		}
	}, func(tile) {})
}
