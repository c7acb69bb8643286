package modelfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// Save writes a model so that [Load] returns every number bit for bit.
//
// It takes a [*svm.Model] or a [*svm.Result], a classifier of package multiclass whose scorers are
// models of package svm, and a [*pipeline.Model] whose model inside is one of these, scaled or not.
// A [*svm.Result] and a [*multiclass.Solution] are written as their models. A classifier without
// class names is written with its labels as names.
//
// Any other type is a [*svmkit.ParamError], as are a kernel that is not built in, a negative row
// number and a classifier that lacks a model. (One-vs-rest for two classes is one model and its
// negation: save that model.) Numbers that no fit returns are a [*svmkit.DataError]. After an error
// nothing is written.
func Save(w io.Writer, m svmkit.Model) error {
	if w == nil {
		return &svmkit.ParamError{Name: "w", Value: nil, Need: "must not be nil"}
	}
	if p, ok := m.(*pipeline.Model); ok {
		return savePipeline(w, p)
	}
	return saveModel(w, m)
}

// saveModel is Save of a model of rows of numbers.
func saveModel(w io.Writer, m svmkit.Model) error {
	c, err := modelsOf(w, m)
	if err != nil {
		return err
	}
	for _, m := range c.models {
		if _, _, err := savedKernel(m.Kernel); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	if c.strategy != "" {
		out.WriteString(c.head()) // which names the columns
	}
	for _, m := range c.models {
		writeModel(out, m, c.strategy == "")
	}
	return out.Flush() // bufio keeps the first error
}

// modelsOf returns the models to write, or the first reason why they cannot be written.
func modelsOf(w io.Writer, m svmkit.Model) (*classifier, error) {
	if v := reflect.ValueOf(m); m == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, &svmkit.ParamError{Name: "Model", Value: nil, Need: "must not be nil"}
	}
	if w == nil {
		return nil, &svmkit.ParamError{Name: "w", Value: nil, Need: "must not be nil"}
	}
	var c *classifier
	if one := svm.ModelOf(m); one != nil {
		c = &classifier{names: one.Classes, models: []*svm.Model{one}}
	} else {
		var err error
		if c, err = classifierOf(m); err != nil {
			return nil, err
		}
	}
	for _, m := range c.models {
		if err := validate(m); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// writeModel writes a model that has been checked, with the names of its columns or without.
func writeModel(out *bufio.Writer, m *svm.Model, names bool) {
	task := "classification"
	switch {
	case m.Regression:
		task = "regression"
	case m.OneClass:
		task = "one-class"
	}
	fmt.Fprintf(out, "svmkit model 1\ntask %s\ndim %d", task, m.Dim)
	if m.Open {
		out.WriteString(" open")
	}
	out.WriteString("\n")
	if names {
		writeColumns(out, m.Columns())
	}
	writeClasses(out, m.Classes)
	kind, parameters, _ := savedKernel(m.Kernel)
	out.WriteString("kernel " + fileName(kind))
	for _, key := range kind.Parameters {
		out.WriteString(" " + key + " " + parameterText(parameters, key))
	}
	out.WriteString("\nbias " + formatExact(m.Bias) + map[float64]string{-1: " zero:-1", 1: " zero:1"}[m.Zero] + "\n")
	if m.Platt != nil {
		out.WriteString("platt " + formatExact(m.Platt.A) + " " + formatExact(m.Platt.B) + "\n")
	}
	if m.Weights != nil {
		out.WriteString("weights\n")
		for _, v := range m.Weights {
			out.WriteString(formatExact(v) + "\n")
		}
	} else {
		writeVectors(out, m)
	}
	out.WriteString("end\n")
}

func writeVectors(out *bufio.Writer, m *svm.Model) {
	fmt.Fprintf(out, "vectors %d\n", len(m.SV))
	for k, x := range m.SV {
		row, state := "-", "-"
		if m.Rows != nil {
			row = strconv.Itoa(m.Rows[k])
		}
		if m.Bound != nil {
			state = "free"
			if m.Bound[k] {
				state = "bound"
			}
		}
		out.WriteString(formatExact(m.Coef[k]) + " " + row + " " + state)
		for j, v := range x.Value {
			out.WriteByte(' ')
			if x.Index != nil {
				out.WriteString(strconv.Itoa(int(x.Index[j])+1) + ":")
			}
			out.WriteString(formatExact(v))
		}
		out.WriteByte('\n')
	}
}

// validate returns nil, or the first reason why m is not what a fit or Load returns.
func validate(m *svm.Model) error {
	if m == nil {
		return &svmkit.ParamError{Name: "Model", Value: nil, Need: "must not be nil"}
	}
	if m.Kernel != nil { // or Load would refuse what Save has written
		if err := kernel.Validate(m.Kernel); err != nil {
			return err
		}
	}
	sizes := &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	switch {
	case m.Weights == nil && m.Kernel == nil || m.Dim < 1 || m.Dim > math.MaxInt32:
		return &svmkit.ParamError{Name: "Model", Value: "empty", Need: "must come from Fit or Load"}
	case m.Features != nil && len(m.Features) != m.Dim,
		m.Weights != nil && (len(m.Weights) != m.Dim || !kernel.IsLinear(m.Kernel)),
		len(m.Coef) != len(m.SV), m.Rows != nil && len(m.Rows) != len(m.SV), m.Bound != nil && len(m.Bound) != len(m.SV):
		return sizes
	case m.Regression && m.OneClass:
		return &svmkit.ParamError{Name: "OneClass", Value: true, Need: "does not go with Regression"}
	case len(m.Classes) != 0 && (len(m.Classes) != 2 || m.Regression || m.OneClass || m.Classes[0] == m.Classes[1]):
		return &svmkit.ParamError{Name: "Classes", Value: m.Classes, Need: "must be two different names, or none"}
	case len(m.Rows) > 0 && slices.Min(m.Rows) < 0:
		return &svmkit.ParamError{Name: "Rows", Value: slices.Min(m.Rows), Need: "must not be negative"}
	case m.Zero != 0 && (m.Regression || math.Abs(m.Zero) != 1):
		return &svmkit.ParamError{Name: "Zero", Value: m.Zero, Need: "must be 0, or −1 or 1 of a classification"}
	case m.Platt != nil && (m.Regression || m.OneClass):
		return &svmkit.ParamError{Name: "Platt", Value: *m.Platt, Need: "goes with classification only"}
	}
	numbers := append([]float64{m.Bias}, m.Coef...)
	if m.Platt != nil {
		numbers = append(numbers, m.Platt.A, m.Platt.B)
	}
	for _, list := range [][]float64{numbers, m.Weights} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Value: v, Err: svmkit.ErrNotFinite}
			}
		}
	}
	if len(m.SV) > 0 {
		rows := svmkit.Dataset{X: m.SV, Y: m.Coef, Dim: m.Dim}
		return rows.Validate()
	}
	return nil
}
