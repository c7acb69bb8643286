// Sbom writes the software bill of materials of this module as CycloneDX 1.6 JSON: the Go modules from which the
// library, the commands and the pinned tools (the kernel GoNB, goimports, gopls) are built, those that only tests use, and
// KaTeX, which the pages carry. Go itself says which they are; the sums are those of go.sum, by which Go checks what it downloads.
//
//	go run ./.ci/sbom > sbom.cdx.json
//
// Versions and sums are exact and there is no date in it, so the same go.mod gives the same bytes.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// component is a library as CycloneDX describes it. Scope is "required" for what a program of ours is linked with,
// "excluded" for what only tests use.
type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version,omitempty"`
	Scope    string    `json:"scope,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licenses []license `json:"licenses,omitempty"`
	URL      string    `json:"purl"`
}

type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

const course = "github.com/svmkit/course"

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(w io.Writer) error {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Ref: "pkg:golang/" + course, Name: course, URL: "pkg:golang/" + course}
	linked, err := modules(".", "./...", "github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports")
	if err != nil {
		return err
	}
	completion, err := modules("lessons/internal/gopls", "golang.org/x/tools/gopls") // pinned apart, and in the image
	if err != nil {
		return err
	}
	maps.Copy(linked, completion)
	tested, err := modules(".", "-test", "./...")
	if err != nil {
		return err
	}
	for m, sum := range tested {
		if _, is := linked[m]; !is {
			b.Components = append(b.Components, m.component("excluded", sum))
		}
	}
	for m, sum := range linked {
		b.Components = append(b.Components, m.component("required", sum))
	}
	katex, err := vendored("lessons/internal/site/assets/katex/README.md")
	if err != nil {
		return err
	}
	b.Components = append(b.Components, katex)
	slices.SortFunc(b.Components, func(x, y component) int { return strings.Compare(x.Ref, y.Ref) })
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

type module struct{ Path, Version string }

// modules returns the modules of all packages that the given ones need, with the sums of go.sum in dir.
func modules(dir string, patterns ...string) (map[module]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the image's, so that every machine writes the same
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	found := map[module]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				module
				Sum  string
				Main bool
			}
		}
		if err := d.Decode(&p); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		if p.Module != nil && !p.Module.Main {
			found[p.Module.module] = p.Module.Sum
		}
	}
}

// component describes a module. Go's sum "h1:" is a SHA-256 over the sums of the module's files.
func (m module) component(scope, sum string) component {
	c := component{Type: "library", Name: m.Path, Version: m.Version, Scope: scope, URL: "pkg:golang/" + m.Path + "@" + m.Version}
	c.Ref = c.URL
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); err == nil && len(raw) > 0 {
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(raw)}}
	}
	return c
}

var (
	katexVersion = regexp.MustCompile(`(?i)katex(?:@| | v)v?([0-9]+\.[0-9]+\.[0-9]+)`)
	katexSum     = regexp.MustCompile(`SHA-256 of the package: ([0-9a-f]{64})`)
)

// vendored reads what the note beside KaTeX says of the npm package that its files are from.
func vendored(readme string) (component, error) {
	text, err := os.ReadFile(readme)
	if err != nil {
		return component{}, err
	}
	version, sum := katexVersion.FindSubmatch(text), katexSum.FindSubmatch(text)
	if version == nil || sum == nil {
		return component{}, fmt.Errorf("%s names no version, or no sum of the package", readme)
	}
	v := string(version[1])
	mit := license{}
	mit.License.ID = "MIT"
	return component{Type: "library", Ref: "pkg:npm/katex@" + v, Name: "katex", Version: v, Scope: "required",
		Hashes: []hash{{"SHA-256", string(sum[1])}}, Licenses: []license{mit}, URL: "pkg:npm/katex@" + v}, nil
}
