package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/svmkit/course/lessons/internal/grade"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/lab"
)

// The lines that start the container are the same wherever they are printed; binder/verify runs those
// of the README.
func TestDockerLines(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^docker build.*\nmkdir.*\ndocker run.*$`)
	want := lines.FindString(read(t, "README.md"))
	if got := lines.FindString(read(t, "docs/how-to/host-a-class.md")); want == "" || got != want {
		t.Errorf("docs/how-to/host-a-class.md has\n%s\nREADME.md has\n%s", got, want)
	}
	for _, word := range []string{"docker build -t svm-course https://github.com/svmkit/course.git", "docker run --rm -p 127.0.0.1:8888:8888 svm-course"} {
		if !strings.Contains(noJupyter, word) {
			t.Errorf("without Jupyter, no word of %q", word)
		}
	}
	for _, word := range strings.Fields("docker run --rm -p 127.0.0.1:8888:8888 svm-course") {
		if !strings.Contains(want, word) {
			t.Errorf("README.md has no %q in\n%s", word, want)
		}
	}
	// The image listens on all its own addresses. That only this machine reaches it, each line that starts it says.
	runs, seen := regexp.MustCompile("docker run [^\n`]*"), 0
	for _, name := range append(docPages(t), "README.md", "SECURITY.md", "binder/Dockerfile", "binder/open-lessons") {
		for _, run := range runs.FindAllString(read(t, name), -1) {
			words := append(strings.Fields(run), "")
			for i, word := range words {
				option, value, given := strings.Cut(word, "=")
				if !given && i+1 < len(words) {
					value = words[i+1]
				}
				switch option {
				case "-p", "--publish":
					seen++
					if !strings.HasPrefix(value, "127.0.0.1:") {
						t.Errorf("%s: %s publishes the port to other machines", name, run)
					}
				case "-P", "--publish-all", "--net", "--network":
					t.Errorf("%s: %s opens the container to other machines", name, run)
				}
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d lines start the image; are they still read?", seen)
	}
	// Who asks for Binder gets the same address, too.
	binder := regexp.MustCompile(`https://mybinder\.org/v2/\S+?\.ipynb`)
	if got, want := binder.FindString(noJupyter), binder.FindString(read(t, "README.md")); got != want || want == "" {
		t.Errorf("Binder is at %q and %q", got, want)
	}
}

// docs/troubleshooting.md quotes our own messages as they are printed.
func TestTroubleshootingQuotes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	other, _, _ := strings.Cut(strings.Replace(ours(dir).Error(), dir, "…", 1), " `go run")
	gopls := "Code is not completed in the notebooks: " + (&kernel.StartError{Doing: "building gopls", Err: errors.New("…")}).Error()
	page := read(t, "docs/troubleshooting.md")
	for _, message := range []string{
		cannotWrite("…/notebooks", &fs.PathError{Err: syscall.EACCES}).Error(),
		strings.TrimSuffix(other, "."),
		gopls,
	} {
		if !strings.Contains(page, message) {
			t.Errorf("docs/troubleshooting.md has no %q", message)
		}
	}
	for _, message := range []string{"cannot be written by the user with the number", "is lost"} {
		if !strings.Contains(page, message) || !strings.Contains(read(t, "binder/open-lessons"), message) {
			t.Errorf("%q is not in both docs/troubleshooting.md and binder/open-lessons", message)
		}
	}
}

