package site

import (
	"fmt"
	"html"
	"html/template"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/svmkit/course/lessons/internal/course"
)

// The map on the front page: a box for each lesson, below those that it needs, and a line from each of those,
// unless another need implies it. The drawing stands in the page itself: its boxes are links.

// Sizes in pixels on a phone of 390 pixels, where the map is as wide as the text.
const (
	mapWidth  = 358
	boxWidth  = 108
	passWidth = 6 // of the place where a line passes between boxes
	boxGap    = 8
	levelGap  = 26
	mapFont   = 12.0
	mapLine   = 14
	mapChars  = 15 // of a line of a title
)

// mapNode is a box, or (lesson 0) the place where a line passes a level.
type mapNode struct {
	lesson int
	x, y   float64 // middle of its upper edge
}

// courseMap is the layout: levels from the first lessons down, and lines from a level to the next.
type courseMap struct {
	levels [][]*mapNode
	below  map[*mapNode][]*mapNode
	node   map[int]*mapNode
	height float64 // of a box
}

// directNeeds are the needs of a lesson that no other need of it needs, directly or not.
func directNeeds(path []course.PathEntry, number int) []int {
	var reach func(n int) []int
	reach = func(n int) (all []int) {
		for _, k := range path[n-1].Needs {
			all = append(append(all, k), reach(k)...)
		}
		return all
	}
	return slices.DeleteFunc(slices.Clone(path[number-1].Needs), func(k int) bool {
		return slices.ContainsFunc(path[number-1].Needs, func(other int) bool { return slices.Contains(reach(other), k) })
	})
}

func layOut(path []course.PathEntry) *courseMap {
	m := &courseMap{below: map[*mapNode][]*mapNode{}, node: map[int]*mapNode{}}
	level := make([]int, len(path)+1)
	for _, s := range path {
		for _, k := range s.Needs {
			level[s.Number] = max(level[s.Number], level[k]+1)
		}
		for len(m.levels) <= level[s.Number] {
			m.levels = append(m.levels, nil)
		}
	}
	add := func(lesson, at int) *mapNode {
		n := &mapNode{lesson: lesson}
		m.levels[at] = append(m.levels[at], n)
		return n
	}
	for _, s := range path {
		m.node[s.Number] = add(s.Number, level[s.Number])
	}
	for _, s := range path {
		for _, k := range directNeeds(path, s.Number) {
			from := m.node[k]
			for at := level[k] + 1; at < level[s.Number]; at++ {
				pass := add(0, at)
				m.below[from] = append(m.below[from], pass)
				from = pass
			}
			m.below[from] = append(m.below[from], m.node[s.Number])
		}
	}
	m.order()
	lines := 0
	for _, s := range path {
		lines = max(lines, len(titleLines(s.Title)))
	}
	m.height = float64(20 + lines*mapLine + 4)
	for i, l := range m.levels {
		for _, n := range l {
			n.y = 1 + float64(i)*(m.height+levelGap)
		}
	}
	return m
}

func (n *mapNode) width() float64 {
	if n.lesson == 0 {
		return passWidth
	}
	return boxWidth
}

// order finds a good order of each level: from many starts, neighbours change places as long as that makes
// the lines cross less often, or makes them shorter.
func (m *courseMap) order() {
	random := rand.New(rand.NewPCG(1, 1))
	cost := func() float64 { m.place(); return m.cost() }
	best, least := m.levels, cost()
	for range 100 {
		m.levels = slices.Clone(best)
		for i, l := range m.levels {
			m.levels[i] = slices.Clone(l)
			random.Shuffle(len(l), func(j, k int) { m.levels[i][j], m.levels[i][k] = m.levels[i][k], m.levels[i][j] })
		}
		now := cost()
		for better := true; better; {
			better = false
			for _, l := range m.levels {
				for i := range len(l) - 1 {
					l[i], l[i+1] = l[i+1], l[i]
					if c := cost(); c < now-1e-6 {
						now, better = c, true
					} else {
						l[i], l[i+1] = l[i+1], l[i]
					}
				}
			}
		}
		if now < least-1e-6 {
			best, least = m.levels, now
		}
	}
	m.levels = best
	m.place()
}

// place sets each level in the middle.
func (m *courseMap) place() {
	for _, l := range m.levels {
		total := float64(boxGap * (len(l) - 1))
		for _, n := range l {
			total += n.width()
		}
		x := (mapWidth - total) / 2
		for _, n := range l {
			n.x = x + n.width()/2
			x += n.width() + boxGap
		}
	}
}

// cost counts a crossing as much as the longest line.
func (m *courseMap) cost() (cost float64) {
	for _, l := range m.levels {
		type span struct{ from, to float64 }
		var spans []span
		for _, n := range l {
			for _, to := range m.below[n] {
				for _, s := range spans {
					if (s.from-n.x)*(s.to-to.x) < 0 {
						cost += mapWidth
					}
				}
				spans = append(spans, span{n.x, to.x})
				cost += max(n.x-to.x, to.x-n.x)
			}
		}
	}
	return cost
}

