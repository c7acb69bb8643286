// Package dataset makes [svmkit.Dataset] values: it reads and writes files, takes
// matrices, and splits sets into training and test rows.
//
// # Files
//
// [ReadFile] recognises CSV and LIBSVM files, compressed with gzip or not, by their
// content, and [Read] does so with any stream; [Open] and [Rows] yield one row at a time in constant memory.
// [Options] say what cannot be recognised: what is in doubt is an error. An error of a file is a
// [*ParseError] with line and column.
//
// # Splitting
//
// [Split] and [Folds] keep the proportions of the classes. Generators of sets are in package samples, scaling and
// lifting of columns in package feature.
package dataset
