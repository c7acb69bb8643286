// Package plots draws figures of data sets, models and results, with captions.
//
//	f, err := plots.DecisionRegions(set, model, plots.RegionMarks{})
//	if err != nil {
//		return err
//	}
//	return f.Save("regions.svg")
//
// A [Figure] cannot be rendered without a caption and an alternative text. The constructors
// of this package write both from the data. The caption states one claim about the data. The
// alternative text is for readers who do not see the picture: it names the axes with their ranges,
// and the numbers that matter. [New] takes both for a plot of your own.
//
// # Style
//
// The palette is by Okabe and Ito. No difference is shown by colour alone: classes and series
// differ in marker and dash too, so a figure can be read in grey print. Geometry is drawn
// with equal units on both axes. Labels may hold math in a small subset of LaTeX: see
// [pen.Math]. The background is white, also on a dark page.
//
// # Large data
//
// If there are more rows, mistakes or runs than a figure can show, it draws a fixed number of them,
// evenly spaced in their order, and the caption tells how many. The first, the last and every
// emphasised one are always drawn. Numbers in captions are computed from all of the data.
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
