//go:build peers

package oracle

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// missing are the spellings of a missing field that scikit-learn's script and ours both take for one.
const missing = ""

// A column of a table.
type column struct {
	role        string // median, mean, categorical, weight or label
	train, test []string
}

// table compares the same pipeline of both on a CSV table: missing fields, categories, weights, scaling,
// with and without names.
func (c *trial) table() {
	header := c.rng.IntN(3) > 0
	j := job{Do: "table", Header: header, Params: map[string]any{"C": math.Pow(10, float64(c.rng.IntN(3)-1))}}
	flags := []string{"train", "-json", "-tol", "1e-10", "-max-iterations", "100000",
		"-C", short(j.Params["C"].(float64))}
	if j.Scale = c.rng.IntN(4) > 0; j.Scale {
		flags = append(flags, "-scale", "standardize")
	} else {
		c.direction += " of numbers" // no pipeline
	}
	var columns []column
	lists := map[string][]string{}
	add := func(k column) {
		columns = append(columns, k)
		name := strconv.Itoa(len(columns))
		if header {
			name = c.columnName(len(columns) - 1)
		}
		lists[k.role] = append(lists[k.role], name)
		switch at := len(columns) - 1; k.role {
		case "median":
			j.Median = append(j.Median, at)
		case "mean":
			j.Mean = append(j.Mean, at)
		case "categorical":
			j.Categories = append(j.Categories, at)
		case "weight":
			j.Weights = &at
		}
	}
	for at := range c.columns {
		if j.Scale {
			add(c.drawColumn(at))
			continue
		}
		k := column{role: "mean"}
		c.fill(&k, c.test.x, at)
		add(k)
	}
	if c.rng.IntN(3) == 0 && (j.Scale || header) { // a column of weights is found by its name
		// A weighted median or mean would be another one: only tables without missing fields have weights.
		for k := range columns {
			if columns[k].role != "categorical" {
				c.fill(&columns[k], c.test.x, k)
			}
		}
		w := column{role: "weight"}
		for range c.train.x {
			w.train = append(w.train, short(0.5+math.Round(4*c.rng.Float64())))
		}
		for range c.test.x {
			w.test = append(w.test, "1")
		}
		add(w)
		c.direction += ", weights"
	}
	var label column
	label.train, label.test = c.labelColumn(c.train.y), c.labelColumn(c.test.y)
	if c.labelled() && c.rng.IntN(6) == 0 {
		label.test[1] = "unheard of"
	}
	if c.labelled() && c.rng.IntN(2) == 0 {
		c.nameClasses(label.train, label.test)
	}
	label.role = "label"
	columns = append(columns, label)

	predict := []string{"-header", "no"}
	if header {
		predict = []string{"-header", "yes"}
	}
	for _, role := range slices.Sorted(maps.Keys(lists)) {
		list := strings.Join(lists[role], ",")
		switch {
		case role == "weight":
			flags = append(flags, "-weight-column", list)
			if !j.Scale {
				predict = append(predict, "-drop", list)
			}
		case j.Scale:
			flags = append(flags, "-"+role, list)
		}
	}
	if !header {
		flags = append(flags, "-header", "no")
	} else {
		flags = append(flags, "-header", "yes", "-label", c.columnName(len(columns)-1))
	}
	if header && len(columns) > 11 {
		c.direction += ", a semicolon in a name" // x;y
	}
	kind, kernel := "SVC", []string{"linear", "rbf"}[c.rng.IntN(2)]
	j.Params["kernel"], j.Params["tol"], j.Params["max_iter"] = kernel, 1e-8, 100000
	if kernel == "rbf" {
		j.Params["gamma"] = 0.125
		flags = append(flags, "-kernel", "rbf", "-gamma", "0.125")
	}
	if c.labelled() {
		j.Params["decision_function_shape"] = "ovo"
		if len(c.classes) > 2 {
			flags = append(flags, "-multi", "ovo")
		}
	} else {
		kind = "SVR"
		j.Params["epsilon"] = 0.25
		flags = append(flags, "-loss", "eps-insensitive", "-epsilon", "0.25")
	}
	j.Kind = kind
	c.writeTable("train", header, columns, func(k column) []string { return k.train })
	c.writeTable("test", header, columns, func(k column) []string { return k.test })
	j.Train, j.Test = filepath.Join(c.folder, "train"), filepath.Join(c.folder, "test")
	d := c.ask(j)
	if d.Error != "" {
		c.t.Fatalf("%s: %s", c.folder, d.Error)
	}
	if d.Capped {
		c.refused("scikit-learn ends at its limit of iterations")
		return
	}
	if strings.Contains(c.direction, "spelled in two ways") {
		out, stderr, err := c.run(c.svm, append(flags, "-o", "ours", "train")...)
		switch c.report = out; {
		case err != nil && stderr != "":
			c.refused("svm train")
			return
		case !regexp.MustCompile(`True|1\.0|a  b`).MatchString(stderr):
			c.differ("svm train", "not a word about the spellings: %q", stderr)
		}
	} else if !c.trainOurs(flags...) || c.unfinished {
		return
	}
	got, err := c.ours(predictor{model: "ours", test: "test", classes: d.Classes, scores: len(d.Classes) == 2,
		flags: predict})
	if err != nil {
		c.differ("svm predict", "%v", err)
		return
	}
	if !c.labelled() {
		c.sameUpToBias("target of the same problem", columnOf(got.class), d.Scores)
		return
	}
	c.countTable(got, label.test)
	if c.biasIsFree() {
		c.refused("the bias is not unique, so classes may differ")
		return
	}
	// Two solutions of one problem: a class is compared if the score of no pair is near to 0.
	var tied []tie
	for _, v := range d.Scores {
		of := decided
		for _, f := range v {
			if math.Abs(f) < solved*10 {
				of = rounding
			}
		}
		if len(d.Classes) > 2 && votesTie(v, len(d.Classes)) {
			of = rounding
		}
		tied = append(tied, of)
	}
	c.sameClasses("class", got.class, d.Predicted, tied)
	if len(d.Classes) == 2 {
		c.sameUpToBias("score of the same problem", got.scores, d.Scores)
	}
}

