package reading_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/tools/internal/peers/reading"
)

// peers are the readers of LIBSVM and LIBLINEAR: the real ones, in their own programs.
func peers(t testing.TB) map[string]*reading.Reader {
	readers := map[string]*reading.Reader{}
	for _, program := range []string{reading.LIBSVM, reading.LIBLINEAR} {
		r, err := reading.New(t.TempDir(), program)
		if errors.Is(err, reading.ErrMissing) && os.Getenv("CI") != "true" {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		readers[program] = r
	}
	return readers
}

// read reads a text as a LIBSVM file of targets.
func read(text string) (*svmkit.Dataset, error) {
	o := &dataset.LIBSVMOptions{Labels: dataset.Labels{Task: dataset.Regression}}
	return dataset.ReadLIBSVM(context.Background(), strings.NewReader(text), o)
}

// plain is a line of the format as the peers' manuals describe it. What is plain and accepted by a
// peer is accepted by us; the other texts that they accept are in strict.
var plain = func() *regexp.Regexp {
	const number = `[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`
	return regexp.MustCompile(`^[ \t]*` + number + `([ \t]+0*[1-9]\d{0,8}:[ \t]*` + number + `)*[ \t]*\r?$`)
}()

// strict is what the peers take and we refuse on purpose; see the documentation of LIBSVM.
var strict = []error{
	svmkit.ErrNotFinite,  // inf and infinity; a label beyond 1.8e308, which is inf for them
	dataset.ErrMissing,   // nan
	dataset.ErrNotNumber, // hexadecimal numbers
	dataset.ErrColumn,    // index 0 without ZeroBased; indices from 2³¹ on, which they take modulo 2³²
	dataset.ErrPair,      // text after the last pair, signs and blanks in an index, colons too many, control characters
	dataset.ErrOrder,     // the index of a last pair without a value, which they drop unseen
	dataset.ErrReturn,    // a carriage return inside a line
	dataset.ErrQueryID,   // the word "qid:" at the end of a file
	dataset.ErrTooLong,   // a word of more than 65536 bytes
	svmkit.ErrEmpty,      // a file without rows
	svmkit.ErrNoColumns,  // rows without any feature
}

// plainStrict is the part of strict that plain lines can meet.
var plainStrict = []error{svmkit.ErrNotFinite, dataset.ErrTooLong, svmkit.ErrEmpty, svmkit.ErrNoColumns}

// agree fails if a peer reads a text and we read something else from it, or refuse it for no reason.
// It reports whether the peer and we both took the text.
func agree(t testing.TB, program string, peer *reading.Reader, text string) bool {
	t.Helper()
	theirs, err := peer.Read(text)
	if errors.Is(err, reading.ErrRejected) || errors.Is(err, reading.ErrCrashed) {
		return false
	} else if err != nil {
		t.Fatal(err)
	}
	ours, err := read(text)
	if err != nil {
		reasons := plainStrict
		for line := range strings.Lines(text) {
			if !plain.MatchString(strings.TrimSuffix(line, "\n")) {
				reasons = strict
			}
		}
		if !slices.ContainsFunc(reasons, func(reason error) bool { return errors.Is(err, reason) }) {
			t.Fatalf("%s reads %q as %v, we: %v", program, text, theirs, err)
		}
		return false
	}
	same := slices.EqualFunc(ours.X, theirs, func(x svmkit.Row, z reading.Row) bool {
		return slices.EqualFunc(x.Index, z.Index, func(a, b int32) bool { return a+1 == b }) && slices.EqualFunc(x.Value, z.Value, sameBits)
	}) && slices.EqualFunc(ours.Y, theirs, func(y float64, z reading.Row) bool { return y == z.Label })
	if !same {
		t.Fatalf("%s reads %q as %v, we as %+v", program, text, theirs, ours)
	}
	return true
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// drawText puts a few lines together from what the format is made of and, in half of all texts, from
// what spoils it.
func drawText(rng *rand.Rand) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	spoiled := rng.IntN(2) == 0
	spoil := func(good string, bad ...string) string {
		if spoiled && rng.IntN(15) == 0 {
			return pick(bad...)
		}
		return good
	}
	number := func() string {
		if rng.IntN(3) > 0 {
			v := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
			return strconv.FormatFloat(v, "gefG"[rng.IntN(4)], rng.IntN(20)-1, 64)
		}
		return pick("0", "-0", "1.", ".5", "+3", "007", "1e5", "1E-5", "1e+2", "2.2250738585072014e-308", "1.7976931348623157e308",
			"9007199254740993", "123456789012345678901234567890", "0.30000000000000004", "-1e-30")
	}
	notNumber := []string{"4.9e-324", "1e999", "-1e-999", "nan", "inf", "-Infinity", "0x1p-3", "0x", "1e", "1_0", "", "x", "1:2"}
	var b strings.Builder
	for range 1 + rng.IntN(4) {
		b.WriteString(pick("", "", "", " ", "\t") + spoil(pick("1", "-1", number()), notNumber...))
		index := 0
		for range rng.IntN(6) {
			index += 1 + rng.IntN(1<<rng.IntN(28))
			b.WriteString(pick(" ", " ", "  ", "\t", " \t ") + pick("", "", "0") +
				spoil(strconv.Itoa(index), "0", "-1", "+7", "2147483647", "2147483648", "4294967299", "18446744073709551617", "1 ", "qid", "", "#") +
				spoil(":", ": ", "::", "") + spoil(number(), notNumber...))
		}
		b.WriteString(pick("", "", " ", "\t ") + spoil("", "\r", " \r", "\r\r", "\r 3000000000:1", "\r7", " # words", "#", " # 1:2", " words", "\v", "\f9", "\x01"))
		b.WriteString(spoil("\n", "\n\n", "\r\n", "\n# words\n", ""))
	}
	text := b.String()
	if rng.IntN(4) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	return text
}

// texts is how many texts and sets the readers are compared on.
func texts() int {
	switch {
	case os.Getenv("SVMKIT_RELIABILITY") == "full":
		return 20_000
	case testing.Short():
		return 60
	}
	return 300
}

// What LIBSVM's and LIBLINEAR's own readers accept we read the same, in every bit.
func TestReliabilityReadsAsThePeersDo(t *testing.T) {
	readers := peers(t)
	for program, peer := range readers {
		rng := rand.New(rand.NewPCG(1, 0))
		both := 0
		for range texts() {
			if agree(t, program, peer, drawText(rng)) {
				both++
			}
		}
		if both < texts()/4 {
			t.Errorf("%s and we both read only %d of %d texts: the comparison is empty", program, both, texts())
		}
		t.Attr("texts-that-"+program+"-and-we-read", fmt.Sprintf("%d of %d", both, texts()))
	}
}

// A known text for each thing that the documentation of LIBSVM says the peers take and we do not.
func TestStricterThanThePeers(t *testing.T) {
	readers := peers(t)
	for _, c := range []struct {
		text  string
		cause error
	}{
		{"1 1:nan\n", dataset.ErrMissing},
		{"1 1:inf\n", svmkit.ErrNotFinite},
		{"1e999 1:1\n", svmkit.ErrNotFinite},
		{"1 1:0x10\n", dataset.ErrNotNumber},
		{"0x10 1:1\n", dataset.ErrNotNumber},
		{"1 0:1\n", dataset.ErrColumn},
		{"1 4294967299:1\n", dataset.ErrColumn},
		{"1 +1:2\n", dataset.ErrPair},
		{"1 :1:2\n", dataset.ErrPair},
		{"1 1:2 words\n", dataset.ErrPair},
		{"1 1:2\r3:4\n", dataset.ErrReturn},
		{"1 1:2\f3:4\n", dataset.ErrPair},
		{"1\n-1\n", svmkit.ErrNoColumns},
		{"", svmkit.ErrEmpty},
	} {
		for program, peer := range readers {
			if _, err := peer.Read(c.text); err != nil && !(program == reading.LIBLINEAR && c.text == "1 0:1\n") { // it counts from 1
				t.Errorf("%s does not read %q: %v", program, c.text, err)
			}
		}
		_, err := read(c.text)
		if !errors.Is(err, c.cause) {
			t.Errorf("%q: %v, want %v", c.text, err, c.cause)
		}
	}
}

// What we write LIBSVM and LIBLINEAR read, in every bit, but for numbers below 2.2e-308: they take
// those for mistakes.
func TestReliabilityPeersReadWhatWeWrite(t *testing.T) {
	readers := peers(t)
	rng := rand.New(rand.NewPCG(2, 0))
	for range texts() / 3 {
		set := drawNumbers(rng)
		var text strings.Builder
		if err := dataset.WriteLIBSVM(&text, set); err != nil {
			t.Fatal(err)
		}
		for program, peer := range readers {
			theirs, err := peer.Read(text.String())
			if err != nil {
				t.Fatalf("%s does not read what we wrote: %v\n%s", program, err, text.String())
			}
			same := slices.EqualFunc(set.X, theirs, func(x svmkit.Row, z reading.Row) bool {
				k := 0
				for j, v := range x.Value {
					if x.Index == nil && math.Float64bits(v) == 0 {
						continue
					}
					if x.Index != nil {
						j = int(x.Index[j])
					}
					if k == len(z.Index) || int(z.Index[k]) != j+1 || !sameBits(v, z.Value[k]) {
						return false
					}
					k++
				}
				return k == len(z.Index)
			}) && slices.EqualFunc(set.Y, theirs, func(y float64, z reading.Row) bool { return y == z.Label })
			if !same {
				t.Fatalf("%s reads other numbers than we wrote:\n%s%v", program, text.String(), theirs)
			}
		}
	}
	t.Attr("sets-that-the-peers-read", strconv.Itoa(texts()/3))
}

// drawNumbers is a set, dense or sparse, with normal numbers of every size.
func drawNumbers(rng *rand.Rand) *svmkit.Dataset {
	const smallest = 2.2250738585072014e-308
	value := func() float64 {
		v := math.Float64frombits(rng.Uint64())
		if v-v != 0 || math.Abs(v) < smallest {
			return []float64{0, math.Copysign(0, -1), 1, -0.1, math.MaxFloat64, smallest}[rng.IntN(6)]
		}
		return v
	}
	n, d := 1+rng.IntN(5), 1+rng.IntN(6)
	set := &svmkit.Dataset{Dim: d}
	dense := rng.IntN(2) == 0
	for range n {
		x := svmkit.Row{Value: make([]float64, d)}
		for j := range x.Value {
			x.Value[j] = value()
		}
		if !dense {
			x.Value, x.Index = x.Value[:rng.IntN(d+1)], []int32{}
			column := -1
			for range x.Value {
				column += 1 + rng.IntN(1<<rng.IntN(26))
				x.Index = append(x.Index, int32(column))
			}
			set.Dim = max(set.Dim, column+1)
		}
		set.X, set.Y = append(set.X, x), append(set.Y, value())
	}
	return set
}

// FuzzPeersRead compares our reader with LIBSVM's and LIBLINEAR's on any text.
func FuzzPeersRead(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 6 {
		f.Add(drawText(rng))
	}
	readers := peers(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\x00") {
			t.Skip("the peers' readers work with C strings: they join the lines around a zero byte")
		}
		for program, peer := range readers {
			agree(t, program, peer, text)
		}
	})
}
