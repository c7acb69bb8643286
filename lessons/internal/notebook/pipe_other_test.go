//go:build !unix

package notebook

func makePipe(string) bool { return false }
