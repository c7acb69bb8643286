package samples

import "testing"

// What the first call of each function costs: decompress, parse, and vectorise the messages.
// Aims: below 50 ms, SMS below 150 ms.
func BenchmarkFirstCall(b *testing.B) {
	for _, c := range []struct {
		name string
		read func()
	}{
		{"Iris", func() { irisFile.read() }},
		{"Wine", func() { wineFile.read() }},
		{"BreastCancer", func() { breastCancerFile.read() }},
		{"Digits", func() { digitsFile.read() }},
		{"Banknotes", func() { banknotesFile.read() }},
		{"Penguins", func() { readPenguins("penguins.json") }},
		{"SMS", func() { vectorize(readMessages("sms_spam.tsv.gz")) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.read()
			}
		})
	}
}

// Later calls only copy.
func BenchmarkLaterCall(b *testing.B) {
	for _, info := range All() {
		get := functions[info.Name]
		get()
		b.Run(info.Name, func(b *testing.B) {
			for b.Loop() {
				get()
			}
		})
	}
}
