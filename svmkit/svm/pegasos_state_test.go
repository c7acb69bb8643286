package svm_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// growingRows are sparse examples whose columns become more and more.
func growingRows(seed uint64, n int) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(seed, 90))
	s := &svmkit.Dataset{Dim: 2 * n}
	for i := range n {
		first := rng.IntN(i + 1)
		s.X = append(s.X, svmkit.Row{Index: []int32{int32(first), int32(first + 1 + rng.IntN(i+1))}, Value: []float64{rng.NormFloat64(), rng.NormFloat64()}})
		s.Y = append(s.Y, float64(2*rng.IntN(2)-1))
	}
	return s
}

// A stream whose state is saved and loaded before every example ends with the bits of one that
// never stopped, and the state itself comes back byte for byte.
func TestPegasosStreamGoesOnFromItsState(t *testing.T) {
	for _, options := range []svm.PegasosStream{{Lambda: 0.1}, {Lambda: 1.0 / 3, Bias: svmkit.PenalizedBias}, {Lambda: 2, Bias: svmkit.PenalizedBias, Last: true}} {
		set := growingRows(1, 60)
		whole, broken := options, options
		if err := whole.Learn(t.Context(), set.All(), nil); err != nil {
			t.Fatal(err)
		}
		for i := range set.X {
			state, err := broken.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			broken = svm.PegasosStream{}
			if err := broken.UnmarshalBinary(state); err != nil {
				t.Fatalf("before example %d: %v", i, err)
			}
			if again, _ := broken.MarshalBinary(); !bytes.Equal(again, state) {
				t.Fatalf("before example %d: the state comes back as another", i)
			}
			one := &svmkit.Dataset{X: set.X[i : i+1], Y: set.Y[i : i+1], Dim: set.Dim}
			if err := broken.Learn(t.Context(), one.All(), nil); err != nil {
				t.Fatal(err)
			}
		}
		a, b := whole.Plane(), broken.Plane()
		if bitsOf(a) != bitsOf(b) || whole.Steps() != broken.Steps() {
			t.Errorf("%+v: the planes are %v and %v", options, a, b)
		}
	}
}

// bitsOf is a plane as text in which −0 is not 0.
func bitsOf(h svmkit.Hyperplane) string {
	text := ""
	for _, v := range append(append([]float64{}, h.W...), h.B) {
		text += fmt.Sprintf("%x ", math.Float64bits(v))
	}
	return text
}

// Whatever is cut off, promises more columns than there are bytes, or holds a number that is
// none, is refused, allocates nothing to speak of, and changes nothing.
func TestPegasosStreamRefusesBrokenStates(t *testing.T) {
	set := growingRows(2, 20)
	p := svm.PegasosStream{Lambda: 1, Bias: svmkit.PenalizedBias}
	if err := p.Learn(t.Context(), set.All(), nil); err != nil {
		t.Fatal(err)
	}
	state, _ := p.MarshalBinary()
	const lambdaAt, columnsAt, vectorsAt = 8, 26, 58
	with := func(at int, word uint64) []byte {
		b := bytes.Clone(state)
		binary.LittleEndian.PutUint64(b[at:], word)
		return b
	}
	broken := map[string][]byte{
		"promises 2⁶⁰ columns":           with(columnsAt, 1<<60),
		"promises 2⁶⁰ columns, has none": with(columnsAt, 1<<60)[:vectorsAt],
		"promises −1 column":             with(columnsAt, math.MaxUint64),
		"λ = 0":                          with(lambdaAt, 0),
		"λ is NaN":                       with(lambdaAt, math.Float64bits(math.NaN())),
		"w is infinite":                  with(vectorsAt, math.Float64bits(math.Inf(1))),
		"the mean's sum is NaN":          with(len(state)-8, math.Float64bits(math.NaN())),
		"−1 steps":                       with(columnsAt-8, math.MaxUint64),
		"another kind":                   append([]byte("averages"), state[8:]...),
		"one byte more":                  append(bytes.Clone(state), 0),
		"a later version's state":        append([]byte("pegasos\x02"), state[8:]...),
	}
	for n := range state {
		broken[fmt.Sprintf("cut off after %d bytes", n)] = state[:n]
	}
	for name, b := range broken {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := p.UnmarshalBinary(b)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, svm.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
		const enough = 1 << 20 // for an error, and for other goroutines of the test
		if grown := after.TotalAlloc - before.TotalAlloc; grown > enough {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
		if now, _ := p.MarshalBinary(); !bytes.Equal(now, state) {
			t.Fatalf("%s: it changed the stream", name)
		}
	}
}
