package playground

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path"
	"strings"
)

// CSV returns the points with their α and scores as a table: with several classes one column of each for a class.
func (f *Fit) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := []string{"x1", "x2", "class"}
	if f.State.Task == "regression" {
		head = []string{"x", "y"}
	}
	for _, name := range []string{"alpha", "score"} {
		for _, p := range f.Parts {
			if f.State.Task == "several" {
				head = append(head, name+" "+f.Set.Classes[p.Class])
			} else {
				head = append(head, name)
			}
		}
	}
	if err := w.Write(head); err != nil {
		return nil, err
	}
	for i, p := range f.State.Points {
		row := []string{short(p.X), short(p.Y)}
		switch f.State.Task {
		case "two":
			row = append(row, short(f.Set.Y[i]))
		case "several":
			row = append(row, f.Set.Classes[p.Class])
		}
		for _, part := range f.Parts {
			row = append(row, short(part.Alpha[i]))
		}
		for _, part := range f.Parts {
			row = append(row, short(part.Scores[i]))
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// Program returns a Go program that does the same with the library. It prints the objectives and the gap of each model, and the α
// and the score of each point. After steps of a training it holds their β, and computes the certificate anew; a perceptron is
// trained again. It is a [*Error] if there is no model.
func (f *Fit) Program() (string, error) {
	if len(f.Parts) == 0 {
		return "", &Error{"program", f.Verdict}
	}
	s := f.State
	kernel, err := f.kernelCode()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("func main() {\n\tdata, err := svmkit.NewDataset([][]float64{\n")
	for _, x := range f.Set.X {
		fmt.Fprintf(&b, "\t\t{%s},\n", numbers(x.Value))
	}
	fmt.Fprintf(&b, "\t}, []float64{%s})\n%s", numbers(f.Set.Y), stop)
	if s.Task == "several" {
		fmt.Fprintf(&b, "\tdata.Classes = %#v\n", f.Set.Classes)
	}
	bias := map[string]string{"free": "FreeBias", "penalized": "PenalizedBias", "none": "NoBias"}[s.Bias]
	if s.Train != "perceptron" {
		fmt.Fprintf(&b, "\tproblem := svm.Problem{Data: data, Loss: %#v, Kernel: %s, C: svm.PerSum(%s), Bias: svmkit.%s}\n", s.loss(), kernel.name, short(s.C), bias)
	}
	settings := fmt.Sprintf("&svm.Settings{Tol: %g, MaxIterations: %d}", tolerance, maxIterations)
	switch {
	case s.Train == "perceptron":
		fmt.Fprintf(&b, "\tp := perceptron.Kernelized{Kernel: %s, Bias: svmkit.%s}\n", kernel.name, bias)
		if f.Steps > 0 {
			fmt.Fprintf(&b, "\t_, err = p.Fit(context.Background(), data, perceptron.Stop{Mistakes: %d})\n%s", f.Steps, stop)
		}
		b.WriteString("\tfor i, x := range data.X {\n\t\tfmt.Printf(\"point %d: f = %.6g\\n\", i+1, p.Score(x))\n\t}\n}\n")
	case s.Task == "several":
		fmt.Fprintf(&b, "\tc, err := multiclass.OneVsRest{Binary: svm.Fitter(problem, nil, %s)}.Fit(context.Background(), data)\n%s", settings, stop)
		b.WriteString("\tfor class, m := range c.Models {\n\t\tif r, ok := m.(*svm.Result); ok {\n\t\t\tfmt.Println(\"class\", data.Classes[class])\n\t\t\treport(data, &r.Model, &r.Proof)\n\t\t}\n\t}\n}\n")
	case s.Train == "solved":
		fmt.Fprintf(&b, "\tr, err := svm.Fit(context.Background(), &problem, nil, %s)\n%s\treport(data, &r.Model, &r.Proof)\n}\n", settings, stop)
	default:
		beta := make([]float64, f.Set.Len())
		for k, i := range f.Parts[0].Model.Rows {
			beta[i] = f.Parts[0].Model.Coef[k]
		}
		fmt.Fprintf(&b, "\t// β after %s.\n\tproof, err := problem.Certify([]float64{%s})\n%s\treport(data, problem.Model(proof), proof)\n}\n", count(f.Steps, "step"), numbers(beta), stop)
	}
	if s.Train != "perceptron" {
		b.WriteString(report)
	}
	b.WriteString(kernel.types)
	return "// Get the library with: go get github.com/svmkit/course\npackage main\n\nimport (\n" + imports(b.String()) + ")\n\n" + b.String(), nil
}

const stop = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"

const report = `
// report prints what is proved of a model, and what it says of each point.
func report(data *svmkit.Dataset, m *svm.Model, proof *svm.Proof) {
	fmt.Printf("P = %.10g, D = %.10g, gap %.2g, b = %.6g\n", proof.Primal, proof.Dual, proof.Gap, m.Bias)
	alpha := make([]float64, data.Len())
	for k, i := range m.Rows {
		alpha[i] = math.Abs(m.Coef[k])
	}
	for i, x := range data.X {
		fmt.Printf("point %d: α = %.6g, f = %.6g\n", i+1, alpha[i], m.Score(x))
	}
}
`

// kernelCode returns the kernel as an expression, and the declarations that it needs.
func (f *Fit) kernelCode() (code struct{ name, types string }, err error) {
	s := f.State
	code.name = "nil"
	switch s.Kernel {
	case "rbf":
		code.name = fmt.Sprintf("kernel.RBF{Gamma: %s}", short(s.Gamma))
	case "polynomial":
		code.name = fmt.Sprintf("kernel.Polynomial{Degree: %d, Gamma: %s, Coef0: %s}", s.Degree, short(s.Gamma), short(s.Coef0))
	case "formula":
		formula, err := ParseFormula(s.Formula, s.columns())
		if err != nil {
			return code, err
		}
		code.name = "formula{}"
		code.types = "\n// formula is κ(x, z) = " + s.Formula + "\ntype formula struct{}\n\nfunc (formula) Eval(x, z svmkit.Row) float64 {\n\treturn " + formula.Go + "\n}\n"
		if strings.Contains(formula.Go, "dist2(") {
			code.types += "\nfunc dist2(x, z svmkit.Row) (sum float64) {\n\tfor j := range x.Value {\n\t\td := x.At(j) - z.At(j)\n\t\tsum += d * d\n\t}\n\treturn sum\n}\n"
		}
		if f.indefinite {
			code.types += "\n// Definite says that the formula is not positive semidefinite.\nfunc (formula) Definite() bool { return false }\n"
		}
	}
	return code, nil
}

// imports lists the packages that code uses.
func imports(code string) string {
	var b strings.Builder
	for _, at := range []string{"context", "fmt", "log", "math", "", "svmkit", "svmkit/kernel", "svmkit/loss", "svmkit/multiclass", "svmkit/perceptron", "svmkit/svm"} {
		switch {
		case at == "":
			b.WriteString("\n")
		case !strings.Contains(code, path.Base(at)+"."):
		case strings.HasPrefix(at, "svmkit"):
			fmt.Fprintf(&b, "\t%q\n", "github.com/svmkit/course/"+at)
		default:
			fmt.Fprintf(&b, "\t%q\n", at)
		}
	}
	return b.String()
}

func numbers(values []float64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = short(v)
	}
	return strings.Join(words, ", ")
}
