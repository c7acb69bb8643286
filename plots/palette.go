package plots

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// commonPalette returns at most 256 colours: the 128 most frequent, then, one at a time, the colour
// farthest from the palette so far. The first keep large areas exact, the others the edges of
// lines close.
func commonPalette(img *image.RGBA) color.Palette {
	uses := map[color.RGBA]int{}
	for k := 0; k < len(img.Pix); k += 4 {
		uses[color.RGBA{img.Pix[k], img.Pix[k+1], img.Pix[k+2], img.Pix[k+3]}]++
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

// reduce maps every pixel to the nearest colour of the palette.
func reduce(img *image.RGBA, palette color.Palette) *image.Paletted {
	index := map[color.RGBA]uint8{}
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
