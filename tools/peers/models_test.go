//go:build peers

package peers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Models of every kind that scikit-learn trains here and now (Debian: python3-sklearn) predict what it predicts. The
// comparison is the one of package modelfile with the models that are stored there.
func TestModelsOfScikitLearn(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(root, "svmkit", "modelfile", "testdata", "scikit_learn.py")
	if out, err := exec.Command("/usr/bin/python3", "-B", script, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compare := exec.Command("go", "test", "-count=1", "-run", "^TestModelsOfScikitLearn$", "./svmkit/modelfile")
	compare.Dir, compare.Env = root, append(os.Environ(), "SVMKIT_SCIKIT_LEARN="+folder)
	if out, err := compare.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
