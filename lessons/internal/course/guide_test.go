package course

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The course's own guide: what it says of the lessons is what they say. Every lesson has its place, with its title and
// after those that it needs; every erratum has its cell and every tag its erratum; nothing in the notes is
// without a cell once its lesson is written, and no link leads nowhere.
func TestGuideMatchesTheLessons(t *testing.T) {
	const root = "../../.."
	g, err := ReadGuide(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Path) != 14 || len(g.Errata) != 43 || len(g.Notes) != 5 || len(g.Routes) != 3 {
		t.Errorf("%d lessons, %d errata, %d notes, %d paths", len(g.Path), len(g.Errata), len(g.Notes), len(g.Routes))
	}
	minutes := 0
	for _, p := range g.Routes[0].Parts {
		minutes += p.Minutes
	}
	if minutes != 90 {
		t.Errorf("the lecture of 90 minutes takes %d", minutes)
	}
	lessons, err := Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range mismatches(g, lessons) {
		t.Error(fault)
	}
	for _, n := range g.Notes {
		for _, it := range n.Items {
			if it.Shows == "" {
				t.Errorf("notes.yaml: %s does not say what its cells show", it.ID)
			}
		}
	}
}

// The notes number some of their parts themselves. Their last numbers are facts about the notes, so a
// part that the map leaves out is a hole in the count.
func TestNothingNumberedIsMissing(t *testing.T) {
	g, err := ReadGuide("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		note, what string
		number     *regexp.Regexp // with the first number of a range, and the last if there is one
		last       int
	}{
		{"A", "Figure", regexp.MustCompile(`^Figure (\d+)$`), 4},
		{"D", "Figure", regexp.MustCompile(`^Figure (\d+)$`), 2},
		{"D", "Remark", regexp.MustCompile(`^Remark (\d+)$`), 2},
		{"D", "formula", regexp.MustCompile(`\((\d+)(?:–(\d+))?\)$`), 37},
		{"E", "Figure", regexp.MustCompile(`^Figure (\d+)$`), 5},
	} {
		found := map[int]bool{}
		for _, it := range g.Notes[c.note[0]-'A'].Items {
			m := c.number.FindStringSubmatch(it.At)
			if m == nil {
				continue
			}
			first, _ := strconv.Atoi(m[1])
			last := first
			if len(m) > 2 && m[2] != "" {
				last, _ = strconv.Atoi(m[2])
			}
			for k := first; k <= last; k++ {
				found[k] = true
			}
		}
		for k := 1; k <= c.last; k++ {
			if !found[k] {
				t.Errorf("note %s: %s %d has no place in the map", c.note, c.what, k)
			}
			delete(found, k)
		}
		if len(found) > 0 {
			t.Errorf("note %s has no %s %v", c.note, c.what, found)
		}
	}
}

const (
	smallPath = `lessons:
- {number: 1, title: One, why: first}
- {number: 2, title: Two, why: second, needs: [1], topic: the rest}
`
	smallErrata = `errata:
- {number: 1, at: A §1, says: no, holds: yes, lessons: [1]}
`
	smallNotes = `notes:
- note: A
  about: a small note
  holds: {theorem: 1, figure: 1, remark: 1}
  items:
  - {kind: theorem, at: §1, what: it holds, lesson: 1, cells: [truth]}
  - {kind: figure, at: §1, what: how it looks, lesson: 1, cells: [truth, view]}
  - {kind: remark, at: §2, what: more of it, lesson: 2}
`
	smallPaths = `paths:
- {name: short, title: An hour, about: the start, parts: [{lesson: 1, minutes: 10, sections: [The start]}]}
- {name: long, title: A day, about: all of it, parts: [{lesson: 1}, {when: later, lesson: 2}]}
`
	smallGlossary = `glossary:
- {term: foot, as: the foot, lesson: 1, means: the nearest point}
- {symbol: d, lesson: 1, section: The start, means: how far}
- {term: later, lesson: 2, means: to come}
`
	smallLesson = "---\ntitle: One\n---\n\n# One\n\n**You need** nothing.\n\n## The start\n\n**The foot** is at $d$.\n\n" +
		"```go name=\"truth\" tags=[\"erratum-1\"]\n%%\ncheck()\n```\n\n" +
		"```go name=\"view\" tags=[\"figure\"]\n%%\nshow()\n```\n\nSo it ends.\n\n## After it\n\nThe rest is $e$.\n"
)

