// Command lazygopls stands in for gopls in the kernel's PATH. GoNB starts gopls with the kernel and shows
// it every file of the workspace; gopls then loads, checks and keeps all packages, for a reader who may never
// complete a word. Lazygopls answers GoNB at once, starts gopls at the first request, and shows it only the
// files of the cell: it reads the others itself. Where it is started in another way it is gopls.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel/original"
)

// alone is how long it waits for GoNB: one that was killed leaves nothing behind.
const alone = time.Minute

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gopls:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	gopls, err := original.Find("gopls")
	if err != nil {
		return err
	}
	if len(args) != 2 || args[0] != "-listen" || !strings.HasPrefix(args[1], "unix;") {
		return syscall.Exec(gopls, append([]string{gopls}, args...), os.Environ())
	}
	address, err := net.ResolveUnixAddr("unix", strings.TrimPrefix(args[1], "unix;"))
	if err != nil {
		return err
	}
	listener, err := net.ListenUnix("unix", address)
	if err != nil {
		return err
	}
	if err := listener.SetDeadline(time.Now().Add(alone)); err != nil {
		return err
	}
	client, err := listener.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	if err != nil {
		return err
	}
	defer client.Close()
	p := &proxy{client: client, gopls: exec.Command(gopls)}
	err = p.serve(bufio.NewReader(client))
	if p.started {
		p.gopls.Process.Kill()
		p.gopls.Wait()
	}
	if errors.Is(err, io.EOF) {
		return nil // GoNB has ended
	}
	return err
}

// proxy is between GoNB and a gopls that may not have been started.
type proxy struct {
	client  io.Writer
	gopls   *exec.Cmd
	started bool
	stdin   io.WriteCloser

	initialize message
	folder     string    // of the cell, as a URI that ends with a slash
	waiting    []message // notifications for gopls
}

// message is what is read of a message of the Language Server Protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// serve hands on what GoNB writes until it ends.
func (p *proxy) serve(client *bufio.Reader) error {
	for {
		m, err := read(client)
		if err != nil {
			return err
		}
		switch {
		case m.Method == "initialize":
			if err := p.greet(m); err != nil {
				return err
			}
			continue
		case m.Method == "initialized" || m.Method == "":
			// The first was said for GoNB when gopls started; the second is an answer to gopls.
			if m.Method == "" && p.started {
				break
			}
			continue
		case strings.HasPrefix(m.Method, "textDocument/did"):
			var elsewhere bool
			if m, elsewhere = p.changed(m); elsewhere && (m.Method == "textDocument/didOpen" || !p.started) {
				continue
			}
		}
		if !p.started && m.ID == nil {
			p.waiting = append(p.waiting, m)
			continue
		}
		if !p.started {
			if err := p.start(); err != nil {
				return err
			}
		}
		if err := write(p.stdin, m); err != nil {
			return err
		}
	}
}

// greet answers GoNB in gopls' place.
func (p *proxy) greet(m message) error {
	var params map[string]json.RawMessage
	var folders []struct{ URI string }
	if err := json.Unmarshal(m.Params, &params); err != nil {
		return err
	}
	if err := json.Unmarshal(params["workspaceFolders"], &folders); err != nil || len(folders) != 1 {
		return fmt.Errorf("%d workspace folders, not one: %w", len(folders), err)
	}
	p.folder = strings.TrimSuffix(folders[0].URI, "/") + "/"
	params["initializationOptions"] = json.RawMessage(options)
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	p.initialize = m
	p.initialize.Params = text
	return write(p.client, message{Version: m.Version, ID: m.ID, Result: json.RawMessage(`{"capabilities":{}}`)})
}

// options keep gopls to the cell: of the course's packages it needs their declarations, which its cache
// holds, and GoNB shows no diagnostics. Imports of a cell are added by goimports, so no module is searched
// for them. Measured on a cell that imports lab and plots, 25 s after a completion with a warm cache: 566
// MB without the options, 202 MB with them; 4.1 and 0.8 s of processor.
const options = `{"expandWorkspaceToModule": false, "importsSource": "off", "diagnosticsTrigger": "Save", "vulncheck": "Off"}`

// environment is gopls': garbage is collected at a limit of memory and not before, and it is not to start a
// process of its own that collects its crashes and counters (10 MB, at first 100). Gopls begins with a
// slice of 95 MB that it never uses (internal/cache/cache.go), so the limit leaves 55 MB. Go gives it pages
// that were never touched, and that take no memory, unless it has collected garbage before.
var environment = []string{"GOMEMLIMIT=150MiB", "GOGC=off", "GO_TELEMETRY_CHILD=2"}

// changed makes of a change to a file outside the cell's folder, of which elsewhere says that it is one, the
// notice that the file has changed on the disk.
func (p *proxy) changed(m message) (notice message, elsewhere bool) {
	var params struct{ TextDocument struct{ URI string } }
	if json.Unmarshal(m.Params, &params) != nil || strings.HasPrefix(params.TextDocument.URI, p.folder) {
		return m, false
	}
	kind := map[string]int{"textDocument/didChange": 2, "textDocument/didClose": 3}[m.Method]
	if kind == 0 {
		return m, true
	}
	text, err := json.Marshal(map[string]any{"changes": []any{map[string]any{"uri": params.TextDocument.URI, "type": kind}}})
	if err != nil {
		return m, false
	}
	return message{Version: m.Version, Method: "workspace/didChangeWatchedFiles", Params: text}, true
}

// start starts gopls and tells it what GoNB has said until now.
func (p *proxy) start() error {
	var err error
	if p.stdin, err = p.gopls.StdinPipe(); err != nil {
		return err
	}
	stdout, err := p.gopls.StdoutPipe()
	if err != nil {
		return err
	}
	p.gopls.Stderr, p.gopls.Env = os.Stderr, append(os.Environ(), environment...)
	if err := p.gopls.Start(); err != nil {
		return err
	}
	p.started = true
	if err := write(p.stdin, p.initialize); err != nil {
		return err
	}
	from := bufio.NewReader(stdout)
	for {
		m, err := read(from)
		if err != nil {
			return err
		}
		if m.Method == "" && string(m.ID) == string(p.initialize.ID) {
			break
		}
	}
	p.waiting = append([]message{{Version: p.initialize.Version, Method: "initialized", Params: json.RawMessage("{}")}}, p.waiting...)
	for _, m := range p.waiting {
		if err := write(p.stdin, m); err != nil {
			return err
		}
	}
	p.waiting = nil
	go io.Copy(p.client, from)
	return nil
}

// read reads one message. Source: "Base Protocol" of the Language Server Protocol, version 3.17.
func read(from *bufio.Reader) (m message, err error) {
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return m, err
	}
	const longest = 64 << 20
	if length < 0 || length > longest {
		return m, fmt.Errorf("a message of %d bytes", length)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(from, text); err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

func write(to io.Writer, m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return err
}
