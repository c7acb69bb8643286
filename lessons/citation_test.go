package main

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/svmkit/course/lessons/internal/course"
)

// CITATION.cff says what CHANGELOG.md, LICENSE and go.mod say: the newest version, who has the copyright, where the
// repository is.
func TestCitation(t *testing.T) {
	var c struct {
		CFF        string `yaml:"cff-version"`
		Message    string
		Title      string
		Version    string
		License    string
		Repository string `yaml:"repository-code"`
		Authors    []struct{ Name string }
	}
	if err := yaml.Unmarshal([]byte(read(t, "CITATION.cff")), &c); err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## v(\S+)`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if newest == nil || c.Version != newest[1] {
		t.Errorf("version %q; CHANGELOG.md begins with %q", c.Version, newest)
	}
	holder := regexp.MustCompile(`(?m)^Copyright \(c\) \d+, (.+)$`).FindStringSubmatch(read(t, "LICENSE"))
	if holder == nil || len(c.Authors) != 1 || !strings.EqualFold(c.Authors[0].Name, holder[1]) {
		t.Errorf("authors %v; LICENSE says %q", c.Authors, holder)
	}
	if c.License != "BSD-3-Clause" || !strings.HasPrefix(read(t, "LICENSE"), "BSD 3-Clause License") {
		t.Errorf("license %q", c.License)
	}
	if title, _, _ := strings.Cut(read(t, "README.md"), "\n"); title != "# "+c.Title {
		t.Errorf("title %q; README.md begins with %q", c.Title, title)
	}
	if c.CFF != "1.2.0" || c.Message == "" || c.Repository != "https://"+course.Module {
		t.Errorf("%+v", c)
	}
}
