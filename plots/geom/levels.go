package geom

import (
	"math"
	"slices"
)

// GridSteps is how many cells a side has: enough for smooth level lines of a parabola.
const GridSteps = 90

// Grid is a function on a grid over a box.
type Grid struct {
	F     func(x, y float64) float64
	Over  Box
	Exact bool // crossings are bisected, and not interpolated: for a function that may jump
}

func (s Grid) X(c int) float64 {
	return s.Over.XMin + (s.Over.XMax-s.Over.XMin)*float64(c)/GridSteps
}

func (s Grid) Y(r int) float64 {
	return s.Over.YMin + (s.Over.YMax-s.Over.YMin)*float64(r)/GridSteps
}

func (s Grid) Z(c, r int) float64 { return s.F(s.X(c), s.Y(r)) }

// Values returns the function at the nodes of the grid, by column and row.
func (s Grid) Values() [][]float64 {
	z := make([][]float64, GridSteps+1)
	for c := range z {
		z[c] = make([]float64, GridSteps+1)
		for r := range z[c] {
			z[c][r] = s.Z(c, r)
		}
	}
	return z
}

// Level returns the lines on which the function is v.
func (s Grid) Level(v float64) [][]Point { return s.LevelOf(s.Values(), v) }

// LevelOf returns the lines on which the function is v, from its values. Each cell of the grid, cut
// into two triangles, has at most one piece a triangle, from edge to edge; pieces that share an
// edge are joined, so that dashes run on.
func (s Grid) LevelOf(z [][]float64, v float64) [][]Point {
	const side = GridSteps + 1
	var (
		places  []Point              // where the function crosses v
		numbers = map[Point]uint16{} // of the places, from 1: several edges meet in a node
		// by an edge's lower node and its direction: the number of its place
		known  [side * side * 3]uint16
		pieces [][2]int
	)
	for c := range GridSteps {
		for r := range GridSteps {
			if below := z[c][r] < v; below == (z[c+1][r] < v) && below == (z[c+1][r+1] < v) &&
				below == (z[c][r+1] < v) {
				continue // most cells: no line goes through them
			}
			for _, triangle := range [2][3][2]int{{{c, r}, {c + 1, r}, {c + 1, r + 1}},
				{{c, r}, {c + 1, r + 1}, {c, r + 1}}} {
				var ends [2]int
				n := 0
				for k := range 3 {
					a, b := triangle[k], triangle[(k+1)%3]
					// one order, so that both neighbours have one edge
					if a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
						a, b = b, a
					}
					za, zb := z[a[0]][a[1]]-v, z[b[0]][b[1]]-v
					if (za < 0) == (zb < 0) {
						continue
					}
					edge := &known[(a[0]*side+a[1])*3+2*(b[0]-a[0])+b[1]-a[1]-1]
					if *edge == 0 {
						q := s.crossing(Pt(s.X(a[0]), s.Y(a[1])),
							Pt(s.X(b[0]), s.Y(b[1])), za, zb, v)
						// there is no value at a or b, or an infinite one at both
						if math.IsNaN(q.X) || math.IsNaN(q.Y) {
							continue
						}
						if numbers[q] == 0 {
							places = append(places, q)
							numbers[q] = uint16(len(places))
						}
						*edge = numbers[q]
					}
					ends[n] = int(*edge) - 1
					n++
				}
				if n == 2 && ends[0] != ends[1] {
					pieces = append(pieces, ends)
				}
			}
		}
	}
	return join(pieces, places)
}

// crossing returns where the function crosses v between a and b, where it is v + za and v + zb.
func (s Grid) crossing(a, b Point, za, zb, v float64) Point {
	at := func(t float64) Point { return Between(a, b, t) }
	if !s.Exact {
		return at(za / (za - zb))
	}
	lo, hi := 0.0, 1.0
	for range 10 {
		m := (lo + hi) / 2
		if q := at(m); (s.F(q.X, q.Y) < v) == (za < 0) {
			lo = m
		} else {
			hi = m
		}
	}
	return at((lo + hi) / 2)
}

// join strings pieces, each between two places, together at common ends.
func join(pieces [][2]int, places []Point) (lines [][]Point) {
	at := make([][]int, len(places)) // the pieces that end at a place
	for k, piece := range pieces {
		for _, end := range piece {
			at[end] = append(at[end], k)
		}
	}
	used := make([]bool, len(pieces))
	walk := func(from int) (line []Point) {
		for {
			next := slices.IndexFunc(at[from], func(k int) bool { return !used[k] })
			if next < 0 {
				return line
			}
			k := at[from][next]
			used[k] = true
			if pieces[k][0] == from {
				from = pieces[k][1]
			} else {
				from = pieces[k][0]
			}
			line = append(line, places[from])
		}
	}
	for k, piece := range pieces {
		if used[k] {
			continue
		}
		used[k] = true
		line := walk(piece[0])
		slices.Reverse(line)
		lines = append(lines, append(append(line, places[piece[0]], places[piece[1]]),
			walk(piece[1])...))
	}
	return lines
}
