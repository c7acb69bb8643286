//go:build !js && !nofigures

package lab

import (
	"fmt"
	"html"
	"os"
	"slices"
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
	liveAnswer  = 15 * time.Second        // for a browser to answer, which takes two seconds an attempt
	liveAttempt = 1500 * time.Millisecond // GoNB tries a connection again that was silent for a second
	// without a move of the slider, after which "run all cells" continues
	liveIdle = 45 * time.Second
)

// Live shows an explorable with a slider of GoNB, for a reader at a running kernel.
//
// Write lab.Live in place of lab.Explore and run the cell. The slider stops at [Slider.Positions].
// For each position the code of the cell draws the figure and checks the claim. The cell runs until
// it is interrupted, or nothing has moved for 45 seconds.
//
// Live calls Explore if there is more to move than one slider, and if no browser answers: in
// nbconvert, in a run without a reader, or at a server behind https or a hub, whose address GoNB's
// script does not know.
func Live(e Explorable) {
	slider := e.slider()
	if slider == nil {
		Explore(e)
		return
	}
	states, _ := e.Stored()
	checkStored(&e, states)
	place := "live-" + gonbui.UniqueId()
	moves := slider.Listen().LatestOnly()
	e.drawAt(place, slider.Value())
	for idle := time.NewTimer(liveIdle); ; idle.Reset(liveIdle) {
		select {
		case position := <-moves.C:
			e.drawAt(place, position)
		case <-idle.C:
			moves.Close()
			return
		}
	}
}

// slider returns GoNB's slider at the start, or nil without a reader to move it.
func (e *Explorable) slider() *widgets.SliderBuilder {
	c := e.single()
	if !gonbui.IsNotebook || os.Getenv(headless) != "" || c == nil || e.validate() != nil {
		return nil
	}
	if !connect() {
		return nil
	}
	positions := c.Positions()
	s := widgets.Slider(0, len(positions)-1, slices.Index(positions, c.Values[c.Default]))
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
// runs, Jupyter forwards messages of a kernel before the connection is attached to it. So the
// acknowledgement is sometimes lost, and the script gives up after half a second. GoNB learns of
// this when it is asked for the connection again, more than a second later. So connect asks until a
// message of the browser arrives.
func connect() bool {
	word := "/live/" + gonbui.UniqueId()
	heard := make(chan struct{})
	var once sync.Once
	// never unsubscribed: gonbui hangs on an address without subscriber
	comms.Subscribe(word, func(string, int) { once.Do(func() { close(heard) }) })
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

// drawAt shows the figure and the claim at a position of the slider, in the place of the last ones.
func (e *Explorable) drawAt(place string, position int) {
	c := e.single()
	positions := c.Positions()
	v := positions[min(max(position, 0), len(positions)-1)]
	mark, words := Pass, e.Claim
	f, verdict, err := e.At(State{Sliders: []float64{v}})
	if verdict != nil {
		mark, words = Fail, e.Claim+": "+verdict.Error()
	}
	picture := "this position cannot be drawn"
	if err != nil {
		picture += ": " + html.EscapeString(err.Error())
	} else {
		picture = fmt.Sprintf(`<img src="%s" alt="%s" style="max-width:100%%"><br><em>%s</em>`,
			dataURI("image/png", Must(f.Thumbnail())), html.EscapeString(f.Alt), html.EscapeString(f.Caption))
	}
	gonbui.UpdateHtml(place, fmt.Sprintf(`<p>%s = <b>%.4g</b></p>%s<p>%s %s</p>`,
		html.EscapeString(c.Label), v, picture, mark, html.EscapeString(words)))
}
