package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed assembly is what this generator writes.
func TestUpToDate(t *testing.T) {
	for _, f := range files {
		text, stubs, err := f.generate()
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		for suffix, want := range map[string][]byte{"_amd64.s": text, "_amd64.go": stubs} {
			path := filepath.Join("..", f.name+suffix)
			have, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(have, want) {
				t.Errorf("%s is not what this generator writes: run go generate in the folder above", path)
			}
		}
	}
}
