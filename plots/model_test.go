package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// scorer makes a model of a function of the plane.
type scorer func(x, y float64) float64

func (f scorer) Score(x svmkit.Row) float64 { return f(x.At(0), x.At(1)) }

// said is what a failing test shows of a figure.
func said(f *Figure) string {
	if f == nil {
		return "no figure"
	}
	return f.Caption
}

// shoelace is the area of a polygon that turns counterclockwise.
func shoelace(ps []point) float64 {
	sum := 0.0
	for i, p := range ps {
		q := ps[(i+1)%len(ps)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}

func totalArea(polygons [][]point) float64 {
	sum := 0.0
	for _, p := range polygons {
		sum += shoelace(p)
	}
	return sum
}

// summed is the rounding of some ten thousand small areas.
const summed = 1e-9

func TestScoreRegionsHaveTheirArea(t *testing.T) {
	b := box{-1, 3, -2, 2}
	g, err := (&scoreField{model: scorer(func(x, y float64) float64 { return 2*x + y })}).over(b)
	if err != nil {
		t.Fatal(err)
	}
	if all := totalArea(g.above(math.Inf(-1))); math.Abs(all-16) > summed {
		t.Errorf("the whole box has the area %g, want 16", all)
	}
	for _, v := range []float64{-3.9, -1, 0.3, 2, 7.7} { // interpolation is exact for a plane
		want := shoelace(halfPlane(b.corners(), plane(2, 1, -v)))
		if got := totalArea(g.above(v)); math.Abs(got-want) > summed {
			t.Errorf("f ≥ %g has the area %g, want %g", v, got, want)
		}
		for _, line := range g.level(v) {
			for _, p := range line {
				if math.Abs(2*p.X+p.Y-v) > summed {
					t.Fatalf("%v is not on the level %g", p, v)
				}
			}
		}
	}
	for _, polygon := range g.above(0.3) {
		if shoelace(polygon) < -summed {
			t.Fatalf("%v turns clockwise: its ground would cancel that of others", polygon)
		}
	}
}

// Half of the plane without a score must not spoil the other half.
func TestScoreRegionsEndAtNaN(t *testing.T) {
	b := box{-1, 1, -1, 1}
	g, err := (&scoreField{model: scorer(func(x, y float64) float64 {
		if x < 0 {
			return math.NaN()
		}
		return y
	})}).over(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := totalArea(g.above(0)); math.Abs(got-1) > summed {
		t.Errorf("the quarter where f ≥ 0 has the area %g, want 1", got)
	}
	for _, line := range g.level(0.25) {
		for _, p := range line {
			if !(p.X >= 0) || !(math.Abs(p.Y-0.25) <= summed) {
				t.Errorf("%v is not on the level line", p)
			}
		}
	}
	if _, number, lo, hi := g.share(); number >= 0.6 || number <= 0.4 || lo != -1 || hi != 1 {
		t.Errorf("scores on %g of the box, from %g to %g", number, lo, hi)
	}
}

// Models that say nothing, or too much, are drawn all the same.
func TestDecisionRegionsOfOddModels(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	wide := mustSet([][]float64{{0, 0}, {1000, 1}}, []float64{1, -1})
	for _, c := range []struct {
		name, want string
		set        *svmkit.Dataset
		model      scorer
	}{
		{"constant", "The score is 3 everywhere", nine(), func(x, y float64) float64 { return 3 }},
		{"zero", "The score is 0 everywhere", nine(), func(x, y float64) float64 { return 0 }},
		{"NaN", "has no score", nine(), func(x, y float64) float64 { return nan }},
		{"NaN in part", "ground is white", nine(), func(x, y float64) float64 { return math.Sqrt(x) }},
		{"infinite", "All of 9 points", nine(), func(x, y float64) float64 { return math.Copysign(inf, 2*x+y+0.1) }},
		{"signs", "All of 9 points lie in the region of their class, 0 of them", nine(), func(x, y float64) float64 { return math.Copysign(1, 2*x+y+0.1) }},
		{"all wrong", "Of 9 points, 9 are in the region of the other class", nine(), func(x, y float64) float64 { return -2*x - y - 0.1 }},
		{"noise", "Of 9 points", nine(), func(x, y float64) float64 { return math.Sin(1e6*x) * math.Cos(1e6*y) }},
		{"different units", "All of 2 points", wide, func(x, y float64) float64 { return 500 - x }},
	} {
		f, err := DecisionRegions(c.set, c.model, RegionMarks{})
		if err != nil || !strings.Contains(f.Caption, c.want) {
			t.Errorf("%s: %v, %v; want %q", c.name, said(f), err, c.want)
			continue
		}
		img, err := f.image(goldenDPI)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		painted := false
		for x := range img.Bounds().Dx() {
			for y := range img.Bounds().Dy() {
				painted = painted || slices.Contains(regionFills, color.Color(img.At(x, y)))
			}
		}
		drawn := slices.ContainsFunc(f.Legend, func(e Entry) bool { return e.Name == "$f = 0$" })
		if flat := strings.Contains(c.want, "everywhere") || c.name == "NaN"; drawn == flat || painted == flat {
			t.Errorf("%s: regions are painted: %v, the line f = 0 is in the legend: %v", c.name, painted, drawn)
		}
		if equal := strings.Contains(f.Alt, "in equal units"); equal != f.EqualUnits || equal == (c.set == wide) {
			t.Errorf("%s: equal units are %v: %s", c.name, f.EqualUnits, f.Alt)
		}
	}
}

func TestSlacksReachTheMarginLine(t *testing.T) {
	set, h := overlapping(), plane(0.9, 0.5, 0.1)
	d := &regions{set: set, field: &scoreField{model: h}}
	var err error
	if d.scores, err = scoreRows(h, set.X); err != nil {
		t.Fatal(err)
	}
	if err := d.findSlacks(h); err != nil {
		t.Fatal(err)
	}
	if want := loss.Sum(loss.Hinge{}, h, set); math.Abs(d.slack-want) > 1e-12 {
		t.Errorf("slacks sum to %g, want the hinge loss %g", d.slack, want)
	}
	if len(d.keep) == 0 || len(d.keep) > maxDrops {
		t.Fatalf("%d segments", len(d.keep))
	}
	for k, i := range d.keep {
		from, to, y := d.slacks.from[k], d.slacks.to[k], set.Y[i]
		xi := 1 - y*h.Score(set.X[i])
		if math.Abs(distance(from, to)-xi/h.Norm()) > 1e-12 || math.Abs(y*h.Score(row(to))-1) > 1e-12 || xi <= 0 {
			t.Errorf("row %d: from %v to %v, ξ = %g", i, from, to, xi)
		}
	}
}

func TestDecisionRegionsRingSupportVectors(t *testing.T) {
	r := moonModel()
	f, err := DecisionRegions(moons(), r, RegionMarks{})
	if want := count(len(r.SV)) + " support vectors are ringed."; err != nil || !strings.Contains(f.Caption, want) {
		t.Errorf("%v, %v; want %q", said(f), err, want)
	}
	if g, err := DecisionRegions(moons(), &r.Model, RegionMarks{}); err != nil || g.Caption != f.Caption {
		t.Errorf("the model alone: %v, %v", said(g), err)
	}
	if f, err := DecisionRegions(moons(), r, RegionMarks{Support: []int{7}}); err != nil || !strings.Contains(f.Caption, " 1 support vector is ringed") {
		t.Errorf("one row: %v, %v", said(f), err)
	}
	if f, err := DecisionRegions(moons(), r, RegionMarks{Support: []int{}}); err != nil || strings.Contains(f.Caption, "ringed") {
		t.Errorf("no row: %v, %v", said(f), err)
	}
}

// A part of the data shows the support vectors of the whole model: what is called ringed must
// be in sight.
func TestRingsAreInSight(t *testing.T) {
	r := moonModel()
	f, err := DecisionRegions(moons().Subset([]int{0, 1, 2, 3}), r, RegionMarks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.SV {
		if !shown(f.Plot).contains(at(x)) {
			t.Errorf("the support vector %v lies outside of %v", at(x), shown(f.Plot))
		}
	}
}

// Rows of weight 0 have no condition to meet, also where the others have a hard margin.
func TestKKTLeavesOutRowsOfWeightZero(t *testing.T) {
	apart, count := overlapping(), 0
	apart.Weight = make([]float64, apart.Len())
	for i, x := range apart.X {
		if x.At(0)*apart.Y[i] > 0.3 {
			apart.Weight[i] = 1
			count++
		}
	}
	p := &svm.Problem{Data: apart, C: svm.PerSum(math.Inf(1))}
	r := fitted(p)
	f, err := KKT(p, r, r.Beta)
	if err != nil || count == apart.Len() || !strings.HasPrefix(f.Caption, fmt.Sprintf("All of %d rows", count)) {
		t.Errorf("%v, %d rows count: %q", err, count, f.Caption)
	}
}

func TestKKTMeasuresWhatCertifyMeasures(t *testing.T) {
	weight := make([]float64, 50)
	for i := range weight {
		weight[i] = float64(i%3) / 2
	}
	weighted := overlapping()
	weighted.Weight = weight
	for name, p := range map[string]*svm.Problem{
		"hinge":      {Data: overlapping()},
		"weighted":   {Data: weighted, C: svm.Cost{C: 2, Positive: 3}, Bias: svmkit.PenalizedBias},
		"tube":       {Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.15}, Kernel: kernel.RBF{Gamma: 1}},
		"asymmetric": {Data: wave(), Loss: loss.EpsInsensitive{Epsilon: 0.1}, C: svm.Cost{C: 1, Positive: 4}, Bias: svmkit.NoBias},
	} {
		rng := rand.New(rand.NewPCG(3, 0))
		solved := fitted(p).Beta
		guess := make([]float64, len(solved))
		for i := range guess {
			above, below := bounds(p.C, p.Data, i, p.Regression())
			guess[i] = above * rng.Float64()
			if p.Regression() && rng.IntN(2) == 0 {
				guess[i] = -below * rng.Float64()
			} else if !p.Regression() {
				guess[i] *= p.Data.Y[i]
			}
			if rng.IntN(3) == 0 {
				guess[i] = 0
			}
		}
		for which, beta := range map[string][]float64{"solved": solved, "guessed": guess} {
			proof, err := p.Certify(beta) // which repairs Σβ = 0 with a free bias
			if err != nil {
				t.Fatal(err)
			}
			k, err := newConditions(p, p.Model(proof), proof.Beta)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, which, err)
			}
			const rounding = 1e-6 // a β so near to its bound that it counts as there
			if got := slices.Max(k.violation); math.Abs(got-proof.KKT) > rounding {
				t.Errorf("%s, %s: the largest violation is %g, that of the certificate %g", name, which, got, proof.KKT)
			}
			f, err := KKT(p, p.Model(proof), proof.Beta)
			if err != nil {
				t.Fatal(err)
			}
			if good := strings.HasPrefix(f.Caption, "All of"); good != (which == "solved") {
				t.Errorf("%s, %s: %s", name, which, f.Caption)
			}
			if strings.Contains(f.Caption+f.Alt, "e−") {
				t.Errorf("%s, %s: the words hold what a solver leaves of 0: %s %s", name, which, f.Caption, f.Alt)
			}
			for _, at := range k.at {
				if at.Y > k.top*(1+1e-9) || at.Y < -k.bottom*(1+1e-9) {
					t.Errorf("%s: %v is outside of the box", name, at)
				}
			}
		}
	}
}

// A hard margin has no bound: its line comes down at 1.
func TestKKTOfAHardMargin(t *testing.T) {
	p := &svm.Problem{Data: nine(), C: svm.PerSum(math.Inf(1))}
	r := fitted(p)
	f, err := KKT(p, r, r.Beta)
	if err != nil || !strings.HasPrefix(f.Caption, "All of 9 rows") || !strings.Contains(f.Caption, ", 0 at the bound") {
		t.Fatalf("%v, %v", said(f), err)
	}
	if _, err := f.Thumbnail(); err != nil {
		t.Error(err)
	}
}

func TestAreaLeftOfOneIsTheHingeLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for range 50 {
		set := &svmkit.Dataset{Dim: 1}
		for range 1 + rng.IntN(30) {
			set.X = append(set.X, svmkit.Dense(math.Round(4*rng.NormFloat64())/2)) // ties, zeros and ones
			set.Y = append(set.Y, float64(2*rng.IntN(2)-1))
		}
		h := svmkit.Hyperplane{W: []float64{1}}
		m, err := functionalMargins(set, NamedModel{"f", h})
		if err != nil {
			t.Fatal(err)
		}
		corners := staircaseOf(m)
		if got, want := -shoelace(leftOfOne(corners, m[0])), loss.Risk(loss.Hinge{}, h, set); math.Abs(got-want) > 1e-12 {
			t.Fatalf("margins %v: area %g, mean hinge loss %g", m, got, want)
		}
		words := marginShares("f", m)
		if want := "f: " + percent(loss.Risk(loss.ZeroOne{}, h, set)) + " at or left of 0"; !strings.HasPrefix(words, want) {
			t.Fatalf("%q, want %q", words, want)
		}
		if end := corners[len(corners)-1]; end.Y != 1 || end.X != m[len(m)-1] {
			t.Fatalf("the staircase ends at %v", end)
		}
	}
}

