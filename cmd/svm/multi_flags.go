package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

func (p *problemFlags) defineMulti(fs *flag.FlagSet) {
	fs.StringVar(&p.multi, "multi", "", "how to tell more than two classes apart: ovr, one-vs-rest, a model a class; ovo, one-vs-one, a model\na pair of classes; cs, Crammer–Singer, one problem for all, linear hinge, bias penalized (its default) or\nnone (default ovr). With two classes ovr and ovo are one model")
}

// checkMulti finds what does not go with -multi, and sets the bias that cs has by default.
// Every error is a *usageError.
func (p *problemFlags) checkMulti(fs *flag.FlagSet) error {
	if p.multi == "" {
		return nil
	}
	biasSet := false
	fs.Visit(func(f *flag.Flag) { biasSet = biasSet || f.Name == "bias" })
	if p.multi == crammerSinger && !biasSet {
		p.bias = "penalized"
	}
	joint := p.multi == crammerSinger
	for _, rule := range []struct {
		broken bool
		says   string
	}{
		{strategyTitles[p.multi] == "", "must be ovr, ovo or cs"},
		{p.regression(), "tells classes apart, but a regression has none"},
		{p.positive() != "", "does not go with -positive, which makes two classes of all"},
		{p.multi != oneVsRest && (p.cPositive != 1 || p.cNegative != 1), "has no class +1 and −1 for -C-positive and -C-negative"},
		{joint && p.loss != "hinge", "has the hinge loss only"},
		{joint && p.kernel != "linear", "is linear only"},
		{joint && p.bias == "free", "has no free bias: say -bias penalized or none"},
		{joint && p.solver != "auto", "has a solver of its own: no -solver"},
		{joint && math.IsInf(p.c, 1), "has no hard margin: -C must be finite"},
	} {
		if rule.broken {
			return &usageError{fs.Name(), fmt.Errorf("-multi %s: %s", p.multi, rule.says)}
		}
	}
	return nil
}

func (p *problemFlags) positive() string { return p.classFlags.positive }

// strategy returns how the classes of set are told apart; "" if one model does it.
func (p *problemFlags) strategy(set *svmkit.Dataset) string {
	if len(set.Classes) > 2 {
		return cmp.Or(p.multi, oneVsRest)
	}
	if p.multi == crammerSinger {
		return crammerSinger
	}
	return ""
}

// checkThreads finds a wrong -threads.
func (p *problemFlags) checkThreads(fs *flag.FlagSet) error {
	if p.threads < 1 {
		return &usageError{fs.Name(), fmt.Errorf("-threads %d: must be 1 or more", p.threads)}
	}
	return nil
}

var errNoPairs = errors.New("-probability does not go with -multi cs, whose scores are not those of models for two classes each: say -multi ovo or ovr")

// checkMultiOutputs finds the flags of train that a model for K classes cannot follow.
func (f *trainFlags) checkMultiOutputs(strategy string) error {
	switch {
	case f.libsvm != "" && strategy != oneVsOne:
		return &usageError{"train", errors.New("-libsvm: LIBSVM's models for more than two classes are one-vs-one, so say -multi ovo")}
	case f.liblinear != "" && strategy == oneVsOne:
		return &usageError{"train", errors.New("-liblinear: LIBLINEAR has no one-vs-one models, so say -multi ovr or cs")}
	case f.probability && strategy == crammerSinger:
		return &usageError{"train", errNoPairs}
	}
	return nil
}
