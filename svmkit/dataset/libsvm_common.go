package dataset

import (
	"bytes"
	"math"

	"github.com/svmkit/course/svmkit/internal/decimal"
)

// libsvmBlock is a few lines of text and the rows parsed from them.
type libsvmBlock struct {
	buf    []byte // that text lies in
	text   []byte // whole lines; the last one of a file may lack its end
	done   chan struct{}
	common bool // all lines have the common form, and what follows is filled in

	index   []int32
	value   []float64
	lengths []int32 // how many values each row has
	labels  []float64
	lines   int // how many ends of lines text holds
	dim     int // the largest column + 1
}

// parse reads lines of the common form
//
//	number integer:number integer:number …
//
// with spaces, tabs and carriage returns between the words. It gives up, and leaves common false,
// at anything else, and at whatever libsvmParser reports as an error.
func (b *libsvmBlock) parse(o *LIBSVMOptions, c *coder) {
	defer close(b.done)
	text := b.text
	b.lines = bytes.Count(text, []byte{'\n'})
	if text[len(text)-1] != '\n' {
		text = append(text, '\n') // every word ends within text
	}
	pairs := bytes.Count(text, []byte{':'})
	b.index, b.value = make([]int32, 0, pairs), make([]float64, 0, pairs)
	b.lengths, b.labels = make([]int32, 0, b.lines+1), make([]float64, 0, b.lines+1)
	base := 1
	if o.ZeroBased {
		base = 0
	}
	most := int64(math.MaxInt32) // column + 1; int64 also where an int has 32 bits
	if o.Dim > 0 {
		most = int64(o.Dim)
	}
	for i := 0; i < len(text); {
		if blank[text[i]] || text[i] == '\n' {
			i++
			continue
		}
		y, next := common(text, i)
		if next < 0 || !c.takes(text[i:next], y) {
			return
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
				return
			}
			column, from := int64(0), i
			for d := text[i] - '0'; d <= 9; d = text[i] - '0' {
				column = column*10 + int64(d)
				i++
			}
			const digits = 10 // of 2147483647
			column -= int64(base)
			if text[i] != ':' || i == from || i-from > digits || column <= last || column >= most {
				return
			}
			v, next := common(text, i+1)
			if next < 0 {
				return
			}
			i, last = next, column
			b.index, b.value = append(b.index, int32(column)), append(b.value, v)
		}
		i++
		b.labels, b.lengths = append(b.labels, y), append(b.lengths, int32(len(b.value)-first))
		b.dim = max(b.dim, int(last)+1)
	}
	b.common = true
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
	for !wordEnd[text[end]] {
		end++
	}
	v, ok := decimal.Parse(text[i:end])
	if !ok || math.IsInf(v, 0) || end-i >= window || !blank[text[end]] && text[end] != '\n' {
		return 0, -1
	}
	return v, end
}

// takes reports whether [coder.read] takes a label that is the number v by its value alone.
func (c *coder) takes(text []byte, v float64) bool {
	if c.Task == Regression {
		return true
	} else if c.coding == nil || longInteger(text) {
		return shortest(text, v)
	}
	_, ok := c.coding.number[v]
	return ok || c.Positive != ""
}
