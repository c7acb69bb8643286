package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A search finds the largest of many numbers and its first place, lane by lane. Places are kept as
// float64, for which AVX2 has all instructions.
type search struct {
	kind
	best, at   VecVirtual // of each lane, so far
	place, far VecVirtual // of the present lanes, and the distance to the next ones
}

// beginSearch begins a search that finds only numbers above least; otherwise the place is −1.
func (a *asm) beginSearch(k kind, least VecVirtual) search {
	s := search{k, k.register(a), k.register(a), k.register(a), k.register(a)}
	k.move(a, least, s.best)
	k.fill(a, -1, s.at)
	lanes := []float64{0, 1, 2, 3, 4, 5, 6, 7}[:k.lanes()]
	k.move(a, a.table("lanes"+k.name, lanes, false), s.place)
	k.fill(a, float64(k.lanes()), s.far)
	return s
}

// see compares the next lanes, or the lanes selected by only.
func (s search) see(a *asm, v VecVirtual, only Op) {
	m := s.greater(a, v, s.best)
	if only != nil {
		s.and(a, only, m)
	}
	s.choose(a, m, v, s.best)
	s.choose(a, m, s.place, s.at)
	s.add(a, s.far, s.place, s.place)
}

// end returns the largest number and its place, in lane 0 of two registers.
func (s search) end(a *asm) (best, at VecVirtual) {
	best = s.register(a)
	s.move(a, s.best, best)
	s.across(a, best, a.VMAXPD)
	s.spread(a, best.AsX(), best)
	none := s.register(a)
	s.fill(a, 1<<60, none)
	m := s.greater(a, best, s.best)
	s.choose(a, m, none, s.at)
	return best, s.across(a, s.at, a.VMINPD)
}

// greater returns a mask of the lanes where x > y.
func (k kind) greater(a *asm, x, y Op) Op {
	if k.width == avx512 {
		m := a.K()
		a.VCMPPD(Imm(greaterThan), y, x, m)
		return m
	}
	m := a.YMM()
	a.VCMPPD(Imm(greaterThan), y, x, m)
	return m
}

// and removes from m the lanes that are not in only.
func (k kind) and(a *asm, only, m Op) {
	if k.width == avx512 {
		a.KANDW(only, m, m)
	} else {
		a.VANDPD(only, m, m)
	}
}

// choose copies the lanes in m.
func (k kind) choose(a *asm, m, from, to Op) {
	if k.width == avx512 {
		a.VMOVAPD(from, m, to)
	} else {
		a.VBLENDVPD(m, from, to, to)
	}
}

// across combines all lanes of v by an operation. The result is in lane 0 of v.
func (k kind) across(a *asm, v VecVirtual, operation func(...Op)) VecVirtual {
	half := k.register(a)
	if k.width == avx512 {
		a.VEXTRACTF64X4(Imm(1), v, half.AsY())
		operation(half.AsY(), v.AsY(), v.AsY())
	}
	a.VEXTRACTF128(Imm(1), v.AsY(), half.AsX())
	operation(half.AsX(), v.AsX(), v.AsX())
	a.VPERMILPD(Imm(1), v.AsX(), half.AsX())
	operation(half.AsX(), v.AsX(), v.AsX())
	return v
}

