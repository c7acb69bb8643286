package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/svmkit/course/internal/cli"
)

// Whoever waits for a fit sees its gap, or what the solver has in its place, whatever the kind of the fit.
func TestProgressShowsTheGap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var b, targets, kinds strings.Builder
	for range 1500 {
		var x strings.Builder
		sum := 0.0
		for j := range 8 {
			v := rng.NormFloat64()
			sum += v * float64(j%3)
			fmt.Fprintf(&x, " %d:%.3f", j+1, v)
		}
		noise := sum + 2*rng.NormFloat64()
		fmt.Fprintf(&b, "%d%s\n", map[bool]int{true: 1, false: -1}[noise > 0], &x)
		fmt.Fprintf(&targets, "%.3f%s\n", noise, &x)
		fmt.Fprintf(&kinds, "%d%s\n", min(3, max(0, int(noise+2))), &x)
	}
	two, regression, four := file(t, "two", b.String()), file(t, "targets", targets.String()), file(t, "four", kinds.String())
	for _, c := range []struct{ args, data, shows string }{
		{"train -kernel poly -degree 3 -C 1e5", border("slow-poly.csv"), "relative gap about"},
		{"train -kernel poly -C 1e4", two, "relative gap"},
		{"train -kernel poly -C 1e4 -bias penalized", two, "relative gap"},
		{"train -kernel rbf -C 1e4 -tol 1e-9", two, "relative gap"},
		{"train -kernel rbf -solver decomposition -C 1e4 -tol 1e-9", two, "relative gap"},
		{"train -kernel laplacian -C 1e3 -tol 1e-9", two, "relative gap"},
		{"train -kernel rbf -loss squared-hinge -C 1e3 -tol 1e-9", two, "relative gap"},
		{"train -kernel sigmoid -gamma 1 -C 100 -tol 1e-9", two, "KKT violation"},
		{"train -kernel rbf -C inf -tol 1e-9", two, ", "}, // the violation, or at the end the gap
		{"train -kernel poly -loss eps-insensitive -C 1e4 -tol 1e-9", regression, "relative gap"},
		{"train -C 1e4 -tol 1e-9", two, "relative gap"},
		{"train -loss logistic -tol 1e-12", two, "relative gap"},
		{"train -loss squared-hinge -solver newton -tol 1e-12", two, "relative gap"},
		{"train -solver pegasos -bias none -tol 1e-9", two, "relative gap"},
		{"train -solver dcd -C 1e4 -tol 1e-9", two, "relative gap"},
		{"train -multi cs -C 1e3 -tol 1e-9", four, "relative gap"},
		{"train -multi ovo -kernel poly -C 1e4", four, " of 6 models; iteration"},
		{"train -multi ovr -kernel poly -C 1e4", four, "relative gap"},
		{"train -scale standardize -kernel rbf -C 1e4 -tol 1e-9", border("class-of-three.csv"), "relative gap"},
		{"train -probability -tol 1e-9", two, " of 5 folds; iteration"},
		{"cv -kernel poly -C 1e4", two, " of 5 folds; iteration"},
		{"cv -kernel poly -C 1e4", two, "relative gap"},
		{"grid -kernel poly -C 1e4,1e5", two, " of 10 fits; iteration"},
		{"grid -kernel poly -C 1e4,1e5", two, "relative gap"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var mutex sync.Mutex
		var seen []string
		found := false
		hook := func(text string) {
			mutex.Lock()
			defer mutex.Unlock()
			seen = append(seen, text)
			if found = found || strings.Contains(text, c.shows); found || len(seen) > 40 {
				cancel()
			}
		}
		a := &app{ctx: ctx, out: io.Discard, err: io.Discard, progress: &cli.Progress{Hook: hook}}
		a.exit(a.command(append(strings.Fields(c.args), c.data)))
		cancel()
		if !found {
			t.Errorf("svm %s: no %q in %q", c.args, c.shows, seen[:min(len(seen), 8)])
		}
	}
}
