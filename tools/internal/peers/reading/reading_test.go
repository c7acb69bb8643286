package reading_test

import (
	"errors"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/tools/internal/peers/reading"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// Each program shows the very bits that it has read, and says what it rejects.
func TestReadersShowBits(t *testing.T) {
	for _, program := range []string{reading.LIBSVM, reading.LIBLINEAR} {
		r, err := reading.New(t.TempDir(), program)
		if errors.Is(err, reading.ErrMissing) && os.Getenv("CI") != "true" {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := r.Read("-1.5\n2 1:0.1 7:-1e300\n0x1p-3 2147483647:2.2250738585072014e-308\n")
		want := []reading.Row{
			{Label: -1.5},
			{Label: 2, Index: []int32{1, 7}, Value: []float64{0.1, -1e300}},
			{Label: 0.125, Index: []int32{math.MaxInt32}, Value: []float64{0x1p-1022}},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", program, got, err, want)
		}
		for _, text := range []string{"\n", "a 1:2\n", "1 2:1 1:1\n", "1 1:x\n"} {
			if rows, err := r.Read(text); !errors.Is(err, reading.ErrRejected) {
				t.Errorf("%s: %q gives %v, %v", program, text, rows, err)
			}
		}
	}
}
