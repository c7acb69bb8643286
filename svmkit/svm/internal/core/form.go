package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// Form is what a solver must know about a problem to tell whether it can solve it: the losses,
// the kernel and the bias, but no rows.
type Form struct {
	Kind     Kind // of all losses
	Kernel   kernel.Kernel
	Bias     svmkit.Bias // never 0
	Hard     bool        // the margin is hard: all costs are infinite
	TwoSided bool        // the range of scores has two edges, as in regression
	Dim      int         // columns; 0 if there are no data yet
}

// Form returns the form of a problem whose parameters are valid. Data may be nil.
func (p *Problem) Form() Form {
	f := Form{Kernel: p.Kernel, Bias: p.Bias.Or(svmkit.FreeBias), Hard: math.IsInf(p.C.C, 1),
		TwoSided: p.Regression()}
	switch p.Loss.(type) {
	case loss.SquaredHinge, loss.SquaredEpsInsensitive:
		f.Kind = Squared
	case loss.Logistic:
		f.Kind = Logistic
	}
	if p.Data != nil {
		f.Dim = p.Data.Dim
	}
	return f
}

// Unknowns returns the length of (w, b): d, or d + 1 with a bias.
func (f *Form) Unknowns() int {
	if f.Bias == svmkit.NoBias {
		return f.Dim
	}
	return f.Dim + 1
}

// Gaussian reports whether the kernel is the RBF kernel.
func (f *Form) Gaussian() bool {
	_, is := f.Kernel.(kernel.RBF)
	return is
}

// Definite reports whether the kernel counts as positive semidefinite, see [kernel.IsDefinite].
func (f *Form) Definite() bool { return kernel.IsDefinite(f.Kernel) }

// Linear reports whether the kernel is linear.
func (f *Form) Linear() bool { return kernel.IsLinear(f.Kernel) }
