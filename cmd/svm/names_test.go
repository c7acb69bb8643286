package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
)

// swap is a table in which a and b decide together, and so cannot stand for each other: 80 rows, the class is "in" if a > 10·b.
func swap(header string, row func(a, b float64, class string) string) string {
	var t strings.Builder
	t.WriteString(header + "\n")
	for k := range 80 {
		a, b := float64(k*37%80), float64(k*53%80)/10
		class := "out"
		if a > 10*b {
			class = "in"
		}
		t.WriteString(row(a, b, class) + "\n")
	}
	return t.String()
}

var (
	abLabel = func(a, b float64, class string) string { return fmt.Sprintf("%g,%g,%s", a, b, class) }
	baLabel = func(a, b float64, class string) string { return fmt.Sprintf("%g,%g,%s", b, a, class) }
	labelAB = func(a, b float64, class string) string { return fmt.Sprintf("%s,%g,%g", class, a, b) }
)

// A model finds the columns and the label by their names, for every kind of training, and says so; what it cannot find it refuses.
func TestPredictFindsColumnsByName(t *testing.T) {
	table := file(t, "train.csv", swap("a,b,kind", abLabel))
	first := file(t, "first.csv", swap("kind,a,b", labelAB))
	for _, how := range [][]string{{"train", table}, {"train", "-label", "kind", first}, {"train", "-label", "1", first}, {"train", "-kernel", "rbf", table},
		{"train", "-multi", "cs", table}, {"stream", "-positive", "in", table}} {
		model := filepath.Join(t.TempDir(), "model")
		must(t, "", append(how, "-o", model)...)
		if how[0] == "stream" { // whose class −1 is "not in", which the table does not have
			text, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			os.WriteFile(model, []byte(strings.Replace(string(text), `"not in"`, `"out"`, 1)), 0o600)
		}
		want, _ := must(t, "", "predict", model, table)
		for name, text := range map[string]string{"swapped": swap("b,a,kind", baLabel), "label first": swap("kind,a,b", labelAB)} {
			out, errs := must(t, text, "predict", model, "-")
			if out != want || strings.Contains(errs, "in another order") != (name == "swapped") {
				t.Errorf("%s, %s: other predictions than in the order of training, or %q", how, name, errs)
			}
		}
		if _, rows, _ := strings.Cut(swap("", baLabel), "\n"); rows == "" {
			t.Fatal("no rows")
		} else if out, _ := must(t, rows, "predict", model, "-"); out == want {
			t.Error("columns in another order make no difference: this test proves nothing")
		}
		unlabelled := func(a, b float64, class string) string { return fmt.Sprintf("%g,%g", b, a) }
		if out, _ := must(t, swap("b,a", unlabelled), "predict", "-unlabelled", model, "-"); out != want {
			t.Errorf("%s: without a label, other predictions", how)
		}
		for text, says := range map[string]string{
			swap("a,c,kind", abLabel):     `missing "b"; not known "c"`,
			swap("a,b,target", abLabel):   `no column "kind", the label's at training; name it by -label`,
			swap("a,b,c,kind", threeOf):   `not known "c"`,
			swap("a,kind", oneOf):         `missing "b"`,
			swap("a\x1b[2J,b,k", abLabel): `a control character in a name`,
		} {
			if status, out, errs := svmRun(t, text, "predict", model, "-"); status != exitError || !strings.Contains(errs, says) || out != "" {
				t.Errorf("%s: %.20q: status %d, message %q, want %q", how, text, status, errs, says)
			}
		}
		if status, _, errs := svmRun(t, swap("b,a,kind", baLabel), "predict", "-unlabelled", model, "-"); status != exitError {
			t.Errorf("%s: -unlabelled over a label: status %d, %q", how, status, errs)
		}
	}
}

func threeOf(a, b float64, class string) string { return fmt.Sprintf("%g,%g,0,%s", a, b, class) }
func oneOf(a, b float64, class string) string   { return fmt.Sprintf("%g,%s", a, class) }

// Where one side has no names, the number of columns is held to: exactly in a table, at most in a LIBSVM file.
func TestPredictHoldsToTheNumberOfColumns(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table")
	must(t, "1,2,0,0\n2,1,1,1\n0,1,3,0\n3,0,0,1\n", "train", "-o", table, "-")
	peer := file(t, "peer", "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\nnr_sv 1 1\nSV\n1 1:1 \n-1 2:1 \n")
	for _, c := range []struct {
		model, rows, says string
		flags             string
	}{
		{table, "1,2,3,0\n", "", ""}, {table, "1,2,0\n", "have 2 columns", ""}, {table, "1,2,3,4,0\n", "have 4 columns", ""},
		{table, "0 1:1\n", "", ""}, {table, "0 1:1 3:1\n", "", ""}, {table, "0 1:1 4:1\n", "a row names column 4, but the training rows had 3 columns (-more-columns", ""},
		{table, "0 1:1 4:1\n", "", "-more-columns"},
		{peer, "0 1:1 4:1\n", "", ""}, {peer, "1,2,3,4,0\n", "", ""}, {peer, "1,0\n", "have 1 columns", ""},
	} {
		args := append(append([]string{"predict"}, strings.Fields(c.flags)...), c.model, "-")
		status, out, errs := svmRun(t, c.rows, args...)
		if c.says == "" && status != exitOK || c.says != "" && (status != exitError || !strings.Contains(errs, c.says) || out != "") {
			t.Errorf("%q: status %d, %q, want %q", c.rows, status, errs, c.says)
		}
	}
}

