// Package dataset makes [svmkit.Dataset] values: it reads and writes files, takes
// matrices, and splits sets into training and test rows.
//
// # Files
//
// [ReadFile] recognises CSV and LIBSVM files, compressed with gzip or not, by their
// content. [ReadCSV] and [ReadLIBSVM] read from any stream, [RowsCSV] and [RowsLIBSVM]
// yield one row at a time in constant memory. An error of a file is a [*ParseError] with
// line and column.
//
// # Splitting
//
// [Split] and [Folds] keep the proportions of the classes. Generators of sets are in package samples, scaling and
// lifting of columns in package feature.
package dataset
