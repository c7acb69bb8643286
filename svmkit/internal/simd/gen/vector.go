package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
)

// A kind is an instruction set and a type of number: the contents of a register.
type kind struct {
	width
	single bool // float32, not float64
}

// lanes is the number of numbers in a register.
func (k kind) lanes() int { return k.bytes() / k.size() }

// size is the size of a number in bytes.
func (k kind) size() int {
	if k.single {
		return 4
	}
	return 8
}

// bits names the type in the names of functions.
func (k kind) bits() string { return fmt.Sprint(8 * k.size()) }

// constant returns the place of a constant: one number for AVX-512, which spreads it when it reads
// it, and a register's length for AVX2.
func (a *asm) constant(v float64, k kind) Mem {
	numbers := []float64{v}
	for k.width == avx2 && len(numbers) < k.lanes() {
		numbers = append(numbers, v)
	}
	return a.table(fmt.Sprintf("constant%s%s_%g", k.bits(), k.name, v), numbers, k.single)
}

// table returns the place of some numbers. The key identifies them.
func (a *asm) table(key string, numbers []float64, single bool) Mem {
	if at, ok := a.tables[key]; ok {
		return at
	}
	at := a.StaticGlobal(fmt.Sprintf("table%d", len(a.tables)))
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, v := range numbers {
		if single {
			a.AddDatum(4*i, U32(math.Float32bits(float32(v))))
		} else {
			a.AddDatum(8*i, U64(math.Float64bits(v)))
		}
	}
	a.tables[key] = at
	return at
}

// The instructions for either type. Operands are in the order of Go's assembler, with the result
// last.

func (k kind) pick(single, double func(...Op)) func(...Op) {
	if k.single {
		return single
	}
	return double
}

func (k kind) move(a *asm, from, to Op) { k.pick(a.VMOVUPS, a.VMOVUPD)(from, to) }

func (k kind) spread(a *asm, from, to Op) { k.pick(a.VBROADCASTSS, a.VBROADCASTSD)(from, to) }

// multiplyAdd adds x·y to sum; x may be in memory.
func (k kind) multiplyAdd(a *asm, x, y, sum Op) { k.pick(a.VFMADD231PS, a.VFMADD231PD)(x, y, sum) }

func (k kind) add(a *asm, x, y, to Op) { k.pick(a.VADDPS, a.VADDPD)(x, y, to) }

// subtract sets to to y − x.
func (k kind) subtract(a *asm, x, y, to Op) { k.pick(a.VSUBPS, a.VSUBPD)(x, y, to) }

func (k kind) multiply(a *asm, x, y, to Op) { k.pick(a.VMULPS, a.VMULPD)(x, y, to) }

// pin keeps constants in registers until the end of the function. It is for loops in which loads
// take most of the time.
func (a *asm) pin(k kind, constants ...float64) {
	for _, c := range constants {
		r := k.register(a)
		k.fill(a, c, r)
		a.pinned[c] = r
	}
}

// withConstant does an operation with a constant: plain for AVX2, and spread for AVX-512.
func (k kind) withConstant(a *asm, c float64, x, to Op, plain, spread [2]func(...Op)) {
	if r, ok := a.pinned[c]; ok {
		k.pick(plain[0], plain[1])(r, x, to)
		return
	}
	f := plain
	if k.width == avx512 {
		f = spread
	}
	k.pick(f[0], f[1])(a.constant(c, k), x, to)
}

// horner sets p to p·f + c.
func (k kind) horner(a *asm, c float64, f, p Op) {
	k.withConstant(a, c, f, p, [2]func(...Op){a.VFMADD213PS, a.VFMADD213PD},
		[2]func(...Op){a.VFMADD213PS_BCST, a.VFMADD213PD_BCST})
}

// addConstant sets to to x + c.
func (k kind) addConstant(a *asm, c float64, x, to Op) {
	k.withConstant(a, c, x, to, [2]func(...Op){a.VADDPS, a.VADDPD},
		[2]func(...Op){a.VADDPS_BCST, a.VADDPD_BCST})
}

// fill sets all numbers of to to c.
func (k kind) fill(a *asm, c float64, to Op) {
	if r, ok := a.pinned[c]; ok {
		k.move(a, r, to)
	} else if k.width == avx512 {
		k.spread(a, a.constant(c, k), to)
	} else {
		k.move(a, a.constant(c, k), to)
	}
}
