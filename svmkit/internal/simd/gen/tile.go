package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	panelBytes = 128 // rows of a panel, in both types: Panel32, Panel64 of package simd
	tileGroup  = 12  // TileGroup of package simd
)

// A tile is a piece of work of the Gaussian tiles: two registers of rows of a panel, and as many
// rows of z as leave room for their products.
type tile struct {
	kind
	z, panel GPVirtual // where the group and the panel begin
	end      GPVirtual // of the panel
}

// columns is how many rows of z a tile takes.
func (t tile) columns() int {
	if t.width == avx512 {
		return tileGroup
	}
	return tileGroup / 2
}

// products returns the inner products of two registers of rows, from the given byte of
// a panel's line on, with the rows of z from number first on: for each row of z, two registers.
func (t tile) products(a *asm, label string, lane, first int) [][2]VecVirtual {
	sums := make([][2]VecVirtual, t.columns())
	for j := range sums {
		sums[j] = [2]VecVirtual(t.zeros(a, 2))
	}
	p, z := a.GP64(), a.GP64()
	a.MOVQ(t.panel, p)
	a.MOVQ(t.z, z)
	a.Label(label)
	x := t.registers(a, 2)
	for h, r := range x {
		t.move(a, Mem{Base: p, Disp: lane + h*t.bytes()}, r)
	}
	for j, s := range sums {
		v := t.register(a)
		t.spread(a, Mem{Base: z, Disp: (first + j) * t.size()}, v)
		t.multiplyAdd(a, x[0], v, s[0])
		t.multiplyAdd(a, x[1], v, s[1])
	}
	a.ADDQ(Imm(panelBytes), p)
	a.ADDQ(Imm(uint64(tileGroup*t.size())), z)
	a.CMPQ(p, t.end)
	a.JLT(LabelRef(label))
	return sums
}

// begin loads the arguments that both functions share.
func (a *asm) beginTile(k kind) tile {
	t := tile{kind: k}
	t.panel = a.Load(a.Param("panel").Base(), a.GP64()).(GPVirtual)
	t.z = a.Load(a.Param("z").Base(), a.GP64()).(GPVirtual)
	t.end = a.Load(a.Param("panel").Len(), a.GP64()).(GPVirtual)
	a.LEAQ(Mem{Base: t.panel, Index: t.end, Scale: uint8(k.size())}, t.end)
	return t
}

// nextGroup moves z behind the group, d·tileGroup numbers on.
func (t tile) nextGroup(a *asm) {
	d := a.GP64()
	a.MOVQ(t.end, d)
	a.SUBQ(t.panel, d) // 128 bytes a column
	if t.single {      // 48 bytes a column of z
		a.SHRQ(Imm(3), d)
	} else { // 96 bytes
		a.SHRQ(Imm(2), d)
	}
	a.LEAQ(Mem{Base: d, Index: d, Scale: 2}, d)
	a.ADDQ(d, t.z)
}

// gaussSums: see GaussSums32, GaussSums64. AVX-512 takes the whole panel and a whole group
// at a time, 24 registers of products; AVX2 a half and a half, 12.
func (a *asm) gaussSums(k kind) {
	number := "float" + k.bits()
	a.function("gaussSums"+k.bits()+k.name, fmt.Sprintf("func(sum []float64, panel, z, weight []%s, d int)", number),
		"is GaussSums"+k.bits()+".")
	step := 2 * k.bytes()
	for lane := 0; lane < panelBytes; lane += step {
		label := func(s string) string { return fmt.Sprintf("%s%d", s, lane) }
		t := a.beginTile(k)
		weight := a.Load(a.Param("weight").Base(), a.GP64()).(GPVirtual)
		last := a.Load(a.Param("weight").Len(), a.GP64()).(GPVirtual)
		a.LEAQ(Mem{Base: weight, Index: last, Scale: uint8(k.size())}, last)
		a.CMPQ(weight, last)
		a.JGE(LabelRef("done"))

		total := k.zeros(a, 2)
		keep := k.width == avx512 // in registers; else on the stack, for want of registers
		var saved Mem
		if !keep {
			saved = a.AllocLocal(2 * k.bytes())
			for h, s := range total {
				k.move(a, s, saved.Offset(h*k.bytes()))
			}
		}
		a.Label(label("group"))
		for first := 0; first < tileGroup; first += t.columns() {
			products := t.products(a, label(fmt.Sprintf("column%dof", first)), lane, first)
			var table []VecVirtual
			if k.width == avx512 && !k.single {
				table = a.sixteenths()
			}
			for h := range 2 {
				sum := total[h]
				if !keep {
					sum = k.register(a)
					k.move(a, saved.Offset(h*k.bytes()), sum)
				}
				for j, s := range products {
					a.power(k, s[h], table)
					w := k.register(a)
					k.spread(a, Mem{Base: weight, Disp: (first + j) * k.size()}, w)
					k.multiplyAdd(a, w, s[h], sum)
				}
				if !keep {
					k.move(a, sum, saved.Offset(h*k.bytes()))
				}
			}
		}
		t.nextGroup(a)
		a.ADDQ(Imm(uint64(tileGroup*k.size())), weight)
		a.CMPQ(weight, last)
		a.JLT(LabelRef(label("group")))

		sum := a.Load(a.Param("sum").Base(), a.GP64()).(GPVirtual)
		for h, s := range total {
			if !keep {
				s = k.register(a)
				k.move(a, saved.Offset(h*k.bytes()), s)
			}
			a.addTo(k, s, Mem{Base: sum, Disp: (lane + h*k.bytes()) / k.size() * 8})
		}
	}
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
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

// gaussBlock: see GaussBlock32.
func (a *asm) gaussBlock(k kind) {
	a.function("gaussBlock"+k.bits()+k.name, "func(to, panel, z []float32, d int)", "is GaussBlock"+k.bits()+".")
	step := 2 * k.bytes()
	for lane := 0; lane < panelBytes; lane += step {
		label := func(s string) string { return fmt.Sprintf("%s%d", s, lane) }
		t := a.beginTile(k)
		to := a.Load(a.Param("to").Base(), a.GP64()).(GPVirtual)
		last := a.Load(a.Param("to").Len(), a.GP64()).(GPVirtual)
		a.LEAQ(Mem{Base: to, Index: last, Scale: uint8(k.size())}, last)
		a.CMPQ(to, last)
		a.JGE(LabelRef("done"))
		a.Label(label("group"))
		for first := 0; first < tileGroup; first += t.columns() {
			for j, s := range t.products(a, label(fmt.Sprintf("column%dof", first)), lane, first) {
				for h := range 2 {
					a.power(k, s[h], nil)
					k.move(a, s[h], Mem{Base: to, Disp: (first+j)*panelBytes + lane + h*k.bytes()})
				}
			}
		}
		t.nextGroup(a)
		a.ADDQ(I32(tileGroup*panelBytes), to)
		a.CMPQ(to, last)
		a.JLT(LabelRef(label("group")))
	}
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}
