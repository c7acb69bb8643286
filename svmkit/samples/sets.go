package samples

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Info describes a real set and its source.
type Info struct {
	Name     string // of the function that returns the set: "Iris"
	File     string // in this package's folder data
	Rows     int    // n of the dataset that the function returns
	Cols     int    // d of that data set; 0 for SMS, whose columns are the terms found
	Source   string // where the data are published
	Licence  string // SPDX identifier
	Citation string // the form that the source asks for, and the paper behind it
	SHA256   string // of the file as it was obtained, hexadecimal
	// Stored is the SHA-256 of the file in data; not SHA256 if it was compressed for this package.
	Stored string
}

// All lists the sets, in the order of the package's table.
func All() (sets []Info) {
	mustRead("sets.json", json.Unmarshal(content("sets.json"), &sets))
	return sets
}

// Iris returns Fisher's irises: 50 each of setosa, versicolor and virginica, with four lengths in
// centimetres. Only setosa is linearly separable from the others.
//
// The values are Fisher's; the file at UCI has errors in flowers 34 and 37 (from 0).
func Iris() *svmkit.Dataset { return fresh(iris()) }

var iris = sync.OnceValue(irisFile.read)

var irisFile = table{
	file: "iris.csv", header: 1,
	features: []string{"sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"},
	classes:  []string{"setosa", "versicolor", "virginica"},
}

// Wine returns analyses of 178 wines of one Italian region: 59 Barolo, 71 Grignolino, 48 Barbera.
//
// The 13 quantities have very different units: without scaling, proline decides every distance. UCI
// only numbers the classes. The names come from Forina and others (1986), whose study has the same
// three counts in this order.
func Wine() *svmkit.Dataset { return fresh(wine()) }

var wine = sync.OnceValue(wineFile.read)

var wineFile = table{
	file: "wine.csv", header: 1,
	features: []string{"alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium",
		"total phenols", "flavanoids", "nonflavanoid phenols", "proanthocyanins",
		"color intensity", "hue", "OD280/OD315 of diluted wines", "proline"},
	classes: []string{"Barolo", "Grignolino", "Barbera"},
}

// BreastCancer returns the Wisconsin diagnostic set: 212 malignant tumours (y = −1) and 357 benign
// ones (y = +1).
//
// Ten properties of the cell nuclei are measured in an image. The 30 columns are their means over
// the nuclei, the standard errors of these means, and the means of the three largest values
// ("worst").
func BreastCancer() *svmkit.Dataset { return fresh(breastCancer()) }

var breastCancer = sync.OnceValue(breastCancerFile.read)

var breastCancerFile = table{
	file: "breast_cancer.csv", header: 1,
	features: nucleusFeatures(),
	classes:  []string{"malignant", "benign"},
}

func nucleusFeatures() (names []string) {
	for _, form := range []string{"mean %s", "%s error", "worst %s"} {
		for _, property := range []string{"radius", "texture", "perimeter", "area", "smoothness",
			"compactness", "concavity", "concave points", "symmetry", "fractal dimension"} {
			names = append(names, fmt.Sprintf(form, property))
		}
	}
	return names
}

// Digits returns 1797 handwritten digits, "0" to "9", as images of 8×8 pixels.
//
// A pixel is a whole number from 0 (paper) to 16. Column 8·r + c, named "pixel r,c", is row r from
// the top and column c from the left. It is the test part of UCI's set, by 13 writers who are not
// named, so a random split puts one writer's digits on both sides.
func Digits() *svmkit.Dataset { return fresh(digits()) }

var digits = sync.OnceValue(digitsFile.read)

var digitsFile = table{
	file:     "digits.csv.gz",
	features: pixelFeatures(),
	classes:  []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
}

func pixelFeatures() (names []string) {
	for r := range 8 {
		for c := range 8 {
			names = append(names, fmt.Sprintf("pixel %d,%d", r, c))
		}
	}
	return names
}

// Banknotes returns four statistics of each of 1372 images of genuine and forged specimens.
//
// The numbers have no units and are as published; a variance below zero shows that they were
// transformed in a way that the source does not describe. The source does not document which class
// is genuine, and later publishers of the set contradict each other. The classes are therefore
// "class 0" (y = −1, 762 rows) and "class 1" (y = +1, 610 rows).
//
// 24 rows repeat an earlier row, with the same class: a random split can put one copy on each side.
func Banknotes() *svmkit.Dataset { return fresh(banknotes()) }

var banknotes = sync.OnceValue(banknotesFile.read)

var banknotesFile = table{
	file: "banknotes.csv", header: 1,
	features: []string{"wavelet variance", "wavelet skewness", "wavelet kurtosis", "image entropy"},
	classes:  []string{"class 0", "class 1"},
}

