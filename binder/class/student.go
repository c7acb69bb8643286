package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/svmkit/course/binder/internal/jupyter"
)

// Where lesson 1 is on a student's server.
const notebookFile = "work/01-hyperplane.ipynb"

// limits of single steps, for a machine that is full.
const (
	cellLimit  = 3 * time.Minute
	startLimit = 10 * time.Minute
)

// student is one who has logged in and opened lesson 1.
type student struct {
	name   string
	hub    *hub
	api    jupyter.Server // the hub's
	server jupyter.Server
	kernel *jupyter.Kernel
	ready  time.Duration // from the login until the kernel has answered
}

// arrive logs in, starts the server and opens the lesson.
func (h *hub) arrive(ctx context.Context, name string) (s *student, err error) {
	began := time.Now()
	s = &student{name: name, hub: h}
	starting, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if s.api, err = h.login(starting, name); err != nil {
		return s, err
	}
	if s.server, err = h.spawn(starting, s.api, name); err != nil {
		return s, fmt.Errorf("starting the server: %w", err)
	}
	if _, err := s.read(starting); err != nil {
		return s, fmt.Errorf("the lesson is not there: %w", err)
	}
	s.kernel, err = s.server.OpenNotebook(ctx, notebookFile)
	s.ready = time.Since(began)
	return s, err
}

// leave stops the server, when the hub is there.
func (s *student) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		err := s.api.Call(ctx, http.MethodDelete, "/users/"+s.name+"/server", nil, nil)
		if err == nil || sleep(ctx, time.Second) != nil {
			return err
		}
	}
}

func (s *student) use() use {
	return measure(processes("CLASS_FOLDER="+s.hub.folder, "JUPYTERHUB_USER="+s.name))
}

// run executes a cell and returns what it put out.
func (s *student) run(ctx context.Context, code string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, cellLimit)
	defer cancel()
	out, err := s.kernel.Execute(limited, code)
	if errors.Is(err, jupyter.ErrLost) { // a browser connects again, and the student runs the cell again
		s.hub.lost.Add(1)
		if err = s.kernel.Connect(ctx); err == nil {
			out, err = s.kernel.Execute(limited, code)
		}
	}
	return jupyter.Words(out), err
}

// expect executes a cell whose output must hold a text.
func (s *student) expect(ctx context.Context, code, want string) error {
	got, err := s.run(ctx, code)
	if err == nil && !strings.Contains(got, want) {
		err = fmt.Errorf("the cell\n%s\nput out\n%s\nwithout %q", code, got, want)
	}
	return err
}

// file is a notebook as the server's contents API has it.
type file struct {
	Type    string         `json:"type"`
	Format  string         `json:"format"`
	Content map[string]any `json:"content"`
}

func (s *student) read(ctx context.Context) (file, error) {
	var f file
	err := s.server.Call(ctx, http.MethodGet, "/api/contents/"+notebookFile, nil, &f)
	return f, err
}

// write saves the notebook with a note in its metadata, as JupyterLab saves one after a change.
func (s *student) write(ctx context.Context, note string) error {
	f, err := s.read(ctx)
	if err != nil {
		return err
	}
	f.Content["metadata"].(map[string]any)["note"] = note
	return s.server.Call(ctx, http.MethodPut, "/api/contents/"+notebookFile, f, nil)
}

// holds returns an error if the notebook is not whole or has not this note.
func (s *student) holds(ctx context.Context, note string) error {
	f, err := s.read(ctx)
	if err != nil {
		return err
	}
	cells, _ := f.Content["cells"].([]any)
	if got := f.Content["metadata"].(map[string]any)["note"]; got != note || len(cells) == 0 {
		return fmt.Errorf("the notebook has %d cells and the note %v, not %q", len(cells), got, note)
	}
	return nil
}

// The failures. Each ends with a kernel that runs cells again and a notebook that is as it was saved.

const saved = "saved before the failure"

func (s *student) recovered(ctx context.Context) error {
	return errors.Join(s.expect(ctx, "%%\nfmt.Println(6 * 7)", "42"), s.holds(ctx, saved))
}

// dies kills the kernel.
func (s *student) dies(ctx context.Context) error {
	if err := s.write(ctx, saved); err != nil {
		return err
	}
	lost, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := s.run(lost, "%%\nsyscall.Kill(os.Getppid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)"); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("a kernel that was killed answers: %v", err)
	}
	return s.recovered(ctx)
}

// loops runs a cell without an end until its limit of processor time.
func (s *student) loops(ctx context.Context) error {
	if err := s.write(ctx, saved); err != nil {
		return err
	}
	if err := s.expect(ctx, "%%\nfor {\n}", "killed"); err != nil {
		return err
	}
	return s.recovered(ctx)
}

// fills writes until the disk is full, makes place, and goes on.
func (s *student) fills(ctx context.Context) error {
	err := errors.Join(s.write(ctx, saved), s.expect(ctx,
		"%%\nf := lab.Must(os.Create(\"full\"))\nb := make([]byte, 1<<16)\nfor {\n\tif _, err := f.Write(b); err != nil {\n\t\tfmt.Println(err)\n\t\treturn\n\t}\n}",
		"no space left on device"))
	if err != nil {
		return err
	}
	if err := s.write(ctx, "on a full disk"); err == nil {
		return errors.New("a notebook is saved on a full disk")
	}
	if err := s.holds(ctx, saved); err != nil {
		return fmt.Errorf("after saving on a full disk: %w", err)
	}
	if err := s.server.Call(ctx, http.MethodDelete, "/api/contents/"+path.Dir(notebookFile)+"/full", nil, nil); err != nil {
		return err
	}
	if err := s.write(ctx, "saved again"); err != nil {
		return err
	}
	return errors.Join(s.holds(ctx, "saved again"), s.expect(ctx, "%%\nfmt.Println(6 * 7)", "42"))
}