// docPages are the Markdown files below docs.
func docPages(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(".."), "docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A form describes commands of the blocks "sh course" by a file that they need and a text in this file.
type form struct {
	command *regexp.Regexp
	file    string // of the repository, with the groups of the command; empty if the command needs none
	text    string // in this file
}

// forms are all commands of these blocks, apart from go run ./lessons, whose flags are parsed.
var forms = []form{
	{regexp.MustCompile(`^go install github\.com/svmkit/course/(\S+)@latest$`), "$1/main.go", "func main()"},
	{regexp.MustCompile(`^(?:go mod init birds|go mod tidy|go run \.|svm -h|export PATH="\$PATH:\$\(go env GOPATH\)/bin"|mkdir -p work)$`), "", ""},
	{regexp.MustCompile(`^(?:go get|git clone https://)\s*(github\.com/svmkit/course)(?:@latest)?$`), "go.mod", "module $1\n"},
	{regexp.MustCompile(`^cd course$`), "", ""},
	{regexp.MustCompile(`^docker build -t svm-course(?: --build-arg (NB_UID)=\$\(id -u\))? https://github\.com/svmkit/course\.git$`), "binder/Dockerfile", "ARG $1"},
	{regexp.MustCompile(`^docker build -t svm-course-hub "https://github\.com/svmkit/course\.git#:(\S+)"$`), "$1/Dockerfile", "FROM svm-course"},
	{regexp.MustCompile(`^docker run --rm -p 127\.0\.0\.1:8888:8888 -v "\$PWD/work:(/home/student/work)" svm-course$`), "", ""},
	{regexp.MustCompile(`^go run -C binder \./class -students 20 -hub https://your\.hub$`), "binder/class/main.go", `&s.hub, "hub"`},
	{regexp.MustCompile(`^go test -C \.ci/browser -run (CellTimes) -v \.$`), ".ci/browser/published_test.go", "func Test$1("},
	{regexp.MustCompile(`^go test \./lessons(?: -run (TestForm)/15 -v)?$`), "lessons/gates_test.go", "func $1"},
	{regexp.MustCompile(`^sudo apt install (?:--no-install-recommends )?[a-z -]+$`), "", ""},
	{regexp.MustCompile(`^jupyter nbconvert --to (?:html|pdf) (notebooks/\S+)$`), "$1", `"cells"`},
	{regexp.MustCompile(`^jupyter nbconvert .* --TagRemovePreprocessor\.remove_cell_tags (\S+) (notebooks/\S+)$`), "$2", `"$1"`},
	{regexp.MustCompile(`^chromium --headless --no-pdf-header-footer --print-to-pdf=03\.pdf site/(\S+)\.html$`), "lessons/$1.md", "title:"},
	{regexp.MustCompile(`^cp (lessons/\S+) lessons/15-mine\.md$`), "$1", "title:"},
}

// Every command of the course on the pages is one that there is: its flags are parsed by the command itself, and its files
// and texts are in the repository.
func TestCommandsOfThePages(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^```sh course\n(.*?)^```$")
	inline := regexp.MustCompile("`(go run \\./lessons[^`]*)`")
	all, seen := lessons(t, moduleRoot), 0
	parse := func(page, command string) {
		command, _, _ = strings.Cut(command, " #")
		_, operands, err := (&app{out: io.Discard, err: io.Discard}).parse(strings.Fields(command)[3:])
		if err != nil && !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %s: %v", page, command, err)
		}
		for _, operand := range operands {
			if n, err := strconv.Atoi(operand); err == nil && n > len(all)+1 {
				t.Errorf("%s: %s: there is no lesson %d", page, command, n)
			}
		}
	}
	for _, page := range docPages(t) {
		text := read(t, page)
		for _, found := range inline.FindAllStringSubmatch(text, -1) {
			parse(page, found[1])
		}
		for _, block := range blocks.FindAllStringSubmatch(text, -1) {
			for command := range strings.Lines(block[1]) {
				command = strings.TrimSpace(command)
				seen++
				if strings.HasPrefix(command, "go run ./lessons") {
					parse(page, command)
					continue
				}
				i := slices.IndexFunc(forms, func(f form) bool { return f.command.MatchString(command) })
				if i < 0 {
					t.Errorf("%s: no test knows the command %s", page, command)
					continue
				}
				f := forms[i]
				file, want := f.command.ReplaceAllString(command, f.file), f.command.ReplaceAllString(command, f.text)
				if file != "" && !strings.Contains(read(t, file), want) {
					t.Errorf("%s: %s: %s has no %q", page, command, file, want)
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d commands were found", seen)
	}
}

// The notebook that write-a-lesson.md tells its reader to save runs, and its claim holds.
func TestNotebookOfThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a kernel")
	}
	found := regexp.MustCompile("(?ms)^````markdown lesson\n(.*?)^````$").FindStringSubmatch(read(t, "docs/how-to/write-a-lesson.md"))
	if found == nil {
		t.Fatal("there is no notebook")
	}
	file := filepath.Join(t.TempDir(), "mine.md")
	if err := os.WriteFile(file, []byte(found[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, err := call(t, "run", file); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
	executed, err := os.ReadFile(strings.TrimSuffix(file, ".md") + ".ipynb")
	if err != nil || !strings.Contains(string(executed), "optimal") || !strings.Contains(string(executed), "✓ the certificate is valid") {
		t.Errorf("%v\n%s", err, executed)
	}
}

// The numbers on the pages for teachers are those of the files that set or measured them.
func TestNumbersOfHosting(t *testing.T) {
	page := read(t, "docs/how-to/host-a-class.md")
	for _, n := range []struct{ page, file, text string }{
		{"one cell every 30 seconds", "binder/class/report-2026-11-23.md", "at a cell every 30s | 86 |"},
		{"one core serves 86 students", "binder/class/report-2026-11-23.md", "at a cell every 30s | 86 |"},
		{"A student needed 190 MB", "binder/class/report-2026-11-23.md", "(PSS), mean | 190 MB |"},
		{"101 MB for the server", "binder/class/report-2026-11-23.md", "jupyterhub-sing, mean | 101 MB |"},
		{"75 MB for the completion", "binder/class/report-2026-11-23.md", "gopls, mean | 75 MB |"},
		{"12 MB for the kernel", "binder/class/report-2026-11-23.md", "gonb, mean | 12 MB |"},
		{"needed 0.35 s of processor time", "binder/class/report-2026-11-23.md", "a student's median | 0.35 s |"},
		{"the median student waited 13 s", "binder/class/report-2026-11-23.md", "to a kernel, median | 13.46 s |"},
		{"300 s of processor time (`CELL_CPU_SECONDS`)", "binder/hub/limited", "${CELL_CPU_SECONDS:-300}"},
		{"a file grows to 1 GB", "binder/hub/limited", "ulimit -f 2097152 # blocks of 512 bytes"},
		{"a kernel is idle for an hour", "binder/hub/culling.json", `"cull_idle_timeout": 3600`},
		{"or a server for two", "binder/hub/culling.json", `"shutdown_no_activity_timeout": 7200`},
		{"a volume of 1 GB", "binder/hub/values.yaml", "capacity: 1Gi"},
		{"the number 1000", "binder/Dockerfile", "ARG NB_UID=1000"},
	} {
		if !strings.Contains(page, n.page) || !strings.Contains(read(t, n.file), n.text) {
			t.Errorf("the page has no %q, or %s has no %q", n.page, n.file, n.text)
		}
	}
	// The plan: 25 students per core, 260 MB per student, 1 GB per machine and 0.5 GB for hub and proxy.
	if !strings.Contains(page, "25 students per core and 260 MB per student, and add 1 GB per machine for the system and 0.5 GB for hub") {
		t.Error("the page plans otherwise")
	}
	for _, plan := range []struct{ students, machines int }{{30, 1}, {100, 1}, {300, 3}} {
		memory := 0.26*float64(plan.students) + float64(plan.machines) + 0.5
		cores := (plan.students + 24) / 25
		if row := fmt.Sprintf("| %d | %d | %.1f GB |", plan.students, cores, memory); !strings.Contains(page, row) {
			t.Errorf("the page has no row %s", row)
		}
	}
	// The lines for the spawner name the image and the folder of the lines above them.
	spawner := regexp.MustCompile("(?ms)^```python jupyterhub\n(.*?)^```$").FindString(page)
	for _, words := range []string{`image = "svm-course-hub"`, `cmd = ["jupyterhub-singleuser"]`, `"/home/student/work"}`} {
		if !strings.Contains(spawner, words) {
			t.Errorf("no %s in the lines for the spawner", words)
		}
	}
	if !strings.Contains(read(t, "binder/hub/Dockerfile"), `CMD ["jupyterhub-singleuser"]`) {
		t.Error("the image starts something else")
	}
	limit, header := fmt.Sprintf("took longer than %.0f s", lab.TimeLimit.Seconds()), "| "+strings.ReplaceAll(grade.Header, ",", " | ")+" |"
	if page := read(t, "docs/how-to/grade.md"); !strings.Contains(page, limit) || !strings.Contains(page, header) {
		t.Errorf("docs/how-to/grade.md has no %q or no %q", limit, header)
	}
}
