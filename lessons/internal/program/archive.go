package program

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
)

// The parts of an archive that the compiler writes, see cmd/internal/archive and cmd/internal/goobj:
// entries with a header of fixed size, of which the first holds what the compiler needs of a package that
// it imports, and the others objects for the linker.
const (
	archiveMagic = "!<arch>\n"
	entryHeader  = 60
	sizeAt       = 48 // in the header, ten decimal digits
	endOfText    = "\n!\n"
	objectMagic  = "\x00go120ld"
	blocksAt     = 20 // in the object, offsets of its parts
	indexBlock   = 11 // the first of three parts that hold growing offsets
	relocBlock   = 14 // the part after them
)

// table is a part of a file that holds numbers of 32 bits.
type table struct{ from, to int }

// slim makes an archive smaller when compressed. Unless cells can import the package, it drops what the
// compiler would read. The objects' tables of offsets become differences of neighbours; these tables are
// returned. What does not look as expected stays as it is.
func slim(archive []byte, importable bool) (slimmed []byte, tables []table) {
	if !bytes.HasPrefix(archive, []byte(archiveMagic)) {
		return archive, nil
	}
	slimmed = []byte(archiveMagic)
	rest := archive[len(archiveMagic):]
	for first := true; len(rest) > 0; first = false {
		if len(rest) < entryHeader {
			return archive, nil
		}
		header := bytes.Clone(rest[:entryHeader])
		size, err := strconv.Atoi(string(bytes.TrimSpace(header[sizeAt : sizeAt+10])))
		if err != nil || size < 0 || size > len(rest)-entryHeader {
			return archive, nil
		}
		content := bytes.Clone(rest[entryHeader : entryHeader+size])
		rest = rest[min(len(rest), entryHeader+size+size%2):]
		if first && !importable {
			content, _, _ = bytes.Cut(content, []byte("\n")) // names the version
			content = append(content, endOfText...)
			copy(header[sizeAt:], fmt.Sprintf("%-10d", len(content)))
		}
		slimmed = append(slimmed, header...)
		if t, ok := offsets(content); ok && !first {
			differences(content[t.from:t.to])
			tables = append(tables, table{len(slimmed) + t.from, len(slimmed) + t.to})
		}
		slimmed = append(slimmed, content...)
		if len(content)%2 == 1 {
			slimmed = append(slimmed, 0)
		}
	}
	return slimmed, tables
}

// offsets finds the offsets in an object.
func offsets(content []byte) (t table, ok bool) {
	_, object, _ := bytes.Cut(content, []byte(endOfText))
	if !bytes.HasPrefix(object, []byte(objectMagic)) || len(object) < blocksAt+4*(relocBlock+1) {
		return t, false
	}
	at := len(content) - len(object)
	block := func(i int) int { return at + int(binary.LittleEndian.Uint32(object[blocksAt+4*i:])) }
	t = table{block(indexBlock), block(relocBlock)}
	return t, at <= t.from && t.from <= t.to && t.to <= len(content) && (t.to-t.from)%4 == 0
}

// differences replaces numbers of 32 bits, but the first, by their differences from the one before.
func differences(table []byte) {
	for at := len(table) - 4; at >= 4; at -= 4 {
		number := table[at:]
		binary.LittleEndian.PutUint32(number, binary.LittleEndian.Uint32(number)-binary.LittleEndian.Uint32(table[at-4:]))
	}
}
