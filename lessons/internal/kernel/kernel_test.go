package kernel

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/notebook"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == orphanArgument {
		orphanMaker()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == sleepArgument {
		time.Sleep(1000 * time.Second)
		return
	}
	leaktest.Main(m)
}

// sleepArgument makes the test binary into a program that sleeps, so that the tests need no program of the system.
const sleepArgument = "sleep-for-long"

// sleeper is Go source: an *exec.Cmd that sleeps.
func sleeper() string { return fmt.Sprintf("exec.Command(%q, %q)", os.Args[0], sleepArgument) }

// forever is a cell that waits without end. Go ends a bare select{} as a deadlock.
const forever = "import \"time\"\n%%\nfor {\ntime.Sleep(time.Hour)\n}"

// limit is the time that a cell of these tests may take on a slow machine.
const limit = 60 * time.Second

// gonb returns the real kernel's Spec; it is built once.
func gonb(t testing.TB) Spec {
	t.Helper()
	if !supported {
		t.Skip("GoNB does not run here")
	}
	spec, err := builtGoNB()
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

var builtGoNB = sync.OnceValues(func() (Spec, error) {
	return GoNB(context.Background(), Settings{Root: filepath.Join("..", "..", "..")})
})

// start starts a kernel and checks, at the end of the test, that Close leaves
// neither processes nor files.
func start(t testing.TB) *Kernel {
	t.Helper()
	k, err := Start(t.Context(), gonb(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := k.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
		if pids := family(k); len(pids) != 0 {
			t.Errorf("Close left processes %v", pids)
		}
		if _, err := os.Stat(k.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Close left the directory %s (%v)", k.dir, err)
		}
		if _, err := k.Execute(context.Background(), ""); !errors.Is(err, ErrClosed) {
			t.Errorf("Execute after Close: %v, want ErrClosed", err)
		}
	})
	return k
}

// family lists living processes that belong to the kernel: those of its group,
// told by /proc/PID/stat, and those that carry its marker. The kernel itself and
// its watchdog count only when they should be gone. Without /proc it is empty.
func family(k *Kernel) []int {
	pids := map[int]bool{}
	for _, pid := range marked(k.dir, 0) {
		pids[pid] = true
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// "pid (name) state ppid pgrp …"; a name may hold anything.
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(fields) > 2 && fields[0] != "Z" && fields[2] == strconv.Itoa(k.proc.cmd.Process.Pid) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids[pid] = true
		}
	}
	if k.proc.alive() {
		delete(pids, k.proc.cmd.Process.Pid)
		if k.proc.guard != nil {
			delete(pids, k.proc.guard.Process.Pid)
		}
	}
	list := []int{}
	for pid := range pids {
		list = append(list, pid)
	}
	return list
}

func execute(t testing.TB, k *Kernel, code string) *Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	res, err := k.Execute(ctx, code)
	if err != nil {
		t.Fatalf("%v; outputs so far: %+v", err, res)
	}
	return res
}

func ok(t testing.TB, k *Kernel, code string) *Result {
	t.Helper()
	res := execute(t, k, code)
	if res.Status != StatusOK || res.Error != "" {
		t.Fatalf("status %q: %s", res.Status, res.Failure())
	}
	return res
}

