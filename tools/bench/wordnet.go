package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/text"
)

// wordnetFolder is where Debian's wordnet-base puts WordNet 3.0.
const wordnetFolder = "/usr/share/wordnet"

// wideSet is the name of the glosses as single words and pairs of neighbours: far more columns than rows, most of
// which occur in one row only.
const wideSet = "wordnet_nv_bigrams"

// readGlosses returns the glosses of the folder's four parts of speech as tf-idf of words and pairs; +1 is a noun.
func readGlosses(folder string) (*svmkit.Dataset, error) {
	var docs []string
	set := &svmkit.Dataset{Classes: []string{"other", "noun"}}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		content, err := os.ReadFile(filepath.Join(folder, "data."+part))
		if err != nil {
			return nil, err
		}
		label := -1.0
		if part == "noun" {
			label = 1
		}
		for line := range bytes.Lines(content) {
			if line[0] == ' ' { // of the licence
				continue
			}
			_, gloss, found := bytes.Cut(line, []byte(" | "))
			if !found {
				return nil, fmt.Errorf("%s: no gloss in %q", part, line)
			}
			docs, set.Y = append(docs, string(gloss)), append(set.Y, label)
		}
	}
	vectorizer, err := text.FitTFIDF(docs, text.Options{MinGram: 1, MaxGram: 2})
	if err != nil {
		return nil, err
	}
	set.X, set.Dim = vectorizer.Rows(docs), vectorizer.Dim()
	return set, set.Validate()
}
