package perceptron

import "github.com/svmkit/course/svmkit"

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero.
func (p *Perceptron) Predict(x svmkit.Row) float64 { return svmkit.Sign(p.Score(x)) }

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero.
func (a *Averaged) Predict(x svmkit.Row) float64 { return svmkit.Sign(a.Score(x)) }

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero.
func (v *Voted) Predict(x svmkit.Row) float64 { return svmkit.Sign(v.Score(x)) }

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero.
func (k *Kernelized) Predict(x svmkit.Row) float64 { return svmkit.Sign(k.Score(x)) }
