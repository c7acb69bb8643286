package program

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// compiled is an archive of a package, by the machine's own compiler.
func compiled(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	source, out := filepath.Join(dir, "p.go"), filepath.Join(dir, "p.a")
	text := "package p\n\nvar V = map[string]int{\"a\": 1}\n\nfunc F(x int) int {\n\tif x > 1 {\n\t\treturn F(x - 1)\n\t}\n\treturn x\n}\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.CommandContext(t.Context(), "go", "tool", "compile", "-p", "p", "-pack", "-o", out, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	archive, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// Sums of the differences are the archive that the compiler wrote, and a package that no cell imports loses its exports only.
func TestSlimArchives(t *testing.T) {
	archive := compiled(t)
	slimmed, tables := slim(archive, true)
	if len(tables) != 1 || bytes.Equal(slimmed, archive) {
		t.Fatalf("%d tables, want 1 that differs", len(tables))
	}
	for _, p := range tables {
		for at := p.from + 4; at < p.to; at += 4 {
			number := slimmed[at:]
			binary.LittleEndian.PutUint32(number, binary.LittleEndian.Uint32(number)+binary.LittleEndian.Uint32(slimmed[at-4:]))
		}
	}
	if !bytes.Equal(slimmed, archive) {
		t.Error("the sums of the differences are not the archive")
	}
	all, _ := slim(archive, true)
	less, _ := slim(archive, false)
	const object = "_go_.o"
	if _, want, _ := bytes.Cut(all, []byte(object)); len(less) >= len(all) || !bytes.HasSuffix(less, want) || len(want) == 0 {
		t.Errorf("without exports %d bytes of %d, and the object is another", len(less), len(all))
	}
}

// What is not an archive of this form, or ends early, stays as it is.
func TestSlimLeavesOtherFiles(t *testing.T) {
	archive := compiled(t)
	for _, content := range [][]byte{nil, []byte("text"), []byte(archiveMagic), archive[:len(archiveMagic)+30], archive[:len(archive)-100]} {
		if slimmed, tables := slim(content, false); !bytes.Equal(slimmed, content) || tables != nil {
			t.Errorf("%d bytes became %d with %d tables", len(content), len(slimmed), len(tables))
		}
	}
}
