// Package dataset reads and writes data sets, as CSV and LIBSVM files, and takes matrices:
//
//	set, err := dataset.ReadFile(ctx, "train.csv", nil)
//	…
//	test, err := dataset.ReadCSVFile(ctx, "test.csv", &dataset.CSVOptions{
//		Labels: dataset.Labels{Classes: set.Classes}, DefaultLabel: set.Label})
//
// [ReadFile] and [Read] recognise CSV and LIBSVM files, plain or compressed with gzip or bzip2, by
// their content. [ReadCSV] and [ReadLIBSVM] have the options of one format. [Open], [Rows],
// [CSVRows] and [LIBSVMRows] yield one row at a time in constant memory. [ReadTable] keeps the
// fields of a CSV file as text, for package pipeline.
//
// What cannot be recognised is an error, and an option decides it. An error of a file is a
// [*ParseError] with line and column. Its cause is one of the variables of this package, or of
// package svmkit.
//
// Generators of sets are in package samples, scaling and lifting of columns in package feature, and
// splits and folds in package tune.
package dataset
