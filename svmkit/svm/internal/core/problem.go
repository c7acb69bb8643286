package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// Problem is the problem of package svm, which documents the fields.
type Problem struct {
	Data   *svmkit.Dataset
	Loss   loss.Trainable
	Kernel kernel.Kernel
	C      Cost
	Bias   svmkit.Bias
	Nu     float64 // ν of a one-class problem, which has no loss, cost or bias; otherwise 0
}

// Cost is the cost of one unit of loss at each row.
type Cost struct {
	C                  float64
	Positive, Negative float64
}

// Regression reports whether Y holds targets and not labels.
func (p *Problem) Regression() bool {
	switch p.Loss.(type) {
	case loss.EpsInsensitive, loss.SquaredEpsInsensitive:
		return true
	}
	return false
}

// Validate returns a [*svmkit.DataError] or a [*svmkit.ParamError] for the first part of p that
// is not valid, or nil.
func (p *Problem) Validate() error {
	data := p.Data.ValidateBinary
	if p.Regression() || p.Nu > 0 {
		data = p.Data.ValidateTargets
	}
	if err := data(); err != nil {
		return err
	}
	if err := p.ValidateParameters(); err != nil {
		return err
	}
	if err := p.validateSize(); err != nil {
		return err
	}
	return p.validateRowCosts()
}

// ValidateParameters validates all fields of p but Data, which may be nil.
func (p *Problem) ValidateParameters() error {
	if err := p.validateLoss(); err != nil {
		return err
	}
	if err := p.validateCost(); err != nil {
		return err
	}
	if math.IsInf(p.C.C, 1) {
		switch p.Loss.(type) {
		case nil, loss.Hinge, loss.EpsInsensitive:
		default:
			return &svmkit.ParamError{Name: "C", Value: p.C.C, Need: "must be finite for this loss"}
		}
	}
	if p.Bias < 0 || p.Bias > svmkit.NoBias {
		return &svmkit.ParamError{Name: "Bias", Value: int(p.Bias),
			Need: "must be FreeBias, PenalizedBias or NoBias"}
	}
	if p.Kernel != nil {
		return kernel.Validate(p.Kernel)
	}
	return nil
}

func (p *Problem) validateLoss() error {
	switch l := p.Loss.(type) {
	case nil, loss.Hinge, loss.SquaredHinge:
	case loss.EpsInsensitive:
		return l.Validate()
	case loss.SquaredEpsInsensitive:
		return l.Validate()
	case loss.Logistic:
		if p.Kernel != nil {
			return &svmkit.ParamError{Name: "Loss", Value: "Logistic",
				Need: "needs a linear problem", Hint: "leave Kernel nil"}
		}
	default: // a pointer to a loss
		return &svmkit.ParamError{Name: "Loss", Value: fmt.Sprintf("%T", l),
			Need: "must be a value, such as loss.Hinge{}"}
	}
	return nil
}

// validateSize refuses finite numbers that would overflow later: a row of a linear problem if its
// squared norm overflows, and a target if its tube has no finite ends. Kernels report their own
// overflow. It also refuses a linear problem if w would be too long.
func (p *Problem) validateSize() error {
	if kernel.IsLinear(p.Kernel) {
		if err := p.Data.ValidateDim(); err != nil {
			return err
		}
		if err := p.validateNorms(); err != nil {
			return err
		}
	}
	eps := p.epsilon()
	for i, y := range p.Data.Y {
		if math.IsInf(y-eps, 0) || math.IsInf(y+eps, 0) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: errTube}
		}
	}
	return nil
}

// normBlock is how many rows a goroutine checks at a time, 20 µs of work or more.
const normBlock = 4096

// validateNorms is validateSize for the norms of the rows.
func (p *Problem) validateNorms() error {
	n := len(p.Data.X)
	return parallel.For(context.Background(), (n+normBlock-1)/normBlock, runtime.GOMAXPROCS(0),
		func(k int) error {
			for i := k * normBlock; i < min((k+1)*normBlock, n); i++ {
				if x := &p.Data.X[i]; !(simd.Dot(x.Value, x.Value) <= math.MaxFloat64) {
					return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: x.Norm(), Err: errLength}
				}
			}
			return nil
		})
}

// epsilon returns the half-width of the loss's tube, and 0 if it has no tube.
func (p *Problem) epsilon() float64 {
	switch l := p.Loss.(type) {
	case loss.EpsInsensitive:
		return l.Epsilon
	case loss.SquaredEpsInsensitive:
		return l.Epsilon
	}
	return 0
}

// validateCost validates C and its factors.
func (p *Problem) validateCost() error {
	c := &p.C
	for _, v := range []struct {
		name  string
		value float64
	}{{"C", c.C}, {"C.Positive", c.Positive}, {"C.Negative", c.Negative}} {
		if !(v.value >= 0) || v.name != "C" && math.IsInf(v.value, 1) {
			return &svmkit.ParamError{Name: v.name, Value: v.value,
				Need: "must be positive (0 means 1)"}
		}
	}
	return nil
}

// validateRowCosts validates the products of the cost and the weights of the rows.
func (p *Problem) validateRowCosts() error {
	hard, n, total := math.IsInf(p.C.C, 1), p.Data.Len(), 0.0
	if p.Data.Weight == nil {
		n = 1 // all rows have the same cost
	}
	for i := range n {
		if p.Data.RowWeight(i) == 0 {
			continue
		}
		for _, v := range p.Sides(i) {
			// The product of numbers in range may be out of range.
			if v == 0 || math.IsInf(v, 1) && !hard {
				return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: errCost}
			}
		}
		if total += p.Data.RowWeight(i); p.Nu > 0 && math.IsInf(total, 1) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: p.Data.RowWeight(i),
				Err: errTotal}
		}
	}
	if p.Nu > 0 && p.Data.Weight != nil && p.Nu*total == 0 {
		return &svmkit.ParamError{Name: "Nu", Value: p.Nu,
			Need: "times the sum of the rows' weights must be above 0 in float64"}
	}
	return nil
}

var (
	errLength = fmt.Errorf("the square of the row's norm would overflow: %w", svmkit.ErrNotFinite)
	errTube   = fmt.Errorf("the target plus or minus Epsilon would overflow: %w",
		svmkit.ErrNotFinite)
	errTotal = errors.New("the sum of the rows' weights would overflow")
	errCost  = errors.New("the cost of a row, C times the factor of the class times the row's " +
		"weight, must be positive and finite")
)

// Sides returns the cost of one unit of loss at row i if the row is on the positive side, and if it
// is on the negative side. The weight of row i must be positive.
func (p *Problem) Sides(i int) [2]float64 {
	cost := cmp.Or(p.C.C, 1) * p.Data.RowWeight(i)
	return [2]float64{cost * cmp.Or(p.C.Positive, 1), cost * cmp.Or(p.C.Negative, 1)}
}
