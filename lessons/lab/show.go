//go:build !nofigures

package lab

import (
	"bytes"
	"encoding/base64"
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

// Say displays a Markdown text, such as the answer to a guess.
//
// It wraps as the lesson's text does, and may hold formulas.
func Say(markdown string) {
	if collected != nil {
		return
	}
	display(map[string]any{
		"text/markdown": markdown,
		"text/plain":    markdown,
	}, map[string]any{MetadataKey: map[string]any{"role": "text"}})
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
