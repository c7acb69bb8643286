// Package mutants breaks the library on purpose, one line at a time, and records which claim of a lesson falls.
// lessons/mutants/NN.yaml lists the mutants of lesson NN; lessons/mutants/README.md says how to add one.
package mutants

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/svmkit/course/internal/mutate"
	"github.com/svmkit/course/lessons/internal/course"
)

// Folder holds the tables and the report, below the root of the checkout.
const Folder = "lessons/mutants"

// A Table lists the mutants of one lesson, claim by claim.
type Table struct {
	Lesson *course.Lesson
	File   string // as messages name it
	Claims []Claim
}

// A Claim is one entry under "proves:" in a lesson's header, with what must break it.
type Claim struct {
	Claim   string   `yaml:"claim"` // word for word
	Mutants []Mutant `yaml:"mutants"`
}

// A Mutant is one mistake, made in one function of the library, the figures or the lab.
type Mutant struct {
	Breaks string `yaml:"breaks"` // the mistake in one line
	In     string `yaml:"in"`     // folder that is searched, such as plots or svmkit/svm; "" is svmkit
	Func   string `yaml:"func"`   // see mutate.Mutation
	Old    string `yaml:"old"`
	New    string `yaml:"new"`

	// NoticedBy is how the text of the lab claim begins that has to fall. It may be empty while the lesson
	// has no such claim yet: then the mutant counts as not noticed.
	NoticedBy  string `yaml:"noticed-by"`
	Equivalent string `yaml:"equivalent"` // why no cell can tell the mutant from the original; "" if one has to
	GoTest     bool   `yaml:"go-test"`    // go test runs it, too: one that falls early
}

// changeable are the folders whose code cells import.
var changeable = []string{"svmkit", "plots", "lessons/figures", "lessons/lab"}

func (m *Mutant) folder() string {
	if m.In == "" {
		return changeable[0]
	}
	return m.In
}

// Apply returns the file that the mutant changes, in the checkout at root, and that file's text with the mistake.
func (m *Mutant) Apply(root string) (file string, text []byte, err error) {
	return mutate.Mutation{Func: m.Func, Old: m.Old, New: m.New}.Apply(filepath.Join(root, filepath.FromSlash(m.folder())))
}

// Read returns a lesson's table. A field that is not known is an error; [Table.Check] finds the other faults.
func Read(root string, l *course.Lesson) (*Table, error) {
	t := &Table{Lesson: l, File: Folder + "/" + l.Number + ".yaml"}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(t.File)))
	if err != nil {
		return nil, fmt.Errorf("lesson %s has no table of mutants: %w; see %s/README.md", l.Number, err, Folder)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t.Claims); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	return t, nil
}

// Check returns all faults of the table that show without running anything: a claim of the lesson without a
// mutant, a claim that the lesson does not make, a mutant that fits no place or several, a text that the
// lesson does not have.
func (t *Table) Check(root string) error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(t.File+": "+format, args...))
	}
	cells := &strings.Builder{}
	for _, c := range t.Lesson.Parsed.Cells {
		fmt.Fprintln(cells, c.Source)
	}
	proves := t.Lesson.Parsed.FrontMatter().Proves
	for _, claim := range proves {
		if !slices.ContainsFunc(t.Claims, func(c Claim) bool { return c.Claim == claim && len(c.Mutants) > 0 }) {
			fault("no mutant for %q, which %s claims under proves:", claim, t.Lesson.Slug)
		}
	}
	named := map[string]bool{}
	for _, c := range t.Claims {
		if !slices.Contains(proves, c.Claim) {
			fault("%q does not stand under proves: of %s", c.Claim, t.Lesson.Slug)
		}
		for _, m := range c.Mutants {
			if m.Breaks == "" || named[m.Breaks] {
				fault("%q: breaks: must say, once in this file, what the mistake is", m.Breaks)
			}
			named[m.Breaks] = true
			if !slices.ContainsFunc(changeable, func(dir string) bool { return m.folder() == dir || strings.HasPrefix(m.folder(), dir+"/") }) {
				fault("%s: in: %s is not below %s", m.Breaks, m.In, strings.Join(changeable, ", "))
			} else if _, _, err := m.Apply(root); err != nil {
				fault("%s: %w", m.Breaks, err)
			}
			if m.NoticedBy != "" && !strings.Contains(cells.String(), m.NoticedBy) {
				fault("%s: noticed-by: %q is nowhere in %s", m.Breaks, m.NoticedBy, t.Lesson.Slug)
			}
			if m.Equivalent != "" && m.NoticedBy != "" {
				fault("%s: what is equivalent cannot be noticed: leave noticed-by: or equivalent: out", m.Breaks)
			}
		}
	}
	return errors.Join(faults...)
}
