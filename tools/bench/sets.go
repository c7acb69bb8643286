package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/samples"
)

// A source is a set by name. It is read when it is needed, and once.
type source struct {
	name string
	load func() (*svmkit.Dataset, error)
	many func() (*svmkit.Dataset, error) // with all its classes; nil if there is no such set
	set  *svmkit.Dataset
}

func (s *source) read() (*svmkit.Dataset, error) {
	if s.set == nil {
		set, err := s.load()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		s.set = set
	}
	return s.set, nil
}

// twoClasses makes "the first class or not" of more than two classes.
func twoClasses(set *svmkit.Dataset, err error) (*svmkit.Dataset, error) {
	if err == nil && len(set.Classes) > 2 {
		return set.OneVsRest(set.Classes[0])
	}
	return set, err
}

// fileSource is a LIBSVM or CSV file, plain or gzip. Its labels say whether it is of regression,
// unless the task does.
func fileSource(path string, forced dataset.Task) *source {
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	read := func() (*svmkit.Dataset, error) {
		return dataset.ReadFile(context.Background(), path, &dataset.Options{Labels: dataset.Labels{Task: forced}})
	}
	return &source{name: name, load: func() (*svmkit.Dataset, error) { return twoClasses(read()) }, many: read}
}

// benchData returns the folder of the committed sets, seen from the folder we are in or one above.
func benchData() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		candidate := filepath.Join(dir, "bench", "data")
		if _, err := os.Stat(filepath.Join(candidate, "SHA256SUMS")); err == nil {
			return candidate, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no folder bench/data here or above: run it in the folder tools")
		}
		dir = filepath.Dir(dir)
	}
}

// standardSets are bench/data, a sample whose columns differ by five orders of magnitude, MNIST if
// it was fetched, WordNet's glosses if they are installed, and what is drawn at random.
func standardSets() ([]*source, error) {
	dir, err := benchData()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if err != nil {
		return nil, err
	}
	var sets []*source
	for _, f := range files {
		sets = append(sets, fileSource(f, dataset.Auto))
	}
	sets = append(sets, &source{name: "breast cancer, unscaled", load: func() (*svmkit.Dataset, error) { return samples.BreastCancer(), nil }})
	if path, err := mnistFile(); err == nil {
		if _, err := os.Stat(path); err == nil {
			sets = append(sets, &source{name: "MNIST even/odd", load: func() (*svmkit.Dataset, error) { return readMNIST(path) }})
		}
	}
	if isFile(filepath.Join(wordnetFolder, "data.noun")) {
		sets = append(sets, &source{name: wideSet, load: func() (*svmkit.Dataset, error) { return readGlosses(wordnetFolder) }})
	}
	for _, g := range []drawn{
		textSet,
		{n: 20_000, d: 1_400_000, density: 3e-4},
		{n: 20_000, d: 100, density: 1, condition: 1e4},
		{n: 20_000, d: 100, density: 1, condition: 1e4, regression: true},
	} {
		sets = append(sets, &source{name: g.String(), load: g.load})
	}
	return sets, nil
}

// named returns the sets with these names, or an error that lists them all.
func named(sets []*source, names []string) ([]*source, error) {
	var chosen []*source
	for _, n := range names {
		k := slices.IndexFunc(sets, func(s *source) bool { return s.name == n })
		if k < 0 {
			var all []string
			for _, s := range sets {
				all = append(all, s.name)
			}
			return nil, fmt.Errorf("no set %q; there are %s, or name a file", n, strings.Join(all, "; "))
		}
		chosen = append(chosen, sets[k])
	}
	return chosen, nil
}

// isRegression reports whether the labels are targets: no classes, and not ±1.
func isRegression(set *svmkit.Dataset) bool {
	var bad *svmkit.DataError
	return set.Classes == nil && errors.As(set.ValidateBinary(), &bad)
}

// part returns rows of a set, at random but always the same ones, and the larger parts hold the
// smaller ones.
func part(set *svmkit.Dataset, rows int) *svmkit.Dataset {
	if rows >= set.Len() {
		return set
	}
	order := permutation(set.Len())
	some := set.Subset(order[:rows])
	if set.Classes != nil && some.ValidateBinary() != nil {
		return set // a rare class was lost
	}
	return some
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
