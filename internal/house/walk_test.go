package house

import (
	"errors"
	"fmt"
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

// TestReliabilityAttackWalk tries again what the library once answered wrongly, and its kin. The evidence has a line for
// each attack.
func TestReliabilityAttackWalk(t *testing.T) {
	try := func(fault, input, must string, call func() (happened string, right bool)) {
		happened, right := call()
		if !right {
			t.Errorf("%s: %s: %s, want: %s", fault, input, happened, must)
			happened += " " + evidence.Wrong
		}
		t.Attr(evidence.Attack, evidence.Line(fault, input, must, happened))
	}
	const classes = "targets as classes"
	const tens = "x,y\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n7,70\n8,80\n"
	set, err := dataset.Read(t.Context(), strings.NewReader(tens), nil)
	if err != nil {
		t.Fatal(err)
	}
	try(classes, "dataset.Read of targets 10, 20, … 80 without options", "targets", func() (string, bool) {
		return fmt.Sprintf("%d classes, Y[3] = %g", len(set.Classes), set.Y[3]), set.Classes == nil && set.Y[3] == 40
	})
	named, err := dataset.Read(t.Context(), strings.NewReader(tens), &dataset.Options{Labels: dataset.Labels{Task: dataset.Classification}})
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
