package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What the system says at the last moments, when the rest of the buffer is written and when all is
// flushed to the disk, is an error, and the old file stays. Here a file that is open for reading
// only takes no byte, and one that is closed cannot be flushed.
func TestTheLastErrorsCount(t *testing.T) {
	for what, c := range map[string]struct {
		flag  int
		write func(w io.Writer, file *os.File) error
		want  error
	}{
		"writing":  {os.O_RDONLY, func(w io.Writer, _ *os.File) error { _, err := io.WriteString(w, "new"); return err }, syscall.EBADF},
		"flushing": {os.O_WRONLY, func(_ io.Writer, file *os.File) error { return file.Close() }, fs.ErrClosed},
	} {
		folder := t.TempDir()
		path, hidden := filepath.Join(folder, "a"), filepath.Join(folder, ".a")
		for _, name := range []string{path, hidden} {
			if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.OpenFile(hidden, c.flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := fill(file, path, func(w io.Writer) error { return c.write(w, file) }); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", what, err, c.want)
		}
		if text, err := os.ReadFile(path); string(text) != "old" {
			t.Errorf("%s: content %q, %v, want the old one", what, text, err)
		}
		if _, err := os.Stat(hidden); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the hidden file is left: %v", what, err)
		}
	}
}
