//go:build unix

package main

import (
	"strconv"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// TestReliabilityAttackWalk tries again what was once answered wrongly, and its kin, on the command as a process. The
// evidence has a line for each attack.
func TestReliabilityAttackWalk(t *testing.T) {
	attacks := walk()
	proctest.Attacks(t, svmIn, walkFiles(t), attacks)
	walkTargetsAsClasses(t)
	const fewest = 150
	if len(attacks) < fewest {
		t.Errorf("%d attacks, want %d", len(attacks), fewest)
	}
	t.Attr("cases", strconv.Itoa(len(attacks)))
}
