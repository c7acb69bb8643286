package grade

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel"
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

// buildLimit is the time that an answer has beside the check's limit: to be compiled, and to run what its variables begin with.
const buildLimit = time.Minute

// memory is what a process of the kernel may map, in KiB.
const memory = 4 << 20

// Grade grades the exercises of one notebook. A check may take the time limit with the answer, or lab.TimeLimit if that is
// less. Rows are in the order of the lesson. The error is ctx's, or says why the lesson itself cannot be run.
func (k *Key) Grade(ctx context.Context, spec kernel.Spec, name string, nb *notebook.Notebook, limit time.Duration) (rows []Row, err error) {
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	spec.Dir = dir
	spec.Command = append([]string{"/bin/sh", "-c", fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, memory)}, spec.Command...)
	s := &session{key: k, spec: spec, limit: limit, setup: []string{k.declared}}
	defer s.close()
	for i := range k.exercises {
		e := &k.exercises[i]
		row := Row{Notebook: name, Lesson: k.Lesson.Slug, Exercise: e.number}
		row.Result, row.Message, err = s.grade(ctx, e, k.answer(e, nb))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// answer returns the source of the student's cell for an exercise: of several the last that is not the stub; "" if there is none.
func (k *Key) answer(e *exercise, nb *notebook.Notebook) (source string) {
	tried := false
	for i := range nb.Cells {
		c := &nb.Cells[i]
		if c.Kind != notebook.Code || c.HasTag(notebook.TagSolution) || k.solutions[c.ID] {
			continue
		}
		own := c.ID == e.id
		for _, call := range exerciseCall.FindAllStringSubmatch(c.Source, -1) {
			own = own || call[1] == e.number
		}
		if !own {
			continue
		}
		text, err := k.read(e, c.Source)
		// Where an editor has dropped ids and tags, the lesson's solution is only known by its text.
		if err == nil && text == e.solution && c.ID != e.id && !c.HasTag(notebook.TagExercise) {
			continue
		}
		if new := err != nil || text != e.stub; new || !tried {
			source, tried = c.Source, tried || new
		}
	}
	return source
}

// session is the kernel of one notebook.
type session struct {
	key    *Key
	spec   kernel.Spec
	limit  time.Duration
	setup  []string // the lesson's declarations, and those of the answers that left the kernel as it was
	kernel *kernel.Kernel
}

func (s *session) close() {
	if s.kernel != nil {
		s.kernel.Close()
		s.kernel = nil
	}
}

func (s *session) grade(ctx context.Context, e *exercise, source string) (Result, string, error) {
	if source == "" {
		return NotTried, "there is no cell of this exercise", ctx.Err()
	}
	text, err := s.key.read(e, source)
	switch {
	case errors.Is(err, errRefused):
		return Refused, strings.TrimPrefix(err.Error(), errRefused.Error()+": "), ctx.Err()
	case err != nil:
		return NotCompiled, line(err.Error()), ctx.Err()
	case text == e.stub:
		return NotTried, "", ctx.Err()
	}
	if s.kernel == nil {
		spec := s.spec
		spec.Setup = s.setup
		if s.kernel, err = kernel.Start(ctx, spec); err != nil {
			return "", "", fmt.Errorf("%s: %w", s.key.Lesson.Slug, err)
		}
	}
	word := rand.Text()
	limited, cancel := context.WithTimeout(ctx, s.limit+buildLimit)
	defer cancel()
	r, err := s.kernel.Execute(limited, fmt.Sprintf("%s\n%%%%\nlab.TimeLimit = min(lab.TimeLimit, %d)\n%s\nlab.Grade(%q,%s\n",
		text, s.limit, e.before, word, e.call))
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if result, message, ok := verdict(r, word); ok {
		s.setup = append(s.setup, text)
		if result == Solved && text == e.solution {
			message = "the lesson's solution, as it stands there"
		}
		return result, message, nil
	}
	if err == nil && !r.Ran() {
		return NotCompiled, line(r.Failure()), nil
	}
	// The kernel keeps what has compiled. Functions wait until they are called; variables begin anew with every program.
	if err != nil || slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return strings.HasPrefix(l, "var ") }) {
		s.close()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return OutOfTime, fmt.Sprintf("not finished after %v, building included", s.limit+buildLimit), nil
	case errors.Is(err, kernel.ErrFlood):
		return Wrong, "it prints without end", nil
	case errors.Is(err, kernel.ErrKernelDied):
		return Wrong, "it ended the kernel", nil
	case err != nil:
		return "", "", err
	case r.Status != kernel.StatusOK:
		return Wrong, line(r.Failure()), nil
	}
	return Wrong, "its program ended before the check did", nil
}

// verdict finds what lab.Grade printed behind the word.
func verdict(r *kernel.Result, word string) (Result, string, bool) {
	if r == nil {
		return "", "", false
	}
	_, said, found := strings.Cut(r.Stream("stdout"), word+" ")
	said, _, whole := strings.Cut(said, "\n")
	result, quoted, _ := strings.Cut(said, " ")
	message, err := strconv.Unquote(quoted)
	if !found || !whole || err != nil {
		return "", "", false
	}
	switch result {
	case "solved":
		return Solved, "", true
	case "endless":
		return OutOfTime, line(message), true
	}
	return Wrong, line(message), true
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
