package cli

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/ulikunitz/xz"
)

// OpenData is [Open] for a data file, which it unpacks if it is xz. Package dataset unpacks gzip and
// bzip2.
func OpenData(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	in, err := Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	file := struct {
		io.Reader
		io.Closer
	}{in, in}
	text := bufio.NewReader(in)
	if file.Reader = text; !startsWith(text, "\xfd7zXZ\x00") {
		return file, nil
	}
	packed := &xzFile{packed: text}
	if packed.text, err = xz.NewReader(tail{packed}); err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file.Reader = packed
	return file, nil
}

// startsWith reports whether text starts with a mark. It reads byte by byte, because a pipe may be slow.
func startsWith(text *bufio.Reader, mark string) bool {
	for n := 1; n <= len(mark); n++ {
		if head, _ := text.Peek(n); !strings.HasPrefix(mark, string(head)) || len(head) < n {
			return false
		}
	}
	return true
}

// xzFile unpacks xz. Package xz takes a file that is cut off between two blocks for a whole one, so
// an xzFile compares the last bytes with the footer of the format.
type xzFile struct {
	packed io.Reader
	text   *xz.Reader
	last   [12]byte // that were read of packed
}

func (f *xzFile) Read(p []byte) (int, error) {
	n, err := f.text.Read(p)
	footer := crc32.ChecksumIEEE(f.last[4:10]) == binary.LittleEndian.Uint32(f.last[:]) && string(f.last[10:]) == "YZ"
	if err == io.EOF && !footer {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// tail reads the packed bytes and keeps the last of them.
type tail struct{ *xzFile }

func (t tail) Read(p []byte) (int, error) {
	n, err := t.packed.Read(p)
	last := append(t.last[:], p[max(0, n-len(t.last)):n]...)
	copy(t.last[:], last[len(last)-len(t.last):])
	return n, err
}
