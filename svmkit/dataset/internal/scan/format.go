package scan

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit/internal/decimal"
)

// IsLIBSVM reports whether the window holds LIBSVM text. It consumes nothing, and it reads no
// further than the first line that decides, because a pipe may be slow.
func (s *Source) IsLIBSVM() bool {
	for from := 0; ; {
		line, more := s.lineFrom(from)
		if yes, told := lineOfLIBSVM(line); told || !more {
			return yes
		}
		from += len(line) + 1
	}
}

// lineOfLIBSVM reports whether a line is of a LIBSVM file, and whether it decides.
func lineOfLIBSVM(line []byte) (yes, told bool) {
	if k := bytes.IndexByte(line, '#'); k >= 0 {
		line = line[:k]
	}
	words := bytes.Fields(line)
	if len(words) > 0 && bytes.ContainsAny(words[0], `,;"`) && !(len(words) > 1 && numbers(words[0])) {
		return false, true
	}
	if len(words) == 1 && isPair(words[0]) { // one feature, and no label
		return true, true
	}
	if len(words) < 2 { // a row without features does not decide
		return false, false
	}
	index, value, found := bytes.Cut(words[1], []byte(":"))
	if string(index) == "qid" {
		return found, true
	}
	_, indexOK := decimal.Parse(index)
	// The reader reports a value that is no number, unless a separator makes the line CSV. The comma
	// in "1 1:0,5 2:0,7" is none, because another pair follows the number.
	_, comma := decimal.Parse(bytes.Replace(value, []byte{','}, []byte{'.'}, 1))
	comma = comma && len(words) > 2 && bytes.IndexByte(words[2], ':') > 0
	return found && indexOK && (comma || !bytes.ContainsAny(value, `,;"`)), true
}

// StartsWithPairs reports whether the first line that is no comment holds a label and pairs, as no
// line of names does. It consumes nothing.
func (s *Source) StartsWithPairs() bool {
	line, more := s.lineFrom(0)
	for from := 0; more && (len(bytes.TrimSpace(line)) == 0 || line[0] == '#'); line, more = s.lineFrom(from) {
		from += len(line) + 1
	}
	words := bytes.Fields(line)
	for k, word := range words {
		switch index, _, pair := bytes.Cut(word, []byte(":")); {
		case k == 0 && pair, bytes.ContainsAny(word, `,;"`):
			return false
		case k == 1 && !(pair && (string(index) == "qid" || number(index))):
			return false
		case k > 1 && !pair && !number(word):
			return false
		}
	}
	return len(words) > 1
}

// lineFrom returns the line that starts n bytes behind Pos, as far as it is in the window, and
// whether another line may follow.
func (s *Source) lineFrom(n int) (line []byte, more bool) {
	for {
		line = s.Buf[s.Pos+n : s.End]
		if k := bytes.IndexByte(line, '\n'); k >= 0 {
			return line[:k], true
		}
		if !s.Fill() {
			return s.Buf[s.Pos+n : s.End], false
		}
	}
}

// isPair reports whether a word is an index from 0 with a number.
func isPair(word []byte) bool {
	index, value, _ := bytes.Cut(word, []byte(":"))
	_, ok := decimal.Parse(value)
	return ok && len(index) > 0 && len(bytes.Trim(index, "0123456789")) == 0
}

// numbers reports whether a word is numbers with commas between them. These are several labels,
// which the LIBSVM reader refuses in its own words.
func numbers(word []byte) bool {
	for part := range bytes.SplitSeq(word, []byte{','}) {
		if _, ok := decimal.Parse(part); !ok {
			return false
		}
	}
	return true
}

// WordEnd holds for the characters that end a word: blanks, control characters and the comment
// sign.
var WordEnd = func() (end [256]bool) {
	for c := range ' ' + 1 {
		end[c] = true
	}
	end['#'] = true
	return end
}()

// LikeNames reports whether the numbers of a line look like names of columns: 0, 1, …, or three or
// more whole numbers at equal distances, or years. zero says that they begin with 0, 1.
func LikeNames(line []Field) (names, zero bool) {
	var v []int
	for _, f := range line {
		if x, err := strconv.ParseUint(string(f.Text), 10, 31); err == nil {
			v = append(v, int(x))
		} else if _, ok := decimal.Parse(f.Text); ok {
			return false, false
		}
	}
	years, steps := len(v) > 0, len(v) > 0
	for k, x := range v {
		years = years && 1800 <= x && x < 2200 && !slices.Contains(v[:k], x)
		steps = steps && (k == 0 || x != v[0] && x-v[k-1] == v[1]-v[0])
	}
	zero = steps && v[0] == 0 && (len(v) == 1 || v[1] == 1)
	return years || zero || steps && len(v) > 2, zero
}
