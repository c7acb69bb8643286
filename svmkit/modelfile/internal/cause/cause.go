// Package cause holds the causes of errors that all readers of model files share.
package cause

import "errors"

// Package modelfile exports and documents these causes.
var (
	ErrVersion     = errors.New("a model file of another version than 1")
	ErrTruncated   = errors.New("the model file ends too early")
	ErrMalformed   = errors.New("malformed model file")
	ErrUnsupported = errors.New("this kind of model is not supported")
)
