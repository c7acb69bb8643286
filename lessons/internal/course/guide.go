package course

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Guide is what the course says about itself beside its lessons: the path through them, what is wrong in the
// five notes that it grew out of, and where each thing in the notes stands now.
type Guide struct {
	Path   []PathEntry // lessons/course.yaml: all lessons in order, written or not
	Errata []Erratum   // lessons/errata.yaml, by number
	Notes  []Note      // lessons/notes.yaml, A to E
	Routes []Route     // lessons/paths.yaml: shorter ways

	Glossary []Entry // lessons/glossary.yaml: terms and symbols
}

// Entry is a row of the glossary: a term, or a symbol of the notation.
type Entry struct {
	Term    string
	As      string // the words that the lesson emphasises where it defines the term; empty: the term itself
	Symbol  string // TeX; the entry has no term then
	Lesson  int    // number
	Section string // of a symbol: the heading below which it is introduced
	Means   string // one sentence or less
}

// Words are what the lesson emphasises where it defines the term.
func (e Entry) Words() string { return cmp.Or(e.As, e.Term) }

// Route is a way through the course for those who have less time than all of it takes.
type Route struct {
	Name  string // of a–z, for links
	Title string // how long it is
	About string // for whom, and what is left out: one sentence
	Parts []RoutePart
}

// RoutePart is a lesson, or some sections of it, on a route.
type RoutePart struct {
	When     string   // day or week; may be empty
	Lesson   int      // number
	Minutes  int      // of the sections; 0 for a whole lesson
	Sections []string // headings of the lesson, in order; none for a whole lesson
}

// PathEntry is one lesson of the path through the course.
type PathEntry struct {
	Number int
	Title  string
	Why    string // it stands here: one sentence
	Topic  string // of a lesson that is not written: what it will teach
	Needs  []int  // numbers of earlier lessons, in order
	Form   int    // 3 for lessons in the third form, as lessons/README.md describes it; else 0
}

// Erratum is one slip of the notes. The cells that show what is true carry its Tag.
type Erratum struct {
	Number  int
	At      string // note and section
	Says    string // what is printed there
	Holds   string // what is true
	Lessons []int  // that show it
}

// Tag is what the cells of the erratum carry.
func (e Erratum) Tag() string { return fmt.Sprintf("erratum-%d", e.Number) }

// Note is one of the five notes, as a list of all that it holds.
type Note struct {
	Name  string `yaml:"note"` // A to E
	About string
	Holds map[Kind]int // how many items of each kind
	Items []Item
}

// Item is a definition, a theorem, … of a note.
type Item struct {
	Kind   Kind
	At     string // section, and in parentheses the note's own numbers of formulas
	What   string
	Lesson int
	Cells  []string // names of cells in that lesson; none as long as it is not written
	Shows  string   // a phrase or a formula that stands in one of these cells, or in its section

	ID string `yaml:"-"` // A1, A2, …
}

// Kind is what an item of a note is.
type Kind string

// Kinds are all kinds of items.
var Kinds = []Kind{"definition", "theorem", "proof", "algorithm", "figure", "exercise", "remark", "example"}

// Faults in a file of the guide. Errors that wrap them begin with the file, and the line where it is known.
var (
	ErrGuideSyntax = errors.New("not the YAML that belongs here")
	ErrGuideOrder  = errors.New("numbers must count from 1, and names from A")
	ErrGuideEmpty  = errors.New("something is left empty")
	ErrGuideLesson = errors.New("no such lesson on the path, or not an earlier one")
	ErrGuideKind   = errors.New("no such kind of item")
	ErrGuideCount  = errors.New("the items are not as many as the note holds")
)

