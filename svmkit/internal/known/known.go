// Package known lists the names there are, for messages about a name that is not among them.
package known

import "fmt"

// Names returns the names in quotes, ten at most, and how many more there are.
func Names(names []string) string {
	const most = 10
	if len(names) <= most {
		return fmt.Sprintf("%q", names)
	}
	return fmt.Sprintf("%q and %d more", names[:most], len(names)-most)
}
