package modelfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// The model files of LIBSVM (svm.cpp, svm_save_model). A file has a decision value Σ coefₖKₖ − ρ for each pair of
// labels, in the order 0–1, 0–2, …, 1–2, …, which is positive for the *first* label of the pair. Each line is a support
// vector of one label, with a coefficient for each of the other labels.
//
// The decision value is our score f of two classes, and −f of more: there the higher number is our positive class. So the
// file has sign·coef, ρ = −sign·b and sign·B of Platt's A and B, with [libsvmSign]. Then order.go sorts the classes.

// libsvmSign is the factor that turns one of our scores into a decision value of LIBSVM.
func libsvmSign(classes int) float64 {
	if classes > 2 {
		return -1
	}
	return 1
}

// SaveLIBSVM writes a model in LIBSVM's format, for svm-predict, which computes the same scores.
//
// The model is a [*svm.Model], written as C-SVC, ε-SVR or one-class SVM, or a
// [*multiclass.PairClassifier] whose scorers are a [*svm.Model] each, written as C-SVC. Class names
// must be integers. Without names the labels of two classes are 1 and −1. The kernel must be
// linear, polynomial, RBF or sigmoid, and the same for all pairs. A linear model whose support
// vectors do not add up to w is written with w as its only support vector.
//
// With three or more classes, svm-predict breaks ties of votes by the first class, see FirstWins of
// [multiclass.PairClassifier]. Either all models must have probabilities, which svm-predict -b 1
// then prints, or none. It prints the probabilities of the model as it is read back, see
// [multiclass.PairClassifier.Probabilities].
//
// A model that the format cannot hold is a [*svmkit.ParamError].
func SaveLIBSVM(w io.Writer, m svmkit.Model) error { return Options{}.SaveLIBSVM(w, m) }

// SaveLIBSVM writes a model as the function [SaveLIBSVM] does, with options.
func (o Options) SaveLIBSVM(w io.Writer, m svmkit.Model) error {
	c, err := modelsOf(w, m)
	if err != nil {
		return err
	}
	c = c.inFileOrder()
	if c.strategy != "" && !c.pairwise() {
		return unsavable(fmt.Sprintf("%T", m), "must be one-vs-one for LIBSVM, whose models for several classes are")
	}
	labels, err := integerClasses(c.names)
	if err != nil {
		return err
	}
	if len(labels) == 2 {
		slices.Reverse(labels)
	}
	kernelText, err := libsvmKernelText(c.models)
	if err != nil {
		return err
	}
	sign := libsvmSign(len(labels))
	var rho, plattA, plattB []string
	vectors := newLIBSVMVectors(len(labels))
	p := 0
	for i := range labels {
		for j := i + 1; j < len(labels); j++ {
			m := c.models[p]
			p++
			vectors.add(m, i, j, sign)
			rho = append(rho, formatExact(0-sign*m.Bias))
			if m.Platt != nil {
				plattA, plattB = append(plattA, formatExact(m.Platt.A)), append(plattB, formatExact(0+sign*m.Platt.B))
			}
		}
	}
	if len(plattA) != 0 && len(plattA) != len(rho) {
		return &svmkit.ParamError{Name: "Platt", Value: len(plattA), Need: "must be there for all models, or for none"}
	}
	kind := "c_svc"
	switch one := c.models[0]; {
	case one.Regression:
		kind = "epsilon_svr"
	case one.OneClass:
		kind = "one_class"
	}
	out := bufio.NewWriter(w)
	out.WriteString("svm_type " + kind + "\n" + kernelText)
	fmt.Fprintf(out, "nr_class %d\ntotal_sv %d\nrho %s\n", len(labels), len(slices.Concat(vectors.blocks...)), strings.Join(rho, " "))
	if kind == "c_svc" {
		fmt.Fprintf(out, "label %s\n", strings.Join(labels, " "))
		if plattA != nil {
			fmt.Fprintf(out, "probA %s\nprobB %s\n", strings.Join(plattA, " "), strings.Join(plattB, " "))
		}
		out.WriteString("nr_sv")
		for _, block := range vectors.blocks {
			fmt.Fprintf(out, " %d", len(block))
		}
		out.WriteString("\n")
	}
	out.WriteString("SV\n")
	for _, block := range vectors.blocks {
		for _, v := range block {
			for _, c := range v.coef {
				out.WriteString(formatExact(c) + " ")
			}
			out.WriteString(libsvmRowText(v.row, o.base()) + "\n")
		}
	}
	return out.Flush()
}