// Penguins returns 342 penguins of the Palmer Archipelago: 151 Adelie, 68 Chinstrap, 123 Gentoo.
//
// The four measurements are in millimetres and grams. (The bill is called beak in the file and
// culmen in the paper.) Two birds of the file without measurements are skipped. The set leaves out
// the island and the sex, which is missing for nine more birds.
func Penguins() *svmkit.Dataset { return fresh(penguins()) }

var penguins = sync.OnceValue(func() *svmkit.Dataset { return readPenguins("penguins.json") })

// penguin is one record of the file. A missing measurement is null.
type penguin struct {
	Species       string
	BillLength    *float64 `json:"Beak Length (mm)"`
	BillDepth     *float64 `json:"Beak Depth (mm)"`
	FlipperLength *float64 `json:"Flipper Length (mm)"`
	BodyMass      *float64 `json:"Body Mass (g)"`
}

func readPenguins(file string) *svmkit.Dataset {
	var birds []penguin
	mustRead(file, json.Unmarshal(content(file), &birds))

	set := &svmkit.Dataset{Dim: 4,
		Classes:  []string{"Adelie", "Chinstrap", "Gentoo"},
		Features: []string{"bill length (mm)", "bill depth (mm)", "flipper length (mm)", "body mass (g)"}}
	var flat []float64
	for i, p := range birds {
		measured := []*float64{p.BillLength, p.BillDepth, p.FlipperLength, p.BodyMass}
		if slices.Contains(measured, nil) {
			continue
		}
		class := slices.Index(set.Classes, p.Species)
		if class < 0 {
			mustRead(file, fmt.Errorf("record %d: unknown species %q", i, p.Species))
		}
		for _, v := range measured {
			flat = append(flat, *v)
		}
		set.Y = append(set.Y, svmkit.LabelOf(class, len(set.Classes)))
	}
	set.X = svmkit.DenseRows(flat, set.Dim)
	return set
}

//go:embed data/iris.csv data/wine.csv data/breast_cancer.csv data/digits.csv.gz
//go:embed data/banknotes.csv data/penguins.json data/sms_spam.tsv.gz data/sets.json
var files embed.FS

// content returns an embedded file, decompressed. It panics on an error.
func content(file string) []byte {
	stored, err := files.ReadFile("data/" + file)
	mustRead(file, err)
	if !strings.HasSuffix(file, ".gz") {
		return stored
	}
	z, err := gzip.NewReader(bytes.NewReader(stored))
	mustRead(file, err)
	plain, err := io.ReadAll(z)
	mustRead(file, err)
	return plain
}

func mustRead(file string, err error) {
	if err != nil {
		panic(fmt.Sprintf("samples: embedded file %s is damaged: %v", file, err))
	}
}

// table is the form of a CSV file whose last column is the number of the class, from 0.
type table struct {
	file     string
	header   int      // lines before the data
	features []string // of the columns before the last
	classes  []string
}

// read parses the file into dense rows that share one array.
func (t table) read() *svmkit.Dataset {
	r := csv.NewReader(bytes.NewReader(content(t.file)))
	r.FieldsPerRecord = -1 // scikit-learn's header lines have a form of their own
	records, err := r.ReadAll()
	mustRead(t.file, err)
	records = records[t.header:]

	d := len(t.features)
	flat := make([]float64, 0, len(records)*d)
	set := &svmkit.Dataset{Y: make([]float64, len(records)), Dim: d, Classes: t.classes,
		Features: t.features}
	for i, record := range records {
		if len(record) != d+1 {
			mustRead(t.file, fmt.Errorf("row %d has %d fields", i, len(record)))
		}
		for _, field := range record[:d] {
			v, err := strconv.ParseFloat(field, 64)
			mustRead(t.file, err)
			flat = append(flat, v)
		}
		class, err := strconv.Atoi(record[d])
		mustRead(t.file, err)
		set.Y[i] = svmkit.LabelOf(class, len(t.classes))
	}
	set.X = svmkit.DenseRows(flat, d)
	return set
}

// fresh returns a deep copy.
func fresh(s *svmkit.Dataset) *svmkit.Dataset {
	t := &svmkit.Dataset{X: make([]svmkit.Row, len(s.X)), Y: slices.Clone(s.Y), Dim: s.Dim,
		Classes: slices.Clone(s.Classes), Features: slices.Clone(s.Features)}
	value := make([]float64, 0, s.NNZ())
	index := make([]int32, 0, s.NNZ())
	for i, x := range s.X {
		from := len(value)
		value = append(value, x.Value...)
		t.X[i].Value = value[from:len(value):len(value)]
		if x.Index != nil {
			from := len(index)
			index = append(index, x.Index...)
			t.X[i].Index = index[from:len(index):len(index)]
		}
	}
	return t
}
