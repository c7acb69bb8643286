package playground

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// Formula is a kernel that a reader has written, such as exp(-dist2/2) + 0.1*dot.
//
//	sum     = product { ("+" | "-") product }
//	product = sign { ("*" | "/") sign }
//	sign    = [ "-" | "+" ] sign | power
//	power   = atom [ "^" sign ]
//	atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//
// The names are dot, ⟨x,z⟩; dist2, ‖x−z‖²; and the coordinates x1, x2, z1, z2.
type Formula struct {
	Go string // the formula as an expression of Go, over the rows x and z

	program []step
}

// step is a part of a program for a stack: it puts a number, or takes one or two from it and puts one.
type step struct {
	op    op
	name  byte    // of named: an index of what the names mean
	value float64 // of literal
	one   func(float64) float64
	two   func(a, b float64) float64
}

type op byte

const (
	literal op = iota
	named
	square // operations on the last number
	one
	two // operations on the last two
	add
	subtract
	multiply
	divide
)

// usual is how many numbers the stack has at most, usually.
const usual = 8

// Eval returns the value of the formula.
func (f *Formula) Eval(x, z svmkit.Row) float64 {
	x1, z1, x2, z2 := x.Value[0], z.Value[0], 0.0, 0.0
	if len(x.Value) > 1 {
		x2, z2 = x.Value[1], z.Value[1]
	}
	var stack [usual]float64
	return run(f.program, stack[:0], &meanings{x1*z1 + x2*z2, (x1-z1)*(x1-z1) + (x2-z2)*(x2-z2), x1, x2, z1, z2})
}

// meanings are the numbers that the names stand for.
type meanings [6]float64

// run returns what a program leaves on an empty stack.
func run(program []step, stack []float64, of *meanings) float64 {
	for i := range program {
		s, n := &program[i], len(stack)
		switch s.op {
		case literal:
			stack = append(stack, s.value)
		case named:
			stack = append(stack, of[s.name])
		case square:
			stack[n-1] *= stack[n-1]
		case one:
			stack[n-1] = s.one(stack[n-1])
		default:
			a, b := stack[n-2], stack[n-1]
			stack = stack[:n-1]
			switch s.op {
			case add:
				a += b
			case subtract:
				a -= b
			case multiply:
				a *= b
			case divide:
				a /= b
			default:
				a = s.two(a, b)
			}
			stack[n-2] = a
		}
	}
	return stack[0]
}

var names = map[string]struct {
	code    string
	columns int  // that a row must have
	index   byte // of its meaning
}{
	"dot": {"x.DotRow(z)", 1, 0}, "dist2": {"dist2(x, z)", 1, 1},
	"x1": {"x.At(0)", 1, 2}, "x2": {"x.At(1)", 2, 3}, "z1": {"z.At(0)", 1, 4}, "z2": {"z.At(1)", 2, 5},
}

var functions = map[string]struct {
	code string
	one  func(float64) float64
	two  func(a, b float64) float64
}{
	"exp": {"math.Exp", math.Exp, nil}, "log": {"math.Log", math.Log, nil}, "sqrt": {"math.Sqrt", math.Sqrt, nil},
	"sin": {"math.Sin", math.Sin, nil}, "cos": {"math.Cos", math.Cos, nil}, "tanh": {"math.Tanh", math.Tanh, nil}, "abs": {"math.Abs", math.Abs, nil},
	"min": {"min", nil, func(a, b float64) float64 { return min(a, b) }}, "max": {"max", nil, func(a, b float64) float64 { return max(a, b) }},
}

// ParseFormula reads a formula over rows with 1 or 2 columns. What is no formula is a [*Error].
func ParseFormula(text string, columns int) (f *Formula, err error) {
	if len(text) > maxFormula {
		return nil, &Error{"formula", fmt.Sprintf("longer than %d characters", maxFormula)}
	}
	p := &parser{text: text, columns: columns}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			f, err = nil, wrong
		}
	}()
	n := p.sum()
	if p.next() != 0 {
		p.fail("unexpected %q", string(p.text[p.at:]))
	}
	return &Formula{Go: n.code, program: n.program}, nil
}

