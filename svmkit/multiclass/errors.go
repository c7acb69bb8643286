package multiclass

// ModelError says which of several models could not be fitted.
type ModelError struct {
	Class, Against string // the names of its two classes; Against is "the rest" in [OneVsRest]
	Err            error  // of its fit
}

func (e *ModelError) Error() string {
	return "multiclass: class " + e.Class + " against " + e.Against + ": " + e.Err.Error()
}

// Unwrap returns the error of the fit.
func (e *ModelError) Unwrap() error { return e.Err }
