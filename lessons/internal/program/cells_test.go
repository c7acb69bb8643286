package program

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// cellDriver runs a built cell in node with the Worker of the pages.
const cellDriver = driver + `importScripts(args[0]);
listener({ data: { start: args[1], tools: {}, steps: [] } });
WebAssembly.compile(fs.readFileSync(args[2])).then((program) => listener({ data: { id: 1, program } }));`

// toolDriver builds and runs cells with the published tools.
const toolDriver = driver + `const zlib = require("zlib"), [worker, dir, cells] = args;
importScripts(worker);
(async () => {
	const state = JSON.parse(fs.readFileSync(dir + "/run.json", "utf8")), tools = {};
	for (const name in state.tools) tools[name] = await WebAssembly.compile(fs.readFileSync(dir + "/" + state.tools[name]));
	const archives = new Blob([zlib.gunzipSync(fs.readFileSync(dir + "/" + state.archives))]);
	listener({ data: { start: dir + "/" + state.start, tools, archives, steps: state.steps } });
	listener({ data: { id: 1, cells: JSON.parse(cells) } });
})();`

// driver gives the Worker's script in node what it has in a browser, and prints its answers.
const driver = `const fs = require("fs"), vm = require("vm");
globalThis.crypto ??= require("crypto").webcrypto;
const args = process.argv.slice(1), answers = [];
let listener;
globalThis.addEventListener = (_, f) => { listener = f; };
globalThis.importScripts = (path) => vm.runInThisContext(fs.readFileSync(path, "utf8"));
globalThis.postMessage = (m) => {
	answers.push(m);
	if (m.done) process.stdout.write(JSON.stringify(answers), () => process.exit(0));
};
`

// answer is one of the Worker's.
type answer struct {
	Done           bool
	Status         int
	Error, Message string
	Output         struct {
		Type     notebook.OutputType `json:"output_type"`
		Name     string
		Text     string
		Data     map[string]any
		Metadata map[string]any
	}
}

// cellLab builds cells with the machine's own compiler and linker for WebAssembly, and runs them in node.
type cellLab struct {
	archives      *Archives
	toolDir       string
	worker, start string
}

func newCellLab(t *testing.T, root string) *cellLab {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node to run WebAssembly; the browser's tests run some cells")
	}
	a, err := CompileArchives(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	places, err := run(t.Context(), root, nil, "env", "GOTOOLDIR", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	toolDir, goroot, _ := strings.Cut(places, "\n")
	return &cellLab{a, toolDir, filepath.Join(root, "lessons", "internal", "site", "assets", "cells-worker.js"), filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")}
}

// run runs the last of the cells, as a page would, and returns its outputs.
func (c *cellLab) run(ctx context.Context, dir string, all []cells.Cell) (outputs []notebook.Output, err error) {
	source, err := cells.Assemble(all, c.archives.Known)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666), os.WriteFile(filepath.Join(dir, "importcfg"), []byte(c.archives.Config("")), 0o666)); err != nil {
		return nil, err
	}
	for _, s := range c.archives.steps(dir)[1:] {
		tool := exec.CommandContext(ctx, filepath.Join(c.toolDir, s[0]), s[1:]...)
		tool.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := tool.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s[0], err, out)
		}
	}
	const limit = 3 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "-e", cellDriver, c.worker, c.start, filepath.Join(dir, "main.wasm"))
	node.Stderr = os.Stderr
	text, err := node.Output()
	var answers []answer
	if err := cmp.Or(ctx.Err(), err, json.Unmarshal(text, &answers)); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	for _, a := range answers {
		if a.Done && a.Status != 0 {
			return outputs, fmt.Errorf("status %d %s", a.Status, a.Error)
		}
		if !a.Done {
			outputs = append(outputs, notebook.Output{Type: a.Output.Type, Name: a.Output.Name, Text: a.Output.Text, Data: a.Output.Data, Metadata: a.Output.Metadata})
		}
	}
	return outputs, nil
}

