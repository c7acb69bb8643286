package main

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A file that holds no counts is refused before anything is counted.
func TestCompareWithAFileOfCounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.json")
	for _, content := range []string{"", "{}", `{"comparisons": []}`} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readCounts(file); err == nil {
			t.Errorf("%q passes for counts", content)
		}
	}
	if _, err := readCounts("instructions.json"); err != nil {
		t.Error(err)
	}
}

// A fit that takes more instructions than the limit is named, as is one that was never counted.
func TestCompareInstructions(t *testing.T) {
	stored := counts{Millions: map[string]float64{}}
	for _, f := range countedFits {
		stored.Millions[f.String()] = 100
	}
	for _, c := range []struct {
		is float64
		ok bool
	}{{100, true}, {109, true}, {50, true}, {111, false}, {math.NaN(), false}} {
		now := counts{Millions: maps.Clone(stored.Millions)}
		now.Millions[countedFits[2].String()] = c.is
		if err := stored.compare(now); (err == nil) != c.ok {
			t.Errorf("100 million instructions have become %g: %v", c.is, err)
		}
	}
	now := counts{Millions: maps.Clone(stored.Millions)}
	delete(stored.Millions, countedFits[0].String())
	if stored.compare(now) == nil {
		t.Error("a fit without a stored count passes")
	}
}
