package cli

import (
	"context"
	"io"
	"os"
)

// Await runs a function that cannot be interrupted, and returns the context's error if the context
// ends first. The process then ends soon, and the function with it.
func Await(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Writer is a writer that fails when its context ends, also while the file waits for a reader.
type Writer struct {
	Context context.Context
	W       io.Writer
	After   bool // write also what comes after the end, such as the report of an interrupted fit
}

func (w Writer) Write(text []byte) (int, error) {
	err := w.Context.Err()
	if err != nil && !w.After {
		return 0, err
	}
	if _, file := w.W.(*os.File); !file || err != nil {
		return w.W.Write(text)
	}
	err = Await(w.Context, func() error {
		_, err := w.W.Write(text)
		return err
	})
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

// Open opens a file, or stdin if name is "-". Reading ends with the context.
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return interruptible(ctx, stdin), nil
	}
	var file *os.File
	if err := Await(ctx, func() (err error) { // a pipe waits for its writer
		file, err = os.Open(name)
		return err
	}); err != nil {
		return nil, err
	}
	if about, err := file.Stat(); err == nil && about.Mode().IsRegular() {
		return file, nil
	}
	return interruptible(ctx, file), nil
}

// interruptible returns a reader of r whose Read ends with the context, even if r waits for a
// terminal or a pipe: a goroutine waits in its place.
func interruptible(ctx context.Context, r io.Reader) io.ReadCloser {
	in, out := io.Pipe()
	go func() {
		_, err := io.Copy(out, r)
		out.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
	return in
}
