package samples

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit/text"
)

func TestMessages(t *testing.T) {
	messages := Messages()
	if m := messages[0]; m.Spam || !strings.HasPrefix(m.Text, "Go until jurong point, crazy..") {
		t.Errorf("first message: %+v", m)
	}
	if m := messages[2]; !m.Spam || !strings.HasPrefix(m.Text, "Free entry in 2 a wkly comp") {
		t.Errorf("third message: %+v", m)
	}
	for i, m := range messages {
		if m.Text == "" || strings.ContainsAny(m.Text, "\t\r\n") {
			t.Errorf("message %d: %q", i, m.Text)
		}
	}
}

func TestSMSRows(t *testing.T) {
	const tol = 1e-14 // some roundings of a norm of 1
	set, v := SMS()
	if !slices.Equal(set.Features, v.Terms()) {
		t.Error("features are not the vectoriser's terms")
	}
	messagesWith := map[string]int{}
	for i, m := range Messages() {
		terms := slices.Compact(slices.Sorted(text.Tokenize(m.Text)))
		for _, term := range terms {
			messagesWith[term]++
		}
		x := set.X[i]
		if n := x.Norm(); n != 0 && math.Abs(n-1) > tol {
			t.Errorf("message %d: ‖x‖ = %v", i, n)
		}
		for _, j := range x.Index {
			if !slices.Contains(terms, set.Features[j]) {
				t.Fatalf("message %d, %q, has a weight for %q", i, m.Text, set.Features[j])
			}
		}
	}
	maps.DeleteFunc(messagesWith, func(_ string, n int) bool { return n < 2 })
	if want := slices.Sorted(maps.Keys(messagesWith)); !slices.Equal(set.Features, want) {
		t.Errorf("%d columns, but %d terms occur in two messages or more", set.Dim, len(want))
	}
	for _, term := range []string{"free", "claim", "prize"} { // words of the first spam messages in the file
		if _, known := v.Column(term); !known {
			t.Errorf("%q is no column", term)
		}
	}
}

// A vectoriser fitted on some messages gives other messages no new columns.
func TestMessageSetKeepsTheVocabulary(t *testing.T) {
	messages := Messages()
	train, test := messages[:4000], messages[4000:]
	v, err := text.FitTFIDF(Texts(train), text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := MessageSet(test, v)
	if err := set.ValidateBinary(); err != nil {
		t.Error(err)
	}
	all, err := text.FitTFIDF(Texts(messages), text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if set.Dim != v.Dim() || set.Dim >= all.Dim() || set.Len() != len(test) {
		t.Errorf("test set is %d × %d; training has %d terms, all messages %d", set.Len(), set.Dim, v.Dim(), all.Dim())
	}
}
