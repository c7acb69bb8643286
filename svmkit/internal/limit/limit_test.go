package limit_test

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

func TestSize(t *testing.T) {
	power := 33
	if bits.UintSize == 32 {
		power = 27
	}
	most := 1 << (power - 3)
	for _, c := range []struct {
		n, dim int
		ok     bool
	}{
		{0, 1 << 30, true}, {1 << 3, most, true}, {1<<3 + 1, most, false}, {most, 1<<3 + 1, false},
	} {
		err := limit.Size(c.n, c.dim)
		var param *svmkit.ParamError
		if c.ok != (err == nil) || !c.ok && (!errors.As(err, &param) || !strings.Contains(param.Need, fmt.Sprint("must not exceed 2^", power))) {
			t.Errorf("%d rows of %d columns: %v", c.n, c.dim, err)
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
