package course

import (
	"slices"

	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// A Part is a code cell as a part of one program that is made of a lesson.
type Part struct {
	Cell     *notebook.Cell
	Index    int    // of the cell in the notebook
	Declared string // the cell up to its line %%
	Runs     string // and after it; empty if the cell declares only
}

// left are the tags that a program of the lesson leaves out: the reader's own work, and what is not run.
var left = []string{notebook.TagExercise, notebook.TagSolution, notebook.TagHint}

// Parts returns the code cells without exercises, solutions and hints: they declare a lesson's names once.
func Parts(lesson *notebook.Notebook) (parts []Part) {
	for i := range lesson.Cells {
		c := &lesson.Cells[i]
		if c.Kind != notebook.Code || slices.ContainsFunc(c.Tags, func(tag string) bool { return slices.Contains(left, tag) }) {
			continue
		}
		declared, runs := cells.Split(c.Source)
		parts = append(parts, Part{c, i, declared, runs})
	}
	return parts
}
