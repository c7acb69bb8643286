package machine_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/tools/internal/machine"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestLook(t *testing.T) {
	f := machine.Read()
	if f.Cores != runtime.NumCPU() || f.Go != runtime.Version() || f.CPU == "" || f.OS == "" {
		t.Errorf("%+v", f)
	}
	if runtime.GOOS == "linux" && (f.MemoryGB <= 0 || len(strings.Fields(f.Load)) != 3) {
		t.Errorf("Linux tells more than %+v", f)
	}
}
