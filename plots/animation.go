package plots

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"math"
	"slices"
	"time"

	"github.com/svmkit/course/plots/check"
)

// Animation is a sequence of figures of one size, with one caption and one alternative text.
type Animation struct {
	Frames []*Figure
	// Delay is the time of each frame; default 0.6 s. The last frame stays four times as long.
	Delay   time.Duration
	Caption string
	Alt     string
}

const (
	gifDPI       = 120 // moving pictures need less than a still
	defaultDelay = 600 * time.Millisecond
	lastHeld     = 4
)

// GIF returns the animation as a GIF that repeats without end.
//
// All frames share one palette. Each frame holds the smallest rectangle that differs from the
// previous one.
func (a *Animation) GIF() ([]byte, error) {
	if err := cmp.Or(describe(a.Caption, a.Alt), check.Some("Frames", len(a.Frames))); err != nil {
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

// commonPalette returns at most 256 colours: the 128 most frequent, then, one at a time, the colour
// farthest from the palette so far. The first keep large areas exact, the others the edges of
// lines close.
func commonPalette(images []*image.RGBA) color.Palette {
	uses := map[color.RGBA]int{}
	for _, img := range images {
		for k := 0; k < len(img.Pix); k += 4 {
			uses[color.RGBA{img.Pix[k], img.Pix[k+1], img.Pix[k+2], img.Pix[k+3]}]++
		}
	}
	colours := make([]color.RGBA, 0, len(uses))
	for c := range uses {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
	})
	var palette color.Palette
	far := make([]int, len(colours)) // squared distance of each colour from the palette
	for i := range far {
		far[i] = math.MaxInt
	}
	add := func(i int) {
		palette = append(palette, colours[i])
		for k, c := range colours {
			far[k] = min(far[k], apart(c, colours[i]))
		}
	}
	for i := range min(128, len(colours)) {
		add(i)
	}
	for len(palette) < min(256, len(colours)) {
		worst := 0
		for k := range far {
			if far[k] > far[worst] {
				worst = k
			}
		}
		add(worst)
	}
	return palette
}

// apart is the squared distance of two opaque colours.
func apart(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}

// reduce maps every pixel to the nearest colour of the palette, remembering in index.
func reduce(img *image.RGBA, palette color.Palette, index map[color.RGBA]uint8) *image.Paletted {
	out := image.NewPaletted(img.Rect, palette)
	for k := range out.Pix {
		c := color.RGBA{img.Pix[4*k], img.Pix[4*k+1], img.Pix[4*k+2], img.Pix[4*k+3]}
		i, ok := index[c]
		if !ok {
			i = uint8(palette.Index(c))
			index[c] = i
		}
		out.Pix[k] = i
	}
	return out
}
