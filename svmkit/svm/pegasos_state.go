package svm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/pegasos"
)

// ErrState is the cause of an error of [PegasosStream.UnmarshalBinary].
var ErrState = errors.New("not the saved state of a Pegasos stream")

// pegasosState is the state of a [PegasosStream] without its two vectors of Columns numbers, which
// follow it.
type pegasosState struct {
	Magic          [8]byte
	Lambda         float64
	Bias, Last     bool
	Steps, Columns int64
	Sum, B, SinceB float64
}

// The last byte of pegasosMagic is the version.
var pegasosMagic = [8]byte{'p', 'e', 'g', 'a', 's', 'o', 's', 1}

// MarshalBinary returns the whole state with the parameters, in 16 bytes per column and 58 more.
//
// A stream that continues from this state gives bit-identical results to a stream that never
// stopped. MarshalBinary never fails.
func (p *PegasosStream) MarshalBinary() ([]byte, error) {
	s := pegasosState{Magic: pegasosMagic, Lambda: p.Lambda, Bias: p.penalized(), Last: p.Last,
		Steps:   int64(p.point.T),
		Columns: int64(len(p.point.V)), Sum: p.point.Sum, B: p.point.B, SinceB: p.sinceB}
	state, err := binary.Append(make([]byte, 0, binary.Size(s)+16*len(p.point.V)),
		binary.LittleEndian, s)
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, p.point.V)
	}
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, p.since)
	}
	return state, err
}

// UnmarshalBinary sets p to a state that [PegasosStream.MarshalBinary] returned. If it returns an
// error, which wraps [ErrState], p is unchanged.
func (p *PegasosStream) UnmarshalBinary(state []byte) error {
	var s pegasosState
	n, err := binary.Decode(state, binary.LittleEndian, &s)
	switch {
	case err != nil:
		return fmt.Errorf("%w: it is cut off", ErrState)
	case [7]byte(s.Magic[:7]) != [7]byte(pegasosMagic[:7]):
		return ErrState
	case s.Magic != pegasosMagic:
		return fmt.Errorf("%w: it is of another version", ErrState)
	case s.Columns < 0 || s.Columns > math.MaxInt32 ||
		int64(len(state)-n) != 16*s.Columns: // before anything is allocated
		return fmt.Errorf("%w: %d bytes are no state of %d columns", ErrState, len(state),
			s.Columns)
	}
	q := PegasosStream{Lambda: s.Lambda, Last: s.Last, since: make([]float64, s.Columns),
		sinceB: s.SinceB}
	if s.Bias {
		q.Bias = svmkit.PenalizedBias
	}
	q.point = pegasos.NewPoint(s.Lambda, int(s.Columns), s.Bias)
	q.point.T, q.point.Sum, q.point.B = int(s.Steps), s.Sum, s.B
	binary.Decode(state[n:], binary.LittleEndian, q.point.V)
	binary.Decode(state[n+8*len(q.since):], binary.LittleEndian, q.since)
	sound := s.Lambda > 0 && s.Steps >= 0 && s.Steps <= math.MaxInt && s.Sum >= 0
	for _, list := range [][]float64{{s.Lambda, s.Sum, s.B, s.SinceB}, q.point.V, q.since} {
		for _, v := range list {
			sound = sound && pegasosFinite(v)
		}
	}
	if !sound {
		return fmt.Errorf("%w: a number that no Pegasos stream has", ErrState)
	}
	*p = q
	return nil
}
