package perceptron

import "github.com/svmkit/course/svmkit"

// Predict returns the class of x by the sign of its score.
func (p *Perceptron) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(p.Score(x), nil)
}

// Predict returns the class of x by the sign of its score.
func (a *Averaged) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(a.Score(x), nil)
}

// Predict returns the class of x by the sign of its score.
func (v *Voted) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(v.Score(x), nil)
}

// Predict returns the class of x by the sign of its score.
func (k *Kernelized) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(k.Score(x), nil)
}
