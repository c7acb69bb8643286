package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/tools/internal/machine"
)

// results is all that a run has found; what a part that was not run would say is empty.
type results struct {
	Date, Command string
	Machine       machine.Facts
	Seconds       float64
	Interrupted   bool
	Tests         []testResult
	TestTime      spent
	Fuzz          []fuzzResult
	Soak          *soakResult
	Failures      []string // of what could not run
}

// failures is everything that must not be, one line each at least.
func (r *results) failures() []string {
	all := slices.Clone(r.Failures)
	for _, t := range r.Tests {
		if t.Outcome == "fail" {
			all = append(all, t.Package+"."+t.Name+": "+strings.TrimSpace(t.Output))
		}
	}
	for _, f := range r.Fuzz {
		for _, text := range f.Failures {
			all = append(all, f.Package+"."+f.Target+": "+text)
		}
	}
	if r.Soak != nil {
		for _, f := range r.Soak.Faults {
			all = append(all, f.String())
		}
	}
	return all
}

// sum adds the figures with a key that the tests have given; the key's parts behind a dash count as well,
// so that kills-while-saving are kills.
func (r *results) sum(key string) (total int) {
	for _, t := range r.Tests {
		exact := slices.ContainsFunc(t.Figures, func(f figure) bool { return f.Key == key })
		for _, f := range t.Figures {
			n, err := strconv.Atoi(f.Value)
			if err == nil && (f.Key == key || !exact && strings.HasPrefix(f.Key, key+"-")) { // the exact one is the sum of the others
				total += n
			}
		}
	}
	return total
}

func (r *results) outcomes(outcome string) (n int) {
	for _, t := range r.Tests {
		if t.Outcome == outcome {
			n++
		}
	}
	return n
}

