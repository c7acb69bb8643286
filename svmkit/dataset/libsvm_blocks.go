package dataset

import (
	"bytes"
	"io"
	"runtime"
	"sync"

	"github.com/svmkit/course/svmkit/dataset/internal/rows"
	"github.com/svmkit/course/svmkit/dataset/internal/scan"
)

// A whole file is read in blocks that end at line ends. A goroutine parses each block, and the
// results are joined in order, so neither the set nor an error depends on the number of processors.
// The goroutines know only the common form of a line, see [rows.Parse]. A block with anything else
// (a comment, a name for a label, a mistake) is parsed again by libsvmParser, which knows all forms
// and reports the place of a mistake.

// blockBytes is the size of a block, long enough to be worth a goroutine. libsvmParser reads a
// longer line, and the file from there on.
const blockBytes = 2 * scan.Window

// block is a few lines of text and the rows parsed from them.
type block struct {
	buf, text []byte // text lies in buf
	done      chan struct{}
	parsed    *rows.Block // when done is closed; nil if not all lines have the common form
}

// collect reads all rows.
func (p *libsvmParser) collect() (*rows.Store, error) {
	threads := runtime.GOMAXPROCS(0)
	base := 1
	if p.opt.ZeroBased {
		base = 0
	}
	all := &rows.Store{}
	var running sync.WaitGroup
	defer running.Wait()
	var queue []*block
	free := [][]byte{p.Buf} // the first block is the text of the window
	for more := true; more || len(queue) > 0; {
		for more && len(queue) <= threads {
			if len(free) == 0 {
				free = append(free, make([]byte, blockBytes))
			}
			buf := free[len(free)-1]
			free = free[:len(free)-1]
			text := p.Lines(buf)
			if more = len(text) > 0; !more {
				break
			}
			b := &block{buf: buf, text: text, done: make(chan struct{})}
			queue = append(queue, b)
			running.Go(func() {
				defer close(b.done)
				if !p.opt.Unlabelled {
					b.parsed = rows.Parse(b.text, base, p.opt.Dim, p.coder.Takes)
				}
			})
		}
		if len(queue) == 0 {
			break
		}
		b := queue[0]
		queue = queue[1:]
		<-b.done
		if b.parsed != nil {
			all.AddBlock(b.parsed)
			p.dim = max(p.dim, b.parsed.Dim)
			p.Line += b.parsed.Lines
		} else if err := p.rowByRow(all, bytes.NewReader(b.text)); err != nil {
			return nil, err
		}
		// the window may not hold the remainder of a larger buffer
		if len(b.buf) == blockBytes {
			free = append(free, b.buf)
		}
	}
	// a long line, the end of a text that an error has cut off, or nothing
	return all, p.rowByRow(all, p.Rest())
}

// rowByRow parses the text of r, whose first line is p.Line, one row after the other.
func (p *libsvmParser) rowByRow(all *rows.Store, r io.Reader) error {
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
		all.Add(x, l)
	}
}
