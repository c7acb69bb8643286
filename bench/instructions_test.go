package main

import (
	"maps"
	"math"
	"testing"
)

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
