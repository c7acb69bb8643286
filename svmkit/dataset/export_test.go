package dataset

// The cases of ErrFormat and ErrLabel, which tests tell apart.
var (
	ErrHeader     = errHeader
	ErrNoColumn   = errNoColumn
	ErrQuote      = errQuote
	ErrControl    = errControl
	ErrNoName     = errNoName
	ErrTwice      = errTwice
	ErrDropped    = errDropped
	ErrSpelling   = errSpelling
	ErrTooLong    = errTooLong
	ErrEncoding   = errEncoding
	ErrPair       = errPair
	ErrOrder      = errOrder
	ErrColumn     = errColumn
	ErrReturn     = errReturn
	ErrQueryID    = errQueryID
	ErrLabelMixed = errLabelMixed
)
