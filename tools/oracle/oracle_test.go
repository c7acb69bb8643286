//go:build peers

package oracle

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
)

var (
	sets = flag.Int("sets", 150, "number of random sets; each goes in every direction")
	seed = flag.Uint64("seed", 34, "of all random numbers")
	only = flag.Int("only", -1, "only the set of this number")
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// awaited has parts of the names of checks that may differ, each with the reason. Such a difference is
// counted and printed. An entry without a difference in the fixed sample is an error: delete it.
var awaited = map[string]string{
	"a semicolon in a name": "refused: without quotes, the separator of such a file with commas is in doubt",
}

// awaits returns the item that a check waits for, "" if none.
func awaits(check string) string {
	for part, of := range awaited {
		if strings.Contains(check, part) {
			return of
		}
	}
	return ""
}

// TestOracle draws random sets and compares our predictions with the peers'.
func TestOracle(t *testing.T) {
	o := newOracle(t)
	t.Logf("%d sets, seed %d", *sets, *seed)
	start := time.Now()
	for number := range *sets {
		if *only >= 0 && number != *only {
			continue
		}
		for k, d := range directions {
			o.try(t, number, k, d.name, d.run)
		}
	}
	o.report(t)
	t.Logf("%v", time.Since(start).Round(time.Second))
	if *only >= 0 || *sets < 150 {
		return
	}
	for part, of := range awaited {
		known := 0
		for check, n := range o.tally {
			if strings.Contains(check, part) {
				known += n.known
			}
		}
		if known == 0 {
			t.Errorf("%q (%s) no longer differs: delete it from awaited", part, of)
		}
	}
}

// try takes one set in one direction, and keeps its files if there is a difference.
func (o *oracle) try(t *testing.T, number, k int, direction string, run func(*trial)) {
	folder, err := os.MkdirTemp("", fmt.Sprintf("oracle-%d-%d-%d-", *seed, number, k))
	if err != nil {
		t.Fatal(err)
	}
	c := &trial{oracle: o, set: drawSet(rand.New(rand.NewPCG(*seed, uint64(number)))), t: t,
		rng:    rand.New(rand.NewPCG(*seed+1, uint64(number*len(directions)+k))),
		folder: folder, direction: direction}
	run(c)
	if c.wrong == nil {
		os.RemoveAll(folder)
		return
	}
	text := strings.Join(append(c.commands, c.wrong...), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(folder, "what"), []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	t.Errorf("set %d of seed %d, files and commands in %s:\n%s",
		number, *seed, folder, strings.Join(c.wrong, "\n"))
}

// report prints what was compared.
func (o *oracle) report(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "%8s %8s %8s %8s\n", "same", "refused", "known", "differ")
	for _, check := range slices.Sorted(maps.Keys(o.tally)) {
		n := o.tally[check]
		fmt.Fprintf(&b, "%8d %8d %8d %8d  %s\n", n.same, n.refused, n.known, n.differ, check)
	}
	t.Log("\n" + b.String())
}
