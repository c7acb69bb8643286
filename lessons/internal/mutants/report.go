package mutants

import (
	"fmt"
	"strings"
)

// A Result is what became of one mutant.
type Result struct {
	*Table
	*Claim
	*Mutant
	Outcome
}

// Report writes the results as Markdown, in the order given: a table for each claim. The stamp says when and
// with what they were found.
func Report(stamp string, results []Result) string {
	count := map[Verdict]int{}
	for _, r := range results {
		count[r.Verdict]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Mutants: a broken line of the library, and the claim that falls\n\n")
	fmt.Fprintf(&b, "Written by `go run ./lessons mutants`, not by hand. %s\n\n", stamp)
	fmt.Fprintf(&b, "%d mutants:", len(results))
	separator := " "
	for _, v := range []Verdict{Noticed, Equivalent, OtherName, NoClaim, Hung, Survived, Different, Unbuilt} {
		if count[v] > 0 {
			fmt.Fprintf(&b, "%s%d %s", separator, count[v], v)
			separator = ", "
		}
	}
	fmt.Fprintln(&b, ". [README.md](README.md) explains the words in capitals; each of them is work to do.")
	for i, r := range results {
		if i == 0 || r.Table != results[i-1].Table {
			fmt.Fprintf(&b, "\n## Lesson %s\n", r.Lesson.Slug)
		}
		if i == 0 || r.Claim != results[i-1].Claim {
			fmt.Fprintf(&b, "\n**%s**\n\n| mistake | function | verdict | cell | claim that fell |\n|---|---|---|---|---|\n", r.Claim.Claim)
		}
		place := ""
		if r.Cell > 0 {
			place = fmt.Sprintf("%d, line %d", r.Cell, r.Line)
		}
		said := r.Said
		if r.Verdict == OtherName && r.NoticedBy != "" {
			said += " (expected: " + r.NoticedBy + ")"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", entry(r.Breaks), r.Func, r.Verdict, place, entry(said))
	}
	return b.String()
}

// entry makes a text fit into a cell of a Markdown table.
func entry(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;").Replace(text)
}