// Measures are those of their columns, by name.
func TestScaleFindsColumnsByName(t *testing.T) {
	measures := filepath.Join(t.TempDir(), "measures")
	want, _ := must(t, swap("a,b,kind", abLabel), "scale", "-kind", "minmax", "-save", measures, "-")
	for text, other := range map[string]bool{swap("b,a,kind", baLabel): true, swap("kind,a,b", labelAB): false} {
		out, errs := must(t, text, "scale", "-load", measures, "-")
		if out != want || strings.Contains(errs, "in another order") != other {
			t.Errorf("%.10q: other rows than in the order of training, or %q", text, errs)
		}
	}
	for text, says := range map[string]string{swap("a,c,kind", abLabel): `missing "b"`, swap("a,b,target", abLabel): `no column "kind"`} {
		if status, out, errs := svmRun(t, text, "scale", "-load", measures, "-"); status != exitError || !strings.Contains(errs, says) || out != "" {
			t.Errorf("%.10q: status %d, %q, want %q", text, status, errs, says)
		}
	}
	old := file(t, "old", `{"kind":"minmax","dim":2,"low":0,"shift":[0,0],"scale":[2,4]}`)
	if out, _ := must(t, "a,b,kind\n1,1,x\n2,4,y\n", "scale", "-load", old, "-"); out != "a,b,label\n0.5,0.25,x\n1,1,y\n" {
		t.Errorf("measures without names: %q", out)
	}
}

// Test rows can all have one class, named or not.
func TestScaleOfOneClass(t *testing.T) {
	measures := filepath.Join(t.TempDir(), "measures")
	must(t, "1,2,x\n3,4,y\n", "scale", "-save", measures, "-")
	for rows, want := range map[string]string{"3,4,y\n3,2,y\n": "1,1,y\n1,0.5,y\n", "3,4,7\n": "1,1,7\n", "y 1:3\ny 2:4\n": "y 1:1\ny 2:1\n"} {
		if out, errs := must(t, rows, "scale", "-load", measures, "-"); out != want || errs != "" {
			t.Errorf("%q: %q, %q, want %q", rows, out, errs, want)
		}
	}
}

// A label that no file of the format can hold is refused before the fit, and named with the flag.
func TestLabelsThatCannotBeWritten(t *testing.T) {
	named := file(t, "named", swap("a,b,kind", abLabel))
	never := filepath.Join(t.TempDir(), "model")
	for flag, says := range map[string]string{"-libsvm": `-libsvm: `, "-liblinear": `-liblinear: `} {
		fits := 0
		var e strings.Builder
		a := &app{ctx: t.Context(), out: &e, err: &e, progress: &cli.Progress{Hook: func(string) { fits++ }}}
		status := a.exit(a.command([]string{"train", flag, never, named}))
		if status != exitError || fits > 0 || !strings.Contains(e.String(), says) || !strings.Contains(e.String(), `"in" is none`) || exists(never) {
			t.Errorf("%s: status %d after %d reports of a fit, %q", flag, status, fits, e.String())
		}
	}
	for _, class := range []string{`"a\nb"`, `"p\rz"`} {
		model := file(t, "model", strings.Replace(byHand, `"1"`, class, 1))
		if status, out, errs := svmRun(t, "1,2\n", "predict", "-unlabelled", model, "-"); status != exitError || out != "" || !strings.Contains(errs, "the class "+class+": a prediction is one line") {
			t.Errorf("a class of two lines: status %d, %q, %q", status, out, errs)
		}
	}
}

// Files of other versions of this one: without names, as they were before names were kept.
func TestModelsWithoutNamesPredictTables(t *testing.T) {
	model := file(t, "model", byHand)
	if out, _ := must(t, "a,b,y\n2,0,1\n0,1,0\n", "predict", model, "-"); out != "1\n0\n" {
		t.Errorf("%q", out)
	}
}

// The label is found in a line of names of any length, compressed or not.
func TestLabelBehindManyNames(t *testing.T) {
	var names, row strings.Builder
	for k := range 9000 { // 126 KB of names, more than 64 KB when compressed
		fmt.Fprintf(&names, "c%012x,", uint64(k+1)*0x9e3779b97f4a7c15>>16)
		row.WriteString("0,")
	}
	first := names.String() + "x,kind\n" + row.String() + "1,in\n" + row.String() + "2,out\n"
	swapped := "kind," + names.String() + "x\nin," + row.String() + "1\nout," + row.String() + "2\n"
	model := filepath.Join(t.TempDir(), "model")
	must(t, first, "train", "-o", model, "-")
	for name, text := range map[string]string{"as at training": first, "label first": swapped} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(text))
		z.Close()
		for _, text := range []string{text, packed.String()} {
			if out, errs := must(t, text, "predict", model, "-"); out != "in\nout\n" || !strings.HasPrefix(errs, "accuracy 100") {
				t.Errorf("%s, %d bytes: %q, %q", name, len(text), out, errs)
			}
		}
	}
}

// Labels that differ by case or blanks only are two classes, which is said; others are not mentioned.
func TestLabelsThatDifferByCase(t *testing.T) {
	for _, flags := range [][]string{nil, {"-scale", "standardize"}} {
		for labels, warned := range map[[2]string]bool{{"Yes", "yes"}: true, {"Yes", "\u00a0yes"}: true, {"Yes", "no"}: false, {"M\xfc", "M\xf6"}: false} {
			rows := fmt.Sprintf("a,b,l\n1,2,%[1]s\n3,4,%[2]s\n1,1,%[1]s\n4,4,%[2]s\n", labels[0], labels[1])
			out, errs := must(t, rows, append(append([]string{"train"}, flags...), "-label", "l", "-")...)
			if strings.Contains(errs, "are two classes, and differ by case or blanks only") != warned || !strings.Contains(out, strings.Trim(strconv.Quote(strings.TrimSpace(labels[1])), `"`)) {
				t.Errorf("%v %v: %s%s", flags, labels, errs, out)
			}
		}
	}
}