// TestCells runs ordinary cells on one kernel, in order.
func TestCells(t *testing.T) {
	k := start(t)

	t.Run("hello", func(t *testing.T) {
		res := ok(t, k, "import \"fmt\"\n%%\nfmt.Println(\"hello, ü\")")
		if got, want := show(res.Outputs), "stdout=hello, ü\n"; got != want || res.ExecutionCount != 1 {
			t.Errorf("outputs %q, count %d; want %q, 1", got, res.ExecutionCount, want)
		}
	})
	t.Run("declarations persist, values do not", func(t *testing.T) {
		ok(t, k, "var n = 1\nfunc twice() int { return 2 * n }\n%%\nn = 50")
		res := ok(t, k, "%%\nfmt.Print(twice())")
		if got := show(res.Outputs); got != "stdout=2" {
			t.Errorf("outputs %q, want stdout=2", got)
		}
	})
	t.Run("stdout and stderr", func(t *testing.T) {
		res := ok(t, k, "import \"os\"\n%%\nfmt.Println(1)\nfmt.Println(2)\nfmt.Fprintln(os.Stderr, 3)")
		if out, err := res.Stream("stdout"), res.Stream("stderr"); out != "1\n2\n" || err != "3\n" {
			t.Errorf("stdout %q, stderr %q", out, err)
		}
	})
	for _, test := range []struct{ name, code, failure string }{
		{"panic", "%%\npanic(\"the claim is broken\")", "panic: the claim is broken (exit status 2)"},
		{"runtime error", "%%\nvar a []int\nfmt.Println(a[3])", "panic: runtime error: index out of range [3] with length 0"},
		{"deadlock", "%%\nselect {}", "fatal error: all goroutines are asleep - deadlock!"},
		{"exit", "%%\nos.Exit(3)", "exit status 3"},
		{"last words", "%%\nfmt.Fprintln(os.Stderr, \"claim 4 fails\")\nos.Exit(1)", "claim 4 fails (exit status 1)"},
		{"compile error", "%%\nundeclared(1)", "undefined: undeclared"},
		{"syntax error", "func bad( {", "expected ')', found '{'"},
		{"unknown module", "import \"example.com/nothing\"\n%%\nnothing.X()", "no required module provides package example.com/nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := execute(t, k, test.code)
			if res.Status != StatusError || res.Error == "" {
				t.Fatalf("status %q, error %q, want an error", res.Status, res.Error)
			}
			if !strings.Contains(res.Failure(), test.failure) || strings.Contains(res.Failure(), k.dir) {
				t.Errorf("Failure = %q, want %q in it and no session path", res.Failure(), test.failure)
			}
			last := res.Outputs[len(res.Outputs)-1]
			if last.Type != notebook.Error || last.EValue != res.Error || len(last.Traceback) == 0 {
				t.Errorf("the last output is no error output: %+v", last)
			}
		})
	}
	t.Run("after errors the kernel goes on", func(t *testing.T) {
		ok(t, k, "%%\nfmt.Println(1)")
	})
	t.Run("figure", func(t *testing.T) { testFigure(t, k) })
	t.Run("updates", func(t *testing.T) {
		res := ok(t, k, `%%
gonbui.UpdateHTML("a", "one")
gonbui.DisplayHTML("two")
gonbui.UpdateHTML("a", "three")
gonbui.Sync()`)
		if len(res.Outputs) != 2 || res.Outputs[0].Data["text/html"] != "three" || res.Outputs[1].Data["text/html"] != "two" {
			t.Errorf("outputs %+v", res.Outputs)
		}
		res = ok(t, k, "%%\ngonbui.UpdateHTML(\"a\", \"four\")\ngonbui.Sync()")
		if len(res.Outputs) != 0 {
			t.Errorf("in a later cell: outputs %+v", res.Outputs)
		}
	})
	t.Run("input request", func(t *testing.T) {
		res := ok(t, k, `%%
gonbui.RequestInput("your name?", false)
var s string
n, _ := fmt.Scanln(&s)
fmt.Printf("%d %q", n, s)`)
		if got := show(res.Outputs); got != `stdout=0 ""` {
			t.Errorf("outputs %q", got)
		}
	})
	t.Run("widget", func(t *testing.T) {
		const cell = `import "github.com/janpfeifer/gonb/gonbui/widgets"
%%
s := widgets.Slider(0, 10, 5).Done()
c := widgets.Select([]string{"a", "b", "c"}).SetDefault(2).Done()
b := widgets.Button("press").Done()
heard := b.Listen()
fmt.Println(s.Value(), c.Value())
gonbui.Sync()
select {
case v := <-heard.C:
	fmt.Println("touched", v)
default:
	fmt.Println("untouched")
}`
		// GoNB waits 3 s for a front end that does not connect. A busy machine may take as long, but hardly each time.
		var res *Result
		took := time.Hour
		for try := 0; try < 3 && took > 3*time.Second; try++ {
			began := time.Now()
			res = ok(t, k, cell)
			took = time.Since(began)
		}
		if !strings.Contains(show(res.Outputs), "stdout=5 2\nuntouched") {
			t.Errorf("outputs %q", show(res.Outputs))
		}
		for _, o := range res.Outputs {
			if html, _ := o.Data["text/html"].(string); strings.Contains(html, "WebSocket") {
				t.Error("the script that connects a browser was kept")
			}
		}
		if took > 3*time.Second && !raceDetector {
			t.Errorf("a widget took %v", took)
		}
	})
	t.Run("a slider that waits for a reader", func(t *testing.T) {
		// The packages are compiled before the clock starts: that takes long on a busy machine.
		ok(t, k, `import "github.com/svmkit/course/lessons/lab"
import "github.com/svmkit/course/lessons/figures"
import "github.com/svmkit/course/plots"
%%
lab.Show(lab.Must(figures.BiasShift([]float64{1, 0}, []float64{0})))`)
		began := time.Now()
		res := ok(t, k, `%%
lab.Live(lab.Explorable{Sliders: []lab.Slider{{Label: "bias", Values: []float64{0, 1}}}, Claim: "holds",
	Check: func(lab.State) error { return nil },
	Draw:  func(s lab.State) (*plots.Figure, error) { return figures.BiasShift([]float64{1, 0}, s.Sliders) }})`)
		if !strings.Contains(show(res.Outputs), "Slider: bias") {
			t.Errorf("outputs %q", show(res.Outputs))
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("it waited for %v", took)
		}
	})
	t.Run("the course's own packages", func(t *testing.T) {
		res := ok(t, k, `import "github.com/svmkit/course/svmkit"
%%
fmt.Print(svmkit.ErrEmpty)`)
		if got := show(res.Outputs); got != "stdout=no rows" {
			t.Errorf("outputs %q", got)
		}
	})
}

