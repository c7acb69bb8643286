package docs_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/plot/cmpimg"
	"gonum.org/v1/plot/vg"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// The README's picture is a fit of real data: two kinds of penguins, the line between them, the
// margin and the support vectors. The two numbers of the certificate stand in the README's text.
// After a wanted change, run go test ./docs -run Picture -regen, and look at the picture.
func TestPictureOfTheREADME(t *testing.T) {
	birds, err := samples.Penguins().Pair("Adelie", "Gentoo")
	if err != nil {
		t.Fatal(err)
	}
	birds = birds.Columns(0, 1)
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: birds}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	figure, err := plots.DecisionRegions(birds, r, plots.RegionMarks{})
	if err != nil {
		t.Fatal(err)
	}
	figure.Width, figure.Height = 6.4*vg.Inch, 4*vg.Inch
	picture, err := figure.PNG()
	if err != nil {
		t.Fatal(err)
	}
	const path = "images/street.png"
	if *cmpimg.GenerateTestData {
		if err := os.WriteFile(path, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const sameImage = 0.02 // processors round the edges of lines differently
	if ok, err := cmpimg.EqualApprox("png", picture, want, sameImage); err != nil || !ok {
		t.Errorf("the picture differs from %s (%v)", path, err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{
		fmt.Sprintf("objective is %.3f", r.Primal),
		fmt.Sprintf("no other line has an objective below %.3f", math.Floor(r.Dual*1000)/1000),
		"five birds",
	} {
		if !bytes.Contains(readme, []byte(words)) {
			t.Errorf("the README does not say %q of its picture", words)
		}
	}
	if r.Status != svmkit.Optimal || len(r.Rows) != 5 {
		t.Errorf("%v, %d support vectors", r.Status, len(r.Rows))
	}
}
