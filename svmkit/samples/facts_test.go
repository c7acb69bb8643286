package samples

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// The numbers in this file are from elsewhere, mostly published with the sets; none is from
// a run of this code. They show that columns and classes carry the right names.

// counts returns "name count" for each class.
func counts(t *testing.T, set *svmkit.Dataset) string {
	t.Helper()
	var s []string
	for _, class := range set.Classes {
		one, err := set.OneVsRest(class)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, y := range one.Y {
			if y == 1 {
				n++
			}
		}
		s = append(s, fmt.Sprint(class, " ", n))
	}
	return strings.Join(s, ", ")
}

func TestClassCounts(t *testing.T) {
	for _, c := range []struct {
		name, want string
	}{
		{"Iris", "setosa 50, versicolor 50, virginica 50"},   // Fisher 1936, table I
		{"Wine", "Barolo 59, Grignolino 71, Barbera 48"},     // Forina and others 1986
		{"BreastCancer", "malignant 212, benign 357"},        // UCI, wdbc.names
		{"Banknotes", "class 0 762, class 1 610"},            // UCI
		{"Penguins", "Adelie 151, Chinstrap 68, Gentoo 123"}, // palmerpenguins: 152, 68, 124, less the two incomplete
		{"SMS", "ham 4827, spam 747"},                        // UCI, readme
		{"Digits", "0 178, 1 182, 2 177, 3 183, 4 181, 5 182, " + // UCI, optdigits.names
			"6 181, 7 179, 8 174, 9 180"},
	} {
		if got := counts(t, functions[c.name]()); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// With two classes, the sign belongs to the class that the documentation gives it.
func TestSigns(t *testing.T) {
	if s := BreastCancer(); s.Y[0] != -1 || s.Classes[0] != "malignant" { // UCI's first line is 842302,M,17.99,…
		t.Errorf("the first tumour is malignant: y = %v, −1 is %q", s.Y[0], s.Classes[0])
	}
	if s := Banknotes(); s.Y[0] != -1 || s.Classes[0] != "class 0" { // UCI's first line ends in ,0
		t.Errorf("the first note has class 0: y = %v, −1 is %q", s.Y[0], s.Classes[0])
	}
	set, _ := SMS()
	for i, m := range Messages() {
		if (set.Y[i] == 1) != m.Spam {
			t.Fatalf("message %d: spam %v, y = %v", i, m.Spam, set.Y[i])
		}
	}
}

// Smallest and largest value of columns, in the digits of the sources: scikit-learn's
// descriptions of Iris, Wine and BreastCancer, the summary printed with palmerpenguins, and
// the ranges that studies of Banknotes print.
func TestRanges(t *testing.T) {
	for name, columns := range map[string]string{
		"Iris": `sepal length (cm) | 4.3 7.9
			sepal width (cm) | 2.0 4.4
			petal length (cm) | 1.0 6.9
			petal width (cm) | 0.1 2.5`,
		"Wine": `alcohol | 11.0 14.8
			malic acid | 0.74 5.80
			ash | 1.36 3.23
			alcalinity of ash | 10.6 30.0
			magnesium | 70.0 162.0
			total phenols | 0.98 3.88
			flavanoids | 0.34 5.08
			nonflavanoid phenols | 0.13 0.66
			proanthocyanins | 0.41 3.58
			color intensity | 1.3 13.0
			hue | 0.48 1.71
			OD280/OD315 of diluted wines | 1.27 4.00
			proline | 278 1680`,
		"BreastCancer": `mean radius | 6.981 28.11
			mean texture | 9.71 39.28
			mean perimeter | 43.79 188.5
			mean area | 143.5 2501.0
			mean smoothness | 0.053 0.163
			mean compactness | 0.019 0.345
			mean concavity | 0.0 0.427
			mean concave points | 0.0 0.201
			mean symmetry | 0.106 0.304
			mean fractal dimension | 0.05 0.097
			radius error | 0.112 2.873
			texture error | 0.36 4.885
			perimeter error | 0.757 21.98
			area error | 6.802 542.2
			smoothness error | 0.002 0.031
			compactness error | 0.002 0.135
			concavity error | 0.0 0.396
			concave points error | 0.0 0.053
			symmetry error | 0.008 0.079
			fractal dimension error | 0.001 0.03
			worst radius | 7.93 36.04
			worst texture | 12.02 49.54
			worst perimeter | 50.41 251.2
			worst area | 185.2 4254.0
			worst smoothness | 0.071 0.223
			worst compactness | 0.027 1.058
			worst concavity | 0.0 1.252
			worst concave points | 0.0 0.291
			worst symmetry | 0.156 0.664
			worst fractal dimension | 0.055 0.208`,
		"Banknotes": `wavelet variance | -7.0421 6.8248
			wavelet skewness | -13.7731 12.9516
			wavelet kurtosis | -5.2861 17.9274
			image entropy | -8.5482 2.4495`,
		"Penguins": `bill length (mm) | 32.1 59.6
			bill depth (mm) | 13.1 21.5
			flipper length (mm) | 172 231
			body mass (g) | 2700 6300`,
	} {
		set := functions[name]()
		lines := strings.Split(columns, "\n")
		if len(lines) != set.Dim {
			t.Errorf("%s: %d columns, the source has %d", name, set.Dim, len(lines))
		}
		for _, line := range lines {
			feature, bounds, _ := strings.Cut(strings.TrimSpace(line), " | ")
			j := slices.Index(set.Features, feature)
			if j < 0 {
				t.Errorf("%s has no feature %q", name, feature)
				continue
			}
			values := column(set, j)
			lo, hi, _ := strings.Cut(bounds, " ")
			if !printsAs(slices.Min(values), lo) || !printsAs(slices.Max(values), hi) {
				t.Errorf("%s, %s: %v to %v, the source says %s to %s",
					name, feature, slices.Min(values), slices.Max(values), lo, hi)
			}
		}
	}
}

// printsAs reports whether the printed number is v, rounded to the digits it has. Sources
// round a half up or down; 1 per cent of a digit lets either pass.
func printsAs(v float64, printed string) bool {
	p, err := strconv.ParseFloat(printed, 64)
	_, decimals, _ := strings.Cut(printed, ".")
	return err == nil && math.Abs(v-p) <= 0.51*math.Pow(10, -float64(len(decimals)))
}

func column(set *svmkit.Dataset, j int) []float64 {
	c := make([]float64, set.Len())
	for i, x := range set.X {
		c[i] = x.At(j)
	}
	return c
}

// Fisher 1936, table II: the means of 50 flowers each. Three decimals are exact, because a
// length has one and 50 divides 1000 (up to rounding).
func TestFishersMeans(t *testing.T) {
	const tol = 1e-12 // some roundings of sums near 300
	set := Iris()
	for class, means := range [][]float64{
		{5.006, 3.428, 1.462, 0.246},
		{5.936, 2.770, 4.260, 1.326},
		{6.588, 2.974, 5.552, 2.026},
	} {
		for j, want := range means {
			sum := 0.0
			for i, v := range column(set, j) {
				if set.Y[i] == float64(class) {
					sum += v
				}
			}
			if math.Abs(sum/50-want) > tol {
				t.Errorf("%s, %s: mean %v, Fisher has %v", set.Classes[class], set.Features[j], sum/50, want)
			}
		}
	}
}

// The two flowers that UCI's file has wrong, as Fisher printed them.
func TestIrisIsFishers(t *testing.T) {
	for i, want := range map[int][]float64{34: {4.9, 3.1, 1.5, 0.2}, 37: {4.9, 3.6, 1.4, 0.1}} {
		if got := Iris().X[i].Value; !slices.Equal(got, want) {
			t.Errorf("flower %d: %v, Fisher has %v", i, got, want)
		}
	}
}

// Means in the summary printed with palmerpenguins.
func TestPenguinMeans(t *testing.T) {
	set := Penguins()
	for j, printed := range []string{"43.92", "17.15", "200.9", "4202"} {
		sum := 0.0
		for _, v := range column(set, j) {
			sum += v
		}
		if mean := sum / float64(set.Len()); !printsAs(mean, printed) {
			t.Errorf("%s: mean %v, the source says %s", set.Features[j], mean, printed)
		}
	}
}

func TestDigitsArePixels(t *testing.T) {
	set := Digits()
	for i, x := range set.X {
		for j, v := range x.Value {
			if v < 0 || v > 16 || v != math.Trunc(v) {
				t.Fatalf("image %d, %s = %v", i, set.Features[j], v)
			}
		}
	}
	if largest := slices.Max(column(set, 20)); largest != 16 { // row 2, column 4: the middle of most digits
		t.Errorf("largest value of %s is %v, want 16", set.Features[20], largest)
	}
	// The image that scikit-learn's documentation prints first: a zero.
	first := []float64{
		0, 0, 5, 13, 9, 1, 0, 0,
		0, 0, 13, 15, 10, 15, 5, 0,
		0, 3, 15, 2, 0, 11, 8, 0,
		0, 4, 12, 0, 0, 8, 8, 0,
		0, 5, 8, 0, 0, 9, 8, 0,
		0, 4, 11, 0, 1, 12, 7, 0,
		0, 2, 14, 5, 10, 12, 0, 0,
		0, 0, 6, 13, 10, 0, 0, 0,
	}
	if !slices.Equal(set.X[0].Value, first) || set.Y[0] != 0 {
		t.Errorf("first image %v, class %v", set.X[0].Value, set.Y[0])
	}
	if name := set.Features[8*2+1]; name != "pixel 2,1" {
		t.Errorf("row 2, column 1 is named %q", name)
	}
}

// What the documentation warns of. Counted in the original files with sort and uniq.
func TestRepeatedRows(t *testing.T) {
	set := Banknotes()
	distinct := map[string]bool{}
	for x, y := range set.All() {
		distinct[fmt.Sprint(x.Value, y)] = true
	}
	if got := set.Len() - len(distinct); got != 24 {
		t.Errorf("%d banknotes repeat another, the documentation says 24", got)
	}
	messages := Messages()
	seen := map[Message]bool{}
	for _, m := range messages {
		seen[m] = true
	}
	if got := len(messages) - len(seen); got != 403 {
		t.Errorf("%d messages repeat another, the documentation says 403", got)
	}
}
