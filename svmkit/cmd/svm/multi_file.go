package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit/svm"
)

// The file of a model for K classes is text:
//
//	svmkit multi 1
//	strategy ovr                  (or ovo, cs)
//	classes 3
//	class "setosa"                (K lines; the class numbers are 0 … K−1 in this order)
//	class "versicolor"
//	class "virginica"
//	svmkit model 1                (the machines, each as svm.Model.Save writes it: one a class for
//	…                              ovr and cs; one a pair for ovo, 0–1, 0–2, …, 1–2, …)
//	end
//
// The line "end" of the last machine is the last of the file.
const multiFirstLine = "svmkit multi 1"

// save writes the model. A model that lacks a machine is not saved.
func (m *multiModel) save(w io.Writer) error {
	if len(m.machines) != m.size() {
		return fmt.Errorf("%d machines of %d: a model needs them all", len(m.machines), m.size())
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%s\nstrategy %s\nclasses %d\n", multiFirstLine, m.strategy, len(m.classes))
	for _, class := range m.classes {
		fmt.Fprintf(&head, "class %s\n", strconv.Quote(class))
	}
	if _, err := io.WriteString(w, head.String()); err != nil {
		return err
	}
	for _, k := range m.machines {
		if err := k.Save(w); err != nil {
			return err
		}
	}
	return nil
}

// loadAny reads a model file of either kind; the one that it is not is nil.
func (a *app) loadAny(name string) (*svm.Model, *multiModel, error) {
	file, err := a.openFile(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var single *svm.Model
	var multi *multiModel
	r := bufio.NewReader(file)
	const first = "svmkit multi"
	if start, _ := r.Peek(len(first)); string(start) == first { // an error of Peek comes back at the next read
		multi, err = loadMulti(r)
	} else {
		single, err = svm.Load(r)
	}
	var parse *svm.ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return single, multi, err
}

// loadMulti reads what save wrote. What is wrong in a file is a [*svm.ParseError]; memory stays in
// proportion to the length of the file.
func loadMulti(r io.Reader) (*multiModel, error) {
	t := &multiText{r: bufio.NewReader(r)}
	m := &multiModel{}
	if err := t.head(m); err != nil {
		return nil, err
	}
	for seat := range m.seats() {
		if err := t.machine(m, seat); err != nil {
			return nil, err
		}
	}
	return m, t.end()
}

// multiText is the text of a model file for K classes, line by line.
type multiText struct {
	r    *bufio.Reader
	line int    // number of the current line, from 1
	text string // the current line, without its end
}

// next moves to the next line. A last line without its newline counts as cut off.
func (t *multiText) next() error {
	text, err := t.r.ReadString('\n')
	t.line++
	t.text = strings.TrimRight(text, "\r\n")
	switch {
	case err == io.EOF:
		return t.wrong(svm.ErrTruncated, "")
	case err != nil:
		return &svm.ParseError{Line: t.line, Err: err}
	}
	return nil
}

// wrong is an error that concerns the current line.
func (t *multiText) wrong(cause error, need string) error {
	if need == "" {
		return &svm.ParseError{Line: t.line, Err: cause}
	}
	return &svm.ParseError{Line: t.line, Text: shortened(t.text), Err: fmt.Errorf("%w: %s", cause, need)}
}

func shortened(text string) string {
	if most := 40; len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// value moves to the next line, which must be "key value", and returns the value.
func (t *multiText) value(key string) (string, error) {
	if err := t.next(); err != nil {
		return "", err
	}
	value, ok := strings.CutPrefix(t.text, key+" ")
	if !ok {
		return "", t.wrong(svm.ErrMalformed, key+" expected")
	}
	return value, nil
}

func (t *multiText) head(m *multiModel) error {
	version, err := t.value("svmkit multi")
	if err != nil {
		return err
	}
	if version != "1" {
		return t.wrong(svm.ErrVersion, "")
	}
	if m.strategy, err = t.value("strategy"); err != nil {
		return err
	}
	if strategyTitles[m.strategy] == "" {
		return t.wrong(svm.ErrMalformed, "strategy is ovr, ovo or cs")
	}
	count, err := t.value("classes")
	if err != nil {
		return err
	}
	k, err := strconv.Atoi(count)
	if err != nil || k < 2 {
		return t.wrong(svm.ErrMalformed, "a number of classes, at least 2")
	}
	return t.classes(m, k)
}

// classes reads the lines `class "name"`.
func (t *multiText) classes(m *multiModel, k int) error {
	seen := map[string]bool{}
	for len(m.classes) < k {
		text, err := t.value("class")
		if err != nil {
			return err
		}
		name, err := strconv.Unquote(text)
		if err != nil || text[0] != '"' {
			return t.wrong(svm.ErrMalformed, "a name in double quotes")
		}
		if seen[name] {
			return t.wrong(svm.ErrMalformed, "this class was already named")
		}
		seen[name] = true
		m.classes = append(m.classes, name)
	}
	return nil
}

// machine reads the model of a seat.
func (t *multiText) machine(m *multiModel, seat machine) error {
	before := t.line
	section, err := t.section()
	if err != nil {
		return err
	}
	model, err := svm.Load(bytes.NewReader(section))
	var parse *svm.ParseError
	if errors.As(err, &parse) {
		parse.Line += before
	}
	if err != nil {
		return err
	}
	if reason := m.misfit(seat, model); reason != "" {
		return &svm.ParseError{Line: before + 1, Err: fmt.Errorf("%w: machine %d %s", svm.ErrMalformed, len(m.machines)+1, reason)}
	}
	seat.Model = model
	m.machines = append(m.machines, seat)
	return nil
}

// section returns the lines up to and with the next "end"; only the last line of a model
// can be that.
func (t *multiText) section() ([]byte, error) {
	var b bytes.Buffer
	for {
		if err := t.next(); err != nil {
			return nil, err
		}
		if b.Len() == 0 && !strings.HasPrefix(t.text, "svmkit model ") {
			return nil, t.wrong(svm.ErrMalformed, "svmkit model expected")
		}
		b.WriteString(t.text + "\n")
		if strings.TrimSpace(t.text) == "end" {
			return b.Bytes(), nil
		}
	}
}

// misfit says why a model cannot sit in a seat, or nothing.
func (m *multiModel) misfit(seat machine, model *svm.Model) string {
	switch {
	case model.Regression:
		return "is a regression"
	case !slices.Equal(model.Classes, m.names(seat)):
		return fmt.Sprintf("tells apart %q, not %q", model.Classes, m.names(seat))
	case len(m.machines) > 0 && model.Dim != m.machines[0].Dim:
		return fmt.Sprintf("has %d columns, the first one %d", model.Dim, m.machines[0].Dim)
	}
	return ""
}

// end is an error if anything but blank lines follows.
func (t *multiText) end() error {
	for {
		text, err := t.r.ReadString('\n')
		t.line++
		t.text = strings.TrimSpace(text)
		switch {
		case t.text != "":
			return t.wrong(svm.ErrMalformed, "the file should end here")
		case err == io.EOF:
			return nil
		case err != nil:
			return &svm.ParseError{Line: t.line, Err: err}
		}
	}
}