// biasIsFree reports whether some model of svm train -json has no free support vector, which means that
// a whole interval of biases is optimal. A free one whose coefficient is 0 up to rounding is none: its α is 0.
func (c *trial) biasIsFree() bool {
	if c.report == "" { // a problem that is solved in process
		return false
	}
	type counts struct{ FreeSupportVectors *int }
	var report struct {
		counts
		Models []counts
	}
	if err := json.Unmarshal([]byte(c.report), &report); err != nil {
		c.t.Fatal(err)
	}
	if slices.ContainsFunc(append(report.Models, report.counts), func(m counts) bool {
		return m.FreeSupportVectors != nil && *m.FreeSupportVectors == 0
	}) {
		return true
	}
	m, err := modelfile.LoadFile(filepath.Join(c.folder, "ours"))
	if err != nil {
		c.t.Fatal(err)
	}
	one := svm.ModelOf(svmkit.Unwrap(m))
	if one == nil || len(one.Coef) == 0 { // several models, or a linear one, whose file has no support vectors
		return false
	}
	largest := max(slices.Max(one.Coef), -slices.Min(one.Coef))
	for k, beta := range one.Coef {
		if !one.Bound[k] && math.Abs(beta) > 1e-12*largest {
			return false
		}
	}
	return true
}

// countTable counts the rows whose class is their label, and compares that with what svm predict has counted.
func (c *trial) countTable(got *answer, labels []string) {
	right, check := 0, "accuracy"
	for i, name := range got.class {
		if sameName(name, labels[i]) {
			right++
		}
	}
	if slices.Contains(labels, "unheard of") {
		check = "accuracy, a new class"
	}
	if got.right != right || got.rows != len(labels) {
		c.differ(check, "%d of %d rows, want %d of %d", got.right, got.rows, right, len(labels))
		return
	}
	c.counted(check).same++
}

// columnName returns the name of a column; some need quotes.
func (c *trial) columnName(at int) string {
	return []string{"length", "width", "Überhang", "a b", "y", "z1", "Z1", "q\"q", "m", "n", "o", "x;y", "r",
		"s", "t"}[at]
}

// drawColumn makes a column of the table out of one of the set.
func (c *trial) drawColumn(at int) column {
	k := column{role: []string{"median", "mean", "categorical", "categorical"}[c.rng.IntN(4)]}
	if k.role != "categorical" {
		c.fill(&k, c.test.x, at)
		for _, fields := range [][]string{k.train, k.test} {
			for i := range fields {
				if i > 1 && c.rng.IntN(6) == 0 { // the first rows are whole, so that no column is empty
					fields[i] = missing
				}
			}
		}
		return k
	}
	lists := [][]string{{"red", "green", "blue"}, {"1", "2", "3"}, {"0", "10", "9"}, {"yes", "no"},
		{"a,b", "c\"d", "é"}}
	if c.rng.IntN(12) == 0 {
		lists = [][]string{{"True", "true", "no"}, {"1", "1.0", "2"}, {"a b", "a  b", "c"}}
		if !strings.Contains(c.direction, "two ways") {
			c.direction += ", categories spelled in two ways"
		}
	}
	categories := lists[c.rng.IntN(len(lists))]
	pick := func(x [][]float64) (fields []string) {
		for _, row := range x {
			k := int(math.Round(math.Abs(row[at]))) + c.rng.IntN(2)
			fields = append(fields, categories[k%len(categories)])
		}
		return fields
	}
	k.train, k.test = pick(c.train.x), pick(c.test.x)
	copy(k.train, categories) // each at least once
	k.test[0] = "never seen"
	if categories[0] == "1" || categories[0] == "0" {
		k.test[0] = "77"
		if c.rng.IntN(2) == 0 { // as pandas writes a column of integers with a missing field
			for i, field := range k.test {
				k.test[i] = strings.TrimSuffix(field, ".0") + ".0"
			}
			if !strings.Contains(c.direction, "1.0") {
				c.direction += ", categories 1 and 1.0"
			}
		}
	}
	return k
}

