package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgressIsForTerminalsOnly(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p := NewProgress(f); p.w != nil {
		t.Error("a file is taken for a terminal")
	}
	var b bytes.Buffer
	p := &Progress{w: &b}
	p.Show("first") // starts the clock
	p.last = p.last.Add(-time.Hour)
	p.Show("second")
	p.Show("third") // too soon
	p.Clear()
	if got := b.String(); !strings.Contains(got, "second, 0 s") || strings.Contains(got, "third") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("the terminal got %q", got)
	}
}
