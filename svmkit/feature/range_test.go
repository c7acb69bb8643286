package feature_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
)

// A range file gives the numbers of svm-scale; a constant column becomes 0, and a saved copy is the same scaling.
func TestLoadRange(t *testing.T) {
	for _, text := range []string{"x\n-1 1\n1 1 3\n3 0 7\n", "x\r\n-1 1\r\n1 1 3\r\n3 0 7\r\n\r\n", "x\n-1.0 1e0\n1 1 3\n3 -0 7"} {
		s, err := feature.Load(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if want := (svmkit.Columns{Dim: 3}); !reflect.DeepEqual(s.Columns(), want) || s.Low != -1 || !slices.Equal(s.Zero, []int{1}) {
			t.Errorf("%+v", s)
		}
		x, err := s.ApplyRow(svmkit.Dense(2, 6, 10.5))
		if want := []float64{0, 0, 2}; err != nil || !slices.Equal(x.Value, want) {
			t.Errorf("%v, %v, want %v", x, err, want)
		}
		var saved bytes.Buffer
		if err := feature.Save(&saved, s); err != nil {
			t.Fatal(err)
		}
		if again, err := feature.Load(&saved); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%+v, %v, want %+v", again, err, s)
		}
		if _, err := s.Inverse(&svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{0}, Dim: 3}); !errors.Is(err, feature.ErrNoInverse) {
			t.Errorf("%v", err)
		}
	}
}

func TestLoadRangeRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"y\n0 1\n-1 1\nx\n-1 1\n1 1 3\n": "scales the labels, too, in its part y: delete its first three lines",
		"x\n":                            "0 columns", "x\n-1 1\n": "0 columns", "x\n-1\n1 0 1\n": "line 2: want two numbers that rise", "x\n1 -1\n1 0 1\n": "line 2: want two numbers that rise",
		"x\n-1 1\n1 0 nan\n": "line 3: not a finite number", "x\n-1 1\n1 0 1e999\n": "line 3: not a finite number", "x\n-1 1\n1 1 1\n": "line 3: want a column and two numbers that rise",
		"x\n-1 1\n1 2 1\n": "line 3: want a column and", "x\n-1 1\n1 0 1 2\n": "line 3: want", "x\n-1 1\n1 0 1\n1 0 1\n": "line 4: want a column from 2 on", "x\n-1 1\n2 0 1\n1 0 1\n": "line 4: want a column from 3 on",
		"x\n-1 1\n0 0 1\n": "line 3: want a column from 1 on", "x\n-1 1\n1.5 0 1\n": "line 3: want a column from 1 on", "x\n-1 1\n99999999 0 1\n": "line 3: far more columns than lines",
		"x\n-1 1\n\n1 0 1\n": "line 3", "x\n-1e308 1e308\n1 0 1\n": "line 2", "x\n0 1\n1 -1e308 1e308\n": "among the scales", "x\n0 1\n1 0 5e-324\n": "among the scales", "x 1\n": "not a scaling", "xy\n": "not a scaling",
	} {
		s, err := feature.Load(strings.NewReader(text))
		if s != nil || !errors.Is(err, feature.ErrNotScaling) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	for _, text := range []string{`"kind":"minmax","dim":2,"low":0,"shift":[0,0],"scale":[1,1],"zero":[1,1]`, `"kind":"minmax","dim":2,"low":0,"shift":[0,0],"scale":[1,1],"zero":[2]`,
		`"kind":"minmax","dim":2,"low":0,"shift":[0,0],"scale":[1,1],"zero":[-1]`, `"kind":"maxabs","dim":2,"low":0,"scale":[1,1],"zero":[1]`} {
		if _, err := feature.Load(strings.NewReader("{" + text + "}")); !errors.Is(err, feature.ErrNotScaling) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The program itself agrees, to the digits that it prints.
func TestRangeOfSVMScale(t *testing.T) {
	program, err := exec.LookPath("svm-scale")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	train, test := filepath.Join(folder, "train"), filepath.Join(folder, "test")
	var rows [2]*svmkit.Dataset
	for k, name := range []string{train, test} {
		set := &svmkit.Dataset{Dim: 6}
		for i := range 20 {
			x := make([]float64, 6)
			for j := range x {
				x[j] = math.Round(1e4*math.Sin(float64(1+i*7+j*(k+1)))) / 100
			}
			x[2], x[4] = 7, 0 // constant
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, float64(1-2*(i%2)))
		}
		rows[k] = set
		var text bytes.Buffer
		if err := dataset.WriteLIBSVM(&text, set); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, ends := range [][2]string{{"-1", "1"}, {"0", "1"}, {"0.25", "100"}} {
		measures := filepath.Join(folder, "range")
		if out, err := exec.Command(program, "-l", ends[0], "-u", ends[1], "-s", measures, train).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(program, "-r", measures, test).Output()
		if err != nil {
			t.Fatal(err)
		}
		want, err := dataset.ReadLIBSVM(t.Context(), bytes.NewReader(out), &dataset.LIBSVMOptions{Dim: 6})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.Open(measures)
		if err != nil {
			t.Fatal(err)
		}
		s, err := feature.Load(text)
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Apply(rows[1])
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range got.X {
			for j := range 6 {
				if a, b := x.At(j), want.X[i].At(j); math.Abs(a-b) > 1e-5*(1e-9+math.Abs(b)) {
					t.Errorf("%v: row %d, column %d: %v, svm-scale has %v", ends, i, j, a, b)
				}
			}
		}
	}
}
