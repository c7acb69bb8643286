package svm

import "github.com/svmkit/course/svmkit/svm/internal/core"

// public returns p as users state it.
func public(p *core.Problem) *Problem {
	return &Problem{Data: p.Data, Loss: p.Loss, Kernel: p.Kernel, C: Cost(p.C), Bias: p.Bias}
}
