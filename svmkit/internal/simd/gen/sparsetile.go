package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lineBytes is the size of a line of pivots in both types: Pivots32 and Pivots64 of package simd.
const lineBytes = 256

// sparseRows is the loop over rows of all sparse tiles. It leaves the exponents of a row and all
// pivots in registers and calls use.
func (a *asm) sparseRows(k kind, use func(exponents []VecVirtual)) {
	start, index, value, offset, lines := a.base("start"), a.base("index"), a.base("value"),
		a.base("offset"), a.base("pivots")
	rows := a.Load(a.Param("start").Len(), a.GP64()).(GPVirtual)
	a.LEAQ(Mem{Base: start, Index: rows, Scale: 8, Disp: -8}, rows) // address of the last start
	last := a.Load(a.Param("pivots").Len(), a.GP64()).(GPVirtual)
	// last points to the offsets of the pivots.
	a.LEAQ(Mem{Base: lines, Index: last, Scale: uint8(k.size()), Disp: -lineBytes}, last)

	if k.width == avx512 {
		if k.single {
			a.pin(k, powerAbove...)
		} else {
			a.pin(k, append([]float64{3 << 47, -3 << 47}, powerSixteenth...)...)
		}
	}
	a.CMPQ(start, rows)
	a.JGE(LabelRef("done"))
	a.Label("row")
	e, v := k.registers(a, lineBytes/k.bytes()), k.register(a)
	k.spread(a, Mem{Base: offset}, v)
	for i, r := range e {
		k.add(a, Mem{Base: last, Disp: i * k.bytes()}, v, r)
	}
	at, end := a.GP64(), a.GP64()
	a.MOVQ(Mem{Base: start}, at)
	a.MOVQ(Mem{Base: start, Disp: 8}, end)
	a.CMPQ(at, end)
	a.JGE(LabelRef("powers"))
	a.Label("number")
	line := a.GP64()
	a.MOVLQSX(Mem{Base: index, Index: at, Scale: 4}, line)
	a.SHLQ(Imm(8), line)
	k.spread(a, Mem{Base: value, Index: at, Scale: uint8(k.size())}, v)
	for i, r := range e {
		k.multiplyAdd(a, Mem{Base: lines, Index: line, Scale: 1, Disp: i * k.bytes()}, v, r)
	}
	a.INCQ(at)
	a.CMPQ(at, end)
	a.JLT(LabelRef("number"))
	a.Label("powers")
	use(e)
	a.ADDQ(Imm(8), start)
	a.ADDQ(Imm(uint64(k.size())), offset)
	a.CMPQ(start, rows)
	a.JLT(LabelRef("row"))
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}

// sparseSums is SparseGaussSums32 and SparseGaussSums64.
func (a *asm) sparseSums(k kind) {
	number := "float" + k.bits()
	a.function("sparseGaussSums"+k.bits()+k.name,
		fmt.Sprintf("func(sum []float64, start []int, index []int32, value, offset, pivots, "+
			"weight []%s)", number))
	sum, weight := a.base("sum"), a.base("weight")
	var table []VecVirtual
	if k.width == avx512 && !k.single {
		table = a.sixteenths()
	}
	a.sparseRows(k, func(e []VecVirtual) {
		for i, r := range e {
			a.power(k, r, table)
			w := Mem{Base: weight, Disp: i * k.bytes()}
			switch i {
			case 0, 1: // two sums
				k.multiply(a, w, r, r)
			default:
				k.multiplyAdd(a, w, r, e[i%2])
			}
		}
		k.add(a, e[1], e[0], e[0])
		total := a.total(k, e[0])
		a.VADDSD(Mem{Base: sum}, total, total)
		a.VMOVSD(total, Mem{Base: sum})
		a.ADDQ(Imm(8), sum)
	})
}

// total adds up the lanes of a register and returns the sum as float64.
func (a *asm) total(k kind, v VecVirtual) Register {
	half := k.register(a)
	if k.width == avx512 {
		a.VEXTRACTF64X4(Imm(1), v, half.AsY())
		k.add(a, half.AsY(), v.AsY(), v.AsY())
	}
	a.VEXTRACTF128(Imm(1), v.AsY(), half.AsX())
	k.add(a, half.AsX(), v.AsX(), v.AsX())
	a.VPERMILPD(Imm(1), v.AsX(), half.AsX())
	k.add(a, half.AsX(), v.AsX(), v.AsX())
	if k.single {
		a.VMOVSHDUP(v.AsX(), half.AsX())
		a.VADDSS(half.AsX(), v.AsX(), v.AsX())
		a.VCVTSS2SD(v.AsX(), v.AsX(), v.AsX())
	}
	return v.AsX()
}

// sparseBlock is SparseGaussBlock32.
func (a *asm) sparseBlock(k kind) {
	a.function("sparseGaussBlock"+k.bits()+k.name,
		"func(to []float32, start []int, index []int32, value, offset, pivots []float32)")
	to := a.base("to")
	a.sparseRows(k, func(e []VecVirtual) {
		for i, r := range e {
			a.power(k, r, nil)
			k.move(a, r, Mem{Base: to, Disp: i * k.bytes()})
		}
		a.ADDQ(I32(lineBytes), to)
	})
}
