package house

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// KaTeX is not a Go module, so its bill of materials is written by hand: it names the version and the sum that the note
// beside KaTeX's files names. The other bills are written by tools/sbom.
func TestBillOfKaTeX(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "sbom-katex.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile(filepath.Join(root, "lessons", "internal", "site", "assets", "katex", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Components []struct {
			Version, Purl string
			Hashes        []struct{ Content string }
		}
	}
	if err := json.Unmarshal(text, &bill); err != nil || len(bill.Components) != 1 {
		t.Fatalf("%d components, %v", len(bill.Components), err)
	}
	c := bill.Components[0]
	if c.Purl != "pkg:npm/katex@"+c.Version || !bytes.Contains(note, []byte("KaTeX "+c.Version)) || !bytes.Contains(note, []byte(c.Hashes[0].Content)) {
		t.Errorf("the note beside KaTeX does not name %+v", c)
	}
}
