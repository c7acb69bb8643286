// Package docs runs the programs of the pages that stand in this folder, for tests: those of this module, and those of
// the module tools, which has the peers.
package docs

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// elsewhere is by how much, relatively, a printed number may differ on another processor, or with another version of a
// peer.
const elsewhere = 0.01

// Fence is a block of code: its language with what follows, and its text.
var Fence = regexp.MustCompile("(?ms)^```([^\n]+)\n(.*?)^```$")

// Page returns the text of the page "Coming from", of the module at root.
func Page(t *testing.T, root string) string {
	page, err := os.ReadFile(filepath.Join(root, "docs", "coming-from.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// RunPrograms runs every program of the page in the module at root, in the order of the page, and compares what each
// prints with the page. With theirs, it runs the programs of scikit-learn, LIBSVM and LIBLINEAR too.
func RunPrograms(t *testing.T, root string, theirs bool) {
	folder := Folder(t, root)
	build := func(output, source string) {
		t.Helper()
		c := exec.Command("go", "build", "-o", filepath.Join(folder, "bin", output), source)
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	build("svm", "./cmd/svm")
	blocks := Fence.FindAllStringSubmatch(Page(t, root), -1)
	ran := map[string]int{}
	for k, block := range blocks {
		language, code, want := block[1], block[2], ""
		if k+1 < len(blocks) && blocks[k+1][1] == "text" {
			want = blocks[k+1][2]
		}
		name := fmt.Sprintf("program%d", k)
		source := filepath.Join(folder, name+".go")
		switch {
		case language == "text", language == "sh", (language == "python" || language == "go peers") && !theirs:
			continue
		case language == "python" && strings.Contains(code, "def save_for_go"):
			tested, err := os.ReadFile(filepath.Join(root, "svmkit/modelfile/testdata/save_for_go.py"))
			if err != nil || string(tested) != code {
				t.Errorf("error %v, or save_for_go is another one than in package modelfile", err)
			}
			write(t, filepath.Join(folder, "save_for_go.py"), code)
		case language == "python":
			write(t, filepath.Join(folder, name+".py"), code)
			Compare(t, code, Run(t, folder, "/usr/bin/python3 -W ignore "+name+".py"), want)
		case language == "go", language == "go peers":
			write(t, source, code)
			build(name, source)
			Compare(t, code, Run(t, folder, name), want)
		case language == "console":
			if strings.HasPrefix(code, "$ svm-") && !theirs {
				continue
			}
			for _, part := range strings.Split(code, "$ ")[1:] {
				command, want, _ := strings.Cut(part, "\n")
				Compare(t, command, Run(t, folder, command), want)
			}
		default:
			t.Errorf("a block in the language %q", language)
		}
		ran[language]++
	}
	if ran["go"] < 9 || ran["console"] < 6 || theirs && ran["python"] < 11 {
		t.Errorf("only %v were run", ran)
	}
}

// Folder returns a folder with what the programs of the page read, for the module at root.
func Folder(t *testing.T, root string) string {
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	birds, err := os.ReadFile(filepath.Join(root, "docs", "data", "penguins.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "penguins.csv"), string(birds))
	if err := os.Symlink(filepath.Join(root, "svmkit", "samples", "data"), filepath.Join(folder, "data")); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip(err)
	}
	return folder
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Run runs a command of the shell in the folder and returns what it prints.
func Run(t *testing.T, folder, command string) string {
	t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Dir = folder
	c.Env = append(os.Environ(), "PATH="+filepath.Join(folder, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// Compare compares what a program printed with the page: word by word, and numbers as numbers.
func Compare(t *testing.T, program, got, want string) {
	t.Helper()
	a, b := strings.Fields(got), strings.Fields(want)
	same := len(a) == len(b)
	for k := 0; same && k < len(a); k++ {
		x, errX := strconv.ParseFloat(a[k], 64)
		y, errY := strconv.ParseFloat(b[k], 64)
		same = a[k] == b[k] || errX == nil && errY == nil && math.Abs(x-y) <= elsewhere*math.Abs(y)
	}
	if !same {
		t.Errorf("%s\nprinted\n%s\nthe page has\n%s", program, got, want)
	}
}
