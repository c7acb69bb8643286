package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/svmkit/course/lessons/internal/book"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
)

// book writes one EPUB of all lessons, as they were executed last.
func (a *app) book(ctx context.Context, _ []string) error {
	to := a.output
	if to == "" {
		to = filepath.Join(a.root, "site", "course.epub")
	}
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	guide, sources, err := a.sources(lessons)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: `go run ./lessons run` executes the lessons and writes their notebooks", err)
	}
	if err != nil {
		return err
	}
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return err
	}
	defer remove()
	if err := book.Make(ctx, guide, sources, dir, to); err != nil {
		return err
	}
	n, err := book.Check(to)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s is written: %d lessons, %d figures, %d formulas\n", to, len(lessons), n.Figures, n.Formulas)
	return nil
}
