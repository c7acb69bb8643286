package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/stream"
	"github.com/svmkit/course/svmkit/svm"
)

func Example_learn() {
	ctx, file := context.Background(), new(bytes.Buffer)
	rows := dataset.Rows(ctx, strings.NewReader("+1 1:2 2:1\n-1 1:-1 2:-2\n"), nil)
	learner := stream.Pegasos("λ = 0.1", &svm.PegasosStream{Lambda: 0.1})
	if err := learner.Learn(ctx, rows.All()); err != nil {
		log.Fatal(err)
	}
	if err := learner.Save(file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(learner.Rows, learner.Mistakes)
	// Output: 2 1
}

// The process ends after two rows. The next process goes on when the file has four.
func Example() {
	rows := []string{"+1 1:2 2:1\n", "-1 1:-1 2:-2\n", "+1 1:1 2:2\n", "-1 1:-2\n"}
	var checkpoint bytes.Buffer
	for _, n := range []int{2, 4} {
		file := strings.NewReader(strings.Join(rows[:n], ""))
		learner := stream.Pegasos("λ = 0.1", &svm.PegasosStream{Lambda: 0.1})
		if checkpoint.Len() > 0 {
			if err := learner.Resume(&checkpoint); err != nil {
				log.Fatal(err)
			}
		}
		before := learner.Rows
		if err := learner.Learn(context.Background(), dataset.Rows(context.Background(), file, nil).All()); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d rows, %d of them before; %d mistakes\n", learner.Rows, before, learner.Mistakes)
		if err := learner.Save(&checkpoint); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 2 rows, 0 of them before; 1 mistakes
	// 4 rows, 2 of them before; 1 mistakes
}
