package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"

	"github.com/svmkit/course/internal/cli"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/svmkit"
)

// streamCheckpoint is the first line of a checkpoint, as JSON; the learner's state follows it. The
// file is the old one or the new one, whenever the process ends.
type streamCheckpoint struct {
	Format     string `json:"svmkit"`
	Learner    string `json:"learner"` // with its flags
	Rows       int64  `json:"rows"`    // learned from
	Seen       uint64 `json:"seen"`    // their checksum
	Mistakes   int64  `json:"mistakes"`
	Violations int64  `json:"violations"`
	Sum        uint64 `json:"sum"` // checksum of the state
}

const checkpointFormat = "stream checkpoint 1"

var crcTable = crc64.MakeTable(crc64.ECMA)

// checksum goes on with a checksum of rows.
func checksum(sum uint64, x svmkit.Row, y float64) uint64 {
	text := make([]byte, 0, 512) // stays on the stack for most rows
	text = binary.LittleEndian.AppendUint64(text, math.Float64bits(y))
	for k, v := range x.Value {
		if x.Index != nil {
			text = binary.LittleEndian.AppendUint32(text, uint32(x.Index[k]))
		}
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	return crc64.Update(sum, crcTable, append(text, '\n'))
}

// save writes a checkpoint of the learner after the given rows.
func (l *streamLearner) save(name string, rows int64, seen uint64) error {
	state, err := l.state().MarshalBinary()
	if err != nil {
		return err
	}
	head, err := json.Marshal(streamCheckpoint{Format: checkpointFormat, Learner: l.String(), Rows: rows, Seen: seen,
		Mistakes: l.Mistakes, Violations: l.Violations, Sum: crc64.Checksum(state, crcTable)})
	if err != nil {
		return err
	}
	return atomicfile.Write(name, func(w io.Writer) error {
		if _, err := w.Write(append(head, '\n')); err != nil {
			return err
		}
		_, err := w.Write(state)
		return err
	})
}

// load reads a checkpoint and gives its state to the learner, which must be of the same kind
// with the same flags.
func (c *streamCheckpoint) load(name string, l *streamLearner) error {
	text, err := cli.ReadState(name)
	if err != nil {
		return err
	}
	head, state, _ := bytes.Cut(text, []byte{'\n'})
	if err := json.Unmarshal(head, c); err != nil || c.Format != checkpointFormat || c.Rows < 1 {
		return fmt.Errorf("%s is no checkpoint of svm stream", name)
	}
	if c.Learner != l.String() {
		return fmt.Errorf("%s is of another learner: %s, not %s", name, c.Learner, l)
	}
	if crc64.Checksum(state, crcTable) != c.Sum {
		return fmt.Errorf("%s: %w", name, errDamaged)
	}
	if err := l.state().UnmarshalBinary(state); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	l.Mistakes, l.Violations = c.Mistakes, c.Violations
	return nil
}

var errDamaged = errors.New("a damaged checkpoint: its checksum is wrong")
