package figures

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot/cmpimg"
	"gonum.org/v1/plot/vg"
)

// TestCertificatePicture draws the picture of docs/explanation/certificates.md: the two numbers of the certificate after each
// pass of coordinate descent over the banknotes. With -regen it writes the picture.
func TestCertificatePicture(t *testing.T) {
	notes := samples.Banknotes()
	scaling, err := feature.Scaler{}.Fit(notes)
	if err != nil {
		t.Fatal(err)
	}
	if notes, err = scaling.Apply(notes); err != nil {
		t.Fatal(err)
	}
	fit := func(tol float64, passes int) *svm.Result {
		r, err := svm.Fit(context.Background(), &svm.Problem{Data: notes}, svm.DualCoordinate{KeepAll: true},
			&svm.Settings{Tol: tol, MaxIterations: passes})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	optimum := fit(1e-10, 10_000)
	primal, dual := plots.Series{Name: "objective of the model"}, plots.Series{Name: "proven lower bound"}
	best := plots.Series{Name: "best possible objective", NoMarks: true}
	low, high := math.Inf(-1), math.Inf(1)
	const first, last = 2, 20
	for k := first; k <= last; k++ {
		r := fit(1e-10, k)
		if r.Primal < optimum.Dual || r.Dual > optimum.Primal {
			t.Errorf("after %d passes the optimum %g is not between %g and %g", k, optimum.Primal, r.Dual, r.Primal)
		}
		low, high = max(low, r.Dual), min(high, r.Primal)
		for _, s := range []*plots.Series{&primal, &dual, &best} {
			s.X = append(s.X, float64(k))
		}
		primal.Y, dual.Y, best.Y = append(primal.Y, high), append(dual.Y, low), append(best.Y, optimum.Primal)
	}
	dual.Low, dual.High = dual.Y, primal.Y
	f, err := plots.Lines([]plots.Series{primal, dual, best}, plots.Axes{X: "passes over the data", Y: "objective"},
		"After every pass, the best possible objective lies between the two curves.",
		fmt.Sprintf("The objective of the model falls from %.0f to %.1f, the proven lower bound rises from %.0f to %.1f, and "+
			"the best possible objective, %.1f, lies between them.", primal.Y[0], high, dual.Y[0], low, optimum.Primal))
	if err != nil {
		t.Fatal(err)
	}
	f.Width, f.Height = 4.2*vg.Inch, 3.4*vg.Inch // its words can be read on a telephone
	picture, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	const name = "../../docs/images/certificate.png"
	if *cmpimg.GenerateTestData {
		if err := os.WriteFile(name, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../../docs/explanation/certificates.md")
	if image := "![" + f.Alt + "](../images/certificate.png)"; err != nil || !strings.Contains(string(page), image) {
		t.Errorf("error %v, or the page has no %s", err, image)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const same = 0.02 // other processors round the edges of lines differently
	if ok, err := cmpimg.EqualApprox("png", picture, want, same); err != nil || !ok {
		t.Errorf("the picture differs from %s (%v); if that is wanted, run with -regen", name, err)
	}
}
