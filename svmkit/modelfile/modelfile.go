// Package modelfile saves trained models to files and loads them again:
//
//	if err := modelfile.SaveFile(name, model); err != nil {
//		log.Fatal(err)
//	}
//	loaded, err := modelfile.LoadFile(name) // also files of LIBSVM, LIBLINEAR and scikit-learn
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(loaded.Predict(row).Name)
//
// [Load] returns a model of one of these types:
//
//	svmkit, one model                    *svm.Model: two classes, a regression or one class
//	svmkit, more classes                 *multiclass.RestClassifier, *multiclass.PairClassifier or
//	                                     *multiclass.Linear
//	svmkit, a pipeline                   *pipeline.Model
//	LIBSVM, two classes, regression,     *svm.Model
//	one class
//	LIBSVM, more classes                 *multiclass.PairClassifier (one-vs-one), with FirstWins
//	LIBLINEAR, two classes, regression   *svm.Model
//	LIBLINEAR, more classes              *multiclass.RestClassifier (one-vs-rest)
//	LIBLINEAR -s 4                       *multiclass.Linear (Crammer–Singer), also for two classes
//	scikit-learn                         *pipeline.Model
//
// A model keeps the names of its training columns. m.Columns().Align(rows) brings a data set with
// names into the order of the model m, or refuses it; see [svmkit.Columns.Align].
//
// # The format of one model
//
// A file of svmkit is text, and every number in it is read back bit for bit. One model, for two
// classes, for a regression or for one class, looks like this:
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
//	bias -0.25                    (with zero:1 or zero:-1: the label for a score of exactly 0)
//	platt -1.5 0.1                (only if the model has probabilities)
//	vectors 2
//	0.75 0 free 1:0.5 3:-1        (β, row number in the data, free or bound, the row;
//	-0.75 4 bound 0.5 0 2          indices from 1; a dense row has no indices)
//	end
//
// A linear model has the line "weights" in place of the vectors, and then dim lines with one number
// each. Its support vectors are not stored. Row number and state are "-" if they are unknown.
//
// # The format of more classes
//
// A classifier for K classes is a header and its models:
//
//	svmkit multi 1
//	strategy ovr                  (or ovo, cs: one-vs-rest, one-vs-one, Crammer–Singer; ovo-first
//	                              is one-vs-one with FirstWins, as models of LIBSVM have it)
//	classes 3
//	class "setosa"                (K lines; the classes are 0 … K−1 in this order)
//	class "versicolor"
//	class "virginica"
//	order 2 0 1                   (only if another order of the classes decides ties)
//	label "species"               (as for one model; the models below have no names of their own)
//	svmkit model 1                (one model per class for ovr and cs; one per pair for ovo:
//	…                              0–1, 0–2, …, 1–2, …)
//	end
//
// The line "end" of the last model is the last line of the file.
//
// # The format of a pipeline
//
// A pipeline has four parts: the line "svmkit pipeline 1"; one line of JSON with the columns of the
// table and their fitted values; one line with the scaling as feature.Save writes it, or null; and
// the model in one of the formats above.
//
// # LIBSVM and LIBLINEAR
//
// [SaveLIBSVM] and [SaveLIBLINEAR] write models for their programs, without the names of columns.
//
// A file of LIBSVM with the labels 3 1 2 becomes a model with the classes 1, 2 and 3, because every
// model has its classes in the order of [dataset.Labels]. With two classes, a positive score means
// the larger label. The order of the file decides ties only: it is Order of [multiclass.Classes].
// The ρ of LIBSVM is −b.
//
// A loaded model predicts the class that svm-predict and liblinear-predict print without -b,
// including ties. If the score of two classes is exactly 0, this is the second label of the file,
// which is Zero of [svm.Model]. The probabilities agree with svm-predict -b 1. That program then
// prints the most probable class, which may be another one: [svmkit.PredictByProbability] returns
// it.
//
// # Models of scikit-learn
//
// [Load] reads an SVC, NuSVC, LinearSVC, SVR, NuSVR, LinearSVR or OneClassSVM, alone or after a
// StandardScaler. The Python function save_for_go on docs/how-to/serve-scikit-learn-models.md
// writes the file. The loaded model has the scores of scikit-learn and predicts the same classes,
// including ties. Its columns are feature_names_in_, or else x0, x1, ….
//
// The file is one object of JSON. Package modelfile/internal/scikitlearn describes its keys.
package modelfile

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/svmkit"
)

// Load reads a model from a file of this package, LIBSVM, LIBLINEAR or scikit-learn (save_for_go).
//
// It detects the format from the first words of the file. The package comment lists the types of
// the models. A loaded model has the contents of its file: a linear model of this package has no
// support vectors.
//
// An error about the file is a [*ParseError]. Load needs memory in proportion to the length of the
// file.
func Load(r io.Reader) (svmkit.Model, error) { return Options{}.Load(r) }

// Options selects how to read and write files of other programs. The zero value is right for files
// whose indices start at 1.
type Options struct {
	// ZeroBased is whether the indices of a LIBSVM model, and of its training file, start at 0.
	ZeroBased bool
}

// base returns the first index.
func (o Options) base() int {
	if o.ZeroBased {
		return 0
	}
	return 1
}

// Load reads a model as the function [Load] does, with options.
func (o Options) Load(r io.Reader) (svmkit.Model, error) {
	if r == nil {
		return nil, &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	}
	t := newText(r)
	t.options = o
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

// pipelineBegin holds the first words of a pipeline.
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

// model reads a model whose first line is the current one. If inside is true, it is in a pipeline
// and cannot be another pipeline.
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

// LoadFile reads a model from the named file, as [Load] does.
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

// SaveFile writes a model to the named file, as [Save] does. After an error the file is unchanged.
func SaveFile(name string, m svmkit.Model) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Save(w, m) })
}
