// Package tick tells when a progress function should be called although there is nothing new.
package tick

import (
	"sync/atomic"
	"time"

	"github.com/svmkit/course/svmkit"
)

// Tick is due [svmkit.ProgressEvery] after it was started or reset. A nil Tick is never due.
type Tick struct {
	due   atomic.Bool
	timer *time.Timer
}

// Start returns a tick, which the caller must stop. It returns nil if there is no progress
// function.
func Start(progress func(svmkit.Progress) bool) *Tick {
	if progress == nil {
		return nil
	}
	t := &Tick{}
	t.timer = time.AfterFunc(svmkit.ProgressEvery, func() { t.due.Store(true) })
	return t
}

// Due reports whether the tick is due. It costs the load of a bool, so loops may call it often.
func (t *Tick) Due() bool { return t != nil && t.due.Load() }

// Reset must be called after each call of the progress function.
func (t *Tick) Reset() {
	if t != nil {
		t.due.Store(false)
		t.timer.Reset(svmkit.ProgressEvery)
	}
}

// Stop ends the tick.
func (t *Tick) Stop() {
	if t != nil {
		t.timer.Stop()
	}
}
