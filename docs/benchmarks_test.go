package docs_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Every row of the tables of benchmarks.md stands in the report: one row of the report has all of its cells.
func TestBenchmarksAreReported(t *testing.T) {
	report, err := os.ReadFile("../tools/bench/report-2026-11-21.md")
	if err != nil {
		t.Fatal(err)
	}
	measured := tableRows(string(report))
	rows := tableRows(readPage(t, "explanation/benchmarks.md"))
	numbers := 0
	for _, row := range rows {
		if strings.HasPrefix(row[0], "---") || row[0] == "set" {
			continue
		}
		numbers++
		if !slices.ContainsFunc(measured, func(m []string) bool {
			return !slices.ContainsFunc(row, func(cell string) bool { return !slices.Contains(m, cell) })
		}) {
			t.Errorf("no row of the report has %q", row)
		}
	}
	if numbers < 60 {
		t.Errorf("only %d rows have numbers", numbers)
	}
}

// tableRows returns the cells of all rows of the tables of a page, without bold.
func tableRows(page string) (rows [][]string) {
	for line := range strings.Lines(strings.ReplaceAll(page, "**", "")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows
}
