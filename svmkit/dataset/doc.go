// Package dataset makes [svmkit.Dataset] values: it reads and writes files, and takes
// matrices.
//
// [ReadFile] recognises CSV and LIBSVM files, compressed with gzip or not, by their
// content, and [Read] does so with any stream; [Open] and [Rows] yield one row at a time in constant memory.
// [Options] say what cannot be recognised: what is in doubt is an error. An error of a file is a
// [*ParseError] with line and column.
//
// Generators of sets are in package samples, scaling and lifting of columns in package feature, splits and folds
// in package tune.
package dataset
