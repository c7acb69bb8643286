package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHandler(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	if err := Build(context.Background(), Address{}, sampleGuide, sample(t), dir); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"../secret.html": "secret", ".hidden.html": "secret", "program.exe": "secret"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(parent, "secret.html"), filepath.Join(dir, "link.html")); err != nil {
		t.Fatal(err)
	}
	h := handler(dir)
	for _, c := range []struct {
		name, method, host, path string
		status                   int
		kind                     string
	}{
		{"index", "GET", "127.0.0.1:8080", "/", 200, "text/html"},
		{"page", "GET", "localhost:8080", "/03-novikoff.html", 200, "text/html"},
		{"IPv6", "HEAD", "[::1]:8080", "/04-second.html", 200, "text/html"},
		{"font", "GET", "localhost", "/assets/katex/fonts/KaTeX_Main-Regular.woff2", 200, "font/woff2"},
		{"script", "GET", "localhost", "/assets/site.js", 200, "text/javascript"},
		{"notebook", "GET", "localhost", "/downloads/03-novikoff.ipynb", 200, "application/x-ipynb+json"},
		{"missing", "GET", "localhost", "/no.html", 404, ""},
		{"foreign host", "GET", "evil.example", "/", 403, ""},
		{"foreign host with our name in it", "GET", "localhost.evil.example:80", "/", 403, ""},
		{"no host", "GET", "", "/", 403, ""},
		{"up", "GET", "localhost", "/../secret.html", 404, ""},
		{"up later", "GET", "localhost", "/assets/../../secret.html", 404, ""},
		{"backslash", "GET", "localhost", `/..\secret.html`, 404, ""},
		{"link that leads out", "GET", "localhost", "/link.html", 404, ""},
		{"hidden", "GET", "localhost", "/.hidden.html", 404, ""},
		{"other kinds", "GET", "localhost", "/program.exe", 404, ""},
		{"folder", "GET", "localhost", "/assets", 404, ""},
		{"folder with slash", "GET", "localhost", "/assets/", 404, ""},
		{"absolute", "GET", "localhost", "//" + dir + "/index.html", 404, ""},
		{"write", "POST", "localhost", "/", 405, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "http://localhost/", nil)
			r.Host, r.URL.Path = c.host, c.path
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
			if strings.Contains(w.Body.String(), "secret") {
				t.Error("a file that is no page was served")
			}
			if c.status != http.StatusOK {
				return
			}
			head := w.Header()
			if !strings.HasPrefix(head.Get("Content-Type"), c.kind) {
				t.Errorf("type %q, want %q", head.Get("Content-Type"), c.kind)
			}
			csp := head.Get("Content-Security-Policy")
			if !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "script-src 'self' ") && c.path != "/03-novikoff.html" {
				t.Errorf("policy %q", csp)
			}
			if head.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("types may be guessed")
			}
		})
	}
}

// WebAssembly may run on pages with something to move, and in their Worker; it comes packed to browsers that unpack it.
func TestHandlerOfLiveFigures(t *testing.T) {
	dir := t.TempDir()
	if err := Build(context.Background(), Address{}, sampleGuide, sample(t), dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "live"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"live/live-1.wasm": "program", "live/live-1.wasm.gz": "packed", "live/live.json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	get := func(path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "http://localhost"+path, nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		handler(dir).ServeHTTP(w, r)
		return w
	}
	for path, live := range map[string]bool{"/03-novikoff.html": true, "/assets/worker.js": true, "/assets/cells-worker.js": true, "/index.html": false, "/04-second.html": false, "/assets/site.js": false} {
		w := get(path, "")
		if got := strings.Contains(w.Header().Get("Content-Security-Policy"), "'wasm-unsafe-eval'"); w.Code != http.StatusOK || got != live {
			t.Errorf("%s: status %d, WebAssembly allowed %v, want %v", path, w.Code, got, live)
		}
	}
	for accept, packed := range map[string]bool{"": false, "br": false, "gzip": true, "deflate, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "x-gzipped": false} {
		w := get("/live/live-1.wasm", accept)
		want, coding := "program", ""
		if packed {
			want, coding = "packed", "gzip"
		}
		if w.Body.String() != want || w.Header().Get("Content-Encoding") != coding || w.Header().Get("Content-Type") != "application/wasm" || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("accepting %q: %q, %v", accept, w.Body.String(), w.Header())
		}
	}
	if w := get("/live/live-1.wasm.gz", ""); w.Code != http.StatusNotFound {
		t.Errorf("the packed file by itself: status %d", w.Code)
	}
}

func TestHandlerWithoutFolder(t *testing.T) {
	w := httptest.NewRecorder()
	handler(filepath.Join(t.TempDir(), "gone")).ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("status %d", w.Code)
	}
}
