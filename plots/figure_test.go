package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// spy is a plotter that notes how long a data unit is on the canvas.
type spy struct{ x, y float64 }

func (s *spy) Plot(c draw.Canvas, p *plot.Plot) {
	a, b := pen.CanvasPoint(&c, p, geom.Point{}), pen.CanvasPoint(&c, p, geom.Point{X: 1, Y: 1})
	s.x, s.y = float64(b.X-a.X), float64(b.Y-a.Y)
}

func TestMain(m *testing.M) { leaktest.Main(m) }

func isParam(err error) bool { var e *svmkit.ParamError; return errors.As(err, &e) }

func isData(err error) bool { var e *svmkit.DataError; return errors.As(err, &e) }

func TestNoFigureWithoutWords(t *testing.T) {
	p := pen.NewPlot("x", "y")
	pen.Show(p, geom.Box{XMin: 0, XMax: 1, YMin: 0, YMax: 1})
	for _, words := range [][2]string{{"", "alt"}, {"caption", ""}, {" \n", "alt"},
		{"caption", "\t"}} {
		if f, err := New(p, words[0], words[1]); !isParam(err) || f != nil {
			t.Errorf("New with caption %q, alt %q: %v, %v", words[0], words[1], f, err)
		}
		bare := &Figure{Plot: p, Caption: words[0], Alt: words[1]}
		if _, err := bare.PNG(); !isParam(err) {
			t.Errorf("PNG of a figure with caption %q, alt %q: %v", words[0], words[1], err)
		}
		if _, err := bare.SVG(); !isParam(err) {
			t.Errorf("SVG of a figure with caption %q, alt %q: %v", words[0], words[1], err)
		}
	}
	if _, err := New(nil, "c", "a"); !isParam(err) {
		t.Errorf("New(nil): %v", err)
	}
}

// Each text has the width that it has in the figure's fonts, spaces at its ends included, whatever
// font a reader has.
func TestSVGTextsKeepTheirWidth(t *testing.T) {
	p := pen.NewPlot("one $x$ two", "")
	pen.Show(p, geom.Box{XMin: 0, XMax: 1, YMin: 0, YMax: 1})
	svg, err := (&Figure{Plot: p, Caption: "c", Alt: "a"}).SVG()
	if err != nil {
		t.Fatal(err)
	}
	texts := regexp.MustCompile(`<text xml:space="preserve" (?:textLength="([0-9.]+)" lengthAdjust="spacingAndGlyphs" )?[^>]*>([^<]*)</text>`).FindAllSubmatch(svg, -1)
	if want := bytes.Count(svg, []byte("<text")); len(texts) != want || want < 3 {
		t.Fatalf("%d of %d texts have a width:\n%s", len(texts), want, svg)
	}
	face, found := pen.TextStyle(pen.LabelSize), false
	for _, m := range texts {
		found = found || string(m[2]) == "one "
		if got, _ := strconv.ParseFloat(string(m[1]), 64); string(m[2]) == "one " &&
			!(math.Abs(got-face.Width("one ").Points()) < 0.01) {
			t.Errorf("%q is %g points wide, want %v", m[2], got, face.Width("one "))
		}
	}
	if !found {
		t.Errorf("no text %q in\n%s", "one ", svg)
	}
}

func TestSVGIsOneImageWithItsWords(t *testing.T) {
	p := pen.NewPlot(`a < b & "c"`, "$\\gamma$ \x00 bell \a")
	pen.Show(p, geom.Box{XMin: 0, XMax: 1, YMin: 0, YMax: 1})
	f, err := New(p, `claim <1> & "so"`, "alt ]]> <script>x</script> \x01")
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	role := ""
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
			for _, a := range e.Attr {
				if e.Name.Local == "svg" && a.Name.Local == "role" {
					role = a.Value
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				text[open[len(open)-1]] += string(e)
			}
		}
	}
	if role != "img" {
		t.Errorf("role = %q", role)
	}
	if text["title"] != f.Caption {
		t.Errorf("title = %q, want the caption", text["title"])
	}
	if !strings.HasPrefix(text["desc"], "alt ]]> <script>x</script>") {
		t.Errorf("desc = %q, want the alternative text", text["desc"])
	}
	if !strings.Contains(text["text"], `a < b & "c"`) {
		t.Errorf("the axis label is not in %q", text["text"])
	}
}

func TestBackgroundIsWhiteUpToTheEdge(t *testing.T) {
	f, err := examples["lines-curve"]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r := img.Bounds()
	for _, at := range [][2]int{{0, 0}, {r.Max.X - 1, 0}, {0, r.Max.Y - 1},
		{r.Max.X - 1, r.Max.Y - 1}} {
		if c := color.RGBAModel.Convert(img.At(at[0], at[1])); c != (color.RGBA{255, 255, 255,
			255}) {
			t.Errorf("corner %v is %v", at, c)
		}
	}
	svg, _ := f.SVG()
	if first := strings.Index(string(svg), "<path"); first < 0 ||
		!strings.Contains(string(svg[first:first+200]), "#FFFFFF") {
		t.Error("an SVG begins with no white ground")
	}
}

func TestEqualUnitsOnTheCanvas(t *testing.T) {
	f, err := examples["separators"]()
	if err != nil {
		t.Fatal(err)
	}
	before := pen.Shown(f.Plot)
	if _, err := f.PNG(); err != nil {
		t.Fatal(err)
	}
	if pen.Shown(f.Plot) != before {
		t.Error("drawing changed the ranges of the caller's plot")
	}
	spy := &spy{}
	f.Plot.Add(spy)
	if _, err := f.PNG(); err != nil {
		t.Fatal(err)
	}
	if ratio := spy.x / spy.y; math.Abs(ratio-1) > 1e-6 {
		t.Errorf("one unit of x is %g times as long as one of y", ratio)
	}
}

func TestSaveAndSizes(t *testing.T) {
	f, err := examples["lines-curve"]()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"a.png", "a.SVG", "a.pdf"} {
		if err := f.Save(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Save(filepath.Join(dir, "a.bmp")); !isParam(err) {
		t.Errorf("Save as .bmp: %v", err)
	}
	for _, side := range []vg.Length{-1, 1e9, vg.Length(math.NaN()), vg.Length(math.Inf(1))} {
		g := *f
		g.Width = side
		if _, err := g.PNG(); !isParam(err) {
			t.Errorf("width %v: %v", side, err)
		}
	}
}

// What gonum/plot answers by a panic must come out as an error.
func TestImpossiblePlotsAreErrors(t *testing.T) {
	logs := plot.New()
	logs.X.Scale = plot.LogScale{}
	logs.X.Min, logs.X.Max = -1, 1
	logs.Add(plotter.NewGrid())
	nan := pen.NewPlot("x", "y")
	pen.Show(nan, geom.Box{XMin: math.NaN(), XMax: 1, YMin: 0, YMax: 1})
	for name, p := range map[string]*plot.Plot{"log of a negative": logs, "no range": nan} {
		f, err := New(p, "c", "a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.PNG(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := f.SVG(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
