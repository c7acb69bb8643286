package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// seconds writes a time in three digits and its spread.
func seconds(s sample) string {
	if len(s) == 0 {
		return "–"
	}
	return fmt.Sprintf("%s ±%.0f %%", inUnits(s.median()), 100*s.spread())
}

func inUnits(v float64) string {
	switch {
	case math.Abs(v) < 1e-3:
		return fmt.Sprintf("%.3g µs", v*1e6)
	case math.Abs(v) < 1:
		return fmt.Sprintf("%.3g ms", v*1e3)
	case v < 1000:
		return fmt.Sprintf("%.3g s", v)
	}
	return fmt.Sprintf("%.0f s", v)
}

// writeTable writes all that was measured as Markdown.
func (b *bench) writeTable(out io.Writer) {
	r := &b.results
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	m := r.Machine
	line("%s. %s; reading memory %.1f GB/s one thread, %.1f all.", r.Date, m.Facts, m.Bandwidth[0], m.Bandwidth[1])
	var versions []string
	for _, name := range engineNames {
		if v := m.Versions[name]; v != "" && name != "svmkit" {
			versions = append(versions, name+" "+v)
		}
	}
	line("svmkit %s with %s and %d threads; %s.", m.Commit, m.Go, m.Threads, orNone(versions))
	line("\n`%s`, %.0f s. Times are medians of %d interleaved rounds, ± half the distance of the quartiles; ratios are the peer's %s over ours, median of the rounds.",
		r.Command, r.Seconds, b.runs, map[bool]string{false: "time", true: "processor time"}[b.cpu])
	b.comparisonTable(line)
	b.freeBiasTable(line)
	if len(r.Speeds) > 0 {
		line("\n| set | work | svmkit | peer | ratio | goal | |")
		line("|---|---|---|---|---|---|---|")
		for _, s := range r.Speeds {
			line("| %s | %s | %s | %s %s | %s | %s | %s |", s.Set, s.Work, seconds(s.Ours), s.Peer, seconds(s.Other), ratioCell(ratios(s.Other, s.Ours)), goalCell(s.Goal), s.Note)
		}
	}
	if len(r.Epochs) > 0 {
		line("\n| set | values | an epoch of coordinate descent | reading %s once | factor | goal |", "the set")
		line("|---|---|---|---|---|---|")
		for _, e := range r.Epochs {
			line("| %s | %d, %.0f MB | %s | %s | %.2f | ≤ 2 |", e.Set, e.NNZ, e.MB, seconds(e.Seconds), seconds(e.Floor), ratios(e.Seconds, e.Floor).median())
		}
	}
	if len(r.Growths) > 0 {
		line("\nAs the number of rows doubles, time to a gap of %.0e grows by a factor of 2^slope.\n", scalingTarget)
		line("| set | task | engine | rows | slope ± standard error |")
		line("|---|---|---|---|---|")
		for _, g := range r.Growths {
			line("| %s | %s | %s | %.0f … %.0f | %.2f ± %.2f |", g.Set, g.Name, g.Engine, slices.Min(g.N), slices.Max(g.N), g.Slope, g.StdErr)
		}
	}
	for _, f := range r.Failures {
		line("\nFailed: %s", f)
	}
}

func (b *bench) comparisonTable(line func(string, ...any)) {
	if len(b.results.Comparisons) == 0 {
		return
	}
	line("\n| set | n × d | task | gap | svmkit | best peer | its setting | ratio | goal | other peers | MB |")
	line("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, c := range b.results.Comparisons {
		best, setting, others, memory := "–", "", []string{}, fmt.Sprintf("%.0f", c.Ours.PeakMB)
		for _, o := range c.Peers {
			switch {
			case o.Engine == c.Best:
				best, setting = seconds(b.clock(o)), o.setting()
				memory += fmt.Sprintf(" / %.0f", o.PeakMB)
			case o.Reached:
				others = append(others, o.Engine+" "+inUnits(b.clock(o).median()))
			case o.Gap == noGap:
				others = append(others, fmt.Sprintf("%s: %s", o.Engine, o.Note))
			default:
				others = append(others, fmt.Sprintf("%s: gap %.1e after %s", o.Engine, o.Gap, inUnits(o.Seconds)))
			}
		}
		target := fmt.Sprintf("%.0e", c.Target)
		if c.AsTool {
			target = fmt.Sprintf("%.1e, LIBSVM's at -e 0.001", c.Target)
		}
		ours := seconds(b.clock(c.Ours))
		if !c.Ours.Reached {
			ours = fmt.Sprintf("gap %.1e after %s", c.Ours.Gap, inUnits(c.Ours.Median))
		}
		ratio := "–"
		if c.Best != "" {
			ratio = fmt.Sprintf("**%.1f** (%.1f … %.1f)", c.Ratio, c.Between[0], c.Between[1])
		}
		how := c.Ours.Solver
		if c.Task.Gamma == 0 { // with a kernel an iteration is none of the data
			how += c.Ours.passes()
		}
		line("| %s | %d × %d | %s | %s | %s (%s) | %s | %s | %s | %s | %s | %s |", c.Set, c.N, c.Dim, c.Name, target, ours, how, best, setting, ratio,
			goalCell(c.Goal), strings.Join(others, "; "), memory)
	}
}

func ratioCell(r sample) string {
	if len(r) == 0 {
		return "–"
	}
	return fmt.Sprintf("**%.1f** (%.1f … %.1f)", r.median(), r.quantile(0), r.quantile(1))
}

func goalCell(goal float64) string {
	if goal == 0 {
		return ""
	}
	return fmt.Sprintf("≥ %g", goal)
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "no peers"
	}
	return strings.Join(words, ", ")
}
