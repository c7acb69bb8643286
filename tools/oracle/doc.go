// Package oracle compares the command svm and the library with LIBSVM, LIBLINEAR and scikit-learn.
//
// Its test TestOracle writes random data sets. It compares the class, every score and every
// probability of every row. Their models go into our predictor, our models go into their
// predictors, and the same problem is trained by both.
//
//	CGO_ENABLED=1 go test -tags peers ./oracle                               # a fixed sample
//	CGO_ENABLED=1 go test -tags peers -timeout 2h ./oracle -sets 2000 -seed 7
//	CGO_ENABLED=1 go test -tags peers ./oracle -seed 7 -only 1234            # one set again
//
// The files of a set that differs are kept in a folder that the test names. The test
// TestDifferences examines each row of docs/reference/differences.md. All of them need Debian's
// packages gcc, libc6-dev, libsvm-tools, libsvm-dev, liblinear-tools, liblinear-dev and
// python3-sklearn.
package oracle