// titleLines breaks a title into lines of a box. What follows a colon is left out if it needs a third line.
func titleLines(title string) []string {
	lines := wrap(title, mapChars)
	if short, _, cut := strings.Cut(title, ": "); cut && len(lines) > 2 {
		lines = wrap(short, mapChars)
	}
	return lines
}

// wrap breaks a text between words into lines of at most n letters, unless a word is longer.
func wrap(text string, n int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if k := len(lines) - 1; k >= 0 && len([]rune(lines[k]))+1+len([]rune(word)) <= n {
			lines[k] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// routeMark is a route on the map: a letter at each of its lessons.
type routeMark struct {
	course.Route
	Letter string // empty: it takes all lessons whole, and none is marked
}

func routeMarks(g *course.Guide) (all []routeMark) {
	for _, r := range g.Routes {
		k := routeMark{Route: r, Letter: strings.ToUpper(r.Name[:1])}
		if len(r.Parts) == len(g.Path) && !slices.ContainsFunc(r.Parts, func(p course.RoutePart) bool { return len(p.Sections) > 0 }) {
			k.Letter = ""
		}
		all = append(all, k)
	}
	return all
}

// Lessons are the numbers of a route's lessons in words.
func (k routeMark) Lessons() string {
	if k.Letter == "" {
		return "all lessons"
	}
	var numbers []string
	for _, p := range k.Parts {
		numbers = append(numbers, fmt.Sprint(p.Lesson))
	}
	last := len(numbers) - 1
	if last == 0 {
		return "lesson " + numbers[0]
	}
	return "lessons " + strings.Join(numbers[:last], ", ") + " and " + numbers[last]
}

// courseMap draws the map. Lessons that are written are links.
func (gp *guidePages) courseMap() template.HTML {
	if len(gp.guide.Path) == 0 {
		return ""
	}
	m := layOut(gp.guide.Path)
	height := m.levels[len(m.levels)-1][0].y + m.height + 1
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="map" viewBox="0 0 %d %.0f" role="group" aria-label="Map of the lessons, each below those that it needs" font-size="%g">`+"\n", mapWidth, height, mapFont)
	for _, l := range m.levels {
		for _, n := range l {
			if n.lesson == 0 {
				fmt.Fprintf(&b, `<path class="way" d="M%.1f %.1fv%.1f"/>`+"\n", n.x, n.y, m.height)
			}
			for _, to := range m.below[n] {
				from := n.y + m.height
				bend := from + (to.y-from)/2
				fmt.Fprintf(&b, `<path class="way" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"/>`+"\n", n.x, from, n.x, bend, to.x, bend, to.x, to.y)
			}
		}
	}
	routes := routeMarks(gp.guide)
	for _, s := range gp.guide.Path {
		b.WriteString(gp.box(m, s, routes))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// commas lists numbers: "1, 2".
func commas(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// box draws a lesson, with words for those who do not see it.
func (gp *guidePages) box(m *courseMap, s course.PathEntry, routes []routeMark) string {
	n := m.node[s.Number]
	label := fmt.Sprintf("%d %s", s.Number, s.Title)
	if len(s.Needs) > 0 {
		label += "; needs " + commas(s.Needs)
	}
	left, x := n.x-boxWidth/2, n.x+boxWidth/2-11
	var letters strings.Builder
	for _, r := range slices.Backward(routes) {
		if r.Letter != "" && slices.ContainsFunc(r.Parts, func(p course.RoutePart) bool { return p.Lesson == s.Number }) {
			fmt.Fprintf(&letters, `<circle class="mark" cx="%.1f" cy="%.1f" r="7.5"/><text class="letter" x="%.1f" y="%.1f" text-anchor="middle" aria-hidden="true">%s</text>`, x, n.y+12, x, n.y+16, html.EscapeString(r.Letter))
			label += "; in " + strings.ToLower(r.Title[:1]) + r.Title[1:]
			x -= 18
		}
	}
	var words strings.Builder
	for i, line := range titleLines(s.Title) {
		fmt.Fprintf(&words, ` <text x="%.1f" y="%.1f" aria-hidden="true">%s</text>`, left+8, n.y+float64(31+i*mapLine), html.EscapeString(line))
	}
	inner := fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="%d" height="%.1f" rx="6"/><text class="number" x="%.1f" y="%.1f" aria-hidden="true">%d</text>%s`,
		left, n.y, boxWidth, m.height, left+8, n.y+16, s.Number, words.String())
	if p := gp.pages[s.Number]; p != nil {
		return `<a href="` + html.EscapeString(p.Slug) + `.html" aria-label="` + html.EscapeString(label) + `">` + inner + "</a>" + letters.String() + "\n" // the label names the routes
	}
	return `<g class="later" role="img" aria-label="` + html.EscapeString(label) + `; to come">` + inner + letters.String() + "</g>\n"
}
