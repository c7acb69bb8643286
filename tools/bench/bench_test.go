package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/progress"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// The engines are child processes of this binary.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-worker" {
		if err := serve(os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	leaktest.Main(m)
}

func openedStage(t *testing.T, args ...string) *bench {
	t.Helper()
	b := &bench{}
	if _, err := b.parse(args, t.Output()); err != nil {
		t.Fatal(err)
	}
	if err := b.openStage(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.stage.close)
	b.progress = progress.New("bench", t.Output(), 1)
	return b
}

// Every engine that is here minimises what we say it does: tightened, each comes near the optimum
// that Certify bounds. A wrong sign, a wrong C or another bias would leave a gap.
func TestEnginesSolveTheSameProblem(t *testing.T) {
	const near = 1e-3 // solvers with their own limits come as near as this on a small set
	b := openedStage(t, "-engines", strings.Join(engineNames, ","))
	scaling, err := feature.Scaler{}.Fit(samples.BreastCancer())
	if err != nil {
		t.Fatal(err)
	}
	labels, err := scaling.Apply(samples.BreastCancer())
	if err != nil {
		t.Fatal(err)
	}
	targets, err := drawn{n: 200, d: 5, density: 1, regression: true}.load()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []task{
		{Loss: "hinge", C: 0.5}, {Loss: "squared hinge", C: 0.5}, {Loss: "hinge", C: 0.5, Free: true},
		{Loss: "hinge", C: 2, Free: true, Gamma: 0.03},
		{Loss: "tube", C: 0.5, Epsilon: 0.1}, {Loss: "squared tube", C: 0.5, Epsilon: 0.1}, {Loss: "tube", C: 2, Epsilon: 0.1, Free: true, Gamma: 0.2},
	} {
		set := labels
		if k.regression() {
			set = targets
		}
		j := newJudge(set, k)
		if r, _, err := b.run(t.Context(), j, way{engine: "svmkit"}, 1e-8); err != nil || !(r.Gap <= 1e-8) {
			t.Fatalf("%v: gap %g, %v", k, r.Gap, err)
		}
		for _, w := range ways(k) {
			if b.stage.engine(w.engine) == nil || w.solver == "SGDClassifier" { // which comes near nothing
				continue
			}
			trials, err := b.sweep(t.Context(), j, w, near)
			if err != nil {
				t.Fatal(err)
			}
			if best, ok := fastest(trials, w.engine, near); !ok {
				t.Errorf("%v: %s %s: %+v", k, w.engine, w.solver, best)
			} else if w.engine == "LIBLINEAR" && best.Epochs == 0 {
				t.Errorf("%v: %s -s %s tells no passes", k, w.engine, w.solver)
			}
		}
	}
}

// A comparison measures each engine as often as it was told to, and its ratio is that of the runs.
func TestCompare(t *testing.T) {
	b := openedStage(t, "-runs", "3")
	set := samples.Banknotes()
	done, err := b.compare(t.Context(), "banknotes", set, task{Loss: "hinge", C: 1}, []float64{1e-2, 1e-3})
	if err != nil || len(done) != 2 {
		t.Fatal(len(done), err)
	}
	for _, c := range done {
		if !c.Ours.Reached || len(c.Ours.Runs) != 3 || c.Ours.Gap > c.Target || c.N != 1372 || c.Goal != 8 {
			t.Errorf("%+v", c)
		}
		for _, o := range c.Peers {
			if o.Engine == c.Best && c.Ratio != ratios(o.Runs, c.Ours.Runs).median() {
				t.Errorf("ratio %g of %v and %v", c.Ratio, o.Runs, c.Ours.Runs)
			}
		}
	}
	b.results.Comparisons = done
	var text, out bytes.Buffer
	b.writeTable(&text)
	if rows := strings.Count(text.String(), "| banknotes | 1372 × 4 |"); rows != 2 {
		t.Errorf("%d rows in\n%s", rows, text.String())
	}
	if err := b.results.writeJSON(&out); err != nil || !json.Valid(out.Bytes()) {
		t.Error(err)
	}
}

// The names of the facts in the JSON: tables of many runs are made from them.
func TestJSONNames(t *testing.T) {
	var out bytes.Buffer
	b := bench{results: results{Machine: describe(3)}}
	if err := b.results.writeJSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Machine map[string]any `json:"machine"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := []string{"bandwidth_gb_s", "commit", "cores", "cpu", "engine_versions", "go", "load_at_start", "memory_gb", "os", "threads"}
	if names := slices.Sorted(maps.Keys(got.Machine)); !slices.Equal(names, want) || got.Machine["threads"] != 3.0 || got.Machine["cores"] != float64(runtime.NumCPU()) {
		t.Errorf("%v, want %v; %v", names, want, got.Machine)
	}
}

// A free bias has its own rounds, each beside one with a penalized bias, and its own table.
func TestFreeBias(t *testing.T) {
	b := openedStage(t, "-runs", "3", "-loss", "hinge")
	if err := b.freeBias(t.Context(), "banknotes", samples.Banknotes()); err != nil {
		t.Fatal(err)
	}
	for _, row := range b.results.FreeBias {
		if len(row.Ours) != 3 || len(row.Other) != 3 || row.Note != "" {
			t.Errorf("%+v", row)
		}
	}
	var text bytes.Buffer
	b.writeTable(&text)
	if rows := strings.Count(text.String(), "| banknotes | linear hinge to"); rows != len(freeBiasTargets) {
		t.Errorf("%d rows in\n%s", rows, text.String())
	}
}

// The gap of a plane alone is its distance from the certified dual value; a plane that is not the
// best has a larger one; no gap is below that of the answer's own β.
func TestJudge(t *testing.T) {
	const rounding = 1e-9
	set, k := samples.Banknotes(), task{Loss: "hinge", C: 1}
	j := newJudge(set, k)
	if gap, err := j.gap(answer{W: make([]float64, 4)}); err != nil || gap != noGap {
		t.Errorf("before any dual value: %g, %v", gap, err)
	}
	r, err := svm.Fit(t.Context(), k.problem(set), nil, &svm.Settings{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	own, err := j.gap(answer{Beta: r.Beta})
	if err != nil || own > 1e-6 {
		t.Fatal(own, err)
	}
	plane, err := j.gap(answer{W: r.Weights, B: r.Bias})
	if err != nil || math.Abs(plane-own) > rounding {
		t.Errorf("plane %g, β %g, %v", plane, own, err)
	}
	worse, err := j.gap(answer{W: r.Weights, B: r.Bias + 0.1})
	if err != nil || worse < 10*own {
		t.Errorf("a moved plane has gap %g", worse)
	}
	if bad, _ := j.gap(answer{W: []float64{math.NaN(), 0, 0, 0}}); bad != noGap {
		t.Errorf("NaN has gap %g", bad)
	}
}

func TestSetsTravelUnchanged(t *testing.T) {
	sms, _ := samples.SMS()
	mixed := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1, 0, 3), {Index: []int32{1}, Value: []float64{5}}}, Y: []float64{1, -1}, Dim: 3}
	for _, set := range []*svmkit.Dataset{samples.Iris(), sms, mixed} {
		file := filepath.Join(t.TempDir(), "set")
		if err := writeSet(file, set); err != nil {
			t.Fatal(err)
		}
		got, err := readSet(file)
		if err != nil || got.Len() != set.Len() || got.Dim != set.Dim {
			t.Fatal(got, err)
		}
		for i, x := range got.X {
			if !reflect.DeepEqual(x.ToDense(set.Dim), set.X[i].ToDense(set.Dim)) || got.Y[i] != set.Y[i] {
				t.Fatalf("row %d: %v, want %v", i, x, set.X[i])
			}
		}
	}
}

// Ctrl-C while a run goes on ends it at once, kills the child, and shows what is there.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, errs bytes.Buffer
	start := time.Now()
	err := run(ctx, []string{"-engines", "svmkit", "-rows", "kernel", "-gaps", "1e-9", "drawn,n=20000,d=50"}, &out, &errs)
	if !errors.Is(err, context.Canceled) || time.Since(start) > 2*time.Minute || !strings.Contains(out.String(), "svmkit") {
		t.Errorf("%v after %v: %s", err, time.Since(start), out.String())
	}
}

// A run over its limit is killed; the engine comes back for the next one.
func TestLimit(t *testing.T) {
	b := openedStage(t)
	e := b.stage.engine("svmkit")
	set, err := drawn{n: 3000, d: 20, density: 1}.load()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.stage.put(t.Context(), e, set); err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.exchange(t.Context(), request{Op: "train", Task: task{Loss: "hinge", C: 1e6}, Solver: "epochs", Knob: 1e8, Limit: 1e6}, 50*time.Millisecond); !errors.Is(err, errTooSlow) {
		t.Fatal(err)
	}
	if _, a, err := e.ask(t.Context(), request{Op: "train", Task: task{Loss: "hinge", C: 1}, Knob: 0.1, Limit: 10}); err != nil || len(a.Beta) != 3000 {
		t.Error(len(a.Beta), err)
	}
}

func TestStatistics(t *testing.T) {
	s := sample{4, 1, 3, 2, 5}
	if s.median() != 3 || s.quantile(0) != 1 || s.quantile(1) != 5 || s.quantile(0.25) != 2 || s.spread() != 1./3 {
		t.Error(s.median(), s.quantile(0.25), s.spread())
	}
	if m := (sample{1, 2}).median(); m != 1.5 {
		t.Error(m)
	}
	// y = 3x² exactly; then y that leaves the line by ±δ in the pattern + − − +, whose slope is
	// unchanged and whose standard error is δ·√(4/2)/√Sxx.
	x, y := []float64{1, 2, 4, 8}, make([]float64, 4)
	for i, v := range x {
		y[i] = 3 * v * v
	}
	if slope, stdErr := logSlope(x, y); math.Abs(slope-2) > 1e-12 || stdErr > 1e-7 {
		t.Error(slope, stdErr)
	}
	const delta = 0.1
	for i, sign := range []float64{1, -1, -1, 1} {
		y[i] *= math.Exp(sign * delta)
	}
	want := delta * math.Sqrt(2) / (math.Ln2 * math.Sqrt(5)) // logs are −1.5, −0.5, 0.5, 1.5 times log 2
	if slope, stdErr := logSlope(x, y); math.Abs(slope-2) > 1e-12 || math.Abs(stdErr-want) > 1e-12 {
		t.Error(slope, stdErr, want)
	}
}

func TestFastestAndClosest(t *testing.T) {
	trials := []trial{{Engine: "a", Gap: 1e-4, Seconds: 3}, {Engine: "a", Gap: 5e-4, Seconds: 2}, {Engine: "a", Gap: 2e-3, Seconds: 1}, {Engine: "b", Gap: 0, Seconds: 0.1}}
	if best, ok := fastest(trials, "a", 1e-3); !ok || best.Seconds != 2 {
		t.Error(best, ok)
	}
	if best, ok := fastest(trials, "a", 1e-5); ok {
		t.Error(best)
	}
	if best, ok := closest(trials, "a"); !ok || best.Seconds != 3 {
		t.Error(best, ok)
	}
}

// The frontier of trials falls in gap as it rises in time, and a figure names each engine.
func TestFigure(t *testing.T) {
	c := curve{Set: "s", Name: "n", Trials: []trial{
		{Engine: "svmkit", Seconds: 2, Gap: 1e-3}, {Engine: "svmkit", Seconds: 1, Gap: 1e-2}, {Engine: "svmkit", Seconds: 3, Gap: 2e-3},
		{Engine: "svmkit", Seconds: 9, Gap: noGap}, {Engine: "LIBSVM", Seconds: 5, Gap: 1e-4}}}
	best := c.frontier("svmkit")
	if len(best) != 2 || best[0].Gap != 1e-2 || best[1].Gap != 1e-3 {
		t.Errorf("%+v", best)
	}
	f, err := c.figure()
	if err != nil || !strings.Contains(f.Alt, "svmkit") || !strings.Contains(f.Alt, "LIBSVM") {
		t.Error(f, err)
	}
	if f, err := (curve{}).figure(); f != nil || err != nil {
		t.Error("a figure of nothing", err)
	}
}

// What is drawn has the size, the density, the conditioning and the classes that were asked for.
func TestDrawn(t *testing.T) {
	g, err := parseDrawn("drawn,n=2000,d=3000,density=0.01")
	if err != nil {
		t.Fatal(err)
	}
	set, err := g.load()
	if err != nil || set.ValidateBinary() != nil {
		t.Fatal(err, set.ValidateBinary())
	}
	if density := float64(set.NNZ()) / 2000 / 3000; math.Abs(density-0.01) > 0.001 {
		t.Errorf("density %g", density)
	}
	for _, x := range set.X {
		if math.Abs(x.Norm()-1) > 1e-12 {
			t.Fatalf("norm %g", x.Norm())
		}
	}
	g = drawn{n: 2000, d: 4, density: 1, condition: 1000, regression: true}
	if again, err := parseDrawn(g.String()); err != nil || again != g {
		t.Errorf("%v became %v, %v", g, again, err)
	}
	if set, err = g.load(); err != nil || !isRegression(set) {
		t.Fatal(err)
	}
	var first, last float64
	for _, x := range set.X {
		first += x.Value[0] * x.Value[0]
		last += x.Value[3] * x.Value[3]
	}
	if ratio := math.Sqrt(first / last); math.Abs(ratio-1000) > 100 {
		t.Errorf("column scales differ by %g", ratio)
	}
	for _, bad := range []string{"drawn,n=1", "drawn,density=2", "drawn,x=1", "drawn,n=many"} {
		if _, err := parseDrawn(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// The files of MNIST, made by hand: two images of 2 × 1 pixels.
func TestImagesAndLabels(t *testing.T) {
	images := append([]byte{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1}, 0, 255, 51, 0)
	labels := append([]byte{0, 0, 8, 1, 0, 0, 0, 2}, 4, 7)
	set, err := imagesAndLabels(images, labels)
	if err != nil || set.ValidateBinary() != nil {
		t.Fatal(err)
	}
	if set.Y[0] != 1 || set.Y[1] != -1 || set.X[0].At(1) != 1 || set.X[1].At(0) != 0.2 || set.NNZ() != 2 {
		t.Errorf("%+v", set)
	}
	for _, bad := range [][2][]byte{{images[:19], labels}, {images, labels[:9]}, {nil, nil}} {
		if _, err := imagesAndLabels(bad[0], bad[1]); err == nil {
			t.Error("a short file was taken")
		}
	}
}

func TestFlags(t *testing.T) {
	for _, bad := range [][]string{{"-gaps", "0"}, {"-gaps", "x"}, {"-rows", "none"}, {"-engines", "me"}, {"-solver", "x"}, {"-loss", "x"}, {"-runs", "0"}, {"-c", "-1"}, {"-fetch", "x"}, {"-nope"}, {"-compare", "x", "-count", "y"}, {"-compare", "x", "a9a"}} {
		if _, err := new(flags).parse(bad, t.Output()); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	f := &flags{}
	sets, err := f.parse([]string{"a9a", "-gaps", "1e-6,1e-2", "file"}, t.Output())
	if err != nil || !reflect.DeepEqual(sets, []string{"a9a", "file"}) || !reflect.DeepEqual(f.targets, []float64{1e-2, 1e-6}) || !f.every {
		t.Errorf("%v %+v %v", sets, f, err)
	}
	if _, err := f.sources([]string{"no-such-set"}); err == nil || !strings.Contains(err.Error(), "a9a") {
		t.Errorf("%v", err)
	}
}
