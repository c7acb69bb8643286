package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed assembly is what this generator writes.
func TestUpToDate(t *testing.T) {
	contents, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range contents {
		path := filepath.Join("..", name)
		have, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(have, want) {
			t.Errorf("%s is not what this generator writes: run go generate in the folder above", path)
		}
	}
}
