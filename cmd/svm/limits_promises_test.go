//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// Few bytes that promise much: every command ends with a message, or does its work, within an address
// space of 1.5 GB, which Go's runtime itself needs most of.
func TestReliabilityPromisesAllocateNothing(t *testing.T) {
	dir := t.TempDir()
	huge := proctest.Put(t, dir, "huge", "1 2147483647:1\n-1 1:1\n")
	beyond := proctest.Put(t, dir, "beyond", "1 1152921504606846976:1\n-1 1:1\n")
	rows := proctest.Put(t, dir, "rows", "1 1:1 2:2\n-1 1:2\n1 2:1\n-1 2:3\n")
	model := func(name, text string) string { return proctest.Put(t, dir, name, text) }
	own := "svmkit model 1\ntask classification\ndim %s\nkernel %s\nbias 0\n%s"
	for _, c := range []struct {
		name string
		args []string
		says string // "" if all goes well
	}{
		{"index 2^31-1, train", []string{"train", huge}, "names column 2147483647 (value 1)"},
		{"index 2^31-1, rbf", []string{"train", "-kernel", "rbf", huge}, ""},
		{"index 2^31-1, cv", []string{"cv", "-folds", "2", huge}, "names column 2147483647 (value 1)"},
		{"index 2^31-1, scale", []string{"scale", huge}, "names column 2147483647 (value 1)"},
		{"index 2^31-1, stream", []string{"stream", huge}, "line 1: column 2147483647: correct the index"},
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
		cmd := svmCommand(t, c.args...)
		cmd.Args = append([]string{"/bin/sh", "-c", `ulimit -v 1500000; exec "$0" "$@"`, cmd.Path}, c.args...)
		cmd.Path = "/bin/sh"
		end := proctest.Measured(t, cmd)
		if c.says == "" && end.Status != 0 || c.says != "" && (end.Status != 1 || !strings.Contains(end.Errs, c.says) || !strings.HasPrefix(end.Errs, "svm: ")) {
			t.Errorf("%s: status %d, %q, want %q", c.name, end.Status, firstLines(end.Errs), c.says)
		}
		const enough = 64 << 20 // of an idle process some 10 MB are in use
		if end.Peak > enough {
			t.Errorf("%s: %d bytes of memory", c.name, end.Peak)
		}
	}
	t.Attr("cases", "17")
}

func firstLines(text string) string {
	lines := strings.SplitAfterN(text, "\n", 4)
	return strings.Join(lines[:min(3, len(lines))], "")
}
