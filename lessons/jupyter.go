package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/svmkit/course/lessons/internal/kernel"
)

// errNoJupyter says how to get what this command opens.
var errNoJupyter = errors.New(`there is no JupyterLab or Jupyter Notebook on this machine. Get one:
	Debian, Ubuntu   sudo apt install jupyter-notebook
	macOS            brew install jupyterlab
	conda            conda install -c conda-forge jupyterlab
	uv               uv tool install jupyterlab
and run this command again. The lessons as pages need nothing: go run ./lessons`)

// jupyter opens notebooks/, or the folder in args, in JupyterLab, or in Notebook, with the
// pinned kernel. The kernel is registered for the opened program alone, through JUPYTER_PATH:
// the user's own kernels and settings stay as they are.
func (a *app) jupyter(ctx context.Context, args []string) error {
	folder := filepath.Join(a.root, "notebooks")
	switch {
	case len(args) > 1:
		return fmt.Errorf("jupyter opens one folder, not %d", len(args))
	case len(args) == 1:
		folder = args[0]
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder that can be opened", folder)
	}
	program := findJupyter()
	if program == "" {
		return errNoJupyter
	}
	fmt.Fprintln(a.err, "Preparing the GoNB kernel (the first time takes a minute or two) …")
	spec, err := kernel.GoNB(ctx, kernel.Settings{Root: a.root})
	if err != nil {
		return err
	}
	share, err := os.MkdirTemp("", "lessons-jupyter-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(share)
	if err := writeKernelSpec(filepath.Join(share, "kernels", "gonb"), spec); err != nil {
		return err
	}
	options := []string{"--ip=127.0.0.1"}
	if a.noOpen {
		options = append(options, "--no-browser")
	}
	if os.Geteuid() == 0 {
		options = append(options, "--allow-root") // Jupyter refuses root, as in a container
	}
	cmd := exec.CommandContext(ctx, program, append(options, folder)...)
	cmd.Stdout, cmd.Stderr, cmd.Stdin = a.out, a.err, os.Stdin
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+share+string(os.PathListSeparator)+os.Getenv("JUPYTER_PATH"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // an interrupt makes Jupyter ask whether one is sure
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil // Ctrl-C is how one leaves
	}
	return err
}

func findJupyter() string {
	for _, name := range []string{"jupyter-lab", "jupyter-notebook"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// writeKernelSpec writes the kernel.json that makes Jupyter start the kernel as we do.
func writeKernelSpec(dir string, spec kernel.Spec) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	env := map[string]string{} // what differs from the environment that Jupyter has anyway
	for _, entry := range spec.Env {
		if name, value, ok := strings.Cut(entry, "="); ok && !slices.Contains(os.Environ(), entry) {
			env[name] = value
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"argv": spec.Command, "display_name": "Go (gonb)", "language": "go",
		"env": env, "interrupt_mode": "signal",
	}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "kernel.json"), text, 0o644)
}
