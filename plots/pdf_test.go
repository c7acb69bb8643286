//go:build !minimal

package plots

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"testing"
)

var pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)

// A figure is a PDF with curves for letters, no text that would need a font, and the same bytes
// each time.
func TestPDF(t *testing.T) {
	for _, name := range []string{"landscape-labels", "cv-map", "regions", "tube", "hulls-meet",
		"class-regions"} {
		f, err := examples[name]()
		if err != nil {
			t.Fatal(err)
		}
		once, err := f.PDF()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := f.PDF()
		if err != nil || !bytes.Equal(once, again) {
			t.Errorf("%s: other bytes the second time, error %v", name, err)
		}
		if !bytes.Contains(once, []byte("/CreationDate (D:20000101000000)")) {
			t.Errorf("%s: the time of the run is in it", name)
		}
		if !bytes.HasPrefix(once, []byte("%PDF-")) ||
			!bytes.HasSuffix(bytes.TrimSpace(once), []byte("%%EOF")) ||
			bytes.Contains(once, []byte("/FontFile")) {
			t.Errorf("%s: no PDF, or one with a font", name)
		}
		packed := pdfStream.FindSubmatch(once)
		if packed == nil {
			t.Fatalf("%s: no page", name)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed[1]))
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if orange := []byte("\n0.902 0.624 0.000 rg\n"); name == "space" &&
			!bytes.Contains(page, orange) {
			t.Error("the plane, which is half transparent, has not its own colour, E69F00")
		}
		if curves := bytes.Count(page, []byte(" c\n")) +
			bytes.Count(page, []byte(" v\n")); curves < 100 || bytes.Contains(page, []byte(" Tj")) {
			t.Errorf("%s: %d curves, or text", name, curves)
		}
	}
}
