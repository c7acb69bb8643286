// Command assemble makes of cells the program that runs the last of them, see package cells:
//
//	assemble cells.json known main.go
//
// The first file holds an array of objects with "name" and "source", the second the packages that cells can
// import, one a line; the third is written. A fault of a cell is told as the compiler does it, a line of
// "name:line:column: message" each, with status 1. Pages run this command as WebAssembly, before the
// compiler and the linker.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"os"
	"strings"

	"github.com/svmkit/course/lessons/internal/cells"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: assemble cells.json known main.go")
		os.Exit(2)
	}
	err := run(os.Args[1], os.Args[2], os.Args[3])
	if faults := (scanner.ErrorList)(nil); errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Fprintln(os.Stderr, f)
		}
		os.Exit(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "assemble:", err)
		os.Exit(1)
	}
}

func run(cellsFile, knownFile, programFile string) error {
	text, err := os.ReadFile(cellsFile)
	if err != nil {
		return err
	}
	var all []cells.Cell
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s: %w", cellsFile, err)
	}
	known, err := os.ReadFile(knownFile)
	if err != nil {
		return err
	}
	program, err := cells.Assemble(all, strings.Fields(string(known)))
	if err != nil {
		return err
	}
	return os.WriteFile(programFile, []byte(program), 0o666)
}
