package modelfile

import (
	"strings"
	"testing"
)

// The error for a file of no format names the owner of every format that Load reads.
func TestErrNotModelNamesEveryFormat(t *testing.T) {
	owners := map[string]bool{}
	for _, f := range textFormats() {
		owners[f.owner] = true
	}
	for _, f := range jsonFormats {
		owners[f.owner] = true
	}
	names := strings.FieldsFunc(strings.TrimPrefix(ErrNotModel.Error(), "not a model file of "), func(r rune) bool { return r == ' ' || r == ',' })
	listed := map[string]bool{}
	for _, name := range names {
		listed[name] = name != "or"
		if name != "or" && !owners[name] {
			t.Errorf("%q names %s, which Load does not read", ErrNotModel, name)
		}
	}
	for owner := range owners {
		if !listed[owner] {
			t.Errorf("%q does not name %s", ErrNotModel, owner)
		}
	}
}
