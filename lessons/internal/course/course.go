// Package course finds the lessons in a checkout and reads the files that describe the course.
//
// [Lessons] reads the lessons. [Lesson.Stale] reports whether a notebook has to be executed again.
// [ReadGuide] reads the path through the lessons, shorter routes, the glossary, the errata of the five
// notes that the course grew out of, and a list of the cells that now hold their content.
package course

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// Module is the path that the go.mod at the course's root declares.
const Module = "github.com/svmkit/course"

// ErrNoRoot is returned by Root outside of a checkout.
var ErrNoRoot = errors.New("this is not a checkout of " + Module + ": no go.mod of it here or above")

// Root returns the folder of the checkout that dir lies in.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		first, _, _ := strings.Cut(string(text), "\n")
		if err == nil && strings.TrimSpace(first) == "module "+Module { // the line may end in \r\n
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", ErrNoRoot
		}
		dir = filepath.Dir(dir)
	}
}

// Lesson is one lesson of the course.
type Lesson struct {
	Number   string // "03"
	Form     int    // in which it is written, as lessons/course.yaml says: 3, or 0 for the older one
	Slug     string // "03-novikoff"
	Source   string // path of the Markdown
	Notebook string // path of the generated notebook
	Parsed   *notebook.Notebook
	Answers  *notebook.Notebook // right and wrong answers to the exercises, for the tests: lessons/answers/03-novikoff.md
}

