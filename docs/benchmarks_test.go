package docs_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
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

// The README's table has the smallest and the largest ratio of each kind of row, with the number of data sets.
func TestBenchmarksOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(readPage(t, "explanation/benchmarks.md"), "## Without assembly")
	counts := map[int]string{5: "five", 10: "ten", 11: "eleven"}
	for name, begins := range map[string]string{"RBF kernel": "RBF", "linear, hinge loss": "linear hinge", "linear, squared hinge loss": "linear squared hinge"} {
		sets := map[string]bool{}
		least, most := math.Inf(1), 0.0
		for _, row := range tableRows(page) {
			if len(row) < 5 || !strings.HasPrefix(row[2], begins) || row[3] != "1e-03" || strings.Contains(row[2], "free") {
				continue
			}
			ratio, err := strconv.ParseFloat(strings.Fields(row[4])[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			sets[row[0]] = true
			least, most = min(least, ratio), max(most, ratio)
		}
		ok := false
		for _, row := range tableRows(string(readme)) {
			ok = ok || row[0] == fmt.Sprintf("%s, %s data sets", name, counts[len(sets)]) && row[2] == fmt.Sprintf("%.1f to %.1f", least, most)
		}
		if !ok {
			t.Errorf("%s: %d data sets, ratios from %.1f to %.1f", name, len(sets), least, most)
		}
	}
}
