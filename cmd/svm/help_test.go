package main

import (
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit/modelfile"
)

// flagsOf returns the flags of a command.
func flagsOf(command string) *flag.FlagSet {
	fs := cli.FlagSet(command)
	switch command {
	case "train":
		new(trainFlags).define(fs)
	case "predict":
		new(predictFlags).define(fs)
	case "cv":
		new(cvFlags).define(fs)
	case "grid":
		new(gridFlags).define(fs)
	case "scale":
		new(scaleFlags).define(fs)
	case "stream":
		new(streamFlags).define(fs)
	}
	return fs
}

// The help of a command has each of its flags once, with its default, and no other.
func TestHelpHasEveryFlag(t *testing.T) {
	head := regexp.MustCompile(`(?m)^  -(\S+)`)
	for _, command := range []string{"train", "predict", "cv", "grid", "scale", "stream"} {
		text := helpOf(command)
		_, flags, found := strings.Cut(text, "\nFlags\n")
		if !found || strings.Contains(text, "@") {
			t.Errorf("%s: no flags, or a part that is no file:\n%s", command, text)
		}
		described := map[string]string{}
		places := head.FindAllStringSubmatchIndex(flags, -1)
		for k, at := range places {
			end := len(flags)
			if k+1 < len(places) {
				end = places[k+1][0]
			}
			name := flags[at[2]:at[3]]
			if described[name] != "" {
				t.Errorf("%s: -%s is described twice", command, name)
			}
			described[name] = flags[at[0]:end]
		}
		fs := flagsOf(command)
		fs.VisitAll(func(f *flag.Flag) {
			text := described[f.Name]
			delete(described, f.Name)
			if text == "" {
				t.Errorf("%s: -%s is not described", command, f.Name)
				return
			}
			shown := f.DefValue
			if d, err := time.ParseDuration(shown); err == nil && d > 0 {
				shown = d.String()
			}
			if quoted := fmt.Sprintf("(default %q)", shown); !slices.Contains([]string{"", "0", "false"}, shown) &&
				!strings.Contains(text, "(default "+shown+")") && !strings.Contains(text, quoted) {
				t.Errorf("%s: -%s: the default is %s:\n%s", command, f.Name, shown, text)
			}
		})
		for name := range maps.Keys(described) {
			t.Errorf("%s: there is no flag -%s", command, name)
		}
	}
}

// The help of predict names the owner of every format of model files: those that the error for a file
// of no format lists, with scikit-learn for the function save_for_go.py.
func TestHelpNamesEveryFormat(t *testing.T) {
	list, ok := strings.CutPrefix(modelfile.ErrNotModel.Error(), "not a model file of ")
	if !ok {
		t.Fatal(modelfile.ErrNotModel)
	}
	help := helpOf("predict")
	for _, owner := range strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ") {
		name := map[string]string{"svmkit": "svm train", "save_for_go.py": "scikit-learn"}[owner]
		if name == "" {
			name = owner
		}
		if !strings.Contains(help, name) {
			t.Errorf("svm predict -h does not name %s", name)
		}
	}
}
