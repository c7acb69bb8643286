package kernel

import (
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// No other user can talk to a kernel: its sockets are files in a folder that only its user can enter, only its
// user can read the connection file, and each kernel has a key of its own, 256 random bits in that file alone.
func TestReliabilityKernelIsPrivate(t *testing.T) {
	if !supported {
		t.Skip("no kernel runs here")
	}
	const keyBytes = 32 // 256 bits, as many as SHA-256 has
	keys, bits := map[string]bool{}, 0
	for range 2 {
		k := start(t)
		permissions := func(name string, want fs.FileMode) {
			t.Helper()
			info, err := os.Lstat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has mode %v, want %v", name, got, want)
			}
		}
		permissions(k.dir, 0o700)
		permissions(filepath.Join(k.dir, "tmp"), 0o700)
		file := filepath.Join(k.dir, "kernel-"+k.id+".json")
		permissions(file, 0o600)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Transport, IP, Key string
			SignatureScheme    string `json:"signature_scheme"`
		}
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		if c.Transport != "ipc" || !strings.HasPrefix(c.IP, k.dir+string(filepath.Separator)) || c.SignatureScheme != "hmac-sha256" {
			t.Errorf("transport %s at %s, signed by %q; want sockets in %s, by hmac-sha256", c.Transport, c.IP, c.SignatureScheme, k.dir)
		}
		raw, err := hex.DecodeString(c.Key)
		if err != nil || len(raw) != keyBytes || keys[c.Key] {
			t.Errorf("key of %d bytes (%v), seen before: %v; want %d new ones", len(raw), err, keys[c.Key], keyBytes)
		}
		keys[c.Key], bits = true, 8*len(raw)
		sockets, err := filepath.Glob(c.IP + "-*")
		if err != nil || len(sockets) == 0 {
			t.Errorf("no sockets in the folder: %v %v", sockets, err)
		}
		for _, name := range []string{"cmdline", "environ"} { // what other users or children could read
			text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(k.proc.cmd.Process.Pid), name))
			if err == nil && strings.Contains(string(text), c.Key) {
				t.Errorf("the key stands in the process's %s", name)
			}
		}
	}
	t.Attr("kernel-key-bits", strconv.Itoa(bits))
}

// A kernel listens on no port: what its processes hold open is asked of Linux.
func TestReliabilityKernelOpensNoPort(t *testing.T) {
	if _, err := os.Stat("/proc/self/net/tcp"); err != nil {
		t.Skip("only Linux can be asked")
	}
	k := start(t)
	listening := map[string]bool{} // inodes of sockets that listen
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(k.proc.cmd.Process.Pid), "net", table))
		for _, line := range strings.Split(string(text), "\n") {
			// "sl local remote st tx:rx tr:when retrnsmt uid timeout inode": 0A is LISTEN, 07 a bound UDP socket
			if f := strings.Fields(line); len(f) > 9 && (f[3] == "0A" || f[3] == "07") {
				listening["socket:["+f[9]+"]"] = true
			}
		}
	}
	seen := 0
	for _, pid := range append(family(k), k.proc.cmd.Process.Pid) {
		files, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
		for _, file := range files {
			to, _ := os.Readlink(file)
			if strings.HasPrefix(to, "socket:") {
				seen++
			}
			if listening[to] {
				t.Errorf("process %d of the kernel listens on a port: %s", pid, to)
			}
		}
	}
	if seen == 0 {
		t.Error("no socket at all: is this the kernel's process?")
	}
}

// The watchdog is there before the process, which joins its group: a parent that is killed right after the
// start leaves nothing.
func TestWatchdogComesFirst(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil || !supported {
		t.Skip("needs /proc and process groups")
	}
	p, err := startProcess(exec.Command("/bin/sh", "-c", `[ "$(cut -d ' ' -f 5 /proc/self/stat)" != $$ ]`), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	if !p.wait(limit) || p.err != nil {
		t.Errorf("the process leads a group of its own: %v %s", p.err, p.stderr.String())
	}
}
