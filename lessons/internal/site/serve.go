package site

import (
	"bytes"
	"cmp"
	"html/template"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// contentTypes are those of the site's files, so that they do not depend on the machine's tables.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".woff2": "font/woff2", ".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg",
	".webp": "image/webp", ".ipynb": "application/x-ipynb+json", ".md": "text/markdown; charset=utf-8",
	".wasm": "application/wasm", ".json": "application/json", ".pack": "application/octet-stream", "": "text/plain; charset=utf-8",
}

// picturePolicy is the policy of a figure that is opened by itself: nothing in it runs or fetches.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox"

// How long a connection may take, and how much a request may say. The largest page or notebook of a course,
// some megabytes, passes in these two minutes through a tunnel, too.
const (
	headerTime  = 10 * time.Second
	requestTime = 30 * time.Second
	answerTime  = 2 * time.Minute
	idleTime    = time.Minute
	headerBytes = 16 << 10
)

// Server returns a server of a folder that Build made, for this machine only: listen on the loopback
// interface. It limits what a connection can hold up. It refuses requests that name another host
// (DNS rebinding) or come from a page of another origin, and serves only files of the site's kinds:
// no hidden files, lists of folders, or files outside of the folder, also not through links.
func Server(dir string) *http.Server {
	return &http.Server{Handler: handler(dir), ReadHeaderTimeout: headerTime, ReadTimeout: requestTime,
		WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes}
}

// handler answers the requests of [Server].
func handler(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host) {
			http.Error(w, "This server answers only to localhost.", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
			http.Error(w, "This server answers only to its own pages.", http.StatusForbidden)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Only GET and HEAD.", http.StatusMethodNotAllowed)
			return
		}
		name := cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html")
		kind, known := contentTypes[path.Ext(name)]
		if !known || hidden(name) {
			http.NotFound(w, r)
			return
		}
		root, err := os.OpenRoot(dir) // refuses .. and links that lead out
		if err != nil {
			http.Error(w, "The pages are gone.", http.StatusInternalServerError)
			return
		}
		defer root.Close()
		f, err := root.Open(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if packed, err := root.Open(name + ".gz"); err == nil {
			w.Header().Set("Vary", "Accept-Encoding")
			if acceptsGzip(r) {
				w.Header().Set("Content-Encoding", "gzip")
				f, packed = packed, f
			}
			packed.Close()
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Security-Policy", policyOf(name, f)+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache") // a lesson may just have run again
		http.ServeContent(w, r, "", info.ModTime(), f)
	})
}

// policyOf returns a file's policy: that of live figures for pages that say so in their heads, and Workers.
func policyOf(name string, f io.ReadSeeker) string {
	if name == "assets/worker.js" || name == "assets/cells-worker.js" || name == serviceWorkerFile {
		return livePolicy
	}
	switch path.Ext(name) {
	case ".svg":
		return picturePolicy
	case ".html":
		head := make([]byte, 1024)
		n, _ := io.ReadFull(f, head) // a page may be shorter
		if _, err := f.Seek(0, io.SeekStart); err == nil && bytes.Contains(head[:n], []byte(`content="`+template.HTMLEscapeString(livePolicy)+`"`)) {
			return livePolicy
		}
	}
	return policy
}

// acceptsGzip reports whether the browser names gzip among what it can unpack, and not with the weight 0.
func acceptsGzip(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.TrimSpace(name) == "gzip" {
			return !strings.HasPrefix(strings.ReplaceAll(weight, " ", ""), "q=0") || strings.ContainsAny(weight, "123456789")
		}
	}
	return false
}

// local reports whether a request's Host is this machine's own name for itself.
func local(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, strings.ToLower(strings.Trim(name, "[]")))
}

func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part == "" || strings.HasPrefix(part, ".") || strings.Contains(part, `\`)
	})
}
