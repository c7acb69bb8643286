package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
)

// Named gopls, this binary is the program under test in the folder ours, and in theirs what that starts.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "gopls" {
		if filepath.Base(filepath.Dir(os.Args[0])) == "theirs" {
			server()
		} else {
			main()
		}
		return
	}
	leaktest.Main(m)
}

// server writes its number, its limit of memory and the methods that it hears to a file, answers every request with the
// method's name, and asks for the configuration before it answers a hover. It does not end by itself.
func server() {
	log, err := os.OpenFile(os.Getenv("HEARD"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 1 {
		fmt.Fprintln(log, os.Args[1:])
		return
	}
	fmt.Fprintln(log, os.Getpid(), os.Getenv("GOMEMLIMIT"))
	for in := bufio.NewReader(os.Stdin); ; {
		m, err := read(in)
		if err != nil {
			time.Sleep(2 * patience)
			return
		}
		fmt.Fprintln(log, m.Method, string(m.Params)+string(m.Result))
		if m.Method == "textDocument/hover" {
			if err := write(os.Stdout, message{Version: "2.0", ID: json.RawMessage("99"), Method: "workspace/configuration"}); err != nil {
				return
			}
		}
		if m.ID != nil && m.Method != "" {
			if err := write(os.Stdout, message{Version: "2.0", ID: m.ID, Result: json.RawMessage(`"` + m.Method + `"`)}); err != nil {
				return
			}
		}
	}
}

// start starts the program under test, beside the one that stands in for gopls, and returns what tells what that heard.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, heard func() string) {
	t.Helper()
	base := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"ours", "theirs"} {
		if err := os.Mkdir(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, dir, "gopls"), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(base, "heard")
	cmd = exec.Command(filepath.Join(base, "ours", "gopls"), args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(base, "ours")+":"+filepath.Join(base, "theirs"), "HEARD="+log)
	cmd.Stderr = os.Stderr
	return cmd, func() string {
		text, _ := os.ReadFile(log)
		return string(text)
	}
}

// gonb is GoNB's side of the connection.
type gonb struct {
	*testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (g gonb) send(id int, method, params string) {
	g.Helper()
	m := message{Version: "2.0", Method: method, Params: json.RawMessage(params)}
	if id > 0 {
		m.ID = json.RawMessage(fmt.Sprint(id))
	}
	if err := write(g.conn, m); err != nil {
		g.Fatal(err)
	}
}

func (g gonb) answer(id int, result string) {
	g.Helper()
	m, err := read(g.in)
	if err != nil || string(m.ID) != fmt.Sprint(id) || string(m.Result) != result {
		g.Fatalf("answer %s to %s, %v; want %s to %d", m.Result, m.ID, err, result, id)
	}
}

const patience = 20 * time.Second

func dial(t *testing.T, address string) gonb {
	t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", address)
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			return gonb{t, conn, bufio.NewReader(conn)}
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}

func file(uri string) string { return `{"textDocument":{"uri":"` + uri + `"}}` }

func TestGoplsStartsAtTheFirstRequest(t *testing.T) {
	address := filepath.Join(t.TempDir(), "socket")
	cmd, heard := start(t, "-listen", "unix;"+address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g := dial(t, address)
	g.send(1, "initialize", `{"workspaceFolders":[{"uri":"file:///tmp/gonb_1","name":"gonb_1"}],"capabilities":{}}`)
	g.answer(1, `{"capabilities":{}}`)
	g.send(0, "initialized", "{}")
	g.send(0, "textDocument/didOpen", file("file:///tmp/gonb_1/main.go"))
	g.send(0, "textDocument/didOpen", file("file:///course/svm.go"))
	g.send(0, "textDocument/didChange", file("file:///course/svm.go"))
	if got := heard(); got != "" {
		t.Fatalf("gopls runs before it is asked, and heard\n%s", got)
	}
	g.send(2, "textDocument/completion", "{}")
	g.answer(2, `"textDocument/completion"`)
	g.send(0, "textDocument/didOpen", file("file:///course/more.go"))
	g.send(0, "textDocument/didChange", file("file:///course/more.go"))
	g.send(0, "textDocument/didClose", file("file:///course/more.go"))
	g.send(0, "textDocument/didChange", file("file:///tmp/gonb_1/main.go"))
	g.send(3, "textDocument/hover", "{}")
	if m, err := read(g.in); err != nil || m.Method != "workspace/configuration" {
		t.Fatalf("%q, %v; want gopls' question", m.Method, err)
	}
	g.answer(3, `"textDocument/hover"`)
	if err := write(g.conn, message{Version: "2.0", ID: json.RawMessage("99"), Result: json.RawMessage("[]")}); err != nil {
		t.Fatal(err)
	}
	g.send(4, "textDocument/definition", "{}")
	g.answer(4, `"textDocument/definition"`)
	g.conn.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(heard()), "\n")
	pid, limit := 0, ""
	if _, err := fmt.Sscan(lines[0], &pid, &limit); err != nil || "GOMEMLIMIT="+limit != environment[0] {
		t.Errorf("gopls began with %q, %v", lines[0], err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("gopls is left behind: %v", err)
	}
	lines = lines[1:]
	if !strings.HasPrefix(lines[0], "initialize {") || !strings.Contains(lines[0], "initializationOptions") || !strings.Contains(lines[0], "gonb_1") {
		t.Errorf("gopls heard first %s", lines[0])
	}
	watched := func(kind int) string {
		return fmt.Sprintf(`workspace/didChangeWatchedFiles {"changes":[{"type":%d,"uri":"file:///course/more.go"}]}`, kind)
	}
	want := []string{
		"initialized {}", "textDocument/didOpen " + file("file:///tmp/gonb_1/main.go"), "textDocument/completion {}",
		watched(2), watched(3), "textDocument/didChange " + file("file:///tmp/gonb_1/main.go"), "textDocument/hover {}",
		" []", "textDocument/definition {}",
	}
	if !slices.Equal(lines[1:], want) {
		t.Errorf("gopls heard\n%s\nwant\n%s", strings.Join(lines[1:], "\n"), strings.Join(want, "\n"))
	}
}

func TestLengthsOfMessages(t *testing.T) {
	for _, header := range []string{"", "Content-Length: -1\r\n", "Content-Length: 1e9\r\n", "Content-Length: 99999999999\r\n", "Content-Type: x\r\n"} {
		if m, err := read(bufio.NewReader(strings.NewReader(header + "\r\n{}"))); err == nil {
			t.Errorf("%q: %v", header, m)
		}
	}
	if m, err := read(bufio.NewReader(strings.NewReader("Content-Type: x\r\nContent-Length: 14\r\n\r\n{\"method\":\"m\"}"))); err != nil || m.Method != "m" {
		t.Errorf("%v, %v", m, err)
	}
}

func TestOtherwiseItIsGopls(t *testing.T) {
	cmd, heard := start(t, "version", "-json")
	if err := cmd.Run(); err != nil || heard() != "[version -json]\n" {
		t.Errorf("%v, gopls was started with %q", err, heard())
	}
}
