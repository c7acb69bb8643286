package svm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Save writes the model as text, so that [Load] gets every number back bit for bit:
//
//	svmkit model 1
//	task classification           (or regression)
//	dim 3
//	class "ham"                   (the class −1; both lines only if the model has names)
//	class "spam"                  (the class +1)
//	kernel rbf gamma 0.5          (with all its numbers)
//	bias -0.25
//	platt -1.5 0.1                (only if the model has probabilities)
//	vectors 2
//	0.75 0 free 1:0.5 3:-1        (β, row number in the data, free or bound, the row;
//	-0.75 4 bound 0.5 0 2          indices from 1; a dense row has no indices)
//	end
//
// A linear model has, instead of vectors, the line "weights" and dim lines with one number
// each; its support vectors are not kept. Row number and state are "-" where they are not
// known. Only built-in kernels can be saved; any other is a [*svmkit.ParamError].
func (m *Model) Save(w io.Writer) error {
	if err := m.validate(); err != nil {
		return err
	}
	name, parameters, err := savedKernel(m.Kernel)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	task := "classification"
	if m.Regression {
		task = "regression"
	}
	fmt.Fprintf(out, "svmkit model 1\ntask %s\ndim %d\n", task, m.Dim)
	for _, class := range m.Classes {
		fmt.Fprintf(out, "class %s\n", strconv.Quote(class))
	}
	out.WriteString("kernel " + name)
	for _, key := range savedKernels[name].keys {
		out.WriteString(" " + key + " " + parameters.text(key))
	}
	out.WriteString("\nbias " + formatExact(m.Bias) + "\n")
	if m.Platt != nil {
		out.WriteString("platt " + formatExact(m.Platt.A) + " " + formatExact(m.Platt.B) + "\n")
	}
	if m.Weights != nil {
		out.WriteString("weights\n")
		for _, v := range m.Weights {
			out.WriteString(formatExact(v) + "\n")
		}
	} else {
		m.saveVectors(out)
	}
	out.WriteString("end\n")
	return out.Flush() // bufio keeps the first error
}

// SaveFile is [Model.Save] to a file that appears whole or, after an error, not at all.
func (m *Model) SaveFile(name string) error { return atomicfile.Write(name, m.Save) }

func (m *Model) saveVectors(out *bufio.Writer) {
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
func (m *Model) validate() error {
	if m == nil {
		return &svmkit.ParamError{Name: "Model", Value: nil, Need: "must not be nil"}
	}
	if m.Kernel != nil { // or Load would refuse what Save has written
		if err := kernel.Validate(m.Kernel); err != nil {
			return err
		}
	}
	sizes := &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	hasPlane := core.Linear(m.Kernel)
	switch {
	case m.Weights == nil && m.Kernel == nil || m.Dim < 1 || m.Dim > math.MaxInt32:
		return &svmkit.ParamError{Name: "Model", Value: "empty", Need: "must come from Fit or Load"}
	case m.Weights != nil && (len(m.Weights) != m.Dim || !hasPlane),
		len(m.Coef) != len(m.SV), m.Rows != nil && len(m.Rows) != len(m.SV), m.Bound != nil && len(m.Bound) != len(m.SV):
		return sizes
	case len(m.Classes) != 0 && (len(m.Classes) != 2 || m.Regression || m.Classes[0] == m.Classes[1]):
		return &svmkit.ParamError{Name: "Classes", Value: m.Classes, Need: "must be two different names, or none"}
	case m.Platt != nil && m.Regression:
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
