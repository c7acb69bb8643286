// Package tick says when a progress function is due that has nothing new to tell.
package tick

import (
	"sync/atomic"
	"time"

	"github.com/svmkit/course/svmkit"
)

// Tick is due from [svmkit.ProgressEvery] after it was started or reset. A nil one is never due.
type Tick struct {
	due   atomic.Bool
	timer *time.Timer
}

// Start returns a tick that has to be stopped; nil if there is no progress function.
func Start(progress func(svmkit.Progress) bool) *Tick {
	if progress == nil {
		return nil
	}
	t := &Tick{}
	t.timer = time.AfterFunc(svmkit.ProgressEvery, func() { t.due.Store(true) })
	return t
}

// Due costs the load of a bool, so that loops may ask often.
func (t *Tick) Due() bool { return t != nil && t.due.Load() }

// Reset is called after each call of the progress function.
func (t *Tick) Reset() {
	if t != nil {
		t.due.Store(false)
		t.timer.Reset(svmkit.ProgressEvery)
	}
}

func (t *Tick) Stop() {
	if t != nil {
		t.timer.Stop()
	}
}
