// Package proctest runs commands as processes in tests: to their end, measured, killed on the way, on small file
// systems. It is for the tests of the commands of this module.
package proctest
