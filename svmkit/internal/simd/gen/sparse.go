package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A sparseRow is the loop over a sparse row that dotSparse and axpySparse share: four numbers at a
// time, one by one. AVX2 and AVX-512 can gather from four or eight places at once, but not faster
// than from one after the other.
type sparseRow struct {
	index, value, w GPVirtual
	n, columns      GPVirtual
	k               GPVirtual // numbers done
}

func (a *asm) sparseRow() sparseRow {
	r := sparseRow{index: a.base("index"), value: a.base("value"), w: a.base("w"), k: a.GP64()}
	r.n = a.Load(a.Param("index").Len(), a.GP64()).(GPVirtual)
	r.columns = a.Load(a.Param("w").Len(), a.GP64()).(GPVirtual)
	a.XORQ(r.k, r.k)
	return r
}

// loop calls use for four numbers at a time, then for those left, with the places of value and of
// w. It goes to bad with k numbers done if one of the next columns is outside of w: as a
// number without sign, a negative column is a large one.
func (r sparseRow) loop(a *asm, use func(i int, value, w Mem)) {
	columns := func(n int) {
		at := make([]GPVirtual, n)
		for i := range at {
			at[i] = a.GP64()
			a.MOVLQSX(Mem{Base: r.index, Index: r.k, Scale: 4, Disp: 4 * i}, at[i])
		}
		for _, j := range at {
			a.CMPQ(j, r.columns)
			a.JAE(LabelRef("bad"))
		}
		for i, j := range at {
			use(i, Mem{Base: r.value, Index: r.k, Scale: 8, Disp: 8 * i}, Mem{Base: r.w, Index: j, Scale: 8})
		}
		a.ADDQ(Imm(uint64(n)), r.k)
		a.CMPQ(r.k, r.n)
	}
	a.SUBQ(Imm(4), r.n)
	a.JL(LabelRef("few"))
	a.Label("fours")
	columns(4)
	a.JLE(LabelRef("fours"))
	a.Label("few")
	a.ADDQ(Imm(4), r.n)
	a.CMPQ(r.k, r.n)
	a.JGE(LabelRef("end"))
	a.Label("one")
	columns(1)
	a.JLT(LabelRef("one"))
	a.Label("end")
}

func (a *asm) dotSparse() {
	a.function("dotSparseFMA", "func(index []int32, value, w []float64) (sum float64, ok bool)",
		"returns the sum of value[k]·w[index[k]], or false if an index is outside w.")
	r := a.sparseRow()
	sums := make([]VecVirtual, 4)
	for i := range sums {
		sums[i] = a.XMM()
		a.VXORPD(sums[i], sums[i], sums[i])
	}
	r.loop(a, func(i int, value, w Mem) {
		v := a.XMM()
		a.VMOVSD(value, v)
		a.VFMADD231SD(w, v, sums[i])
	})
	a.VADDSD(sums[1], sums[0], sums[0])
	a.VADDSD(sums[3], sums[2], sums[2])
	a.VADDSD(sums[2], sums[0], sums[0])
	a.Store(sums[0], a.ReturnIndex(0))
	ok := a.GP8()
	a.MOVB(Imm(1), ok)
	a.Store(ok, a.ReturnIndex(1))
	a.RET()
	a.Label("bad")
	a.Store(sums[0], a.ReturnIndex(0))
	a.XORB(ok, ok)
	a.Store(ok, a.ReturnIndex(1))
	a.RET()
}

func (a *asm) axpySparse() {
	a.function("axpySparseFMA", "func(c float64, index []int32, value, w []float64) (done int)",
		"adds c·value[k] to w[index[k]] and returns for how many k: all, if no index is outside w.")
	c := a.XMM()
	a.VMOVSD(a.argument("c"), c)
	r := a.sparseRow()
	r.loop(a, func(_ int, value, w Mem) {
		v := a.XMM()
		a.VMOVSD(w, v)
		a.VFMADD231SD(value, c, v)
		a.VMOVSD(v, w)
	})
	a.Label("bad")
	a.Store(r.k, a.ReturnIndex(0))
	a.RET()
}

// prefetch asks for the cache lines of a row, one after the other.
func (a *asm) prefetch() {
	a.function("prefetch", "func(index []int32, value []float64)", "is PrefetchRow for slices of a sensible length.")
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
