package playground

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// with returns the start with changes.
func with(change func(s *State)) State {
	s := Start()
	change(&s)
	return s
}

// states are good ones of all kinds.
func states(t testing.TB) map[string]State {
	t.Helper()
	load := func(name string, change func(s *State)) State {
		s, err := with(change).Load(name)
		if err != nil {
			t.Fatal(name, err)
		}
		return s
	}
	all := map[string]State{
		"start":         Start(),
		"linear":        with(func(s *State) { s.Kernel = "linear"; s.C = 1 }),
		"logistic":      with(func(s *State) { s.Kernel, s.Loss = "linear", "logistic" }),
		"squared":       with(func(s *State) { s.Loss, s.Bias = "squared", "none" }),
		"polynomial":    with(func(s *State) { s.Kernel, s.Bias = "polynomial", "penalized" }),
		"formula":       with(func(s *State) { s.Kernel, s.Formula = "formula", "exp(-dist2/2) + 0.1*(1 + dot)^2 + x1*z1" }),
		"no kernel":     with(func(s *State) { s.Kernel, s.Formula = "formula", "-dist2" }),
		"pairs":         with(func(s *State) { s.Train, s.Step = "pairs", 7 }),
		"coordinate":    with(func(s *State) { s.Train, s.Step, s.Bias, s.Loss = "coordinate", 9, "none", "squared" }),
		"perceptron":    with(func(s *State) { s.Train, s.Step, s.Bias = "perceptron", 3, "penalized" }),
		"perceptron, 0": with(func(s *State) { s.Train, s.Bias, s.Kernel = "perceptron", "none", "linear" }),
		"regression":    with(func(s *State) { s.Task = "regression" }),
		"tube, steps":   with(func(s *State) { s.Task, s.Train, s.Step, s.Kernel = "regression", "pairs", 20, "linear" }),
		"formula, tube": with(func(s *State) { s.Task, s.Kernel, s.Formula = "regression", "formula", "min(x1 + 5, z1 + 5)" }),
	}
	for _, sample := range Samples {
		all[sample.Name] = load(sample.Name, func(*State) {})
	}
	return all
}