func testFigure(t *testing.T, k *Kernel) {
	res := ok(t, k, `import (
	"bytes"
	"image"
	"image/png"
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)
func figure() []byte {
	var b bytes.Buffer
	png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5)))
	return b.Bytes()
}
%%
gonbui.DisplayPng(figure())
fmt.Println("between")
gonbui.SendData(&protocol.DisplayData{
	Data: map[protocol.MIMEType]any{
		protocol.MIMEImagePNG: figure(),
		"application/x.svm+json": "custom",
		"text/plain": "seven by five",
	},
	Metadata: map[string]any{"alt": "a black box", "width": 7},
})
gonbui.Sync()`)
	var figures []notebook.Output
	for _, o := range res.Outputs {
		if o.Type == notebook.DisplayData {
			figures = append(figures, o)
		}
	}
	if len(figures) != 2 || res.Stream("stdout") != "between\n" {
		t.Fatalf("%d figures in %q, want 2", len(figures), show(res.Outputs))
	}
	for _, o := range figures {
		raw, err := base64.StdEncoding.DecodeString(o.Data["image/png"].(string))
		if err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(raw)); err != nil || img.Bounds().Dx() != 7 || img.Bounds().Dy() != 5 {
			t.Errorf("image %v, error %v, want 7×5", img, err)
		}
	}
	second := figures[1]
	if second.Metadata["alt"] != "a black box" || second.Metadata["width"] != 7.0 {
		t.Errorf("metadata %v", second.Metadata)
	}
	if second.Data["application/x.svm+json"] != "custom" || second.Data["text/plain"] != "seven by five" {
		t.Errorf("data %v", second.Data)
	}
}

