package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"time"

	"github.com/svmkit/course/plots/check"
)

// Animation is a run of figures of one size, with a caption and an alternative text for the whole.
type Animation struct {
	Frames  []*Figure
	Delay   time.Duration // of each frame; 0 means 0.6 s. The last frame stays four times as long
	Caption string
	Alt     string
}

const (
	gifDPI       = 120 // moving pictures need less than a still
	defaultDelay = 600 * time.Millisecond
	lastHeld     = 4
)

// GIF returns the animation as a GIF that repeats without end. All frames share one palette; each
// holds the smallest rectangle that differs from the one before.
func (a *Animation) GIF() ([]byte, error) {
	if err := describe(a.Caption, a.Alt); err != nil {
		return nil, err
	}
	if err := check.Some("Frames", len(a.Frames)); err != nil {
		return nil, err
	}
	if a.Delay < 0 || a.Delay > time.Minute {
		return nil, check.Param("Delay", a.Delay, "must be between 0 and one minute")
	}
	images := make([]*image.RGBA, len(a.Frames))
	for i, f := range a.Frames {
		img, err := f.image(gifDPI)
		if err != nil {
			return nil, err
		}
		images[i] = img.(*image.RGBA)
		if images[i].Rect != images[0].Rect {
			return nil, check.Param("Frames", images[i].Rect.Size(), "must all have one size")
		}
	}
	delay := a.Delay
	if delay == 0 {
		delay = defaultDelay
	}
	hundredths := int(delay / (10 * time.Millisecond))
	size := images[0].Rect.Size()
	palette := commonPalette(images)
	animation := &gif.GIF{Config: image.Config{Width: size.X, Height: size.Y, ColorModel: palette}}
	index := map[color.RGBA]uint8{}
	var last *image.Paletted
	for i, img := range images {
		frame := reduce(img, palette, index)
		part := frame
		if i > 0 {
			part = frame.SubImage(changed(last, frame)).(*image.Paletted)
		}
		animation.Image = append(animation.Image, part)
		animation.Delay = append(animation.Delay, hundredths)
		animation.Disposal = append(animation.Disposal, gif.DisposalNone)
		last = frame
	}
	animation.Delay[len(animation.Delay)-1] *= lastHeld
	var b bytes.Buffer
	err := gif.EncodeAll(&b, animation)
	return b.Bytes(), err
}

// changed returns the smallest rectangle outside of which two frames agree; at least one
// pixel, because a GIF's frame cannot be empty.
func changed(a, b *image.Paletted) image.Rectangle {
	var r image.Rectangle
	for y := range b.Rect.Dy() {
		for x := range b.Rect.Dx() {
			if k := y*b.Stride + x; a.Pix[k] != b.Pix[k] {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}
