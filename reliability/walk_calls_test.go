package main_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// walkCalls tries again the attacks on the library, and those whose answer is a number.
func walkCalls(t *testing.T) {
	dir := t.TempDir()
	targets := put(t, dir, "tens", tens())
	try := func(fault, input, must string, call func() (happened string, right bool)) {
		happened, right := call()
		if !right {
			t.Errorf("%s: %s: %s, want: %s", fault, input, happened, must)
			happened += " " + evidence.Wrong
		}
		t.Attr(evidence.Attack, evidence.Line(fault, input, must, happened))
	}
	// near40 trains on y = 10·x and predicts y at x = 4.
	near40 := func(flags ...string) (string, bool) {
		model := filepath.Join(dir, "model")
		well(t, append([]string{"train", "-epsilon", "0", "-C", "1e4", "-tol", "1e-9", "-o", model}, append(flags, targets)...)...)
		got := strings.TrimSpace(well(t, "predict", "-unlabelled", model, put(t, dir, "four", "x\n4\n")).out)
		v, err := strconv.ParseFloat(got, 64)
		return got, err == nil && math.Abs(v-40) <= 1e-2
	}
	const classes = "targets as classes"
	for _, flags := range [][]string{{"-loss", "eps-insensitive"}, {"-loss", "squared-eps-insensitive"}, {"-loss", "eps-insensitive", "-label", "y"}} {
		try(classes, "svm train "+strings.Join(flags, " ")+", targets 10, 20, … 80; svm predict at x = 4", "40", func() (string, bool) { return near40(flags...) })
	}
	set, err := dataset.ReadFile(t.Context(), targets, nil)
	if err != nil {
		t.Fatal(err)
	}
	try(classes, "dataset.ReadFile of them without options", "targets", func() (string, bool) {
		return fmt.Sprintf("%d classes, Y[3] = %g", len(set.Classes), set.Y[3]), set.Classes == nil && set.Y[3] == 40
	})
	named, err := dataset.Read(t.Context(), strings.NewReader(tens()), &dataset.Options{Labels: dataset.Labels{Task: dataset.Classification}})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []loss.Trainable{loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}} {
			try(classes, fmt.Sprintf("svm.Fit of %T, kernel %v, on classes named 10, 20, … 80", l, k), "ErrNotTargets", func() (string, bool) {
				_, err := svm.Fit(t.Context(), &svm.Problem{Data: named, Loss: l, Kernel: k}, nil, nil)
				return fmt.Sprint(err), errors.Is(err, svmkit.ErrNotTargets)
			})
		}
	}
	const others = "14 others' files"
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}} {
		try(others, fmt.Sprintf("svm.Fit with a Best that overwrites each proof, kernel %v", k), "the fit as without it", func() (string, bool) {
			p := &svm.Problem{Data: good(), Kernel: k}
			want, err1 := svm.Fit(t.Context(), p, nil, nil)
			got, err2 := svm.Fit(t.Context(), p, nil, &svm.Settings{Best: func(p *svm.Proof) {
				for i := range p.Beta {
					p.Beta[i] = 7
				}
			}})
			if err1 != nil || err2 != nil {
				return fmt.Sprint(err1, err2), false
			}
			return fmt.Sprintf("%v, gap %.2g", got.Status, got.RelativeGap()), got.Primal == want.Primal && got.Dual == want.Dual
		})
	}
	for name, call := range map[string]func() error{
		"modelfile.Load(nil)": func() error { _, err := modelfile.Load(nil); return err }, "dataset.Read(ctx, nil, nil)": func() error { _, err := dataset.Read(t.Context(), nil, nil); return err },
		"modelfile.Save(nil, nil)": func() error { return modelfile.Save(nil, nil) },
	} {
		try(others, name, "a *svmkit.ParamError", func() (string, bool) {
			err := call()
			return fmt.Sprint(err), errors.As(err, new(*svmkit.ParamError))
		})
	}
}
