package runner

import (
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// A cell can be declarations, declarations and then what runs, or that alone; exercises are no claims.
func TestCellsAreJoined(t *testing.T) {
	cells := []notebook.Cell{
		{Kind: notebook.Markdown, Source: "%%"},
		{Kind: notebook.Code, Source: "import \"fmt\""},
		{Kind: notebook.Code, Source: "%%\nx := 1\nuse(x)"},
		{Kind: notebook.Code, Source: "func stub() {}", Tags: []string{notebook.TagExercise}},
		{Kind: notebook.Code, Source: "func stub() {}", Tags: []string{notebook.TagSolution}},
		{Kind: notebook.Code, Source: "func use(int) {}\n\n%%\nx := 2\nuse(x)"},
	}
	declared, runs := join(&notebook.Notebook{Cells: cells})
	got := strings.Join(strings.Fields(declared+runs), " ")
	const want = `import "fmt" func use(int) {} fmt.Println("begin of cell 3") func() { x := 1 use(x) }() fmt.Println("begin of cell 6") func() { x := 2 use(x) }()`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