// libsvmKernelText returns the lines of the kernel that all models have.
func libsvmKernelText(models []*svm.Model) (lines string, err error) {
	for i, m := range models {
		kind, parameters, err := savedKernel(m.Kernel)
		if err != nil {
			return "", err
		}
		if err := CheckLIBSVMKernel(kind); err != nil {
			return "", err
		}
		name := fileName(kind)
		text := "kernel_type " + name + "\n"
		for _, key := range kind.Parameters {
			text += key + " " + parameterText(parameters, key) + "\n"
		}
		if i > 0 && text != lines {
			return "", &svmkit.ParamError{Name: "Kernel", Value: name, Need: "must be the same for all pairs of classes, with the same numbers"}
		}
		lines = text
	}
	return lines, nil
}

// libsvmVectors holds the support vectors of all pairs, by label. A vector of several pairs is
// stored once.
type libsvmVectors struct {
	blocks [][]libsvmVector
	place  map[string]int // in its block, by label, text, and number among its equals in one pair
}

type libsvmVector struct {
	row  svmkit.Row
	coef []float64 // one for each other label
}

func newLIBSVMVectors(labels int) *libsvmVectors {
	return &libsvmVectors{blocks: make([][]libsvmVector, labels), place: map[string]int{}}
}

// add adds the vectors of the model of labels i < j. A vector with a positive coefficient in the
// file has label i.
func (v *libsvmVectors) add(m *svm.Model, i, j int, sign float64) {
	rows, coef := m.SV, m.Coef
	if m.Weights != nil && (len(rows) == 0 || !addUp(m)) {
		rows, coef = []svmkit.Row{svmkit.Dense(m.Weights...)}, []float64{1}
	}
	equals := map[string]int{}
	for k, x := range rows {
		c := sign * coef[k]
		label, other := i, j-1
		if c <= 0 && !m.Regression {
			label, other = j, i
		}
		at := len(v.blocks[label])
		if len(v.blocks) > 2 { // or no pair shares a vector with another
			text := strconv.Itoa(label) + " " + libsvmRowText(x, 1)
			equals[text]++
			text += strconv.Itoa(equals[text])
			if shared, known := v.place[text]; known {
				at = shared
			}
			v.place[text] = at
		}
		if at == len(v.blocks[label]) {
			v.blocks[label] = append(v.blocks[label], libsvmVector{x, make([]float64, len(v.blocks)-1)})
		}
		v.blocks[label][at].coef[other] = c
	}
}

// libsvmRowText returns index:value pairs with indices from base, without zeros. It ends in a blank, as LIBSVM's own lines do.
func libsvmRowText(x svmkit.Row, base int) string {
	var b []byte
	for k, v := range x.Value {
		if v == 0 {
			continue
		}
		j := k
		if x.Index != nil {
			j = int(x.Index[k])
		}
		b = append(strconv.AppendInt(b, int64(j+base), 10), ':')
		b = append(strconv.AppendFloat(b, v, 'g', -1, 64), ' ')
	}
	return string(b)
}

// libsvmKeys are the keys of LIBSVM's header with the number of values that we can use.
var libsvmKeys = map[string]int{"svm_type": 1, "kernel_type": 1, "degree": 1, "gamma": 1, "coef0": 1, "nr_class": 1, "total_sv": 1,
	"rho": anyNumber, "label": anyNumber, "probA": anyNumber, "probB": anyNumber, "nr_sv": anyNumber, "prob_density_marks": 10}

