package house

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// badInput is one call with one thing wrong, and what has to come of it. A case is one line of one of
// the tables in the files badinput_*_test.go.
type badInput struct {
	name string
	// keep is what the call may not change: data, problems, settings, models. It is compared bit by
	// bit, through all pointers, unexported fields too.
	keep any
	call func() (any, error)
	want verdict
}

// outcome is what came of a call.
type outcome struct {
	value any
	err   error
	panic any    // what it panicked with, in the goroutine of the caller
	stack string // where
}

// verdict returns "" for the outcome that is wanted, and otherwise what is wrong with it.
type verdict func(outcome) string

// hangs is after how long a call is taken for one that does not return. The slowest case takes well
// below a second; the rest is for a loaded machine.
const hangs = 60 * time.Second

// Every call of the public API with bad input ends soon, with the documented error, at the documented
// place, with what it was given unchanged, and leaves no goroutine behind. A panic in a goroutine of the
// library would end this test's process.
func TestReliabilityBadInput(t *testing.T) {
	before := goleak.IgnoreCurrent()
	tables := []struct {
		name  string
		cases []badInput
	}{
		{"sets", setCases()}, {"rows", rowCases()}, {"odd sets", oddSetCases()}, {"parameters", parameterCases()}, {"readers", readerCases()},
		{"models", modelCases()}, {"predictions", predictionCases()}, {"user's code", userCases()}, {"nil", nilCases()},
		{"formulas", formulaCases()}, {"figures", figureCases()},
	}
	count, slowest, slow := 0, time.Duration(0), ""
	for _, table := range tables {
		seen := map[string]bool{}
		for _, c := range table.cases {
			count++
			if seen[c.name] {
				t.Errorf("two cases %q in the table %s", c.name, table.name)
			}
			seen[c.name] = true
			begin := time.Now()
			t.Run(table.name+"/"+c.name, func(t *testing.T) { c.try(t, before) })
			if d := time.Since(begin); d > slowest {
				slowest, slow = d, c.name
			}
		}
		t.Attr("cases-"+strings.ReplaceAll(strings.ReplaceAll(table.name, " ", "-"), "'", ""), strconv.Itoa(len(table.cases)))
	}
	if count < fewestCases {
		t.Errorf("%d cases, want %d or more: a generator of cases has lost its entries", count, fewestCases)
	}
	t.Attr("cases", strconv.Itoa(count))
	t.Attr("slowest-case", fmt.Sprintf("%.3g s, %s", slowest.Seconds(), slow))
}

// fewestCases guards the generated tables against becoming empty unseen.
const fewestCases = 4000

func (c badInput) try(t *testing.T, before goleak.Option) {
	state := dump(c.keep)
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		returned := false
		defer func() {
			if !returned {
				o.panic, o.stack = recover(), string(debug.Stack())
			}
			done <- o
		}()
		o.value, o.err = c.call()
		returned = true
	}()
	select {
	case o := <-done:
		if wrong := c.want(o); wrong != "" {
			t.Errorf("%s\n%s", wrong, o.stack)
		}
	case <-time.After(hangs):
		t.Fatal("does not return")
	}
	if now := dump(c.keep); now != state {
		t.Errorf("the call changed what it was given\nfrom %s\nto   %s", state, now)
	}
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}
