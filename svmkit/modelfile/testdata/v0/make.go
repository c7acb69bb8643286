// Command make writes what the version of commit ab6b790 predicts by the model files of this folder, for
// golden_test.go: one JSON file for each. Like make.sh it is not meant to be run again. It was compiled with
// the packages of that commit, and fits the one-class model itself, since the command fits none.
package main

import (
	"context"
	"encoding/json"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// golden is a JSON file. A number that is NaN or infinite is null.
type golden struct {
	Columns       svmkit.Columns
	Classes       []string
	Rows          [][]float64 // of numbers; or
	Names         []string    // the columns of a table, and
	Fields        [][]string  // its rows
	Class         []int       // by number, −1 without one
	Name          []string
	Y             []*float64
	Score         []*float64   // nil if the model has no single score
	Scores        [][]*float64 // of a classifier, one a class
	Probabilities [][]*float64 // one a class
}

func main() {
	two := read("two.csv", nil)
	oneClass, err := svm.OneClass{Data: two, Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.2}.Fit(context.Background(), nil)
	check(err)
	check(modelfile.SaveFile("oneclass.model", &oneClass.Model))

	var names []string
	for _, pattern := range []string{"*.model", "*.libsvm", "*.liblinear", "*.sklearn"} {
		found, err := filepath.Glob(pattern)
		check(err)
		names = append(names, found...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		var g *golden
		if strings.HasPrefix(string(text), "svmkit pipeline") || strings.HasPrefix(string(text), "{") {
			g = ofPipeline(name)
		} else {
			g = ofModel(name)
		}
		data, err := json.Marshal(g)
		check(err)
		check(os.WriteFile(name+".json", append(data, '\n'), 0o666))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(name string, o *dataset.Options) *svmkit.Dataset {
	set, err := dataset.ReadFile(context.Background(), name, o)
	check(err)
	return set
}

func number(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

func numbers(v []float64) (to []*float64) {
	for _, v := range v {
		to = append(to, number(v))
	}
	return to
}

// class is the number of the class that Y holds for one of count classes, of two −1 and +1.
func class(y float64, count int) int {
	switch {
	case math.IsNaN(y) || count == 2 && y == 0:
		return -1
	case count == 2:
		return int(y+1) / 2
	}
	return int(y)
}

func ofModel(name string) *golden {
	m, err := modelfile.LoadFile(name)
	check(err)
	var rows [][]float64
	for _, x := range dataFor(name, m.Columns().Dim).X {
		rows = append(rows, x.ToDense(m.Columns().Dim))
	}
	rows = append(rows, make([]float64, m.Columns().Dim))
	if len(rows) > 12 {
		rows = append(rows[:11], rows[len(rows)-1])
	}
	g := &golden{Columns: m.Columns(), Rows: rows}
	if named, ok := m.(interface{ ClassNames() []string }); ok {
		g.Classes = named.ClassNames()
	}
	for _, row := range rows {
		x := svmkit.Dense(row...)
		y := m.Predict(x)
		g.Y = append(g.Y, number(y))
		switch m := m.(type) {
		case *svm.Model:
			k := -1
			if !m.Regression {
				k = class(y, 2)
			}
			g.Class, g.Name = append(g.Class, k), append(g.Name, m.Class(x))
			g.Score = append(g.Score, number(m.Score(x)))
			if m.Platt != nil {
				g.Probabilities = append(g.Probabilities, numbers(m.Platt.Probabilities(m.Score(x))))
			}
		case multiclass.Classifier:
			k, name := m.Class(x)
			g.Class, g.Name = append(g.Class, k), append(g.Name, name)
			g.Scores = append(g.Scores, numbers(m.Scores(x)))
			if p, ok := m.(interface{ Probabilities(svmkit.Row) []float64 }); ok && p.Probabilities(x) != nil {
				g.Probabilities = append(g.Probabilities, numbers(p.Probabilities(x)))
			}
		default:
			log.Fatalf("%s is a %T", name, m)
		}
	}
	return g
}

// dataFor reads the data that a model was fitted to, by its name.
func dataFor(name string, dim int) *svmkit.Dataset {
	for _, set := range []string{"two", "three", "target"} {
		if strings.Contains(name, set) {
			return read(set+".csv", nil)
		}
	}
	if dim == 2 {
		return read("three.csv", nil)
	}
	return read("two.csv", nil)
}

func ofPipeline(name string) *golden {
	m, err := pipeline.LoadFile(name)
	check(err)
	c := m.Columns()
	g := &golden{Columns: c, Classes: m.Classes(), Names: c.Features}
	if strings.HasSuffix(name, ".sklearn") {
		for i := range 8 {
			fields := make([]string, c.Dim)
			for j := range fields {
				fields[j] = []string{"0", "1.5", "-2", "0.25", "3"}[(i*(j+2)+j)%5]
			}
			g.Fields = append(g.Fields, fields)
		}
	} else {
		file := "table.csv"
		if name == "text.model" {
			file = "text.csv"
		}
		t, err := dataset.ReadTableFile(context.Background(), file, &dataset.Options{Header: dataset.HeaderYes})
		check(err)
		for _, row := range t.Rows {
			var fields []string
			for _, f := range c.Features {
				fields = append(fields, row[t.Column(f)])
			}
			if g.Fields = append(g.Fields, fields); len(g.Fields) == 12 {
				break
			}
		}
	}
	for _, row := range g.Fields {
		fields := map[string]string{}
		for j, f := range c.Features {
			fields[f] = row[j]
		}
		p, err := m.Predict(fields)
		check(err)
		k := -1
		if g.Classes != nil {
			k = class(p.Value, len(g.Classes))
		}
		g.Class, g.Name, g.Y, g.Score = append(g.Class, k), append(g.Name, p.Class), append(g.Y, number(p.Value)), append(g.Score, number(p.Score))
		if p.Probabilities != nil {
			g.Probabilities = append(g.Probabilities, numbers(p.Probabilities))
		}
	}
	return g
}
