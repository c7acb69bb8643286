// Package dataset reads and writes data sets as CSV and LIBSVM files, and converts matrices:
//
//	text := strings.NewReader("length,width,species\n5.1,3.5,setosa\n7.0,3.2,versicolor\n")
//	set, err := dataset.Read(context.Background(), text, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(set.Features, set.Classes, set.X[0].Value, set.Y)
//
// [ReadFile] and [Read] detect CSV and LIBSVM files by their content, plain or compressed with gzip
// or bzip2. [ReadCSV] and [ReadLIBSVM] have the options of one format. [Open], [Rows], [CSVRows]
// and [LIBSVMRows] return one row at a time in constant memory. [ReadTable] keeps the fields of a
// CSV file as text, for package pipeline.
//
// Give a test file the classes and the label's column of the training file: set Classes in [Labels]
// to set.Classes, and DefaultLabel in [CSVOptions] to set.Label. Ambiguous files are refused; set
// an option for anything that the reader cannot detect. An error about a file is a [*ParseError]
// with line and column. Its cause is one of the variables of this package or of package svmkit.
//
// Data sets to try are in package samples. Package feature scales and lifts columns, and package
// tune makes splits and folds.
package dataset
