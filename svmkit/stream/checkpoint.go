package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"io"

	"github.com/svmkit/course/svmkit"
)

// Errors of [Learner.Resume]. [Learner.Save], too, returns ErrNoCheckpoints.
var (
	ErrNoCheckpoints = errors.New("a learner with NoCheckpoints keeps no checksum of its rows")
	ErrNotCheckpoint = errors.New("not a checkpoint of a stream")
	ErrDamaged       = errors.New("a damaged checkpoint: its checksum is wrong")
)

// OtherLearnerError reports a checkpoint of a learner with another name.
type OtherLearnerError struct {
	Have, Want string // the names of the learners of the checkpoint and of Resume
}

// Error returns the message.
func (e *OtherLearnerError) Error() string {
	return fmt.Sprintf("a checkpoint of another learner: %s, not %s", e.Have, e.Want)
}

// header is the first line of a checkpoint, as JSON. The state of the learner follows it.
type header struct {
	Format     string `json:"svmkit"`
	Learner    string `json:"learner"`
	Rows       int64  `json:"rows"`
	Seen       uint64 `json:"seen"` // checksum of the rows
	Mistakes   int64  `json:"mistakes"`
	Violations int64  `json:"violations"`
	Sum        uint64 `json:"sum"` // checksum of the state
}

const format = "stream checkpoint 1"

// Save writes a checkpoint: the state, the counts, and checksums of the state and of the rows.
//
// Write it to a new file and then rename the file, so that an interrupt cannot leave half a
// checkpoint.
func (l *Learner) Save(w io.Writer) error {
	switch {
	case w == nil:
		return &svmkit.ParamError{Name: "w", Value: nil, Need: "must not be nil"}
	case l.NoCheckpoints:
		return ErrNoCheckpoints
	}
	state, err := l.state.MarshalBinary()
	if err != nil {
		return err
	}
	head, err := json.Marshal(header{Format: format, Learner: l.name, Rows: l.Rows, Seen: l.sum, Mistakes: l.Mistakes,
		Violations: l.Violations, Sum: crc64.Checksum(state, table)})
	if err == nil {
		_, err = w.Write(append(head, '\n'))
	}
	if err == nil {
		_, err = w.Write(state)
	}
	return err
}

// Resume reads a checkpoint, before the first row. [Learner.Learn] must then receive the same rows
// again.
//
// The error is [ErrNotCheckpoint], [ErrDamaged], [ErrNoCheckpoints], an [*OtherLearnerError], or an
// error of the reader or of the learner's UnmarshalBinary. After an error the learner is unchanged.
func (l *Learner) Resume(r io.Reader) error {
	switch {
	case r == nil:
		return &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	case l.NoCheckpoints:
		return ErrNoCheckpoints
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	line, state, _ := bytes.Cut(text, []byte{'\n'})
	var head header
	switch err := json.Unmarshal(line, &head); {
	case err != nil, head.Format != format, head.Rows < 1:
		return ErrNotCheckpoint
	case head.Learner != l.name:
		return &OtherLearnerError{Have: head.Learner, Want: l.name}
	case crc64.Checksum(state, table) != head.Sum:
		return ErrDamaged
	}
	if err := l.state.UnmarshalBinary(state); err != nil {
		return err
	}
	l.Rows, l.Mistakes, l.Violations = head.Rows, head.Mistakes, head.Violations
	l.old, l.sum, l.again, l.other = head.Rows, head.Seen, 0, false
	return nil
}
