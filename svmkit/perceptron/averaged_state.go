package perceptron

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// ErrState is the cause of an error of [Averaged.UnmarshalBinary].
var ErrState = errors.New("not the saved state of a perceptron")

// averagedState is the state of an [Averaged] without w and u, of Columns numbers each, which
// follow it.
type averagedState struct {
	Magic           [8]byte
	Bias            bool
	Rate, B, UB     float64
	Rounds, Columns int64
}

// The last byte of averagedMagic is the version.
var averagedMagic = [8]byte{'a', 'v', 'e', 'r', 'a', 'g', 'e', 1}

// MarshalBinary returns the whole state except Last.Reference, in 16 bytes per column and 49 more.
// Learning that continues from this state reaches the same planes, bit for bit, as learning that
// never stopped. MarshalBinary never fails.
//
// A [Perceptron] needs no such method, because its state is W and B.
func (a *Averaged) MarshalBinary() ([]byte, error) {
	u := grow(a.u, len(a.Last.W))
	s := averagedState{Magic: averagedMagic, Bias: a.Last.penalized(), Rate: a.Last.Rate,
		B: a.Last.B, UB: a.uB,
		Rounds: int64(a.rounds), Columns: int64(len(u))}
	state, err := binary.Append(make([]byte, 0, binary.Size(s)+16*len(u)), binary.LittleEndian, s)
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, a.Last.W)
	}
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, u)
	}
	return state, err
}

// UnmarshalBinary sets a to a state of [Averaged.MarshalBinary], without a Reference. If it returns
// an error, which wraps [ErrState], a is unchanged.
func (a *Averaged) UnmarshalBinary(state []byte) error {
	var s averagedState
	n, err := binary.Decode(state, binary.LittleEndian, &s)
	switch {
	case err != nil || s.Magic != averagedMagic:
		return ErrState
	case s.Columns < 0 || s.Columns > math.MaxInt32 ||
		int64(len(state)-n) != 16*s.Columns: // before anything is allocated
		return fmt.Errorf("%w: %d bytes for %d columns", ErrState, len(state), s.Columns)
	}
	b := Averaged{Last: Perceptron{W: make([]float64, s.Columns), B: s.B, Rate: s.Rate},
		u: make([]float64, s.Columns), uB: s.UB, rounds: int(s.Rounds)}
	if s.Bias {
		b.Last.Bias = svmkit.PenalizedBias
	}
	binary.Decode(state[n:], binary.LittleEndian, b.Last.W)
	binary.Decode(state[n+8*len(b.u):], binary.LittleEndian, b.u)
	if err := b.Last.validate(0); err != nil || !allFinite(b.u, b.uB) || b.rounds < 0 {
		return fmt.Errorf("%w: a number that none has", ErrState)
	}
	*a = b
	return nil
}
