package main_test

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	if long() {
		early, late = 50*megabyte, 5000*megabyte
	}
	for _, learner := range []string{"pegasos", "perceptron"} {
		learn := func(size int64) ended {
			cmd := svmCommand(t, "stream", "-learner", learner, "-checkpoint", filepath.Join(t.TempDir(), "state"), "-every", "1s", "-")
			cmd.Stdin = &endlessRows{text: text, left: size}
			end := complete(t, cmd)
			if end.status != 0 {
				t.Fatalf("%s: status %d, %s", learner, end.status, end.errs)
			}
			rows := size/int64(len(text))*8000 + 8000
			if !strings.Contains(end.out, fmt.Sprintf("rows n            %d\n", rows)) {
				t.Errorf("%s: want %d rows:\n%s", learner, rows, end.out)
			}
			return end
		}
		small, large := learn(early), learn(late)
		// What Go's collector keeps beyond what is alive varies from run to run by a few megabytes.
		const slack = 12 << 20
		if large.peak > small.peak+slack || large.peak > 64<<20 {
			t.Errorf("%s: %d MB took at most %d bytes of memory, %d MB took %d", learner, early/megabyte, small.peak, late/megabyte, large.peak)
		}
		t.Attr(learner+"_stream_MB", fmt.Sprint(late/megabyte))
		t.Attr(learner+"_peak_RSS_MiB", fmt.Sprintf("%.1f, after %d MB %.1f", float64(large.peak)/(1<<20), early/megabyte, float64(small.peak)/(1<<20)))
		t.Attr(learner+"_MB_per_s", fmt.Sprintf("%.0f", float64(late)/megabyte/large.took.Seconds()))
	}
}

