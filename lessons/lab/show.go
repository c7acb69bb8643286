//go:build !nofigures

package lab

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"strings"

	"github.com/svmkit/course/plots"
)

// MetadataKey is the key of this package in the metadata of an output. Its entries are "alt" and
// "caption" of a figure, and "role" of any other output.
const MetadataKey = "svmkit"

// Show displays a figure as PNG at twice the screen's density, with its caption as a line below.
//
// The alternative text is in the output's metadata, where Jupyter, nbconvert and our pages read it.
// A figure without caption or alternative text ends the cell.
func Show(f *plots.Figure) {
	if collected != nil {
		return
	}
	if f == nil || f.Caption == "" || f.Alt == "" {
		fall("every figure has a caption and an alternative text", "one of them is empty")
		return
	}
	data := Must(f.PNG())
	display(map[string]any{
		"image/png":  data,
		"text/plain": f.Alt,
	}, figureMetadata(f.Alt, f.Caption, data))
	caption(f.Caption)
}

// Play displays an animation: the moving picture if the front end shows HTML, and its last frame
// otherwise.
func Play(a *plots.Animation) {
	if collected != nil {
		return
	}
	if a == nil || a.Caption == "" || a.Alt == "" || len(a.Frames) == 0 {
		fall("every animation has frames, a caption and an alternative text", "one of them is missing")
		return
	}
	still := Must(a.Frames[len(a.Frames)-1].PNG())
	display(map[string]any{
		"text/html": fmt.Sprintf(`<img src="%s" alt="%s" style="max-width:100%%">`,
			dataURI("image/gif", Must(a.GIF())), html.EscapeString(a.Alt)),
		"image/png":  still,
		"text/plain": a.Alt,
	}, figureMetadata(a.Alt, a.Caption, still))
	caption(a.Caption)
}

func figureMetadata(alt, caption string, picture []byte) map[string]any {
	config := Must(png.DecodeConfig(bytes.NewReader(picture)))
	return map[string]any{
		MetadataKey: map[string]any{"alt": alt, "caption": caption},
		// What Jupyter and nbconvert read: size in CSS pixels, alternative text.
		"image/png": map[string]any{
			"width": config.Width / 2, "height": config.Height / 2, "alt": alt,
		},
	}
}

// literal keeps the star of w* and similar characters from ending the italics. It uses character
// references, because after a backslash the Markdown of nbconvert and nbviewer ends them all the
// same.
var literal = strings.NewReplacer("&", "&amp;", `\`, "&#92;", "*", "&#42;", "`", "&#96;", "<", "&lt;", "[", "&#91;")

func caption(text string) {
	display(map[string]any{
		"text/markdown": "*" + literal.Replace(text) + "*",
		"text/plain":    text,
	}, map[string]any{MetadataKey: map[string]any{"role": "caption"}})
}

func dataURI(mime string, data []byte) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)
}
