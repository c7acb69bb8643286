package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/program"
	"github.com/svmkit/course/lessons/internal/site"
)

// serve runs the lessons that have changed, and serves the pages.
func (a *app) serve(ctx context.Context, _ []string) error {
	listener, err := a.listen() // first, so that a busy port is known before the work
	if err != nil {
		return err
	}
	defer listener.Close()
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	var jobs []job
	for _, l := range lessons {
		fingerprint, err := l.Fingerprint(a.root)
		if err != nil {
			return err
		}
		if l.Stale(fingerprint) {
			j, err := a.lessonJob(l)
			if err != nil {
				return err
			}
			jobs = append(jobs, j)
		}
	}
	if err := a.execute(ctx, jobs); err != nil {
		return err
	}
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return err
	}
	defer remove()
	if err := a.pages(ctx, lessons, dir); err != nil {
		return err
	}
	if err := program.WriteManifest(dir, program.State{Building: true}); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "The lessons are at http://%s/ on this machine. Ctrl-C ends it.\n", listener.Addr())
	fmt.Fprintln(a.out, "Figures to move show stored pictures until the program for them is built …")
	ctx, stop := context.WithCancel(ctx)
	built := make(chan struct{})
	go func() {
		defer close(built)
		a.publish(ctx, lessons, dir)
	}()
	defer func() { stop(); <-built }()
	return serve(ctx, listener, site.Server(dir))
}

// publish builds the program of the live figures into a site. Without it the pages keep their stored
// pictures, so a failure is only told.
func (a *app) publish(ctx context.Context, lessons []*course.Lesson, dir string) {
	s, err := program.Publish(ctx, a.root, lessons, dir)
	switch {
	case err == nil:
		fmt.Fprintf(a.out, "Figures to move are live: the program is built, %.1f MB, %.1f compressed.\n", float64(s.Bytes)/1e6, float64(s.Gzip)/1e6)
	case ctx.Err() == nil:
		fmt.Fprintf(a.err, "Figures to move keep their stored pictures: %s\n", printable.Text(err.Error(), true))
		fallthrough
	default:
		if err := program.WriteManifest(dir, program.State{}); err != nil && ctx.Err() == nil {
			fmt.Fprintf(a.err, "lessons: %s\n", printable.Text(err.Error(), true))
		}
	}
}

// publishCells builds into a site what runs cells in its pages, and says how large it is.
func (a *app) publishCells(ctx context.Context, dir string) error {
	fmt.Fprintln(a.out, "Building the compiler, the linker and the packages for cells in the pages (the first time takes minutes) …")
	began := time.Now()
	s, err := program.PublishCells(ctx, a.root, dir)
	if err != nil {
		return err
	}
	for _, size := range s.Sizes {
		fmt.Fprintf(a.out, "  %-9s %6.1f MB, %5.1f compressed\n", size.Name, float64(size.Raw)/1e6, float64(size.Gzip)/1e6)
	}
	fmt.Fprintf(a.out, "Cells run in the pages by %s: %.1f MB to load, built in %v.\n", s.Go, float64(s.Gzip)/1e6, time.Since(began).Round(time.Second))
	return nil
}

// build writes notebooks that are missing or whose text has changed, without outputs for
// the cells that changed, and all pages.
func (a *app) build(ctx context.Context, _ []string) error {
	lessons, err := course.Lessons(a.root)
	if err != nil {
		return err
	}
	if !a.withoutSolutions() {
		if err := writeNotebooks(lessons); err != nil {
			return err
		}
	}
	dir := filepath.Join(a.root, "site")
	if a.output != "" {
		dir = a.output
	}
	if err := a.pages(ctx, lessons, dir); err != nil {
		return err
	}
	a.publish(ctx, lessons, dir)
	if err := ctx.Err(); err != nil {
		return err
	}
	if a.runHere {
		if err := a.publishCells(ctx, dir); err != nil {
			return err
		}
	}
	a.warnOfStale(lessons)
	if a.withoutSolutions() {
		fmt.Fprintf(a.out, "%s is written without solutions; the notebooks are in %s\n", filepath.Join(dir, "index.html"), filepath.Join(dir, "downloads"))
	} else {
		fmt.Fprintf(a.out, "notebooks/ and %s are written\n", filepath.Join(dir, "index.html"))
	}
	return nil
}

// warnOfStale names the lessons that have changed since they ran. Their pages have the new text, and the outputs of the cells
// that have not changed. It does not name a lesson whose state cannot be found out.
func (a *app) warnOfStale(lessons []*course.Lesson) {
	var numbers []string
	for _, l := range lessons {
		if fingerprint, err := l.Fingerprint(a.root); err == nil && l.Stale(fingerprint) {
			numbers = append(numbers, strings.TrimLeft(l.Number, "0"))
		}
	}
	if len(numbers) > 0 {
		fmt.Fprintf(a.err, "Changed since they ran: lesson %s. The pages have the new text, and outputs may be old or missing; `go run ./lessons run %s` runs them.\n",
			strings.Join(numbers, ", "), strings.Join(numbers, " "))
	}
}

// writeNotebooks writes the notebooks with their present text, and with the outputs of the cells that have not changed.
func writeNotebooks(lessons []*course.Lesson) error {
	for _, l := range lessons {
		nb, err := l.Present()
		if err != nil { // no notebook that can be read: it is written without outputs
			nb = l.Parsed.ForReaders()
		}
		if sameFile(l.Notebook, l.Source) {
			return fmt.Errorf("%s is a link to the lesson itself: remove it", l.Notebook)
		}
		if err := notebook.WriteFile(l.Notebook, nb); err != nil {
			return err
		}
	}
	return nil
}

// pages turns the executed notebooks into pages in dir.
func (a *app) pages(ctx context.Context, lessons []*course.Lesson, dir string) error {
	guide, sources, err := a.sources(lessons)
	if err != nil {
		return err
	}
	return site.Build(ctx, a.address, guide, sources, dir)
}

// sources reads the guide and the executed notebooks.
func (a *app) sources(lessons []*course.Lesson) (*course.Guide, []site.Source, error) {
	guide, err := course.ReadGuide(a.root)
	if err != nil {
		return nil, nil, err
	}
	var sources []site.Source
	for _, l := range lessons {
		number, err := strconv.Atoi(l.Number)
		if err != nil {
			return nil, nil, err
		}
		nb, err := l.Present()
		if err != nil {
			return nil, nil, err
		}
		markdown, err := os.ReadFile(l.Source)
		if err != nil {
			return nil, nil, err
		}
		if a.withoutSolutions() {
			nb, markdown = nb.WithoutSolutions(), l.Parsed.WithoutSolutions().Markdown()
		}
		sources = append(sources, site.Source{Number: number, Slug: l.Slug, Notebook: nb, Markdown: markdown, Run: a.runHere, Handout: a.withoutSolutions()})
	}
	return guide, sources, nil
}

// listen opens the port on the loopback interface only. The default port gives way to any
// free one; a port that was asked for does not.
func (a *app) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(a.port)))
	if errors.Is(err, syscall.EADDRINUSE) && !a.portSet {
		fmt.Fprintf(a.err, "Port %d is in use; taking a free one.\n", a.port)
		return net.Listen("tcp", "127.0.0.1:0")
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is in use by another program; -port 0 takes any free one", a.port)
	}
	return listener, err
}

// serve answers requests until ctx ends.
func serve(ctx context.Context, listener net.Listener, server *http.Server) error {
	ended := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	})
	defer ended()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
