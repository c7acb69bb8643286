package scan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/svmkit/course/svmkit/internal/decimal"
)

// Foreign is the error of a source in a format that is neither CSV nor LIBSVM text.
type Foreign struct {
	Format string // with its article: "a Parquet file"
	Way    string // how to make a file that can be read
}

func (f *Foreign) Error() string { return f.Format + ": " + f.Way }

// inPython is the way for formats that pandas reads.
func inPython(read string) string {
	return fmt.Sprintf("convert it in Python: pandas.%s.to_csv(\"data.csv\", index=False)", read)
}

const viaSVMlight = `in Python write its rows X and labels y: ` +
	`sklearn.datasets.dump_svmlight_file(X, y, "data.libsvm", zero_based=False)`

var matrixMarket = Foreign{"a MatrixMarket file", "read it in Python by scipy.io.mmread; then " + viaSVMlight}

// magics are the first bytes of binary files. None of them starts a text that is a data file.
var magics = []struct {
	start string
	Foreign
}{
	{"\xfd7zXZ\x00", Foreign{"a file compressed with xz", "unpack it first: xz -d FILE"}},
	{"\x28\xb5\x2f\xfd", Foreign{"a file compressed with zstd", "unpack it first: zstd -d FILE"}},
	{"7z\xbc\xaf\x27\x1c", Foreign{"a 7-Zip archive", "unpack it first: 7z x FILE"}},
	{"PAR1\x15", Foreign{"a Parquet file", inPython(`read_parquet("data.parquet")`)}},
	{"ARROW1\x00", Foreign{"an Arrow file", inPython(`read_feather("data.arrow")`)}},
	{"\x89HDF\r\n\x1a\n", Foreign{"an HDF5 file", inPython(`read_hdf("data.h5")`)}},
	{"\xd0\xcf\x11\xe0", Foreign{"an old Excel workbook", "save it as CSV"}},
	{"\x93NUMPY", Foreign{"a NumPy array",
		`convert it in Python: numpy.savetxt("data.csv", numpy.load("data.npy"), delimiter=",")`}},
	{"\x80\x02", pickle}, {"\x80\x03", pickle}, {"\x80\x04\x95", pickle}, {"\x80\x05\x95", pickle},
	{"%%MatrixMarket", matrixMarket},
	{"\x89PNG", image}, {"\xff\xd8\xff", image}, {"GIF87a", image}, {"GIF89a", image}, {"%PDF-", Foreign{"a PDF file", "save its table as CSV"}},
	{"<!DOCTYPE", page}, {"<!doctype", page}, {"<html", page}, {"[{\"", Foreign{"a JSON file", inPython(`read_json("data.json")`)}},
	{"svmkit model ", Foreign{"a model file of svmkit", "give the file of the rows"}},
	{"PK\x03\x04", Foreign{"a zip archive", "unpack it first: unzip FILE"}},
}

var (
	image = Foreign{"an image", "give the file of the rows"}
	page  = Foreign{"a web page", "download the file itself"}
)

var pickle = Foreign{"a Python pickle", viaSVMlight}

// marks are the first bytes of files that a Source unpacks, and of text with a byte order mark.
var marks = func() []string {
	all := []string{"\x1f\x8b", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}
	for level := '1'; level <= '9'; level++ {
		all = append(all, "BZh"+string(level)+"1AY&SY", "BZh"+string(level)+"\x17rE8P\x90")
	}
	for _, m := range magics {
		all = append(all, m.start)
	}
	return all
}()

// fillHead reads as much of the text as tells whether it starts with one of the marks, and no more:
// a pipe may be slow.
func (s *Source) fillHead() {
	for s.undecided() && s.Fill() {
	}
}

func (s *Source) undecided() bool {
	for _, mark := range marks {
		if s.End < len(mark) && strings.HasPrefix(mark, string(s.Buf[:s.End])) {
			return true
		}
	}
	return false
}

// bzip2ed reports whether the text is compressed with bzip2.
func bzip2ed(head []byte) bool {
	return len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && '1' <= head[3] && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
}

// foreign returns the format of the source if it is none that is read, and nil otherwise.
func (s *Source) foreign() error {
	for _, m := range magics {
		switch {
		case !bytes.HasPrefix(s.Buf[s.Pos:s.End], []byte(m.start)):
		case m.start == "PK\x03\x04":
			return s.zipped(m.Foreign)
		default:
			return &m.Foreign
		}
	}
	if s.Pos < s.End && (s.Buf[s.Pos] == '%' || s.Buf[s.Pos] == '@') && s.isARFF() {
		return &Foreign{"an ARFF file", "put one line with the names of its attributes, and commas " +
			"between them, in place of all lines up to @data"}
	}
	return nil
}

// zipped tells apart the files that are zip archives by the name of their first part.
func (s *Source) zipped(archive Foreign) error {
	const header = 30 // bytes in front of the name
	for s.End < header+1<<10 && s.Fill() {
	}
	head := s.Buf[:s.End]
	if len(head) > header {
		name := string(head[header:min(len(head), header+int(binary.LittleEndian.Uint16(head[26:])))])
		switch {
		case name == "[Content_Types].xml", strings.HasPrefix(name, "xl/"), strings.HasPrefix(name, "_rels/"),
			strings.HasPrefix(name, "docProps/"):
			return &Foreign{"an Excel workbook", "save it as CSV, or " + inPython(`read_excel("data.xlsx")`)}
		case name == "mimetype":
			return &Foreign{"an OpenDocument file", "save it as CSV"}
		case strings.HasSuffix(name, ".npy"):
			return &Foreign{"an archive of NumPy arrays", "read it in Python by numpy.load; then " + viaSVMlight}
		}
	}
	return &archive
}

// isARFF reports whether the first line that is no comment begins with @relation.
func (s *Source) isARFF() bool {
	const relation = "@relation"
	for from := 0; ; {
		line, more := s.lineFrom(from)
		if len(bytes.TrimSpace(line)) > 0 && line[0] != '%' {
			return len(line) > len(relation) && bytes.EqualFold(line[:len(relation)], []byte(relation))
		}
		if !more {
			return false
		}
		from += len(line) + 1
	}
}

// VowpalWabbit returns the error for a line of one field if it is a line of Vowpal Wabbit, as in
// "1 |words a:2 b:0.5", and nil otherwise.
func VowpalWabbit(line []byte) error {
	label, features, found := bytes.Cut(line, []byte{'|'})
	if words := bytes.Fields(label); !found || len(words) > 0 && !number(words[0]) {
		return nil
	}
	for _, word := range bytes.Fields(features) {
		if _, value, pair := bytes.Cut(word, []byte{':'}); pair && number(value) {
			return &Foreign{"a Vowpal Wabbit file",
				"write each line as label index:value index:value …, with a number from 1 for the name of each feature"}
		}
	}
	return nil
}

func number(text []byte) bool {
	_, ok := decimal.Parse(text)
	return ok
}
