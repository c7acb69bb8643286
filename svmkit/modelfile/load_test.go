package modelfile_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
)

// load and loadFile read a pipeline.
func load(r io.Reader) (*pipeline.Model, error)     { return asPipeline(modelfile.Load(r)) }
func loadFile(name string) (*pipeline.Model, error) { return asPipeline(modelfile.LoadFile(name)) }

func asPipeline(m svmkit.Model, err error) (*pipeline.Model, error) {
	p, ok := m.(*pipeline.Model)
	if err == nil && !ok {
		err = fmt.Errorf("a %T is no pipeline", m)
	}
	return p, err
}

func saved(t *testing.T, m svmkit.Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := modelfile.Save(&file, m); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
