package pen

import "testing"

// An axis has numbers of one kind: the fonts of decimal numbers and of powers differ.
func TestNamesOfOneAxisAreOfOneKind(t *testing.T) {
	for _, c := range []struct {
		values      []float64
		first, last string
	}{
		{[]float64{1e-5, 1}, "$10^{-5}$", "$10^{0}$"}, {[]float64{1e-4, 1}, "0.0001", "1"},
		{[]float64{0.01, 1000}, "0.01", "1,000"}, {[]float64{0.0005, 1}, "0.0005", "1"},
	} {
		if names := shortNames(c.values); names[0] != c.first || names[1] != c.last {
			t.Errorf("%v: %q", c.values, names)
		}
	}
}
