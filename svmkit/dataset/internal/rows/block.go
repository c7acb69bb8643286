package rows

import (
	"bytes"
	"math"

	"github.com/svmkit/course/svmkit/dataset/internal/scan"
	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Block holds the rows and labels of a few lines of LIBSVM text.
type Block struct {
	Lines   int // number of ends of lines in the text
	Dim     int // the largest column + 1
	index   []int32
	value   []float64
	lengths []int32 // number of values of each row
	labels  []float64
}

// Parse reads lines of the common form
//
//	number integer:number integer:number …
//
// with spaces, tabs and carriage returns between the words. base is the first index, dim the number
// of columns or 0, and takes reports whether a label that is a number is taken by its value alone.
// Parse returns nil at anything else, and at everything that is an error.
func Parse(text []byte, base, dim int, takes func(text []byte, y float64) bool) *Block {
	b := &Block{}
	b.Lines = bytes.Count(text, []byte{'\n'})
	if text[len(text)-1] != '\n' {
		text = append(text, '\n') // every word ends within text
	}
	pairs := bytes.Count(text, []byte{':'})
	b.index, b.value = make([]int32, 0, pairs), make([]float64, 0, pairs)
	b.lengths, b.labels = make([]int32, 0, b.Lines+1), make([]float64, 0, b.Lines+1)
	most := int64(math.MaxInt32) // column + 1; int64 also where an int has 32 bits
	if dim > 0 {
		most = int64(dim)
	}
	for i := 0; i < len(text); {
		if blank[text[i]] || text[i] == '\n' {
			i++
			continue
		}
		y, next := common(text, i)
		if next < 0 || !takes(text[i:next], y) {
			return nil
		}
		i = next
		first, last := len(b.value), int64(-1)
		for {
			for blank[text[i]] {
				i++
			}
			if text[i] == '\n' {
				break
			}
			if text[i-1] == '\r' {
				return nil
			}
			column, from := int64(0), i
			for d := text[i] - '0'; d <= 9; d = text[i] - '0' {
				column = column*10 + int64(d)
				i++
			}
			const digits = 10 // of 2147483647
			column -= int64(base)
			if text[i] != ':' || i == from || i-from > digits || column <= last || column >= most {
				return nil
			}
			v, next := common(text, i+1)
			if next < 0 {
				return nil
			}
			i, last = next, column
			b.index, b.value = append(b.index, int32(column)), append(b.value, v)
		}
		i++
		b.labels, b.lengths = append(b.labels, y), append(b.lengths, int32(len(b.value)-first))
		b.Dim = max(b.Dim, int(last)+1)
	}
	return b
}

// blank holds for what may stand between two words.
var blank = [256]bool{' ': true, '\t': true, '\r': true}

// common reads the number that starts at text[i], and returns where it ends; −1 if there is no
// finite number that ends before a blank or the end of the line. The text ends with a newline.
func common(text []byte, i int) (v float64, end int) {
	if v, end = decimal.Short(text, i); end >= 0 && (blank[text[end]] || text[end] == '\n') {
		return v, end
	}
	end = i
	for !scan.WordEnd[text[end]] {
		end++
	}
	v, ok := decimal.Parse(text[i:end])
	if !ok || math.IsInf(v, 0) || end-i >= scan.Window || !blank[text[end]] && text[end] != '\n' {
		return 0, -1
	}
	return v, end
}
