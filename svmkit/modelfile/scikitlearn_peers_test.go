//go:build peers

package modelfile_test

import (
	"os/exec"
	"testing"
)

// Models of every kind, trained by scikit-learn here and now (Debian: python3-sklearn), predict what it predicts.
func TestAgreesWithScikitLearn(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("/usr/bin/python3", "-B", "testdata/scikit_learn.py", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	agreeWithScikitLearn(t, folder, 17)
}
