package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPD, which are false if a number is NaN.
const (
	lessThan    = 0x11
	greaterThan = 0x1e
)

// rampSlope is RampSlope. Terms below the ramp are masked out instead of multiplied by 0, so that
// an infinity there adds nothing.
func (a *asm) rampSlope() {
	a.function("rampSlopeAVX2",
		"func(step, top float64, a, c, weight []float64) (slope, curvature float64)",
		"is RampSlope of slices of the same length.")
	step, top, zero := a.YMM(), a.YMM(), a.YMM()
	a.VBROADCASTSD(a.argument("step"), step)
	a.VBROADCASTSD(a.argument("top"), top)
	a.VXORPD(zero, zero, zero)
	from := []Mem{
		{Base: a.base("a")},
		{Base: a.base("c")},
		{Base: a.base("weight")},
	}
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)
	sums := avx2.zeros(a, 4) // slope and curvature, and both again for the odd fours

	add := func(v []VecVirtual, sum []VecVirtual) {
		u, rate, weight := v[0], v[1], v[2]
		above, inside := a.YMM(), a.YMM()
		a.VFMADD231PD(step, rate, u)
		a.VCMPPD(Imm(greaterThan), zero, u, above)
		a.VCMPPD(Imm(lessThan), top, u, inside)
		a.VMINPD(top, u, u)
		a.VANDPD(above, u, u)
		a.VANDPD(above, inside, inside)
		a.VMULPD(rate, weight, weight)
		a.VANDPD(above, weight, weight)
		a.VFMADD231PD(u, weight, sum[0])
		a.VANDPD(inside, rate, rate)
		a.VANDPD(inside, weight, weight)
		a.VFMADD231PD(rate, weight, sum[1])
	}
	load := func(i int) []VecVirtual {
		v := []VecVirtual{a.YMM(), a.YMM(), a.YMM()}
		for k, at := range from {
			a.VMOVUPD(at.Offset(32*i), v[k])
		}
		return v
	}
	skip := func(fours int) {
		for _, at := range from {
			a.ADDQ(Imm(uint64(32*fours)), at.Base)
		}
		a.SUBQ(Imm(uint64(4*fours)), n)
	}
	a.SUBQ(Imm(8), n)
	a.JL(LabelRef("four"))
	a.Label("eights")
	add(load(0), sums[:2])
	add(load(1), sums[2:])
	skip(2)
	a.JGE(LabelRef("eights"))
	a.Label("four")
	a.ADDQ(Imm(4), n)
	a.JL(LabelRef("tail"))
	add(load(0), sums[:2])
	skip(1)
	a.Label("tail")
	a.ADDQ(Imm(4), n)
	a.JZ(LabelRef("sum"))
	mask, v := a.mask4(n), []VecVirtual{a.YMM(), a.YMM(), a.YMM()}
	for k, at := range from {
		a.VMASKMOVPD(at, mask, v[k])
	}
	add(v, sums[2:])
	a.Label("sum")
	slope, curvature := a.sum(sums[0], sums[2]), a.sum(sums[1], sums[3])
	a.VZEROUPPER()
	a.Store(slope, a.ReturnIndex(0))
	a.Store(curvature, a.ReturnIndex(1))
	a.RET()
}

// rampMove is RampMove for a finite top.
func (a *asm) rampMove() {
	a.function("rampMoveAVX2",
		"func(step, top float64, a, c, anchor, weight []float64) (loss, excess float64)",
		"is RampMove of slices of the same length and a finite top.")
	top, zero := a.YMM(), a.YMM()
	a.VBROADCASTSD(a.argument("top"), top)
	a.VXORPD(zero, zero, zero)
	sums := avx2.zeros(a, 2)
	loss, excess := sums[0], sums[1]
	a.move(func(u, violation, weight VecVirtual) {
		active, slack, r := a.YMM(), a.YMM(), a.YMM()
		a.VCMPPD(Imm(greaterThan), zero, violation, active)
		a.VMAXPD(u, zero, r) // a NaN passes: it is the operand that Intel's order names last
		a.VMINPD(r, top, r)
		a.VANDPD(active, top, slack)
		a.VSUBPD(r, slack, slack)
		a.VMULPD(violation, weight, weight)
		a.VFMADD231PD(slack, weight, excess)
		a.VANDPD(active, weight, weight)
		a.VADDPD(weight, loss, loss)
	})
	lossSum, excessSum := a.sum(loss), a.sum(excess)
	a.VZEROUPPER()
	a.Store(lossSum, a.ReturnIndex(0))
	a.Store(excessSum, a.ReturnIndex(1))
	a.RET()
}

// squareMove is rampMove for the ramp without a top.
func (a *asm) squareMove() {
	a.function("squareMoveAVX2",
		"func(step float64, a, c, anchor, weight []float64) (loss float64)",
		"is RampMove of slices of the same length and an infinite top.")
	zero, loss := a.YMM(), a.YMM()
	a.VXORPD(zero, zero, zero)
	a.VXORPD(loss, loss, loss)
	a.move(func(_, violation, weight VecVirtual) {
		a.VMAXPD(zero, violation, violation) // a NaN becomes 0
		a.VMULPD(violation, weight, weight)
		a.VFMADD231PD(violation, weight, loss)
	})
	s := a.sum(loss)
	a.VZEROUPPER()
	a.Store(s, a.ReturnIndex(0))
	a.RET()
}

