package samples

import (
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Banknotes returns 1372 images of genuine and forged banknote-like specimens, each as four
// statistics: variance, skewness and kurtosis of its wavelet transform, and the entropy of
// the image. The numbers have no units and are as published; a variance below zero shows
// that they were shifted or transformed in a way that the source does not describe.
//
// The source does not say which class is genuine. UCI publishes 0 (762 rows) and 1
// (610 rows) without their meaning; of those who pass the set on, some write that 0 is
// genuine, others (such as the R package treemisc) that 1 is. So the classes are "class 0"
// (y = −1) and "class 1" (y = +1), and a model does not say which notes are forged.
//
// 24 rows repeat an earlier row, with the same class: a random split can put one copy on
// each side.
func Banknotes() *svmkit.Dataset { return fresh(banknotes()) }

var banknotes = sync.OnceValue(banknotesFile.read)

var banknotesFile = table{
	file: "banknotes.csv", header: 1,
	features: []string{"wavelet variance", "wavelet skewness", "wavelet kurtosis", "image entropy"},
	classes:  []string{"class 0", "class 1"},
}
