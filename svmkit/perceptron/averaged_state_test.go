package perceptron_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// Saved and loaded before every example, an Averaged ends with the bits of one that never
// stopped; and so does a Perceptron of which only W and B are kept.
func TestAveragedGoesOnFromItsState(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 0))
	for _, options := range []perceptron.Perceptron{{}, {Bias: svmkit.PenalizedBias}, {Bias: svmkit.PenalizedBias, Rate: 0.3}} {
		set := noisy(rng, 200, 6)
		whole, broken, plain := perceptron.Averaged{Last: options}, perceptron.Averaged{Last: options}, options
		if err := whole.Learn(t.Context(), set.All(), nil); err != nil {
			t.Fatal(err)
		}
		for i := range set.X {
			state, err := broken.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			broken = perceptron.Averaged{}
			if err := broken.UnmarshalBinary(state); err != nil {
				t.Fatalf("before example %d: %v", i, err)
			}
			if again, _ := broken.MarshalBinary(); !bytes.Equal(again, state) {
				t.Fatalf("before example %d: the state comes back as another", i)
			}
			plain = perceptron.Perceptron{W: plain.W, B: plain.B, Bias: options.Bias, Rate: options.Rate}
			one := &svmkit.Dataset{X: set.X[i : i+1], Y: set.Y[i : i+1], Dim: set.Dim}
			if err := errors.Join(broken.Learn(t.Context(), one.All(), nil), plain.Learn(t.Context(), one.All(), nil)); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := bitsOf(whole.Plane()), bitsOf(broken.Plane()); a != b {
			t.Errorf("%+v: the mean planes are %v and %v", options, a, b)
		}
		if a, b := bitsOf(whole.Last.Plane()), bitsOf(plain.Plane()); a != b {
			t.Errorf("%+v: the last planes are %v and %v", options, a, b)
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

func TestAveragedRefusesBrokenStates(t *testing.T) {
	set := noisy(rand.New(rand.NewPCG(92, 0)), 30, 3)
	a := perceptron.Averaged{Last: perceptron.Perceptron{Bias: svmkit.PenalizedBias}}
	if err := a.Learn(t.Context(), set.All(), nil); err != nil {
		t.Fatal(err)
	}
	state, _ := a.MarshalBinary()
	const rateAt, roundsAt, columnsAt, vectorsAt = 9, 33, 41, 49
	with := func(at int, word uint64) []byte {
		b := bytes.Clone(state)
		binary.LittleEndian.PutUint64(b[at:], word)
		return b
	}
	broken := map[string][]byte{
		"promises 2⁶⁰ columns":           with(columnsAt, 1<<60),
		"promises 2⁶⁰ columns, has none": with(columnsAt, 1<<60)[:vectorsAt],
		"promises −1 column":             with(columnsAt, math.MaxUint64),
		"rate −1":                        with(rateAt, math.Float64bits(-1)),
		"−1 rounds":                      with(roundsAt, math.MaxUint64),
		"w is infinite":                  with(vectorsAt, math.Float64bits(math.Inf(1))),
		"u is NaN":                       with(len(state)-8, math.Float64bits(math.NaN())),
		"another kind":                   append([]byte("pegasos\x01"), state[8:]...),
		"one byte more":                  append(bytes.Clone(state), 0),
	}
	for n := range state {
		broken[fmt.Sprintf("cut off after %d bytes", n)] = state[:n]
	}
	for name, b := range broken {
		if err := a.UnmarshalBinary(b); !errors.Is(err, perceptron.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := a.MarshalBinary(); !bytes.Equal(now, state) {
			t.Fatalf("%s: it changed the perceptron", name)
		}
	}
}
