package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sight is where a picture of three dimensions is looked at from, in degrees: Turn about the
// vertical third axis, from the first axis towards the second; Tilt above the plane of these two, −90 to 90.
type Sight struct{ Turn, Tilt float64 }

// maxSpace is how many points are drawn in three dimensions: more would hide the plane.
const maxSpace = 400

// Space draws a set of three columns and a plane, without perspective and in equal units: what lies behind
// the plane is seen through it. The third axis points upwards. The picture has one size for all
// values of Turn. Of more than 400 points 400 are drawn.
//
// The plane is drawn within the box around the points; if it misses the box it is not drawn, and the
// caption says so. It is an error if the set has not three columns and labels ±1, if w = 0, or if
// the angles are not finite or Tilt is out of its range.
func Space(set *svmkit.Dataset, h svmkit.Hyperplane, from Sight) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if set.Dim != 3 {
		return nil, &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 3: the figure shows three features; choose them with Columns"}
	}
	if err := drawable(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 3, false); err != nil {
		return nil, err
	}
	if !(math.Abs(from.Turn) <= 1e6) || !(math.Abs(from.Tilt) <= 90) {
		return nil, &svmkit.ParamError{Name: "Sight", Value: from, Need: "must have a finite Turn (up to 1e6) and a Tilt from −90 to 90 degrees"}
	}
	s := newSpace(set, from)
	p := bare(newPlot("", ""))
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.Add(area{func(b box) []point { return b.corners() }, color.White, draw.LineStyle{}}) // over the grid
	show(p, box{-s.wide, s.wide, -s.high, s.high})

	frame := segments{style: line(gridColour, 1, nil)}
	axes := segments{style: line(faint, 1.3, nil)}
	for k := range 8 {
		for j := range 3 {
			if k>>j&1 == 1 {
				continue
			}
			lines := &frame
			if k == 0 {
				lines = &axes
			}
			lines.from, lines.to = append(lines.from, s.flat(s.corner(k))), append(lines.to, s.flat(s.corner(k|1<<j)))
		}
	}
	p.Add(frame, axes)
	cut := s.cut(h)
	sheet := area{func(box) []point { return cut }, color.NRGBA{0xe6, 0x9f, 0x00, 0x60}, line(ink, 1.2, nil)}
	rows := thin(set.Len(), maxSpace)
	size := vg.Length(1)
	if len(rows) > 150 {
		size = 0.65
	}
	slices.SortStableFunc(rows, func(i, k int) int { return cmp.Compare(s.depth(set.X[i]), s.depth(set.X[k])) })
	near := svmkit.Hyperplane{W: h.W}.Score(svmkit.Dense(s.eye[:]...)) // its sign is that of the side we look from
	for _, front := range []bool{false, true} {
		if front && len(cut) > 0 {
			p.Add(sheet)
		}
		for _, i := range rows {
			if (h.Score(set.X[i])*near > 0) != front {
				continue
			}
			m := positive
			if set.Y[i] < 0 {
				m = negative
			}
			m.radius *= size
			p.Add(marks{[]point{s.flat(dense3(set.X[i]))}, m})
		}
	}
	names := labels{clear: 5}
	for _, i := range rows {
		names.avoid = append(names.avoid, s.flat(dense3(set.X[i])))
	}
	for j := range 3 {
		tip := s.flat(s.corner(1 << j))
		root := s.flat(s.corner(0))
		name := fmt.Sprintf("$x_%d$", j+1)
		if set.Features != nil {
			name = set.Features[j]
		}
		names.items = append(names.items, label{at: tip, text: name, lean: point{X: tip.X - root.X, Y: tip.Y - root.Y}})
	}
	p.Add(names)

	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: min(phoneWidth*vg.Length(s.high/s.wide)+0.6*vg.Inch, 6*vg.Inch)}
	f.Legend = spaceLegend(set, size)
	if len(cut) > 0 {
		f.Legend = append(f.Legend, Entry{"plane $f = 0$", sheet})
	}
	f.Caption, f.Alt = s.words(set, h, from, len(cut) > 0)
	f.Caption += thinned(len(rows), set.Len(), "points")
	return f, nil
}

func spaceLegend(set *svmkit.Dataset, size vg.Length) (legend []Entry) {
	for _, y := range []float64{1, -1} {
		m := positive
		if y < 0 {
			m = negative
		}
		m.radius *= size
		if slices.Contains(set.Y, y) {
			legend = append(legend, Entry{className(set, y), marks{mark: m}})
		}
	}
	return legend
}

// space is the box around the points of a set, and the way to look at it.
type space struct {
	lo, hi         [3]float64
	right, up, eye [3]float64 // unit vectors: of the picture, and towards who looks
	wide, high     float64    // the picture reaches from −wide to wide and from −high to high; Turn does not change them
}

