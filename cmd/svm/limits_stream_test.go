//go:build unix

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// megabyte is the unit of the streams below.
const megabyte = 1_000_000

// endlessRows repeats a text of rows until so many bytes have been read: a stream that is on no disk.
type endlessRows struct {
	text string
	at   int
	left int64
}

func (r *endlessRows) Read(p []byte) (int, error) {
	if r.left <= 0 && r.at == 0 { // whole rows only
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	r.at, r.left = r.at+n, r.left-int64(n)
	if r.at == len(r.text) {
		r.at = 0
	}
	return n, nil
}

// A stream of 5 GB (in the short form: 50 MB) goes through Pegasos and through the perceptron in the
// memory that the first part of it took, checkpoints included.
func TestReliabilityStreamsLearnInConstantMemory(t *testing.T) {
	text := rowsText(6, 8000, 2000, 10)
	early, late := int64(25*megabyte), int64(50*megabyte)
	if proctest.Long() {
		early, late = 50*megabyte, 5000*megabyte
	}
	for _, learner := range []string{"pegasos", "perceptron"} {
		learn := func(size int64) proctest.Ended {
			cmd := svmCommand(t, "stream", "-learner", learner, "-checkpoint", filepath.Join(t.TempDir(), "state"), "-every", "1s", "-")
			cmd.Stdin = &endlessRows{text: text, left: size}
			end := proctest.Measured(t, cmd)
			if end.Status != 0 {
				t.Fatalf("%s: status %d, %s", learner, end.Status, end.Errs)
			}
			rows := size/int64(len(text))*8000 + 8000
			if !strings.Contains(end.Out, fmt.Sprintf("rows n            %d\n", rows)) {
				t.Errorf("%s: want %d rows:\n%s", learner, rows, end.Out)
			}
			return end
		}
		small, large := learn(early), learn(late)
		// What Go's collector keeps beyond what is alive varies from run to run by a few megabytes.
		const slack = 12 << 20
		if large.Peak > small.Peak+slack || large.Peak > 64<<20 {
			t.Errorf("%s: %d MB took at most %d bytes of memory, %d MB took %d", learner, early/megabyte, small.Peak, late/megabyte, large.Peak)
		}
		t.Attr(learner+"_stream_MB", fmt.Sprint(late/megabyte))
		t.Attr(learner+"_peak_RSS_MiB", fmt.Sprintf("%.1f, after %d MB %.1f", float64(large.Peak)/(1<<20), early/megabyte, float64(small.Peak)/(1<<20)))
		t.Attr(learner+"_MB_per_s", fmt.Sprintf("%.0f", float64(late)/megabyte/large.Took.Seconds()))
	}
}
