package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// ColumnErrors reports all unusable columns of a table, if there are two or more.
type ColumnErrors struct {
	// Fields holds the first such field of each column, in the order of the columns.
	Fields []*dataset.FieldError
}

// Error names all columns with the same cause together.
func (e *ColumnErrors) Error() string {
	var b strings.Builder
	b.WriteString("svmkit: ")
	if name := e.Fields[0].Name; name != "" {
		b.WriteString(name + ": ")
	}
	for k, group := range e.Groups() {
		if k > 0 {
			b.WriteString("; ")
		}
		var names []string
		for _, f := range group {
			names = append(names, f.Column)
		}
		where := fmt.Sprintf(" in column %q", names[0])
		if len(names) > 1 {
			where = fmt.Sprintf(" in the columns %q", names)
		}
		b.WriteString(svmkit.Describe(group[0].Err, where+Example(group[0])))
	}
	return b.String()
}

// Unwrap returns the errors of the columns.
func (e *ColumnErrors) Unwrap() []error {
	all := make([]error, len(e.Fields))
	for k, f := range e.Fields {
		all[k] = f
	}
	return all
}

// Groups returns groups of fields with equal causes, in the order of their first fields.
func (e *ColumnErrors) Groups() (groups [][]*dataset.FieldError) {
	for _, f := range e.Fields {
		k := slices.IndexFunc(groups, func(g []*dataset.FieldError) bool { return g[0].Err == f.Err })
		if k < 0 {
			k, groups = len(groups), append(groups, nil)
		}
		groups[k] = append(groups[k], f)
	}
	return groups
}

// Example returns the place and the text of a field, as in `, as "u" in line 2`. It is "" for an
// error of a whole column.
func Example(f *dataset.FieldError) string {
	switch {
	case f.Line > 0:
		return fmt.Sprintf(", as %q in line %d", f.Text, f.Line)
	case f.Row >= 0:
		return fmt.Sprintf(", as %q in row %d", f.Text, f.Row)
	}
	return ""
}

// Join returns the first error of each column as one error.
//
// The result is nil without an error, the error itself if there is one, and a [*ColumnErrors]
// otherwise.
func Join(fields []*dataset.FieldError) error {
	seen := map[string]bool{}
	var firsts []*dataset.FieldError
	for _, f := range fields {
		if !seen[f.Column] {
			seen[f.Column], firsts = true, append(firsts, f)
		}
	}
	switch len(firsts) {
	case 0:
		return nil
	case 1:
		return firsts[0]
	}
	return &ColumnErrors{firsts}
}