// readLIBSVM reads a file of svm-train. The file has neither row numbers nor the states of the
// vectors. A linear model gets its w if w is not much longer than the contents of the file.
func readLIBSVM(t *text) (svmkit.Model, error) {
	h, err := readPeerHeader(t, libsvmKeys, "SV")
	if err != nil {
		return nil, err
	}
	c := &classifier{strategy: oneVsOneFirst, names: make([]string, 2)}
	regression, one := false, false
	switch kind := h.words["svm_type"][0]; kind {
	case "c_svc", "nu_svc":
		if c.names, err = h.classes(t); err != nil {
			return nil, err
		}
	case "epsilon_svr", "nu_svr":
		regression = true // probA is the scale of its noise, which we do not use
	case "one_class":
		if one = true; h.at["label"] > 0 {
			return nil, h.fail(t, "label", fmt.Errorf("%w, a model of one class has no labels", ErrMalformed))
		}
	default:
		return nil, h.fail(t, "svm_type", fmt.Errorf("%w, it is none of c_svc, nu_svc, one_class, epsilon_svr, nu_svr", ErrUnsupported))
	}
	k, err := h.kernel(t)
	if err != nil {
		return nil, err
	}
	labels, sign := len(c.names), libsvmSign(len(c.names))
	pairs := labels * (labels - 1) / 2
	rho, err := h.numbers(t, "rho", pairs)
	if err != nil {
		return nil, err
	}
	var plattA, plattB []float64
	labelled := !regression && !one
	if h.at["probA"] > 0 && labelled {
		if plattA, err = h.numbers(t, "probA", pairs); err != nil {
			return nil, err
		}
		if plattB, err = h.numbers(t, "probB", pairs); err != nil {
			return nil, err
		}
	}
	blocks, dim, err := readLIBSVMVectors(t, h, labels, labelled)
	if err != nil {
		return nil, err
	}
	summed := kernel.IsLinear(k) && worthSumming(blocks, pairs, dim)
	for i := range labels {
		for j := i + 1; j < labels; j++ {
			p := len(c.models)
			m := &svm.Model{Kernel: k, Bias: 0 - sign*rho[p], Dim: dim, Open: true, Regression: regression, OneClass: one} // 0 − …, which makes 0 of 0
			switch {
			case one:
				m.Zero = -1 // svm-predict predicts 1 only above 0, and so the first of two labels
			case !labelled:
			case labels == 2:
				m.Classes, m.Zero = []string{c.names[1], c.names[0]}, -1
			default:
				m.Classes = []string{c.names[i], c.names[j]}
			}
			if plattA != nil {
				m.Platt = &svm.Platt{A: plattA[p], B: sign * plattB[p]}
			}
			for _, part := range [2]struct{ label, other int }{{i, j - 1}, {j, i}} {
				for _, v := range blocks[part.label] {
					if coef := v.coef[part.other]; coef != 0 || labels == 2 {
						m.SV, m.Coef = append(m.SV, v.row), append(m.Coef, sign*coef)
					}
				}
			}
			if summed {
				sumWeights(m)
			}
			c.models = append(c.models, m)
		}
	}
	if labels == 2 {
		return withSortedClasses(c.models[0])
	}
	return withSortedClasses(c.model())
}

// readLIBSVMVectors reads the support vectors, by label; without labels all are in the first block.
// dim is the number of columns that they name.
func readLIBSVMVectors(t *text, h *peerHeader, labels int, labelled bool) (blocks [][]libsvmVector, dim int, err error) {
	n, err := h.count(t, "total_sv")
	if err != nil {
		return nil, 0, err
	}
	sizes := []int{n, 0}
	if labelled {
		sum := 0
		sizes = sizes[:0]
		for _, word := range h.words["nr_sv"] {
			k, _ := parseCount(word)
			sizes, sum = append(sizes, k), sum+k
		}
		if len(sizes) != labels || sum != n {
			return nil, 0, h.fail(t, "nr_sv", fmt.Errorf("%w, nr_sv needs %d numbers that add up to total_sv, %d", ErrMalformed, labels, n))
		}
	}
	dim = 1 // the file does not say; unseen columns do not matter to any score
	blocks = make([][]libsvmVector, labels)
	for label, size := range sizes {
		for len(blocks[label]) < size {
			if err := t.nextLine(); err != nil {
				return nil, 0, err
			}
			v := libsvmVector{coef: make([]float64, labels-1)}
			for k := range v.coef {
				if v.coef[k], err = t.number(); err != nil {
					return nil, 0, err
				}
			}
			if v.row, err = t.row(0, t.options.base()); err != nil {
				return nil, 0, err
			}
			if k := len(v.row.Index); k > 0 {
				dim = max(dim, int(v.row.Index[k-1])+1)
			}
			blocks[label] = append(blocks[label], v)
		}
	}
	return blocks, dim, nil
}

// worthSumming reports whether the w of all pairs are not much longer than the contents of the
// file. For example, a row with one column of number 2³¹ is short, but its w is long, so the linear
// model keeps the form of a kernel.
func worthSumming(blocks [][]libsvmVector, pairs, dim int) bool {
	const often, always = 64, 1 << 20
	nnz := 0
	for _, block := range blocks {
		for _, v := range block {
			nnz += len(v.row.Value)
		}
	}
	return dim <= always/pairs || dim/often <= nnz/pairs
}

// sumOf returns Σ βᵢxᵢ of a linear model.
func sumOf(m *svm.Model) []float64 {
	w := make([]float64, m.Dim)
	for k, x := range m.SV {
		x.AddTo(w, m.Coef[k])
	}
	return w
}

// addUp reports whether w is Σ βᵢxᵢ up to rounding.
func addUp(m *svm.Model) bool {
	return floats.Distance(sumOf(m), m.Weights, math.Inf(1)) <= 1e-9*floats.Norm(m.Weights, math.Inf(1))
}

// sumWeights sets w = Σ βᵢxᵢ of a linear model, unless a sum overflows.
func sumWeights(m *svm.Model) {
	w := sumOf(m)
	if slices.ContainsFunc(w, func(v float64) bool { return v-v != 0 }) {
		return
	}
	m.Kernel, m.Weights = nil, w
}
