package site

import (
	"html/template"
	"regexp"

	"github.com/svmkit/course/lessons/internal/course"
)

// The page for lecturers: what each lesson is for, and the shorter ways with their sections.

// taught is a lesson with its tasks.
type taught struct {
	stop
	Tasks []heading
}

// routeRow is a way through the course with links to what it takes.
type routeRow struct {
	course.Route
	Rows []routePartRow
}

type routePartRow struct {
	course.RoutePart
	Stop  course.Stop
	Page  *page  // nil: to come
	Takes string // time
	Links []sectionLink
}

type sectionLink struct {
	Href  string
	Title template.HTML
}

var taskHeading = regexp.MustCompile(`^(?:Exercise|On paper) [0-9]`)

// taught lists the lessons of the path with the headings of their tasks.
func (gp *guidePages) taught() (lessons []taught) {
	stops, _, _, _ := gp.stops()
	for _, s := range stops {
		l := taught{stop: s}
		if s.Page != nil {
			for _, h := range s.Page.prose.Headings {
				if taskHeading.MatchString(plainText(h.Title)) {
					l.Tasks = append(l.Tasks, h)
				}
			}
		}
		lessons = append(lessons, l)
	}
	return lessons
}

// routes lists the shorter ways. A section that the page does not have, as that of a lesson to come, is named without a link.
func (gp *guidePages) routes() (rows []routeRow) {
	for _, r := range gp.guide.Routes {
		row := routeRow{Route: r}
		for _, part := range r.Parts {
			p := routePartRow{RoutePart: part, Stop: gp.guide.Path[part.Lesson-1], Page: gp.pages[part.Lesson]}
			switch {
			case part.Minutes > 0:
				p.Takes = duration(part.Minutes)
			case p.Page != nil && p.Page.Practice > 0:
				p.Takes = duration(p.Page.Reading) + " and " + duration(p.Page.Practice) + " of exercises"
			case p.Page != nil:
				p.Takes = duration(p.Page.Reading)
			}
			for _, name := range part.Sections {
				link := sectionLink{Title: line(name)}
				if p.Page != nil {
					link.Href = p.Page.section(link.Title)
				}
				p.Links = append(p.Links, link)
			}
			row.Rows = append(row.Rows, p)
		}
		rows = append(rows, row)
	}
	return rows
}

// section is the address of the section with a title; that of the page if there is none.
func (p *page) section(title template.HTML) string {
	for _, h := range p.prose.Headings {
		if plainText(h.Title) == plainText(title) {
			return p.Slug + ".html#" + h.ID
		}
	}
	return p.Slug + ".html"
}
