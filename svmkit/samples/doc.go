// Package samples holds data to learn with: seven small real sets, embedded in the program, and generators of
// sets of known margin.
//
// # Real sets
//
// No file, no network, no error to handle.
//
//	function      rows  columns  classes                            file      bytes
//	Iris           150        4  3 species                          CSV        2734
//	Wine           178       13  3 wines                            CSV       11157
//	BreastCancer   569       30  malignant, benign                  CSV      119913
//	Digits        1797       64  10 digits                          CSV.gz    57512
//	Banknotes     1372        4  class 0, class 1                   CSV       45075
//	Penguins       342        4  3 species                          JSON      67119
//	SMS           5574    terms  ham, spam                          TSV.gz   206683
//
// Half a megabyte in all. [All] lists source, licence, citation and checksums;
// data/LICENCES.md holds the same.
//
// Each function parses its file at its first call and returns a new copy at every call, so
// callers may change what they get. Values are as measured: nothing is scaled. Rows stand in
// the order of the file, which for most sets is sorted by class; shuffle before a split.
//
// Labels follow the rule of [svmkit.Dataset]: with two classes −1 is the first and +1 the
// second, with more Y is the number of the class.
//
// # Generators
//
// A generator takes its parameters as a small struct, or as arguments where there are one or two, and a seed:
// the same parameters and seed give the same bits. Labels are −1 and +1 without names. The sets of the lecture
// notes are [ThreePoints], [Basis], [Shifted], [Triangle] and [XOR].
package samples
