package plots

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

// goldenDPI is half of what PNG uses: small files that show the same things.
const goldenDPI = 96

// sameImage is how much cmpimg lets pixels differ: other processors round the edges of lines
// differently by one shade or two.
const sameImage = 0.02

// The pictures in testdata have been checked by eye; what the figures say is tested as numbers.
// Regenerate them with
//
//	go test ./plots -run Golden -regen
//
// and check each before committing it.
func TestGolden(t *testing.T) {
	for name, build := range allExamples() {
		f, err := build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, err := f.image(goldenDPI)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+"_golden.png")
		if *cmpimg.GenerateTestData {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ok, err := cmpimg.EqualApprox("png", b.Bytes(), want, sameImage); err != nil || !ok {
			t.Errorf("%s differs from %s (%v); if that is wanted, run with -regen", name, path, err)
		}
	}
}
