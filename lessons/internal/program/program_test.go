package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/live"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func lessons(t *testing.T) (root string, all []*course.Lesson) {
	t.Helper()
	root, err := course.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	if all, err = course.Lessons(root); err != nil {
		t.Fatal(err)
	}
	return root, all
}

// node runs the published program outside of a browser, as the Worker does, and answers each line.
const node = `globalThis.crypto ??= require("crypto").webcrypto;
const fs = require("fs"), [start, program] = process.argv.slice(1);
require(start);
const go = new Go();
WebAssembly.instantiate(fs.readFileSync(program), go.importObject).then(({ instance }) => {
	go.run(instance);
	const answers = fs.readFileSync(0, "utf8").trim().split("\n").map((line) => {
		const space = line.indexOf(" ");
		return svmkit(line.slice(0, space), line.slice(space + 1)) + "\n";
	});
	process.stdout.write(answers.join(""), () => process.exit(0));
});`

// The program is built, with the lessons' data and within its size, and draws every stored state of every lesson as Go does natively.
func TestProgramDrawsAsNatively(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	root, all := lessons(t)
	dir := t.TempDir()
	s, err := Publish(t.Context(), root, all, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", s.Bytes, s.Gzip)
	const limit = 5_000_000
	if s.Gzip > limit {
		t.Errorf("the program has %d bytes compressed, at most %d", s.Gzip, limit)
	}
	native := filepath.Join(dir, "native")
	if err := (Target{}).Compile(t.Context(), root, all, native); err != nil {
		t.Fatal(err)
	}
	answers := func(requests []string, name string, args ...string) []string {
		c := exec.CommandContext(t.Context(), name, args...)
		c.Stdin, c.Stderr = strings.NewReader(strings.Join(requests, "\n")+"\n"), os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != len(requests) {
			t.Fatalf("%s: %d answers to %d requests: %.300s", name, len(lines), len(requests), out)
		}
		return lines
	}
	var requests, draws, names []string
	for _, l := range all {
		requests = append(requests, fmt.Sprintf(`open {"lesson":%q}`, l.Slug))
	}
	for i, reply := range answers(requests, native) {
		var opened struct {
			live.OpenReply
			Error string
		}
		if err := json.Unmarshal([]byte(reply), &opened); err != nil || opened.Error != "" && !strings.Contains(opened.Error, "no lesson") {
			t.Fatalf("%s: %v %s", all[i].Slug, err, opened.Error)
		}
		for _, e := range opened.Explorables {
			for _, s := range e.Stored {
				state, err := json.Marshal(s.State)
				if err != nil {
					t.Fatal(err)
				}
				draws = append(draws, fmt.Sprintf(`draw {"lesson":%q,"id":%q,"state":%s}`, all[i].Slug, e.ID, state))
				names = append(names, all[i].Slug+", "+s.Name)
			}
		}
	}
	if len(draws) < 50 {
		t.Fatalf("%d stored states: the test sees less than there is", len(draws))
	}
	natively := answers(draws, native)
	for i, reply := range natively {
		var d struct {
			live.Drawing
			Error string
		}
		if err := json.Unmarshal([]byte(reply), &d); err != nil || d.Error != "" || d.Fails != "" || d.Caption == "" || !strings.Contains(d.SVG, "</svg>") {
			t.Errorf("%s: %v %s %s", names[i], err, d.Error, d.Fails)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node to run WebAssembly; the browser's tests compare the words")
	}
	for i, reply := range answers(draws, "node", "-e", node, filepath.Join(dir, Folder, s.Start), filepath.Join(dir, Folder, s.Program)) {
		if reply != natively[i] {
			t.Errorf("%s: WebAssembly and native differ:\n%.300s\n%.300s", names[i], reply, natively[i])
		}
	}
}

// Each cell becomes a file with the imports that it uses; what runs is taken from explorable cells only, and exercises are left out.
func TestGenerate(t *testing.T) {
	files, err := generate(t, "```go\nimport (\n\t\"fmt\"\n\t\"math/rand/v2\"\n\tm \"math\"\n)\n```\n\n"+
		"```go\nfunc draw() float64 { return m.Floor(rand.Float64()) }\n\n%%\nfmt.Println(\"not run\")\n```\n\n"+
		"```go tags=[\"explorable\", \"fold\"] summary=\"s\"\n%%\nfmt := 1\ndraw()\n```\n\n"+
		"```go tags=[\"exercise\"]\nfunc draw() {}\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for name, text := range files {
		all += "// " + name + "\n" + text
	}
	for _, want := range []string{`"01-one": lesson01.Explorables`, "m \"math\"", `rand "math/rand/v2"`, "//line lessons/01-one.md:", "fmt := 1"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	for _, not := range []string{"not run", "fmt \"fmt\"", "func draw() {}"} {
		if strings.Contains(all, not) {
			t.Errorf("%q in\n%s", not, all)
		}
	}
	if _, err := generate(t, "```go tags=[\"explorable\", \"fold\"] summary=\"s\"\n%%\nx :=\n```\n"); err == nil || !strings.Contains(err.Error(), "lessons/01-one.md: cell") {
		t.Errorf("a cell that is no Go: %v", err)
	}
	if files, err := generate(t, "```go\nfunc f() {}\n```\n"); err != nil || len(files) != 1 {
		t.Errorf("a lesson with nothing to move: %v, %v", files, err)
	}
}

func generate(t *testing.T, text string) (map[string]string, error) {
	t.Helper()
	root := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(root, "lessons"), 0o777), os.WriteFile(filepath.Join(root, "lessons", "01-one.md"), []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
	all, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	return Generate(all)
}

// A build that is interrupted ends, and leaves the site as it was.
func TestInterrupted(t *testing.T) {
	root, all := lessons(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if _, err := Publish(ctx, root, all, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