// Few bytes that promise much: every command ends with a message, or does its work, within an address
// space of 1.5 GB, which Go's runtime itself needs most of.
func TestReliabilityPromisesAllocateNothing(t *testing.T) {
	dir := t.TempDir()
	huge := put(t, dir, "huge", "1 2147483647:1\n-1 1:1\n")
	beyond := put(t, dir, "beyond", "1 1152921504606846976:1\n-1 1:1\n")
	rows := put(t, dir, "rows", "1 1:1 2:2\n-1 1:2\n1 2:1\n-1 2:3\n")
	model := func(name, text string) string { return put(t, dir, name, text) }
	own := "svmkit model 1\ntask classification\ndim %s\nkernel %s\nbias 0\n%s"
	for _, c := range []struct {
		name string
		args []string
		says string // "" if all goes well
	}{
		{"index 2^31-1, train", []string{"train", huge}, "names column 2147483647"},
		{"index 2^31-1, rbf", []string{"train", "-kernel", "rbf", huge}, "names column 2147483647"},
		{"index 2^31-1, cv", []string{"cv", "-folds", "2", huge}, "names column 2147483647"},
		{"index 2^31-1, scale", []string{"scale", huge}, "names column 2147483647"},
		{"index 2^31-1, stream", []string{"stream", huge}, "line 1"},
		{"index 2^60, train", []string{"train", beyond}, "beyond 2147483647"},
		{"index 2^60, stream", []string{"stream", beyond}, "beyond 2147483647"},
		{"index 2^60, scale", []string{"scale", beyond}, "beyond 2147483647"},
		{"model of 2^31-1 columns", []string{"predict", model("a", fmt.Sprintf(own, "2147483647", "linear", "weights\n1\nend\n")), rows}, "line 8"},
		{"model of 2^60 columns", []string{"predict", model("b", fmt.Sprintf(own, "1152921504606846976", "linear", "weights\n1\nend\n")), rows}, "line 3"},
		{"model of 2^31-1 vectors", []string{"predict", model("c", fmt.Sprintf(own, "2", "rbf gamma 1", "vectors 2147483647\n1 - - 1:1\nend\n")), rows}, "line 8"},
		{"vector of column 2^31-1", []string{"predict", model("d", fmt.Sprintf(own, "2147483647", "rbf gamma 1", "vectors 1\n1 - - 2147483647:1\nend\n")), rows}, ""},
		{"LIBSVM's model of 2^31-1 vectors", []string{"predict", model("e", "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2147483647\nrho 0\nlabel 1 -1\nnr_sv 2147483646 1\nSV\n1 1:1\n"), rows}, "line 10"},
		{"LIBSVM's linear vector of column 2^31-1", []string{"predict", model("f", "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 2147483647:1\n-1 1:1\n"), rows}, ""},
		{"LIBLINEAR's model of 2^31-1 columns", []string{"predict", model("g", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2147483647\nbias -1\nw\n1\n"), rows}, "line 8"},
		{"checkpoint of 2^60 columns", []string{"stream", "-checkpoint", model("h", `{"svmkit":"stream checkpoint 1","learner":"pegasos -lambda 0.0001 -bias penalized","rows":1152921504606846976,"sum":0}`+"\n"), rows}, "cut off"},
		{"measures of 2^31-1 columns", []string{"scale", "-load", model("i", `{"kind":"maxabs","dim":2147483647,"scale":[1]}`), rows}, "holds no measures"},
	} {
		path, err := builtSVM()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", `ulimit -v 1500000; exec "$0" "$@"`, path}, c.args...)...)
		end := complete(t, cmd)
		if c.says == "" && end.status != 0 || c.says != "" && (end.status != 1 || !strings.Contains(end.errs, c.says) || !strings.HasPrefix(end.errs, "svm: ")) {
			t.Errorf("%s: status %d, %q, want %q", c.name, end.status, firstLines(end.errs), c.says)
		}
		const enough = 64 << 20 // of the process at rest some 10 MB are in use
		if end.peak > enough {
			t.Errorf("%s: %d bytes of memory", c.name, end.peak)
		}
	}
	t.Attr("cases", "17")
}

func firstLines(text string) string {
	lines := strings.SplitAfterN(text, "\n", 4)
	return strings.Join(lines[:min(3, len(lines))], "")
}

// The cache of kernel rows keeps to its bound: what a fit needs beyond it is what it needs with the
// smallest cache, and far from the 72 MB of the whole matrix.
func TestReliabilityKernelCacheKeepsItsBound(t *testing.T) {
	data := put(t, t.TempDir(), "rows", rowsText(7, 3000, 60, 6))
	for _, solver := range []string{"smo", "decomposition"} {
		peak := func(mebibytes int) int64 {
			end := complete(t, svmCommand(t, "train", "-kernel", "rbf", "-gamma", "1", "-C", "10", "-solver", solver, "-max-epochs", "5", "-cache", fmt.Sprint(mebibytes), data))
			if end.status != 0 && end.status != 3 {
				t.Fatalf("status %d: %s", end.status, end.errs)
			}
			return end.peak
		}
		least, most := peak(1), peak(32)
		const slack = 12 << 20 // of the collector, and of what a solver needs for each row of a larger block
		if most > least+32<<20+slack || most > 72_000_000 {
			t.Errorf("%s: %d bytes with a cache of 1 MiB, %d with one of 32 MiB", solver, least, most)
		}
		t.Attr(solver+"_peak_RSS_MiB", fmt.Sprintf("%.0f with a cache of 1, %.0f of 32", float64(least)/(1<<20), float64(most)/(1<<20)))
	}
}

// Reading needs the memory of the numbers, as the documentation promises: 12 bytes a stored number and
// 56 a row, and at most an eighth more; the process has as much again for the collector to work in.
func TestReliabilityReadingKeepsItsBound(t *testing.T) {
	const n, nnz = 60_000, 10
	text := rowsText(8, n, 2000, nnz)
	peak := func(text string) int64 {
		cmd := svmCommand(t, "scale", "-o", "/dev/null", "-")
		cmd.Stdin = bytes.NewReader([]byte(text))
		end := complete(t, cmd)
		if end.status != 0 {
			t.Fatal(end.errs)
		}
		return end.peak
	}
	base, got := peak("1 1:1\n-1 2000:1\n"), peak(text)
	// scale keeps a second, scaled copy of the set; GOGC=100 lets the heap grow to twice what is alive.
	set := int64(float64(n*(nnz*12+56)) * 1.125)
	if limit := base + 2*2*set + 8<<20; got > limit {
		t.Errorf("a set of %d bytes took %d, at most %d; the process itself takes %d", set, got, limit, base)
	}
	t.Attr("reading_MiB", fmt.Sprintf("%.1f for a set of %.1f, twice, and a process of %.1f", float64(got)/(1<<20), float64(set)/(1<<20), float64(base)/(1<<20)))
}
