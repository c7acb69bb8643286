package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel"
)

// noJupyter says how to get what this command opens.
const noJupyter = `there is no JupyterLab or Jupyter Notebook on this machine. One line gets one:

	Debian, Ubuntu   sudo apt install jupyter-notebook
	macOS            brew install jupyterlab
	conda            conda install -c conda-forge jupyterlab
	uv               uv tool install jupyterlab

Then run this command again. Or open the lessons without installing Jupyter:

	Docker           docker build -t svm-course https://github.com/svmkit/course.git &&
	                 docker run --rm -p 127.0.0.1:8888:8888 svm-course
	Binder           https://mybinder.org/v2/gh/svmkit/course/HEAD?urlpath=lab/tree/course/notebooks/01-hyperplane.ipynb
	as pages         go run ./lessons`

// jupyter opens notebooks/, or the folder in args, in JupyterLab, or in Notebook, with the
// pinned kernel. The kernel is registered for the opened program alone, through JUPYTER_PATH:
// the user's own kernels and settings stay as they are.
func (a *app) jupyter(ctx context.Context, args []string) error {
	folder := filepath.Join(a.root, "notebooks")
	if len(args) == 1 {
		folder = args[0]
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder that can be opened", folder)
	}
	program := findJupyter()
	if program == "" {
		return errors.New(noJupyter)
	}
	spec, err := a.jupyterKernel(ctx)
	if err != nil {
		return err
	}
	share, remove, err := kernel.TempDir()
	if err != nil {
		return err
	}
	defer remove()
	if err := writeKernelSpec(filepath.Join(share, "kernels", "gonb"), a.root, spec); err != nil {
		return err
	}
	options := []string{"--ip=127.0.0.1"}
	if a.noOpen {
		options = append(options, "--no-browser")
	}
	if os.Geteuid() == 0 {
		options = append(options, "--allow-root") // Jupyter refuses root, as in a container
	}
	cmd := exec.Command(program, append(options, folder)...)
	cmd.Stdout, cmd.Stderr = a.out, a.err
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+share+string(os.PathListSeparator)+os.Getenv("JUPYTER_PATH"))
	err = kernel.Supervise(ctx, cmd, share, 10*time.Second) // Jupyter misses the signal while it starts
	if ctx.Err() != nil {
		return nil // Ctrl-C ends Jupyter
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
