//go:build !nofigures

package lab

import (
	"encoding/json"
	"fmt"
	"syscall/js"
)

// taker is the page's function that receives the output of a cell: JSON with "data" and "metadata".
const taker = "svmkitDisplay"

func flush() {}

// display passes one output to the page. If no page receives it, it is printed as text.
func display(data, metadata map[string]any) {
	take := js.Global().Get(taker)
	if take.Type() != js.TypeFunction {
		fmt.Fprintln(out, data["text/plain"])
		return
	}
	take.Invoke(string(Must(json.Marshal(map[string]any{"data": data, "metadata": metadata}))))
}

// Live calls [Explore], because there is no kernel for the slider.
func Live(e Explorable) { Explore(e) }
