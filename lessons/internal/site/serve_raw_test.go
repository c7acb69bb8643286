package site

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// raw sends one request as it stands, since a client of net/http would tidy it up first.
func raw(t *testing.T, address, request string) (status int, header http.Header, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, r.Header, string(b)
}

// A real server, asked in all the ways in which a path can be written: nothing outside the folder comes out, nor
// what lies in it and is no page.
func TestReliabilityPathsStayInTheFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	if err := Build(context.Background(), Address{}, sampleGuide, sample(t), dir); err != nil {
		t.Fatal(err)
	}
	const secret = "the secret"
	for _, name := range []string{"secret.html", "secret", "site-neighbour.html", "site/.secret.html", "site/.git/config.html", "site/secret.key"} {
		name = filepath.Join(parent, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"link.html": filepath.Join(parent, "secret.html"), "up.html": "../secret.html", "out": "..", "round.html": "out/secret.html",
		"inside.html": ".secret.html/../.git/../../secret.html",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(handler(dir))
	defer server.Close()
	address := server.Listener.Addr().String()
	ask := func(path string) (int, string) {
		status, _, body := raw(t, address, "GET "+path+" HTTP/1.1\r\nHost: "+address+"\r\nConnection: close\r\n\r\n")
		return status, body
	}
	if status, _ := ask("/index.html"); status != http.StatusOK {
		t.Fatalf("status %d of a page", status)
	}

	ups := []string{"..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%00", "%c0%ae%c0%ae", "..;", "%uff0e%uff0e", "．．", "..."}
	slashes := []string{"/", "%2f", "%5c", `\`, "%252f", "//", "/./", "%c0%af", "∕"}
	starts := []string{"/", "/assets/", "/out/", `/\`}
	paths := []string{"/link.html", "/up.html", "/round.html", "/inside.html", "/out/secret.html", "/.secret.html", "/%2esecret.html", "/.git/config.html",
		"/assets/../.secret.html", "/secret.key", "/" + filepath.ToSlash(parent) + "/secret.html", "file://" + filepath.ToSlash(parent) + "/secret.html", "*",
		"http://" + address + "/../secret.html", "/index.html%00.html", "/secret.html%00", "/index.html::$DATA", "/INDEX~1.HTM", "/con.html", "/../site-neighbour.html"}
	for _, start := range starts {
		for _, up := range ups {
			for _, slash := range slashes {
				paths = append(paths, start+up+slash+"secret.html", start+up+slash+up+slash+filepath.Base(parent)+slash+"secret.html")
			}
		}
	}
	for _, path := range paths {
		status, body := ask(path)
		if strings.Contains(body, secret) || status < 400 {
			t.Errorf("%s: status %d, %.40q", path, status, body)
		}
	}
	t.Attr("hostile-paths", strconv.Itoa(len(paths)))
}

// Who asks under another name, or from a page of another origin, gets nothing: neither a page nor its length.
func TestReliabilityForeignHostsAndOrigins(t *testing.T) {
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, sampleGuide, sample(t), dir); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler(dir))
	defer server.Close()
	address := server.Listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	asked := 0
	ask := func(method string, headers ...string) (int, http.Header, string) {
		asked++
		return raw(t, address, fmt.Sprintf("%s /index.html HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n", method, strings.Join(headers, "\r\n")))
	}
	for _, headers := range [][]string{
		{"Host: " + address}, {"Host: localhost:" + port}, {"Host: LOCALHOST:" + port}, {"Host: [::1]:" + port},
		{"Host: " + address, "Origin: http://" + address}, {"Host: localhost:" + port, "Origin: http://localhost:" + port},
	} {
		status, header, body := ask("GET", headers...)
		if status != http.StatusOK || !strings.Contains(body, "<main") {
			t.Errorf("%q: status %d", headers, status)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Access-Control-Allow-Origin": ""} {
			if header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, header.Get(name), want)
			}
		}
		checkPolicy(t, header.Get("Content-Security-Policy"))
	}
	for _, headers := range [][]string{
		{"Host: evil.example"}, {"Host: evil.example:" + port}, {"Host: localhost.evil.example:" + port}, {"Host: 127.0.0.1.nip.io:" + port},
		{"Host: localhost.:" + port}, {"Host: 0.0.0.0:" + port}, {"Host: 127.0.0.2:" + port}, {"Host: 2130706433:" + port}, {"Host: 0x7f.1:" + port}, {"Host: [::ffff:127.0.0.1]:" + port},
		{"Host: "}, {"Host: evil.example", "X-Forwarded-Host: localhost"},
		{"Host: " + address, "Origin: null"}, {"Host: " + address, "Origin: https://evil.example"}, {"Host: " + address, "Origin: http://localhost:" + port},
		{"Host: " + address, "Origin: http://127.0.0.1:1"}, {"Host: " + address, "Origin: https://" + address}, {"Host: " + address, "Origin: http://" + address + ".evil.example"},
		{"Host: " + address, "Origin: http://evil@" + address},
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			status, _, body := ask(method, headers...)
			if status < 400 || strings.Contains(body, "<main") {
				t.Errorf("%s %q: status %d", method, headers, status)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"} {
		if status, _, _ := ask(method, "Host: "+address); status != http.StatusMethodNotAllowed && status != http.StatusBadRequest {
			t.Errorf("%s: status %d", method, status)
		}
	}
	t.Attr("hosts-origins-methods-asked", strconv.Itoa(asked))
}

// checkPolicy asks what a policy must forbid: scripts but the site's own files, all else by default.
func checkPolicy(t *testing.T, policy string) {
	t.Helper()
	rules := map[string]string{}
	for _, rule := range strings.Split(policy, ";") {
		name, sources, _ := strings.Cut(strings.TrimSpace(rule), " ")
		rules[name] = sources
	}
	for name, want := range map[string]string{"default-src": "'none'", "script-src": "'self'", "base-uri": "'none'",
		"form-action": "'none'", "frame-ancestors": "'none'", "img-src": "'self' data:", "font-src": "'self'"} {
		if rules[name] != want {
			t.Errorf("policy: %s %q, want %q", name, rules[name], want)
		}
	}
	for name, sources := range rules { // inline styles are needed for tables that cells display
		if strings.Contains(sources, "unsafe-eval") || strings.Contains(sources, "*") || strings.Contains(sources, "unsafe-inline") && name != "style-src" {
			t.Errorf("policy: %s %q", name, sources)
		}
	}
}