// smallCourse is a checkout with one lesson and a guide, in which old has been replaced by new in one file.
func smallCourse(t *testing.T, file, old, new string) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"course.yaml": smallPath, "errata.yaml": smallErrata, "notes.yaml": smallNotes, "paths.yaml": smallPaths, "glossary.yaml": smallGlossary, "01-one.md": smallLesson}
	if file != "" {
		if strings.Count(files[file], old) != 1 {
			t.Fatalf("%s holds %q %d times", file, old, strings.Count(files[file], old))
		}
		files[file] = strings.Replace(files[file], old, new, 1)
	}
	if err := os.Mkdir(filepath.Join(root, "lessons"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, "lessons", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestGuideFaults(t *testing.T) {
	if _, err := ReadGuide(smallCourse(t, "", "", "")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, old, new string
		cause          error
		line           int
	}{
		{"course.yaml", "number: 2", "number: 3", ErrGuideOrder, 3},
		{"course.yaml", "why: second", "why: ''", ErrGuideEmpty, 3},
		{"course.yaml", "needs: [1]", "needs: [2]", ErrGuideLesson, 3},
		{"course.yaml", "needs: [1]", "needs: [1, 1]", ErrGuideLesson, 3},
		{"course.yaml", "needs: [1]", "need: [1]", ErrGuideSyntax, 0},
		{"course.yaml", smallPath, "lessons: []\n", ErrGuideEmpty, 0},
		{"course.yaml", smallPath, "", ErrGuideEmpty, 0},
		{"course.yaml", "[1]", "[1", ErrGuideSyntax, 0},
		{"errata.yaml", "number: 1", "number: 2", ErrGuideOrder, 2},
		{"errata.yaml", "says: no", "says: ''", ErrGuideEmpty, 2},
		{"errata.yaml", "[1]", "[]", ErrGuideLesson, 2},
		{"errata.yaml", "[1]", "[3]", ErrGuideLesson, 2},
		{"notes.yaml", "note: A", "note: B", ErrGuideOrder, 2},
		{"notes.yaml", "kind: remark", "kind: rumour", ErrGuideKind, 2},
		{"notes.yaml", "theorem: 1,", "theorem: 2,", ErrGuideCount, 2},
		{"notes.yaml", "what: more of it", "what: ''", ErrGuideEmpty, 2},
		{"notes.yaml", "lesson: 2", "lesson: 0", ErrGuideLesson, 2},
		{"paths.yaml", "name: long", "name: short", ErrGuideOrder, 3},
		{"paths.yaml", "name: long", "name: a b", ErrGuideOrder, 3},
		{"paths.yaml", "about: all of it", "about: ''", ErrGuideEmpty, 3},
		{"paths.yaml", "parts: [{lesson: 1}, {when: later, lesson: 2}]", "parts: []", ErrGuideEmpty, 3},
		{"paths.yaml", "minutes: 10, ", "", ErrGuideEmpty, 2},
		{"paths.yaml", ", sections: [The start]", "", ErrGuideEmpty, 2},
		{"paths.yaml", "lesson: 1}, ", "lesson: 2}, ", ErrGuideLesson, 3},
		{"paths.yaml", "{lesson: 1}, ", "", ErrGuideLesson, 3},
		{"paths.yaml", "lesson: 2", "lesson: 3", ErrGuideLesson, 3},
		{"glossary.yaml", "term: later, ", "", ErrGuideEmpty, 4},
		{"glossary.yaml", "section: The start, ", "", ErrGuideEmpty, 3},
		{"glossary.yaml", ", means: to come", "", ErrGuideEmpty, 4},
		{"glossary.yaml", "lesson: 2", "lesson: 3", ErrGuideLesson, 4},
		{"glossary.yaml", "term: later", "term: foot", ErrGuideOrder, 4},
	} {
		_, err := ReadGuide(smallCourse(t, c.file, c.old, c.new))
		place := fmt.Sprintf("lessons/%s:%d: ", c.file, c.line)
		if c.line == 0 {
			place = fmt.Sprintf("lessons/%s: ", c.file)
		}
		if !errors.Is(err, c.cause) || !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%s with %q: %v, want %v at line %d", c.file, c.new, err, c.cause, c.line)
		}
	}
	if _, err := ReadGuide(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no files: %v", err)
	}
}

func TestMismatches(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{"", "", "", ""},
		{"course.yaml", "title: One", "title: Won", `calls lesson 1 "Won", its header "One"`},
		{"course.yaml", ", topic: the rest", "", "lesson 2 is not written and has no topic"},
		{"01-one.md", "nothing.", "the start (lesson 2).", "lesson 1 says **You need** of [2], course.yaml of []"},
		{"01-one.md", "**You need** nothing", "It needs nothing", "**You need**"},
		{"01-one.md", "erratum-1", "break", "no cell of lesson 1 is tagged erratum-1"},
		{"01-one.md", "erratum-1", "erratum-1\", \"erratum-2", "no row for the tag erratum-2"},
		{"course.yaml", smallPath, "lessons:\n- {number: 1, title: One, why: first}\n- {number: 2, title: Two, why: x, topic: y}\n", ""},
		{"errata.yaml", "lessons: [1]", "lessons: [2]", "lesson 1 has a cell tagged erratum-1"},
		{"notes.yaml", "cells: [truth, view]", "cells: [truth]", `A2, a place for the kind "figure", leads to no cell that is tagged so`},
		{"notes.yaml", smallNotes, strings.ReplaceAll(smallNotes, "figure", "exercise"), `the kind "exercise", leads to no cell`},
		{"notes.yaml", "cells: [truth]", "cells: [lie]", `A1 leads to "lie"; no cell of lesson 1 has that name`},
		{"notes.yaml", ", cells: [truth]", "", "A1 (theorem, §1) names no cell of lesson 1, which is written"},
		{"notes.yaml", "lesson: 2", "lesson: 2, cells: [x]", "A3 names cells of lesson 2, which is not written"},
		{"notes.yaml", "cells: [truth, view]", "cells: [truth, view], shows: lies  at $d$", `A2: neither the cells [truth view] of lesson 1 nor their sections hold "lies  at $d$"`},
		{"notes.yaml", "cells: [truth, view]", "cells: [truth, view], shows: is  at $d$.", ""},
		{"notes.yaml", "cells: [truth, view]", "cells: [truth, view], shows: So it ends.", ""},
		{"notes.yaml", "cells: [truth, view]", "cells: [truth, view], shows: The rest", "nor their sections hold"},
		{"course.yaml", "why: first", "why: first, form: 3", "A1 does not say what the cells of lesson 1 show"},
		{"01-one.md", `name="view"`, `name="truth"`, `the name "truth" is taken`},
		{"01-one.md", "%%\ncheck()", "func check() {}", `A1 leads to "truth", which runs nothing`},
		{"glossary.yaml", "as: the foot, ", "as: a foot, ", `"a foot" is not emphasised in lesson 1`},
		{"01-one.md", "**The foot**", "The foot", `"the foot" is not emphasised in lesson 1`},
		{"01-one.md", "$d$", "d", "no formula of the section \"The start\" of lesson 1 has d"},
		{"01-one.md", "$d$", "$\\mathrm d$", ""},
		{"01-one.md", "$d$", "$\\delta$", "lesson 1 has d"},
		{"glossary.yaml", "symbol: d", "symbol: e", "no formula of the section \"The start\" of lesson 1 has e"},
		{"glossary.yaml", "section: The start", "section: The end", "of lesson 1, which has none"},
		{"paths.yaml", "[The start]", "[The end]", `short takes the section "The end" of lesson 1`},
		{"paths.yaml", "[The start]", "[The start, The start]", "or has it earlier"},
	} {
		root := smallCourse(t, c.file, c.old, c.new)
		g, err := ReadGuide(root)
		if err != nil {
			t.Fatal(err)
		}
		lessons, err := Lessons(root)
		if err != nil {
			t.Fatal(err)
		}
		faults := mismatches(g, lessons)
		found := slices.ContainsFunc(faults, func(f string) bool { return c.want != "" && strings.Contains(f, c.want) })
		if c.want == "" && len(faults) > 0 || c.want != "" && !found {
			t.Errorf("%s with %q: %v, want %q", c.file, c.new, faults, c.want)
		}
	}
}

// A lesson beyond the path is a fault, not a panic.
func TestLessonBeyondThePath(t *testing.T) {
	root := smallCourse(t, "", "", "")
	lessons, err := Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"00", "03", "99"} {
		lessons[0].Number = number
		g, err := ReadGuide(root)
		if err != nil {
			t.Fatal(err)
		}
		if faults := fmt.Sprint(mismatches(g, lessons)); !strings.Contains(faults, "has no entry in course.yaml") {
			t.Errorf("%s: %s", number, faults)
		}
	}
}