func fit(t testing.TB, s State) *Fit {
	t.Helper()
	f, err := NewFit(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every state can be drawn, written as a link and as JSON and read back, and gives a table with a line for each point.
func TestStates(t *testing.T) {
	for name, s := range states(t) {
		t.Run(name, func(t *testing.T) {
			f := fit(t, s)
			for _, narrow := range []bool{false, true} {
				figure, err := f.Draw(narrow)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := figure.SVG(); err != nil {
					t.Fatal(err)
				}
				w, err := figure.Window()
				if err != nil || !(w.XMin <= -Width/2 && w.XMax >= Width/2 && w.YMin <= -Height/2 && w.YMax >= Height/2) {
					t.Errorf("the figure shows %+v, not the plane: %v", w, err)
				}
				if figure.Caption == "" || figure.Caption != f.Caption || figure.Alt == "" || f.Verdict == "" {
					t.Errorf("caption %q, alt %q, verdict %q", figure.Caption, figure.Alt, f.Verdict)
				}
			}
			link := s.Link()
			back, err := ParseLink(link)
			if err != nil || !reflect.DeepEqual(s, back) {
				t.Errorf("link %s reads as %+v, %v; want %+v", link, back, err, s)
			}
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := Decode(text); err != nil || !reflect.DeepEqual(s, back) {
				t.Errorf("JSON reads as %+v, %v", back, err)
			}
			table, err := f.CSV()
			if lines := strings.Count(string(table), "\n"); err != nil || lines != len(s.Points)+1 {
				t.Errorf("the table has %d lines for %d points: %v", lines, len(s.Points), err)
			}
			if len(f.Parts) == 0 || len(f.Parts[0].Alpha) != len(s.Points) {
				t.Errorf("no model: %s", f.Verdict)
			}
			wantMark := "✓"
			switch name {
			case "no kernel":
				wantMark = "✗"
			case "pairs", "coordinate", "tube, steps", "perceptron", "perceptron, 0":
				wantMark = "…"
			}
			if f.Mark != wantMark {
				t.Errorf("%s %s: want %s", f.Mark, f.Verdict, wantMark)
			}
		})
	}
}

// What is wrong is refused with the name of the field.
func TestValidate(t *testing.T) {
	for field, changes := range map[string][]func(s *State){
		"task": {func(s *State) { s.Task = "" }, func(s *State) { s.Task = strings.Repeat("x", 1e6) }},
		"C":    {func(s *State) { s.C = math.NaN() }, func(s *State) { s.C = 0 }, func(s *State) { s.C = math.Inf(1) }},
		"γ":    {func(s *State) { s.Gamma = -1 }, func(s *State) { s.Gamma = math.NaN() }},
		"c₀":   {func(s *State) { s.Coef0 = 1e300 }},
		"ε":    {func(s *State) { s.Epsilon = math.NaN() }},
		"step": {func(s *State) { s.Step = MaxSteps + 1 }, func(s *State) { s.Step = -1 }},
		"points": {func(s *State) { s.Points[3].X = math.NaN() }, func(s *State) { s.Points[3].Y = 1e308 }, func(s *State) { s.Points[0].Class = 2 },
			func(s *State) { s.Points[0].Class = -1 }, func(s *State) { s.Points = make([]Point, MaxPoints+1) }},
		"formula": {func(s *State) { s.Kernel, s.Formula = "formula", "dot +" }, func(s *State) { s.Formula = strings.Repeat("1", 300) },
			func(s *State) { s.Task, s.Kernel, s.Formula = "regression", "formula", "x2*z2" }},
		"loss": {func(s *State) { s.Loss = "logistic" }, func(s *State) { s.Task, s.Kernel, s.Loss = "regression", "linear", "logistic" }},
		"training": {func(s *State) { s.Train = "perceptron" }, func(s *State) { s.Train = "coordinate" }, func(s *State) { s.Train, s.Bias = "pairs", "none" },
			func(s *State) { s.Task, s.Train = "several", "pairs" }, func(s *State) { s.Task, s.Train, s.Bias = "regression", "perceptron", "none" },
			func(s *State) { s.Kernel, s.Loss, s.Train = "linear", "logistic", "pairs" }},
	} {
		for i, change := range changes {
			var wrong *Error
			if _, err := NewFit(context.Background(), with(change)); !errors.As(err, &wrong) || wrong.Field != field {
				t.Errorf("%s, case %d: error %v", field, i, err)
			} else if len(wrong.Error()) > 300 {
				t.Errorf("%s, case %d: a message of %d bytes", field, i, len(wrong.Error()))
			}
		}
	}
	if err := with(func(s *State) { s.Points = make([]Point, MaxPoints) }).Validate(); err != nil {
		t.Errorf("%d points: %v", MaxPoints, err)
	}
}

// Points that make no problem yet are drawn without a model, and what lies on one place is no difficulty.
func TestFewPoints(t *testing.T) {
	for _, task := range Tasks {
		for name, points := range map[string][]Point{
			"none": nil, "one": {{1, 1, 0}}, "one class": {{1, 1, 1}, {2, 1, 1}}, "third class": {{1, 1, 1}, {2, 1, 1}},
			"one place": {{1, 1, 0}, {1, 1, 1}, {1, 1, 1}}, "zero": {{0, 0, 0}, {0, 0, 1}}, "corners": {{-4, -3, 0}, {4, 3, 1}},
		} {
			for _, k := range Kernels {
				for _, train := range Trainings {
					s := with(func(s *State) { s.Task, s.Kernel, s.Points, s.Train, s.Step = task, k, points, train, 50 })
					if train == "perceptron" || train == "coordinate" {
						s.Bias = "none"
					}
					if s.Validate() != nil {
						continue
					}
					f, err := NewFit(context.Background(), s)
					if err != nil {
						t.Errorf("%s, %s, %s, %s: %v", task, name, k, train, err)
						continue
					}
					figure, err := f.Draw(false)
					if err == nil {
						_, err = figure.SVG()
					}
					if err != nil || f.Verdict == "" {
						t.Errorf("%s, %s, %s, %s: %v, verdict %q", task, name, k, train, err, f.Verdict)
					}
					_, err = f.Program()
					if (err != nil) != (len(f.Parts) == 0) {
						t.Errorf("%s, %s, %s, %s: program: %v", task, name, k, train, err)
					}
				}
			}
		}
	}
}

// A training ends at the optimum that the solver finds, and the perceptron makes the mistakes of package perceptron.
func TestTrainings(t *testing.T) {
	for _, task := range []string{"two", "regression"} {
		for _, lossName := range []string{"hinge", "squared"} {
			for _, train := range []string{"coordinate", "pairs"} {
				for _, k := range []string{"linear", "polynomial", "rbf"} {
					s := with(func(s *State) {
						s.Task, s.Loss, s.Kernel, s.C, s.Train, s.Step, s.Degree, s.Gamma = task, lossName, k, 0.5, train, MaxSteps, 2, 0.3
						if train == "coordinate" {
							s.Bias = "penalized"
						}
					})
					f := fit(t, s)
					s.Train = "solved"
					best := fit(t, s).Parts[0].Proof
					got := f.Parts[0].Proof
					if !f.Ended || f.Mark != "✓" || !(math.Abs(got.Primal-best.Primal) <= 1e-4*best.Primal) || !(math.Abs(got.Dual-best.Dual) <= 1e-4*best.Dual) {
						t.Errorf("%s, %s, %s, %s: after %d steps P %g, D %g, ended %t; solved %g, %g", task, lossName, train, k, f.Steps, got.Primal, got.Dual, f.Ended, best.Primal, best.Dual)
					}
				}
			}
		}
	}
	for _, k := range []string{"linear", "rbf"} {
		for _, step := range []int{1, 5, MaxSteps} {
			s := with(func(s *State) { s.Kernel, s.Train, s.Step, s.Bias = k, "perceptron", step, "penalized" })
			f := fit(t, s)
			like := perceptron.Kernelized{Bias: svmkit.PenalizedBias}
			if k == "rbf" {
				like.Kernel = kernel.RBF{Gamma: s.Gamma}
			}
			run, err := like.Fit(context.Background(), f.Set, perceptron.Stop{Mistakes: step})
			if err != nil {
				t.Fatal(err)
			}
			if len(run.Mistakes) != f.Steps {
				t.Errorf("%s: %d steps; the library makes %d mistakes", k, f.Steps, len(run.Mistakes))
			}
			for i, x := range f.Set.X {
				if want := like.Score(x); !(math.Abs(f.Parts[0].Scores[i]-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("%s, %d steps, point %d: score %g, want %g", k, step, i+1, f.Parts[0].Scores[i], want)
				}
			}
		}
	}
}

// The dual objective rises with every step of the last two trainings.
func TestStepsRise(t *testing.T) {
	for _, train := range []string{"coordinate", "pairs"} {
		last := math.Inf(-1)
		for step := range 40 {
			f := fit(t, with(func(s *State) {
				s.Train, s.Step = train, step
				if train == "coordinate" {
					s.Bias = "none"
				}
			}))
			if d := f.Parts[0].Proof.Dual; !(d > last) && f.Steps == step {
				t.Errorf("%s, step %d: D = %g after %g", train, step, d, last)
			} else {
				last = d
			}
		}
	}
}

func TestFormula(t *testing.T) {
	x, z := svmkit.Dense(1, 2), svmkit.Dense(-0.5, 3)
	for text, want := range map[string]float64{
		"dot": 5.5, "dist2": 3.25, "1 + 2*dot^2": 1 + 2*5.5*5.5, "-dot^2": -5.5 * 5.5, "2^3^2": 512, "1 - 2 - 3": -4, "8/4/2": 1, "1/2": 0.5,
		"exp(-dist2/2)": math.Exp(-3.25 / 2), "min(x1, z1) + max(x2,z2)": 2.5, "  ( x1+z1 ) * (x2 + z2) ": 2.5, "dot^-1": 1 / 5.5, "tanh(0)": 0, "abs(z1)": 0.5, ".5e": math.NaN(),
		"": math.NaN(), "()": math.NaN(), "dot dot": math.NaN(), "exp": math.NaN(), "exp(1,2)": math.NaN(), "min(1)": math.NaN(), "1/0": math.NaN(), "9^9^9": math.NaN(), "x3": math.NaN(),
		"1..2": math.NaN(), "dot)": math.NaN(), strings.Repeat("(", 200): math.NaN(), strings.Repeat("-", 200): math.NaN(), "⟨x,z⟩": math.NaN(), "os.Exit(1)": math.NaN(), "dot\n": math.NaN(),
	} {
		f, err := ParseFormula(text, 2)
		var wrong *Error
		switch {
		case math.IsNaN(want) && !errors.As(err, &wrong):
			t.Errorf("%q: %v, want an error", text, err)
		case !math.IsNaN(want) && err != nil:
			t.Errorf("%q: %v", text, err)
		case err == nil && !(math.Abs(f.Eval(x, z)-want) <= 1e-12*math.Abs(want)):
			t.Errorf("%q = %g, want %g", text, f.Eval(x, z), want)
		}
	}
}

// What is no kernel says so, and what is one is not accused.
func TestFactor(t *testing.T) {
	set := states(t)["xor"].data()
	for text, want := range map[string]string{
		"dot": "yes", "(1+dot)^3": "yes", "exp(-0.01*dist2)": "yes", "exp(-10*dist2)": "yes", "0*dot": "yes", "x1*z1": "yes",
		"-dot": "no", "-dist2": "no", "tanh(dot - 2)": "no", "sqrt(dist2)": "no", "dot - 0.001": "no", "dist2 < 1": "no formula",
		"x1*z2": "it is", "x1 - z1": "it is", "log(dist2)": "it is", "1/dist2": "it is",
	} {
		f, err := ParseFormula(text, 2)
		if err != nil {
			if want != "no formula" {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		l, err := factor(f, set.X)
		got := map[bool]string{true: "yes", false: "no"}[l != nil]
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	indefinite, err := ParseFormula("x1*z1 - x2*z2", 2)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := factor(indefinite, []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(0, 1)}); l != nil || err != nil {
		t.Errorf("diag(1, −1) is LLᵀ with L = %v, %v", l, err)
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.001}, kernel.Polynomial{Degree: 5, Gamma: 10, Coef0: 10}} {
		l, err := factor(k, set.X)
		if err != nil || l == nil {
			t.Errorf("%#v: %v, %v", k, l, err)
			continue
		}
		for i, x := range set.X {
			for j, z := range set.X {
				want, size := k.Eval(x, z), math.Sqrt(k.Eval(x, x)*k.Eval(z, z))
				if got := svmkit.Dense(l[i]...).Dot(l[j]); !(math.Abs(got-want) <= 1e-6*size) {
					t.Fatalf("%#v: LLᵀ is %g for points %d and %d, the kernel %g", k, got, i, j, want)
				}
			}
		}
	}
}

// Between its nodes the lattice is close to the model, for the narrowest bells too.
func TestLattice(t *testing.T) {
	for name, tolerance := range map[string]float64{"linear": 1e-9, "start": 0.01, "formula": 0.01, "xor": 0.01, "regression": 0.01} {
		s := states(t)[name]
		f := fit(t, s)
		l := newLattice(f.Parts[0], f.Set)
		for i := range 500 {
			x := svmkit.Dense([]float64{4 * math.Sin(float64(3*i)), 3 * math.Sin(float64(5*i+1))}[:f.Set.Dim]...)
			want := f.Parts[0].Model.Score(x)
			if got := l.Score(x); !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
				t.Fatalf("%s at %v: %g, want %g", name, x.Value, got, want)
			}
		}
	}
}

// Links that nobody wrote are refused.
func TestParseLink(t *testing.T) {
	for _, link := range []string{"x=1", "c=1&c=2", "c=NaN", "c=1e999", "degree=1.5", "points=1_2", "points=1_2_0~", "points=a_b_c", "points=NaN_0_0", "points=9_9_0", "%zz", "a;b",
		"task=two&points=0_0_4", strings.Repeat("a", MaxLink+1), "points=" + strings.Repeat("0_0_0~", 300) + "0_0_0"} {
		var wrong *Error
		if s, err := ParseLink(link); !errors.As(err, &wrong) {
			t.Errorf("%.60q: %+v, %v", link, s, err)
		}
	}
	full := Start()
	full.Points = nil
	for i := range MaxPoints {
		full.Points = append(full.Points, Point{math.Sin(float64(i)) * 3.123456789, math.Cos(float64(i)) * 2.987654321, i % 2})
	}
	full.Formula = strings.Repeat("⟩", maxFormula/3)
	link := full.Link()
	if back, err := ParseLink(link); err != nil || !reflect.DeepEqual(full, back) {
		t.Errorf("a full link of %d bytes: %v", len(link), err)
	}
}

func FuzzParseLink(f *testing.F) {
	for _, s := range states(f) {
		f.Add(s.Link())
	}
	f.Fuzz(func(t *testing.T, link string) {
		s, err := ParseLink(link)
		if err != nil {
			var wrong *Error
			if !errors.As(err, &wrong) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if back, err := ParseLink(s.Link()); err != nil || !reflect.DeepEqual(s, back) {
			t.Fatalf("%q reads as %+v, and its own link as %+v, %v", link, s, back, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range states(f) {
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := Decode(text); err == nil && s.Validate() != nil {
			t.Fatal("an invalid state")
		}
	})
}

// The program compiles, and prints the numbers of the fit.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := course.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	all := states(t)
	for _, name := range []string{"start", "logistic", "formula", "no kernel", "coordinate", "perceptron", "iris", "formula, tube"} {
		t.Run(name, func(t *testing.T) {
			f := fit(t, all[name])
			text, err := f.Program()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("go", "run", file)
			run.Dir = root
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, text)
			}
			if all[name].Kernel != "formula" {
				if changed, err := exec.Command("gofmt", "-l", file).CombinedOutput(); err != nil || len(changed) > 0 {
					t.Errorf("gofmt: %s%v", changed, err)
				}
			}
			var got []float64
			for _, m := range regexp.MustCompile(`= (\S+?),?\s`).FindAllStringSubmatch(string(out), -1) {
				v, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v)
			}
			want := expected(f)
			if len(got) != len(want) {
				t.Fatalf("%d numbers, want %d:\n%s", len(got), len(want), out)
			}
			for i, v := range got {
				if !(math.Abs(v-want[i]) <= 1e-5*max(1, math.Abs(want[i]))) {
					t.Errorf("number %d is %g, want %g", i+1, v, want[i])
				}
			}
		})
	}
}

// expected are the numbers that a program prints, in their order.
func expected(f *Fit) (numbers []float64) {
	for _, p := range f.Parts {
		if p.Proof != nil {
			numbers = append(numbers, p.Proof.Primal, p.Proof.Dual, p.Model.Bias)
		}
		for i := range p.Scores {
			if p.Proof != nil {
				numbers = append(numbers, p.Alpha[i])
			}
			numbers = append(numbers, p.Scores[i])
		}
	}
	return numbers
}

// The slowest states of 300 points, for the times that are measured in the browser.
func BenchmarkDraw(b *testing.B) {
	all := states(b)
	for _, name := range []string{"xor", "penguins", "flippers"} {
		for _, k := range []string{"rbf", "polynomial", "formula"} {
			s := all[name]
			s.Kernel = k
			b.Run(name+" "+k, func(b *testing.B) {
				for b.Loop() {
					f := fit(b, s)
					figure, err := f.Draw(false)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := figure.SVG(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
