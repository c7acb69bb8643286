// Package house has the tests of the whole module: which package may import which, how long the code is, and what a
// program needs that imports the library.
package house
