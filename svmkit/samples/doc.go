// Package samples holds data to learn with: seven real sets and generators of sets of known margin.
//
//	iris := samples.Iris()
//	fmt.Println(iris.Len(), iris.Dim, iris.Classes)
//	set, plane, err := samples.Separable{N: 100, Dim: 2, Margin: 0.1}.Generate(1)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(set.Len(), len(plane.W))
//
// # Real sets
//
// They are embedded in the program, so they need no file and no network, and return no error.
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
// [All] and data/LICENCES.md list source, licence, citation and checksums. Each function parses its
// file at its first call and returns a new copy at every call. Values are as measured: nothing is
// scaled. Rows are in the order of the file, and most files are sorted by class.
//
// # Generators
//
// The same parameters and seed give bit-identical sets. Labels are −1 and +1 without names.
// [ThreePoints], [Basis], [Shifted], [Triangle] and [XOR] are small sets for proofs and
// counterexamples.
package samples
