package separate_test

import (
	"context"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/separate"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 50, badinput.Join(badSets(), badParameters(), oddSets(), nilCases()))
}

var ctx = context.Background()

// shared is a set that no call may change.
var shared = badinput.Good()

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "separate.Decide", Call: func(s *svmkit.Dataset) (any, error) { return separate.Decide(ctx, s, svmkit.FreeBias) }, Binary: true, Both: true},
	)
}

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("separate.Decide", "Bias", []float64{-1, 4}, func(v float64) (any, error) { return separate.Decide(ctx, shared, svmkit.Bias(v)) }),
	)
}

func oddSets() (cases []badinput.Case) {
	for _, odd := range badinput.OddSets {
		s := odd.Set()
		cases = append(cases, badinput.New(odd.Name+": separate.Decide", s, func() (any, error) {
			sep, err := separate.Decide(ctx, s, svmkit.FreeBias)
			if err == nil && sep.Answer != separate.Undecided {
				err = sep.Verify(s)
			}
			return sep, err
		}, badinput.OverflowOr(badinput.Fine)))
	}
	return cases
}

func nilCases() []badinput.Case {
	var noContext context.Context
	ended, cancel := context.WithCancel(ctx)
	cancel()
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, shared, call, want)
	}
	return []badinput.Case{
		c("separate.Decide: context", badinput.Param("ctx"), func() (any, error) { return separate.Decide(noContext, shared, svmkit.FreeBias) }),
		c("context ended: separate.Decide", badinput.Cancelled(context.Canceled), func() (any, error) { return separate.Decide(ended, shared, svmkit.FreeBias) }),
	}
}
