package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Polynomials with the least relative error of their degree, lowest coefficient first.
var (
	// 2^f for 0 ≤ f ≤ 1, 1 at 0: error 8.2e-8.
	powerAbove = []float64{1, 0.6931513126769179, 0.24016444322886682, 0.05579993185444645,
		0.009017009281652371, 0.001867138434365271}
	// 2^f for |f| ≤ ½: error 7.5e-8.
	powerAround = []float64{1.000000071654352, 0.6931469670643533, 0.24022119725087088,
		0.05550713275234541, 0.009675541295571258, 0.0013276471400913811}
	// 2^f for |f| ≤ ½, 1 at 0: error 1.8e-17.
	powerExact = []float64{1, 0.6931471805599457, 0.24022650695910097, 0.05550410866479039,
		0.009618129107607001, 0.0013333558153440846,
		0.00015403530441572758, 1.5252727384325897e-05, 1.3215442675197493e-06,
		1.0180648025634524e-07, 7.072570413832216e-09, 4.0780163803493546e-10}
	// (2^f − 1)/f for |f| ≤ 1/32: 2^f to 7e-18.
	powerSixteenth = []float64{0.6931471805599468, 0.24022650695909842, 0.05550410865209452,
		0.009618129113145, 0.0013333818807638636, 0.00015403304362440265}
)

var negativeInfinity, positiveInfinity = math.Inf(-1), math.Inf(1)

// polynomial returns Σ cₖfᵏ in a new register.
func (a *asm) polynomial(k kind, c []float64, f VecVirtual) VecVirtual {
	p, n := k.register(a), len(c)
	k.fill(a, c[n-1], p)
	for i := n - 2; i >= 0; i-- {
		k.horner(a, c[i], f, p)
	}
	return p
}

// power replaces x by 2^x, x ≤ 127 or 1023. It is a polynomial between two integers (or
// sixteenths), and the integer part becomes the exponent.
func (a *asm) power(k kind, x VecVirtual, table []VecVirtual) {
	switch {
	case k.width == avx512 && k.single:
		f := k.register(a)
		a.VREDUCEPS(Imm(9), x, f) // x minus the largest integer below it
		a.VSCALEFPS(x, a.polynomial(k, powerAbove, f), x)
	case k.width == avx512:
		t, n, f := k.register(a), k.register(a), k.register(a)
		k.addConstant(a, 3<<47, x, t) // leaves the nearest sixteenth in the low bits
		k.addConstant(a, -3<<47, t, n)
		k.subtract(a, n, x, f)
		p := a.polynomial(k, powerSixteenth, f)
		a.VPERMI2PD(table[1], table[0], t)
		k.multiply(a, p, f, f)
		k.multiplyAdd(a, t, f, t)
		a.VSCALEFPD(n, t, x)
	default:
		magic, least, shift, c := 3.0*(1<<51)+1023, -1022.0, uint64(52), powerExact
		if k.single {
			magic, least, shift, c = 3*(1<<22)+127, -126, 23, powerAround
		}
		t, f := k.register(a), k.register(a)
		k.addConstant(a, magic, x, t) // leaves the nearest integer, as an exponent, in the low bits
		k.addConstant(a, -magic, t, f)
		k.subtract(a, f, x, f)
		const notLess = 0x15 // true for NaN
		if k.single {
			a.VCMPPS(Imm(notLess), a.constant(least, k), x, x)
			a.VPSLLD(Imm(shift), t, t)
		} else {
			a.VCMPPD(Imm(notLess), a.constant(least, k), x, x)
			a.VPSLLQ(Imm(shift), t, t)
		}
		k.multiply(a, a.polynomial(k, c, f), t, t)
		k.pick(a.VANDPS, a.VANDPD)(t, x, x)
	}
}

// sixteenths returns the two registers of AVX-512 that hold 2^(k/16).
func (a *asm) sixteenths() []VecVirtual {
	powers := make([]float64, 16)
	for k := range powers {
		powers[k] = math.Exp2(float64(k) / 16)
	}
	at, v := a.table("sixteenths", powers, false), avx512.registers(a, 2)
	a.VMOVUPD(at, v[0])
	a.VMOVUPD(at.Offset(64), v[1])
	return v
}
