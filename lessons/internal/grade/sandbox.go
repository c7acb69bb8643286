package grade

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/grade/wire"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/program"
)

// Limits of an answer.
const (
	buildTime    = time.Minute // for the compiler, and again for the linker
	startTime    = time.Minute // until the check begins, and after its limit
	buildMemory  = 2 << 20     // KiB that the compiler or the linker may map
	programSize  = 32 << 20    // bytes of a program
	functionSize = 256 << 10   // bytes of a function in it, because wazero's time and memory grow faster than this
	memoryPages  = 512 << 4    // of 64 KiB: 512 MiB for each of the two programs
	longestSaid  = 4 << 10     // bytes of what a program prints that are kept
	longestSent  = 64 << 20    // bytes of a message between the programs
	longestBuild = 16 << 10    // bytes of the compiler's messages that are kept
)

const wirePackage = course.Module + "/lessons/internal/grade/wire"

// target is what answers are compiled for, whatever the user's settings are.
var target = []string{"GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOEXPERIMENT=", "GOENV=off"}

// sandbox compiles programs and runs them.
type sandbox struct {
	archives *program.Archives
	config   map[bool]string   // the archives' files; for true with a lab that has no figures, which is linked in half of the time
	tools    map[string]string // paths of the compiler and the linker
	scratch  string
	remove   func() error
	answers  wazero.Runtime // its programs can exchange messages
	checks   wazero.Runtime // and its programs give verdicts, too
}

func newSandbox(ctx context.Context, root string) (s *sandbox, err error) {
	s = &sandbox{config: map[bool]string{}, tools: map[string]string{}}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	// Not in TMPDIR, which may be small: next to Go's own cache of what it builds.
	cache = filepath.Join(cache, "svmkit")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	if s.scratch, s.remove, err = atomicfile.TempDirIn(cache, "grading-", nil); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	env := slices.Concat(target, []string{"TMPDIR=" + s.scratch, "GOTMPDIR=" + s.scratch})
	if s.archives, err = program.CompileFor(ctx, root, env, []string{"-tags=minimal"}, append(more, wirePackage)); err != nil {
		return nil, err
	}
	goCommand := func(args ...string) (string, error) {
		out, said, err := kernel.Go(ctx, root, "off", env, args...)
		if err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, said)
		}
		return strings.TrimSpace(out), nil
	}
	const lab = course.Module + "/lessons/lab"
	light, err := goCommand("list", "-tags=minimal,nofigures", "-trimpath", "-export", "-f={{.Export}}", lab)
	if err != nil {
		return nil, err
	}
	full := s.archives.Config("")
	s.config[false], s.config[true] = full, strings.Replace(full, lab+"="+s.archives.Files[lab]+"\n", lab+"="+light+"\n", 1)
	for _, name := range []string{"compile", "link"} {
		if s.tools[name], err = goCommand("tool", "-n", name); err != nil {
			return nil, err
		}
	}
	// The context of a call carries the session. A module whose context ends is stopped, even in a loop without calls.
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true).WithDebugInfoEnabled(false)
	s.answers, s.checks = wazero.NewRuntimeWithConfig(ctx, config), wazero.NewRuntimeWithConfig(ctx, config)
	for _, r := range []wazero.Runtime{s.answers, s.checks} {
		if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
			return nil, err
		}
		_, err := r.NewHostModuleBuilder("wire").
			NewFunctionBuilder().WithFunc(exchange).Export("exchange").
			NewFunctionBuilder().WithFunc(take).Export("take").Instantiate(ctx)
		if err != nil {
			return nil, err
		}
	}
	_, err = s.checks.NewHostModuleBuilder("check").
		NewFunctionBuilder().WithFunc(begin).Export("begin").
		NewFunctionBuilder().WithFunc(verdict).Export("verdict").Instantiate(ctx)
	return s, err
}

func (s *sandbox) close() error {
	for _, r := range []wazero.Runtime{s.answers, s.checks} {
		if r != nil {
			r.Close(context.Background())
		}
	}
	return s.remove()
}

// notBuilt is why a program was not built: the compiler's words. Late is true where it had no time left.
type notBuilt struct {
	says string
	late bool
}

func (n *notBuilt) Error() string { return n.says }

