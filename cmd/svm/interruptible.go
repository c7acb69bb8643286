package main

import (
	"context"
	"io"
	"os"
)

// shown is the name of a data file for messages.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// open opens a data file, or the standard input if name is "-", to be read until the context
// ends. It returns the name for messages.
func (a *app) open(name string) (*interruptible, string, error) {
	if name == "-" {
		return newInterruptible(a.ctx, a.stdin, nil), shown(name), nil
	}
	in, err := a.openFile(name)
	return in, name, err
}

// openFile opens a file, to be read until the context ends.
func (a *app) openFile(name string) (*interruptible, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() { // a pipe blocks until it is opened for writing
		file, err := os.Open(name)
		done <- opened{file, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return newInterruptible(a.ctx, o.file, o.file), nil
	case <-a.ctx.Done():
		return nil, a.ctx.Err()
	}
}

// interruptible is a reader whose Read ends with its context, even where the reader underneath
// waits for a terminal or a pipe, which cannot be interrupted: a goroutine waits in its place.
type interruptible struct {
	ctx    context.Context
	file   io.Closer   // or nil
	full   chan block  // what was read,
	empty  chan []byte // and what to read into
	buffer []byte      // that rest lies in
	rest   []byte
	err    error
}

type block struct {
	buffer []byte
	n      int
	err    error
}

const blockSize = 64 << 10

func newInterruptible(ctx context.Context, r io.Reader, file io.Closer) *interruptible {
	in := &interruptible{ctx: ctx, file: file, full: make(chan block, 2), empty: make(chan []byte, 2)}
	in.empty <- make([]byte, blockSize)
	in.empty <- make([]byte, blockSize)
	go func() {
		for buffer := range in.empty {
			n, err := r.Read(buffer)
			in.full <- block{buffer, n, err} // there are two buffers, so there is room
			if err != nil {
				return
			}
		}
	}()
	return in
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if r.buffer != nil {
			r.empty <- r.buffer
		}
		select {
		case <-r.ctx.Done():
			r.buffer = nil
			return 0, r.ctx.Err()
		case b := <-r.full:
			r.buffer, r.rest, r.err = b.buffer, b.buffer[:b.n], b.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if n == 0 {
		return 0, r.err
	}
	return n, nil
}

// Close ends the goroutine, unless it waits for input that never comes, and closes the file.
func (r *interruptible) Close() error {
	close(r.empty)
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
