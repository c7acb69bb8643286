package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gathered adds value[k]·w[index[k]] for the n numbers at index and value to two or four sums of two
// lanes each; it moves index and value behind them. Four sums are for long rows, where two would
// wait for each other; a sum more is work at the end of a short one. AVX2 and AVX-512 can gather from
// four or eight places at once, but slower than by loads of one number each. check is called with
// each index before it is used.
func (a *asm) gathered(row sparseRow, sums []VecVirtual, check func(GPVirtual)) {
	two := func(at int, sum VecVirtual) {
		low, high, v := a.GP64(), a.GP64(), a.XMM()
		a.MOVQ(Mem{Base: row.index, Disp: 4 * at}, high)
		a.MOVLQSX(high.As32(), low)
		a.SARQ(Imm(32), high)
		check(low)
		check(high)
		a.VMOVSD(Mem{Base: row.w, Index: low, Scale: 8}, v)
		a.VMOVHPD(Mem{Base: row.w, Index: high, Scale: 8}, v, v)
		a.VFMADD231PD(Mem{Base: row.value, Disp: 8 * at}, v, sum)
	}
	next := func(numbers uint64) {
		a.ADDQ(Imm(4*numbers), row.index)
		a.ADDQ(Imm(8*numbers), row.value)
	}
	if len(sums) == 4 {
		a.SUBQ(Imm(8), row.n)
		a.JL(LabelRef("less"))
		a.Label("eights")
		for i, s := range sums {
			two(2*i, s)
		}
		next(8)
		a.SUBQ(Imm(8), row.n)
		a.JGE(LabelRef("eights"))
		a.Label("less")
		a.ADDQ(Imm(8), row.n)
	}
	a.SUBQ(Imm(4), row.n)
	a.JL(LabelRef("few"))
	a.Label("fours")
	two(0, sums[0])
	two(2, sums[1])
	next(4)
	a.SUBQ(Imm(4), row.n)
	a.JGE(LabelRef("fours"))
	a.Label("few") // n is what is left, less 4: its last two bits are those of what is left
	a.TESTQ(U32(2), row.n)
	a.JZ(LabelRef("odd"))
	two(0, sums[0])
	next(2)
	a.Label("odd")
	a.TESTQ(U32(1), row.n)
	a.JZ(LabelRef("add"))
	j, v := a.GP64(), a.XMM()
	a.MOVLQSX(Mem{Base: row.index}, j)
	check(j)
	a.VMOVSD(Mem{Base: row.value}, v)
	x := a.XMM()
	a.VMOVSD(Mem{Base: row.w, Index: j, Scale: 8}, x)
	a.VFMADD231PD(x, v, sums[1]) // the upper lanes are 0
	next(1)
	a.Label("add")
}

// sparseRow is where a row and its vector are.
type sparseRow struct{ index, value, w, n GPVirtual }

