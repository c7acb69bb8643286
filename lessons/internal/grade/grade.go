package grade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// A Result is what an exercise, or a notebook, comes to.
type Result string

const (
	Solved      Result = "solved"
	Wrong       Result = "wrong" // the check refuses the answer, or its program fails
	NotTried    Result = "not tried"
	NotCompiled Result = "does not compile"
	OutOfTime   Result = "out of time"
	Refused     Result = "refused"    // it asks for what an answer must not have
	NotGraded   Result = "not graded" // a file that is no notebook of a lesson
)

// Results are all of them, in the order of a summary.
var Results = []Result{Solved, Wrong, NotTried, NotCompiled, OutOfTime, Refused, NotGraded}

// Row is the result of one exercise.
type Row struct {
	Notebook string // path below the folder
	Lesson   string // "03-novikoff"; empty if the notebook is none of a lesson
	Exercise string // "3.2"; empty if the notebook is none of a lesson
	Result   Result
	Message  string // why, in a line; for a solved one a remark, or nothing
}

// Grader grades answers. It is safe for use by several goroutines.
type Grader struct {
	sandbox *sandbox
	limit   time.Duration
	mu      sync.Mutex
	answers map[string]func() (Result, string, error)        // by exercise and text
	checks  map[string]func() (wazero.CompiledModule, error) // by exercise
}

// NewGrader compiles from the checkout at root what answers can import; the first time this takes a minute. A check may take the
// time limit with an answer, or lab.TimeLimit if that is less.
func NewGrader(ctx context.Context, root string, limit time.Duration) (*Grader, error) {
	s, err := newSandbox(ctx, root)
	if err != nil {
		return nil, err
	}
	return &Grader{sandbox: s, limit: limit, answers: map[string]func() (Result, string, error){}, checks: map[string]func() (wazero.CompiledModule, error){}}, nil
}

// Close removes what the grader has built.
func (g *Grader) Close() error { return g.sandbox.close() }

// Grade grades the exercises of one notebook of a lesson. Rows are in the order of the lesson. The error is ctx's, or says why the
// lesson itself cannot be graded.
func (g *Grader) Grade(ctx context.Context, k *Key, name string, nb *notebook.Notebook) (rows []Row, err error) {
	for i := range k.exercises {
		e := &k.exercises[i]
		row := Row{Notebook: name, Lesson: k.Lesson.Slug, Exercise: e.number}
		row.Result, row.Message, err = g.grade(ctx, k, e, k.answer(ctx, e, nb))
		if err != nil {
			return nil, err
		}
		if k.older(ctx, e, nb) {
			row.Message = strings.TrimPrefix(row.Message+"; "+otherText, "; ")
		}
		rows = append(rows, row)
	}
	return rows, ctx.Err()
}

// otherText is the remark at the exercises of a notebook that has another check than the lesson.
const otherText = "the notebook has another text of this exercise's check, as an older lesson has: look at it yourself"

// own reports whether a cell is one in which a student answers an exercise.
func (k *Key) own(e *exercise, c *notebook.Cell) bool {
	if c.Kind != notebook.Code || c.HasTag(notebook.TagSolution) || k.solutions[c.ID] {
		return false
	}
	return c.ID == e.id || slices.ContainsFunc(exerciseCall.FindAllStringSubmatch(c.Source, -1), func(call []string) bool { return call[1] == e.number })
}

// answer returns the source of the student's cell for an exercise: of several the last that is not the stub; "" if there is none.
func (k *Key) answer(ctx context.Context, e *exercise, nb *notebook.Notebook) (stub string) {
	for i := len(nb.Cells) - 1; i >= 0 && ctx.Err() == nil; i-- {
		c := &nb.Cells[i]
		if !k.own(e, c) {
			continue
		}
		a, err := k.read(e, c.Source)
		switch {
		case err != nil:
			return c.Source
		case a.standard == e.stub:
			stub = c.Source
		case a.standard == e.solution && c.ID != e.id && !c.HasTag(notebook.TagExercise):
			// Where an editor has dropped ids and tags, the lesson's solution is only known by its text.
		default:
			return c.Source
		}
	}
	return stub
}

// older reports whether a notebook has another check of an exercise than the lesson.
func (k *Key) older(ctx context.Context, e *exercise, nb *notebook.Notebook) bool {
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if ctx.Err() != nil || c.Kind != notebook.Code || len(c.Source) > longest {
			continue
		}
		declared, runs := cells.Split(c.Source)
		if k.own(e, c) {
			if m := exerciseCheck.FindStringSubmatch(runs); m != nil && m[1] == e.number && m[2] != e.check {
				return true
			}
		}
		if !strings.Contains(declared, "func "+e.check+"(") {
			continue
		}
		file, err := parse(declared)
		if err != nil || depth(file) > deepest {
			return true
		}
		if text := functionText(file, e.check); text != "" && text != e.checkText {
			return true
		}
	}
	return false
}

