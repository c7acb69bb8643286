package pipeline_test

import (
	"fmt"
	"io"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
)

// load and loadFile read a pipeline by package modelfile.
func load(r io.Reader) (*pipeline.Model, error)     { return asPipeline(modelfile.Load(r)) }
func loadFile(name string) (*pipeline.Model, error) { return asPipeline(modelfile.LoadFile(name)) }

func asPipeline(m svmkit.Model, err error) (*pipeline.Model, error) {
	p, ok := m.(*pipeline.Model)
	if err == nil && !ok {
		err = fmt.Errorf("a %T is no pipeline", m)
	}
	return p, err
}
