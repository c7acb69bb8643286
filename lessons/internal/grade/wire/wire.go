// Package wire carries the calls of a student's function from the program of its check, which ends
// in [Check], to the program of the answer, which ends in [Serve]. The two share no memory.
//
// Both programs are WebAssembly. A message is a call, its results, or a panic. A program sends one
// only while the other one waits, through the functions of the host in host_wasip1.go. A function
// that is an argument or a result stays where it is, and the other program gets a function that
// calls it there.
//
// An answer may send anything. So the reader checks each message, and a message that it cannot read
// counts as a panic of the student's function.
package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"time"
	"unsafe"
)

// Kinds of messages, their first bytes.
const (
	called   = iota // then the function's number, and its arguments
	returned        // then what its arguments now hold, and its results
	panicked        // then a text
)

// Verdicts of a check, which the host reads.
const (
	Solved   = iota
	Wrong    // then the check's message
	NoChecks // the exercise has a type that cannot be carried: the lesson's fault
)

// Collecting garbage costs most of a program's time, so it begins late: at most of the memory that a program has.
func init() {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(320 << 20)
}

// Serve answers the calls of the check's program, for ever. The check says of which type an answer is, and is
// never called. Of several answers the first message, a number, chooses one.
func Serve[F any](_ func(F) error, answers ...F) {
	number := int(exchange(nil)[0])
	p := &peer{exchange: exchange, functions: []reflect.Value{reflect.ValueOf(answers[number])}}
	for message := exchange(nil); ; {
		message = exchange(p.handle(message))
	}
}

// Check checks the answer of the other program, within a time that the host measures.
func Check[F any](check func(F) error, limit time.Duration) {
	kind, message := Solved, ""
	defer func() { verdict(kind, message) }()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unsupported:
			kind, message = NoChecks, string(r)
		default:
			kind, message = Wrong, fmt.Sprintf("your function panicked: %v", r)
		}
	}()
	begin(limit)
	p := &peer{exchange: exchange}
	if err := check(p.standIn(reflect.TypeFor[F](), 0).Interface().(F)); err != nil {
		kind, message = Wrong, err.Error()
	}
}

// unsupported is what a program panics with for a type that no message can hold.
type unsupported string

// peer is a program's view of the other one.
type peer struct {
	exchange  func(message []byte) []byte // sends a message, and returns the next one
	functions []reflect.Value             // that the other one may call, by their numbers
}

// standIn is a function that calls the other program's function of a number.
func (p *peer) standIn(t reflect.Type, number int) reflect.Value {
	if t.Kind() != reflect.Func {
		panic(unsupported(fmt.Sprintf("%v is no function", t)))
	}
	return reflect.MakeFunc(t, func(arguments []reflect.Value) []reflect.Value {
		w := &carrier{peer: p, known: map[unsafe.Pointer]int{}}
		w.byte(called)
		w.int(number)
		w.all(arguments)
		sent := len(w.objects)
		message := p.exchange(w.buffer)
		for len(message) > 0 && message[0] == called {
			message = p.exchange(p.handle(message))
		}
		r := &carrier{peer: p, objects: w.objects, buffer: message}
		switch r.takeByte() {
		case panicked:
			panic(r.takeText())
		case returned:
			for _, o := range r.objects[:sent] {
				r.takeContent(o)
			}
			var results []reflect.Value
			for i := range t.NumOut() {
				results = append(results, r.takeNew(t.Out(i)))
			}
			return results
		}
		panic(malformed)
	})
}

