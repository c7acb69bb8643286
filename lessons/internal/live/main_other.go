//go:build !js

package live

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

// Main answers lines of standard input, each a name, a space and a request, with a line of standard output: what the
// program says in a browser, for tests.
func (f Functions) Main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, request, _ := bytes.Cut(lines.Bytes(), []byte(" "))
		fmt.Printf("%s\n", f.Answer(string(name), request))
	}
}