// build compiles a program. The error is a *notBuilt if it is the program's fault.
func (s *sandbox) build(ctx context.Context, source string) (wasm []byte, err error) {
	wasm, err = s.compile(ctx, source, true)
	if n := (*notBuilt)(nil); errors.As(err, &n) && (strings.Contains(n.says, "undefined: lab.") || strings.Contains(n.says, "fingerprint mismatch")) { // it asks for figures
		return s.compile(ctx, source, false)
	}
	return wasm, err
}

func (s *sandbox) compile(ctx context.Context, source string, light bool) (wasm []byte, err error) {
	dir, err := os.MkdirTemp(s.scratch, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666), os.WriteFile(filepath.Join(dir, "importcfg"), []byte(s.config[light]), 0o666)); err != nil {
		return nil, err
	}
	for _, step := range s.archives.Build(dir, "main.go") {
		if err := s.tool(ctx, dir, step); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(filepath.Join(dir, "main.wasm"))
}

// tool runs the compiler or the linker with its limits.
func (s *sandbox) tool(ctx context.Context, dir string, step program.Step) error {
	const script = `ulimit -v %d 2>/dev/null; ulimit -t %d; ulimit -f %d; ulimit -c 0; exec "$0" "$@"`
	limits := fmt.Sprintf(script, buildMemory, int(buildTime.Seconds()), programSize/512)
	cmd := exec.Command("/bin/sh", append([]string{"-c", limits, s.tools[step[0]]}, step[1:]...)...)
	cmd.Dir, cmd.Env = dir, slices.Concat(target, []string{"TMPDIR=" + dir, "GOMAXPROCS=2"})
	said := &head{limit: longestBuild}
	cmd.Stdout, cmd.Stderr = said, said
	limited, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	err := kernel.Supervise(limited, cmd, dir, 0)
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return &notBuilt{fmt.Sprintf("the compiler did not end within %v", buildTime), true}
	case !errors.As(err, &exit):
		return err
	}
	// Where the disk is full, that is no fault of the program.
	probe := filepath.Join(dir, "probe")
	if full := os.WriteFile(probe, make([]byte, 1<<20), 0o666); full != nil {
		return full
	}
	says, _, _ := strings.Cut(strings.ReplaceAll(said.String(), dir+"/", ""), "\n\ngoroutine ") // of a compiler without memory
	return &notBuilt{says: cmp.Or(strings.TrimSpace(says), err.Error())}
}

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(b []byte) (int, error) {
	h.Buffer.Write(b[:min(len(b), h.limit-h.Len())])
	return len(b), nil
}

// largestFunction returns the size in bytes of the largest function of a program that the linker has written.
func largestFunction(wasm []byte) (largest int) {
	const codeSection = 10
	rest := wasm[len("\x00asm\x01\x00\x00\x00"):]
	number := func() int {
		n, size := binary.Uvarint(rest)
		rest = rest[size:]
		return int(n)
	}
	for len(rest) > 0 {
		id := rest[0]
		rest = rest[1:]
		if size := number(); id != codeSection {
			rest = rest[size:]
			continue
		}
		for range number() {
			size := number()
			largest, rest = max(largest, size), rest[size:]
		}
	}
	return largest
}

// session is one answer with its check.
type session struct {
	limit    time.Duration
	stop     context.CancelCauseFunc
	clock    *time.Timer // set when the check begins
	toAnswer chan []byte
	toCheck  chan []byte
	ended    chan struct{} // closed when the answer's program has ended
	kind     int           // the verdict, or -1
	message  string
}

var errEndless = errors.New("your function did not end within")

// seat is a program's place in a session, the value of its context.
type seat struct {
	*session
	in, out chan []byte
	over    chan struct{} // closed when the other program has ended, nil if that ends this one anyway
	first   []byte        // the first message for the program, or nil if it comes from the other one
	next    []byte        // the message that the program is to take
}

type seatKey struct{}

// leave ends the program that calls the host.
func leave() { panic(sys.NewExitError(sys.ExitCodeContextCanceled)) }

// exchange sends a message to the other program, or none if it has no bytes, waits for the next one, and returns its length.
func exchange(ctx context.Context, m api.Module, at, size uint32) uint32 {
	s := ctx.Value(seatKey{}).(*seat)
	if message, ok := m.Memory().Read(at, size); size > longestSent || !ok {
		leave()
	} else if size > 0 {
		select {
		case s.out <- bytes.Clone(message):
		case <-s.over:
			leave()
		case <-ctx.Done():
			leave()
		}
	}
	if s.first != nil {
		s.next, s.first = s.first, nil
		return uint32(len(s.next))
	}
	select {
	case s.next = <-s.in:
	case <-s.over:
		leave()
	case <-ctx.Done():
		leave()
	}
	return uint32(len(s.next))
}

