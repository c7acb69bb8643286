package samples

import (
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Wine returns chemical analyses of 178 wines of one Italian region, 59 Barolo,
// 71 Grignolino, 48 Barbera: 13 quantities in very different units, proline in hundreds and
// hue near 1. Without scaling, proline decides every distance.
//
// UCI only numbers the classes 1, 2, 3. The names are those of Forina and others (1986),
// whose study has the same three counts in this order.
func Wine() *svmkit.Dataset { return fresh(wine()) }

var wine = sync.OnceValue(wineFile.read)

var wineFile = table{
	file: "wine.csv", header: 1,
	features: []string{"alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium",
		"total phenols", "flavanoids", "nonflavanoid phenols", "proanthocyanins",
		"color intensity", "hue", "OD280/OD315 of diluted wines", "proline"},
	classes: []string{"Barolo", "Grignolino", "Barbera"},
}
