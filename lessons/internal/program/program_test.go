package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// The program is built, with the lessons' data and within its size, and draws two states of every explorable as Go does natively.
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
	if err := compile(t.Context(), root, all, t.TempDir(), native, nil); err != nil {
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
			for _, s := range []int{e.First, len(e.Stored) - 1} {
				s := e.Stored[s]
				state, err := json.Marshal(s.State)
				if err != nil {
					t.Fatal(err)
				}
				draws = append(draws, fmt.Sprintf(`draw {"lesson":%q,"id":%q,"state":%s}`, all[i].Slug, e.ID, state))
				names = append(names, all[i].Slug+", "+s.Name)
			}
		}
	}
	if len(draws) < 20 {
		t.Fatalf("%d stored states: the test sees less than there is", len(draws))
	}
	natively := answers(draws, native)
	type answer struct {
		live.Drawing
		Error string
	}
	for i, reply := range natively {
		var d answer
		if err := json.Unmarshal([]byte(reply), &d); err != nil || d.Error != "" || d.Fails != "" || d.Caption == "" || !strings.Contains(d.SVG, "</svg>") {
			t.Errorf("%s: %v %s %s", names[i], err, d.Error, d.Fails)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node to run WebAssembly; the browser's tests compare the words")
	}
	for i, reply := range answers(draws, "node", "-e", node, filepath.Join(dir, Folder, s.Start), filepath.Join(dir, Folder, s.Program)) {
		var there, here answer
		if err := errors.Join(json.Unmarshal([]byte(reply), &there), json.Unmarshal([]byte(natively[i]), &here)); err != nil {
			t.Fatal(err)
		}
		if err := sameDrawing(there.SVG, here.SVG); err != nil {
			t.Errorf("%s: WebAssembly and native: %v", names[i], err)
		}
		there.SVG, here.SVG = "", ""
		if a, b := fmt.Sprintf("%+v %+v", there, there.Window), fmt.Sprintf("%+v %+v", here, here.Window); pointer.ReplaceAllString(a, "") != pointer.ReplaceAllString(b, "") {
			t.Errorf("%s: WebAssembly and native say\n%s\n%s", names[i], a, b)
		}
	}
}

var (
	number  = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?`)
	label   = regexp.MustCompile(`fig-[0-9a-f]+`) // made of the drawing
	pointer = regexp.MustCompile(`0x[0-9a-f]+`)
)

// sameDrawing compares two drawings: the same elements, and places that an eye cannot tell apart. An iterative fit, whose sums the
// two targets order differently, ends at other digits.
func sameDrawing(a, b string) error {
	const apart = 0.1 // points
	a, b = label.ReplaceAllString(a, ""), label.ReplaceAllString(b, "")
	if number.ReplaceAllString(a, "0") != number.ReplaceAllString(b, "0") {
		return errors.New("the drawings have other elements or texts")
	}
	in := number.FindAllString(b, -1)
	for i, s := range number.FindAllString(a, -1) {
		x, errX := strconv.ParseFloat(s, 64)
		y, errY := strconv.ParseFloat(in[i], 64)
		if errX != nil || errY != nil || !(math.Abs(x-y) <= apart) {
			return fmt.Errorf("number %d is %s and %s", i+1, s, in[i])
		}
	}
	return nil
}

// A lesson becomes a file with the imports that it uses; what runs is taken from explorable cells only, and exercises are left out.
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
	for _, want := range []string{`"01-one": lesson01.Explorables`, "m \"math\"", `"math/rand/v2"`, "/*line lessons/01-one.md:10:1*/func draw()", "fmt := 1"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	for _, not := range []string{"not run", "\"fmt\"", "func draw() {}"} {
		if strings.Contains(all, not) {
			t.Errorf("%q in\n%s", not, all)
		}
	}
	if _, err := generate(t, "```go tags=[\"explorable\", \"fold\"] summary=\"s\"\n%%\nx :=\n```\n"); err == nil || !strings.Contains(err.Error(), "lessons/01-one.md:4:") {
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

func TestSameDrawing(t *testing.T) {
	const drawing = `<svg id="fig-1a"><path d="M1.5,-2e-3"/><text>a 3</text></svg>`
	for other, same := range map[string]bool{
		drawing: true,
		`<svg id="fig-2b"><path d="M1.58,0.003"/><text>a 3</text></svg>`: true,
		`<svg id="fig-1a"><path d="M1.7,-2e-3"/><text>a 3</text></svg>`:  false,
		`<svg id="fig-1a"><path d="M1.5,-2e-3"/><text>b 3</text></svg>`:  false,
		`<svg id="fig-1a"><path d="MNaN,-2e-3"/><text>a 3</text></svg>`:  false,
		`<svg id="fig-1a"><path d="M1.5,-2e-3"/></svg>`:                  false,
	} {
		if err := sameDrawing(drawing, other); (err == nil) != same {
			t.Errorf("%s: %v", other, err)
		}
	}
}
