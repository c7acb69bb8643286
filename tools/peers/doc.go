// Package peers has the tests that run the programs of scikit-learn, LIBSVM and LIBLINEAR and compare what they print:
// the page docs/coming-from.md, and models that scikit-learn trains. They need the build tag peers and Debian's packages
// libsvm-tools, liblinear-tools and python3-sklearn.
package peers
