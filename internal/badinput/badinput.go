// Package badinput holds what the tests of the packages share that call every function with bad input: a case, its
// verdict, and data sets that nobody may accept. Programs do not import it.
package badinput

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A Case is one call with one thing wrong, and what has to come of it.
type Case struct {
	name string
	keep any // what the call may not change
	call func() (any, error)
	want Verdict
}

// New returns a case. The call may not change what keep holds: data, problems, settings, models. These are compared bit
// by bit, through all pointers and unexported fields.
func New(name string, keep any, call func() (any, error), want Verdict) Case {
	return Case{name, keep, call, want}
}

// Join returns all cases of several tables.
func Join(tables ...[]Case) (all []Case) {
	for _, table := range tables {
		all = append(all, table...)
	}
	return all
}

// Outcome is what came of a call.
type Outcome struct {
	Value any
	Err   error
	Panic any    // what it panicked with, in the goroutine of the caller
	stack string // where
}

// A Verdict returns "" for the outcome that is wanted, and otherwise what is wrong with it.
type Verdict func(Outcome) string

// hangs is after how long a call is taken for one that does not return. The slowest case takes well
// below a second; the rest is for a loaded machine.
const hangs = 60 * time.Second

// Run tries all cases, of which there must be some number at least: a table that has lost its entries is found. Every
// call ends soon, with the documented error, at the documented place, with what it was given unchanged, and leaves no
// goroutine behind. A panic in a goroutine of the library would end the process of the test.
func Run(t *testing.T, atLeast int, cases []Case) {
	before := goleak.IgnoreCurrent()
	slowest, slow := time.Duration(0), ""
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("two cases %q", c.name)
		}
		seen[c.name] = true
		begin := time.Now()
		t.Run(strings.ReplaceAll(c.name, "/", "|"), func(t *testing.T) { c.try(t, before) })
		if d := time.Since(begin); d > slowest {
			slowest, slow = d, c.name
		}
	}
	if len(cases) < atLeast {
		t.Errorf("%d cases, want %d or more: a table has lost its entries", len(cases), atLeast)
	}
	t.Attr("cases", strconv.Itoa(len(cases)))
	t.Attr("slowest-case", fmt.Sprintf("%.3g s, %s", slowest.Seconds(), slow))
}

func (c Case) try(t *testing.T, before goleak.Option) {
	state := dump(c.keep)
	done := make(chan Outcome, 1)
	go func() {
		var o Outcome
		returned := false
		defer func() {
			if !returned {
				o.Panic, o.stack = recover(), string(debug.Stack())
			}
			done <- o
		}()
		o.Value, o.Err = c.call()
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
