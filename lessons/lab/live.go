package lab

import (
	"fmt"
	"html"
	"math"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// headless is the environment variable by which the lessons' kernel client tells a cell that
// nobody will move a slider.
const headless = "LESSONS_HEADLESS"

const (
	liveSteps  = 8                // slider steps between two positions of an explorable
	liveAnswer = 15 * time.Second // a browser that is there was seen to need six
	liveRest   = 45 * time.Second // so "run all cells" goes on when nobody touches the slider
)

// Live is [Explore] for a reader at a running kernel: write lab.Live for lab.Explore and run the
// cell. It shows a slider of GoNB with eight steps between two positions, draws each value anew
// with the code of the cell, and checks the claim there. (Between whole numbers it has only
// whole numbers.) The cell runs until the slider has rested for 45 seconds, or is interrupted.
//
// Where no browser answers (nbconvert, a headless run) it is Explore.
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
	for rest := time.NewTimer(liveRest); ; rest.Reset(liveRest) {
		select {
		case step := <-moves.C:
			e.drawAt(place, step)
		case <-rest.C:
			moves.Close()
			return
		}
	}
}

// slider returns GoNB's slider at the default position, or nil if nobody is there to move it.
func (e *Explorable) slider() *widgets.SliderBuilder {
	if !gonbui.IsNotebook || os.Getenv(headless) != "" || e.Default < 0 || e.Default >= len(e.Values) {
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