// take writes the message that exchange has announced.
func take(ctx context.Context, m api.Module, at uint32) {
	if s := ctx.Value(seatKey{}).(*seat); !m.Memory().Write(at, s.next) {
		leave()
	}
}

// begin is called by a check before its work: its time begins.
func begin(ctx context.Context, limit int64) {
	if s := ctx.Value(seatKey{}).(*seat); s.clock == nil {
		s.limit = min(s.limit, time.Duration(limit))
		s.clock = time.AfterFunc(s.limit, func() { s.stop(errEndless) })
	}
}

// verdict is called by a check at its end.
func verdict(ctx context.Context, m api.Module, kind, at, size uint32) {
	message, _ := m.Memory().Read(at, size)
	if s := ctx.Value(seatKey{}).(*seat); s.kind < 0 {
		s.kind, s.message = int(kind), string(message)
	}
}

// run has a check judge the answer of the given number in a program. The error is ctx's, or says why the lesson itself cannot be graded.
func (s *sandbox) run(ctx context.Context, check, answer wazero.CompiledModule, number byte, limit time.Duration) (Result, string, error) {
	all := &session{limit: limit, toAnswer: make(chan []byte), toCheck: make(chan []byte), ended: make(chan struct{}), kind: -1}
	limited, cancel := context.WithTimeoutCause(ctx, limit+startTime, errEndless)
	defer cancel()
	limited, all.stop = context.WithCancelCause(limited)
	said := &head{limit: longestSaid} // by the answer's program
	var fault error                   // and its end
	go func() {
		defer close(all.ended)
		fault = start(limited, s.answers, answer, said, &seat{session: all, in: all.toAnswer, out: all.toCheck, first: []byte{number}})
	}()
	defer func() { all.stop(nil); <-all.ended }()
	checkSaid := &head{limit: longestSaid}
	checkFault := start(limited, s.checks, check, checkSaid, &seat{session: all, in: all.toCheck, out: all.toAnswer, over: all.ended})
	if all.clock != nil {
		defer all.clock.Stop()
	}
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case all.kind == wire.Solved:
		return Solved, "", nil
	case all.kind == wire.Wrong:
		return Wrong, line(all.message), nil
	case all.kind == wire.NoChecks:
		return "", "", errors.New(all.message)
	case errors.Is(context.Cause(limited), errEndless):
		return OutOfTime, fmt.Sprintf("%v %v", errEndless, all.limit), nil
	}
	select {
	case <-all.ended:
		return Wrong, line(ending("its program ended before the check did", said, fault)), nil
	default:
		return Wrong, line(ending("the check could not go on with what the function returned", checkSaid, checkFault)), nil
	}
}

// ending says how a program ended: its last words, but for the list of goroutines, or else its fault.
func ending(what string, said *head, fault error) string {
	text, _, _ := strings.Cut(said.String(), "\n\ngoroutine ")
	exit := (*sys.ExitError)(nil)
	switch {
	case strings.TrimSpace(text) != "":
		return text
	case errors.As(fault, &exit):
		return fmt.Sprintf("%s: exit status %d", what, exit.ExitCode())
	case fault != nil:
		text, _, _ = strings.Cut(fault.Error(), "\n")
		return what + ": " + text
	}
	return what
}

// start runs a program to its end.
func start(ctx context.Context, r wazero.Runtime, program wazero.CompiledModule, said *head, s *seat) error {
	began := time.Now()
	// Packages ask for the program's name, so it has one, and no other argument.
	config := wazero.NewModuleConfig().WithName("").WithArgs("answer").WithStderr(said).WithSysWalltime().
		WithNanotime(func() int64 { return int64(time.Since(began)) }, sys.ClockResolution(1)).
		WithNanosleep(func(ns int64) { time.Sleep(min(time.Duration(ns), 10*time.Millisecond)) }) // then it looks whether its context has ended
	m, err := r.InstantiateModule(context.WithValue(ctx, seatKey{}, s), program, config)
	if m != nil {
		err = errors.Join(err, m.Close(context.Background()))
	}
	return err
}
