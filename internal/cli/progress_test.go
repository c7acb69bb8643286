package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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

// What Show says stands behind what it is within, and the same surroundings twice are shown once.
func TestProgressWithin(t *testing.T) {
	var got []string
	p := &Progress{Hook: func(text string) { got = append(got, text) }}
	p.Show("a")
	p.Within("1 of 2")
	p.Show("b")
	p.Within("1 of 2")
	p.Within("2 of 2")
	if want := []string{"a", "1 of 2", "1 of 2; b", "2 of 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
