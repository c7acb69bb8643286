package modelfile_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
)

// golden is what the version that wrote a file of testdata/v0 predicted by it; make.sh and make.go in
// that folder wrote both. A number that is NaN or infinite is nil.
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
	Scores        [][]*float64 // of a classifier, one per class
	Probabilities [][]*float64 // one per class
}

// TestGoldenFiles holds this version to the predictions of the first one that wrote model files.
func TestGoldenFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/v0/*.json")
	if err != nil || len(names) < 36 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var g golden
			if err := json.Unmarshal(data, &g); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "peer-") {
				g.secondLabelAtZero()
			}
			g.sortClasses()
			if g.Names != nil {
				g.checkTable(t, strings.TrimSuffix(name, ".json"))
			} else {
				g.checkRows(t, strings.TrimSuffix(name, ".json"))
			}
		})
	}
}

// equal reports a difference between a number and its golden value beyond rounding.
func equal(t *testing.T, what string, row int, got float64, want *float64) {
	t.Helper()
	if want == nil {
		if got-got == 0 {
			t.Errorf("row %d: %s %v, want no finite number", row, what, got)
		}
	} else if !(math.Abs(got-*want) <= 1e-12*math.Abs(*want)) {
		t.Errorf("row %d: %s %v, want %v", row, what, got, *want)
	}
}

func equalAll(t *testing.T, what string, row int, got []float64, want []*float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("row %d: %d %s, want %d", row, len(got), what, len(want))
		return
	}
	for k := range want {
		equal(t, what, row, got[k], want[k])
	}
}

func (g *golden) checkColumns(t *testing.T, c svmkit.Columns, classes []string) {
	if c.Dim != g.Columns.Dim || c.Open != g.Columns.Open || c.Label != g.Columns.Label || !slices.Equal(c.Features, g.Columns.Features) {
		t.Errorf("columns %+v, want %+v", c, g.Columns)
	}
	if !slices.Equal(classes, g.Classes) {
		t.Errorf("classes %q, want %q", classes, g.Classes)
	}
}

// secondLabelAtZero lets a score of exactly 0 predict the second label of a peer's file, as its owner does. At
// first it predicted no class.
func (g *golden) secondLabelAtZero() {
	for i, score := range g.Score {
		if len(g.Classes) == 2 && *score == 0 {
			y := -1.0
			g.Class[i], g.Name[i], g.Y[i] = 0, g.Classes[0], &y
		}
	}
}

// sortClasses brings the classes into the order of [dataset.Labels]. Then files of LIBSVM and LIBLINEAR
// had their own, the order of the labels in the file.
func (g *golden) sortClasses() {
	order := dataset.ClassOrder(g.Classes)
	if slices.IsSorted(order) {
		return
	}
	for i, class := range g.Class {
		g.Class[i] = slices.Index(order, class)
		y := svmkit.LabelOf(g.Class[i], len(order))
		g.Y[i] = &y
	}
	of := func(values []*float64) (sorted []*float64) {
		for _, k := range order {
			sorted = append(sorted, values[k])
		}
		return sorted
	}
	for i := range g.Scores {
		g.Scores[i] = of(g.Scores[i])
	}
	for i := range g.Probabilities {
		g.Probabilities[i] = of(g.Probabilities[i])
	}
	if len(order) == 2 {
		for _, score := range g.Score {
			*score = -*score
		}
	}
	var names []string
	for _, k := range order {
		names = append(names, g.Classes[k])
	}
	g.Classes = names
}

func (g *golden) checkRows(t *testing.T, name string) {
	m, err := modelfile.LoadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g.checkColumns(t, m.Columns(), m.ClassNames())
	var rows []svmkit.Row
	for _, row := range g.Rows {
		rows = append(rows, svmkit.Dense(row...))
	}
	all, probabilities := m.PredictAll(rows), m.ProbabilitiesAll(rows)
	for i, x := range rows {
		p, q := m.Predict(x), all[i]
		g.check(t, i, p)
		const rounding = 1e-12 // of sums in another order, also of those that are nearly 0
		if q.OK != p.OK || q.Class != p.Class || q.Name != p.Name || math.Abs(q.Y-p.Y) > rounding*(1+math.Abs(p.Y)) ||
			math.Abs(q.Score-p.Score) > rounding*(1+math.Abs(p.Score)) {
			t.Errorf("row %d among others: %+v, alone %+v", i, q, p)
		}
		if c, ok := m.(multiclass.Classifier); ok {
			equalAll(t, "score", i, c.ClassScores(x), g.Scores[i])
		}
		if g.Probabilities != nil {
			equalAll(t, "probability", i, probabilities[i], g.Probabilities[i])
		}
	}
}

func (g *golden) check(t *testing.T, i int, p svmkit.Prediction) {
	t.Helper()
	if p.Class != g.Class[i] || p.Name != g.Name[i] {
		t.Errorf("row %d: class %d %q, want %d %q", i, p.Class, p.Name, g.Class[i], g.Name[i])
	}
	equal(t, "y", i, p.Y, g.Y[i])
	if g.Score != nil {
		equal(t, "score", i, p.Score, g.Score[i])
	}
}

func (g *golden) checkTable(t *testing.T, name string) {
	loaded, err := modelfile.LoadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := loaded.(*pipeline.Model)
	g.checkColumns(t, m.TableColumns(), m.ClassNames())
	all, err := m.PredictTable(&dataset.Table{Names: g.Names, Rows: g.Fields})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		g.check(t, i, p.Prediction)
		if g.Probabilities != nil {
			equalAll(t, "probability", i, p.Probabilities, g.Probabilities[i])
		}
	}
}
