// Package peers has the tests that run the programs of scikit-learn, LIBSVM and LIBLINEAR and compare what they print:
// the tutorials and how-to guides in docs, and models that scikit-learn trains. They need the build tag peers and Debian's packages
// libsvm-tools, liblinear-tools and python3-sklearn.
package peers
