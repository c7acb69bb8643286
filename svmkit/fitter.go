package svmkit

import "context"

// Fitter trains a machine on a set. It is how the packages that train many machines
// (multiclass, tune) take any of them, this library's or yours, without knowing it.
//
// A Fitter must not keep or change the set, must give the same machine for the same set, and
// is called from several goroutines at once unless the caller says otherwise. When ctx ends
// it returns soon, with ctx's error.
type Fitter func(ctx context.Context, train *Dataset) (Scorer, error)
