package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// largest is what GitHub and nbviewer still show at once: GitHub refuses files of some megabytes.
const largest = 1_500_000

var (
	image       = regexp.MustCompile(`<img [^>]*>`)
	alternative = regexp.MustCompile(` alt="[^"]+"`)
	code        = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
)

// A committed notebook is read where nothing runs, on GitHub, on nbviewer, in an editor's
// preview: pictures are pictures there, with words for who does not see them, and mathematics
// is closed where it is opened.
func TestNotebooksWithoutScript(t *testing.T) {
	for _, l := range lessons(t, "..") {
		t.Run(l.Slug, func(t *testing.T) {
			if info, err := os.Stat(l.Notebook); err != nil || info.Size() > largest {
				t.Errorf("%v has more than %d bytes (%v)", info.Size(), largest, err)
			}
			nb, err := l.Executed()
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range nb.Cells {
				if prose := code.ReplaceAllString(c.Source, ""); c.Kind == notebook.Markdown && strings.Count(prose, "$")%2 != 0 {
					t.Errorf("cell %d: a formula is not closed", i+1)
				}
				for j, o := range c.Outputs {
					for _, fault := range withoutScript(c.Outputs[:j], o, c.Outputs[j+1:]) {
						t.Errorf("cell %d, output %d: %s", i+1, j+1, fault)
					}
				}
			}
		})
	}
}

// emphasis finds Markdown's signs where no backslash takes their meaning away.
var emphasis = regexp.MustCompile("(^|[^\\\\])[*`<\\[\n]")

// figureNumber matches what the build puts before a caption.
var figureNumber = regexp.MustCompile(`^\*\*Figure \d+\.\d+\.\*\* `)

// withoutScript lists what is lost of an output where no script runs.
func withoutScript(before []notebook.Output, o notebook.Output, after []notebook.Output) (faults []string) {
	if o.Type != notebook.DisplayData && o.Type != notebook.ExecuteResult {
		return nil
	}
	if text, _ := o.Data["text/plain"].(string); text == "" {
		faults = append(faults, "no plain text")
	}
	if o.Data["image/png"] != nil {
		about, _ := o.Metadata["image/png"].(map[string]any)
		if alt, _ := about["alt"].(string); alt == "" {
			faults = append(faults, "a picture without alternative text")
		}
		caption := ""
		if len(after) > 0 {
			caption, _ = after[0].Data["text/markdown"].(string)
		}
		caption = figureNumber.ReplaceAllString(caption, "")
		if words := strings.TrimSuffix(strings.TrimPrefix(caption, "*"), "*"); len(caption) < 3 || len(words) != len(caption)-2 || emphasis.MatchString(words) {
			faults = append(faults, "a picture without a caption in one line of italics below it: "+caption)
		}
	}
	if page, _ := o.Data["text/html"].(string); page != "" {
		if o.Data["image/png"] == nil && (len(before) < 2 || before[len(before)-2].Data["image/png"] == nil) {
			faults = append(faults, "an explorable without its picture above it")
		}
		if strings.Contains(page, " src=\"http") || strings.Contains(page, "<link") {
			faults = append(faults, "HTML that loads something")
		}
		for _, picture := range image.FindAllString(page, -1) {
			if !alternative.MatchString(picture) || strings.Contains(picture, " hidden") {
				faults = append(faults, "a picture that is hidden or has no alternative text")
			}
		}
	}
	return faults
}
