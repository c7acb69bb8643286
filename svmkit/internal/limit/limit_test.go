package limit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

func TestSize(t *testing.T) {
	for _, c := range []struct {
		n, dim int
		ok     bool
	}{
		{0, 1 << 30, true}, {1 << 3, 1 << 30, true}, {1<<3 + 1, 1 << 30, false}, {1 << 30, 1<<3 + 1, false},
	} {
		err := limit.Size(c.n, c.dim)
		var param *svmkit.ParamError
		if c.ok != (err == nil) || !c.ok && (!errors.As(err, &param) || !strings.Contains(param.Need, "must not exceed 2^33")) {
			t.Errorf("%d rows of %d columns: %v", c.n, c.dim, err)
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
