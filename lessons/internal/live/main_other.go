//go:build !js

package live

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

// Main answers each line of standard input, a name, a space and a request, with a line: for tests.
func (h Handlers) Main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, request, _ := bytes.Cut(lines.Bytes(), []byte(" "))
		fmt.Printf("%s\n", h.Answer(string(name), request))
	}
}
