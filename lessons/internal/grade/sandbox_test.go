package grade

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/notebook"
)

const ownLimit = 60 * time.Second // of checks in tests, on machines that do other work, too

// grader compiles what answers need, once per test.
func grader(t *testing.T, limit time.Duration) *Grader {
	t.Helper()
	g, err := NewGrader(t.Context(), checkout, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// Every solution of the course is solved, with a third of the time that a check has at most, and the answers of lessons/answers get the verdicts
// that are written there: each right one is solved, each wrong one is refused with a message that has the words, and an endless one is stopped.
func TestSolutionsAreSolved(t *testing.T) {
	slugs, limit := []string{"14"}, ownLimit
	if os.Getenv("SVMKIT_RELIABILITY") == "full" { // on a machine that does nothing else
		slugs, limit = nil, 10*time.Second/3
	} else if testing.Short() {
		t.Skip("compiles programs")
	}
	g := grader(t, limit)
	for _, k := range keys(t, slugs...) {
		t.Run(k.Lesson.Slug, func(t *testing.T) {
			t.Parallel()
			nb := notebook.New()
			for _, c := range k.Lesson.Parsed.Cells {
				if c.HasTag(notebook.TagSolution) {
					c.ID, c.Tags = "", []string{notebook.TagExercise}
					nb.Cells = append(nb.Cells, c)
				}
			}
			rows, err := g.Grade(t.Context(), k, "x", nb)
			if err != nil || len(rows) != len(k.exercises) {
				t.Fatal(rows, err)
			}
			for _, r := range rows {
				if r.Lesson != k.Lesson.Slug || r.Result != Solved || r.Message != "the lesson's solution, as it stands there" {
					t.Errorf("%s: %s: %s", r.Exercise, r.Result, r.Message)
				}
			}
			for _, c := range k.Lesson.Answers.Cells {
				if c.Kind == notebook.Code {
					t.Run(fmt.Sprintf("answers:%d", c.Line), func(t *testing.T) { k.knownVerdicts(t, g, c.Source) })
				}
			}
		})
	}
}

// knownVerdicts tries a cell of known answers.
func (k *Key) knownVerdicts(t *testing.T, g *Grader, cell string) {
	e, known := k.knownAnswers(t, cell)
	check, err := g.check(t.Context(), k, e)
	if err != nil {
		t.Fatal(err)
	}
	declared, runs := cells.Split(cell)
	program := known.Replace(runs) + "\n}\n\n" + helpers
	main := e.checkType + "\nfunc main() {\n" + program
	file, err := parse(declared + "\n" + main)
	if err != nil {
		t.Fatal(err)
	}
	units := k.units // an answer may call the solutions, and what other cells of answers declare
	for _, c := range k.Lesson.Answers.Cells {
		if c.Kind == notebook.Code {
			declared, _ := cells.Split(c.Source)
			file, err := parse(declared)
			if err != nil {
				t.Fatal(err)
			}
			units = slices.Concat(units, unitsOf("answers", declared, file, map[string]string{}))
		}
	}
	for i := range k.exercises {
		a, err := k.read(&k.exercises[i], k.exercises[i].solution)
		if err != nil {
			t.Fatal(err)
		}
		units = slices.Concat(units, a.units)
	}
	source := &sources{names: slices.Concat(namesIn(file), e.uses), hidden: k.checks, units: units, imports: []map[string]string{k.imports},
		answer: unitsOf("answers", declared+"\n"+main, file, map[string]string{}), main: fmt.Sprintf("import wireOfGrade %q\n", wirePackage), known: g.sandbox.archives.Known}
	text, err := source.program()
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := g.sandbox.build(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := g.sandbox.answers.CompileModule(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Close(t.Context())
	for i, a := range known.answers {
		want, limit := map[string]Result{"Right": Solved, "Wrong": Wrong, "Endless": OutOfTime}[a.kind], ownLimit
		if a.kind == "Endless" {
			limit = 300 * time.Millisecond
		}
		result, message, err := g.sandbox.run(t.Context(), check, answer, byte(i), limit)
		if a.kind == "Endless" && strings.Contains(message, "deadlock") { // Go sees that an answer waits for ever
			want = Wrong
		}
		if err != nil || result != want || !strings.Contains(message, line(a.says)) && !strings.HasSuffix(message, "…") {
			t.Errorf("%s %q: %s: %s (%v), want %s: %s", a.kind, a.name, result, message, err, want, a.says)
		}
	}
}

// helpers take the answers of a cell as package lab does, and serve them.
const helpers = `
type answerOf[F any] struct{ f F }

func rightOf[F any](_ string, f F) answerOf[F] { return answerOf[F]{f} }
func wrongOf[F any](_, _ string, f F) answerOf[F] { return answerOf[F]{f} }
func answersOf[F any](check func(F) error, answers ...answerOf[F]) {
	var all []F
	for _, a := range answers {
		all = append(all, a.f)
	}
	wireOfGrade.Serve(check, all...)
}
`

type knownAnswers struct {
	*strings.Replacer
	answers []struct{ kind, name, says string }
}

// knownAnswers reads the calls in a cell of known answers.
func (k *Key) knownAnswers(t *testing.T, source string) (e *exercise, known knownAnswers) {
	declared, runs := cells.Split(source)
	file, err := parse(declared + "\nfunc main() {\n" + runs + "\n}")
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || fmt.Sprint(s.X) != "lab" {
			return true
		}
		text := func(i int) (text string) {
			if l, ok := call.Args[i].(*ast.BasicLit); ok {
				text, _ = strconv.Unquote(l.Value)
			}
			return text
		}
		switch s.Sel.Name {
		case "Answers":
			for i := range k.exercises {
				if k.exercises[i].number == text(0) {
					e = &k.exercises[i]
				}
			}
		case "Right", "Endless":
			known.answers = append(known.answers, struct{ kind, name, says string }{s.Sel.Name, text(0), ""})
		case "Wrong":
			known.answers = append(known.answers, struct{ kind, name, says string }{s.Sel.Name, text(0), text(1)})
		}
		return true
	})
	if e == nil || len(known.answers) < 2 {
		t.Fatal("no answers in\n", source)
	}
	known.Replacer = strings.NewReplacer("lab.Answers(\""+e.number+"\", ", "answersOf(", "lab.Right(", "rightOf(", "lab.Endless(", "rightOf(", "lab.Wrong(", "wrongOf(")
	return e, known
}
