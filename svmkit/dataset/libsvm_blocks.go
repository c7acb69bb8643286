package dataset

import (
	"bytes"
	"io"
	"runtime"
	"sync"
)

// A whole file is read in blocks that end at line ends. Each block is parsed by a goroutine of its
// own and the results are joined in order, so neither the set nor an error depends on the number of
// processors. The goroutines know only the common form of a line, see
// [libsvmBlock.parse]. A block that holds anything else (a comment, a name for a label, a mistake)
// is parsed again by libsvmParser, which knows all forms and names the place of a mistake.

// blockBytes is the size of a block, long enough for a goroutine to pay. libsvmParser reads a
// longer line, and the file from there on.
const blockBytes = 2 * window

// collect reads all rows.
func (p *libsvmParser) collect() (*store, error) {
	threads := runtime.GOMAXPROCS(0)
	rows := &store{}
	var running sync.WaitGroup
	defer running.Wait()
	var queue []*libsvmBlock
	free := [][]byte{p.buf} // the first block is what the window holds
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
	return rows, p.rowByRow(rows, p.rest()) // a long line, what an error has cut off, or nothing
}

// cut fills buf and returns its whole lines as a block. At the end of the file it returns all that
// is left, and nil if there is no whole line. The next call copies what follows these lines into
// its own buffer, and after that only the block uses this one.
func (p *libsvmParser) cut(buf []byte) *libsvmBlock {
	p.end = copy(buf, p.buf[p.pos:p.end])
	p.buf, p.pos = buf, 0
	for p.fill() {
	}
	n := bytes.LastIndexByte(buf[:p.end], '\n') + 1
	if p.err == io.EOF {
		n = p.end
	}
	if n == 0 {
		return nil
	}
	p.pos = n
	return &libsvmBlock{buf: buf, text: buf[:n:n], done: make(chan struct{})}
}

// join appends what a block holds; p.line is the number of its first line.
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
	p.line += b.lines
	return nil
}

// rowByRow parses the text of r, whose first line is p.line, one row after the other.
func (p *libsvmParser) rowByRow(rows *store, r io.Reader) error {
	q := *p
	q.source = &source{ctx: p.ctx, r: r, name: p.name, buf: make([]byte, window),
		line: p.line, skipped: p.skipped}
	for {
		x, l, _, err := q.next()
		p.dim, p.line, p.skipped = q.dim, q.line, q.skipped
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		rows.add(x, l)
	}
}
