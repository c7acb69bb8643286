package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// idle is a flag that changes nothing beside others.
type idle struct {
	flag   string
	broken bool // it would change nothing
	says   string
}

// checkIdle refuses a flag that was given and would change nothing: whoever gave it expects something else.
func checkIdle(fs *flag.FlagSet, rules ...idle) error {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, rule := range rules {
		if rule.broken && given[rule.flag] {
			return &usageError{fs.Name(), fmt.Errorf("-%s has no effect %s", rule.flag, rule.says)}
		}
	}
	return nil
}

// checkIdle is for the flags of a problem.
func (p *problemFlags) checkIdle(fs *flag.FlagSet) error {
	kernels := p.kernels
	if kernels == nil {
		kernels = []string{p.kernel}
	}
	none := func(of ...string) bool {
		return !slices.ContainsFunc(kernels, func(k string) bool { return slices.Contains(of, k) })
	}
	cached := p.solver == "smo" || p.solver == "decomposition" || p.solver == "auto" && !none("poly", "laplacian", "sigmoid")
	return checkIdle(fs,
		idle{"gamma", none("poly", "rbf", "laplacian", "sigmoid"), "with -kernel linear, the default: is -kernel rbf missing?"},
		idle{"degree", none("poly"), "without -kernel poly"},
		idle{"coef0", none("poly", "sigmoid"), "without -kernel poly or sigmoid"},
		idle{"epsilon", !p.regression(), "without a -loss with a tube: eps-insensitive or squared-eps-insensitive"},
		idle{"cache", !cached, "here: -solver smo and decomposition keep kernel rows, and -solver auto for the kernels poly, laplacian and sigmoid"})
}

// likely adds to the error of an unknown flag the flag that was probably meant.
func likely(fs *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	search := flagSet("grid")
	new(gridFlags).define(search)
	if fs.Name() != "stream" && search.Lookup(name) != nil {
		return fmt.Errorf("no flag -%s here: svm grid has it", name)
	}
	best, least := "", 3 // more edits than two are another word
	fs.VisitAll(func(f *flag.Flag) {
		d := edits(strings.ToLower(name), strings.ToLower(f.Name))
		if d < least && d < len(name) {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return fmt.Errorf("no flag -%s", name)
	}
	return errors.New("no flag -" + name + ": is -" + best + " meant?")
}

// edits returns how many letters must be put in, left out or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // distances of the first i letters of a to all beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