// handle calls a function as a message says, and returns the message that answers it.
func (p *peer) handle(message []byte) (reply []byte) {
	defer func() {
		if r := recover(); r != nil {
			if u, ok := r.(unsupported); ok {
				r = string(u)
			}
			w := &carrier{}
			w.byte(panicked)
			w.text(brief(fmt.Sprint(r)))
			reply = w.buffer
		}
	}()
	r := &carrier{peer: p, buffer: message}
	if r.takeByte() != called {
		panic(malformed)
	}
	number := r.takeInt()
	if number >= len(p.functions) {
		panic(malformed)
	}
	f := p.functions[number]
	var arguments []reflect.Value
	for i := range f.Type().NumIn() {
		arguments = append(arguments, r.takeNew(f.Type().In(i)))
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	results := call(arguments)
	w := &carrier{peer: p, objects: r.objects, known: map[unsafe.Pointer]int{}}
	for i, o := range w.objects {
		w.known[o.UnsafePointer()] = i
	}
	w.byte(returned)
	for _, o := range r.objects {
		w.content(o)
	}
	w.all(results)
	return w.buffer
}

// brief is the beginning of a text.
func brief(text string) string {
	if len(text) > 1000 {
		text = strings.ToValidUTF8(text[:1000], "") + "…"
	}
	return text
}

// A carrier writes or reads a message. Slices, maps and pointers are objects: each is sent once, and
// a number stands for it after that. So one object of the caller is one object of the function, and
// a change that the function makes in an argument reaches the caller. Slices that overlap without a
// common beginning become objects of their own.
type carrier struct {
	*peer
	buffer  []byte
	objects []reflect.Value        // by their numbers
	known   map[unsafe.Pointer]int // their numbers by their addresses, for a writer
	depth   int
}

const (
	malformed = "what it returned cannot be read"
	deepest   = 1000 // levels of values in values
	none      = 0    // the number that stands for nil; 1 is a slice without elements, and objects follow
	empty     = 1
	first     = 2
)

func (c *carrier) byte(b byte)   { c.buffer = append(c.buffer, b) }
func (c *carrier) bits(v uint64) { c.buffer = binary.LittleEndian.AppendUint64(c.buffer, v) }
func (c *carrier) int(n int)     { c.buffer = binary.AppendUvarint(c.buffer, uint64(n)) }
func (c *carrier) text(s string) { c.int(len(s)); c.buffer = append(c.buffer, s...) }

func (c *carrier) all(values []reflect.Value) {
	for _, v := range values {
		c.value(v)
	}
}

func (c *carrier) value(v reflect.Value) {
	if c.depth++; c.depth > deepest {
		panic("values that are nested too deeply")
	}
	switch v.Kind() {
	case reflect.Bool:
		n := 0
		if v.Bool() {
			n = 1
		}
		c.int(n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.bits(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		c.bits(v.Uint())
	case reflect.Float32, reflect.Float64:
		c.bits(math.Float64bits(v.Float()))
	case reflect.String:
		c.text(v.String())
	case reflect.Array, reflect.Struct:
		if !v.CanAddr() { // fields are read by their address
			held := reflect.New(v.Type()).Elem()
			held.Set(v)
			v = held
		}
		parts(v, c.value)
	case reflect.Func:
		if v.IsNil() {
			c.int(none)
			break
		}
		c.functions = append(c.functions, v)
		c.int(len(c.functions))
	case reflect.Slice, reflect.Map, reflect.Pointer:
		c.object(v)
	default:
		panic(unsupported(fmt.Sprintf("a value of type %v cannot be carried from one program to another", v.Type())))
	}
	c.depth--
}

// object writes the number of an object, and if it is new what it holds.
func (c *carrier) object(v reflect.Value) {
	slice := v.Kind() == reflect.Slice
	switch {
	case v.IsNil():
		c.int(none)
		return
	case slice && v.Len() == 0:
		c.int(empty)
		return
	}
	// A struct and its first field have one address, and a slice and a longer one.
	n, ok := c.known[v.UnsafePointer()]
	ok = ok && v.Type() == c.objects[n].Type() && (!slice || v.Len() <= c.objects[n].Len())
	if !ok {
		n = len(c.objects)
		c.objects, c.known[v.UnsafePointer()] = append(c.objects, copied(v)), n
	}
	c.int(first + n)
	if slice {
		c.int(v.Len())
	}
	if !ok {
		c.content(c.objects[n])
	}
}

// copied is a slice, map or pointer that stays as it is when the variable that held it is changed.
func copied(v reflect.Value) reflect.Value { return reflect.ValueOf(v.Interface()) }

// content writes what an object holds.
func (c *carrier) content(o reflect.Value) {
	switch o.Kind() {
	case reflect.Slice:
		if numbers, ok := o.Interface().([]float64); ok {
			for _, x := range numbers {
				c.bits(math.Float64bits(x))
			}
			return
		}
		parts(o, c.value)
	case reflect.Pointer:
		c.value(o.Elem())
	case reflect.Map:
		c.int(o.Len())
		if sparse, ok := o.Interface().(map[int]float64); ok {
			for i, x := range sparse {
				c.bits(uint64(i))
				c.bits(math.Float64bits(x))
			}
			return
		}
		for entry := o.MapRange(); entry.Next(); {
			c.value(entry.Key())
			c.value(entry.Value())
		}
	}
}

// parts visits the elements or the fields of a value. Fields that are not exported are fields too.
func parts(v reflect.Value, visit func(reflect.Value)) {
	if v.Kind() != reflect.Struct {
		for i := range v.Len() {
			visit(v.Index(i))
		}
		return
	}
	for i := range v.NumField() {
		f := v.Field(i)
		visit(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
	}
}

func (c *carrier) take(n int) []byte {
	if n < 0 || n > len(c.buffer) {
		panic(malformed)
	}
	taken := c.buffer[:n]
	c.buffer = c.buffer[n:]
	return taken
}

func (c *carrier) takeByte() byte   { return c.take(1)[0] }
func (c *carrier) takeBits() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }
func (c *carrier) takeText() string { return string(c.take(c.takeInt())) }

// takeInt reads a number that is no larger than an int32.
func (c *carrier) takeInt() int {
	n, size := binary.Uvarint(c.buffer)
	if size <= 0 || n > math.MaxInt32 {
		panic(malformed)
	}
	c.buffer = c.buffer[size:]
	return int(n)
}

func (c *carrier) takeNew(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	c.takeValue(v)
	return v
}

// takeValue reads into a value that can be set.
func (c *carrier) takeValue(v reflect.Value) {
	if c.depth++; c.depth > deepest {
		panic(malformed)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(c.takeInt() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(c.takeBits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(c.takeBits())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(c.takeBits()))
	case reflect.String:
		v.SetString(c.takeText())
	case reflect.Array, reflect.Struct:
		parts(v, c.takeValue)
	case reflect.Func:
		if n := c.takeInt(); n == none {
			v.SetZero()
		} else {
			v.Set(c.standIn(v.Type(), n-1))
		}
	case reflect.Slice, reflect.Map, reflect.Pointer:
		c.takeObject(v)
	default:
		panic(unsupported(fmt.Sprintf("a value of type %v cannot be carried from one program to another", v.Type())))
	}
	c.depth--
}

func (c *carrier) takeObject(v reflect.Value) {
	t, n := v.Type(), c.takeInt()
	switch {
	case n == none:
		v.SetZero()
		return
	case n == empty && t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 0, 0))
		return
	}
	length := 0
	if t.Kind() == reflect.Slice {
		length = c.takeInt()
	}
	if n -= first; n < 0 || n > len(c.objects) {
		panic(malformed)
	}
	if n < len(c.objects) {
		o := c.objects[n]
		if o.Type() != t || t.Kind() == reflect.Slice && length > o.Len() {
			panic(malformed)
		}
		if t.Kind() == reflect.Slice {
			o = o.Slice(0, length)
		}
		v.Set(o)
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		if length > len(c.buffer) { // an element takes a byte, or it would hold nothing
			panic(malformed)
		}
		v.Set(reflect.MakeSlice(t, length, length))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
	}
	c.objects = append(c.objects, copied(v))
	c.takeContent(c.objects[n])
}

// takeContent reads into an object what it holds now.
func (c *carrier) takeContent(o reflect.Value) {
	switch o.Kind() {
	case reflect.Slice:
		if numbers, ok := o.Interface().([]float64); ok {
			for i := range numbers {
				numbers[i] = math.Float64frombits(c.takeBits())
			}
			return
		}
		parts(o, c.takeValue)
	case reflect.Pointer:
		c.takeValue(o.Elem())
	case reflect.Map:
		o.Clear()
		if sparse, ok := o.Interface().(map[int]float64); ok {
			for range c.takeInt() {
				i := int(c.takeBits())
				sparse[i] = math.Float64frombits(c.takeBits())
			}
			return
		}
		for range c.takeInt() {
			key := c.takeNew(o.Type().Key())
			o.SetMapIndex(key, c.takeNew(o.Type().Elem()))
		}
	}
}
