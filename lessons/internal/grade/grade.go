package grade

import (
	"cmp"
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
	answers map[string]func() (judged, error)                // by exercise and text
	checks  map[string]func() (wazero.CompiledModule, error) // by exercise
}

// NewGrader compiles from the checkout at root what answers can import; the first time this takes a minute. A check may take the
// time limit with an answer, or lab.TimeLimit if that is less.
func NewGrader(ctx context.Context, root string, limit time.Duration) (*Grader, error) {
	s, err := newSandbox(ctx, root)
	if err != nil {
		return nil, err
	}
	return &Grader{sandbox: s, limit: limit, answers: map[string]func() (judged, error){}, checks: map[string]func() (wazero.CompiledModule, error){}}, nil
}

// Close removes what the grader has built.
func (g *Grader) Close() error { return g.sandbox.close() }

// Grade grades the exercises of one notebook of a lesson. Rows are in the order of the lesson. The error is ctx's, or says why the
// lesson itself cannot be graded.
func (g *Grader) Grade(ctx context.Context, k *Key, name string, nb *notebook.Notebook) (rows []Row, err error) {
	var earlier []*answer // that the student's later answers may use
	for i := range k.exercises {
		e := &k.exercises[i]
		row := Row{Notebook: name, Lesson: k.Lesson.Slug, Exercise: e.number}
		var a *answer
		row.Result, row.Message, a, err = g.grade(ctx, k, e, k.answer(ctx, e, nb), earlier)
		if err != nil {
			return nil, err
		}
		if a != nil {
			earlier = append(earlier, a)
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

// answer returns the source of the student's cell for an exercise; "" if there is none. Of several it is the last that is not the stub and
// declares the function, because a cell that calls the check alone belongs to a function above it.
func (k *Key) answer(ctx context.Context, e *exercise, nb *notebook.Notebook) string {
	stub, call := "", ""
	for i := len(nb.Cells) - 1; i >= 0 && ctx.Err() == nil; i-- {
		c := &nb.Cells[i]
		if !k.own(e, c) {
			continue
		}
		a, err := k.read(e, c.Source)
		switch {
		case errors.Is(err, errMissing):
			call = cmp.Or(call, c.Source)
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
	return cmp.Or(call, stub)
}

// older reports whether a notebook has another check of an exercise than the lesson.
func (k *Key) older(ctx context.Context, e *exercise, nb *notebook.Notebook) bool {
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if ctx.Err() != nil || c.Kind != notebook.Code || len(c.Source) > longest {
			continue
		}
		declared, runs := cells.Split(c.Source)
		if m := exerciseCheck.FindStringSubmatch(runs); m != nil && m[1] == e.number && m[2] != e.check {
			return true
		}
		if k.own(e, c) || !strings.Contains(declared, "func "+e.check+"(") {
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

// grade grades an answer. It returns the answer, too, if that can be read.
func (g *Grader) grade(ctx context.Context, k *Key, e *exercise, source string, earlier []*answer) (Result, string, *answer, error) {
	if ctx.Err() != nil {
		return "", "", nil, ctx.Err()
	}
	if source == "" {
		return NotTried, "there is no cell of this exercise", nil, nil
	}
	a, err := k.read(e, source)
	switch {
	case errors.Is(err, errRefused):
		return Refused, strings.TrimPrefix(err.Error(), errRefused.Error()+": "), nil, nil
	case err != nil:
		return NotCompiled, line(err.Error()), nil, nil
	case a.standard == e.stub:
		return NotTried, "", nil, nil
	}
	text, err := k.answerProgram(e, a, earlier, g.sandbox.archives.Known)
	if err != nil {
		return NotCompiled, line(err.Error()), nil, nil
	}
	g.mu.Lock()
	id := e.number + "\n" + text
	judge := g.answers[id]
	if judge == nil {
		judge = sync.OnceValues(func() (v judged, err error) {
			v.result, v.message, err = g.judge(ctx, k, e, text)
			return v, err
		})
		g.answers[id] = judge
	}
	g.mu.Unlock()
	v, err := judge()
	if v.result == Solved && a.standard == e.solution {
		v.message = "the lesson's solution, as it stands there"
	}
	return v.result, v.message, a, err
}

// judged is what an answer comes to.
type judged struct {
	result  Result
	message string
}

// judge compiles an answer's program and has the check judge it.
func (g *Grader) judge(ctx context.Context, k *Key, e *exercise, source string) (Result, string, error) {
	check, err := g.check(ctx, k, e)
	if err != nil {
		return "", "", fmt.Errorf("exercise %s: %w", e.number, err)
	}
	wasm, err := g.sandbox.build(ctx, source)
	switch n := (*notBuilt)(nil); {
	case errors.As(err, &n) && n.late:
		return OutOfTime, n.says, nil
	case errors.As(err, &n):
		return NotCompiled, line(n.says), nil
	case err != nil:
		return "", "", err
	}
	if size := largestFunction(wasm); size > functionSize {
		return Refused, fmt.Sprintf("a function has %d bytes of WebAssembly, and %d are enough", size, functionSize), nil
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
			text, err := k.checkProgram(e, g.sandbox.archives.Known)
			if err != nil {
				return nil, err
			}
			wasm, err := g.sandbox.build(ctx, text)
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

// answerProgram is the source of an answer's program, which may use what the student's earlier answers declare.
func (k *Key) answerProgram(e *exercise, a *answer, earlier []*answer, known []string) (string, error) {
	s := &sources{names: slices.Concat(a.uses, e.uses), hidden: k.checks, units: k.units, answer: a.units, known: known,
		main: fmt.Sprintf("import wireOfGrade %q\n%s\nfunc main() { wireOfGrade.Serve(%s, %s) }\n", wirePackage, e.checkType, e.check, e.answer)}
	s.imports = append(s.imports, k.imports)
	for _, before := range append(earlier, a) {
		s.imports = append(s.imports, before.imports)
		if before != a {
			s.units = slices.Concat(s.units, before.units)
		}
	}
	return s.program()
}

// checkProgram is the source of a check's program.
func (k *Key) checkProgram(e *exercise, known []string) (string, error) {
	before, err := parse("func main() {\n" + e.before + "\n}")
	if err != nil {
		return "", err
	}
	s := &sources{names: append(namesIn(before), e.check), units: k.units, imports: []map[string]string{k.imports}, known: known,
		main: fmt.Sprintf("import wireOfGrade %q\nfunc main() {\n%s\nwireOfGrade.Check(%s, lab.TimeLimit)\n}\n", wirePackage, e.before, e.check)}
	return s.program()
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
