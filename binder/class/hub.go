package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/svmkit/course/binder/internal/jupyter"
)

//go:embed hub.py
var hubConfig []byte

// hub is a JupyterHub with its proxy on loopback, in a folder that is removed with it.
type hub struct {
	folder, url, password string
	api                   string // where the hub listens behind the proxy
	env                   []string
	hub, proxy            *exec.Cmd
	lost                  atomic.Int64 // connections to kernels that ended and were made again
}

// ours is whether the hub was started here.
func (h *hub) ours() bool { return h.folder != "" }

// startHub starts a hub whose students run the kernel of the checkout.
func startHub(ctx context.Context, checkout string) (h *hub, err error) {
	// A short name: it begins the names of sockets.
	folder, err := os.MkdirTemp("/tmp", "class-")
	if err != nil {
		return nil, err
	}
	h = &hub{folder: folder, password: rand.Text()}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.log(), h.stop())
		}
	}()
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			return h, err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "hub.py"), hubConfig, 0o644); err != nil {
		return h, err
	}
	if err := installKernel(ctx, checkout, folder); err != nil {
		return h, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return h, err
	}
	h.url, h.api = loopback(ports[0]), loopback(ports[1])
	if h.env, err = h.environment(ctx, checkout, loopback(ports[2])); err != nil {
		return h, err
	}
	h.proxy, err = h.start("configurable-http-proxy", "--ip=127.0.0.1", fmt.Sprint("--port=", ports[0]),
		"--api-ip=127.0.0.1", fmt.Sprint("--api-port=", ports[2]), "--default-target="+h.api, "--error-target="+h.api+"/hub/error")
	if err != nil {
		return h, err
	}
	return h, h.startHub(ctx)
}