// ReadGuide reads the five files of the checkout at root. The error wraps all faults that are found.
// Whether the guide says what the lessons say is for the tests.
func ReadGuide(root string) (*Guide, error) {
	g := &Guide{}
	f := &guideReader{root: root}
	var err error
	if g.Path, err = f.path(); err != nil {
		return nil, err
	}
	for i, s := range g.Path {
		f.require(i, s.Number == i+1, ErrGuideOrder, "number %d after %d", s.Number, i)
		f.require(i, s.Title != "" && s.Why != "", ErrGuideEmpty, "lesson %d needs a title and a reason", i+1)
		f.require(i, ascending(s.Needs, 1, i), ErrGuideLesson, "lesson %d needs %v", i+1, s.Needs)
	}

	var errata struct{ Errata []Erratum }
	if err := f.read("errata.yaml", "errata", &errata); err != nil {
		return nil, err
	}
	g.Errata = errata.Errata
	for i, e := range g.Errata {
		f.require(i, e.Number == i+1, ErrGuideOrder, "number %d after %d", e.Number, i)
		f.require(i, e.At != "" && e.Says != "" && e.Holds != "", ErrGuideEmpty, "erratum %d", i+1)
		f.require(i, len(e.Lessons) > 0 && ascending(e.Lessons, 1, len(g.Path)), ErrGuideLesson, "erratum %d: %v", i+1, e.Lessons)
	}

	var notes struct{ Notes []Note }
	if err := f.read("notes.yaml", "notes", &notes); err != nil {
		return nil, err
	}
	g.Notes = notes.Notes
	for i := range g.Notes {
		n := &g.Notes[i]
		f.require(i, n.Name == string(rune('A'+i)), ErrGuideOrder, "note %q", n.Name)
		f.require(i, n.About != "", ErrGuideEmpty, "note %s: about", n.Name)
		count := map[Kind]int{}
		for k := range n.Items {
			it := &n.Items[k]
			it.ID = fmt.Sprintf("%s%d", n.Name, k+1)
			count[it.Kind]++
			f.require(i, slices.Contains(Kinds, it.Kind), ErrGuideKind, "%s: %q", it.ID, it.Kind)
			f.require(i, it.At != "" && it.What != "", ErrGuideEmpty, "%s", it.ID)
			f.require(i, it.Lesson >= 1 && it.Lesson <= len(g.Path), ErrGuideLesson, "%s: %d", it.ID, it.Lesson)
		}
		f.require(i, maps.Equal(count, n.Holds), ErrGuideCount, "note %s lists %v and says that it holds %v", n.Name, count, n.Holds)
	}

	var routes struct{ Paths []Route }
	if err := f.read("paths.yaml", "paths", &routes); err != nil {
		return nil, err
	}
	g.Routes = routes.Paths
	for i, r := range g.Routes {
		f.require(i, routeName.MatchString(r.Name) && !slices.ContainsFunc(g.Routes[:i], func(other Route) bool { return other.Name == r.Name }),
			ErrGuideOrder, "name %q: letters a to z, used once", r.Name)
		f.require(i, r.Title != "" && r.About != "" && len(r.Parts) > 0, ErrGuideEmpty, "path %s needs a title, a sentence and parts", r.Name)
		g.requireForward(f, i)
	}

	var glossary struct{ Glossary []Entry }
	if err := f.read("glossary.yaml", "glossary", &glossary); err != nil {
		return nil, err
	}
	g.Glossary = glossary.Glossary
	for i, e := range g.Glossary {
		f.require(i, (e.Term == "") != (e.Symbol == "") && e.Means != "" && (e.Symbol == "") == (e.Section == ""), ErrGuideEmpty,
			"%q: a term or a symbol with its section, and what it means", e.Term+e.Symbol)
		f.require(i, e.Lesson >= 1 && e.Lesson <= len(g.Path), ErrGuideLesson, "%s: %d", e.Term+e.Symbol, e.Lesson)
		f.require(i, !slices.ContainsFunc(g.Glossary[:i], func(o Entry) bool { return o.Term == e.Term && o.Symbol == e.Symbol }), ErrGuideOrder, "%s stands here twice", e.Term+e.Symbol)
	}
	if len(f.faults) > 0 {
		return nil, errors.Join(f.faults...)
	}
	return g, nil
}

// path reads course.yaml.
func (f *guideReader) path() ([]PathEntry, error) {
	var path struct{ Lessons []PathEntry }
	err := f.read("course.yaml", "lessons", &path)
	return path.Lessons, err
}

// readForms returns the form of each lesson by its number, "03". A checkout without course.yaml has none.
func readForms(root string) (map[string]int, error) {
	path, err := (&guideReader{root: root}).path()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	forms := map[string]int{}
	for _, s := range path {
		forms[fmt.Sprintf("%02d", s.Number)] = s.Form
	}
	return forms, err
}

var routeName = regexp.MustCompile(`^[a-z]+$`)

// requireForward checks that route i takes lessons in their order, and a whole one only after its needs.
func (g *Guide) requireForward(f *guideReader, i int) {
	var taken []int
	for _, p := range g.Routes[i].Parts {
		known := p.Lesson >= 1 && p.Lesson <= len(g.Path) && (len(taken) == 0 || p.Lesson > taken[len(taken)-1])
		f.require(i, known, ErrGuideLesson, "path %s takes lesson %d after %v", g.Routes[i].Name, p.Lesson, taken)
		f.require(i, p.Minutes >= 0 && (p.Minutes > 0) == (len(p.Sections) > 0), ErrGuideEmpty, "path %s, lesson %d: sections have minutes, and a whole lesson has neither", g.Routes[i].Name, p.Lesson)
		if known && len(p.Sections) == 0 {
			for _, need := range g.Path[p.Lesson-1].Needs {
				f.require(i, slices.Contains(taken, need), ErrGuideLesson, "path %s takes lesson %d without lesson %d, which it needs", g.Routes[i].Name, p.Lesson, need)
			}
		}
		taken = append(taken, p.Lesson)
	}
}

// guideReader reads the files one after the other and collects the faults of all.
type guideReader struct {
	root   string
	name   string // of the file that was read last
	lines  []int  // of its entries
	faults []error
}

// read decodes a file that holds one list, and finds the lines of its entries.
func (f *guideReader) read(name, list string, into any) error {
	f.name, f.lines = "lessons/"+name, nil
	text, err := os.ReadFile(filepath.Join(f.root, "lessons", name))
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true) // a misspelt key is a fault, not an empty field
	var top map[string]yaml.Node
	if err = dec.Decode(into); err == nil {
		err = yaml.Unmarshal(text, &top)
	}
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w: %v", f.name, ErrGuideSyntax, err)
	}
	for _, entry := range top[list].Content {
		f.lines = append(f.lines, entry.Line)
	}
	if len(f.lines) == 0 {
		return fmt.Errorf("%s: %w: no %s", f.name, ErrGuideEmpty, list)
	}
	return nil
}

func (f *guideReader) require(entry int, ok bool, cause error, format string, args ...any) {
	if !ok {
		f.faults = append(f.faults, fmt.Errorf("%s:%d: %w: %s", f.name, f.lines[entry], cause, fmt.Sprintf(format, args...)))
	}
}

// ascending reports whether the numbers rise and lie between low and high.
func ascending(numbers []int, low, high int) bool {
	for i, k := range numbers {
		if k < low || k > high || i > 0 && k <= numbers[i-1] {
			return false
		}
	}
	return true
}
