//go:build !nofigures

package lab

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/svmkit/course/plots"
)

// Explore checks the claim in every stored state, and shows the figure with a slider through these
// states.
//
// The slider works in a saved notebook and on a page, where no kernel answers. A run without a
// reader does not wait, and tests every stored state.
func Explore(e Explorable) {
	err := e.validate()
	if collected != nil {
		*collected = append(*collected, Must(e, err))
		return
	}
	if err != nil {
		fall("an explorable can be shown", err.Error())
		return
	}
	states, first := e.Stored()
	checkStored(&e, states)
	frames := make([]*plots.Figure, len(states))
	for i, s := range states {
		frames[i] = Must(e.Draw(s.State))
	}
	Show(frames[first])
	display(map[string]any{
		"text/html":  e.html(states, frames, first),
		"text/plain": e.words(states),
	}, map[string]any{MetadataKey: map[string]any{"role": "explorable"}})
}

// checkStored checks the claim in the stored states.
func checkStored(e *Explorable, states []Named) {
	Each(e.Claim, states, func(_ int, s Named) error {
		if err := e.Check(s.State); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		return nil
	})
}

// collected is where Explore stores explorables while [Collect] runs; nil otherwise. While it is
// set nothing is printed or shown, and a failure that would end the cell is a panic.
var collected *[]Explorable

// collecting runs f with collected set, and returns its panic as an error.
func collecting(f func()) (found []Explorable, err error) {
	collected = &found
	defer func() {
		collected = nil
		if r := recover(); r != nil {
			err = fmt.Errorf("lab: %v", r)
		}
	}()
	f()
	return found, nil
}

// Collect runs the code of cells and returns the explorables in it, in order, for programs that
// draw them.
//
// The pages use it. Nothing is printed or shown, and claims outside of explorables are not checked.
// A failure of the code is an error. Calls of Collect and At must not overlap.
func Collect(cells func()) ([]Explorable, error) { return collecting(cells) }

// At draws a state. The verdict is nil if the claim holds, else it explains why it does not.
//
// err reports an invalid state, or a state that cannot be drawn.
func (e *Explorable) At(s State) (f *plots.Figure, verdict, err error) {
	if err := e.Valid(s); err != nil {
		return nil, nil, err
	}
	_, panicked := collecting(func() {
		if f, err = e.Draw(s); err == nil {
			verdict = e.Check(s)
		}
	})
	return f, verdict, cmp.Or(err, panicked)
}

// label returns the name of the quantity that the slider through the stored states moves.
func (e *Explorable) label() string {
	if c := e.single(); c != nil {
		return c.Label
	}
	return "examples"
}

// words is the text in place of the slider.
func (e *Explorable) words(states []Named) string {
	if c := e.single(); c != nil && e.States == nil {
		return fmt.Sprintf("Slider: %s from %.3g to %.3g in %d positions.", c.Label, c.Values[0], c.Values[len(c.Values)-1], len(c.Values))
	}
	var move, names []string
	for _, c := range e.Sliders {
		move = append(move, c.Label)
	}
	for _, c := range e.Choices {
		move = append(move, c.Label)
	}
	for _, p := range e.Points {
		move = append(move, p.Label)
	}
	for _, s := range states {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("To move: %s. Stored states: %s.", strings.Join(move, "; "), strings.Join(names, "; "))
}

// html returns a folded box with a range input and one picture per stored state. A script shows the
// picture and the caption of the input's value (by the style: Notebook 6 shows elements that are
// "hidden").
func (e *Explorable) html(states []Named, frames []*plots.Figure, first int) string {
	var b strings.Builder
	id, label := e.ID(), html.EscapeString(e.label())
	fmt.Fprintf(&b, `<details class="explorable" id="%s"><summary>Move the slider: %s</summary>`, id, label)
	fmt.Fprintf(&b, `<label>%s <input type="range" min="0" max="%d" value="%d" step="1"> <output>%s</output></label>`,
		label, len(frames)-1, first, html.EscapeString(states[first].Name))
	for i, f := range frames {
		fmt.Fprintf(&b, `<img src="%s" alt="%s" data-value="%s" data-caption="%s" style="max-width:100%%">`,
			dataURI("image/png", Must(f.Thumbnail())), html.EscapeString(f.Alt), html.EscapeString(states[i].Name), html.EscapeString(f.Caption))
	}
	fmt.Fprintf(&b, `<p class="caption" aria-live="polite">%s</p></details><script>(() => {
const box = document.getElementById(%q), input = box.querySelector("input"), shown = box.querySelector("output"), pictures = box.querySelectorAll("img"), caption = box.querySelector("p");
const move = () => { pictures.forEach((p, i) => p.style.display = i == input.value ? "" : "none"); const p = pictures[input.value]; shown.textContent = p.dataset.value; caption.textContent = p.dataset.caption; };
input.addEventListener("input", move); move();
})()</script>`, html.EscapeString(frames[first].Caption), id)
	return b.String()
}
