package main

import (
	"context"
	"io"
)

// await runs what does not listen to the context, and returns the context's error once that has ended. The process then
// ends soon, and f with it.
func await(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// output writes to a file whose Write may wait for a reader, until the context ends. What is written after the end, the
// report of a fit that was interrupted, is written as it is.
type output struct {
	ctx  context.Context
	file io.Writer
}

func (o *output) Write(text []byte) (n int, err error) {
	if o.ctx.Err() != nil {
		return o.file.Write(text)
	}
	type written struct {
		n   int
		err error
	}
	done := make(chan written, 1)
	go func() {
		n, err := o.file.Write(text)
		done <- written{n, err}
	}()
	select {
	case w := <-done:
		return w.n, w.err
	case <-o.ctx.Done():
		return 0, o.ctx.Err()
	}
}

// until is a writer that fails when the context has ended.
type until struct {
	ctx context.Context
	w   io.Writer
}

func (u until) Write(text []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(text)
}
