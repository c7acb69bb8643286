package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Polynomials for e^f with the least relative error, 1 + f at the lower end.
var (
	// |f| ≤ ln 2/2: error 3.6e-18.
	expWhole = []float64{1, 1, 0.5000000000000011, 0.16666666666666413, 0.04166666666653033, 0.00833333333349432, 0.0013888888943579928,
		0.0001984126950674081, 2.4801493155648786e-05, 2.7557586356834556e-06, 2.763022679912635e-07, 2.5000028172239234e-08}
	// (e^f − 1)/f for |f| ≤ ln 2/32: e^f to 1.2e-17.
	expSixteenth = []float64{1, 0.49999999999999606, 0.16666666664418034, 0.041666666693354004, 0.008333471919606072, 0.001388859224692626}
)

// ln 2 as a sum of two numbers.
const (
	ln2     = math.Ln2
	ln2Rest = 2.319046813846299615494855463875478650e-17
)

// exp: see Exp.
func (a *asm) exp(k kind) {
	a.function("exp"+k.name, "func(x []float64)", "is Exp.")
	x := a.base("x")
	n := a.Load(a.Param("x").Len(), a.GP64()).(GPVirtual)
	var table []VecVirtual
	if k.width == avx512 {
		table = a.sixteenths()
	}
	lanes := uint64(k.lanes())
	a.SUBQ(Imm(lanes), n)
	a.JL(LabelRef("tail"))
	a.Label("next")
	v := k.register(a)
	k.move(a, Mem{Base: x}, v)
	a.expOf(k, v, table)
	k.move(a, v, Mem{Base: x})
	a.ADDQ(Imm(8*lanes), x)
	a.SUBQ(Imm(lanes), n)
	a.JGE(LabelRef("next"))
	a.Label("tail")
	a.ADDQ(Imm(lanes), n)
	a.JZ(LabelRef("done"))
	if k.width == avx512 {
		m, ones := a.K(), a.GP32()
		a.MOVL(I32(-1), ones)
		a.BZHIL(n.As32(), ones, ones)
		a.KMOVW(ones, m)
		a.VMOVUPD_Z(Mem{Base: x}, m, v)
		a.expOf(k, v, table)
		a.VMOVUPD(v, m, Mem{Base: x})
	} else {
		m := a.mask4(n)
		a.VMASKMOVPD(Mem{Base: x}, m, v)
		a.expOf(k, v, table)
		a.VMASKMOVPD(v, m, Mem{Base: x})
	}
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}

// expOf replaces x by eˣ: 2^n, or 2^(n/16), times a polynomial in what is left. Beyond ±800 the
// result is the same as there, Inf or 0.
func (a *asm) expOf(k kind, x VecVirtual, table []VecVirtual) {
	t, n, f := k.register(a), k.register(a), k.register(a)
	k.fill(a, 800, n)
	a.VMINPD(x, n, x) // a NaN passes: it is the operand that Intel's order names last
	k.fill(a, -800, n)
	a.VMAXPD(x, n, x)
	parts, magic := 1.0, 3.0*(1<<51)
	if k.width == avx512 {
		parts, magic = 16, 3<<51
	}
	k.fill(a, parts/ln2, t)
	k.fill(a, magic, n)
	k.multiplyAdd(a, x, t, n)
	k.move(a, n, t) // the nearest whole number is in its low bits
	k.addConstant(a, -magic, n, n)
	k.move(a, x, f)
	a.subtractProduct(k, ln2/parts, n, f)
	a.subtractProduct(k, ln2Rest/parts, n, f)
	if k.width == avx512 {
		p := a.polynomial(k, expSixteenth, f)
		a.VPERMI2PD(table[1], table[0], t)
		k.multiply(a, p, f, f)
		k.multiplyAdd(a, t, f, t)
		k.multiplyConstant(a, 1/parts, n, n)
		a.VSCALEFPD(n, t, x)
		return
	}
	// 2^n as a product of two powers, so that neither the largest nor the smallest overflow.
	p, half := a.polynomial(k, expWhole, f), k.register(a)
	a.VPSRAD(Imm(1), t, half)
	a.VPSUBD(half, t, t)
	for _, power := range []VecVirtual{half, t} {
		a.VPADDD(a.table("bias", []float64{bias, bias, bias, bias}, false), power, power)
		a.VPSLLQ(Imm(52), power, power)
		k.multiply(a, power, p, p)
	}
	k.move(a, p, x)
}

// bias is the integer 1023 in the bits of a float64.
var bias = math.Float64frombits(1023)

// subtractProduct subtracts c·n from f, rounded once.
func (a *asm) subtractProduct(k kind, c float64, n, f Op) {
	if k.width == avx512 {
		a.VFNMADD231PD_BCST(a.constant(c, k), n, f)
	} else {
		a.VFNMADD231PD(a.constant(c, k), n, f)
	}
}