// Every code cell of every lesson runs without a kernel and shows what it shows in the notebook; with SVMKIT_RELIABILITY=full all, else some.
func TestCellsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles what cells import")
	}
	root, all := lessons(t)
	c := newCellLab(t, root)
	type job struct {
		name    string
		session []cells.Cell
		want    []notebook.Output
		stale   bool // this cell or one before has changed since the notebook was run
	}
	var jobs []job
	for _, l := range all {
		nb, err := l.Present()
		if err != nil {
			t.Fatal(err)
		}
		var session []cells.Cell
		stale := false
		for i := range nb.Cells {
			cell := &nb.Cells[i]
			if !cell.Runs() {
				continue
			}
			session = append(session, cells.Cell{Name: fmt.Sprintf("cell%d", i+1), Source: cell.Source})
			stale = stale || cell.ExecutionCount == nil
			jobs = append(jobs, job{fmt.Sprintf("%s %s (lessons/%s.md:%d)", l.Slug, cell.ID, l.Slug, l.Parsed.Cells[i].Line), slices.Clip(session), cell.Outputs, stale})
		}
	}
	total := len(jobs)
	if os.Getenv("SVMKIT_RELIABILITY") != "full" {
		const some = 8
		var few []job
		for i := range some {
			few = append(few, jobs[(2*i+1)*len(jobs)/(2*some)])
		}
		jobs = few
	}
	if only := os.Getenv("CELLS"); only != "" {
		jobs = slices.DeleteFunc(jobs, func(j job) bool { return !strings.Contains(j.name, only) })
	}
	reasons := readReasons(t)
	var m sync.Mutex
	same, listed, stale := 0, 0, 0
	queue := make(chan job)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			dir := t.TempDir()
			for j := range queue {
				got, err := c.run(t.Context(), dir, j.session)
				other := sameOutputs(got, j.want)
				m.Lock()
				reason, ok := reasons[strings.Join(strings.Fields(j.name)[:2], " ")]
				switch {
				case err != nil:
					said := ""
					for _, o := range got {
						said += o.Text
					}
					t.Errorf("%s: %v\n%s", j.name, err, said)
				case other == nil:
					same++
				case ok:
					listed++
					t.Logf("%s: %s", j.name, reason)
				case j.stale:
					stale++
				default:
					t.Errorf("%s: %v", j.name, other)
				}
				m.Unlock()
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	workers.Wait()
	t.Logf("%d of %d cells ran: %d with the outputs of the notebook, %d with others for a listed reason, %d have changed, or a cell before has, since the notebook was run",
		len(jobs), total, same, listed, stale)
}

// readReasons reads why the outputs of some cells are others: lines of a lesson, a cell's id, and the reason.
func readReasons(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cells.txt"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for l := range strings.Lines(string(text)) {
		if fields := strings.SplitN(strings.TrimSpace(l), " ", 3); len(fields) == 3 && fields[0] != "#" {
			reasons[fields[0]+" "+fields[1]] = fields[2]
		}
	}
	return reasons
}

// sameOutputs compares what two runs of a cell show: the same texts in the same order, and the same figures.
func sameOutputs(got, want []notebook.Output) error {
	got, want = joined(got), joined(want)
	for i := range min(len(got), len(want)) {
		a, b := got[i], want[i]
		if a.Type != b.Type || a.Name != b.Name || a.Text != b.Text {
			return fmt.Errorf("output %d is %s %s\n%s\nwant %s %s\n%s", i, a.Type, a.Name, a.Text, b.Type, b.Name, b.Text)
		}
		if !reflect.DeepEqual(plain(a.Metadata), plain(b.Metadata)) {
			return fmt.Errorf("output %d has metadata\n%v\nwant\n%v", i, a.Metadata, b.Metadata)
		}
		if a, b := slices.Sorted(maps.Keys(a.Data)), slices.Sorted(maps.Keys(b.Data)); !slices.Equal(a, b) {
			return fmt.Errorf("output %d has %q, want %q", i, a, b)
		}
		for mime := range a.Data {
			here, there := fmt.Sprint(a.Data[mime]), fmt.Sprint(b.Data[mime])
			if here, there := picture.ReplaceAllString(here, ""), picture.ReplaceAllString(there, ""); mime != "image/png" && here != there {
				return fmt.Errorf("output %d has as %s\n%.2000s\nwant\n%.2000s", i, mime, here, there)
			}
			if err := samePictures(mime, here, there); err != nil {
				return fmt.Errorf("output %d: %w", i, err)
			}
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d outputs, want %d", len(got), len(want))
	}
	return nil
}

// joined is the outputs with the pieces of a stream together, stdout before stderr, and displays after: a kernel's pipes keep no order among
// them.
func joined(outputs []notebook.Output) []notebook.Output {
	var texts [2]string
	var rest []notebook.Output
	for _, o := range outputs {
		switch {
		case o.Type == notebook.Stream && o.Name == "stdout":
			texts[0] += o.Text
		case o.Type == notebook.Stream:
			texts[1] += o.Text
		default:
			rest = append(rest, o)
		}
	}
	for i, name := range []string{"stdout", "stderr"} {
		if texts[i] != "" {
			rest = append(rest, notebook.Output{Type: notebook.Stream, Name: name, Text: texts[i]})
		}
	}
	return rest
}

// plain is a value as JSON has it.
func plain(v any) (out any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return err
	}
	if m, ok := out.(map[string]any); ok && len(m) == 0 {
		return nil
	}
	return out
}

