package main

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Each flag sets its own field of the problem and of the solver.
func TestProblemOfFlags(t *testing.T) {
	set, err := svmkit.NewDataset([][]float64{{1, 2}, {3, -1}, {0, 5}}, []float64{1, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	scale := kernel.ScaleGamma(set)
	for _, c := range []struct {
		args   string
		want   svm.Problem
		solver svm.Solver
	}{
		{"", svm.Problem{C: svm.Cost{C: 1}}, nil},
		{"-C 2 -C-positive 3 -C-negative 5", svm.Problem{C: svm.Cost{C: 2, Positive: 3, Negative: 5}}, nil},
		{"-C Inf -bias none", svm.Problem{C: svm.Cost{C: math.Inf(1)}, Bias: svmkit.NoBias}, nil},
		{"-bias penalized -loss squared-hinge -solver newton", svm.Problem{Bias: svmkit.PenalizedBias, Loss: loss.SquaredHinge{}}, svm.Newton{}},
		{"-loss logistic", svm.Problem{Loss: loss.Logistic{}}, nil},
		{"-loss eps-insensitive", svm.Problem{Loss: loss.EpsInsensitive{Epsilon: 0.1}}, nil},
		{"-loss squared-eps-insensitive -epsilon 0.5 -solver dcd", svm.Problem{Loss: loss.SquaredEpsInsensitive{Epsilon: 0.5}}, svm.DualCoordinate{}},
		{"-kernel poly -degree 4 -coef0 2", svm.Problem{Kernel: kernel.Polynomial{Degree: 4, Gamma: 1, Coef0: 2}}, svm.SMO{CacheBytes: 256 << 20}},
		{"-kernel poly -gamma scale -cache 10", svm.Problem{Kernel: kernel.Polynomial{Degree: 3, Gamma: scale}}, svm.SMO{CacheBytes: 10 << 20}},
		{"-kernel rbf", svm.Problem{Kernel: kernel.RBF{Gamma: scale}}, nil},
		{"-kernel rbf -gamma 0.25 -solver smo -cache 7", svm.Problem{Kernel: kernel.RBF{Gamma: 0.25}}, svm.SMO{CacheBytes: 7 << 20}},
		{"-kernel laplacian -solver decomposition", svm.Problem{Kernel: kernel.Laplacian{Gamma: kernel.ScaleLaplacian(set)}}, svm.Decomposition{MemoryBytes: 256 << 20}},
		{"-kernel sigmoid -gamma 0.5 -coef0 -1", svm.Problem{Kernel: kernel.Sigmoid{Gamma: 0.5, Coef0: -1}}, svm.SMO{CacheBytes: 256 << 20}},
		{"-solver proximal", svm.Problem{}, svm.ProximalNewton{}},
		{"-solver pegasos -bias none", svm.Problem{Bias: svmkit.NoBias}, svm.Pegasos{}},
		{"-multi cs", svm.Problem{Bias: svmkit.PenalizedBias}, nil},
	} {
		var f trainFlags
		fs := cli.FlagSet("train")
		f.define(fs)
		files, err := cli.Parse(fs, strings.Fields(c.args+" data"), nil, "FILE")
		if err == nil {
			err = f.check(fs, files)
		}
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		got, err := f.problem(set)
		c.want.Data = set
		if c.want.C == (svm.Cost{}) {
			c.want.C.C = 1
		}
		for _, factor := range []*float64{&c.want.C.Positive, &c.want.C.Negative} {
			if *factor == 0 {
				*factor = 1
			}
		}
		if c.want.Loss == nil {
			c.want.Loss = loss.Hinge{}
		}
		c.want.Bias = c.want.Bias.Or(svmkit.FreeBias)
		if err != nil || !reflect.DeepEqual(got, &c.want) || !reflect.DeepEqual(f.makeSolver(), c.solver) {
			t.Errorf("%s: %+v, %#v, %v, want %+v, %#v", c.args, got, f.makeSolver(), err, &c.want, c.solver)
		}
	}
}

// The seed decides which rows are held out when probabilities are fitted.
func TestSeedOfProbabilities(t *testing.T) {
	data := file(t, "two", two(t, 60))
	model := func(seed string) string {
		out, _ := must(t, "", "train", "-solver", "proximal", "-probability", "-seed", seed, "-o", "-", data)
		return out
	}
	if one := model("1"); one != model("1") || one == model("2") {
		t.Error("the model does not depend on the seed alone")
	}
}

// A checkpoint of more rows or of fewer is refused.
func TestCheckpointOfOtherRows(t *testing.T) {
	few, many := file(t, "few", two(t, 30)), file(t, "many", two(t, 60))
	for _, files := range [][2]string{{few, many}, {many, few}} {
		state := filepath.Join(t.TempDir(), "state")
		must(t, "", "train", "-checkpoint", state, files[0])
		if status, _, errs := svmRun(t, "", "train", "-checkpoint", state, files[1]); status != exitError || !strings.Contains(errs, "remove that file to begin anew") {
			t.Errorf("status %d, %s", status, errs)
		}
	}
}

// A single fit that misses the tolerance changes the status of a search.
func TestGridWithOneFitAboveTheTolerance(t *testing.T) {
	data := file(t, "two", two(t, 60))
	status, out, errs := svmRun(t, "", "grid", "-C", "100", "-time", "-folds", "1", "-solver", "dcd", "-max-iterations", "1", "-tol", "1e-9", data)
	if status != exitTolerance || !strings.Contains(errs, "by 1 of 1 fits") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// A heat map has 2 to 8 values on either side.
func TestSidesOfAHeatMap(t *testing.T) {
	for values, good := range map[string]bool{"1": false, "1,2": true, "1,2,3,4,5,6,7,8": true, "1,2,3,4,5,6,7,8,9": false} {
		for _, flags := range [][]string{{"-C", values, "-gamma", "1,2"}, {"-C", "1,2", "-gamma", values}} {
			args := append([]string{"grid", "-kernel", "rbf", "-heatmap", filepath.Join(t.TempDir(), "map.png")}, flags...)
			status, _, errs := svmRun(t, "", append(args, "missing")...)
			if refused := strings.Contains(errs, "-heatmap needs 2 to 8 values"); refused == good || (status == exitUsage) == good {
				t.Errorf("%s: status %d, %s", flags, status, errs)
			}
		}
	}
}

func TestFirst(t *testing.T) {
	for n, want := range map[int]string{1: "a, …", 2: "a, b, …", 3: "a, b, c", 4: "a, b, c"} {
		if got := first([]string{"a", "b", "c"}, n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
