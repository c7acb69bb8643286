// Package pipeline turns a table of text into a model, and rows of such a table into predictions:
//
//	table, err := dataset.ReadTableFile(ctx, "testdata/passengers.csv", nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	p := pipeline.Pipeline{Label: "survived", Model: svm.Fitter(svm.Problem{}, nil, nil)}
//	p.Columns = pipeline.Columns{Drop: []string{"id"}, Median: []string{"age"},
//		Categorical: []string{"class", "sex", "port"}}
//	model, err := p.Fit(ctx, table)
//	if err != nil {
//		log.Fatal(err)
//	}
//	answers, err := model.PredictTable(table)
//
// A [Pipeline] describes the steps. [Columns] selects how the fields become numbers, a
// [feature.Scaler] scales these numbers, and a [svmkit.Fitter] fits the model: for two classes, for
// more classes, or for a regression. [Pipeline.Fit] fits every step to the rows of a
// [dataset.Table] and returns a [Model]. The Model finds the columns of other tables by their
// names. Package modelfile saves a Model to one file and loads it again. The same package loads
// models of scikit-learn.
//
// # From a table to numbers
//
// A field is missing if it is empty or ?, NA, N/A, NaN, null or None, quoted or not, in the
// spellings that [dataset.CSVOptions] lists. The columns of numbers are in the order of the
// training table. Each column of the table is of one kind:
//
//	numbers       one column. A missing field becomes the median or the mean of the training
//	              rows, or it is an error. With an indicator there is one more column: 1 if the
//	              field is missing, else 0.
//	categories    one column for each different field of the training rows, in the order of
//	              their bytes: 1 for the category of the row, 0 for the others. All missing
//	              fields are one category, "". If all others are numbers, below 10¹⁵ in size,
//	              they are compared as numbers, so 1 and 1.0 are one category; otherwise
//	              fields are compared as text. [Pipeline.Alike] finds doubtful spellings. A
//	              category that no training row has is 0 in all columns, or it is an error.
//	text          in place of all other columns: tf-idf by package text
//
// The Features of the model are named after the columns: age, "age missing", sex=female.
//
// # For users of scikit-learn
//
//	SimpleImputer(strategy="median")         Columns.Median; for "mean": Columns.Mean
//	add_indicator=True                       Columns.Indicator, with the names of the columns
//	OneHotEncoder(handle_unknown="ignore")   Columns.Categorical; for "error": RefuseUnseen
//	TfidfVectorizer                          Columns.Text, with the terms of package text
//	analyzer="char_wb", ngram_range=(2, 4)   Columns.TextOptions: text.CharactersInWords, 2 and 4
//	StandardScaler, MinMaxScaler, …          Scale, for all columns, also those of categories
//	SVC(probability=True)                    Probabilities, for two classes or more
//	fit(X, y, sample_weight=w)               Weights, a column of the table
//	cross_val_score(pipe, X, y)              Validation.CrossValidate(ctx, set, p.Fitter(table))
//	joblib.dump, load                        modelfile.Save, modelfile.Load
//
// # Fitting within the folds
//
// Medians, means, categories, terms and scales are fitted. In a cross-validation they must come
// from the training rows of each fold alone, because otherwise the model has seen its test rows.
// [Pipeline.RowNumbers] returns a set whose rows are the numbers of the rows of a table.
// [Pipeline.Fitter] returns a fitter for this set and its subsets, which fits every step to the
// rows that it gets:
//
//	set, err := p.RowNumbers(table)
//	folds, err := tune.Folds(set, 5, 1)
//	r, err := tune.Validation{Folds: folds}.CrossValidate(ctx, set, p.Fitter(table))
package pipeline
