// Package dataset makes [svmkit.Dataset] values: it reads and writes files, generates sets of known
// margin, scales columns, splits sets into training and test rows and lifts rows to degree 2.
//
// # Files
//
// [ReadFile] recognises CSV and LIBSVM files, compressed with gzip or not, by their
// content. [ReadCSV] and [ReadLIBSVM] read from any stream, [RowsCSV] and [RowsLIBSVM]
// yield one row at a time in constant memory. An error of a file is a [*ParseError] with
// line and column.
//
// # Generators
//
// A generator takes its parameters as a small struct, or as arguments where there are one
// or two, and a seed: the same parameters and seed give the same bits. Labels are −1 and
// +1 without names. The sets of the lecture notes are [ThreePoints], [Basis], [Shifted],
// [Triangle] and [XOR].
//
// # Scaling, splitting, lifting
//
// A [Scaler] is fitted to the training rows only and then applied to any rows. [Split] and
// [Folds] keep the proportions of the classes. [Polynomial] is the feature map of the
// polynomial kernel of degree 2, written out.
package dataset
