package wire

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// across returns a function that calls f in another program, which is a goroutine here.
func across[F any](t *testing.T, f F) F {
	to, from := make(chan []byte), make(chan []byte)
	over := make(chan struct{})
	go func() {
		defer close(over)
		p := &peer{functions: []reflect.Value{reflect.ValueOf(f)}, exchange: func(m []byte) []byte { from <- m; return <-to }}
		for m := <-to; m != nil; {
			reply := p.handle(m)
			from <- reply
			m = <-to
		}
	}()
	t.Cleanup(func() { close(to); <-over })
	p := &peer{exchange: func(m []byte) []byte { to <- m; return <-from }}
	return p.standIn(reflect.TypeFor[F](), 0).Interface().(F)
}

type inner struct {
	name string
	at   *inner
}

type outer struct {
	inner
	X   [2]float64
	all map[string][]int
	b   bool
	n   int8
	u   uint64
	f   float32
}

func TestValuesArrive(t *testing.T) {
	self := &inner{name: "ring"}
	self.at = self
	v := outer{inner{"é", self}, [2]float64{math.Inf(1), math.Copysign(0, -1)}, map[string][]int{"a": {1, -2}, "b": nil, "c": {}}, true, -7, 1 << 63, 0.1}
	got := across(t, func(o outer) (outer, []outer) { return o, []outer{o} })
	one, many := got(v)
	if !reflect.DeepEqual(one, v) || len(many) != 1 || !reflect.DeepEqual(many[0], v) || one.all["c"] == nil || one.all["b"] != nil {
		t.Errorf("%+v, %+v", one, many)
	}
	if one.at.at != one.at || math.Signbit(one.X[1]) != true {
		t.Error("identity or sign lost")
	}
	nan := across(t, func(x float64) float64 { return -x })(math.Float64frombits(0x7ff8000000000123))
	if math.Float64bits(nan) != 0xfff8000000000123 {
		t.Errorf("%x", math.Float64bits(nan))
	}
}

// What a function changes in its arguments is changed for its caller, and what it returns of them is theirs.
func TestArgumentsAreObjects(t *testing.T) {
	rows, seen := [][]float64{{1, 2}, {3}}, map[int]bool{1: true}
	p := &inner{name: "old"}
	f := across(t, func(rows [][]float64, again []float64, seen map[int]bool, p *inner) ([]float64, []float64) {
		again[0] = 10 // rows[0][0]
		rows[1] = []float64{7, 8}
		delete(seen, 1)
		seen[2] = true
		p.name = "new"
		return rows[0][:1], rows[1]
	})
	first, second := f(rows, rows[0], seen, p)
	if fmt.Sprintln(rows, seen, p.name, first, second) != "[[10 2] [7 8]] map[2:true] new [10] [7 8]\n" || &first[0] != &rows[0][0] || &second[0] != &rows[1][0] {
		t.Error(rows, seen, p.name, first, second, &first[0] == &rows[0][0], &second[0] == &rows[1][0])
	}
}

// Functions call back, also those that functions return, and panics go the whole way.
func TestFunctionsCallBack(t *testing.T) {
	calls := 0
	f := across(t, func(train func(rows []int) func(int) float64, sum ...float64) (func() float64, float64) {
		m := train([]int{4, 5})
		total := m(1) + m(2)
		for _, x := range sum {
			total += x
		}
		return func() float64 { return m(100) }, total
	})
	later, total := f(func(rows []int) func(int) float64 {
		return func(i int) float64 { calls++; return float64(rows[0] * i) }
	}, 1, 2)
	if total != 15 || later() != 400 || calls != 3 {
		t.Error(total, calls)
	}
	for want, g := range map[string]func(func()){"own": func(func()) { panic("own") }, "back": func(back func()) { back() }, "nil pointer": func(func()) { var p *inner; p.name = "x" }} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, want) {
					t.Errorf("%q, want %q", r, want)
				}
			}()
			across(t, g)(func() { panic("back") })
		}()
	}
}

// What cannot be carried is the fault of who sends it, and messages that are no messages are panics.
func TestRefusals(t *testing.T) {
	for _, m := range [][]byte{{}, {returned}, {returned, 0xff}, {called}, {7, 7}, {panicked, 200}, {returned, first + 3, 1}, {returned, first, 0xff, 0xff, 0xff, 0xff, 0x07}} {
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("%v is taken", m)
				}
			}()
			sent := false
			p := &peer{exchange: func([]byte) []byte {
				if sent {
					return []byte{9}
				}
				sent = true
				return m
			}}
			p.standIn(reflect.TypeFor[func() []float64](), 0).Interface().(func() []float64)()
		}()
	}
	defer func() {
		if u, ok := recover().(unsupported); !ok || !strings.Contains(string(u), "error") {
			t.Error(u)
		}
	}()
	across(t, func(error) {})(fmt.Errorf("x"))
}
