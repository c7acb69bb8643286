package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/clitest"
)

// goldenFiles are the files of testdata/errors.golden by their names.
func goldenFiles() map[string]string {
	var many, wide, prices, words strings.Builder
	many.WriteString("a,b,kind\n")
	prices.WriteString("rooms,age,price\n")
	words.WriteString("sex,age,port,kind\n")
	wide.WriteString("c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,kind\n")
	for i := range 24 {
		fmt.Fprintf(&many, "%d,%d,%s\n", i%5, i%7, []string{"x", "y", "z"}[i%3])
		fmt.Fprintf(&prices, "%d,%d,%d.5\n", i%5+1, i*3%17, 100+7*i)
		fmt.Fprintf(&words, "%s,%d,%s,%s\n", []string{"f", "m"}[i%2], 20+i, []string{"A", "B", "C"}[i%3], []string{"no", "yes"}[i%2])
		fmt.Fprintf(&wide, "%s%s\n", strings.Repeat(fmt.Sprint(i, ","), 12), []string{"x", "y"}[i%2])
	}
	rows := "a,b,kind\n" + strings.Repeat("1,2,x\n2,1,y\n0,2,x\n3,1,y\n", 4)
	return map[string]string{
		"two.csv": rows, "three.csv": many.String(), "prices.csv": prices.String(), "numbers.csv": strings.NewReplacer(",x\n", ",1\n", ",y\n", ",2\n", ",z\n", ",3\n").Replace(many.String()), "people.csv": words.String(), "wide.csv": wide.String(),
		"lone.csv": "a,kind\n1,x\n2,x\n3,x\n4,y\n", "one.csv": "a,kind\n1,ham\n2,ham\n", "ones.csv": "a,kind\n1,7\n2,7\n",
		"empty": "", "blank": "\n\n \n", "header.csv": "a,b,kind\n", "row.csv": "a,b,kind\n1,2,x\n", "label.csv": "kind\nx\ny\n",
		"text.csv": "a,b,kind\n1,red,x\n2,blue,y\n", "texts.csv": "a,b,c,kind\n1,red,q,x\n2,blue,r,y\n", "gap.csv": "a,b,kind\n1,,x\n,1,y\n", "nolabel.csv": "a,kind\n1,x\n2,\n3,y\n",
		"twice.csv": "a,a,kind\n1,2,x\n2,1,y\n", "unnamed.csv": "a,,kind\n1,2,x\n2,1,y\n", "ragged.csv": "a,b,kind\n1,2,x\n2,y\n", "inf.csv": "a,kind\n1e999,x\n2,y\n", "nan.csv": "a,kind\nnan,x\n2,y\n",
		"pipes.csv": "a|b|kind\n1|2|x\n2|1|y\n", "comma.csv": "a;kind\n1,5;x\n2,5;y\n", "quote.csv": "a,kind\n\"1,x\n2,y\n", "control.csv": "a\x1b[2J,kind\n1,x\n2,y\n", "latin1.csv": "a,kind\n1,gr\xfcn\n2,rot\n",
		"utf16.csv": "\xff\xfea\x00,\x00k\x00\n\x001\x00,\x00x\x00\n\x00", "long.csv": "a,kind\n" + strings.Repeat("1", 70_000) + ",x\n", "spelling.csv": "a,kind\n1,1\n2,1.0\n3,2\n",
		"weights.csv": "w,a,kind\n-1,1,x\n1,2,y\n", "few.txt": "1\n2\n", "words.txt": "1\nheavy\n", "zero.csv": "w,a,kind\n0,1,x\n1,2,y\n1,1,z\n1,4,y\n", "same.csv": "a,kind\n1,x\n1,y\n",
		"huge.csv": "a,kind\n1e200,x\n-1e200,y\n", "case.csv": "a,kind\n1,Yes\n2,yes\n3,No\n",
		"page.html": "<!DOCTYPE html>\n<html><body>404</body></html>\n", "picture.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "table.zip": "PK\x03\x04\x14\x00\x00\x00", "old.xls": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "table.parquet": "PAR1\x15\x04\x15",
		"pickle": "\x80\x04\x95\x00\x00", "data.json": "[{\"a\": 1}]\n", "broken.gz": "\x1f\x8b\x08\x00garbage", "broken.xz": "\xfd7zXZ\x00garbage", "broken.bz2": "BZh9garbage",
		"plain": "1 1:1 2:1\n-1 2:2\n1 1:2\n-1 2:1\n", "pair": "1 1:1\n-1 2;2\n", "value": "1 1:1\n-1 2:x\n", "order": "1 2:1 1:1\n-1 1:1\n", "index0": "1 0:1\n-1 1:1\n", "far": "1 1:1\n-1 2000000000:1\n", "beyond": "1 1:1\n-1 99999999999:1\n", "qid": "1 qid:1 1:1\n-1 qid:1 2:1\n",
		"xgboost": "1:0.5 1:1\n0:2 1:1\n", "headless": "1 1:1\n2:1\n", "zeros": "# Column indices are zero-based\n1 1:1\n-1 1:2\n", "multilabel": "1,2 1:1\n3 1:2\n", "streams": "1 1:1\n-1 1:1\n0 1:1\n", "nope": "1 1:1\n-1 2:2\nspam 1:1\n",
		"hello.model": "hello\n", "future.model": "svmkit model 99\n", "notes.json": "{}\n", "cut.libsvm": "svm_type c_svc\nkernel_type linear\nnr_class 2\n", "index0.libsvm": "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 2\nnr_sv 1 0\nSV\n1 0:1 \n",
		"precomputed.libsvm": "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 2\nnr_sv 1 0\nSV\n1 0:1 \n", "liblinear": "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\nw\n1 \n",
		"rows.csv": "a,b\n1,2\n", "swapped.csv": "a,c,kind\n1,2,x\n", "newport.csv": "sex,age,port,kind\nf,30,D,no\n", "agegap.csv": "sex,age,port,kind\nf,,A,no\n",
	}
}

