package lab

import (
	"fmt"
	"html"
	"math"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// headless is the environment variable that tells a cell that it runs without a reader.
const headless = "LESSONS_HEADLESS"

const (
	liveSteps   = 8                       // slider steps between two positions of an explorable
	liveAnswer  = 15 * time.Second        // for a browser to answer, which takes two seconds an attempt
	liveAttempt = 1500 * time.Millisecond // GoNB tries a connection again that was silent for a second
	liveIdle    = 45 * time.Second        // without a move of the slider, after which "run all cells" goes on
)

// Live is [Explore] for a reader at a running kernel: write lab.Live for lab.Explore and run the
// cell. It shows a slider of GoNB with eight steps between two positions, draws each value anew
// with the code of the cell, and checks the claim there. (Between whole numbers it has only
// whole numbers.) The cell runs until the slider has not moved for 45 seconds, or is interrupted.
//
// Where no browser answers (nbconvert, a headless run, a server behind https or a hub, whose address
// GoNB's script does not know) it is Explore.
func Live(e Explorable) {
	slider := e.slider()
	if slider == nil {
		Explore(e)
		return
	}
	Each(e.Claim, e.Values, func(_ int, v float64) error { return e.Check(v) })
	place := "live-" + gonbui.UniqueId()
	moves := slider.Listen().LatestOnly()
	e.drawAt(place, slider.Value())
	for idle := time.NewTimer(liveIdle); ; idle.Reset(liveIdle) {
		select {
		case step := <-moves.C:
			e.drawAt(place, step)
		case <-idle.C:
			moves.Close()
			return
		}
	}
}

// slider returns GoNB's slider at the default position, or nil without a reader to move it.
func (e *Explorable) slider() *widgets.SliderBuilder {
	if !gonbui.IsNotebook || os.Getenv(headless) != "" || e.Default < 0 || e.Default >= len(e.Values) {
		return nil
	}
	if !connect() {
		return nil
	}
	s := widgets.Slider(0, liveSteps*(len(e.Values)-1), liveSteps*e.Default)
	drawn := make(chan struct{})
	go func() { // Done has no time limit of its own; the goroutine ends with the cell
		s.Done()
		close(drawn)
	}()
	select {
	case <-drawn:
		return s
	case <-time.After(liveAnswer):
		return nil
	}
}

// connect makes sure that the browser and the cell hear each other, and reports whether they do.
//
// GoNB (0.11.4) opens a connection by a script in the page and acknowledges it once. While a cell
// runs, Jupyter hands on what a kernel says before the connection is attached to it, so the one
// acknowledgement is lost now and then, and the script gives up after half a second. GoNB learns
// of that when it is asked for the connection again, more than a second later. So it is asked again
// until a word of the browser is here.
func connect() bool {
	word := "/live/" + gonbui.UniqueId()
	heard := make(chan struct{})
	var once sync.Once
	comms.Subscribe(word, func(string, int) { once.Do(func() { close(heard) }) }) // never unsubscribed: gonbui hangs on an address without subscriber
	for end := time.Now().Add(liveAnswer); time.Now().Before(end); {
		comms.Start()
		dom.TransientJavascript(fmt.Sprintf(`globalThis.gonb_comm?.send(%q, 1)`, word))
		select {
		case <-heard:
			return true
		case <-time.After(liveAttempt):
		}
	}
	return false
}

// at returns the value of a slider's step: on the straight line between two positions, rounded
// if all positions are whole numbers.
func (e *Explorable) at(step int) float64 {
	step = min(max(step, 0), liveSteps*(len(e.Values)-1))
	k, part := step/liveSteps, float64(step%liveSteps)/liveSteps
	v := e.Values[k]
	if part > 0 {
		v += part * (e.Values[k+1] - e.Values[k])
	}
	for _, whole := range e.Values {
		if whole != math.Round(whole) {
			return v
		}
	}
	return math.Round(v)
}

// drawAt shows the figure and the claim at a slider's step, in the place of the last ones.
func (e *Explorable) drawAt(place string, step int) {
	v := e.at(step)
	mark, words := Pass, e.Claim
	if err := e.Check(v); err != nil {
		mark, words = Fail, e.Claim+": "+err.Error()
	}
	picture := "this position cannot be drawn"
	if f, err := e.Draw(v); err != nil {
		picture += ": " + html.EscapeString(err.Error())
	} else {
		picture = fmt.Sprintf(`<img src="%s" alt="%s" style="max-width:100%%"><br><em>%s</em>`,
			dataURI("image/png", Must(f.Thumbnail())), html.EscapeString(f.Alt), html.EscapeString(f.Caption))
	}
	gonbui.UpdateHtml(place, fmt.Sprintf(`<p>%s = <b>%.4g</b></p>%s<p>%s %s</p>`,
		html.EscapeString(e.Label), v, picture, mark, html.EscapeString(words)))
}
