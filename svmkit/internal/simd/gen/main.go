// Command gen writes the assembly of package simd and its Go declarations, with avo:
//
//	go generate ./svmkit/internal/simd
//
// It is a module of its own, so that users of the library do not download avo. Its test fails if
// the committed files differ from what it writes.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// A file is one assembly file, name_amd64.s.
type file struct {
	name  string
	write func(*asm)
}

var files = []file{
	{"dense", func(a *asm) { a.dot(); a.axpy(); a.mulRows() }},
	{"sparse", func(a *asm) { a.mulSparse(); a.prefetch(); a.prefetchTwo() }},
	{"outer", func(a *asm) { a.addOuter() }},
	{"ramp", func(a *asm) {
		a.rampSlope()
		a.rampMove()
		a.squareMove()
		a.rampValues(kind{avx512, false})
		a.rampValues(kind{avx2, false})
	}},
	{"tile", func(a *asm) {
		for _, w := range []width{avx512, avx2} {
			a.gaussSums(kind{w, true})
			a.gaussBlock(kind{w, true})
			a.gaussSums(kind{w, false})
			a.gaussBoth(kind{w, false})
		}
	}},
	{"sparsetile", func(a *asm) {
		for _, w := range []width{avx512, avx2} {
			a.sparseSums(kind{w, true})
			a.sparseBlock(kind{w, true})
			a.sparseSums(kind{w, false})
		}
	}},
	{"pair", func(a *asm) {
		for _, w := range []width{avx512, avx2} {
			a.movePair(kind{w, false})
			a.bestPartner(kind{w, false})
		}
	}},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gen FOLDER")
	}
	contents, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// declarations is the file with the Go declarations of all assembly.
const declarations = "declarations_amd64.go"

// generate returns the contents of all files by their names.
func generate() (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, f := range files {
		text, stubs, err := f.generate()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		contents[f.name+"_amd64.s"] = text
		if header := []byte("package simd\n"); contents[declarations] != nil {
			_, stubs, _ = bytes.Cut(stubs, header)
		}
		contents[declarations] = append(contents[declarations], stubs...)
	}
	return contents, nil
}

// generate returns the assembly and the Go declarations of one file.
func (f file) generate() (text, stubs []byte, err error) {
	a := &asm{Context: build.NewContext(), tables: map[string]operand.Mem{}}
	a.ConstraintExpr("amd64,!purego")
	f.write(a)
	program, err := a.Result()
	if err != nil {
		return nil, nil, err
	}
	if err := pass.Compile.Execute(program); err != nil {
		return nil, nil, err
	}
	config := printer.Config{Name: "svmkit/internal/simd/gen", Pkg: "simd"}
	if text, err = printer.NewGoAsm(config).Print(program); err != nil {
		return nil, nil, err
	}
	stubs, err = printer.NewStubs(config).Print(program)
	return text, stubs, err
}

// asm is avo's builder of one file, with everything that all kernels share.
type asm struct {
	*build.Context
	tables map[string]operand.Mem     // see table
	pinned map[float64]reg.VecVirtual // see pin
}

// function begins a function that does not keep its arguments. Its documentation may be left out if
// its name says all.
func (a *asm) function(name, signature string, doc ...string) {
	a.Function(name)
	a.pinned = map[float64]reg.VecVirtual{}
	a.Attributes(attr.NOSPLIT)
	a.Pragma("noescape")
	a.SignatureExpr(signature)
	if len(doc) > 0 {
		a.Doc(append([]string{name + " " + doc[0]}, doc[1:]...)...)
	}
}

// argument returns the place of a parameter in memory.
func (a *asm) argument(name string) operand.Mem {
	b, err := a.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// base loads the address where a slice begins.
func (a *asm) base(name string) reg.GPVirtual {
	return a.Load(a.Param(name).Base(), a.GP64()).(reg.GPVirtual)
}
