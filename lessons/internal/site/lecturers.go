package site

import (
	"html/template"
	"regexp"
)

// What the page for lecturers says of a lesson beside what the front page says.

var taskHeading = regexp.MustCompile(`^(?:Exercise|On paper) [0-9]`)

// Tasks are the headings of the lesson's tasks.
func (p *page) Tasks() (tasks []heading) {
	for _, h := range p.prose.Headings {
		if taskHeading.MatchString(plainText(h.Title)) {
			tasks = append(tasks, h)
		}
	}
	return tasks
}

// Takes is the time for the whole lesson.
func (p *page) Takes() string {
	if p.Practice > 0 {
		return duration(p.Reading) + " and " + duration(p.Practice) + " of exercises"
	}
	return duration(p.Reading)
}

// Section is the address of the section with a title; that of the page if there is none.
func (p *page) Section(title template.HTML) string {
	for _, h := range p.prose.Headings {
		if plainText(h.Title) == plainText(title) {
			return p.Slug + ".html#" + h.ID
		}
	}
	return p.Slug + ".html"
}