// TestStopping stops cells in every way, on one kernel that survives it all.
func TestStopping(t *testing.T) {
	k := start(t)
	ok(t, k, "import (\"fmt\"; \"os\"; \"os/exec\"; \"os/signal\"; \"syscall\"; \"time\")\nvar _ = fmt.Sprint\n")

	// Enough for a cell to be compiled and to say that it has begun, on a slow machine too.
	began := time.Now()
	ok(t, k, "%%\nfmt.Println(1)")
	firstLimit := max(1200*time.Millisecond, 4*time.Since(began))

	// after is how long Execute may take beyond the cell's limit.
	const after = 15 * time.Second
	for _, test := range []struct{ name, code string }{
		{"busy", "%%\nfmt.Println(\"begun\")\nfor {\n}"},
		{"blocked", "%%\nfmt.Println(\"begun\")\ngo func() { for { time.Sleep(time.Second) } }()\nselect {}"},
		{"deaf to the interrupt", "%%\nsignal.Ignore(os.Interrupt)\nfmt.Println(\"begun\")\ntime.Sleep(time.Hour)"},
		{"held open by a child", "%%\nc := " + sleeper() + "\nc.Stdout = os.Stdout\nc.SysProcAttr = &syscall.SysProcAttr{Setsid: true}\nfmt.Println(\"begun\", c.Start())"},
		{"shell", "!echo begun; '" + os.Args[0] + "' " + sleepArgument},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.HasPrefix(test.name, "held") && runtime.GOOS != "linux" {
				t.Skip("processes that leave the group are found on Linux only")
			}
			var res *Result
			var err error
			var took time.Duration
			cellLimit := firstLimit
			for try := range 4 { // a machine that gets busy all at once may not even have compiled the cell in time
				cellLimit = firstLimit << try
				ctx, cancel := context.WithTimeout(t.Context(), cellLimit)
				defer cancel()
				began := time.Now()
				res, err = k.Execute(ctx, test.code)
				took = time.Since(began)
				if res != nil && strings.HasPrefix(res.Stream("stdout"), "begun") {
					break
				}
			}
			var timeout *TimeoutError
			if !errors.As(err, &timeout) || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("error %v, want a TimeoutError", err)
			}
			if took < cellLimit || took > cellLimit+after {
				t.Errorf("took %v, want %v to %v", took, cellLimit, cellLimit+after)
			}
			if timeout.KernelEnded || !k.proc.alive() {
				t.Errorf("the kernel did not survive: %+v", timeout)
			}
			pids := family(k)
			for range 20 { // what has been killed may not yet be gone
				if len(pids) == 0 {
					break
				}
				time.Sleep(100 * time.Millisecond)
				pids = family(k)
			}
			if len(pids) != 0 {
				t.Errorf("processes %v are left", pids)
			}
			// Under the race detector compiling alone can take the time.
			if !strings.HasPrefix(res.Stream("stdout"), "begun") && !raceDetector {
				t.Errorf("outputs before the stop are lost: %+v", res)
			}
		})
	}
	t.Run("interrupt", func(t *testing.T) {
		stop := time.AfterFunc(time.Second, k.interrupt)
		defer stop.Stop()
		began := time.Now()
		res := execute(t, k, forever)
		if res.Status != StatusError || time.Since(began) > 30*time.Second {
			t.Errorf("status %q after %v, want an error after about 1 s", res.Status, time.Since(began))
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(time.Second, cancel).Stop()
		var timeout *TimeoutError
		if _, err := k.Execute(ctx, forever); !errors.Is(err, context.Canceled) || errors.As(err, &timeout) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		if res, err := k.Execute(ctx, "%%"); res != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: %v, %v", res, err)
		}
	})
	t.Run("flood", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		began := time.Now()
		res, err := k.Execute(ctx, `%%
line := make([]byte, 1<<20)
for i := range line { line[i] = 'x' }
for range 100 { os.Stdout.Write(line) }`)
		if !errors.Is(err, ErrFlood) {
			t.Fatalf("error %v, want ErrFlood", err)
		}
		if n := len(res.Stream("stdout")); n > maxStreamBytes+200 || n < maxStreamBytes/2 {
			t.Errorf("%d bytes kept, limit %d", n, maxStreamBytes)
		}
		t.Logf("%v after %v", err, time.Since(began))
	})
	t.Run("usable afterwards", func(t *testing.T) {
		if res := ok(t, k, "%%\nfmt.Print(1)"); show(res.Outputs) != "stdout=1" {
			t.Errorf("outputs %q", show(res.Outputs))
		}
	})
	t.Run("a background child does not outlive the kernel", func(t *testing.T) {
		// One is found in both ways, one only by its process group, one (on Linux) only by its environment.
		own := ""
		if runtime.GOOS == "linux" {
			own = "begin(true, nil)"
		}
		res := ok(t, k, `%%
begin := func(own bool, env []string) {
	c := `+sleeper()+`
	c.Env, c.SysProcAttr = env, &syscall.SysProcAttr{Setsid: own}
	fmt.Println(c.Start())
	fmt.Println(c.Process.Pid)
}
begin(false, nil)
begin(false, []string{})
`+own)
		var pids []int
		for _, word := range strings.Fields(res.Stream("stdout")) {
			if pid, err := strconv.Atoi(word); err == nil && running(pid) {
				pids = append(pids, pid)
			}
		}
		if want := 2 + min(1, len(own)); len(pids) != want {
			t.Fatalf("%d children were started, want %d: %q", len(pids), want, res.Stream("stdout"))
		}
		k.Close()
		for range 100 { // the dead wait for init to reap them
			if pids = slices.DeleteFunc(pids, func(pid int) bool { return !running(pid) || dead(pid) }); len(pids) == 0 {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("the children %v live", pids)
	})
}

// dead reports whether Linux says that the process is a zombie: it has no command line.
func dead(pid int) bool {
	line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	return err == nil && len(line) == 0
}

// running reports whether the process exists, be it as a zombie.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// TestKernelDies kills two kernels, one in a cell and one between cells; the
// two run at the same time.
func TestKernelDies(t *testing.T) {
	inCell, between := start(t), start(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		var killed time.Time
		timer := time.AfterFunc(1500*time.Millisecond, func() {
			killed = time.Now()
			inCell.proc.cmd.Process.Kill()
		})
		defer timer.Stop()
		_, err := inCell.Execute(t.Context(), forever)
		if !errors.Is(err, ErrKernelDied) || !strings.Contains(err.Error(), " (signal: killed)\n\t") {
			t.Errorf("error %v, want ErrKernelDied by a signal, with the kernel's last lines", err)
		}
		if took := time.Since(killed); took > 10*time.Second {
			t.Errorf("noticed after %v", took)
		}
	})
	wg.Go(func() {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		if res, err := between.Execute(ctx, "import \"fmt\"\n%%\nfmt.Print(1)"); err != nil || show(res.Outputs) != "stdout=1" {
			t.Errorf("%+v, %v", res, err)
		}
		between.proc.cmd.Process.Kill()
		<-between.proc.dead
		if _, err := between.Execute(ctx, "%%"); !errors.Is(err, ErrKernelDied) {
			t.Errorf("error %v, want ErrKernelDied", err)
		}
	})
	wg.Wait()
}

// TestCloseEndsExecute closes a kernel in the middle of a cell.
func TestCloseEndsExecute(t *testing.T) {
	k := start(t)
	time.AfterFunc(700*time.Millisecond, func() { k.Close() })
	if _, err := k.Execute(t.Context(), forever); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}