// node is a part of a formula. Parts without names are numbers: they are computed once.
type node struct {
	program  []step
	code     string
	constant bool
}

type parser struct {
	text    string
	at      int
	columns int
}

// fail ends the parse; ParseFormula recovers.
func (p *parser) fail(format string, args ...any) {
	panic(&Error{"formula", fmt.Sprintf("after %q: ", p.text[:min(p.at, len(p.text))]) + fmt.Sprintf(format, args...)})
}

// next returns the byte at which the parser is, behind spaces; 0 at the end.
func (p *parser) next() byte {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take moves on if the parser is at one of the bytes.
func (p *parser) take(bytes string) (byte, bool) {
	if c := p.next(); c != 0 && strings.IndexByte(bytes, c) >= 0 {
		p.at++
		return c, true
	}
	return 0, false
}

func (p *parser) want(c string) {
	if _, ok := p.take(c); !ok {
		p.fail("%s is missing", c)
	}
}

// number returns a part that is a number.
func (p *parser) number(v float64) node {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail("this is not a finite number")
	}
	code := short(v)
	if !strings.ContainsAny(code, ".e") {
		code += ".0" // 1/2 would be 0 in Go
	}
	return node{[]step{{op: literal, value: v}}, "(" + code + ")", true}
}

// join makes a part of two, or of one and an empty one.
func (p *parser) join(a, b node, op step, code string) node {
	n := node{append(slices.Concat(a.program, b.program), op), fmt.Sprintf(code, a.code, b.code), a.constant && b.constant}
	if n.constant {
		return p.number(run(n.program, nil, nil))
	}
	return n
}

func (p *parser) sum() node     { return p.chain("+-", p.product) }
func (p *parser) product() node { return p.chain("*/", p.sign) }

var signs = map[byte]op{'+': add, '-': subtract, '*': multiply, '/': divide}

// chain reads parts between signs, from the left.
func (p *parser) chain(between string, part func() node) node {
	n := part()
	for {
		sign, ok := p.take(between)
		if !ok {
			return n
		}
		n = p.join(n, part(), step{op: signs[sign]}, "(%s "+string(sign)+" %s)")
	}
}

func (p *parser) sign() node {
	switch c, ok := p.take("+-"); {
	case !ok:
		return p.power()
	case c == '+':
		return p.sign()
	}
	return p.join(p.number(-1), p.sign(), step{op: multiply}, "(%s * %s)")
}

func (p *parser) power() node {
	n := p.atom()
	if _, ok := p.take("^"); !ok {
		return n
	}
	to := p.sign()
	if to.constant && to.program[0].value == 2 { // math.Pow is slow
		return p.join(n, node{nil, to.code, true}, step{op: square}, "math.Pow(%s, %s)")
	}
	return p.join(n, to, step{op: two, two: math.Pow}, "math.Pow(%s, %s)")
}

func (p *parser) atom() node {
	if _, ok := p.take("("); ok {
		n := p.sum()
		p.want(")")
		return n
	}
	rest := p.text[p.at:]
	if length := len(rest) - len(strings.TrimLeft(rest, "0123456789.")); length > 0 {
		v, err := strconv.ParseFloat(rest[:length], 64)
		if err != nil {
			p.fail("%q is not a number", rest[:length])
		}
		p.at += length
		return p.number(v)
	}
	name := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz0123456789"))]
	if f, ok := functions[name]; ok {
		p.at += len(name)
		p.want("(")
		a := p.sum()
		if f.two == nil {
			p.want(")")
			return p.join(a, node{constant: true}, step{op: one, one: f.one}, f.code+"(%[1]s)")
		}
		p.want(",")
		b := p.sum()
		p.want(")")
		return p.join(a, b, step{op: two, two: f.two}, f.code+"(%s, %s)")
	}
	known, ok := names[name]
	if !ok {
		p.fail("expected a number, dot, dist2, x1, x2, z1, z2, exp, log, sqrt, sin, cos, tanh, abs, min or max")
	}
	if known.columns > p.columns {
		p.fail("%s: a row has one coordinate in a regression", name)
	}
	p.at += len(name)
	return node{[]step{{op: named, name: known.index}}, known.code, false}
}