func TestGapsThatCannotBeShownAreCounted(t *testing.T) {
	inf := math.Inf(1)
	at := func(epoch int, primal, dual float64) svmkit.Progress {
		return svmkit.Progress{Iteration: epoch, Certificate: svmkit.Certificate{Primal: primal, Dual: dual, Gap: primal - dual}}
	}
	r := GapRun{"$C$", []svmkit.Progress{at(0, 9, 1), at(1, inf, 1), at(2, 4, 2), at(3, 4, 3), at(4, 4, 4)}, []float64{0, 0.1, 0.2, 0.3, 0.4}}
	f, err := GapOverEpochs([]GapRun{r})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"from 0.5 to 0 after 4 passes", "1 certificate at the start", "1 certificate with an infinite", "1 certificate with a gap of zero"} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
	if f, err := GapOverTime([]GapRun{r}); err != nil || !strings.Contains(f.Caption, "after 0.4 s") {
		t.Errorf("%v, %v", said(f), err)
	}
	r.History = r.History[:4]
	better := GapRun{Name: "other", History: []svmkit.Progress{at(7, 4, 3.6)}}
	if f, err := GapOverEpochs([]GapRun{r, better}); err != nil || !strings.Contains(f.Caption, "Nearest to the optimum comes other, with a relative gap of 0.1 after 7") {
		t.Errorf("%v, %v", said(f), err)
	}
}