// Lessons returns the lessons of the checkout at root, in order. Their theorems and figures have numbers.
func Lessons(root string) ([]*Lesson, error) {
	paths, err := filepath.Glob(filepath.Join(root, "lessons", "[0-9][0-9]-*.md"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	forms, err := readForms(root)
	if err != nil {
		return nil, err
	}
	var lessons []*Lesson
	for _, path := range paths {
		slug := strings.TrimSuffix(filepath.Base(path), ".md")
		name := "lessons/" + slug + ".md"
		parsed, err := read(path, name)
		if err != nil {
			return nil, err
		}
		answers, err := read(filepath.Join(root, "lessons", "answers", slug+".md"), "lessons/answers/"+slug+".md")
		if errors.Is(err, fs.ErrNotExist) {
			answers = notebook.New()
		} else if err != nil {
			return nil, err
		}
		if faults := parsed.TagFaults(name); len(faults) > 0 {
			return nil, errors.Join(faults...)
		}
		lessons = append(lessons, &Lesson{Number: slug[:2], Form: forms[slug[:2]], Slug: slug, Source: path,
			Notebook: filepath.Join(root, "notebooks", slug+".ipynb"), Parsed: parsed, Answers: answers})
	}
	if len(lessons) == 0 {
		return nil, fmt.Errorf("no lesson NN-name.md in %s", filepath.Join(root, "lessons"))
	}
	return lessons, number(lessons)
}

// read reads a Markdown file; name stands for its path in errors.
func read(path, name string) (*notebook.Notebook, error) {
	nb, err := notebook.ReadFile(path)
	var parse *notebook.ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return nb, err
}

// Select returns the lessons that the arguments name by number ("3", "03") or by slug; all
// of them if there is no argument.
func Select(lessons []*Lesson, names []string) ([]*Lesson, error) {
	if len(names) == 0 {
		return lessons, nil
	}
	var selected []*Lesson
	for _, name := range names {
		i := slices.IndexFunc(lessons, func(l *Lesson) bool {
			return l.Slug == name || l.Number == name || strings.TrimPrefix(l.Number, "0") == name
		})
		if i < 0 {
			return nil, fmt.Errorf("there is no lesson %q; `go run ./lessons list` shows them", name)
		}
		if !slices.Contains(selected, lessons[i]) {
			selected = append(selected, lessons[i])
		}
	}
	return selected, nil
}

// executedKey is the entry of a notebook's metadata that holds its Fingerprint.
const executedKey = "svmkit"

// sourcesKey is the entry beside executedKey's in notebooks that are no lessons: a hash of the sources.
const sourcesKey = "executed_sources"

// MarkGenerated notes in nb that this program generated it.
func MarkGenerated(nb *notebook.Notebook) {
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	nb.Metadata[executedKey] = map[string]any{sourcesKey: sources(nb)}
}

// Generated reports whether this program generated the notebook at path, and the sources of its cells
// have not changed since.
func Generated(path string) bool {
	nb, err := executed(path)
	if err != nil {
		return false
	}
	mark, _ := nb.Metadata[executedKey].(map[string]any)
	return mark["executed_with"] != nil || mark[sourcesKey] == sources(nb)
}

func sources(nb *notebook.Notebook) string {
	h := sha256.New()
	for _, c := range nb.Cells {
		fmt.Fprintf(h, "%v %q\n", c.Kind, c.Source)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// MarkExecuted notes in nb that it was executed with what the fingerprint stands for.
func MarkExecuted(nb *notebook.Notebook, fingerprint string) {
	nb.Metadata[executedKey] = map[string]any{"executed_with": fingerprint}
}

// Stale reports whether the lesson's notebook is missing, unreadable, or was executed from
// other sources than those of the fingerprint.
func (l *Lesson) Stale(fingerprint string) bool {
	nb, err := l.Executed()
	if err != nil {
		return true
	}
	mark, _ := nb.Metadata[executedKey].(map[string]any)
	return mark["executed_with"] != fingerprint
}

// Executed reads the lesson's notebook.
func (l *Lesson) Executed() (*notebook.Notebook, error) { return executed(l.Notebook) }

func executed(path string) (*notebook.Notebook, error) {
	f, err := notebook.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return notebook.ReadJSON(f)
}

// Present returns the lesson's notebook with its present text. A cell that has not changed since the notebook was executed
// has its outputs.
func (l *Lesson) Present() (*notebook.Notebook, error) {
	old, err := l.Executed()
	if err != nil {
		return nil, err
	}
	nb := l.Parsed.ForReaders()
	keepOutputs(nb, old)
	return nb.ForReaders(), nil // again, because captions in the outputs have the figures' old numbers
}

// Fingerprint returns a hash of all that a lesson's outputs depend on: its source, the library, the figures,
// the lab and the pinned modules. Tests and programs in cmd folders are nothing that a lesson could import.
func (l *Lesson) Fingerprint(root string) (string, error) {
	h := sha256.New()
	add := func(path string) error {
		f, err := notebook.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(h, filepath.Base(path))
		_, err = io.Copy(h, f)
		return err
	}
	for _, path := range []string{l.Source, filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")} {
		if err := add(path); err != nil {
			return "", err
		}
	}
	for _, dir := range []string{"internal", "svmkit", "plots", filepath.Join("lessons", "figures"), filepath.Join("lessons", "lab")} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "cmd"):
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return add(path)
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// keepOutputs gives the cells of nb the outputs that a cell with the same source has in
// old; of several such cells the first takes those of the first, and so on. The mark of what old was
// executed with is kept only if no cell is left without outputs of its own.
func keepOutputs(nb, old *notebook.Notebook) {
	known := map[string][]*notebook.Cell{}
	for i := range old.Cells {
		if c := &old.Cells[i]; c.Kind == notebook.Code {
			known[c.Source] = append(known[c.Source], c)
		}
	}
	complete := true
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if c.Kind != notebook.Code {
			continue
		}
		was := known[c.Source]
		if len(was) == 0 {
			complete = false
			continue
		}
		c.Outputs, c.ExecutionCount = was[0].Outputs, was[0].ExecutionCount
		known[c.Source] = was[1:]
	}
	if mark, ok := old.Metadata[executedKey]; ok && complete {
		nb.Metadata[executedKey] = mark
	}
}

// A Part is a code cell as a part of one program that is made of a lesson.
type Part struct {
	Cell         *notebook.Cell
	Index        int    // of the cell in the notebook
	Declarations string // the cell up to its line %%
	Body         string // the statements after that line; empty if the cell only declares
}

// left are the tags that a program of the lesson leaves out: the reader's own work, and what is not run.
var left = []string{notebook.TagExercise, notebook.TagSolution, notebook.TagHint}

// Parts returns the code cells without exercises, solutions and hints: they declare a lesson's names once.
func Parts(lesson *notebook.Notebook) (parts []Part) {
	for i := range lesson.Cells {
		c := &lesson.Cells[i]
		if c.Kind != notebook.Code || slices.ContainsFunc(c.Tags, func(tag string) bool { return slices.Contains(left, tag) }) {
			continue
		}
		declared, runs := cells.Split(c.Source)
		parts = append(parts, Part{c, i, declared, runs})
	}
	return parts
}