func (g *Grader) grade(ctx context.Context, k *Key, e *exercise, source string) (Result, string, error) {
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if source == "" {
		return NotTried, "there is no cell of this exercise", nil
	}
	a, err := k.read(e, source)
	switch {
	case errors.Is(err, errRefused):
		return Refused, strings.TrimPrefix(err.Error(), errRefused.Error()+": "), nil
	case err != nil:
		return NotCompiled, line(err.Error()), nil
	case a.standard == e.stub:
		return NotTried, "", nil
	}
	g.mu.Lock()
	id := e.number + "\n" + a.declared
	judge := g.answers[id]
	if judge == nil {
		judge = onceOf3(func() (Result, string, error) { return g.judge(ctx, k, e, a) })
		g.answers[id] = judge
	}
	g.mu.Unlock()
	result, message, err := judge()
	if result == Solved && a.standard == e.solution {
		message = "the lesson's solution, as it stands there"
	}
	return result, message, err
}

// onceOf3 is [sync.OnceValues] for three values.
func onceOf3(f func() (Result, string, error)) func() (Result, string, error) {
	type three struct {
		result  Result
		message string
		err     error
	}
	once := sync.OnceValue(func() (t three) { t.result, t.message, t.err = f(); return t })
	return func() (Result, string, error) { t := once(); return t.result, t.message, t.err }
}

// judge compiles an answer and has the check judge it.
func (g *Grader) judge(ctx context.Context, k *Key, e *exercise, a *answer) (Result, string, error) {
	check, err := g.check(ctx, k, e)
	if err != nil {
		return "", "", fmt.Errorf("exercise %s: %w", e.number, err)
	}
	wasm, err := g.sandbox.build(ctx, func(known []string) (string, error) { return k.answerProgram(e, a, known) })
	return g.compiled(ctx, check, wasm, err)
}

// compiled runs an answer's program, or says why there is none.
func (g *Grader) compiled(ctx context.Context, check wazero.CompiledModule, wasm []byte, err error) (Result, string, error) {
	switch n := (*notBuilt)(nil); {
	case errors.As(err, &n) && n.late:
		return OutOfTime, n.says, nil
	case errors.As(err, &n):
		return NotCompiled, line(n.says), nil
	case errors.Is(err, errRefused):
		return Refused, strings.TrimPrefix(err.Error(), errRefused.Error()+": "), nil
	case err != nil:
		return "", "", err
	}
	answer, err := g.sandbox.answers.CompileModule(ctx, wasm)
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		return NotCompiled, line(err.Error()), nil
	}
	defer answer.Close(context.Background())
	return g.sandbox.run(ctx, check, answer, 0, g.limit)
}

// check returns the program of an exercise's check.
func (g *Grader) check(ctx context.Context, k *Key, e *exercise) (wazero.CompiledModule, error) {
	g.mu.Lock()
	get := g.checks[e.number]
	if get == nil {
		get = sync.OnceValues(func() (wazero.CompiledModule, error) {
			wasm, err := g.sandbox.build(ctx, func(known []string) (string, error) { return k.checkProgram(e, known) })
			if err != nil {
				return nil, err
			}
			return g.sandbox.checks.CompileModule(ctx, wasm)
		})
		g.checks[e.number] = get
	}
	g.mu.Unlock()
	return get()
}

// answerProgram is the source of an answer's program.
func (k *Key) answerProgram(e *exercise, a *answer, known []string) (string, error) {
	file, err := parse(a.declared)
	if err != nil {
		return "", err
	}
	for _, i := range file.Imports {
		if _, path := cells.Import(i); !slices.Contains(known, path) || path == wirePackage {
			return "", refuse("it imports %s, which is no package for answers", path)
		}
	}
	main := fmt.Sprintf("import wireOfGrade %q\n%s\nfunc main() { wireOfGrade.Serve(%s, %s) }\n", wirePackage, e.checkType, e.check, e.answer)
	return k.program(slices.Concat(a.uses, e.uses), k.checks, a.declared, main, known)
}

// checkProgram is the source of a check's program.
func (k *Key) checkProgram(e *exercise, known []string) (string, error) {
	main := fmt.Sprintf("import wireOfGrade %q\nfunc main() {\n%s\nwireOfGrade.Check(%s, lab.TimeLimit)\n}\n", wirePackage, e.before, e.check)
	names := []string{e.check}
	if e.before != "" {
		file, err := parse("func main() {\n" + e.before + "\n}")
		if err != nil {
			return "", err
		}
		names = append(names, namesIn(file)...)
	}
	return k.program(names, nil, "", main, known)
}

// line makes one line of at most longestMessage characters of a message.
func line(message string) string {
	characters := []rune(strings.Join(strings.Fields(message), " "))
	if len(characters) > longestMessage {
		characters = append(characters[:longestMessage], '…')
	}
	return string(characters)
}

const longestMessage = 300
