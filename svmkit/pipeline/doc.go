// Package pipeline makes one model of all the steps from a table of text to a prediction, for training, tuning,
// storing and serving.
//
// A [Pipeline] says what is done: [Columns], how the fields become numbers; a [feature.Scaler]; and the
// [svmkit.Fitter] of the model, of two classes, more, or a regression. [Pipeline.Fit] fits every step to the rows of a
// [dataset.Table] and returns a [Model], which predicts the fields of other tables by the names of their columns.
// [Save] writes the whole to one file, [Load] reads it.
//
//	table, err := dataset.ReadTableFile(ctx, "passengers.csv", nil)
//	p := pipeline.Pipeline{
//		Label:   "survived",
//		Columns: pipeline.Columns{Categorical: []string{"sex", "port"}, Median: []string{"age"}},
//		Scale:   &feature.Scaler{},
//		Model:   svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil),
//	}
//	m, err := p.Fit(ctx, table)
//	answer, err := m.Predict(map[string]string{"sex": "female", "port": "", "age": "31", "fare": "12.5"})
//
// # From a table to numbers
//
// A field is missing if it is empty or ?, NA, N/A, NaN, null or None, quoted or not, in the spellings that
// [dataset.CSVOptions] names. Columns stand in the order of the training table, each by its kind:
//
//	numbers       one column; a missing field becomes the median or the mean of the training rows, or is an error.
//	              With an indicator one more: 1 where the field is missing, else 0
//	categories    one column for each different field of the training rows, in the order of their bytes: 1 for the
//	              row's own category, 0 for the others. All missing fields are one category, "". A category that no
//	              training row has is 0 in all, or an error
//	text          instead of all others: tf-idf by package text
//
// The names of the numbers, as a model's Features, are age, "age missing", sex=female.
//
// # Coming from scikit-learn
//
//	SimpleImputer(strategy="median")         Columns.Median; "mean": Mean
//	add_indicator=True                       Columns.Indicator: a column for each that is named, beside its numbers
//	OneHotEncoder(handle_unknown="ignore")   Columns.Categorical; "error": RefuseUnseen
//	TfidfVectorizer                          Columns.Text, with the terms of package text
//	analyzer="char_wb", ngram_range=(2, 4)   Columns.TextOptions: Unit text.CharactersInWords, MinGram 2, MaxGram 4
//	StandardScaler, MinMaxScaler, …          Scale, of all columns, those of the categories too
//	SVC(probability=True)                    Probabilities, of two classes or more
//	fit(X, y, sample_weight=w)               Weights, a column of the table
//	cross_val_score(pipe, X, y)              Validation.CrossValidate(ctx, set, p.Fitter(table))
//	joblib.dump, load                        Save, Load
//
// docs/coming-from.md has whole programs side by side.
//
// # What must not leak
//
// Medians, means, categories, terms and scales are fitted, so in a cross-validation they must come from the training
// rows of each fold alone. [Pipeline.RowNumbers] is a set whose rows are the numbers of the rows of a table, and
// [Pipeline.Fitter] a fitter for it and its subsets, which fits every step to the rows that it is given:
//
//	set, err := p.RowNumbers(table)
//	folds, err := tune.Folds(set, 5, 1)
//	r, err := tune.Validation{Folds: folds}.CrossValidate(ctx, set, p.Fitter(table))
//
// # The file
//
// Version 1 is four parts: the line "svmkit pipeline 1"; one line of JSON with the columns of the table and what
// was fitted to them; one line with the scaling as feature.Save writes it, or null; and the model as package
// modelfile writes it. Every number is read back bit for bit.
//
// # Models of scikit-learn
//
// [Load] also reads an SVC, SVR, LinearSVC, LinearSVR or OneClassSVM, alone or behind a StandardScaler, from a file that the
// Python function save_for_go writes: testdata/save_for_go.py, shown in docs/coming-from.md. The [Model] has their
// scores and predicts their classes, those of ties too. Its columns are feature_names_in_, or else x0, x1, …; one or
// more than one row of numbers goes to [Model.Predictor] without names. The file is one object of JSON, with "format" first:
//
//	"format": "svmkit scikit-learn 1"
//	"version": "1.2.1"                that of scikit-learn, for people; may be missing
//	"kind": "SVC"                     the name of the type
//	"features": ["x0", "x1"]          d different names
//	"mean", "scale": [1.5, 0.2]       d numbers of the StandardScaler; each missing without with_mean, with_std
//	"classes": ["ham", "spam"]        the K classes_ as text; missing for regressions and OneClassSVM
//	"intercept": [0.1]                1 number, K for LinearSVC with K > 2, K(K−1)/2 for SVC
//	"coef": [[0.5, -2]]               for a linear model: d numbers for each intercept
//	"kernel": "rbf"                   with any other: rbf, poly or sigmoid, and
//	"gamma", "coef0", "degree": 0.5   its numbers, gamma > 0, degree ≥ 1
//	"support_vectors": [[1, 2], …]    n rows of d numbers
//	"dual_coef": [[1, -1, …]]         K − 1 rows, or 1, of n numbers
//	"n_support": [1, 1]               how many of them are of each class; for K > 2
//	"probA", "probB": [-1.2]          of SVC(probability=True), one for each intercept; else missing
//
// Numbers are finite. Any other key, one that stands twice and null are errors, with line and column.
package pipeline
