//go:build peers

package docs

func init() { theirs = true }
