package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/svmkit/course/svmkit"
)

// Every engine works in a child process of its own: its memory is its own, a run that takes too
// long can be killed, and LIBLINEAR, LIBSVM and Python cannot disturb each other. Parent and child
// exchange lines of JSON, followed by little-endian float64; a set goes once, through a file.

// A request is one line from the parent.
type request struct {
	Op     string  `json:"op"`   // "load", "train", "predict", "path" or "read"
	File   string  `json:"file"` // load: a set; predict: β and b; read: LIBSVM text
	Task   task    `json:"task"`
	Solver string  `json:"solver"`
	Knob   float64 `json:"knob"`   // the setting that the parent sweeps: a tolerance, or a number of epochs
	Limit  float64 `json:"limit"`  // seconds
	Rows   int     `json:"rows"`   // predict: how many, from the first
	Single bool    `json:"single"` // predict: one at a time
}

// A reply is one line from the child; so many numbers follow.
type reply struct {
	Error   string  `json:"error,omitempty"`
	Note    string  `json:"note,omitempty"` // "its own limit of iterations"
	Version string  `json:"version,omitempty"`
	Seconds float64 `json:"seconds"` // by the clock, of training alone
	CPU     float64 `json:"cpu"`     // of all threads
	PeakMB  float64 `json:"peak"`    // of the process while it trained, the set included
	BaseMB  float64 `json:"base"`    // of the process before
	Epochs  int     `json:"epochs,omitempty"`
	Solver  string  `json:"solver,omitempty"`
	Beta    int     `json:"beta"`   // so many β follow, then
	W       int     `json:"w"`      // so many weights, then the bias, then
	Scores  int     `json:"scores"` // so many scores
}

func writeFloats(w io.Writer, v []float64) error {
	return binary.Write(w, binary.LittleEndian, v)
}

func readFloats(r io.Reader, n int) ([]float64, error) {
	if n == 0 {
		return nil, nil
	}
	v := make([]float64, n)
	return v, binary.Read(r, binary.LittleEndian, v)
}

// setHeader is the first line of a set's file; Y, the row pointers, the columns (not if dense) and
// the values follow.
type setHeader struct {
	N     int  `json:"n"`
	Dim   int  `json:"dim"`
	NNZ   int  `json:"nnz"`
	Dense bool `json:"dense"`
}

func writeSet(file string, set *svmkit.Dataset) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	h := setHeader{N: set.Len(), Dim: set.Dim, NNZ: set.NNZ(), Dense: true}
	for _, x := range set.X {
		h.Dense = h.Dense && x.Index == nil
	}
	if err := json.NewEncoder(w).Encode(h); err != nil {
		return err
	}
	pointers := make([]int64, 1, h.N+1)
	for _, x := range set.X {
		pointers = append(pointers, pointers[len(pointers)-1]+int64(len(x.Value)))
	}
	parts := []any{set.Y, pointers}
	if !h.Dense {
		for _, x := range set.X {
			index := x.Index
			if index == nil { // a dense row among sparse ones
				index = make([]int32, len(x.Value))
				for j := range index {
					index[j] = int32(j)
				}
			}
			parts = append(parts, index)
		}
	}
	for _, x := range set.X {
		parts = append(parts, x.Value)
	}
	for _, p := range parts {
		if err := binary.Write(w, binary.LittleEndian, p); err != nil {
			return err
		}
	}
	return w.Flush()
}

func readSet(file string) (*svmkit.Dataset, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var h setHeader
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	set := &svmkit.Dataset{X: make([]svmkit.Row, h.N), Y: make([]float64, h.N), Dim: h.Dim}
	pointers, value := make([]int64, h.N+1), make([]float64, h.NNZ)
	var index []int32
	parts := []any{set.Y, pointers, value}
	if !h.Dense {
		index = make([]int32, h.NNZ)
		parts = []any{set.Y, pointers, index, value}
	}
	for _, p := range parts {
		if err := binary.Read(r, binary.LittleEndian, p); err != nil {
			return nil, err
		}
	}
	for i := range set.X {
		from, to := pointers[i], pointers[i+1]
		set.X[i].Value = value[from:to:to]
		if !h.Dense {
			set.X[i].Index = index[from:to:to]
		}
	}
	return set, nil
}
