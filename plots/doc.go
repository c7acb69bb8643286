// Package plots draws the course's figures: each takes a data set, planes or a trace and
// makes one claim about them, which its caption states.
//
// A [Figure] cannot be rendered without a caption and an alternative text. The constructors
// of this package write both from the data: the caption states the claim, the alternative
// text says what a reader who does not see the picture needs: what is drawn, on which axes,
// over which range, and the numbers that matter. [New] takes both
// for a plot of your own.
//
// # Style
//
// Colours are those of Okabe and Ito, and no difference is shown by colour alone: classes and
// series differ in marker and dash too, so a figure survives grey print. Geometry is drawn
// with equal units on both axes. Labels may hold math in a small subset of LaTeX: see
// [pen.Math]. The background is white, also on a dark page.
//
// # Large data
//
// Where there are more rows, mistakes or runs than a figure can show, it draws a fixed number
// of them, evenly spaced in their order, the first, the last and every emphasised one included, and
// says so in the caption. Numbers in captions are computed from all of the data.
//
// # Golden images
//
// The numbers behind the figures are tested as numbers. The images in
// testdata/*_golden.png are compared by gonum.org/v1/plot/cmpimg. After a wanted change:
//
//	go test ./plots ./lessons/figures -run Golden -regen
//
// and check every image before committing it.
package plots
