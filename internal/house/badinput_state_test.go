package house

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// dump writes out all that v holds: numbers by their bits, so that NaN equals itself and −0 is not 0,
// through pointers, slices, maps and unexported fields; of functions only whether they are nil.
// reflect.DeepEqual would call a set with a NaN, or a function, unequal to itself.
func dump(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(v), map[unsafe.Pointer]bool{})
	return b.String()
}

func write(b *strings.Builder, v reflect.Value, seen map[unsafe.Pointer]bool) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Float64:
		fmt.Fprintf(b, "%x", math.Float64bits(v.Float()))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(b, "%s nil=%t", v.Type(), v.IsNil())
	case reflect.Pointer:
		if v.IsNil() || seen[v.UnsafePointer()] {
			fmt.Fprintf(b, "%s nil=%t", v.Type(), v.IsNil())
			return
		}
		seen[v.UnsafePointer()] = true
		b.WriteByte('&')
		write(b, v.Elem(), seen)
	case reflect.Interface:
		if !v.IsNil() {
			b.WriteString(v.Elem().Type().String())
		}
		write(b, v.Elem(), seen)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			write(b, v.Index(i), seen)
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.Map:
		fmt.Fprintf(b, "map of %d", v.Len())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":")
			write(b, v.Field(i), seen)
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Bool:
		fmt.Fprint(b, v.Bool())
	default:
		if v.CanInt() {
			fmt.Fprint(b, v.Int())
		} else {
			fmt.Fprint(b, v.Uint())
		}
	}
}

// What a change of state looks like to dump: each of these differs from the one before.
func TestReliabilityStateIsSeen(t *testing.T) {
	type inner struct{ v []float64 }
	type outer struct {
		p *inner
		f func()
		i any
	}
	at := func(v float64, f func(), i any) any { return outer{&inner{[]float64{v}}, f, i} }
	for _, pair := range [][2]any{
		{at(0, nil, nil), at(math.Copysign(0, -1), nil, nil)}, {at(1, nil, nil), at(math.Nextafter(1, 2), nil, nil)},
		{at(1, nil, nil), at(1, func() {}, nil)}, {at(1, nil, 1), at(1, nil, int32(1))}, {[]float64(nil), []float64{}},
		{at(1, nil, "a"), at(1, nil, "b")}, {[]float64{1, 2}, []float64{1}}, {(*inner)(nil), &inner{}},
	} {
		if dump(pair[0]) == dump(pair[1]) {
			t.Errorf("%#v and %#v look the same", pair[0], pair[1])
		}
	}
	if one, other := dump(at(math.NaN(), nil, nil)), dump(at(math.NaN(), nil, nil)); one != other {
		t.Error("NaN differs from itself")
	}
}