func TestGramIsOrderedByClass(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, Classes: []string{"a", "b", "c"}}
	for i := range 9 {
		set.X, set.Y = append(set.X, svmkit.Dense(float64(i))), append(set.Y, float64((2*i)%3))
	}
	same := kernel.Func(func(x, z svmkit.Row) float64 {
		if (int(x.At(0))-int(z.At(0)))%3 == 0 {
			return 5
		}
		return -2
	})
	f, err := GramMatrix(set, same)
	if err != nil || !strings.Contains(f.Caption, "of one class have a kernel value of 5 on average, two of different classes −2: on average, the kernel sees") {
		t.Errorf("%v, %v", said(f), err)
	}
	g := &gram{set: set, rows: gramRows(set)}
	if !slices.Equal(g.rows, []int{0, 3, 6, 2, 5, 8, 1, 4, 7}) {
		t.Errorf("rows %v are not ordered by class", g.rows)
	}
	if err := g.evaluate(same); err != nil {
		t.Fatal(err)
	}
	g.findBlocks()
	if !slices.Equal(g.blocks, []int{0, 3, 6}) || g.name(1) != "b" || g.lo != -2 || g.hi != 5 {
		t.Errorf("blocks at %v, named %q; values from %g to %g", g.blocks, g.name(1), g.lo, g.hi)
	}
	bad := kernel.Func(func(x, z svmkit.Row) float64 {
		if x.At(0)+z.At(0) == 15 { // rows 7 and 8
			return math.NaN()
		}
		return 1
	})
	var data *svmkit.DataError
	if _, err := GramMatrix(set, bad); !errors.As(err, &data) || data.Row+data.Col != 15 || !errors.Is(err, svmkit.ErrNotFinite) {
		t.Errorf("NaN between rows 7 and 8: %v", err)
	}
}

