// Package evidence is how a test hands a line of a table to the command tools/reliability: t.Attr(key, Line(cells…)).
package evidence

import "strings"

// Keys of t.Attr, one for each table, and the columns of a line.
const (
	Attack = "attack-walk" // fault, input, what must happen, what happened
	Signal = "signal"      // command, phase, signal, what happened
)

// Wrong ends what happened where it is not what must happen.
const Wrong = "(wrong)"

// Line makes the value of an attribute.
func Line(cells ...string) string {
	for k, cell := range cells {
		cells[k] = strings.Join(strings.Fields(cell), " ")
	}
	return strings.Join(cells, "\t")
}

// Cells are the cells of a line.
func Cells(line string) []string { return strings.Split(line, "\t") }
