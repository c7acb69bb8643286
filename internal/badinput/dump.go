package badinput

import (
	"fmt"
	"math"
	"reflect"
	"strings"
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
