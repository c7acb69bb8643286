// Package modelfile writes trained models to files and reads them: svmkit's own format, LIBSVM's and LIBLINEAR's.
//
//	err := modelfile.SaveFile("spam.model", &result.Model)
//	m, err := modelfile.LoadFile("spam.model")
//
// # The format
//
// A file of svmkit is text, and every number in it is read back bit for bit. One model, for two classes or a
// regression:
//
//	svmkit model 1
//	task classification           (or regression, one-class)
//	dim 3                         (with the word open: or more, as for a model of LIBSVM)
//	label "kind"                  (the name of the label's column, if the data had one)
//	feature "length"              (dim lines with the names of the columns, or none)
//	feature "links"
//	feature "capitals"
//	class "ham"                   (the class −1; both lines only if the model has names)
//	class "spam"                  (the class +1)
//	kernel rbf gamma 0.5          (with all its numbers)
//	bias -0.25
//	platt -1.5 0.1                (only if the model has probabilities)
//	vectors 2
//	0.75 0 free 1:0.5 3:-1        (β, row number in the data, free or bound, the row;
//	-0.75 4 bound 0.5 0 2          indices from 1; a dense row has no indices)
//	end
//
// A linear model has, instead of vectors, the line "weights" and dim lines with one number each; its support
// vectors are not kept. Row number and state are "-" where they are not known.
//
// A classifier for K classes is a header and its models:
//
//	svmkit multi 1
//	strategy ovr                  (or ovo, cs: one-vs-rest, one-vs-one, Crammer–Singer; ovo-first is
//	                              one-vs-one with FirstWins, as models of LIBSVM have it)
//	classes 3
//	class "setosa"                (K lines; the class numbers are 0 … K−1 in this order)
//	class "versicolor"
//	class "virginica"
//	label "species"               (as for one model; the models below have no names of their own)
//	svmkit model 1                (one model a class for ovr and cs; one a pair for ovo:
//	…                              0–1, 0–2, …, 1–2, …)
//	end
//
// The line "end" of the last model is the last of the file.
//
// # Other columns than at training
//
// A model knows the names of the columns that it was trained on, and rows that have names are brought into
// their order, or refused:
//
//	m, err := modelfile.LoadFile("spam.model")
//	rows, err := dataset.ReadCSVFile(ctx, "mail.csv", &dataset.CSVOptions{DefaultLabel: m.Columns().Label})
//	rows, err = m.Columns().Align(rows)
//	for _, x := range rows.X {
//		fmt.Println(m.Predict(x))
//	}
//
// Without names the number of columns has to fit, see [svmkit.Columns.Align].
//
// # LIBSVM and LIBLINEAR
//
// [Load] reads their models of two classes, of more, and of regression, [SaveLIBSVM] and [SaveLIBLINEAR] write them:
//
//	LIBSVM, two classes, regression      *svm.Model; svm_type one_class, too
//	LIBSVM, more classes                 *multiclass.PairClassifier (one-vs-one), with FirstWins
//	LIBLINEAR, two classes, regression   *svm.Model
//	LIBLINEAR, more classes              *multiclass.RestClassifier (one-vs-rest)
//	LIBLINEAR -s 4                       *multiclass.Linear (Crammer–Singer), also for two classes
//
// Of two classes a positive score is the first label of the file, which is our class +1; LIBSVM's ρ is then −b. Of more,
// class k is the k-th label of the file: which class wins a tie depends on that order. A loaded model predicts
// what svm-predict and liblinear-predict do, ties included. What a row's Predict returns is the class number, as everywhere in
// svmkit; Class gives the label, as a name. LIBSVM's probA and probB become the Platt of each pair's model,
// and [multiclass.PairClassifier.Probabilities] are those of svm-predict -b 1. Neither format keeps the names of columns.
package modelfile

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/svmkit"
)

// Load reads a model that [Save] wrote, a model file of LIBSVM or of LIBLINEAR (all but its one-class
// models), or a model of scikit-learn as the package comment describes it. The first bytes tell the
// formats apart. The package comment lists the types of the models.
//
// What is wrong in a file is a [*ParseError]. Memory stays in proportion to the length of the file,
// whatever it promises. A loaded model has what its file has: a linear one of ours no support vectors,
// one of LIBSVM no row numbers and no states.
func Load(r io.Reader) (svmkit.Model, error) {
	if r == nil {
		return nil, &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	}
	t := newText(r)
	if first, _ := t.r.Peek(1); string(first) == "{" {
		return readJSON(t.r)
	}
	if err := t.nextLine(); errors.Is(err, ErrTruncated) {
		return nil, t.notAModel()
	} else if err != nil {
		return nil, err
	}
	m, err := t.model(false)
	if err == nil {
		err = t.onlyBlankLines()
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A textFormat is a format that Load knows by the first words of the file.
type textFormat struct {
	owner string // the program whose format it is; [ErrNotModel] lists the owners
	begin []string
	read  func(*text) (svmkit.Model, error) // from behind these words
}

// pipelineBegin is how a pipeline begins.
var pipelineBegin = []string{"svmkit", "pipeline"}

// textFormats is the table of the formats that are lines of words; jsonFormats has all others.
func textFormats() []textFormat {
	return []textFormat{
		{"svmkit", []string{"svmkit", "model"}, reader(readModel)},
		{"svmkit", []string{"svmkit", "multi"}, reader(readClassifier)},
		{"svmkit", pipelineBegin, reader(readPipeline)},
		{"LIBSVM", []string{"svm_type"}, reader(readLIBSVM)},
		{"LIBLINEAR", []string{"solver_type"}, reader(readLIBLINEAR)},
	}
}

// reader returns read with models of any type, and with no model if there is an error.
func reader[M svmkit.Model](read func(*text) (M, error)) func(*text) (svmkit.Model, error) {
	return func(t *text) (svmkit.Model, error) {
		m, err := read(t)
		if err != nil {
			return nil, err // and not m, which may be a nil pointer in a Model
		}
		return m, nil
	}
}

// model reads a model whose first line is the current one. Inside of a pipeline it is not another
// pipeline.
func (t *text) model(inside bool) (svmkit.Model, error) {
	for _, f := range textFormats() {
		if t.words(f.begin...) && !(inside && slices.Equal(f.begin, pipelineBegin)) {
			return f.read(t)
		}
	}
	return nil, t.notAModel()
}

// words consumes the words if the line begins with them, and reports whether it does.
func (t *text) words(want ...string) bool {
	t.pos = 0
	for _, w := range want {
		if word, _ := t.word(); word != w {
			return false
		}
	}
	return true
}

// LoadFile is [Load] for the named file.
func LoadFile(name string) (svmkit.Model, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Load(file)
	var parse *ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return m, err
}

// SaveFile is [Save] to a file that appears whole or, after an error, not at all.
func SaveFile(name string, m svmkit.Model) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Save(w, m) })
}
