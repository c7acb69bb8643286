//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// linearModel is a small model file.
const linearModel = "svmkit model 1\ntask classification\ndim 2\nkernel linear\nbias 0.5\nweights\n1\n-2\nend\n"

// points are 40 rows in which a and b decide together, and so cannot stand for each other: "in" if a > 10·b. order names the
// columns, with commas.
func points(order string, header bool) string {
	var b strings.Builder
	if header {
		b.WriteString(order + "\n")
	}
	for k := range 40 {
		x, z, class := float64(k*37%40), float64(k*53%40)/10, "out"
		if x > 10*z {
			class = "in"
		}
		value := map[string]string{"a": fmt.Sprint(x), "b": fmt.Sprint(z), "kind": class, "label": class, "one": "1"}
		for j, name := range strings.Split(order, ",") {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(value[name])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// numberTable is a table of numbers below a header; the last column is the label, 0 or 1.
func numberTable(header string) string {
	return header + "\n1.5,2,0\n2.5,1,1\n3.5,3,0\n4.5,1,1\n"
}

// tens are the targets 10, 20, … 80 of x = 1, 2, … 8, which look like classes.
func tens() string {
	var b strings.Builder
	b.WriteString("x,y\n")
	for k := 1; k <= 8; k++ {
		fmt.Fprintf(&b, "%d,%d\n", k, 10*k)
	}
	return b.String()
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// far are 40 rows of 40 labels whose one column is number 2²⁷.
func far() string {
	var b strings.Builder
	for k := range 40 {
		fmt.Fprintf(&b, "%d 134217728:1\n", k%11)
	}
	return b.String()
}

// walkFiles are the files that are there in each attack: tables, a model and measures of them.
func walkFiles(t *testing.T) map[string]string {
	dir := t.TempDir()
	files := map[string]string{
		"ab": points("a,b,kind", true), "ba": points("b,a,kind", true), "kindab": points("kind,a,b", true),
		"justba": points("b,a", true), "rows": points("a,b,label", false),
		"tens": tens(), "libsvm": "1 1:1 2:2\n-1 1:2 2:1\n1 1:1 2:3\n-1 1:3 2:1\n",
	}
	for name, text := range files {
		proctest.Put(t, dir, name, text)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	well(t, "train", "-C", "100", "-o", at("model"), at("ab"))
	well(t, "train", "-o", at("plain"), at("libsvm"))
	well(t, "scale", "-save", at("measures"), "-o", at("scaled"), at("ab"))
	for _, name := range []string{"model", "plain", "measures"} {
		files[name] = proctest.Content(t, at(name))
	}
	return files
}

// walk lists the attacks.
func walk() (attacks []proctest.Attack) {
	for _, table := range [][]proctest.Attack{walkHeaders(), walkNames(), walkLabels(), walkTargets(), walkOutputs(), walkIdle(), walkSizes(),
		walkSeveral(), walkMeasures(), walkControls(), walkFormats()} {
		attacks = append(attacks, table...)
	}
	return attacks
}

// dataFile is a file "data" of a text.
func dataFile(text string) map[string]string { return map[string]string{"data": text} }

func walkHeaders() (attacks []proctest.Attack) {
	add := func(input, text, args string, status int, says, out string) {
		attacks = append(attacks, proctest.Attack{Fault: "1 header of numbers", Input: input, Files: dataFile(text), Args: args, Status: status, Says: says, Out: out})
	}
	const doubt = "cannot tell whether the first line is a header…; use -header yes or -header no"
	for _, header := range []string{"0,1,2", "1,2,3", "2019,2020,2021", "10,20,30", "0.5,1.5,label", "3,4,yes", "a,1,label", "1,b,0"} {
		add("the header "+header, numberTable(header), "train data", proctest.Refused, doubt, "")
	}
	for _, command := range []string{"cv -folds 2", "scale", "stream", "train -loss eps-insensitive"} {
		add("the header 0,1,2", numberTable("0,1,2"), command+" data", proctest.Refused, doubt, "")
	}
	add("the header 0,1,2, and a byte order mark", "\ufeff"+numberTable("0,1,2"), "train data", proctest.Refused, doubt, "")
	add("the header 0,1,2, compressed", zipped(numberTable("0,1,2")), "train data", proctest.Refused, doubt, "")
	add("what pandas writes, 0,1,label", numberTable("0,1,label"), "train data", 0, "classes           −1 is 0, +1 is 1", "")
	add("the header 0,1,yes", numberTable("0,1,yes"), "train data", 0, "rows n            4", "")
	add("the header 2019,2020,label", numberTable("2019,2020,label"), "train data", 0, "rows n            4", "")
	add("said to be names, 0,1,2", numberTable("0,1,2"), "train -header yes data", 0, "rows n            4", "")
	add("said to be data, 0,1,2", numberTable("0,1,2"), "train -header no -loss eps-insensitive data", 0, "rows n            5", "")
	add("no header, whole numbers at equal distances in one row", "5,7,9\n6,2,9\n7,7,8\n9,1,8\n", "train data", proctest.Refused, doubt, "")
	add("what pandas numbers, with an empty name", ",0,1,label\n0,1.5,2,0\n1,2.5,1,1\n", "train data", proctest.Refused, "a column without a name", "")
	add("two rows below 0,1", "0,1\n1,2\n2,1\n", "predict -unlabelled plain data", proctest.Refused, doubt, "")
	add("two rows below 0,1, which are names", "0,1\n1,2\n2,1\n", "predict -header yes -unlabelled plain data", 0, "", "1\n-1\n")
	add("UTF-16", "\xff\xfea\x00,\x00b\x00\n\x00", "train data", proctest.Refused, "UTF-16 text; convert the file to UTF-8", "")
	return attacks
}

func walkNames() (attacks []proctest.Attack) {
	const fault = "2 names forgotten"
	same := func(input string, files map[string]string, args, like string) {
		attacks = append(attacks, proctest.Attack{Fault: fault, Input: input, Files: files, Args: args, Like: like})
	}
	no := func(input string, files map[string]string, args, says string) {
		attacks = append(attacks, proctest.Attack{Fault: fault, Input: input, Files: files, Args: args, Status: proctest.Refused, Says: says})
	}
	for _, how := range []string{"", " -kernel rbf", " -solver dcd", " -C 0.1 -loss squared-hinge"} {
		attacks = append(attacks, proctest.Attack{Fault: fault, Input: "trained with" + how + ", swapped columns", Before: []string{"train" + how + " -o m ab"}, Args: "predict m ba", Like: "predict m ab"})
	}
	same("swapped columns", nil, "predict model ba", "predict model ab")
	same("the label first", nil, "predict model kindab", "predict model ab")
	same("swapped columns, no label", nil, "predict -unlabelled model justba", "predict model ab")
	same("swapped columns, in quotes and compressed", map[string]string{"data": zipped(strings.Replace(points("b,a,kind", true), "b,a", `"b","a"`, 1))}, "predict model data", "predict model ab")
	same("swapped columns behind a byte order mark", dataFile("\ufeff"+points("b,a,kind", true)), "predict model data", "predict model ab")
	same("swapped columns, scaled by old measures", nil, "scale -load measures ba", "scale -load measures ab")
	same("the label first, scaled by old measures", nil, "scale -load measures kindab", "scale -load measures ab")
	same("a column too many, dropped by name", dataFile(points("one,b,a,kind", true)), "predict -drop one model data", "predict model ab")
	attacks = append(attacks, proctest.Attack{Fault: fault, Input: "trained with the label first", Before: []string{"train -label kind -o m kindab"}, Args: "predict m ab", Like: "predict m kindab"},
		proctest.Attack{Fault: fault, Input: "a label column of the numbers' kind first", Before: []string{"train -label y -o m data"}, Files: map[string]string{
			"data": "y,a,b\n0,1,2\n1,2,1\n0,1,3\n1,3,1\n", "test": "b,y,a\n2,0,1\n1,1,2\n3,0,1\n1,1,3\n"}, Args: "predict m test", Like: "predict m data"})
	no("a column is missing", dataFile(points("a,kind", true)), "predict model data", "other columns than those of the training rows")
	no("a column too many", dataFile(points("a,one,b,kind", true)), "predict model data", `not known "one"`)
	no("the label has another name", dataFile(points("a,b,label", true)), "predict model data", `there is no column "kind", the label's at training`)
	no("a name in capitals", dataFile(strings.Replace(points("a,b,kind", true), "a,b", "A,b", 1)), "predict model data", `not known "A"`)
	no("a name that stands twice, moved", map[string]string{"data": "a,a,b,kind\n1,2,3,x\n2,3,1,y\n", "m": "", "test": "b,a,a,kind\n3,1,2,x\n1,2,3,y\n"}, "scale -load measures data", `columns 1 and 2 are both "a"`)
	no("two columns are named label", dataFile("a,label,label\n1,2,0\n2,3,1\n"), "train data", `columns 2 and 3 are both "label"…; rename them, or leave some out by -drop 3`)
	no("the first and the last column are named label", dataFile("label,a,label\n1,2,0\n2,3,1\n"), "train data", `columns 1 and 3 are both "label"…; rename them, or leave some out by -drop 3`)
	no("a label that is dropped", nil, "train -label b -drop b ab", "the label's column is left out")
	no("a dropped name that stands twice", dataFile("a,a,kind\n1,2,x\n2,3,y\n"), "train -drop a data", `columns 1 and 2 are both "a"…; rename them, or leave some out by -drop 2`)
	no("a column of another file format", dataFile("in 1:1 3:2\nout 1:1\n"), "predict model data", "a row names column 3, but the training rows had 2 columns")
	attacks = append(attacks, proctest.Attack{Fault: fault, Input: "classes of another file", Args: "predict model libsvm",
		Says: "the model does not know the class of 4 rows"})
	no("a scaling of other columns", dataFile("a,b,c,kind\n1,2,3,in\n"), "scale -load measures data", `not known "c"`)
	var names strings.Builder
	for k := range 9000 {
		fmt.Fprintf(&names, "column%05d,", k)
	}
	zeros := strings.Repeat("0,", 9000)
	wide := map[string]string{"last": names.String() + "x,kind\n" + zeros + "1,in\n" + zeros + "2,out\n", "first": "kind," + names.String() + "x\nin," + zeros + "1\nout," + zeros + "2\n"}
	return append(attacks, proctest.Attack{Fault: fault, Input: "the label first, and 9000 names", Files: wide, Before: []string{"train -o m last"}, Args: "predict m first", Like: "predict m last"})
}

func walkLabels() (attacks []proctest.Attack) {
	add := func(input, text, args string, status int, says, out string) {
		attacks = append(attacks, proctest.Attack{Fault: "4 labels merged or renamed", Input: input, Files: dataFile(text), Args: args, Status: status, Says: says, Out: out})
	}
	three := func(a, b, c string) string { return "1,2," + a + "\n2,1," + b + "\n4,3," + c + "\n" }
	add("1000000 and 2000000", three("1000000", "2000000", "2000000"), "train data", 0, "−1 is 1000000, +1 is 2000000", "")
	add("1000000 and 2000000", three("1000000", "2000000", "2000000"), "train -libsvm new data", 0, "−1 is 1000000, +1 is 2000000", "")
	add("1000000 and 2000000", three("1000000", "2000000", "2000000"), "scale data", 0, "", "0.25,0.6666666666666666,1000000\n0.5,0.3333333333333333,2000000\n1,1,2000000\n")
	add("2^53 and 2^53 + 1", three("9007199254740992", "9007199254740993", "9007199254740993"), "train data", 0, "−1 is 9007199254740992, +1 is 9007199254740993", "")
	add("numbers of twenty digits", three("12345678901234567890", "12345678901234567891", "12345678901234567891"), "scale data", 0, "", "0.25,0.6666666666666666,12345678901234567890\n0.5,0.3333333333333333,12345678901234567891\n1,1,12345678901234567891\n")
	for _, pair := range [][2]string{{"1", "1.0"}, {"01", "1"}, {"1e0", "1"}, {"-0", "0"}, {"0.1", "0.10"}, {"1000000", "1e6"}, {"+0", "-0"}} {
		add(pair[0]+" and "+pair[1], three(pair[0], pair[1], "7"), "train data", proctest.Refused, "labels that are equal as numbers and spelled in two ways", "")
	}
	add("+1 and 1, which is LIBSVM's way", three("+1", "1", "-1"), "train data", 0, "−1 is -1, +1 is 1", "")
	add("“a ” and “a”", three(`"a "`, "a", "a"), "train data", 0, `−1 is a, +1 is a `, "")
	add("a and A", three("x", "a", "A"), "train data", 0, "3: A, a, x", "")
	add("a missing label", three("x", "", "y"), "train data", proctest.Refused, `column "3": missing label`, "")
	add("a missing label, left out", three("x", "NA", "y"), "train -skip-missing data", 0, "1 row left out", "")
	add("all labels missing, left out", three("", "NA", "?"), "train -skip-missing data", proctest.Refused, "no rows", "")
	add("the name None, which stands for nothing", three("None", "some", "None"), "train data", proctest.Refused, "missing label", "")
	add("a label beyond float64", three("1", "1e400", "1"), "train data", proctest.Refused, "not a finite number", "")
	add("an infinite label", "1,2,0\n2,3,inf\n", "train data", proctest.Refused, "not a finite number", "")
	return attacks
}

func walkTargets() []proctest.Attack {
	const fault = "targets as classes"
	return []proctest.Attack{
		{Fault: fault, Input: "targets 10, 20, … 80", Args: "scale tens", Out: "x,label\n0.125,10\n0.25,20\n0.375,30\n0.5,40\n0.625,50\n0.75,60\n0.875,70\n1,80\n"},
		{Fault: fault, Input: "targets 0, 1, 2, which look like classes", Files: dataFile("1,0\n2,1\n3,2\n"), Args: "scale -regression data", Out: "0.3333333333333333,0\n0.6666666666666666,1\n1,2\n"},
		{Fault: fault, Input: "a regression's -positive", Args: "train -loss eps-insensitive -positive 10 tens", Status: proctest.WrongUse, Says: "a regression has none"},
		{Fault: fault, Input: "a regression of names", Args: "train -loss eps-insensitive ab", Status: proctest.Refused, Says: `not a number: "out"`},
	}
}

func walkOutputs() (attacks []proctest.Attack) {
	add := func(args, says string) {
		attacks = append(attacks, proctest.Attack{Fault: "6 output over input", Args: args, Status: proctest.WrongUse, Says: says})
	}
	for _, args := range []string{"train -o ab ab", "train -o ./ab ab", "train -libsvm ab ab", "train -liblinear ab ab", "train -checkpoint ab ab", "predict -o model model ab", "predict -o ab model ab",
		"scale -o ab ab", "scale -save ab ab", "scale -load measures -o measures ab", "stream -o ab ab", "stream -checkpoint ab ab", "cv -o ab ab"} {
		says := "would overwrite"
		if strings.HasPrefix(args, "cv") {
			says = "no flag -o"
		}
		add(args, says)
	}
	add("scale -o new -save new ab", "both name")
	add("train -o new -libsvm ./new ab", "both name")
	return attacks
}

func walkIdle() (attacks []proctest.Attack) {
	for _, args := range []string{"train -gamma 0.1 ab", "train -degree 2 ab", "train -kernel rbf -coef0 1 ab", "train -epsilon 1 ab", "train -cache 9 ab", "train -every 1s ab",
		"cv -gamma 0.1 ab", "scale -low 1 ab", "scale -kind center -high 2 ab", "scale -load measures -kind minmax ab", "stream -learner perceptron -lambda 1 ab", "stream -every 1s ab"} {
		attacks = append(attacks, proctest.Attack{Fault: "flags without effect", Args: args, Status: proctest.WrongUse, Says: "has no effect"})
	}
	for args, says := range map[string]string{"train -zero-based ab": "-zero-based is for LIBSVM files", "train -columns 3 ab": "-columns is for LIBSVM files",
		"train -drop 1 libsvm": "-drop is for CSV files", "train -label 1 libsvm": "-label is for CSV files", "predict -header no plain libsvm": "-header is for CSV files"} {
		attacks = append(attacks, proctest.Attack{Fault: "flags without effect", Args: args, Status: proctest.Refused, Says: says})
	}
	return attacks
}

func walkSizes() (attacks []proctest.Attack) {
	add := func(input, text, args string, status int, says string) {
		attacks = append(attacks, proctest.Attack{Fault: "7 small files that ask for much", Input: input, Files: dataFile(text), Args: args, Status: status, Says: says})
	}
	for _, command := range []string{"train", "cv -folds 2", "scale", "scale -dense", "scale -format csv", "train -multi cs", "stream -positive 1"} {
		add("40 rows of column 2^27", far(), command+" data", proctest.Refused, "134217728")
	}
	add("40 rows of column 2^27", far(), "predict -more-columns plain data", 0, "")
	add("40 rows of column 2^27", far(), "predict plain data", proctest.Refused, "names column 134217728")
	add("40 rows of column 2^27, a kernel", far(), "train -kernel rbf data", 0, "rows n            40")
	add("a row of a million commas", strings.Repeat(",", 1e6)+"\n1\n", "train data", proctest.Refused, "")
	add("a field of 100 KB", strings.Repeat("1", 1e5)+",2\n", "train data", proctest.Refused, "longer than 65536 bytes")
	add("a quote that never ends", "1,\""+strings.Repeat("x\n", 1e5), "train data", proctest.Refused, "is the closing quote missing?")
	add("20 MB of zeros in 20 KB of gzip", zipped(strings.Repeat("0", 20e6)), "train data", proctest.Refused, "longer than 65536 bytes")
	add("a model of 2^31 vectors", "svmkit model 1\ntask classification\ndim 2\nkernel rbf gamma 1\nbias 0\nvectors 2147483647\n1 - - 1:1\nend\n", "predict data libsvm", proctest.Refused, "line 8")
	return attacks
}

func walkSeveral() (attacks []proctest.Attack) {
	for input, says := range map[string]string{"1,2 1:0.5\n-1 1:1\n": "several labels in one row are not supported", "1,2,3 1:0.5\n-1 1:1\n": "several labels in one row are not supported",
		"1,2\t1:0.5\n-1 1:1\n": "several labels in one row are not supported", "1, 2 1:0.5\n-1 1:1\n": "rows differ in length", "1;2 1:0.5\n-1 1:1\n": "rows differ in length",
		"1 1:2\n1,2 1:3\n": "", "1 qid:3 1:2\n-1 1:2\n": "qid marks ranking data", "1:2 2:3\n1:3 2:4\n": "the line starts without a label", "1 1:2 1:3\n-1 1:2\n": "this one occurs twice",
		"1 2:1 1:3\n-1 1:2\n": "must rise strictly", "1 2 3\n-1 4 5\n": "commas, semicolons or tabs separate columns", "1;2\n1,5;2\n": "write 1.5 for 1,5"} {
		attacks = append(attacks, proctest.Attack{Fault: "9 two meanings of one file", Input: inOneLine(input), Files: dataFile(input), Args: "train data", Status: proctest.Refused, Says: says})
	}
	return attacks
}

// inOneLine shows a text in one line.
func inOneLine(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\t", "⇥"), "\n", " ⏎ "))
}

func walkMeasures() (attacks []proctest.Attack) {
	add := func(input, text string, status int, says, out string) {
		attacks = append(attacks, proctest.Attack{Fault: "10 test rows of one class", Input: input, Files: dataFile(text), Args: "scale -load measures data", Status: status, Says: says, Out: out})
	}
	add("one named class", "a,b,kind\n39,3.9,in\n", 0, "", "a,b,label\n1,1,in\n")
	add("another class", "a,b,kind\n39,3.9,new\n39,0,new\n", 0, "", "a,b,label\n1,1,new\n1,0,new\n")
	add("one number", "a,b,kind\n39,3.9,7\n", 0, "", "a,b,label\n1,1,7\n")
	add("one named class, LIBSVM", "in 1:39\nin 2:3.9\n", 0, "", "in 1:1\nin 2:1\n")
	add("no rows", "a,b,kind\n", proctest.Refused, "no rows", "")
	for input, text := range map[string]string{"a list": "[]", "nothing": "", "a kind that is none": `{"kind":"none","dim":2,"scale":[1,1]}`, "NaN": `{"kind":"maxabs","dim":2,"scale":[NaN,1]}`,
		"too few numbers": `{"kind":"maxabs","dim":2,"scale":[1]}`, "too many names": `{"kind":"maxabs","dim":1,"scale":[1],"features":["a","b"]}`, "a model": linearModel} {
		attacks = append(attacks, proctest.Attack{Fault: "10 test rows of one class", Input: "measures are " + input, Files: dataFile(text), Args: "scale -load data ab", Status: proctest.Refused, Says: "holds no measures of svm scale -save"})
	}
	return attacks
}

func walkControls() (attacks []proctest.Attack) {
	add := func(input, text, args string, says string) {
		attacks = append(attacks, proctest.Attack{Fault: "12 control characters", Input: input, Files: dataFile(text), Args: args, Status: proctest.Refused, Says: says})
	}
	for input, text := range map[string]string{"a label of two lines": "a,b\n1,\"two\nlines\"\n2,x\n", "a NUL in a label": "a,b\n1,n\x00\n2,x\n", "ESC in a label": "1,\x1b[2J\n2,x\n", "ESC in a name": "a,\x1b]0;x\x07,y\n1,2,x\n2,3,w\n",
		"DEL in a LIBSVM label": "x\x7f 1:1\ny 1:2\n", "a C1 control in a label": "1,a\u009b2J\n2,x\n"} {
		add(input, text, "train data", "a control character in a name")
		add(input, text, "stream data", "")
	}
	add("ESC in the kernel of a model", "svmkit model 1\ntask classification\ndim 1\nkernel \x1b[2J\n", "predict data ab", "this kind of model is not supported")
	add("a class of two lines in a model", strings.Replace(linearModel, "dim 2", "classes \"a\\nb\" \"c\"\ndim 2", 1), "predict data ab", "")
	attacks = append(attacks, proctest.Attack{Fault: "12 control characters", Input: "ESC in a file's name", Args: "train \x1b[2J", Status: proctest.Refused, Says: "no such file"},
		proctest.Attack{Fault: "12 control characters", Input: "ESC in a flag", Args: "train -\x1b[2J ab", Status: proctest.WrongUse, Says: "no flag"})
	return attacks
}

func walkFormats() (attacks []proctest.Attack) {
	add := func(input, text, args string, status int, says, out string) {
		attacks = append(attacks, proctest.Attack{Fault: "14 others' files", Input: input, Files: dataFile(text), Args: args, Status: status, Says: says, Out: out})
	}
	zero := "1 0:1 1:2\n-1 0:2 1:1\n"
	add("scikit-learn's indices from 0", zero, "train data", proctest.Refused, "if those of this file start at 0, use -zero-based", "")
	add("scikit-learn's indices from 0", zero, "predict -zero-based plain data", 0, "accuracy 100", "1\n-1\n")
	add("indices from 1, said to start at 0", "1 1:1 2:2\n-1 1:2 2:1\n", "predict -zero-based plain data", proctest.Refused, "a row names column 3", "")
	add("Windows' line ends", "a,b,label\r\n1,2,x\r\n2,1,y\r\n", "train data", 0, "−1 is x, +1 is y", "")
	add("carriage returns alone", "a,b,label\r1,2,x\r2,1,y\r", "train data", proctest.Refused, "", "")
	add("semicolons", "a;b;label\n1;2;x\n2;1;y\n", "train data", 0, "−1 is x, +1 is y", "")
	add("a gzip that is cut off", zipped(points("a,b,kind", true))[:100], "train data", proctest.Refused, "", "")
	add("a gzip within a gzip", zipped(zipped(points("a,b,kind", true))), "train data", proctest.Refused, "", "")
	add("a model as data", linearModel, "train data", proctest.Refused, "", "")
	add("data as a model", points("a,b,kind", true), "predict data ab", proctest.Refused, "", "")
	add("nothing", "", "train data", proctest.Refused, "no rows", "")
	add("a name alone", "label\n1\n2\n", "train data", proctest.Refused, "no columns beside the label", "")
	return attacks
}
