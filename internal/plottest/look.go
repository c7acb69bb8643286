package plottest

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"gonum.org/v1/plot/cmpimg"
	"gonum.org/v1/plot/vg"
)

// Builders make one figure of each kind, by the names of their pictures.
type Builders = map[string]func() (*plots.Figure, error)

// sameImage is how much cmpimg lets pixels differ. Other processors round the edges of lines
// differently by one shade or two.
const sameImage = 0.02

// Golden compares figures with the pictures in testdata, which keep their look. With the flag
// -regen it writes the pictures; look at each of them before you commit it.
func Golden(t *testing.T, figures Builders) {
	for name, build := range figures {
		f, err := build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		picture, err := f.Thumbnail()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := filepath.Join("testdata", name+"_golden.png")
		if *cmpimg.GenerateTestData {
			if err := os.WriteFile(path, picture, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ok, err := cmpimg.EqualApprox("png", picture, want, sameImage); err != nil || !ok {
			t.Errorf("%s differs from %s (%v); if that is wanted, run with -regen", name, path, err)
		}
	}
}

// Described checks that figures have words for readers who do not see them, and that a figure can
// be rendered again and is the same.
func Described(t *testing.T, figures Builders) {
	for name, build := range figures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := build()
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Caption) < 40 || len(f.Alt) < 80 || f.Caption == f.Alt {
				t.Errorf("caption %q, alt %q say too little", f.Caption, f.Alt)
			}
			for _, bad := range []string{"NaN", "Inf", "%!", "$", "\\"} {
				if strings.Contains(f.Caption+f.Alt, bad) {
					t.Errorf("%q in %q, %q", bad, f.Caption, f.Alt)
				}
			}
			a, err := f.PNG()
			if err != nil {
				t.Fatal(err)
			}
			svg, err := f.SVG()
			if err != nil {
				t.Fatal(err)
			}
			b, _ := f.PNG() // after another format: drawing must leave no trace in the figure
			if !bytes.Equal(a, b) {
				t.Error("two PNGs differ")
			}
			if again, _ := f.SVG(); !bytes.Equal(svg, again) {
				t.Error("two SVGs differ")
			}
			img, err := png.DecodeConfig(bytes.NewReader(a))
			w, h := f.Size()
			if err != nil || math.Abs(float64(img.Width)-float64(w/vg.Inch)*192) > 1 ||
				math.Abs(float64(img.Height)-float64(h/vg.Inch)*192) > 1 {
				t.Errorf("%d × %d pixels for %v × %v points (%v)", img.Width, img.Height, w, h, err)
			}
		})
	}
}
