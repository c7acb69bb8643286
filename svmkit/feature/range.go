package feature

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// ErrScalesLabels means that a range file of svm-scale also scales the labels. A [Scaling] does
// not.
var ErrScalesLabels = &svmkit.Cause{
	Problem: "the range file scales the labels, too, in its part y",
	Hint:    "delete its first three lines to scale the columns alone",
	Of:      ErrNotScaling,
}

// manyColumns is how many columns a short range file may have.
const manyColumns = 1 << 20

// isRange reports whether text begins as a range file of svm-scale.
func isRange(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	return line == "x" || line == "y"
}

// parseRange reads a range file of LIBSVM's svm-scale -s:
//
//	x
//	-1 1        the ends of the interval
//	1 0 2.5     of each column, from 1, the least and the largest value; constant columns are absent
func parseRange(text string) (*Scaling, error) {
	if strings.HasPrefix(text, "y") {
		return nil, ErrScalesLabels
	}
	t := &Scaling{Kind: MinMax}
	var high float64
	for k, line := range strings.Split(strings.TrimRight(text, " \t\r\n"), "\n") {
		wrong := func(what string) error {
			return fmt.Errorf("%w: line %d: %s: %q", ErrNotScaling, k+1, what, line)
		}
		words := strings.Fields(line)
		if k == 0 {
			continue
		}
		numbers := make([]float64, len(words))
		for i, word := range words {
			v, err := strconv.ParseFloat(word, 64)
			if numbers[i] = v; err != nil || v-v != 0 {
				return nil, wrong("not a finite number")
			}
		}
		if k == 1 {
			if len(numbers) != 2 || !(numbers[0] < numbers[1]) || math.IsInf(numbers[1]-numbers[0], 0) {
				return nil, wrong("want two numbers that rise, the ends of the interval")
			}
			t.Low, high = numbers[0], numbers[1]
			continue
		}
		if len(numbers) != 3 || !(numbers[1] < numbers[2]) {
			return nil, wrong("want a column and two numbers that rise, its least and its largest value")
		}
		column, err := strconv.Atoi(words[0])
		switch {
		case err != nil || column <= t.Dim:
			return nil, wrong(fmt.Sprintf("want a column from %d on", t.Dim+1))
		case column > manyColumns+64*k: // a broken number must not take all memory
			return nil, wrong("far more columns than lines")
		}
		for t.Dim < column-1 { // these are constant
			t.Zero = append(t.Zero, t.Dim)
			t.add(0, 1)
		}
		t.add(numbers[1], (numbers[2]-numbers[1])/(high-t.Low))
	}
	return t, t.validate()
}

// add adds a column.
func (t *Scaling) add(shift, scale float64) {
	t.Dim++
	t.Shift, t.Scale = append(t.Shift, shift), append(t.Scale, scale)
}