// move is the loop of both. It stores u = a + step·c over a and passes u, u − anchor and weight to
// add, with zeros after the end.
func (a *asm) move(add func(u, violation, weight VecVirtual)) {
	step := a.YMM()
	a.VBROADCASTSD(a.argument("step"), step)
	from := []Mem{
		{Base: a.base("a")},
		{Base: a.base("c")},
		{Base: a.base("anchor")},
		{Base: a.base("weight")},
	}
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)
	v := avx2.registers(a, 4)
	u, rate, anchor, weight := v[0], v[1], v[2], v[3]

	a.SUBQ(Imm(4), n)
	a.JL(LabelRef("tail"))
	a.Label("fours")
	for k, at := range from {
		a.VMOVUPD(at, v[k])
	}
	a.VFMADD231PD(step, rate, u)
	a.VMOVUPD(u, from[0])
	a.VSUBPD(anchor, u, anchor)
	add(u, anchor, weight)
	for _, at := range from {
		a.ADDQ(Imm(32), at.Base)
	}
	a.SUBQ(Imm(4), n)
	a.JGE(LabelRef("fours"))

	a.Label("tail")
	a.ADDQ(Imm(4), n)
	a.JZ(LabelRef("sum"))
	mask := a.mask4(n)
	for k, at := range from {
		a.VMASKMOVPD(at, mask, v[k])
	}
	a.VFMADD231PD(step, rate, u)
	a.VMASKMOVPD(u, mask, from[0])
	a.VSUBPD(anchor, u, anchor)
	add(u, anchor, weight)
	a.Label("sum")
}

// rampValues is RampValues without the remainder after the last full register. Few values change,
// so AVX2 extracts them one by one. AVX-512 can put the selected lanes of a register side by side,
// and stores all of it: the next store overwrites the lanes after them. They are in range, because
// no more lanes are selected than were read.
func (a *asm) rampValues(k kind) {
	a.function("rampValues"+k.name,
		"func(top, scale float64, a, weight, sign, value []float64, moved []int32, change "+
			"[]float64) int",
		"is RampValues for whole registers of numbers.")
	at, weight, sign, value, moved, change := a.base("a"), a.base("weight"), a.base("sign"),
		a.base("value"), a.base("moved"), a.base("change")
	n := a.Load(a.Param("a").Len(), a.GP64()).(GPVirtual)
	top, scale, zero := k.register(a), k.register(a), k.register(a)
	k.spread(a, a.argument("top"), top)
	k.spread(a, a.argument("scale"), scale)
	a.VXORPD(zero, zero, zero)
	i, count := a.GP64(), a.GP64()
	a.XORQ(i, i)
	a.XORQ(count, count)
	var places, far VecVirtual
	if k.width == avx512 {
		places, far = a.YMM(), a.YMM()
		a.VPXOR(places, places, places)
		a.VPMOVSXBD(a.table("places", []float64{math.Float64frombits(0x0706050403020100)}, false),
			places)
		a.MOVL(U32(8), n.As32()) // n is loaded again below
		a.VPBROADCASTD(n.As32(), far)
		a.Load(a.Param("a").Len(), n)
	}
	a.Label("next")
	v, d := k.register(a), k.register(a)
	k.move(a, Mem{Base: at, Index: i, Scale: 8}, v)
	a.VMAXPD(v, zero, v) // a NaN passes
	a.VMINPD(v, top, v)
	k.multiply(a, scale, v, v)
	k.multiply(a, Mem{Base: weight, Index: i, Scale: 8}, v, v)
	k.move(a, v, d)
	k.subtract(a, Mem{Base: value, Index: i, Scale: 8}, d, d)
	const notEqual = 4 // true for NaN
	chosen := a.GP64()
	if k.width == avx512 {
		m := a.K()
		a.VCMPPD(Imm(notEqual), zero, d, m)
		a.KTESTB(m, m)
		a.JZ(LabelRef("same"))
		k.move(a, v, Mem{Base: value, Index: i, Scale: 8})
		k.multiply(a, Mem{Base: sign, Index: i, Scale: 8}, d, d)
		a.VCOMPRESSPD_Z(d, m, d)
		k.move(a, d, Mem{Base: change, Index: count, Scale: 8})
		p := a.YMM()
		a.VPCOMPRESSD_Z(places, m, p)
		a.VMOVDQU(p, Mem{Base: moved, Index: count, Scale: 4})
		a.KMOVB(m, chosen.As32())
		a.POPCNTL(chosen.As32(), chosen.As32())
		a.ADDQ(chosen, count)
		a.Label("same")
		a.VPADDD(far, places, places)
	} else {
		m := a.YMM()
		a.VCMPPD(Imm(notEqual), zero, d, m)
		a.VMOVMSKPD(m, chosen.As32())
		a.TESTL(chosen.As32(), chosen.As32())
		a.JZ(LabelRef("same"))
		k.move(a, v, Mem{Base: value, Index: i, Scale: 8})
		k.multiply(a, Mem{Base: sign, Index: i, Scale: 8}, d, d)
		signed := a.AllocLocal(32)
		k.move(a, d, signed)
		a.Label("one")
		lane, number := a.GP64(), a.GP64()
		a.BSFL(chosen.As32(), lane.As32())
		a.MOVQ(signed.Idx(lane, 8), number)
		a.MOVQ(number, Mem{Base: change, Index: count, Scale: 8})
		a.ADDQ(i, lane)
		a.MOVL(lane.As32(), Mem{Base: moved, Index: count, Scale: 4})
		a.INCQ(count)
		a.BLSRL(chosen.As32(), chosen.As32())
		a.JNZ(LabelRef("one"))
		a.Label("same")
	}
	a.ADDQ(Imm(uint64(k.lanes())), i)
	a.CMPQ(i, n)
	a.JLT(LabelRef("next"))
	a.VZEROUPPER()
	a.Store(count, a.ReturnIndex(0))
	a.RET()
}
