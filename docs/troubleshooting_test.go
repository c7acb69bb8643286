package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The messages of svm that the page quotes are printed by svm: they are in the list that the command's tests compare.
func TestMessagesOfSvm(t *testing.T) {
	golden, err := os.ReadFile("../cmd/svm/testdata/errors.golden")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(readPage(t, "troubleshooting.md"), "## The command svm\n")
	section, _, _ = strings.Cut(section, "\n## ")
	quoted := regexp.MustCompile("(?m)^\\*\\*`(.+)`\\*\\*$").FindAllStringSubmatch(section, -1)
	for _, m := range quoted {
		if !strings.Contains(string(golden), m[1]) {
			t.Errorf("svm does not print %q", m[1])
		}
	}
	if len(quoted) < 10 {
		t.Errorf("%d messages", len(quoted))
	}
}
