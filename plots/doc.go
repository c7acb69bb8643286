// Package plots draws the figures of the course, with captions and alternative texts:
//
//	xor := samples.XOR()
//	plane := svmkit.Hyperplane{W: []float64{1, 0}}
//	f, err := plots.DecisionRegions(xor, plane, plots.RegionMarks{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(f.Caption)
//
// Each constructor takes a data set, planes or a trace, and makes one claim about them, which the
// caption states. The alternative text describes the picture for a reader who does not see it: the
// marks, the axes and their ranges, and the numbers that matter. A [Figure] without both texts
// cannot be rendered. [New] takes both for your own plot. [Figure.Save] writes PNG, SVG or PDF.
//
// # Style
//
// The colours are the palette of Okabe and Ito, and no difference is shown by colour alone: classes
// and series also differ in marker and dash, so a figure survives grey print. Geometry is drawn
// with equal units on both axes. Labels may hold math in a small subset of LaTeX: see [pen.Math].
// The background is white, also on a dark page.
//
// # Large data
//
// If there are more rows, mistakes or runs than a figure can show, it draws a fixed number of them,
// evenly spaced in their order, with the first, the last and every emphasised one, and the caption
// states this. Numbers in captions are computed from all of the data.
//
// # Golden images
//
// The numbers behind the figures are tested as numbers. The images in testdata/*_golden.png are
// compared by gonum.org/v1/plot/cmpimg. After an intended change run
//
//	go test ./plots ./lessons/figures -run Golden -regen
//
// and check every image before you commit it.
package plots