func TestShadesKeepTheirOrder(t *testing.T) {
	light := func(c color.RGBA) float64 { return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B) }
	s, d := shade{0, 10, sequential}, shade{-10, 10, diverging}
	if white := (color.RGBA{255, 255, 255, 255}); d.colour(0) != white || s.colour(0) != white || s.colour(-1) != white {
		t.Error("zero is not white")
	}
	for v := 0.5; v <= 10; v += 0.5 {
		for name, pair := range map[string][2]color.RGBA{"sequential": {s.colour(v - 0.5), s.colour(v)}, "positive": {d.colour(v - 0.5), d.colour(v)}, "negative": {d.colour(0.5 - v), d.colour(-v)}} {
			if light(pair[1]) >= light(pair[0]) {
				t.Errorf("%s: %g is not darker than what is nearer to zero", name, v)
			}
		}
	}
	if got := (shade{3, 3, sequential}).colour(3); got != sequential[0] {
		t.Errorf("a scale of one value: %v", got)
	}
}

// A browser does not stretch the image of a large matrix, so cells that are no squares must be
// polygons.
func TestOnlySquareCellsAreAnImage(t *testing.T) {
	for name, image := range map[string]bool{"confusion": false, "gram": true} {
		f, err := examples[name]()
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if got := strings.Contains(string(svg), "<image"); err != nil || got != image || image && !f.EqualUnits {
			t.Errorf("%s: an image: %v, with equal units: %v; %v", name, got, f.EqualUnits, err)
		}
	}
}

func TestConfusionSaysTheWorstMistake(t *testing.T) {
	c := &tune.Confusion{Names: []string{"a", "b", "c"}, Count: [][]int{{5, 1, 0}, {0, 7, 2}, {3, 0, 1}}, None: []int{0, 1, 0}}
	f, err := ConfusionMatrix(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"65 % of 20 rows", "c taken for a, 3 times", "1 has no prediction"} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
	if want := "Of 10 rows of b, 7 are right, 2 taken for c, 1 without a prediction."; !strings.Contains(f.Alt, want) {
		t.Errorf("%q, want %q in it", f.Alt, want)
	}
}

// Percentages are drawn, and spoken of, up to six classes: below the counts of more they are too small to be read.
func TestConfusionHasPercentagesOfFewClasses(t *testing.T) {
	for _, classes := range []int{6, 7} {
		c := &tune.Confusion{None: make([]int, classes)}
		for k := range classes {
			c.Names = append(c.Names, fmt.Sprint("class ", k))
			c.Count = append(c.Count, make([]int, classes))
			c.Count[k][k] = 4
		}
		f, err := ConfusionMatrix(c)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		drawn := strings.Count(string(svg), ">100 %<") == classes
		if want := classes == 6; err != nil || drawn != want || strings.Contains(f.Caption, "Percentages are") != want {
			t.Errorf("%d classes: percentages drawn %v, %v; %q", classes, drawn, err, f.Caption)
		}
	}
}

// The area under the curve that is drawn is the share of pairs in the right order, counted one
// by one, ties half (Mann and Whitney).
func TestROCAreaCountsPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range 40 {
		set := &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(0), svmkit.Dense(0)}, Y: []float64{-1, 1}}
		scores := []float64{0, 1}
		for range rng.IntN(40) {
			set.X, set.Y = append(set.X, svmkit.Dense(0)), append(set.Y, float64(2*rng.IntN(2)-1))
			scores = append(scores, float64(rng.IntN(7)-3))
		}
		right, pairs, called, negative := 0.0, 0.0, 0.0, 0.0
		for i, a := range scores {
			if set.Y[i] < 0 {
				negative++
				if a > 0 {
					called++
				}
				continue
			}
			for k, b := range scores {
				if set.Y[k] < 0 {
					pairs++
					switch {
					case a > b:
						right++
					case a == b:
						right += 0.5
					}
				}
			}
		}
		f, err := ROCCurves(set, []NamedScores{{"m", scores}})
		if err != nil {
			t.Fatal(err)
		}
		curve := f.Legend[0].Mark.(marked).at
		area := -shoelace(append([]point{{X: 1}}, curve...)) // what lies below the curve turns clockwise
		if math.Abs(area-right/pairs) > 1e-12 || f.Legend[0].Name != "m, AUC "+num(roughly(right/pairs)) {
			t.Fatalf("area %g, legend %q, pairs in order %g", area, f.Legend[0].Name, right/pairs)
		}
		if false, rows := calledPositive(set, scores); false[0] != called || rows[0] != negative {
			t.Fatalf("at 0, %v of %v are called positive; want %g of %g negative ones", false, rows, called, negative)
		}
	}
}

