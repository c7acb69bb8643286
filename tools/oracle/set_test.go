//go:build peers

package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/tools/internal/peers"
)

// A set is one random data set.
type set struct {
	columns     int
	classes     []int // the labels by value; nil for a regression
	train, test part
	base        int // the number of the first column in LIBSVM files
	spelled     bool
	blank       bool // a blank behind the colons of LIBSVM files, as in LIBSVM's own set "protein"
	full        bool // all zeros are written into LIBSVM files
}

// A part is the training rows or the test rows.
type part struct {
	x [][]float64
	y []float64 // labels or targets
}

// drawSet makes a set of random numbers.
func drawSet(rng *rand.Rand) *set {
	s := &set{columns: 1 + rng.IntN(12), base: 1,
		spelled: rng.IntN(4) == 0, blank: rng.IntN(12) == 0, full: rng.IntN(3) == 0}
	if rng.IntN(4) == 0 {
		s.base = 0
	}
	if rng.IntN(4) > 0 {
		s.classes = drawClasses(rng)
	}
	kinds := make([]int, s.columns)
	for j := range kinds {
		kinds[j] = rng.IntN(6)
	}
	signal, centres := 2*rng.Float64(), make([][]float64, max(1, len(s.classes)))
	for k := range centres {
		for range s.columns {
			centres[k] = append(centres[k], signal*rng.NormFloat64())
		}
	}
	draw := func(class int) []float64 {
		x := make([]float64, s.columns)
		for j, kind := range kinds {
			v := centres[class][j] + rng.NormFloat64()
			switch {
			case kind == 0:
				v = math.Round(v) // equal values, and ties
			case kind == 1 && v < 1, kind == 2 && rng.IntN(4) > 0:
				v = 0
			case kind == 1:
				v = 1
			case kind == 3:
				v *= 5
			}
			x[j] = v
		}
		return x
	}
	label := func(class int, x []float64) float64 {
		if s.classes != nil {
			return float64(s.classes[class])
		}
		y := rng.NormFloat64() / 5
		for j, v := range x {
			y += v * float64(j%3-1) / 2
		}
		return y
	}
	// Five rows for each class at least: a fold of a cross-validation has all classes then. The first row
	// decides about the order of LIBSVM's and LIBLINEAR's labels.
	var class []int
	for k := range centres {
		for range 5 + rng.IntN(10) {
			class = append(class, k)
		}
	}
	rng.Shuffle(len(class), func(i, j int) { class[i], class[j] = class[j], class[i] })
	for _, k := range class {
		x := draw(k)
		s.train.x, s.train.y = append(s.train.x, x), append(s.train.y, label(k, x))
	}
	clear(s.train.x[rng.IntN(len(class))]) // an empty row
	for i := range s.train.x[0] {
		if s.train.x[0][i] == 0 { // the first row names all columns, so that all agree how many there are
			s.train.x[0][i] = 1
		}
	}
	for i := range 8 + rng.IntN(12) {
		k := rng.IntN(len(centres))
		x := draw(k)
		switch i {
		case 1:
			clear(x)
		case 2:
			x = slices.Clone(s.train.x[rng.IntN(len(class))])
		}
		s.test.x, s.test.y = append(s.test.x, x), append(s.test.y, label(k, x))
	}
	return s
}

// drawClasses returns two to five integers by value, often those of most files.
func drawClasses(rng *rand.Rand) []int {
	usual := [][]int{{-1, 1}, {0, 1}, {1, 2}, {0, 1, 2}, {1, 2, 3}, {2, 10}}
	if k := rng.IntN(2 * len(usual)); k < len(usual) {
		return usual[k]
	}
	pool := []int{-2147483648, -100, -7, -1, 0, 1, 2, 3, 9, 10, 11, 100, 1234567, 2147483647}
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	classes := pool[:2+rng.IntN(4)]
	slices.Sort(classes)
	return classes
}

// names returns the classes as text.
func (s *set) names() (names []string) {
	for _, y := range s.classes {
		names = append(names, strconv.Itoa(y))
	}
	return names
}

// pairs returns rows as LIBSVM and LIBLINEAR have them in memory.
func (s *set) pairs(rows [][]float64) [][]peers.Pair {
	all := make([][]peers.Pair, len(rows))
	for i, x := range rows {
		for j, v := range x {
			if v != 0 {
				all[i] = append(all[i], peers.Pair{Index: j + s.base, Value: v})
			}
		}
	}
	return all
}

// libsvm returns a part as LIBSVM's text.
func (s *set) libsvm(p part, rng *rand.Rand) string {
	var b strings.Builder
	for i, x := range p.x {
		b.WriteString(s.label(p.y[i], rng))
		for j, v := range x {
			if v != 0 || s.full {
				fmt.Fprintf(&b, " %d:", j+s.base)
				if s.blank {
					b.WriteByte(' ')
				}
				b.WriteString(short(v))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// label returns a label in one of the spellings that strtod reads.
func (s *set) label(y float64, rng *rand.Rand) string {
	text := short(y)
	if s.spelled && s.classes != nil {
		switch rng.IntN(3) {
		case 0:
			text += ".0"
		case 1:
			if y > 0 {
				text = "+" + text
			}
		}
	}
	return text
}

// short returns the shortest text that is read back to v.
func short(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10) // an integer as LIBSVM's own sets have it
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// write writes a file of the folder and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