// movePair is MovePair without the remainder after the last full register.
func (a *asm) movePair(k kind) {
	a.function("movePair"+k.name,
		"func(score []float64, a, b []float32, da, db float64, up, down []float64) (most float64, "+
			"first int, least float64)",
		"is MovePair for whole registers of numbers.")
	score, x, y, up, down := a.base("score"), a.base("a"), a.base("b"), a.base("up"), a.base("down")
	n := a.Load(a.Param("score").Len(), a.GP64()).(GPVirtual)
	da, db, low, least := k.register(a), k.register(a), k.register(a), k.register(a)
	k.spread(a, a.argument("da"), da)
	k.spread(a, a.argument("db"), db)
	k.fill(a, negativeInfinity, low)
	s := a.beginSearch(k, low)
	k.fill(a, positiveInfinity, least)
	i := a.GP64()
	a.XORQ(i, i)
	a.Label("next")
	v, t, u := k.register(a), k.register(a), k.register(a)
	a.VCVTPS2PD(Mem{Base: x, Index: i, Scale: 4}, v)
	a.VCVTPS2PD(Mem{Base: y, Index: i, Scale: 4}, t)
	k.multiply(a, db, t, t)
	k.multiplyAdd(a, da, v, t)
	k.add(a, Mem{Base: score, Index: i, Scale: 8}, t, t)
	k.move(a, t, Mem{Base: score, Index: i, Scale: 8})
	k.move(a, Mem{Base: up, Index: i, Scale: 8}, u)
	k.subtract(a, t, u, u)
	s.see(a, u, nil)
	k.move(a, Mem{Base: down, Index: i, Scale: 8}, u)
	k.subtract(a, t, u, u)
	a.VMINPD(u, least, least)
	a.ADDQ(Imm(uint64(k.lanes())), i)
	a.CMPQ(i, n)
	a.JLT(LabelRef("next"))

	best, at := s.end(a)
	least = k.across(a, least, a.VMINPD)
	first := a.GP64()
	a.VCVTTSD2SIQ(at.AsX(), first)
	a.VZEROUPPER()
	a.Store(best.AsX(), a.ReturnIndex(0))
	a.Store(first, a.ReturnIndex(1))
	a.Store(least.AsX(), a.ReturnIndex(2))
	a.RET()
}

// bestPartner is BestPartner without the remainder after the last full register. Nothing that
// rounds is fused, so it chooses as the generic version does.
func (a *asm) bestPartner(k kind) {
	a.function("bestPartner"+k.name,
		"func(score, down, soft []float64, row []float32, u, own, least float64) (best float64, at int)",
		"is BestPartner for whole registers of numbers, with the largest quotient.")
	score, down, soft, row := a.base("score"), a.base("down"), a.base("soft"), a.base("row")
	n := a.Load(a.Param("score").Len(), a.GP64()).(GPVirtual)
	u, own, zero, least, two := k.register(a), k.register(a), k.register(a), k.register(a),
		k.register(a)
	k.spread(a, a.argument("u"), u)
	k.spread(a, a.argument("own"), own)
	a.VXORPD(zero, zero, zero)
	k.spread(a, a.argument("least"), least)
	k.fill(a, 2, two)
	s := a.beginSearch(k, zero)
	i := a.GP64()
	a.XORQ(i, i)
	a.Label("next")
	slope, r, curvature := k.register(a), k.register(a), k.register(a)
	k.move(a, Mem{Base: down, Index: i, Scale: 8}, slope)
	k.subtract(a, Mem{Base: score, Index: i, Scale: 8}, slope, slope)
	k.subtract(a, slope, u, slope)
	a.VCVTPS2PD(Mem{Base: row, Index: i, Scale: 4}, r)
	k.add(a, Mem{Base: soft, Index: i, Scale: 8}, own, curvature)
	a.VFNMADD231PD(two, r, curvature) // 2·row is exact
	a.VMAXPD(least, curvature, curvature)
	rises := k.greater(a, slope, zero)
	k.multiply(a, slope, slope, slope)
	a.VDIVPD(curvature, slope, slope)
	s.see(a, slope, rises)
	a.ADDQ(Imm(uint64(k.lanes())), i)
	a.CMPQ(i, n)
	a.JLT(LabelRef("next"))

	best, at := s.end(a)
	place := a.GP64()
	a.VCVTTSD2SIQ(at.AsX(), place)
	a.VZEROUPPER()
	a.Store(best.AsX(), a.ReturnIndex(0))
	a.Store(place, a.ReturnIndex(1))
	a.RET()
}