func newSpace(set *svmkit.Dataset, from Sight) *space {
	s := &space{}
	for j := range 3 {
		s.lo[j], s.hi[j] = math.Inf(1), math.Inf(-1)
		for _, x := range set.X {
			s.lo[j], s.hi[j] = min(s.lo[j], x.At(j)), max(s.hi[j], x.At(j))
		}
	}
	longest := max(s.hi[0]-s.lo[0], s.hi[1]-s.lo[1], s.hi[2]-s.lo[2])
	pad := 0.05 * longest
	if pad == 0 {
		pad = 1
	}
	for j := range 3 {
		s.lo[j], s.hi[j] = s.lo[j]-pad, s.hi[j]+pad
	}
	sin, cos := math.Sincos(from.Turn * math.Pi / 180)
	rise, flat := math.Sincos(from.Tilt * math.Pi / 180)
	s.right = [3]float64{-sin, cos, 0}
	s.up = [3]float64{-rise * cos, -rise * sin, flat}
	s.eye = [3]float64{flat * cos, flat * sin, rise}
	base := math.Hypot(s.hi[0]-s.lo[0], s.hi[1]-s.lo[1]) / 2
	s.wide, s.high = 1.08*base, 1.08*(base*math.Abs(rise)+(s.hi[2]-s.lo[2])/2*flat)
	return s
}

func dense3(x svmkit.Row) [3]float64 { return [3]float64{x.At(0), x.At(1), x.At(2)} }

// corner returns a corner of the box: bit j of k says whether axis j is at its upper end.
func (s *space) corner(k int) (q [3]float64) {
	for j := range 3 {
		if q[j] = s.lo[j]; k>>j&1 == 1 {
			q[j] = s.hi[j]
		}
	}
	return q
}

// along returns the product of q, from the middle of the box, with a unit vector.
func (s *space) along(q, unit [3]float64) (sum float64) {
	for j := range 3 {
		sum += (q[j] - (s.lo[j] + (s.hi[j]-s.lo[j])/2)) * unit[j]
	}
	return sum
}

// flat returns where q is in the picture.
func (s *space) flat(q [3]float64) point {
	return point{X: s.along(q, s.right), Y: s.along(q, s.up)}
}

// depth grows towards who looks.
func (s *space) depth(x svmkit.Row) float64 { return s.along(dense3(x), s.eye) }

// cut returns the polygon in which the plane h meets the box, in the picture; nil if it misses it.
func (s *space) cut(h svmkit.Hyperplane) []point {
	score := func(q [3]float64) float64 { return h.Score(svmkit.Dense(q[:]...)) }
	var found [][3]float64
	for k := range 8 {
		for j := range 3 {
			if k>>j&1 == 1 {
				continue
			}
			a, b := s.corner(k), s.corner(k|1<<j)
			fa, fb := score(a), score(b)
			if (fa < 0) == (fb < 0) {
				continue
			}
			q := a
			q[j] += fa / (fa - fb) * (b[j] - a[j])
			found = append(found, q)
		}
	}
	if len(found) < 3 {
		return nil
	}
	// In their order around the normal, seen in the two axes across the normal's longest entry.
	skip := 0
	for j := range 3 {
		if math.Abs(h.W[j]) > math.Abs(h.W[skip]) {
			skip = j
		}
	}
	u, v := (skip+1)%3, (skip+2)%3
	var mu, mv float64
	for _, q := range found {
		mu, mv = mu+q[u]/float64(len(found)), mv+q[v]/float64(len(found))
	}
	slices.SortFunc(found, func(a, b [3]float64) int {
		return cmp.Compare(math.Atan2(a[v]-mv, a[u]-mu), math.Atan2(b[v]-mv, b[u]-mu))
	})
	polygon := make([]point, len(found))
	for k, q := range found {
		polygon[k] = s.flat(q)
	}
	return polygon
}

func (s *space) words(set *svmkit.Dataset, h svmkit.Hyperplane, from Sight, meets bool) (caption, alt string) {
	wrong := mistakes(set, h)
	switch {
	case !meets:
		caption = fmt.Sprintf("The plane passes by the box around the points and is not drawn; of %s, %s on the wrong side of it.", plural(set.Len(), "point"), isAreNumber(wrong))
	case wrong == 0:
		caption = fmt.Sprintf("The plane separates the classes: each of %s lies on its side.", plural(set.Len(), "point"))
	default:
		caption = fmt.Sprintf("Of %s, %s on the wrong side of the plane or on it.", plural(set.Len(), "point"), isAreNumber(wrong))
	}
	names := []string{"x1", "x2", "x3"}
	if set.Features != nil {
		names = set.Features
	}
	alt = fmt.Sprintf("Three-dimensional scatter plot of %s in a box:", pointWords(set))
	for j := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range set.X {
			lo, hi = min(lo, x.At(j)), max(hi, x.At(j))
		}
		if j > 0 {
			alt += ","
		}
		alt += fmt.Sprintf(" %s from %s to %s", strings.ReplaceAll(plain(names[j]), "_", ""), num(lo), num(hi))
	}
	alt += fmt.Sprintf("; the last axis points upwards. A plane with the normal (%s, %s, %s) and b = %s", num(h.W[0]), num(h.W[1]), num(h.W[2]), num(h.B))
	if meets {
		alt += " cuts through the box"
	} else {
		alt += " misses the box"
	}
	along := svmkit.Hyperplane{W: h.W}.Score(svmkit.Dense(s.eye[:]...)) / h.Norm()
	return caption, alt + fmt.Sprintf("; %s on the wrong side of it. Turned by %s and tilted by %s degrees: the line of sight meets the plane at %.0f degrees.",
		isAre(wrong), num(from.Turn), num(from.Tilt), math.Asin(min(1, math.Abs(along)))*180/math.Pi)
}
