package samples

import (
	"fmt"
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Digits returns 1797 handwritten digits as images of 8×8 pixels. A pixel counts the inked
// points of a 4×4 block of the scan: a whole number from 0 (paper) to 16. Column 8·r + c,
// named "pixel r,c", is row r from the top and column c from the left. The classes "0" to
// "9" have 174 to 183 images each.
//
// This is the test part of UCI's set, by 13 writers; the 3823 training images are not here.
// The writers are not named, so a random split puts one writer's digits on both sides.
func Digits() *svmkit.Dataset { return fresh(digits()) }

var digits = sync.OnceValue(digitsFile.read)

var digitsFile = table{
	file:     "digits.csv.gz",
	features: pixelFeatures(),
	classes:  []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
}

func pixelFeatures() []string {
	var names []string
	for r := range 8 {
		for c := range 8 {
			names = append(names, fmt.Sprintf("pixel %d,%d", r, c))
		}
	}
	return names
}