// dotSparse: see DotSparse.
func (a *asm) dotSparse() {
	a.function("dotSparseFMA", "func(index []int32, value, w []float64) (sum float64, ok bool)",
		"returns the sum of value[k]·w[index[k]], or false if an index is outside w.")
	row := sparseRow{a.base("index"), a.base("value"), a.base("w"), a.Load(a.Param("index").Len(), a.GP64()).(GPVirtual)}
	columns := a.Load(a.Param("w").Len(), a.GP64()).(GPVirtual)
	sums := a.pairs(4)
	a.gathered(row, sums, func(j GPVirtual) {
		a.CMPQ(j, columns) // as a number without sign, a negative index is a large one
		a.JAE(LabelRef("bad"))
	})
	a.Store(a.sumOfPairs(sums), a.ReturnIndex(0))
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

// mulSparse: see SparseRows.Mul.
func (a *asm) mulSparse() {
	a.function("mulSparseFMA", "func(start []int, index []int32, value, w, out []float64)",
		"sets out[i] to the product of w with the row index[start[i]:start[i+1]]. The indices are those of numbers in w.")
	start, indices, values, out := a.base("start"), a.base("index"), a.base("value"), a.base("out")
	rows := a.Load(a.Param("out").Len(), a.GP64()).(GPVirtual)
	row := sparseRow{a.GP64(), a.GP64(), a.base("w"), a.GP64()}
	end := a.GP64()
	a.TESTQ(rows, rows)
	a.JZ(LabelRef("done"))
	a.MOVQ(Mem{Base: start}, end)
	a.LEAQ(Mem{Base: indices, Index: end, Scale: 4}, row.index)
	a.LEAQ(Mem{Base: values, Index: end, Scale: 8}, row.value)
	a.Label("row")
	a.MOVQ(Mem{Base: start, Disp: 8}, row.n)
	a.SUBQ(Mem{Base: start}, row.n)
	a.ADDQ(Imm(8), start)
	sums := a.pairs(2)
	a.gathered(row, sums, func(GPVirtual) {})
	a.VMOVSD(a.sumOfPairs(sums), Mem{Base: out})
	a.ADDQ(Imm(8), out)
	a.DECQ(rows)
	a.JNZ(LabelRef("row"))
	a.Label("done")
	a.RET()
}

// pairs returns registers of two zeros.
func (a *asm) pairs(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for i := range v {
		v[i] = a.XMM()
		a.VXORPD(v[i], v[i], v[i])
	}
	return v
}

// sumOfPairs adds up two or four registers of two numbers.
func (a *asm) sumOfPairs(sums []VecVirtual) Register {
	if len(sums) == 4 {
		a.VADDPD(sums[2], sums[0], sums[0])
		a.VADDPD(sums[3], sums[1], sums[1])
	}
	s, high := sums[0], a.XMM()
	a.VADDPD(sums[1], s, s)
	a.VUNPCKHPD(s, s, high)
	a.VADDSD(high, s, s)
	return s
}

// axpySparse: see AxpySparse. One number after the other, as an index may come twice; four to
// a turn of the loop.
func (a *asm) axpySparse() {
	a.function("axpySparseFMA", "func(c float64, index []int32, value, w []float64) (done int)",
		"adds c·value[k] to w[index[k]] and returns for how many k: all, if no index is outside w.")
	c := a.XMM()
	a.VMOVSD(a.argument("c"), c)
	index, value, w, k := a.base("index"), a.base("value"), a.base("w"), a.GP64()
	n := a.Load(a.Param("index").Len(), a.GP64()).(GPVirtual)
	columns := a.Load(a.Param("w").Len(), a.GP64()).(GPVirtual)
	add := func(numbers int) {
		at := make([]GPVirtual, numbers)
		for i := range at {
			at[i] = a.GP64()
			a.MOVLQSX(Mem{Base: index, Index: k, Scale: 4, Disp: 4 * i}, at[i])
		}
		for _, j := range at { // a negative index becomes a large number without sign
			a.CMPQ(j, columns)
			a.JAE(LabelRef("bad"))
		}
		for i, j := range at {
			v, to := a.XMM(), Mem{Base: w, Index: j, Scale: 8}
			a.VMOVSD(to, v)
			a.VFMADD231SD(Mem{Base: value, Index: k, Scale: 8, Disp: 8 * i}, c, v)
			a.VMOVSD(v, to)
		}
		a.ADDQ(Imm(uint64(numbers)), k)
		a.CMPQ(k, n)
	}
	a.XORQ(k, k)
	a.SUBQ(Imm(4), n)
	a.JL(LabelRef("few"))
	a.Label("fours")
	add(4)
	a.JLE(LabelRef("fours"))
	a.Label("few")
	a.ADDQ(Imm(4), n)
	a.CMPQ(k, n)
	a.JGE(LabelRef("bad"))
	a.Label("one")
	add(1)
	a.JLT(LabelRef("one"))
	a.Label("bad")
	a.Store(k, a.ReturnIndex(0))
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

// prefetchTwo asks for two cache lines, which may be one.
func (a *asm) prefetchTwo() {
	a.function("prefetchTwo", "func(first, last *byte)", "asks for the cache lines of two bytes.")
	a.PREFETCHT0(Mem{Base: a.Load(a.Param("first"), a.GP64())})
	a.PREFETCHT0(Mem{Base: a.Load(a.Param("last"), a.GP64())})
	a.RET()
}
