package dataset

import (
	"bytes"
	"io"
	"runtime"
	"sync"

	"github.com/svmkit/course/svmkit/dataset/internal/scan"
)

// A whole file is read in blocks that end at line ends. Each block is parsed by a goroutine of its
// own and the results are joined in order, so neither the set nor an error depends on the number of
// processors. The goroutines know only the common form of a line, see
// [libsvmBlock.parse]. A block that holds anything else (a comment, a name for a label, a mistake)
// is parsed again by libsvmParser, which knows all forms and names the place of a mistake.

// blockBytes is the size of a block, long enough for a goroutine to pay. libsvmParser reads a
// longer line, and the file from there on.
const blockBytes = 2 * scan.Window

// collect reads all rows.
func (p *libsvmParser) collect() (*store, error) {
	threads := runtime.GOMAXPROCS(0)
	rows := &store{}
	var running sync.WaitGroup
	defer running.Wait()
	var queue []*libsvmBlock
	free := [][]byte{p.Buf} // the first block is what the window holds
	for more := true; more || len(queue) > 0; {
		for more && len(queue) <= threads {
			if len(free) == 0 {
				free = append(free, make([]byte, blockBytes))
			}
			b := p.cut(free[len(free)-1])
			free = free[:len(free)-1]
			if more = b != nil; !more {
				break
			}
			queue = append(queue, b)
			running.Go(func() { b.parse(&p.opt, p.coder) })
		}
		if len(queue) == 0 {
			break
		}
		b := queue[0]
		queue = queue[1:]
		<-b.done
		if err := p.join(rows, b); err != nil {
			return nil, err
		}
		if len(b.buf) == blockBytes { // not the window: it may not hold what a larger one leaves behind
			free = append(free, b.buf)
		}
	}
	return rows, p.rowByRow(rows, p.Rest()) // a long line, what an error has cut off, or nothing
}

// cut returns the next whole lines as a block that uses buf, nil if there is no whole line.
func (p *libsvmParser) cut(buf []byte) *libsvmBlock {
	text := p.Lines(buf)
	if len(text) == 0 {
		return nil
	}
	return &libsvmBlock{buf: buf, text: text, done: make(chan struct{})}
}

// join appends what a block holds; p.Line is the number of its first line.
func (p *libsvmParser) join(rows *store, b *libsvmBlock) error {
	if !b.common {
		return p.rowByRow(rows, bytes.NewReader(b.text))
	}
	rows.values, rows.index = append(rows.values, b.value), append(rows.index, b.index)
	rows.lengths = append(rows.lengths, b.lengths...)
	rows.total += len(b.value)
	rows.n += len(b.labels)
	for _, v := range b.labels {
		rows.labels.add(label{value: v})
	}
	p.dim = max(p.dim, b.dim)
	p.Line += b.lines
	return nil
}

// rowByRow parses the text of r, whose first line is p.Line, one row after the other.
func (p *libsvmParser) rowByRow(rows *store, r io.Reader) error {
	q := *p
	q.source = &source{Source: *p.Sub(r), name: p.name, skipped: p.skipped}
	for {
		x, l, _, err := q.next()
		p.dim, p.Line, p.skipped = q.dim, q.Line, q.skipped
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		rows.add(x, l)
	}
}