// What lies below the steps is the average precision, the mark is at what Confuse says of the signs,
// and the dotted line at the part of the rows that is positive.
func TestPrecisionRecallAreaIsAveragePrecision(t *testing.T) {
	set, models := overlapping(), rocModels()
	models = append(models, NamedScores{"never", slices.Repeat([]float64{-1}, set.Len())})
	f, err := PrecisionRecallCurves(set, models)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range models {
		want, err := tune.AveragePrecision.Measure(set, tune.Predictions{Score: m.Scores})
		if err != nil {
			t.Fatal(err)
		}
		below := append([]point{{X: 1}, {}}, f.Legend[i].Mark.(marked).at...)
		if area := -shoelace(below); !(math.Abs(area-want) <= 1e-12) || f.Legend[i].Name != m.Name+", average precision "+num(roughly(want)) {
			t.Errorf("%s: area %g, legend %q, average precision %g", m.Name, area, f.Legend[i].Name, want)
		}
		labels := make([]float64, len(m.Scores))
		for k, s := range m.Scores {
			labels[k] = math.Copysign(1, s)
			if s == 0 {
				labels[k] = -1 // not called positive
			}
		}
		c, err := tune.Confuse(set, tune.Predictions{Label: labels})
		if err != nil {
			t.Fatal(err)
		}
		precision := c.Precision(1)
		if m.Name == "never" {
			precision = 1
		}
		if own := ownPrecision(set, m.Scores); own != (point{X: c.Recall(1), Y: precision}) {
			t.Errorf("%s: the mark is at %v, want %g, %g", m.Name, own, c.Recall(1), precision)
		}
	}
	if guess := f.Legend[len(models)].Mark.(path).at; guess[0] != (point{Y: 0.5}) || guess[1] != (point{X: 1, Y: 0.5}) {
		t.Errorf("half of the rows are positive; guessing is drawn at %v", guess)
	}
}

// Each cell has the shade and the texts of its point, wherever it stands among the points, and the frames are around the two choices.
func TestCVMapShowsEveryPoint(t *testing.T) {
	s := lossGrid()
	f, err := CVMap(s, "error")
	if err != nil {
		t.Fatal(err)
	}
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	if best.Params == simple.Params {
		t.Fatal("the example has one choice only")
	}
	costs, gammas := []float64{0.001, 0.01, 0.1, 1, 10, 100}, []float64{0.1, 1, 10}
	cell := func(p tune.Params) point {
		return point{X: float64(slices.Index(costs, p.C)) + 0.5, Y: float64(slices.Index(gammas, p.Gamma)) + 0.5}
	}
	for k, p := range []tune.Point{best, simple} {
		frame := f.Legend[k].Mark.(segments)
		middle := point{X: (frame.from[0].X + frame.from[2].X) / 2, Y: (frame.from[0].Y + frame.from[2].Y) / 2}
		if want := cell(p.Params); len(frame.from) != 4 || !(math.Abs(middle.X-want.X)+math.Abs(middle.Y-want.Y) < 1e-9) {
			t.Errorf("%s is framed at %v, want %v", f.Legend[k].Name, middle, want)
		}
	}
	for _, p := range s.Points {
		row := fmt.Sprintf("C = %s:", num(p.C))
		_, rest, _ := strings.Cut(f.Alt, row)
		values, _, _ := strings.Cut(rest+" ", ". ")
		if got := strings.Split(values, ",")[slices.Index(gammas, p.Gamma)]; strings.TrimSpace(got) != num(roughly(p.Mean)) {
			t.Errorf("%s: the text says %q, want %s", p.Params, got, num(roughly(p.Mean)))
		}
	}
	if want := foundBy(best, simple, "error", 2); f.Caption != want || !strings.Contains(want, "within one standard error") {
		t.Errorf("%q, want %q", f.Caption, want)
	}
}

