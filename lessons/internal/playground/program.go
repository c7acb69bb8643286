package playground

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"path"
	"strings"
)

// CSV returns the points with their α and scores as a table, a column of each for each of several classes.
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

// pieces are the parts of a program, each with ${names} of what is filled in.
var pieces = func() map[string]string {
	all := map[string]string{}
	for _, piece := range strings.Split(programText, "== ")[1:] {
		name, code, _ := strings.Cut(piece, "\n")
		all[name] = code
	}
	return all
}()

//go:embed program.txt
var programText string

// Program returns a Go program that does the same with the library. It prints the objectives and the gap of
// each model, and the α and the score of each point. After steps of a training it holds their β, and
// computes the certificate anew; a perceptron is trained again. It is a [*Error] if there is no model.
func (f *Fit) Program() (string, error) {
	if len(f.Parts) == 0 {
		return "", &Error{"program", f.Verdict}
	}
	s := f.State
	k, err := s.kernel()
	if err != nil {
		return "", err
	}
	values := map[string]string{
		"targets": numbers(f.Set.Y), "classes": fmt.Sprintf("%#v", f.Set.Classes), "loss": fmt.Sprintf("%#v", s.loss()),
		"kernel": strings.NewReplacer("<nil>", "nil", ":", ": ").Replace(fmt.Sprintf("%#v", k)), "c": short(s.C),
		"bias":     map[string]string{"free": "FreeBias", "penalized": "PenalizedBias", "none": "NoBias"}[s.Bias],
		"settings": fmt.Sprintf("&svm.Settings{Tol: %g, MaxIterations: %d}", tolerance, maxIterations),
		"steps":    fmt.Sprint(f.Steps), "count": count(f.Steps, "step"), "beta": numbers(f.beta()), "formula": s.Formula,
	}
	for _, x := range f.Set.X {
		values["rows"] += "\t\t{" + numbers(x.Value) + "},\n"
	}
	names := []string{"data"}
	switch {
	case s.Train == "perceptron" && f.Steps > 0:
		names = append(names, "perceptron", "mistakes", "scores")
	case s.Train == "perceptron":
		names = append(names, "perceptron", "scores")
	case s.Task == "several":
		names = append(names, "classes", "problem", "several", "report")
	case s.Train == "solved":
		names = append(names, "problem", "solved", "report")
	default:
		names = append(names, "problem", "trained", "report")
	}
	if formula, ok := k.(*Formula); ok {
		values["kernel"], values["code"] = "formula{}", formula.Go
		names = append(names, "formula")
		if strings.Contains(formula.Go, "dist2(") {
			names = append(names, "dist2")
		}
		if f.indefinite {
			names = append(names, "indefinite")
		}
	}
	var b strings.Builder
	for _, name := range names {
		b.WriteString(os.Expand(pieces[name], func(key string) string { return values[key] }))
	}
	return "// Get the library with: go get github.com/svmkit/course\npackage main\n\nimport (\n" + imports(b.String()) + ")\n\n" + b.String(), nil
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
