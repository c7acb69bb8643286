package text_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit/text"
)

func Example() {
	docs := []string{"the cat sat", "the cat ran", "the bird sang"}
	v, err := text.FitTFIDF(docs, text.Options{})
	if err != nil {
		log.Fatal(err)
	}
	rows := v.Rows([]string{"The bird and the dog sang"})
	fmt.Println(v.Terms(), rows[0].Index)
	// Output: [bird cat ran sang sat the] [0 3 5]
}

func ExampleTokenize() {
	for term := range text.Tokenize("WINNER!! Don’t wait: txt 2 87121 & get £1.50") {
		fmt.Printf("%q ", term)
	}
	// Output: "winner" "don't" "wait" "txt" "2" "87121" "get" "1" "50"
}

// Fit on training documents, then map any other document. "the" is in all of them and
// weighs least; "dog" was not seen and is ignored.
func ExampleFitTFIDF() {
	training := []string{"the cat sat", "the cat ran", "the bird sang"}
	v, err := text.FitTFIDF(training, text.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, term := range v.Terms() {
		fmt.Printf("%-5s idf %.3f\n", term, v.IDF(j))
	}
	row := v.Transform("The bird and the dog sang")
	for k, j := range row.Index {
		fmt.Printf("x[%s] = %.3f\n", v.Terms()[j], row.Value[k])
	}
	fmt.Printf("norm %.3f\n", row.Norm())
	// Output:
	// bird  idf 1.693
	// cat   idf 1.288
	// ran   idf 1.693
	// sang  idf 1.693
	// sat   idf 1.693
	// the   idf 1.000
	// x[bird] = 0.543
	// x[sang] = 0.543
	// x[the] = 0.641
	// norm 1.000
}

// What was fitted is stored as JSON.
func ExampleVectorizer_MarshalJSON() {
	v, err := text.FitTFIDF([]string{"the cat", "the dog"}, text.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	stored, err := json.Marshal(v)
	if err != nil {
		fmt.Println(err)
		return
	}
	var loaded text.Vectorizer // in another program
	err = json.Unmarshal(stored, &loaded)
	fmt.Println(loaded.Terms(), err)
	// Output: [cat dog the] <nil>
}

// Characters in words find what words with endings or misspellings have in common.
func ExampleOptions_grams() {
	v, err := text.FitTFIDF([]string{"words", "wprds"}, text.Options{Unit: text.CharactersInWords, MinGram: 2, MaxGram: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", v.Terms())
	// Output: [" w" "ds" "or" "pr" "rd" "s " "wo" "wp"]
}