// Of a standard error two digits are written.
func TestStandardErrorsAreShort(t *testing.T) {
	best := tune.Point{Params: tune.Params{C: 1}, CVResult: tune.CVResult{Mean: 0.98765, StdErr: 0.00741}}
	other := tune.Point{Params: tune.Params{C: 0.1}, CVResult: tune.CVResult{Mean: 4321, StdErr: 123}}
	got := foundBy(best, other, "error", 10)
	for _, want := range []string{"0.988 ± 0.0074,", "4,320 ± 120."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

func TestCVCurveMarksBothChoices(t *testing.T) {
	f, err := CVCurve(search(nil), "accuracy")
	s := search(nil)
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	if best.Params == simple.Params {
		t.Fatal("the example has one choice only")
	}
	if err != nil || !strings.Contains(f.Caption, fmt.Sprintf("that of C = %g; within one standard error of it, the simplest is C = %g,", best.C, simple.C)) {
		t.Errorf("%v, %v", said(f), err)
	}
	if got := oneErrorAway(s, best); got != best.Mean-best.StdErr {
		t.Errorf("accuracy: the limit is %g", got)
	}
	// A loss: the best is the least, and the band lies above it.
	worse := tune.Point{Params: tune.Params{C: 1}, CVResult: tune.CVResult{Scores: []float64{0.5, 0.7}, Mean: 0.6, StdErr: 0.1}}
	least := tune.Point{Params: tune.Params{C: 2}, CVResult: tune.CVResult{Scores: []float64{0.2, 0.4}, Mean: 0.3, StdErr: 0.1}}
	unfinished := tune.Point{Params: tune.Params{C: 3}, CVResult: tune.CVResult{Scores: []float64{0.9, math.NaN()}, Mean: 0.9}}
	if got := oneErrorAway(&tune.Selection{Points: []tune.Point{worse, least}}, least); got != 0.3+0.1 {
		t.Errorf("a loss: the limit is %g", got)
	}
	// An unfinished point says nothing of which way is worse.
	if got := oneErrorAway(&tune.Selection{Points: []tune.Point{worse, unfinished}}, worse); got != 0.6-0.1 {
		t.Errorf("next to an unfinished point: the limit is %g", got)
	}
	v, err := newCVCurves(&tune.Selection{Points: []tune.Point{least, unfinished, worse}})
	if err != nil || v.missing != 1 || len(v.curves) != 1 || !slices.Equal(v.curves[0].at, []point{{X: 1, Y: 0.6}, {X: 2, Y: 0.3}}) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestCVCurveOverGamma(t *testing.T) {
	s := &tune.Selection{}
	for k, gamma := range []float64{0.1, 1, 10} {
		mean := []float64{0.7, 0.9, 0.8}[k]
		s.Points = append(s.Points, tune.Point{Params: tune.Params{C: 1, Gamma: gamma}, CVResult: tune.CVResult{Scores: []float64{mean}, Mean: mean, StdErr: math.NaN()}})
	}
	f, err := CVCurve(s, "accuracy")
	if err != nil || f.Plot.X.Label.Text != `$\gamma$` || !strings.Contains(f.Caption, "one fold alone has no standard error") {
		t.Errorf("%v, %v", said(f), err)
	}
	if _, err := f.Thumbnail(); err != nil {
		t.Error(err)
	}
}

func TestLearningCurveSaysWhetherAGapIsLeft(t *testing.T) {
	for want, p := range map[string]LearningPoint{
		"the mean accuracy is 0.9 on these and 0.6 on rows not seen: a gap of 0.3": {10, []float64{0.9, 0.9}, []float64{0.55, 0.65}},
		"the bands of one standard error meet":                                     {10, []float64{0.9, 0.9}, []float64{0.78, 1}},
	} {
		f, err := LearningCurve([]LearningPoint{p}, "accuracy")
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v, %v; want %q", said(f), err, want)
		}
	}
	if mean, spread := meanAndError([]float64{1, 2, 3, 6}); mean != 3 || math.Abs(spread-math.Sqrt(14.0/3/4)) > 1e-15 {
		t.Errorf("mean %g, standard error %g", mean, spread)
	}
}

// threeWays predicts the class of the nearest of three places.
type threeWays struct{ *multiclass.Linear }

func nearestOfThree() threeWays {
	l := &multiclass.Linear{Classes: multiclass.Classes{Count: 3, Names: []string{"a", "b", "c"}}}
	for _, q := range []point{{X: -1}, {X: 1}, {Y: 1.5}} {
		l.W, l.B = append(l.W, []float64{2 * q.X, 2 * q.Y}), append(l.B, -q.X*q.X-q.Y*q.Y)
	}
	return threeWays{l}
}

func TestClassRegionsTileThePanel(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, Classes: []string{"a", "b", "c"}, Y: []float64{0, 1, 2, 2},
		X: []svmkit.Row{svmkit.Dense(-1, 0), svmkit.Dense(1, 0), svmkit.Dense(0, 1), svmkit.Dense(-1, -1)}}
	r, err := newClassRegions(set, nearestOfThree())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.wrong, []int{3}) {
		t.Errorf("wrong rows: %v", r.wrong)
	}
	b := box{-2, 2, -1.5, 2.5}
	pieces, borders := classGround{r}.cut(b)
	areas, loose := 0.0, 0
	const found = 4.0 / gridSteps / (1 << halvings) // how near to the border halving comes, along a side
	for k := range pieces {
		areas += totalArea(pieces[k])
		for _, p := range pieces[k] {
			c := point{}
			for _, q := range p {
				c.X, c.Y = c.X+q.X/float64(len(p)), c.Y+q.Y/float64(len(p))
			}
			if s := r.model.ClassScores(row(c)); slices.Max(s)-s[k] > 12*found { // the steepest difference of scores has the slope 4
				loose++
			}
		}
	}
	if loose > 3 { // the pieces of the one triangle where three regions meet
		t.Errorf("%d pieces lie in another region", loose)
	}
	if math.Abs(areas-16) > summed {
		t.Errorf("the regions have the area %g, the box 16", areas)
	}
	for i := range borders.from {
		s := r.model.ClassScores(row(borders.from[i]))
		slices.Sort(s)
		if s[2]-s[1] > 12*found {
			t.Fatalf("%v is on a border, with scores %v", borders.from[i], s)
		}
	}
}

