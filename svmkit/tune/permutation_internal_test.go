package tune

import "testing"

// Means that differ in their last digits count as equal, in relation to their size.
func TestCountComparesInRelationToTheMean(t *testing.T) {
	for _, c := range []struct {
		mean, shuffled float64
		want           float64
	}{
		{1000, 1000 - 5e-10, 1}, {1000, 1000 - 5e-9, 0.5}, {-1000, -1000 - 5e-10, 1},
		{1e-3, 1e-3 - 1e-13, 0.5}, {1e-3, 1e-3 - 5e-16, 1}, {0, 0, 1}, {0, -1e-300, 0.5},
	} {
		for _, higher := range []bool{true, false} {
			sign := 1.0
			if !higher {
				sign = -1
			}
			b := Baseline{CVResult: CVResult{Mean: sign * c.mean}, Null: []float64{sign * c.shuffled}}
			if b.count(higher); b.P != c.want {
				t.Errorf("%v against %v, higher is better: %v: P = %g, want %g", b.Null, b.Mean, higher, b.P, c.want)
			}
		}
	}
}
