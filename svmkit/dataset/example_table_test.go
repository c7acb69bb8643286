package dataset_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/svmkit/course/svmkit/dataset"
)

const people = `name,age,member
Ann,31,yes
Bo,NA,no
`

// A table keeps its fields as text; one column of it can be the labels.
func ExampleReadTable() {
	t, err := dataset.ReadTable(context.Background(), strings.NewReader(people), &dataset.TableOptions{Name: "people"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", t.Rows)
	fmt.Println(t.Labels("member", dataset.Labels{}))
	_, _, err = t.Labels("age", dataset.Labels{Task: dataset.Regression})
	fmt.Println(err)
	// Output:
	// [["Ann" "31" "yes"] ["Bo" "NA" "no"]]
	// [1 -1] [no yes] <nil>
	// svmkit: people, line 3, column "age": missing label: "NA"; fill it in, or leave out the row
}

// A table larger than memory is read part by part.
func ExampleTableRows() {
	s := dataset.TableRows(context.Background(), strings.NewReader(people), nil)
	for {
		part, err := s.Next(1)
		if err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(part.Names, part.Rows)
	}
	// Output:
	// [name age member] [[Ann 31 yes]]
	// [name age member] [[Bo NA no]]
}
