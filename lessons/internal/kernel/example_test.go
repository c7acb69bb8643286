//go:build unix

package kernel_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel"
)

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	spec, err := kernel.GoNB(ctx, kernel.Settings{Root: "../../.."})
	if err != nil {
		log.Fatal(err)
	}
	k, err := kernel.Start(ctx, spec)
	if err != nil {
		log.Fatal(err)
	}
	defer k.Close()

	for _, code := range []string{
		"import \"fmt\"\nfunc square(x int) int { return x * x }",
		"%%\nfmt.Println(square(7))",
		"%%\npanic(\"7 is odd\")",
	} {
		res, err := k.Execute(ctx, code)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %q %q\n", res.Status, res.Stream("stdout"), res.Failure())
	}
	// Output:
	// ok "" ""
	// ok "49\n" ""
	// error "" "panic: 7 is odd (exit status 2)"
}
