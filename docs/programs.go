// Package docs runs the code of the tutorials and how-to guides in this folder, for tests: our programs in the tests of
// this module, and those of scikit-learn, LIBSVM and LIBLINEAR in the tests of the module tools.
package docs

import (
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// elsewhere is by how much, relatively, a printed number may differ on another processor, or with another version of a
// peer.
const elsewhere = 0.01

// Fence is a block of code: its language with what follows, and its text.
var Fence = regexp.MustCompile("(?ms)^```([^\n]+)\n(.*?)^```$")

// Page returns the text of a page, by its path in the folder docs of the module at root.
func Page(t *testing.T, root, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// Pages returns the tutorials and the how-to guides, by their paths in the folder docs of the module at root.
func Pages(t *testing.T, root string) (names []string) {
	t.Helper()
	for _, kind := range []string{"tutorials", "how-to"} {
		files, err := filepath.Glob(filepath.Join(root, "docs", kind, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", kind, files, err)
		}
		for _, file := range files {
			names = append(names, kind+"/"+filepath.Base(file))
		}
	}
	return names
}

// RunPrograms runs every block of code of the tutorials and guides in the module at root, in the order of each page, and
// compares what the block prints with the block "text" below it. With theirs, it also runs the programs of scikit-learn,
// LIBSVM and LIBLINEAR.
//
// The languages of the blocks are:
//
//	sh             commands
//	sh peers       commands that need the peers, or a file that a program of a peer has written
//	sh course      commands of the course, which a test in the folder lessons checks
//	go, go peers   a complete program
//	go server      a program that answers on port 8080, with "sh server" and "text server" for a request and its answer;
//	               it is only built unless theirs
//	python         a program with scikit-learn
//	python jupyterhub  a configuration, which a test in the folder lessons checks
//	text           the output of the block above
func RunPrograms(t *testing.T, root string, theirs bool) {
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	build(t, root, filepath.Join(bin, "svm"), "./cmd/svm")
	withoutNetwork(t, root)
	ran, pages := map[string]int{}, Pages(t, root)
	for _, name := range pages {
		t.Run(name, func(t *testing.T) {
			runPage(t, root, Page(t, root, name), theirs, ran)
			ran["page"]++
		})
	}
	if ran["page"] < len(pages) { // -run has chosen some of them, or one has failed
		return
	}
	if ran["go"] < 13 || ran["sh"] < 38 || theirs && (ran["python"] < 12 || ran["sh peers"] < 10) {
		t.Errorf("only %v were run", ran)
	}
}

// runPage runs the blocks of one page in an empty folder and counts them by their language.
func runPage(t *testing.T, root, page string, theirs bool, ran map[string]int) {
	folder := t.TempDir()
	blocks := Fence.FindAllStringSubmatch(notebooks.ReplaceAllString(page, ""), -1)
	for k, block := range blocks {
		language, code, want := block[1], block[2], ""
		if k+1 < len(blocks) && blocks[k+1][1] == "text" {
			want = blocks[k+1][2]
		}
		name := fmt.Sprintf("program%d", k)
		switch {
		case language == "text" && k > 0 && runs(blocks[k-1][1]), strings.HasSuffix(language, " course"), language == "python jupyterhub":
			continue
		case (language == "python" || strings.HasSuffix(language, " peers")) && !theirs && !strings.Contains(code, "def save_for_go"):
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
		case language == "go", language == "go peers", language == "go server":
			source := filepath.Join(folder, name+".go")
			write(t, source, code)
			program := filepath.Join(folder, name)
			if language == "go server" {
				address := freeAddress(t)
				write(t, source, strings.ReplaceAll(code, serverAddress, address))
				build(t, root, program, source)
				if theirs && k+2 < len(blocks) {
					serve(t, folder, program, address, blocks[k+1][2], blocks[k+2][2])
				}
				break
			}
			build(t, root, program, source)
			Compare(t, code, Run(t, folder, program), want)
		case language == "sh server" && k > 0 && blocks[k-1][1] == "go server", language == "text server" && k > 0 && blocks[k-1][1] == "sh server":
			continue
		case language == "sh", language == "sh peers":
			Compare(t, code, Run(t, folder, "set -e\n"+code), want)
		default:
			t.Errorf("a block in the language %q, which no test runs", language)
		}
		ran[language]++
	}
}

// notebooks are blocks that hold a notebook with blocks of its own, which a test in the folder lessons runs.
var notebooks = regexp.MustCompile("(?ms)^````markdown.*?^````$")

// runs reports whether a block in the language prints what the block below it shows.
func runs(language string) bool {
	first, _, _ := strings.Cut(language, " ")
	return (first == "sh" || first == "go" || first == "python") && !strings.HasSuffix(language, " course") && !strings.HasSuffix(language, " server")
}

// serverAddress is where the servers of the pages listen.
const serverAddress = "127.0.0.1:8080"

// freeAddress returns an address on this machine that no other test uses.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve starts a server of a page, sends it the page's request and compares the answer.
func serve(t *testing.T, folder, program, address, request, want string) {
	t.Helper()
	c := exec.Command(program)
	c.Dir = folder
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		c.Process.Kill()
		c.Wait()
	}()
	for range 100 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	Compare(t, request, Run(t, folder, strings.ReplaceAll(request, serverAddress, address)), want)
}

// Folder returns a folder with the data of the course in data, and penguins.csv, for the module at root. Commands of a
// page that fetch a file get it from this checkout.
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
	withoutNetwork(t, root)
	return folder
}

// withoutNetwork puts a curl on PATH that takes files from the module at root, where the pages take them from its code
// host. So a page cannot name a file that is not there. It skips the test if there is no awk, which cuts the files.
func withoutNetwork(t *testing.T, root string) {
	t.Helper()
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	write(t, filepath.Join(bin, "curl"), `#!/bin/sh
found=
for address do
	case $address in
	https://raw.githubusercontent.com/svmkit/course/HEAD/*) cp '`+root+`'/"${address#*/HEAD/}" . || exit 22; found=yes ;;
	http://127.0.0.1:*) PATH="${PATH#*:}" exec curl "$@" ;;
	esac
done
[ -n "$found" ] || exit 6
`)
	if err := os.Chmod(filepath.Join(bin, "curl"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func build(t *testing.T, root, output, source string) {
	t.Helper()
	c := exec.Command("go", "build", "-o", output, source)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// way begins the lines of a report whose numbers tell of the way of a solver or of the time, which is another one on
// another machine.
var way = regexp.MustCompile(`(?m)^(?:iterations|updates|relative gap|KKT|bias|support|seconds) .*$`)

var number = regexp.MustCompile(`[-−]?\d[\d.,]*(?:e[-+]\d+)?`)

// Compare compares what a program printed with the page: word by word, and numbers as numbers. In a report of svm train,
// the numbers of the lines of way may be others.
func Compare(t *testing.T, program, got, want string) {
	t.Helper()
	free := func(text string) []string {
		return strings.Fields(way.ReplaceAllStringFunc(text, func(line string) string { return number.ReplaceAllString(line, "#") }))
	}
	a, b := free(got), free(want)
	same := len(a) == len(b)
	for k := 0; same && k < len(a); k++ {
		x, errX := strconv.ParseFloat(strings.TrimSuffix(a[k], ","), 64) // in JSON a comma follows
		y, errY := strconv.ParseFloat(strings.TrimSuffix(b[k], ","), 64)
		same = a[k] == b[k] || errX == nil && errY == nil && math.Abs(x-y) <= elsewhere*math.Abs(y)
	}
	if !same {
		t.Errorf("%s\nprinted\n%s\nthe page has\n%s", program, got, want)
	}
}
