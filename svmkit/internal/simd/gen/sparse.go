package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mulSparse is SparseRows.Mul. The products of a row go into two sums of two lanes, because more
// sums are more work at the end of a short row. AVX2 and AVX-512 can gather from four or eight
// places at once, but this is slower than loading one number at a time.
func (a *asm) mulSparse() {
	a.function("mulSparseFMA", "func(start []int, index []int32, value, w, out []float64)",
		"sets out[i] to the product of w with the row index[start[i]:start[i+1]].",
		"All indices must be in range.")
	start, indices, values, out := a.base("start"), a.base("index"), a.base("value"), a.base("out")
	rows := a.Load(a.Param("out").Len(), a.GP64()).(GPVirtual)
	w, end, n, at, value := a.base("w"), a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.TESTQ(rows, rows)
	a.JZ(LabelRef("done"))
	a.MOVQ(Mem{Base: start}, end)
	a.LEAQ(Mem{Base: indices, Index: end, Scale: 4}, at)
	a.LEAQ(Mem{Base: values, Index: end, Scale: 8}, value)
	a.Label("row")
	a.MOVQ(Mem{Base: start, Disp: 8}, n)
	a.SUBQ(Mem{Base: start}, n)
	a.ADDQ(Imm(8), start)
	sums := []VecVirtual{a.XMM(), a.XMM()}
	for _, s := range sums {
		a.VXORPD(s, s, s)
	}
	two := func(k int, sum VecVirtual) {
		low, high, v := a.GP64(), a.GP64(), a.XMM()
		a.MOVQ(Mem{Base: at, Disp: 4 * k}, high)
		a.MOVLQSX(high.As32(), low)
		a.SARQ(Imm(32), high)
		a.VMOVSD(Mem{Base: w, Index: low, Scale: 8}, v)
		a.VMOVHPD(Mem{Base: w, Index: high, Scale: 8}, v, v)
		a.VFMADD231PD(Mem{Base: value, Disp: 8 * k}, v, sum)
	}
	next := func(numbers uint64) {
		a.ADDQ(Imm(4*numbers), at)
		a.ADDQ(Imm(8*numbers), value)
	}
	a.SUBQ(Imm(4), n)
	a.JL(LabelRef("few"))
	a.Label("fours")
	two(0, sums[0])
	two(2, sums[1])
	next(4)
	a.SUBQ(Imm(4), n)
	a.JGE(LabelRef("fours"))
	a.Label("few") // n is the rest, minus 4: its last two bits are those of the rest
	a.TESTQ(U32(2), n)
	a.JZ(LabelRef("odd"))
	two(0, sums[0])
	next(2)
	a.Label("odd")
	a.TESTQ(U32(1), n)
	a.JZ(LabelRef("add"))
	j, v, x := a.GP64(), a.XMM(), a.XMM()
	a.MOVLQSX(Mem{Base: at}, j)
	a.VMOVSD(Mem{Base: value}, v)
	a.VMOVSD(Mem{Base: w, Index: j, Scale: 8}, x)
	a.VFMADD231PD(x, v, sums[1]) // the upper lanes are 0
	next(1)
	a.Label("add")
	s, high := sums[0], a.XMM()
	a.VADDPD(sums[1], s, s)
	a.VUNPCKHPD(s, s, high)
	a.VADDSD(high, s, s)
	a.VMOVSD(s, Mem{Base: out})
	a.ADDQ(Imm(8), out)
	a.DECQ(rows)
	a.JNZ(LabelRef("row"))
	a.Label("done")
	a.RET()
}

// prefetch prefetches the cache lines of a row, one after the other.
func (a *asm) prefetch() {
	a.function("prefetchRow", "func(index []int32, value []float64)",
		"is PrefetchRow for slices of a sensible length.")
	for _, s := range []struct {
		name string
		size uint8
	}{{"index", 4}, {"value", 8}} {
		p := a.base(s.name)
		end := a.Load(a.Param(s.name).Len(), a.GP64()).(GPVirtual)
		a.LEAQ(Mem{Base: p, Index: end, Scale: s.size}, end)
		a.CMPQ(p, end)
		a.JGE(LabelRef("end" + s.name))
		a.Label(s.name)
		a.PREFETCHT0(Mem{Base: p})
		a.ADDQ(Imm(64), p)
		a.CMPQ(p, end)
		a.JLT(LabelRef(s.name))
		a.Label("end" + s.name)
	}
	a.RET()
}

// prefetchTwo prefetches two cache lines, which may be the same.
func (a *asm) prefetchTwo() {
	a.function("prefetchBytes", "func(first, last *byte)", "asks for the cache lines of two bytes.")
	a.PREFETCHT0(Mem{Base: a.Load(a.Param("first"), a.GP64())})
	a.PREFETCHT0(Mem{Base: a.Load(a.Param("last"), a.GP64())})
	a.RET()
}