func TestModelFiguresRefuseBadInput(t *testing.T) {
	good, h, nan := nine(), plane(1, 1, 0), math.NaN()
	problem := &svm.Problem{Data: good}
	beta := make([]float64, 9)
	named := func(m svmkit.Scorer) []NamedModel { return []NamedModel{{"m", m}} }
	history := []svmkit.Progress{{Iteration: 1, Certificate: svmkit.Certificate{Primal: 2, Dual: 1, Gap: 1}}}
	three := &svmkit.Dataset{Dim: 2, X: good.X[:2], Y: []float64{0, 7}}
	var none *svm.Model
	for name, build := range map[string]func() (*Figure, error){
		"regions: nil set":   func() (*Figure, error) { return DecisionRegions(nil, h, RegionMarks{}) },
		"regions: 3-D":       func() (*Figure, error) { return DecisionRegions(basisVectors(3), h, RegionMarks{}) },
		"regions: no model":  func() (*Figure, error) { return DecisionRegions(good, nil, RegionMarks{}) },
		"regions: nil model": func() (*Figure, error) { return DecisionRegions(good, none, RegionMarks{}) },
		"regions: model of 3-D": func() (*Figure, error) {
			return DecisionRegions(good, svmkit.Hyperplane{W: []float64{1, 2, 3}}, RegionMarks{})
		},
		"regions: ring row":      func() (*Figure, error) { return DecisionRegions(good, h, RegionMarks{Support: []int{9}}) },
		"regions: slack, curved": func() (*Figure, error) { return DecisionRegions(moons(), moonModel(), RegionMarks{Slack: true}) },
		"regions: slack, w = 0":  func() (*Figure, error) { return DecisionRegions(good, plane(0, 0, 1), RegionMarks{Slack: true}) },
		"distribution: none":     func() (*Figure, error) { return MarginDistribution(good, nil) },
		"distribution: seven":    func() (*Figure, error) { return MarginDistribution(good, make([]NamedModel, 7)) },
		"distribution: NaN":      func() (*Figure, error) { return MarginDistribution(good, named(plane(nan, 0, 0))) },
		"distribution: no model": func() (*Figure, error) { return MarginDistribution(good, named(nil)) },
		"gap: none":              func() (*Figure, error) { return GapOverEpochs(nil) },
		"gap: empty":             func() (*Figure, error) { return GapOverEpochs([]GapRun{{}}) },
		"gap: no seconds":        func() (*Figure, error) { return GapOverTime([]GapRun{{History: history}}) },
		"gap: NaN seconds":       func() (*Figure, error) { return GapOverTime([]GapRun{{History: history, Seconds: []float64{nan}}}) },
		"gap: seconds fall": func() (*Figure, error) {
			return GapOverTime([]GapRun{{History: append(history, history...), Seconds: []float64{2, 1}}})
		},
		"gap: NaN": func() (*Figure, error) {
			return GapOverEpochs([]GapRun{{History: []svmkit.Progress{{Certificate: svmkit.Certificate{Gap: nan}}}}})
		},
		"kkt: nil":        func() (*Figure, error) { return KKT(nil, h, beta) },
		"kkt: β short":    func() (*Figure, error) { return KKT(problem, h, beta[:3]) },
		"kkt: β outside":  func() (*Figure, error) { return KKT(problem, h, []float64{-0.5, 0, 0, 0, 0, 0, 0, 0, 0}) },
		"kkt: β NaN":      func() (*Figure, error) { return KKT(problem, h, []float64{nan, 0, 0, 0, 0, 0, 0, 0, 0}) },
		"kkt: no model":   func() (*Figure, error) { return KKT(problem, nil, beta) },
		"kkt: score NaN":  func() (*Figure, error) { return KKT(problem, plane(nan, 0, 0), beta) },
		"kkt: logistic":   func() (*Figure, error) { return KKT(&svm.Problem{Data: good, Loss: loss.Logistic{}}, h, beta) },
		"gram: nil":       func() (*Figure, error) { return GramMatrix(nil, kernel.Linear{}) },
		"gram: no kernel": func() (*Figure, error) { return GramMatrix(good, nil) },
		"gram: γ < 0":     func() (*Figure, error) { return GramMatrix(good, kernel.RBF{Gamma: -1}) },
		"gram: kernel panics": func() (*Figure, error) {
			return GramMatrix(good, kernel.Func(func(x, z svmkit.Row) float64 { panic("no") }))
		},
		"confusion: nil": func() (*Figure, error) { return ConfusionMatrix(nil) },
		"confusion: no rows": func() (*Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"}, Count: [][]int{{0, 0}, {0, 0}}, None: []int{0, 0}})
		},
		"confusion: ragged": func() (*Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"}, Count: [][]int{{0, 1}, {0}}, None: []int{0, 0}})
		},
		"confusion: negative": func() (*Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"}, Count: [][]int{{2, -1}, {0, 1}}, None: []int{0, 0}})
		},
		"roc: none":        func() (*Figure, error) { return ROCCurves(good, nil) },
		"roc: short":       func() (*Figure, error) { return ROCCurves(good, []NamedScores{{"m", beta[:2]}}) },
		"roc: one class":   func() (*Figure, error) { return ROCCurves(good.Subset([]int{0, 1}), []NamedScores{{"m", beta[:2]}}) },
		"precision: none":  func() (*Figure, error) { return PrecisionRecallCurves(good, nil) },
		"precision: short": func() (*Figure, error) { return PrecisionRecallCurves(good, []NamedScores{{"m", beta[:2]}}) },
		"cv: nil":          func() (*Figure, error) { return CVCurve(nil, "accuracy") },
		"cv: two kernels": func() (*Figure, error) {
			linear := tune.Point{Params: tune.Params{C: 1, Kernel: "linear"}, CVResult: tune.CVResult{Scores: []float64{1}, Mean: 1}}
			rbf := linear
			rbf.Kernel = "rbf"
			return CVCurve(&tune.Selection{Points: []tune.Point{linear, rbf}}, "accuracy")
		},
		"map: nil":              func() (*Figure, error) { return CVMap(nil, "accuracy") },
		"map: nothing finished": func() (*Figure, error) { return CVMap(&tune.Selection{}, "accuracy") },
		"map: no γ":             func() (*Figure, error) { return CVMap(search(nil), "accuracy") },
		"map: unfinished": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points[3].Scores[1] = nan
			return CVMap(s, "accuracy")
		},
		"map: a cell missing": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points = s.Points[:len(s.Points)-1]
			return CVMap(s, "accuracy")
		},
		"map: two kernels": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points[3].Kernel = "poly"
			return CVMap(s, "accuracy")
		},
		"cv: nothing finished": func() (*Figure, error) { return CVCurve(&tune.Selection{}, "accuracy") },
		"learning: none":       func() (*Figure, error) { return LearningCurve(nil, "accuracy") },
		"learning: no rows":    func() (*Figure, error) { return LearningCurve([]LearningPoint{{0, beta, beta}}, "accuracy") },
		"learning: no scores":  func() (*Figure, error) { return LearningCurve([]LearningPoint{{5, beta, nil}}, "accuracy") },
		"learning: NaN":        func() (*Figure, error) { return LearningCurve([]LearningPoint{{5, beta, []float64{nan}}}, "accuracy") },
		"learning: n falls": func() (*Figure, error) {
			return LearningCurve([]LearningPoint{{5, beta, beta}, {4, beta, beta}}, "accuracy")
		},
		"outliers: nil set":     func() (*Figure, error) { return Outliers(nil, product{}) },
		"outliers: no model":    func() (*Figure, error) { return Outliers(good, nil) },
		"outliers: 3-D":         func() (*Figure, error) { return Outliers(basisVectors(3), product{}) },
		"outliers: NaN":         func() (*Figure, error) { return Outliers(good, svmkit.Hyperplane{W: []float64{nan, 0}}) },
		"classes: nil set":      func() (*Figure, error) { return ClassRegions(nil, nearestOfThree()) },
		"classes: no model":     func() (*Figure, error) { return ClassRegions(good, nil) },
		"classes: wrong labels": func() (*Figure, error) { return ClassRegions(three, nearestOfThree()) },
		"classes: 3-D":          func() (*Figure, error) { return ClassRegions(basisVectors(3), nearestOfThree()) },
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func TestModelFiguresSayWhatTheyLeaveOut(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 3000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)+rng.NormFloat64()))
	}
	h, all := plane(1, 0, 0), make([]int, 3000)
	for i := range all {
		all[i] = i
	}
	scores := make([]float64, 3000)
	for i, x := range big.X {
		scores[i] = x.At(0)
	}
	for want, build := range map[string]func() (*Figure, error){
		"Of 3,000 rings, 120":                  func() (*Figure, error) { return DecisionRegions(big, h, RegionMarks{Support: all}) },
		"Of 3,000 points, 1,200":               func() (*Figure, error) { return DecisionRegions(big, h, RegionMarks{}) },
		"The 20 largest are drawn":             func() (*Figure, error) { return DecisionRegions(big, h, RegionMarks{Slack: true}) },
		"Of 3,000 rows, ordered by class, 240": func() (*Figure, error) { return GramMatrix(big, kernel.Linear{}) },
		"points of m, 1,000":                   func() (*Figure, error) { return ROCCurves(big, []NamedScores{{"m", scores}}) },
		"steps of m, 1,000":                    func() (*Figure, error) { return PrecisionRecallCurves(big, []NamedScores{{"m", scores}}) },
		"Of 3,000 rows, 1,":                    func() (*Figure, error) { return KKT(&svm.Problem{Data: big}, h, make([]float64, 3000)) },
		"Of 3,000 steps of m, 1,000":           func() (*Figure, error) { return MarginDistribution(big, []NamedModel{{"m", h}}) },
	} {
		f, err := build()
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v, %v; want %q", said(f), err, want)
			continue
		}
		if svg, err := f.SVG(); err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", want, len(svg), err)
		}
	}
}
