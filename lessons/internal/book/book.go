// Package book makes an EPUB of the whole course. It calls the program pandoc, and then checks the links,
// pictures and formulas of the result.
package book

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/site"
)

// ErrNoPandoc is returned by Make where pandoc is not installed.
var ErrNoPandoc = errors.New("the program pandoc is not installed; on Debian and Ubuntu: apt-get install --no-install-recommends pandoc")

// ErrNotOurs is returned by Make where a file that is no EPUB would be replaced.
var ErrNotOurs = errors.New("it is there and no EPUB; -o FILE names another file")

const mimetype = "application/epub+zip"

// Make writes the book of the lessons to the file named to, if it passes [Check]; dir is for what the book is
// made of. It replaces an EPUB and nothing else.
func Make(ctx context.Context, guide *course.Guide, lessons []site.Source, dir, to string) error {
	pandoc, err := exec.LookPath("pandoc")
	if err != nil {
		return ErrNoPandoc
	}
	if info, err := os.Stat(to); err == nil && !isEPUB(to) {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder: name a file", to)
		}
		return fmt.Errorf("%s: %w", to, ErrNotOurs)
	}
	if err := site.Book(ctx, guide, lessons, dir); err != nil {
		return err
	}
	made := filepath.Join(dir, "book.epub")
	cmd := exec.CommandContext(ctx, pandoc, "--from=html-auto_identifiers+tex_math_single_backslash", "--to=epub3", "--mathml", "--fail-if-warnings",
		"--toc", "--toc-depth=2", "--epub-chapter-level=1", "--css=book.css", "--metadata=lang:en", "--metadata=author:the svmkit authors",
		"--metadata=identifier:https://"+course.Module, "--metadata=rights:BSD 3-Clause License", "--output="+made, "book.html")
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("pandoc: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	if _, err := Check(made); err != nil {
		return err
	}
	return atomicfile.Write(to, func(w io.Writer) error { return copyBook(w, made) })
}

var aFormula = regexp.MustCompile(`(?s)<math.*?</math>`)

// copyBook copies an EPUB. Pandoc 2 lets every bracket grow; in the copy, as in TeX, only after \left.
func copyBook(w io.Writer, name string) error {
	from, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer from.Close()
	to := zip.NewWriter(w)
	for _, f := range from.File {
		if !strings.HasSuffix(f.Name, ".xhtml") {
			if err := to.Copy(f); err != nil {
				return err
			}
			continue
		}
		text := aFormula.ReplaceAllStringFunc(content(f), func(formula string) string {
			if strings.Contains(formula, `\left`) {
				return formula
			}
			return strings.ReplaceAll(formula, `<mo stretchy="true" form=`, `<mo stretchy="false" form=`)
		})
		into, err := to.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: f.Modified})
		if err == nil {
			_, err = io.WriteString(into, text)
		}
		if err != nil {
			return err
		}
	}
	return to.Close()
}

func isEPUB(name string) bool {
	z, err := zip.OpenReader(name)
	if err != nil {
		return false
	}
	defer z.Close()
	return len(z.File) > 0 && content(z.File[0]) == mimetype
}

// content is what a file of the archive holds, and empty if it cannot be read.
func content(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return ""
	}
	return string(text)
}

// Counts says how much a book holds.
type Counts struct{ Chapters, Figures, Formulas, Links int }

// document is what a chapter holds that is checked.
type document struct {
	ids   map[string]bool
	links []string
}

// Check reads an EPUB and returns all that is wrong: its first entry must be its type, stored; every file
// well-formed; every picture there, with an alternative text; every link within the book must lead to
// something; and no formula may be left as TeX.
func Check(name string) (Counts, error) {
	var n Counts
	z, err := zip.OpenReader(name)
	if err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	defer z.Close()
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(z.File) == 0 || z.File[0].Name != "mimetype" || z.File[0].Method != zip.Store || content(z.File[0]) != mimetype {
		fault("the first entry is not mimetype, stored, with %s", mimetype)
	}
	files := map[string]bool{}
	for _, f := range z.File {
		files[f.Name] = true
	}
	if !files["META-INF/container.xml"] {
		fault("no META-INF/container.xml")
	}
	documents := map[string]document{}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".xhtml") {
			documents[f.Name] = readDocument(f, files, &n, fault)
		}
	}
	for from, d := range documents {
		for _, to := range d.links {
			n.Links++
			file, id, _ := strings.Cut(to, "#")
			target := from
			if file != "" {
				target = path.Join(path.Dir(from), file)
			}
			if !files[target] || id != "" && !documents[target].ids[id] {
				fault("%s: the link to %s leads nowhere", from, to)
			}
		}
	}
	if n.Chapters == 0 {
		fault("no chapter")
	}
	if err := errors.Join(faults...); err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

func readDocument(f *zip.File, files map[string]bool, n *Counts, fault func(string, ...any)) document {
	d := document{ids: map[string]bool{}}
	dec := xml.NewDecoder(strings.NewReader(content(f)))
	dec.Entity = xml.HTMLEntity
	var open []string
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			fault("%s: %w", f.Name, err)
			return d
		}
		switch t := t.(type) {
		case xml.StartElement:
			open = append(open, t.Name.Local)
			attrs := map[string]string{}
			for _, a := range t.Attr {
				attrs[a.Name.Local] = a.Value
			}
			if id := attrs["id"]; id != "" {
				if d.ids[id] {
					fault("%s: the id %s stands there twice", f.Name, id)
				}
				d.ids[id] = true
			}
			switch t.Name.Local {
			case "h1":
				n.Chapters++
			case "math":
				n.Formulas++
			case "img":
				n.Figures++
				if src := path.Join(path.Dir(f.Name), attrs["src"]); !files[src] {
					fault("%s: the picture %s is missing", f.Name, attrs["src"])
				}
				if strings.TrimSpace(attrs["alt"]) == "" {
					fault("%s: the picture %s has no alternative text", f.Name, attrs["src"])
				}
			case "a":
				if to := attrs["href"]; !strings.Contains(to, "://") && !strings.HasPrefix(to, "mailto:") {
					d.links = append(d.links, to)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if text := string(t); !inCode(open) && (strings.Contains(text, `\(`) || strings.Contains(text, `\[`)) {
				fault("%s: a formula is left as TeX: %.80q", f.Name, strings.TrimSpace(text))
			}
		}
	}
}

// inCode reports whether text stands in code, or in the TeX that MathML carries beside a formula.
func inCode(open []string) bool {
	return slices.Contains(open, "code") || slices.Contains(open, "annotation")
}
