package samples

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Penguins returns 342 penguins of the Palmer Archipelago: 151 Adelie, 68 Chinstrap and
// 123 Gentoo, with four measurements in millimetres and grams. (The bill is called beak in
// the file and culmen in the paper.)
//
// The file has 344 birds; the two without measurements, one Adelie and one Gentoo, are left
// out. Sex and island are not used: sex is missing for nine more birds, and of three islands
// Chinstrap and Gentoo live on one each.
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