// write writes the report as Markdown.
func (r *results) write(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Reliability, %s\n", r.Date[:min(len(r.Date), len("2006-01-02"))])
	line("%s. %s; svmkit %s, %s.\n", r.Date, r.Machine, orDash(r.Machine.Commit), r.Machine.Go)
	stopped := ""
	if r.Interrupted {
		stopped = " **Interrupted**: the figures are those until then."
	}
	line("`%s`, %s. How to read it: tools/reliability/README.md.%s", r.Command, long(r.Seconds), stopped)
	r.writeFigures(line)
	r.writeSignals(line)
	r.writeAttacks(line)
	r.writeTests(line)
	r.writeFuzz(line)
	r.writeSoak(line)
	if all := r.failures(); len(all) > 0 {
		line("\n## Failures\n")
		for _, f := range all {
			line("- %s", strings.ReplaceAll(f, "\n", "\n  "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFigures writes the table that says it all.
func (r *results) writeFigures(line func(string, ...any)) {
	line("\n| what | how much | failures |\n|---|--:|--:|")
	if len(r.Tests) > 0 {
		line("| tests of reliability: passed, skipped | %d, %d | %d |", r.outcomes("pass"), r.outcomes("skip"), r.outcomes("fail"))
		for _, f := range []struct{ key, name string }{{"cases", "cases of bad input, faults and limits"}, {"kills", "kills survived"}, {"attacks", "attacks refused"}} {
			if n := r.sum(f.key); n > 0 {
				line("| %s | %d | |", f.name, n)
			}
		}
		if attacks := r.lines(evidence.Attack, 4); len(attacks) > 0 {
			wrong := 0
			for _, a := range attacks {
				if strings.HasSuffix(a[3], evidence.Wrong) {
					wrong++
				}
			}
			line("| attacks of the walk | %d | %d |", len(attacks), wrong)
		}
	}
	if len(r.Fuzz) > 0 {
		executions, failures := 0, 0
		var time spent
		for _, f := range r.Fuzz {
			executions += f.Executions
			failures += len(f.Failures)
			time.Clock += f.Time.Clock
			time.Processors += f.Time.Processors
		}
		line("| fuzz executions, %d targets, %s in all, %s of processors | %d | %d |", len(r.Fuzz),
			long(time.Clock.Seconds()), long(time.Processors.Seconds()), executions, failures)
	}
	if s := r.Soak; s != nil {
		gap, seconds, fits := s.worst()
		line("| soak: random problems in %s | %d | %d |", long(s.Seconds), s.Problems, len(s.Faults))
		line("| soak: fits, each certified | %d | |", fits)
		line("| soak: problems a minute | %.0f | |", s.PerMinute)
		line("| soak: worst relative gap of a well scaled problem that did not end as optimal | %.1e | |", gap)
		line("| soak: worst time of a fit | %.2f s | |", seconds)
	}
	if len(r.Failures) > 0 {
		line("| could not run | | %d |", len(r.Failures))
	}
}

// lines are those that tests have given for a table, in their order.
func (r *results) lines(key string, columns int) (lines [][]string) {
	for _, t := range r.Tests {
		for _, f := range t.Figures {
			if cells := evidence.Cells(f.Value); f.Key == key && len(cells) == columns {
				lines = append(lines, cells)
			}
		}
	}
	return lines
}

// writeSignals writes one table of what each signal does in each phase of each command.
func (r *results) writeSignals(line func(string, ...any)) {
	signals := []string{"SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"}
	happened := map[[2]string]map[string]string{} // by command and phase, and signal
	for _, c := range r.lines(evidence.Signal, 4) {
		phase := [2]string{c[0], c[1]}
		if happened[phase] == nil {
			happened[phase] = map[string]string{}
		}
		happened[phase][c[2]] = c[3]
	}
	if len(happened) == 0 {
		return
	}
	line("\n## Signals in every phase\n\nThe exit status; a dash was not tried.\n\n| command | while | %s |\n|---|---|--:|--:|--:|--:|", strings.Join(signals, " | "))
	byName := func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) }
	for _, phase := range slices.SortedFunc(maps.Keys(happened), byName) {
		var cells []string
		for _, s := range signals {
			cells = append(cells, orDash(cell(happened[phase][s])))
		}
		line("| %s | %s | %s |", cell(phase[0]), cell(phase[1]), strings.Join(cells, " | "))
	}
}

// writeAttacks writes a line for each attack, in the order of the faults' numbers; faults without a number come last.
func (r *results) writeAttacks(line func(string, ...any)) {
	attacks := r.lines(evidence.Attack, 4)
	if len(attacks) == 0 {
		return
	}
	number := func(fault string) int {
		if n, err := strconv.Atoi(strings.Fields(fault + " –")[0]); err == nil {
			return n
		}
		return math.MaxInt
	}
	slices.SortStableFunc(attacks, func(a, b []string) int {
		return cmp.Or(cmp.Compare(number(a[0]), number(b[0])), strings.Compare(a[0], b[0]))
	})
	line("\n## The walk of attacks\n\n| fault | input | must | happened |\n|---|---|---|---|")
	for _, a := range attacks {
		line("| %s | %s | %s | %s |", cell(a[0]), verbatim(a[1]), cell(a[2]), verbatim(a[3]))
	}
}

func (r *results) writeTests(line func(string, ...any)) {
	if len(r.Tests) == 0 {
		return
	}
	tests := slices.Clone(r.Tests)
	slices.SortStableFunc(tests, func(a, b testResult) int { return strings.Compare(a.Package+a.Name, b.Package+b.Name) })
	line("\n## Tests\n\n%s by the clock, %s of processors, building included.\n", long(r.TestTime.Clock.Seconds()), long(r.TestTime.Processors.Seconds()))
	line("| package | test | | s | figures |\n|---|---|---|--:|---|")
	for _, t := range tests {
		var figures []string
		for _, f := range t.Figures {
			if f.Key == evidence.Attack || f.Key == evidence.Signal { // which have tables of their own
				continue
			}
			figures = append(figures, strings.ReplaceAll(f.Key, "-", " ")+": "+cell(f.Value))
		}
		if t.Outcome == "skip" {
			figures = append(figures, cell(strings.TrimSpace(t.Output)))
		}
		line("| %s | %s | %s | %.1f | %s |", short(t.Package), strings.TrimPrefix(t.Name, "TestReliability"), orDash(t.Outcome), t.Seconds, strings.Join(figures, "; "))
	}
}

func (r *results) writeFuzz(line func(string, ...any)) {
	if len(r.Fuzz) == 0 {
		return
	}
	targets := slices.Clone(r.Fuzz)
	slices.SortFunc(targets, func(a, b fuzzResult) int { return strings.Compare(a.Package+a.Target, b.Package+b.Target) })
	line("\n## Fuzzing\n\n| package | target | executions | new inputs | inputs kept | clock | processors | failures |\n|---|---|--:|--:|--:|--:|--:|--:|")
	for _, f := range targets {
		name := f.Target
		if f.Skipped != "" {
			name += " (" + cell(f.Skipped) + ")"
		}
		line("| %s | %s | %d | %d | %d | %s | %s | %d |", short(f.Package), name, f.Executions, f.New, f.Corpus,
			long(f.Time.Clock.Seconds()), long(f.Time.Processors.Seconds()), len(f.Failures))
	}
}

func (r *results) writeSoak(line func(string, ...any)) {
	s := r.Soak
	if s == nil {
		return
	}
	line("\n## Soak\n\nSeed %d: %d problems in %s. %d certificates confirmed in higher precision, %d of planes; %d problems with the oracle's answer; %d fits made twice to the same bits; heap %.1f → %.1f MB.\n",
		s.Seed, s.Problems, long(s.Seconds), s.Exact, s.Planes, s.Oracles, s.Same, float64(s.HeapBegin)/1e6, float64(s.HeapEnd)/1e6)
	line("| solver | fits | optimal | stalled | iteration limit | out of time | other | slow | worst gap | of hostile ones | no bound | worst s | problem |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, name := range s.solvers() {
		c := s.Scores[name]
		line("| %s | %d | %d | %d | %d | %d | %d | %d | %.1e | %.1e | %d | %.2f | %d |", name, c.Fits, c.Optimal, c.Stalled, c.IterationLimit,
			c.OutOfTime, c.Other, c.Slow, c.WorstGap, c.WorstHostile, c.Unbounded, c.WorstSeconds, c.WorstNumber)
	}
	const shown = 5
	if n := len(s.Unsolved); n > 0 {
		line("\nNot solved, which is no failure: %d, the first of them:\n", n)
		for _, f := range s.Unsolved[:min(n, shown)] {
			line("- %v", f)
		}
	}
}

func (s *soakResult) solvers() (names []string) {
	for name := range s.Scores {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// learners are the solvers whose gap falls so slowly by design that their worst says nothing of the rest.
var learners = []string{"Pegasos", "SDCA"}

// worst is the largest gap left of a well scaled problem by a solver that is made for small ones, the
// longest fit, and the number of fits.
func (s *soakResult) worst() (gap, seconds float64, fits int) {
	for name, c := range s.Scores {
		if !slices.Contains(learners, name) {
			gap = max(gap, c.WorstGap)
		}
		seconds = max(seconds, c.WorstSeconds)
		fits += c.Fits
	}
	return gap, seconds, fits
}

// short is an import path without the module's.
func short(path string) string {
	if _, inside, ok := strings.Cut(path, "/course/"); ok {
		return inside
	}
	return path
}

// cell is a text that can stand in a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// verbatim is a text that can stand in a table, and that Markdown leaves as it is.
func verbatim(text string) string {
	text = cell(text)
	if text == "" {
		return "–"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + " " + text + " " + fence
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// long writes a length of time.
func long(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", seconds)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}
