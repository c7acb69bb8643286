package lab

import (
	"fmt"
	"hash/fnv"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/svmkit/course/plots"
)

// Explorable is a figure with a slider. All positions are drawn and checked when the cell
// runs, so the slider works in a saved notebook and on a page, where no kernel answers, and
// a headless run neither waits for a reader nor leaves a position untested. [Live] shows the
// same definition with a slider of GoNB, for which a kernel has to run.
type Explorable struct {
	Label   string    // what the slider moves: "half-margin γ"
	Values  []float64 // its positions, in order
	Default int       // the position that is shown first, and as the static figure

	Draw  func(v float64) (*plots.Figure, error)
	Check func(v float64) error // the claim, at this position
	Claim string                // its words
}

// Explore checks the claim at every position, shows the default one as a figure and puts the
// slider below it.
func Explore(e Explorable) {
	if e.Default < 0 || e.Default >= len(e.Values) {
		fall("an explorable has a default position", fmt.Sprintf("%d of %d", e.Default, len(e.Values)))
		return
	}
	Each(e.Claim, e.Values, func(_ int, v float64) error { return e.Check(v) })
	frames := make([]*plots.Figure, len(e.Values))
	for i, v := range e.Values {
		frames[i] = Must(e.Draw(v))
	}
	Show(frames[e.Default])
	display(map[protocol.MIMEType]any{
		protocol.MIMETextHTML: e.html(frames, e.id()),
		protocol.MIMETextPlain: fmt.Sprintf("Slider: %s from %.3g to %.3g in %d positions.",
			e.Label, e.Values[0], e.Values[len(e.Values)-1], len(e.Values)),
	}, map[string]any{MetadataKey: map[string]any{"role": "explorable"}})
}

// id names the box in its page: the same in every run, another for each explorable.
func (e *Explorable) id() string {
	h := fnv.New32a()
	fmt.Fprint(h, e.Label, e.Claim, e.Values)
	return fmt.Sprintf("explorable-%08x", h.Sum32())
}

// html is a folded box with a range input and one picture a position. A few lines of script
// show the picture and the caption of the input's value (by the style: Notebook 6 shows what is "hidden"); without
// script all pictures stand below each other.
func (e *Explorable) html(frames []*plots.Figure, id string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<details class="explorable" id="%s"><summary>Move the slider: %s</summary>`, id, html.EscapeString(e.Label))
	fmt.Fprintf(&b, `<label>%s <input type="range" min="0" max="%d" value="%d" step="1"> <output>%.3g</output></label>`,
		html.EscapeString(e.Label), len(frames)-1, e.Default, e.Values[e.Default])
	for i, f := range frames {
		fmt.Fprintf(&b, `<img src="%s" alt="%s" data-value="%.3g" data-caption="%s" style="max-width:100%%">`,
			dataURI("image/png", Must(f.Thumbnail())), html.EscapeString(f.Alt), e.Values[i], html.EscapeString(f.Caption))
	}
	fmt.Fprintf(&b, `<p class="caption" aria-live="polite">%s</p></details><script>(() => {
const box = document.getElementById(%q), input = box.querySelector("input"), shown = box.querySelector("output"), pictures = box.querySelectorAll("img"), caption = box.querySelector("p");
const move = () => { pictures.forEach((p, i) => p.style.display = i == input.value ? "" : "none"); const p = pictures[input.value]; shown.textContent = p.dataset.value; caption.textContent = p.dataset.caption; };
input.addEventListener("input", move); move();
})()</script>`, html.EscapeString(frames[e.Default].Caption), id)
	return b.String()
}