func loopback(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// installKernel puts the checkout's kernel below folder, with the limits of the image for hubs.
func installKernel(ctx context.Context, checkout, folder string) error {
	cmd := exec.CommandContext(ctx, "go", "run", "./lessons", "kernel", "-prefix", folder)
	// The command runs here, even if the environment names another platform.
	cmd.Dir, cmd.Env = checkout, append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing the kernel: %w\n%s", err, out)
	}
	file := filepath.Join(folder, "share", "jupyter", "kernels", "gonb", "kernel.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec map[string]any
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	argv, _ := spec["argv"].([]any)
	spec["argv"] = append([]any{filepath.Join(checkout, "binder", "hub", "limited")}, argv...)
	if text, err = json.Marshal(spec); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// environment is that of the hub, which hands to the students' servers what hub.py names.
func (h *hub) environment(ctx context.Context, checkout string, proxy string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOCACHE", "GOMODCACHE")
	cmd.Dir = checkout
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	caches := strings.Fields(string(out))
	gopls := os.Getenv("GOPLSCACHE")
	if gopls == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		gopls = filepath.Join(user, "gopls")
	}
	return append(os.Environ(),
		"COURSE="+checkout, "GOCACHE="+caches[0], "GOMODCACHE="+caches[1], "GOPLSCACHE="+gopls,
		"JUPYTER_PATH="+filepath.Join(h.folder, "share", "jupyter"),
		"TMPDIR="+filepath.Join(h.folder, "tmp"),
		"CLASS_START="+filepath.Join(checkout, "binder", "with-course"),
		"CLASS_FOLDER="+h.folder, "CLASS_URL="+h.url, "CLASS_HUB="+h.api, "CLASS_PROXY="+proxy, "CLASS_PASSWORD="+h.password,
		"CONFIGPROXY_AUTH_TOKEN="+rand.Text(),
		// Debian's packages for Node, which a Node from elsewhere does not look for.
		"NODE_PATH=/usr/share/nodejs"), nil
}

// start starts a program of the hub, in a session of its own: an interrupt is for us alone.
func (h *hub) start(name string, args ...string) (*exec.Cmd, error) {
	log, err := os.OpenFile(filepath.Join(h.folder, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.folder, h.env, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, cmd.Start()
}

// startHub starts the hub alone and waits until the proxy leads to it.
func (h *hub) startHub(ctx context.Context) (err error) {
	if h.hub, err = h.start("jupyterhub", "-f", "hub.py"); err != nil {
		return err
	}
	return h.answers(ctx)
}

// answers waits until the hub does.
func (h *hub) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := (jupyter.Server{URL: h.url + "/hub"}).Ready(ctx); err != nil {
		return fmt.Errorf("the hub: %w", err)
	}
	return nil
}

// log is the end of the logs of hub and proxy.
func (h *hub) log() error {
	var all error
	for _, name := range []string{"configurable-http-proxy", "jupyterhub"} {
		text, _ := os.ReadFile(filepath.Join(h.folder, name+".log"))
		all = errors.Join(all, fmt.Errorf("the log of %s ends:\n%s", name, text[max(0, len(text)-2000):]))
	}
	return all
}

// kill ends the hub as a crash does.
func (h *hub) kill() error {
	err := h.hub.Process.Kill()
	h.hub.Wait()
	return err
}

// stop ends all processes of the hub and its students, and removes the folder.
func (h *hub) stop() error {
	for _, cmd := range []*exec.Cmd{h.hub, h.proxy} {
		if cmd != nil && cmd.Process != nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		left := processes("CLASS_FOLDER=" + h.folder)
		if len(left) == 0 || time.Now().After(deadline) {
			break
		}
		for _, p := range left {
			syscall.Kill(p, syscall.SIGKILL)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return os.RemoveAll(h.folder)
}

// login logs a student in by the hub's page, as a browser does, and returns the hub's API for him.
func (h *hub) login(ctx context.Context, name string) (jupyter.Server, error) {
	if h.ours() { // another hub may take any password
		code, err := h.submit(ctx, name, h.password+"?")
		if err != nil || code == http.StatusFound { // which leads on
			return jupyter.Server{}, fmt.Errorf("logging in with a wrong password: %d, %v", code, err)
		}
	}
	code, err := h.submit(ctx, name, h.password)
	if err != nil || code != http.StatusFound {
		return jupyter.Server{}, fmt.Errorf("logging in: %d, %v", code, err)
	}
	var answer struct{ Token string }
	api := jupyter.Server{URL: h.url + "/hub/api"}
	err = api.Call(ctx, http.MethodPost, "/users/"+name+"/tokens", map[string]any{
		"auth": map[string]string{"username": name, "password": h.password},
	}, &answer)
	api.Token = answer.Token
	return api, err
}

// submit sends the login form and returns the code of the answer.
func (h *hub) submit(ctx context.Context, name, password string) (int, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return 0, err
	}
	browser := http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page := h.url + "/hub/login"
	form := url.Values{"username": {name}, "password": {password}}
	send := func(method, body string) (int, error) {
		request, err := http.NewRequestWithContext(ctx, method, page, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := browser.Do(request)
		if err != nil {
			return 0, err
		}
		return response.StatusCode, response.Body.Close()
	}
	if _, err := send(http.MethodGet, ""); err != nil {
		return 0, err
	}
	address, err := url.Parse(page)
	if err != nil {
		return 0, err
	}
	for _, cookie := range jar.Cookies(address) {
		if cookie.Name == "_xsrf" { // newer hubs ask for it
			form.Set("_xsrf", cookie.Value)
		}
	}
	return send(http.MethodPost, form.Encode())
}

// spawn starts the student's server and waits until it is there.
func (h *hub) spawn(ctx context.Context, api jupyter.Server, name string) (jupyter.Server, error) {
	none := jupyter.Server{}
	if err := api.Call(ctx, http.MethodPost, "/users/"+name+"/server", nil, nil); err != nil {
		return none, err
	}
	for {
		var user struct {
			Servers map[string]struct{ Ready bool }
		}
		if err := api.Call(ctx, http.MethodGet, "/users/"+name, nil, &user); err != nil {
			return none, err
		}
		if user.Servers[""].Ready {
			return jupyter.Server{URL: h.url + "/user/" + name, Token: api.Token}, nil
		}
		select {
		case <-ctx.Done():
			return none, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
