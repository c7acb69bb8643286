package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/lessons/internal/kernel"
)

// kernelSettings says which kernel runs the cells and where its programs are kept: in the
// checkout, or in the user's cache directory where the checkout cannot be written.
func (a *app) kernelSettings() kernel.Settings {
	s := kernel.Settings{Root: a.root, Fetch: a.fetch}
	local := filepath.Join(a.root, ".gonb")
	if os.MkdirAll(local, 0o755) != nil {
		return s
	}
	_, remove, err := atomicfile.TempDirIn(local, "probe-", nil)
	if err != nil || remove() != nil {
		return s
	}
	s.Cache = local
	return s
}

// jupyterKernel builds the kernel as Jupyter starts it: with gopls, which completes code. Where
// gopls cannot be built the kernel does without, and a message says so.
func (a *app) jupyterKernel(ctx context.Context) (kernel.Spec, error) {
	if work := workAbove(os.TempDir()); work != "" {
		return kernel.Spec{}, fmt.Errorf("%s would take the place of the workspace that cells run in: remove it, or set TMPDIR to a folder that has no go.work above it", work)
	}
	fmt.Fprintln(a.err, "Preparing the GoNB kernel (the first time takes a few minutes) …")
	s := a.kernelSettings()
	s.Gopls = filepath.Join(a.root, "lessons", "internal", "gopls")
	spec, err := kernel.GoNB(ctx, s)
	if err == nil || ctx.Err() != nil {
		return spec, err
	}
	withGopls := err
	s.Gopls = ""
	if spec, err = kernel.GoNB(ctx, s); err == nil {
		fmt.Fprintln(a.err, "Code is not completed in the notebooks:", withGopls)
	}
	return spec, err
}

// workAbove returns the go.work that the go command finds in dir, "" if there is none. Our own client gives
// its kernels another; Jupyter cannot.
func workAbove(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.work")); err == nil && !info.IsDir() {
			return filepath.Join(dir, "go.work")
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// installKernel registers the kernel for every Jupyter of this user, also those of editors, or
// for every Jupyter that searches below -prefix. Other kernels stay as they are.
func (a *app) installKernel(ctx context.Context, _ []string) error {
	share, err := jupyterData(a.prefix)
	if err != nil {
		return err
	}
	dir := filepath.Join(share, "kernels", "gonb")
	if err := ours(dir); err != nil {
		return err
	}
	spec, err := a.jupyterKernel(ctx)
	if err != nil {
		return err
	}
	if err := writeKernelSpec(dir, a.root, spec); err != nil {
		return fmt.Errorf("installing the kernel: %w", err)
	}
	fmt.Fprintf(a.out, "The kernel \"Go (gonb)\" is installed in %s.\nIt runs cells with the course in %s. To remove it, remove that folder.\n", dir, a.root)
	return nil
}

// jupyterData is the folder in which Jupyter searches for kernels: below prefix, or the user's.
// Source: "Common Directories and File Locations" of the Jupyter documentation.
func jupyterData(prefix string) (string, error) {
	if prefix != "" {
		return filepath.Join(prefix, "share", "jupyter"), nil
	}
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil:
		return "", fmt.Errorf("looking for your Jupyter folder: %w; -prefix names one", err)
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case os.Getenv("XDG_DATA_HOME") != "":
		return filepath.Join(os.Getenv("XDG_DATA_HOME"), "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// kernelSpec is a kernel.json. The metadata names the course, which distinguishes its kernel from
// a GoNB that the user has installed.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	Env           map[string]string `json:"env"`
	InterruptMode string            `json:"interrupt_mode"`
	Metadata      struct {
		Course string `json:"svmkit_course"`
	} `json:"metadata"`
}

// ours returns an error if dir holds a kernel that this command has not written.
func ours(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var old kernelSpec
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	if err == nil && old.Metadata.Course != "" {
		return nil
	}
	return fmt.Errorf("%s holds another GoNB kernel, which stays as it is. `go run ./lessons jupyter` opens the lessons beside it; to replace it, remove that folder first", dir)
}

// writeKernelSpec writes the kernel.json that makes Jupyter start the kernel as we do.
func writeKernelSpec(dir, root string, spec kernel.Spec) error {
	s := kernelSpec{
		Argv: spec.Command, DisplayName: "Go (gonb)", Language: "go",
		Env: map[string]string{}, InterruptMode: "signal",
	}
	s.Metadata.Course = root
	for _, entry := range spec.Env[len(os.Environ()):] { // what the kernel needs beyond what Jupyter has
		name, value, _ := strings.Cut(entry, "=")
		s.Env[name] = value
	}
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "kernel.json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}
