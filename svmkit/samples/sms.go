package samples

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/text"
)

// Message is one text message of the SMS Spam Collection.
type Message struct {
	Spam bool   // false: ham, a wanted message
	Text string // as published: unedited, some of it coarse, with "&lt;" and the like in place
}

// Messages returns the SMS Spam Collection: 5574 messages in English, 747 of them spam.
//
// 403 repeat an earlier message word for word, so a random split can put a copy on each side.
func Messages() []Message { return slices.Clone(messages()) }

var messages = sync.OnceValue(func() []Message { return readMessages("sms_spam.tsv.gz") })

// readMessages parses lines "ham<TAB>text" and "spam<TAB>text". The text has quotation
// marks that do not quote, so a CSV reader cannot read it.
func readMessages(file string) []Message {
	lines := strings.Split(strings.TrimSuffix(string(content(file)), "\n"), "\n")
	all := make([]Message, len(lines))
	for i, line := range lines {
		kind, words, found := strings.Cut(line, "\t")
		if !found || kind != "ham" && kind != "spam" {
			mustRead(file, fmt.Errorf("line %d is neither ham nor spam", i+1))
		}
		all[i] = Message{Spam: kind == "spam", Text: words}
	}
	return all
}

// MessageSet returns messages as a data set whose columns are the terms of v.
//
// "ham" is −1 and "spam" is +1. Rows are sparse, of norm 1, or zero if v knows no term of a
// message. For a test without leaks, split [Messages] first, fit v on the training part, and call
// MessageSet for both parts.
func MessageSet(messages []Message, v *text.Vectorizer) *svmkit.Dataset {
	y := make([]float64, len(messages))
	for i, m := range messages {
		y[i] = -1
		if m.Spam {
			y[i] = 1
		}
	}
	return &svmkit.Dataset{X: v.Rows(Texts(messages)), Y: y, Dim: v.Dim(), Features: v.Terms(),
		Classes: []string{"ham", "spam"}}
}

// Texts returns the text of each message: the documents that [text.FitTFIDF] takes.
func Texts(messages []Message) []string {
	docs := make([]string, len(messages))
	for i, m := range messages {
		docs[i] = m.Text
	}
	return docs
}

// SMS returns all messages as one dataset and the vectoriser that made it. Columns are the terms
// that occur in at least two messages, weighted by tf-idf.
//
// The vectoriser is fitted to every message. To measure how well a model predicts, use
// [MessageSet].
func SMS() (*svmkit.Dataset, *text.Vectorizer) {
	set, v := sms()
	return fresh(set), v
}

var sms = sync.OnceValues(func() (*svmkit.Dataset, *text.Vectorizer) { return vectorize(messages()) })

func vectorize(all []Message) (*svmkit.Dataset, *text.Vectorizer) {
	v, err := text.FitTFIDF(Texts(all), text.Options{MinDocs: 2})
	mustRead("sms_spam.tsv.gz", err)
	return MessageSet(all, v), v
}
