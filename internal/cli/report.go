package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/svmkit/course/internal/printable"
)

// Number is a float64 that is a text in JSON if it is infinite or NaN.
type Number float64

// MarshalJSON returns the number, or "NaN", "+Inf" or "-Inf".
func (v Number) MarshalJSON() ([]byte, error) {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return json.Marshal(fmt.Sprint(f))
	}
	return json.Marshal(float64(v))
}

// Table is a report for people: a name and its value on each line, printable.
type Table struct{ strings.Builder }

// Line adds a line.
func (t *Table) Line(name, format string, args ...any) {
	fmt.Fprintf(t, "%-17s %s\n", name, printable.Text(fmt.Sprintf(format, args...), false))
}

// WriteReport writes a report as indented JSON, or as the lines that table adds.
func WriteReport(w io.Writer, asJSON bool, report any, table func(*Table)) error {
	var t Table
	if asJSON {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			return err
		}
		t.Write(append(text, '\n'))
	} else {
		table(&t)
	}
	if _, err := io.WriteString(w, t.String()); err != nil {
		return fmt.Errorf("the report cannot be written: %w", err)
	}
	return nil
}
