package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// predictedRows bounds how many rows are predicted: the peer needs a millisecond for each.
const predictedRows = 20_000

// scoreAgreement is how far the scores of one model may be apart, relative to the largest.
const scoreAgreement = 1e-6

// prediction measures predictions by the model that LIBSVM has trained: its own loop, that of svm-predict, against
// ScoreAll and, on one thread, against a prepared model that is given one row at a time.
func (b *bench) prediction(ctx context.Context, name string, set *svmkit.Dataset, t task) error {
	peer, ours := b.stage.engine("LIBSVM"), b.stage.engine("svmkit")
	if peer == nil {
		return nil
	}
	b.progress.Say("%s: LIBSVM trains what will predict", name)
	q := request{Op: "train", Task: t, Solver: "h1", Knob: 0.1, Limit: b.limit.Seconds(), Rows: min(set.Len(), predictedRows)}
	if err := b.stage.put(ctx, peer, set); err != nil {
		return err
	}
	_, a, err := peer.ask(ctx, q)
	if err != nil {
		return err
	}
	if err := b.stage.put(ctx, ours, set); err != nil {
		return err
	}
	q.Op, q.File = "predict", filepath.Join(b.stage.dir, "model")
	f, err := os.Create(q.File)
	if err != nil {
		return err
	}
	err = writeFloats(f, append(append([]float64(nil), a.Beta...), a.B))
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	vectors := 0
	for _, v := range a.Beta {
		if v != 0 {
			vectors++
		}
	}
	work := fmt.Sprintf("predicting %d rows, %d support vectors", q.Rows, vectors)
	together := speed{Set: name, Work: work, Goal: 50, Peer: "LIBSVM"}
	single := speed{Set: name, Work: work + ", one at a time", Goal: 1, Peer: "LIBSVM"}
	for round := range b.runs {
		b.progress.Say("%s: predicting, round %d", name, round+1)
		theirs, want, err := peer.scores(ctx, q)
		if err != nil {
			return err
		}
		largest := 0.0
		for _, v := range want {
			largest = max(largest, math.Abs(v))
		}
		for _, r := range []*speed{&together, &single} {
			q.Single = r == &single
			mine, scores, err := ours.scores(ctx, q)
			if err != nil {
				return err
			}
			r.Ours, r.Other = append(r.Ours, mine.Seconds), append(r.Other, theirs.Seconds)
			apart := 0.0
			for i, v := range want {
				apart = max(apart, math.Abs(v-scores[i]))
			}
			if !(apart <= scoreAgreement*largest) {
				return fmt.Errorf("%s: scores differ by %g of %g", name, apart, largest)
			}
			r.Note = fmt.Sprintf("scores agree to %.0e", apart/largest)
		}
	}
	b.results.Speeds = append(b.results.Speeds, together, single)
	return nil
}

// classRows bounds how many rows a model of many classes is trained on, and predicts.
const classRows = 5000

// predictionOfClasses measures predictions by a model of more than two classes that LIBSVM has trained and written to a
// file: its own loop, that of svm-predict, against PredictAll and, on one thread, against a prepared classifier that is
// given one row at a time. All must predict the same classes.
func (b *bench) predictionOfClasses(ctx context.Context, s *source) error {
	peer, ours := b.stage.engine("LIBSVM"), b.stage.engine("svmkit")
	if peer == nil {
		return nil
	}
	set, err := s.many()
	if err != nil || len(set.Classes) < 3 {
		return err
	}
	set = set.Subset(permutation(set.Len())[:min(classRows, set.Len())])
	for _, engine := range []*engine{peer, ours} {
		if err := b.stage.put(ctx, engine, set); err != nil {
			return err
		}
	}
	q := request{Op: "classes", Task: task{Loss: "hinge", Free: true, C: 1, Gamma: 1 / float64(set.Dim)}, Solver: "h1", Knob: 0.1,
		Limit: b.limit.Seconds(), Rows: set.Len(), File: filepath.Join(b.stage.dir, "classes")}
	work := fmt.Sprintf("predicting %d rows of %d classes", q.Rows, len(set.Classes))
	together := speed{Set: s.name, Work: work, Goal: 1, Peer: "LIBSVM"}
	single := speed{Set: s.name, Work: work + ", one at a time", Goal: 1, Peer: "LIBSVM"}
	for round := range b.runs {
		b.progress.Say("%s: predicting classes, round %d", s.name, round+1)
		q.Single = false
		theirs, want, err := peer.scores(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range []*speed{&together, &single} {
			q.Single = r == &single
			mine, labels, err := ours.scores(ctx, q)
			if err != nil {
				return err
			}
			r.Ours, r.Other = append(r.Ours, mine.Seconds), append(r.Other, theirs.Seconds)
			if !slices.Equal(labels, want) {
				return fmt.Errorf("%s: not all rows have the same class", s.name)
			}
			r.Note = "the same classes"
		}
	}
	b.results.Speeds = append(b.results.Speeds, together, single)
	return nil
}