// fill fills a column with the numbers of the set.
func (c *trial) fill(k *column, test [][]float64, at int) {
	k.train, k.test = nil, nil
	for _, x := range c.train.x {
		k.train = append(k.train, short(x[at]))
	}
	for _, x := range test {
		k.test = append(k.test, short(x[at]))
	}
}

// labelColumn returns the labels or targets as text.
func (c *trial) labelColumn(y []float64) (fields []string) {
	for _, v := range y {
		fields = append(fields, short(v))
	}
	return fields
}

// writeTable writes a CSV file.
func (c *trial) writeTable(name string, header bool, columns []column, of func(column) []string) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if header {
		var names []string
		for at := range columns {
			names = append(names, c.columnName(at))
		}
		w.Write(names)
	}
	for i := range of(columns[0]) {
		var row []string
		for _, k := range columns {
			row = append(row, of(k)[i])
		}
		w.Write(row)
	}
	w.Flush()
	text := b.String()
	if c.rng.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	write(c.t, c.folder, name, text)
}

// files compares what dump_svmlight_file writes with what we read, and what svm scale writes with what
// load_svmlight_file reads.
func (c *trial) files() {
	zeroBased, commented := c.base == 0, c.rng.IntN(2) == 0
	if zeroBased {
		c.direction += ", zero-based"
	}
	j := job{Do: "dump", X: c.train.x, Y: c.train.y, Sparse: !c.full, ZeroBased: zeroBased,
		Save: filepath.Join(c.folder, "train")}
	if commented {
		c.direction += " and said"
		j.Comment = "drawn by the oracle"
	}
	if d := c.ask(j); d.Error != "" {
		c.t.Fatal(d.Error)
	}
	read := func(zeroBased bool) ([][]float64, error) {
		opt := dataset.LIBSVMOptions{Dim: c.columns, ZeroBased: zeroBased}
		opt.Task = dataset.Regression
		set, err := dataset.ReadLIBSVMFile(c.t.Context(), filepath.Join(c.folder, "train"), &opt)
		if err != nil {
			return nil, err
		}
		rows := make([][]float64, set.Len())
		for i, x := range set.X {
			for k := range c.columns {
				rows[i] = append(rows[i], x.At(k))
			}
		}
		return rows, nil
	}
	rows, err := read(zeroBased)
	if err != nil {
		c.differ("read", "%v", err)
		return
	}
	c.same("read", rows, c.train.x, 1e-15) // it writes 16 digits
	if zeroBased && commented {
		// Without the flag the comment decides: the right numbers or a refusal, and never one column off.
		if rows, err := read(false); err != nil {
			c.refused("read without the flag")
		} else {
			c.same("read without the flag", rows, c.train.x, 1e-15)
		}
	}

	args := []string{"scale", "-kind", "maxabs", "-format", "libsvm", "-regression", "-save", "measures"}
	out, stderr, err := c.run(c.svm, slices.Concat(args, c.zeroBased(), []string{"train"})...)
	if err != nil {
		c.differ("svm scale", "%v: %s", err, stderr)
		return
	}
	write(c.t, c.folder, "scaled", out)
	most := make([]float64, c.columns)
	for _, x := range c.train.x {
		for k, v := range x {
			most[k] = max(most[k], math.Abs(v))
		}
	}
	want := make([][]float64, len(c.train.x))
	for i, x := range c.train.x {
		for k, v := range x {
			if most[k] > 0 {
				v /= most[k]
			}
			want[i] = append(want[i], v)
		}
	}
	d := c.ask(job{Do: "load", Train: filepath.Join(c.folder, "scaled"), Columns: c.columns,
		ZeroBased: zeroBased})
	if d.Error != "" {
		c.differ("svm scale in load_svmlight_file", "%s", d.Error)
		return
	}
	c.same("svm scale in load_svmlight_file", d.Scores, want, 1e-12)
	for i, y := range d.Predicted {
		v, err := strconv.ParseFloat(y, 64)
		if err != nil || !(math.Abs(v-c.train.y[i]) <= 1e-15*max(1, math.Abs(v))) {
			c.differ("svm scale in load_svmlight_file", "row %d: the label %s, want %v", i, y, c.train.y[i])
			return
		}
	}
}