var picture = regexp.MustCompile(`data:image/png;base64,([A-Za-z0-9+/=]+)`)

// samePictures compares the pictures in an output. Drawings whose numbers differ in the last digits may have other pixels at edges.
func samePictures(mime, got, want string) error {
	pictures := func(s string) (all []string) {
		if mime == "image/png" {
			return []string{strings.TrimSpace(s)}
		}
		for _, m := range picture.FindAllStringSubmatch(s, -1) {
			all = append(all, m[1])
		}
		return all
	}
	a, b := pictures(got), pictures(want)
	if len(a) != len(b) {
		return fmt.Errorf("%d pictures, want %d", len(a), len(b))
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		const apart = 0.002 // of full black, on average over the picture
		if d, err := difference(a[i], b[i]); err != nil || !(d <= apart) {
			return fmt.Errorf("picture %d of %s differs by %.4f, at most %.4f: %v", i+1, mime, d, apart, err)
		}
	}
	return nil
}

// difference is the mean distance of two pictures' pixels, 0 to 1.
func difference(a, b string) (float64, error) {
	var pictures [2]image.Image
	for i, s := range []string{a, b} {
		raw, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return math.NaN(), err
		}
		if pictures[i], _, err = image.Decode(bytes.NewReader(raw)); err != nil {
			return math.NaN(), err
		}
	}
	box := pictures[0].Bounds()
	if box != pictures[1].Bounds() {
		return math.NaN(), fmt.Errorf("%v and %v", box, pictures[1].Bounds())
	}
	sum := 0.0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r0, g0, b0, _ := pictures[0].At(x, y).RGBA()
			r1, g1, b1, _ := pictures[1].At(x, y).RGBA()
			sum += math.Abs(float64(r0)-float64(r1)) + math.Abs(float64(g0)-float64(g1)) + math.Abs(float64(b0)-float64(b1))
		}
	}
	return sum / (3 * 0xffff * float64(box.Dx()*box.Dy())), nil
}

// The published tools build and run a cell in the Worker, as a page does, and tell a fault by its line.
func TestPublishedTools(t *testing.T) {
	if os.Getenv("SVMKIT_RELIABILITY") != "full" {
		t.Skip("builds the compiler; the browser's tests use one that is built: SVMKIT_RELIABILITY=full asks for it")
	}
	root, _ := lessons(t)
	c := newCellLab(t, root)
	site := t.TempDir()
	s, err := PublishCells(t.Context(), root, site)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %+v", s.Go, s.Sizes)
	const limit = 30_000_000
	if s.Gzip > limit {
		t.Errorf("%d bytes to load, at most %d", s.Gzip, limit)
	}
	first := cells.Cell{Name: "cell1", Source: "import \"github.com/svmkit/course/lessons/lab\"\n\nfunc f() int { return 3 }"}
	for _, x := range []struct{ source, want string }{
		{"%%\nlab.Check(\"three\", f() == 3, \"\")", "✓ three\n"},
		{"%%\nlab.Check(\"four\", f() == 4, \"\")", "✗ four\n"},
		{"%%\nvar x string = f()", "cell2:2:5: declared and not used: x\ncell2:2:16: cannot use f() (value of type int) as string value in variable declaration\n"},
		{"%%\nfmt.Println(1)\nselect {}", "fatal error: all goroutines are asleep - deadlock!"},
		{"%%\nvar all [][]byte\nfor { all = append(all, make([]byte, 1<<28)); all[len(all)-1][0] = 1 }", "out of memory"},
	} {
		text, err := c.published(t.Context(), filepath.Join(site, CellsFolder), []cells.Cell{first, {Name: "cell2", Source: x.source}})
		if err != nil || !strings.Contains(text, x.want) {
			t.Errorf("%q: %v\n%.1000s\nwant %s", x.source, err, text, x.want)
		}
	}
}

// published runs the last of the cells with the tools of a site, and returns what it wrote.
func (c *cellLab) published(ctx context.Context, dir string, all []cells.Cell) (text string, err error) {
	request, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	const limit = 3 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "-e", toolDriver, c.worker, dir, string(request))
	node.Stderr = os.Stderr
	out, err := node.Output()
	var answers []answer
	if err := cmp.Or(ctx.Err(), err, json.Unmarshal(out, &answers)); err != nil {
		return "", fmt.Errorf("node: %w", err)
	}
	for _, a := range answers {
		text += a.Output.Text + a.Error + a.Message
	}
	return text, nil
}