// writeGoldenFiles writes the files into an empty folder, and goes there.
func writeGoldenFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range goldenFiles() {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	must(t, "", "train", "-o", "two.model", "two.csv")
}

// The flags that a message advises are taken, and do away with the error.
func TestAdvisedFlagsWork(t *testing.T) {
	writeGoldenFiles(t)
	for _, c := range []struct {
		command, advice string   // flags of the command that fails stand between the slashes
		flags           []string // each in their place
	}{
		{"train // gap.csv", "use -median a,b, or leave columns out by -drop", []string{"-median a,b", "-median a -drop b"}},
		{"train // texts.csv", "use -categorical b,c, or leave columns out by -drop", []string{"-categorical b,c", "-drop b,c"}},
		{"train // text.csv", "use -categorical b, or leave it out by -drop", []string{"-drop b", "-categorical b"}},
		{"train / -median sex / people.csv", "use -categorical sex,port and no -median", []string{"-categorical sex,port"}},
		{"train // twice.csv", "leave some out by -drop 2", []string{"-drop 2"}},
		{"train // unnamed.csv", "leave out all without one by -drop 2", []string{"-drop 2"}},
		{"train / -gamma 1 / two.csv", "is -kernel rbf missing?", []string{"-gamma 1 -kernel rbf"}},
		{"train / -solver newton -kernel rbf / two.csv", "use -solver auto, smo or decomposition", []string{"-solver auto -kernel rbf", "-solver smo -kernel rbf", "-solver decomposition -kernel rbf"}},
		{"train / -solver newton / two.csv", "use -solver auto, proximal, dcd, smo or decomposition", []string{"-solver auto", "-solver proximal", "-solver dcd", "-solver smo", "-solver decomposition"}},
		{"train / -loss logistic -solver smo / two.csv", "use -solver auto or newton", []string{"-loss logistic", "-loss logistic -solver newton"}},
		{"train / -loss logistic -kernel rbf / two.csv", "use -kernel linear", []string{"-loss logistic -kernel linear"}},
		{"train / -multi cs -bias free / three.csv", "use -bias penalized or none", []string{"-multi cs -bias penalized", "-multi cs -bias none"}},
		{"train / -libsvm out / numbers.csv", "use -multi ovo", []string{"-libsvm out -multi ovo"}},
		{"train // prices.csv", "use -loss eps-insensitive; if they are classes, use -multi ovr", []string{"-loss eps-insensitive", "-multi ovr"}},
		{"train // index0", "use -zero-based", []string{"-zero-based"}}, {"train // qid", "use -qid", []string{"-qid"}}, {"train // zeros", "use -zero-based", []string{"-zero-based"}},
		{"train / -C inf / same.csv", "take a finite -C", []string{"-C 9"}},
		{"stream // streams", "-positive names the class +1", []string{"-positive 1"}},
		{"scale / -kind standardize / plain", "use -dense, or take unit-variance, maxabs or unit-norm", []string{"-kind standardize -dense", "-kind unit-variance", "-kind maxabs", "-kind unit-norm"}},
		{"predict // two.model rows.csv", "predict -unlabelled takes rows without labels", []string{"-unlabelled"}},
	} {
		part := strings.Split(c.command, "/")
		if status, _, errs := svmRun(t, "", strings.Fields(strings.Join(part, " "))...); status == exitOK || !strings.Contains(errs, c.advice) {
			t.Errorf("svm %s: status %d, %s", c.command, status, errs)
		}
		for _, flags := range c.flags {
			part[1] = flags
			line := strings.Join(part, " ")
			if status, _, errs := svmRun(t, "", strings.Fields(line)...); status != exitOK && status != exitTolerance {
				t.Errorf("svm %s: status %d, %s", line, status, errs)
			}
		}
	}
}

// Each failure of the list has a message that its causer can read: at most two colons, and no word of Go.
func TestGoldenErrors(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the messages of the system are those of Linux")
	}
	golden, err := filepath.Abs(filepath.Join("testdata", "errors.golden"))
	if err != nil {
		t.Fatal(err)
	}
	writeGoldenFiles(t)
	must(t, "", "train", "-o", "three.model", "three.csv")
	must(t, "", "train", "-loss", "eps-insensitive", "-o", "prices.model", "prices.csv")
	must(t, "", "train", "-categorical", "sex,port", "-median", "age", "-o", "people.model", "people.csv")
	must(t, "", "train", "-o", "plain.model", "plain")
	must(t, "", "train", "-checkpoint", "state", "two.csv")
	must(t, "", "scale", "-save", "scaling.json", "-o", "scaled.csv", "two.csv")
	whole, err := os.ReadFile("two.model")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"half.model": string(whole[:len(whole)/2]), "changed.model": strings.Replace(string(whole), "weights", "weightz", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	messages := clitest.Golden(t, golden, func(args []string, stdin string) (int, string) {
		status, _, errs := svmRun(t, stdin, args...)
		return status, errs
	})
	const fewest = 100
	if len(messages) < fewest {
		t.Errorf("%d failures, want %d", len(messages), fewest)
	}
	quotation := regexp.MustCompile(`"[^"]*"`)
	for _, text := range messages {
		for line := range strings.Lines(text) {
			bare := quotation.ReplaceAllString(strings.TrimPrefix(line, "svm: "), "")
			if n := strings.Count(bare, ": "); n > 2 || inGo(line) {
				t.Errorf("%d colons, or Go: %s", n, line)
			}
		}
	}
}
