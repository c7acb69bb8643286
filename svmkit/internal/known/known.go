// Package known lists the names there are, for messages about a name that is not among them.
package known

import (
	"fmt"
	"strconv"
	"strings"
)

// Names returns the names in quotes, ten at most, and how many more there are.
func Names(names []string) string {
	const most = 10
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(name))
	}
	list := strings.Join(quoted, ", ")
	if more := len(names) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
