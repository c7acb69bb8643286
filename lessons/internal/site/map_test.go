package site

import (
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
)

// The map of the real course: every lesson below all that it needs, boxes beside each other and within the width of a phone,
// no two lines that cross.
func TestMapOfTheCourse(t *testing.T) {
	guide, err := course.ReadGuide("../../..")
	if err != nil {
		t.Fatal(err)
	}
	m := layOut(guide.Path)
	for _, s := range guide.Path {
		for _, k := range s.Needs {
			if upper, lower := m.node[k], m.node[s.Number]; !(lower.y >= upper.y+m.height+levelGap) {
				t.Errorf("lesson %d at height %v does not stand below lesson %d at %v", s.Number, lower.y, k, upper.y)
			}
		}
	}
	length := 0.0
	for i, l := range m.levels {
		right := 0.0
		for _, n := range l {
			if !(n.x-n.width()/2 >= right && n.x+n.width()/2 <= mapWidth) {
				t.Errorf("level %d: lesson %d at %v ± %v, after %v", i, n.lesson, n.x, n.width()/2, right)
			}
			right = n.x + n.width()/2 + boxGap
			for _, to := range m.below[n] {
				length += math.Abs(n.x - to.x)
				if i+1 == len(m.levels) || !slices.Contains(m.levels[i+1], to) {
					t.Errorf("a line from lesson %d does not end on the next level", n.lesson)
				}
			}
		}
	}
	if cost := m.cost(); !(cost < length+mapWidth/2) {
		t.Errorf("lines cross: cost %v, length %v", cost, length)
	}
}

func TestDirectNeeds(t *testing.T) {
	path := []course.PathEntry{{Number: 1}, {Number: 2, Needs: []int{1}}, {Number: 3, Needs: []int{1, 2}}, {Number: 4, Needs: []int{1, 2, 3}}, {Number: 5, Needs: []int{1, 4}}}
	for number, want := range map[int][]int{1: {}, 2: {1}, 3: {2}, 4: {3}, 5: {4}} {
		if got := directNeeds(path, number); !slices.Equal(got, want) {
			t.Errorf("lesson %d: %v, want %v", number, got, want)
		}
	}
}

// On the front page a written lesson is a link, and every lesson has words for those who do not see the drawing.
func TestMapOnTheFrontPage(t *testing.T) {
	g, sources := guided(t)
	g.Path[0].Title = "The <first>: what it is, and why it comes first"
	g.Routes = []course.Route{
		{Name: "half", Title: "Half a day", About: "The start.", Parts: []course.RoutePart{{Lesson: 1, Minutes: 9, Sections: []string{"Later"}}, {Lesson: 2}}},
		{Name: "term", Title: "A term", About: "Slowly.", Parts: []course.RoutePart{{Lesson: 1}, {Lesson: 2}, {Lesson: 3}}},
	}
	page := buildGuided(t, g, sources)["index.html"]
	want(t, page, `<a href="01-first.html" aria-label="1 The &lt;first&gt;: what it is, and why it comes first; in half a day">`, `aria-hidden="true">The &lt;first&gt;</text>`,
		`<a href="02-second.html" aria-label="2 The second; needs 1; in half a day">`,
		`<g class="later" role="img" aria-label="3 The third; needs 1, 2; to come">`,
		"<strong>Half a day</strong>: lessons 1 and 2. The start.", "<strong>A term</strong>: all lessons. Slowly.", ">H</text>")
	reject(t, page, ">T</text>", ">what it is")
}
